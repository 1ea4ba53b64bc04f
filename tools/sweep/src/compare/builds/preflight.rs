//! Builds whose preflight fails: repaired, or `preflight_exhausted`.

use super::super::build::{Build, build};

const BROKEN: &str = "--- a/calc.py\n+++ b/calc.py\n@@ -1 +1 @@\n-LIMIT = 10\n+LIMIT = (\n";
const MENDED: &str = "--- a/calc.py\n+++ b/calc.py\n@@ -1 +1 @@\n-LIMIT = (\n+LIMIT = 20\n";
const WRONG: &str = "--- a/calc.py\n+++ b/calc.py\n@@ -1 +1 @@\n-LIMIT = [\n+LIMIT = 20\n";
const GUARDED: &str = "<delta>calc.py</delta><verify>true</verify><budget>9</budget>\
    <preflight>true</preflight><preflight>grep -q 20 calc.py || { echo 'lint: not 20'; exit 4; }</preflight>";

pub(super) const COMPLETE: &[Build] = &[
    build("mended by the agent").agent(
        "cat \"$FTL_PROMPT\"; [ $FTL_PHASE = implement ] && echo 'LIMIT = (' > calc.py || echo 'LIMIT = 20' > calc.py",
    ),
    build("mended at the second attempt").agent(
        "case $FTL_PHASE$FTL_ATTEMPT in implement*) echo 'LIMIT = (' > calc.py ;;\n\
         *1) echo 'LIMIT = [' > calc.py ;; *) echo 'LIMIT = 20' > calc.py ;; esac",
    ),
    build("mended by a second patch").patches(&[BROKEN, MENDED]),
    build("a command that is mended for")
        .task(GUARDED)
        .agent("[ $FTL_PHASE = implement ] && echo 'LIMIT = 1' > calc.py || echo 'LIMIT = 20' > calc.py"),
];

pub(super) const BLOCKED: &[Build] = &[
    build("a tree that does not parse").world("echo 'LIMIT = (' > calc.py"),
    build("several files that do not parse")
        .task("<delta>calc.py</delta><delta>a.json</delta><delta>b.rs</delta><verify>true</verify><budget>9</budget>")
        .agent("echo 'def (' > calc.py; echo '{' > a.json; echo 'fn (' > b.rs"),
    build("three attempts in vain").agent("echo \"LIMIT$FTL_ATTEMPT = (\" >> calc.py"),
    build("a mend that fails").agent("[ $FTL_PHASE = implement ] || exit 5; echo 'LIMIT = (' > calc.py"),
    build("a mend that changes nothing").agent("echo 'LIMIT = (' > calc.py"),
    build("no second patch").patches(&[BROKEN]),
    build("a second patch that does not apply").patches(&[BROKEN, WRONG]),
    build("a command that fails in a tree").task(GUARDED),
    build("a command that fails three times").task(GUARDED).agent("echo \"A = $FTL_ATTEMPT\" >> calc.py"),
    build("a command that is not there")
        .task("<delta>calc.py</delta><verify>true</verify><preflight>no-such-command</preflight>"),
    build("a file that the literal checker refuses")
        .agent("echo 'LIMIT = (' > calc.py")
        .options(&["--checker", "literal"]),
];
