#!/usr/bin/env bash
# A bit of everything.
set -euo pipefail
declare -A ages=([one]=1 ['two words']=2) # arrays
names=(a "b c" $(printf '%s\n' "d)"))
names+=("${ages[@]}")
usage() {
    cat <<-END | sed 's/^/| /' >&2
	usage: ${0##*/} [-h] 'not a quote
	END
}
function quiet { "$@" >/dev/null 2>&1; }
for ((i = 0; i < 3; i++)); do echo $((i + (2 * 3))); done
for name in "${names[@]}"; do
    case $name in
        (a | b*) : ;;&
        *.sh) echo "it's ${name:-"$(basename "$0")"}" ;;
        *) continue
    esac
done
if [[ -f $1 && ( $1 == *.@(sh|bash) || $1 =~ ^(a|b)+$ ) ]] || ! quiet true; then
    diff <(sort a) <(sort b) | while read -r line; do echo "$line"; done
elif ((${#names[@]} > 2)); then { usage; exit 1; } fi
select it in x y; do break; done
coproc reader { read -r; }
exec {fd}<> "$file" 3>&-
echo `date +\`echo %s\`` $'it\'s' &
! time -p wait
cat << 'END' << OTHER
$( not a command
END
text
OTHER
