# Completion of ftl for bash: eval "$(ftl completions bash)", or save it where bash-completion looks.
_ftl() {
    local IFS=$'\n'
    COMPREPLY=($("$1" candidates --shell bash --index "$COMP_CWORD" -- "${COMP_WORDS[@]}" 2>/dev/null))
    # What goes on after a directory or `--option=` belongs to the same word.
    if [[ ${#COMPREPLY[@]} == 1 && ${COMPREPLY[0]} == *[/=] ]]; then
        compopt -o nospace 2>/dev/null
    fi
}
complete -o filenames -F _ftl ftl
