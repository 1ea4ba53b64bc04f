//! Blocks for what the implementer did: `implement_failed` and `delta_insufficient`.

use super::super::build::{Build, build};

const STALE: &str = "--- a/calc.py\n+++ b/calc.py\n@@ -1 +1 @@\n-LIMIT = 9\n+LIMIT = 20\n";
const OWN: &str = "--- /dev/null\n+++ b/.ftl/mine\n@@ -0,0 +1 @@\n+mine\n";
const BOTH: &str = "--- a/calc.py\n+++ b/calc.py\n@@ -1 +1 @@\n-LIMIT = 10\n+LIMIT = 20\n\
    --- /dev/null\n+++ b/other.py\n@@ -0,0 +1 @@\n+OTHER = 1\n";

pub(super) const FAILED: &[Build] = &[
    build("an agent that does nothing").agent("true"),
    build("an agent that gives up").agent("echo 'LIMIT = (' > calc.py; echo sorry >&2; exit 7"),
    build("an agent that is not there").options(&["--agent", "no-such-agent --now"]),
    build("an agent that a signal ends").options(&["--agent", "kill -TERM $$"]),
    build("an agent that takes too long")
        .agent("echo 'LIMIT = 20' > calc.py; exec sleep 20")
        .options(&["--agent-timeout", "1s"]),
    build("a patch of another file").patches(&[STALE]),
    build("a patch that is none").patches(&["no patch\n"]),
    build("a patch of ftl's own files").patches(&[OWN]),
    build("an agent that fails and strays").agent("echo > stray.txt; exit 1"),
];

const STRAYS: &str = "echo 'STRAY = 1' >> calc.py; echo stray >> user.txt; chmod 700 mode.txt\n\
    rm -r notes; mkdir -p new/deep; echo made > new/deep/made.txt; ln -s user.txt link\n";
const USERS: &[(&str, &str)] =
    &[("user.txt", "mine\n"), ("mode.txt", "mine\n"), ("notes/keep.txt", "mine too\n")];

pub(super) const OUTSIDE: &[Build] = &[
    build("strays of all kinds").files(USERS).agent(STRAYS),
    build("strays of all kinds in a repository").files(USERS).git().agent(STRAYS),
    build("strays that are only reported")
        .files(&[("ftl.toml", "[scope]\nstrays = 'report'\n"), ("user.txt", "mine\n")])
        .agent("echo 'LIMIT = 20' > calc.py; echo stray >> user.txt"),
    build("a file too large to be put back")
        .files(&[("ftl.toml", "[scope]\nmax_backup = 4\n"), ("user.txt", "mine, all of it\n")])
        .agent("echo 'LIMIT = 20' > calc.py; echo stray > user.txt"),
    build("an agent that edits its task").agent(
        "echo 'LIMIT = 20' > calc.py; sed -i 's/<verify>.*<.verify>/<verify>true<\\/verify>/' \"$FTL_WORKSPACE\"; echo > stray",
    ),
    build("a patch that strays").patches(&[BOTH]),
    build("needs by a reply").agent("echo '{\"needs\": [\"a.py\", \"src/b.py\"]}' > \"$FTL_REPLY\""),
    build("a strict scope that is left")
        .git()
        .files(&[("other.py", "OTHER = 1\n")])
        .world("echo 'LIMIT = 20' > calc.py; echo 'OTHER = 2' > other.py; echo > new.txt")
        .options(&["--strict-scope"]),
    build("a mend that strays")
        .agent("[ $FTL_PHASE = implement ] && echo 'LIMIT = (' > calc.py || { echo 'LIMIT = 1' > calc.py; echo > stray; }"),
];
