#!/bin/sh
# Takes the pictures of the report in docs/screens, of a project made on the spot: look at them before they are committed.
#
#   FTL=target/debug/ftl sh docs/screens.sh
#
# Needs ftl, git, python3 and chromium. The terminal's pictures there are drawn by a test.
set -eu

ftl=${FTL:-ftl}
case $ftl in */*) ftl=$(cd "$(dirname "$ftl")" && pwd)/$(basename "$ftl") ;; esac
screens=$(cd "$(dirname "$0")" && pwd)/screens
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$screens" "$work/shop" "$work/home"
cd "$work/shop"
export HOME="$work/home" XDG_STATE_HOME="$work/home/state" GIT_CONFIG_GLOBAL=/dev/null PYTHONDONTWRITEBYTECODE=1

cat >prices.py <<'EOF'
"""Prices in cents."""


def total(prices):
    return sum(prices)
EOF
cat >test_prices.py <<'EOF'
from prices import total

print("collecting 2 tests")
assert total([100, 250]) == 350
assert total([100], discount=10) == 90, f"10 % off 100 is {total([100], discount=10)}"
print("2 passed")
EOF
cat >wrong.sh <<'EOF'
cat >prices.py <<'PY'
"""Prices in cents."""


def total(prices, discount=0):
    return sum(prices) - discount
PY
sed -i 's/discount$/discount * 2/' prices.py
EOF
git init --quiet --initial-branch main
git add --all
git -c user.name=ada -c user.email=ada@localhost commit --quiet --message 'A shop'

build() {
    "$ftl" "$@" >/dev/null 2>&1 || [ $? -eq 3 ]
}

build new 'Take a discount off the total' --delta prices.py --verify 'python3 test_prices.py' --verify-source test_prices.py
build new 'Say what is sold' --delta README --verify 'grep -q shop README' --depends 1
build new 'Show prices in euros' --delta euros.py --verify 'python3 -c "import euros"' --depends 1
build new 'A page for each article' --delta pages.py --verify 'python3 -c "import pages"' --depends 2 3
build build 1 --agent 'sh wrong.sh'
build reopen 1 --build --agent "sed -i 's/discount \* 2/sum(prices) * discount \/\/ 100/' prices.py"
build build 2 --agent 'echo "a shop" >README; echo "VERSION = 2" >version.py'
build build 3 --agent 'echo "def euros(cents): return cents / 100" >euros.py'
"$ftl" report -o report.html >/dev/null

shot() {
    chromium --headless --no-sandbox --disable-gpu --hide-scrollbars --user-data-dir="$work/profile" \
        --window-size="$2,$3" --screenshot="$screens/$1.png" "file://$work/shop/report.html$4" >/dev/null 2>&1
    ls -l "$screens/$1.png"
}

# Chromium draws no window that is narrower than 500 pixels: a frame in one is as narrow as it should be.
cat >phone.html <<'EOF'
<!doctype html><style>body{margin:0;background:#777}iframe{border:0;width:390px;height:1100px;display:block}</style>
<iframe src="report.html"></iframe>
EOF
shot report-1400 1400 900 ''
chromium --headless --no-sandbox --disable-gpu --hide-scrollbars --user-data-dir="$work/profile" --allow-file-access-from-files \
    --window-size=390,1100 --screenshot="$screens/report-390.png" "file://$work/shop/phone.html" >/dev/null 2>&1
ls -l "$screens/report-390.png"
