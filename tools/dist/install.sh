#!/bin/sh
# Installs ftl from a release: checks the tarball's digest, then puts the program, its man pages and completions
# below PREFIX (~/.local). FTL_RELEASE names another place of the release's files: an address, or a directory.
set -eu

release=${FTL_RELEASE:-@RELEASE@}
version=${FTL_VERSION:-@VERSION@}
prefix=${PREFIX:-$HOME/.local}
[ ! -d "$release" ] || release=$(cd "$release" && pwd)

fail() {
    echo "error: $1" >&2
    exit 1
}

# Writes a file of the release to standard output.
get() {
    case $release in
    https://* | http://*)
        if command -v curl >/dev/null; then
            curl --proto '=https,http' --fail --silent --show-error --location "$release/$1"
        elif command -v wget >/dev/null; then
            wget --quiet --output-document=- "$release/$1"
        else
            fail "curl or wget is needed"
        fi
        ;;
    *) cat "$release/$1" ;;
    esac
}

case $(uname -s)-$(uname -m) in
Linux-x86_64) triple=x86_64-unknown-linux-gnu ;;
Linux-aarch64) triple=aarch64-unknown-linux-gnu ;;
Darwin-arm64) triple=aarch64-apple-darwin ;;
Darwin-x86_64) triple=x86_64-apple-darwin ;;
*) fail "there is no ftl for $(uname -s) on $(uname -m)" ;;
esac

name=ftl-task-$version-$triple
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"
get "$name.tar.gz" >"$name.tar.gz" || fail "$release has no $name.tar.gz"
get SHA256SUMS | grep " $name.tar.gz\$" >sum || fail "$release/SHA256SUMS does not name $name.tar.gz"
if command -v sha256sum >/dev/null; then sha256sum -c sum >/dev/null; else shasum -a 256 -c sum >/dev/null; fi ||
    fail "the digest of $name.tar.gz is not that of SHA256SUMS"
tar -xzf "$name.tar.gz"

share=$prefix/share
mkdir -p "$prefix/bin" "$share/man/man1" "$share/bash-completion/completions" \
    "$share/zsh/site-functions" "$share/fish/vendor_completions.d"
cp "$name/man/man1/"*.1 "$share/man/man1"
cp "$name/completions/bash/ftl" "$share/bash-completion/completions/ftl"
cp "$name/completions/zsh/_ftl" "$share/zsh/site-functions/_ftl"
cp "$name/completions/fish/ftl.fish" "$share/fish/vendor_completions.d/ftl.fish"
# A running ftl keeps its file: the new one takes the name at once.
cp "$name/ftl" "$prefix/bin/ftl.new" && mv -f "$prefix/bin/ftl.new" "$prefix/bin/ftl"
"$prefix/bin/ftl" --version
case :$PATH: in *":$prefix/bin:"*) ;; *) echo "add $prefix/bin to your PATH" ;; esac
