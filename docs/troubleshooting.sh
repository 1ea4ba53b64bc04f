#!/bin/sh
# Prints the transcripts at the end of docs/troubleshooting.md: what goes wrong with a task, and how to continue.
#
#   FTL=target/debug/ftl sh docs/troubleshooting.sh [STORY...]
#
# Needs ftl, git and python3, and no network. Everything happens in a temporary directory.
# Replaced: times, digests, process IDs. Left out: progress, which a terminal erases.
# Stops with an error if a command does not end as expected.
set -eu

ftl=${FTL:-ftl}
case $ftl in */*) ftl=$(cd "$(dirname "$ftl")" && pwd)/$(basename "$ftl") ;; *) ftl=$(command -v "$ftl") ;; esac

work=$(mktemp -d)
work=$(cd "$work" && pwd -P)
trap 'rm -rf "$work"' EXIT
mkdir "$work/bin" "$work/home"
ln -s "$ftl" "$work/bin/ftl"
export PATH="$work/bin:$PATH" HOME="$work/home" XDG_STATE_HOME="$work/home/state" NO_COLOR=1 CI=1
export GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_NOSYSTEM=1 PYTHONDONTWRITEBYTECODE=1 LC_ALL=C.UTF-8
export GIT_AUTHOR_NAME=ada GIT_AUTHOR_EMAIL=ada@localhost GIT_COMMITTER_NAME=ada GIT_COMMITTER_EMAIL=ada@localhost
unset PYTHONPATH PYTHONHOME FTL_CONFIG 2>/dev/null || true

# Replaces what differs from run to run.
plain() {
    sed -E \
        -e "s|$work/||g" \
        -e 's/\b[0-9a-f]{40}([0-9a-f]{24})?\b/DIGEST/g' \
        -e 's/[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:.]+Z/TIME/g' \
        -e 's/[0-9]{2}:[0-9]{2}:[0-9]{2}\.[0-9]{3}/HH:MM:SS/g' \
        -e 's/\b[0-9]+(\.[0-9]+)? (ms|s)\b/N s/g' \
        -e 's/ +N s$/ N s/' \
        -e '/^[0-9]{3}_/ s/ +(now|N s)$/  now/' \
        -e '/^(ID|[0-9]{3}_)/ s/ {2,}/  /g' \
        -e "s|[^ <>]*/python3(\.[0-9]+)?: can't|python3: can't|g" \
        -e '/^[a-z]+: .* …$/d' \
        -e '/^(waiting|the agent) .* …$/d' \
        -e '/^(Budget|Preflight): /d' \
        -e 's/(process|pid) [0-9]+/\1 PID/g' \
        -e 's/[ ]+$//'
}

# Shows a command line and what it prints, and checks its exit code: `say CODE COMMAND`.
say() {
    expected=$1
    printf '$ %s\n' "$2"
    code=0
    sh -c "$2" >"$work/printed" 2>&1 || code=$?
    plain <"$work/printed"
    if [ "$code" -ne "$expected" ]; then
        cat "$work/printed" >&2
        echo "ended with $code, not $expected: $2" >&2
        exit 1
    fi
    [ "$code" -eq 0 ] || printf '(exit code %s)\n' "$code"
}

# Fails unless the last output contains this text.
holds() {
    grep -qF -- "$1" "$work/printed" || { cat "$work/printed" >&2; echo "no \`$1\` there" >&2; exit 1; }
}

commit() {
    git init --quiet --initial-branch main
    printf '__pycache__/\n' >.gitignore
    git add --all
    git commit --quiet --message "$1"
}

# A shop with a bug, its test, and an agent that is a script.
shop() {
    mkdir -p "$work/$1"
    cd "$work/$1"
    cat >prices.py <<'EOF'
"""Prices in cents."""


def total(prices, discount=0):
    return sum(prices)
EOF
    cat >test_prices.py <<'EOF'
from prices import total

assert total([100, 250]) == 350
assert total([100], discount=10) == 90, f"10 % off 100 is {total([100], discount=10)}"
print("2 passed")
EOF
    cat >good-agent.sh <<'EOF'
cat >prices.py <<'PY'
"""Prices in cents."""


def total(prices, discount=0):
    whole = sum(prices)
    return whole - whole * discount // 100
PY
EOF
    commit 'A shop'
}

# Makes the task of the first story, without showing it.
discount() {
    ftl new 'Take a discount' --delta prices.py --verify 'python3 test_prices.py' >/dev/null
}

forgotten() {
    shop forgotten
    cat >agent.sh <<'EOF'
echo 'def percent(whole, part): return whole * part // 100' >rounding.py
cat >prices.py <<'PY'
from rounding import percent


def total(prices, discount=0):
    return sum(prices) - percent(sum(prices), discount)
PY
EOF
    git add --all && git commit --quiet --message 'Another agent'
    say 0 "ftl new 'Take a discount' --delta prices.py --verify 'python3 test_prices.py'"
    say 3 "ftl build --agent 'sh agent.sh'"
    holds 'it needs files outside its delta'
    say 0 "ftl reopen 1 --take rounding.py --build --agent 'sh agent.sh'"
    holds '✓ 001'
}

