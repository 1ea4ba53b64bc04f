# Completion of ftl for fish: ftl completions fish >~/.config/fish/completions/ftl.fish
function __ftl_complete
    set -l words (commandline --current-process --tokenize --cut-at-cursor)
    set -l index (count $words)
    $words[1] candidates --shell fish --index $index -- $words (commandline --current-token --cut-at-cursor) 2>/dev/null
end
complete --command ftl --no-files --keep-order --arguments '(__ftl_complete)'
