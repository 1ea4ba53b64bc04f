#compdef ftl
# Completion of ftl for zsh: save it as _ftl in a directory of $fpath, or source it after compinit.
_ftl() {
    local -a found others directories
    local each
    found=("${(@f)$("${words[1]}" candidates --shell zsh --index $((CURRENT - 1)) -- "${words[@]}" 2>/dev/null)}")
    for each in $found; do
        if [[ $each == */ ]]; then
            directories+=("${each%/}")
        else
            others+=("$each")
        fi
    done
    (( $#others )) && _describe -V ftl others
    (( $#directories )) && compadd -S / -q -a directories
    return 0
}
if [[ $funcstack[1] == _ftl ]]; then
    _ftl "$@"
else
    compdef _ftl ftl
fi