wrong() {
    shop wrong
    say 2 "ftl new 'Take a discount' --delta prices.py --verify 'pythn3 test_prices.py'"
    holds 'pythn3'
    say 0 "ftl new 'Take a discount' --delta prices.py --verify 'python3 tests_prices.py'"
    say 3 "ftl build --agent 'sh good-agent.sh'"
    holds 'tests_prices.py'
    say 0 'ftl take 1'
    say 0 "ftl reopen 1 --verify 'python3 test_prices.py' --build --tree"
    holds '✓ 001'
}

flaky() {
    shop flaky
    cat >test_prices.py <<'EOF'
import os
from prices import total

up = os.environ["HOME"] + "/up"
if not os.path.exists(up):
    open(up, "w").close()
    raise ConnectionRefusedError("no connection to the test server at port 5432")
assert total([100], discount=10) == 90
print("1 passed")
EOF
    git add --all && git commit --quiet --message 'A test that needs a server'
    discount
    say 3 "ftl build --agent 'sh good-agent.sh'"
    holds 'the verify failed'
    rm -f "$HOME/up"
    say 0 "printf '[knowledge]\nfiles = [\"knowledge.toml\"]\n' >ftl.toml"
    say 0 "ftl knowledge add server-starts --from .ftl/workspace/001_*_blocked.xml --rerun --tag flaky"
    say 0 "ftl reopen 1 --build --agent 'sh good-agent.sh'"
    holds '✓ 001'
    holds 'server-starts'
}

interrupted() {
    shop interrupted
    cat >slow-agent.sh <<'EOF'
echo 'half a li' >prices.py
if [ ! -e "$HOME/asked" ]; then
    touch "$HOME/asked"
    sleep 60
fi
sh good-agent.sh
EOF
    cat >ctrl-c.sh <<'EOF'
# Runs a command, and presses Ctrl-C as soon as its agent is at work.
"$@" &
while [ ! -e "$HOME/asked" ]; do sleep 0.1; done
sleep 0.5
kill -INT $!
wait $!
EOF
    git add --all && git commit --quiet --message 'A slow agent'
    discount
    say 130 "sh ctrl-c.sh ftl build --agent 'sh slow-agent.sh'"
    say 0 'git status --short'
    say 0 'ftl status'
    say 0 "ftl build --agent 'sh slow-agent.sh'"
    holds '✓ 001'
}

monorepo() {
    mkdir -p "$work/mono/services" "$work/mono/packages/lib"
    shop mono/services/shop
    rm -rf .git .gitignore
    cd "$work/mono"
    echo 'VERSION = 1' >packages/lib/version.py
    cat >services/shop/agent.sh <<'EOF'
sh good-agent.sh
echo 'VERSION = 2' >../../packages/lib/version.py
EOF
    commit 'Two packages and a service'
    cd services/shop
    say 0 "ftl new 'Take a discount' --delta prices.py --verify 'python3 test_prices.py'"
    say 0 "ftl build --agent 'sh agent.sh'"
    holds '✓ 001'
    holds '../../packages/lib/version.py'
    say 0 'git -C ../.. status --short'
}

terminals() {
    shop terminals
    cat >waiting-agent.sh <<'EOF'
touch "$HOME/first"
while [ ! -e "$HOME/second" ]; do sleep 0.1; done
sh good-agent.sh
EOF
    cat >two.sh <<'EOF'
# The first terminal's build waits until the second has been refused.
ftl build 1 --agent 'sh waiting-agent.sh' >"$HOME/first.log" 2>&1 &
while [ ! -e "$HOME/first" ]; do sleep 0.1; done
ftl status
code=0
ftl build 2 --agent 'sh good-agent.sh' || code=$?
touch "$HOME/second"
wait
echo "[the first terminal]"
cat "$HOME/first.log"
exit $code
EOF
    git add --all && git commit --quiet --message 'Two terminals'
    discount
    say 0 "ftl new 'Say what is sold' --delta README --verify 'grep -q shop README'"
    say 1 'sh two.sh'
    holds '✓ 001'
    say 0 "ftl build 2 --wait --agent 'echo a shop >README'"
    holds '✓ 002'
}

# A heading, a sentence and a story in a fenced block.
tell() {
    printf '\n### %s\n\n%s\n\n```text\n' "$2" "$3"
    # Not in a pipe, so that a story that fails ends the script.
    ("$1") >"$work/$1.story"
    cat "$work/$1.story"
    printf '```\n'
}

[ $# -gt 0 ] || set -- forgotten wrong flaky interrupted monorepo terminals
for story in "$@"; do
    case $story in
    forgotten) tell forgotten 'A forgotten file' 'The change needs a file that the task does not name, and the agent wrote it. `--take` adds it to the task:' ;;
    wrong) tell wrong 'A wrong verify command' '`ftl new` refuses a program that does not exist. A test file that does not exist shows only when the command runs; the block names the nearest file. The work is right, so no agent is asked again:' ;;
    flaky) tell flaky 'A flaky test' 'The test server is not up at the first try. Once `ftl` knows the error, it runs the verify command again:' ;;
    interrupted) tell interrupted 'Ctrl-C' 'The unfinished work of the agent is not in the project. The same command continues:' ;;
    monorepo) tell monorepo 'A monorepo' 'The project is a directory of a larger repository, and the agent also writes outside of the project. That change is left behind, and kept:' ;;
    terminals) tell terminals 'Two terminals' 'Only one command at a time builds in a project:' ;;
    *) echo "no story $story" >&2; exit 2 ;;
    esac
done
