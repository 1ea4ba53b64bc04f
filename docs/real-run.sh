#!/bin/sh
# Builds a task with a real change of a real project, then with the change broken in three ways.
#
#   FTL=target/debug/ftl sh docs/real-run.sh
#
# Needs ftl, python3 with venv, git, diff, sha256sum and PyPI. Everything happens in a temporary directory.
# Prints the transcript of docs/real-run.md: times are replaced; progress, which a terminal erases, is left out.
set -eu

ftl=${FTL:-ftl}
case $ftl in */*) ftl=$(cd "$(dirname "$ftl")" && pwd)/$(basename "$ftl") ;; esac

before=parse-1.20.1
after=parse-1.20.2
before_sha256=09002ca350ad42e76629995f71f7b518670bcf93548bdde3684fd55d2be51975
after_sha256=b41d604d16503c79d81af5165155c0b20f6c8d6c559efa66b4b695c3e5a0a0ce
patch_sha256=d888af39ea2e5f4f17dc940a5f6b626f6c1e6e3b3e777ba44520b0b229d0d42d

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
export GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_NOSYSTEM=1 NO_COLOR=1 XDG_STATE_HOME="$work/state"
unset PYTHONPATH PYTHONHOME
# With CI or BUILD_NUMBER pytest prints whole differences; COLUMNS changes where it wraps them.
unset CI BUILD_NUMBER COLUMNS PYTEST_ADDOPTS

gap=
say() {
    printf '%s# %s\n' "$gap" "$*"
    gap='
'
}

# A command quoted for a shell, without the name of the temporary directory.
typed() {
    for word in "$@"; do
        case $word in
        "$ftl") printf 'ftl ' ;;
        *[!A-Za-z0-9_./=:-]*) printf "'%s' " "$word" ;;
        *) printf '%s ' "$word" ;;
        esac
    done | sed "s|$work/||g; s| \$||"
}

# Replaces what differs from run to run.
plain() {
    sed -E \
        -e "s|$work/||g" \
        -e 's/[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:.]+Z/TIME/g' \
        -e 's/\b[0-9]+(\.[0-9]+)? ?m?s\b/N s/g' \
        -e '/^(Budget|Preflight|Retry): /d' \
        -e '/^[a-z].* …$/d'
}

# Shows a command and what it prints.
show() {
    printf '$ %s\n' "$(typed "$@")"
    code=0
    "$@" >"$work/output" 2>&1 || code=$?
    plain <"$work/output"
}

# Stops the script unless the last command ended with this exit code.
expect() {
    [ "$code" -eq "$1" ] || { echo "ended with $code, not $1" >&2; exit 1; }
}

pinned() { echo "$2  $1" | sha256sum --check --quiet; }

git_in() {
    project=$1
    shift
    git -C "$project" -c user.name=real-run -c user.email=real-run@localhost "$@"
}

python3 -m venv python
PATH=$work/python/bin:$PATH
pip install --quiet --disable-pip-version-check pytest==8.4.2
for release in $before $after; do
    pip download --quiet --disable-pip-version-check --no-deps --no-binary parse \
        "parse==${release#parse-}"
done
pinned $before.tar.gz $before_sha256
pinned $after.tar.gz $after_sha256
tar --no-same-owner -xzf $before.tar.gz
tar --no-same-owner -xzf $after.tar.gz
LC_ALL=C diff -u --label a/parse.py --label b/parse.py $before/parse.py $after/parse.py \
    >release.patch || true
pinned release.patch $patch_sha256

say "$before fails the new tests of $after"
cp $after/tests/*.py $before/tests/
printf '__pycache__/\n.pytest_cache/\n' >$before/.gitignore
git_in $before init --quiet --initial-branch main
git_in $before add --all
git_in $before commit --quiet --message "$before, and the tests that wait for the next release"
git_in $before rev-parse --quiet --verify HEAD >/dev/null
cd $before
show python3 -m pytest -q --tb=no --no-header -rN
expect 1

say "the task"
show "$ftl" new 'Template field names may hold a hyphen' --delta parse.py \
    --verify 'python3 -m pytest -q' --verify-source tests/test_parse.py --budget 7
expect 0
git_in . add --all
git_in . commit --quiet --message 'the task'
cd ..
for copy in right syntax failing straying; do git clone --quiet $before $copy; done

say "the release's own change"
cd right
show "$ftl" build 001 --patch "$work/release.patch"
expect 0
show cmp parse.py ../$after/parse.py
expect 0
cd ..

# Builds a copy of the project with a broken patch, and checks the kind of block: `broken COPY KIND`.
broken() {
    copy=$1
    kind=$2
    cd "$copy"
    show "$ftl" build 001 --patch "$work/$copy.patch"
    expect 3
    "$ftl" show --format json | grep -q "\"kind\": \"$kind\"" || { echo "not blocked as $kind" >&2; exit 1; }
    cd ..
}

say "broken syntax: a colon is missing"
sed 's/elif "-" in field:/elif "-" in field/' release.patch >syntax.patch
broken syntax preflight_exhausted

say "wrong code: hyphens do not become group names"
sed 's/\.replace("-", "_")$//' release.patch >failing.patch
broken failing discovery_needed

say "out of scope: the release's change of the README, too"
{
    cat release.patch
    LC_ALL=C diff -u --label a/README.rst --label b/README.rst $before/README.rst $after/README.rst
} >straying.patch || true
cd straying
show "$ftl" build 001 --patch "$work/straying.patch"
expect 0
cd ..
