//! Builds whose verify fails: retried with a known fix, or blocked for the want of one.

use super::super::build::{Build, build};

const WRITES: &str =
    "[ $FTL_PHASE = apply-fix ] && echo 'LIMIT = 20' > calc.py || echo 'LIMIT = 30' > calc.py";
const THIRTY: &str = "echo 'LIMIT = 30' > calc.py";
const TO_THIRTY: &str = "--- a/calc.py\n+++ b/calc.py\n@@ -1 +1 @@\n-LIMIT = 10\n+LIMIT = 30\n";
const TO_TWENTY: &str = "--- a/calc.py\n+++ b/calc.py\n@@ -1 +1 @@\n-LIMIT = 30\n+LIMIT = 20\n";
const PROSE: &str = "<fix>set it to 20</fix>";
const COMMAND: &str = "<fix kind=\"command\">echo 'LIMIT = 20' > calc.py</fix>";
const RERUN: &str = "<fix kind=\"rerun\"/>";

/// Fails once, or twice, by a file beside the project.
const ONCE: &str = "<delta>calc.py</delta><budget>9</budget>\
    <verify>test -e ../once || { echo > ../once; echo 'AssertionError: limit is not 20'; exit 1; }</verify>";
const TWICE: &str = "<delta>calc.py</delta><budget>9</budget>\
    <verify>echo >> ../runs; test $(wc -l &lt; ../runs) -gt 2 || { echo 'ConnectionRefusedError: db'; exit 1; }</verify>";
const TRANSIENT: &str = "<prior_knowledge><failure name=\"db\"><trigger>ConnectionRefusedError: db</trigger>\
    <fix kind=\"rerun\"/></failure></prior_knowledge>";
const REGEX: &str = "<prior_knowledge><failure name=\"other\"><trigger>nothing like it</trigger><fix>no</fix></failure>\
    <failure name=\"limit\" tags=\"flaky\"><trigger>limits</trigger><fix kind=\"command\">echo 'LIMIT = 20' > calc.py</fix>\
    <match>limit is not \\d+</match></failure></prior_knowledge>";
const SIMILAR: &str = "<prior_knowledge><failure name=\"limit\"><trigger>AssertionError: limit is not 21</trigger>\
    <fix kind=\"command\">echo 'LIMIT = 20' > calc.py</fix></failure></prior_knowledge>";

pub(super) const COMPLETE: &[Build] = &[
    build("retried by prose").wants_twenty(PROSE).agent(WRITES),
    build("retried by a second patch").wants_twenty(PROSE).patches(&[TO_THIRTY, TO_TWENTY]),
    build("retried by a patch on record")
        .wants_twenty(
            "<fix kind=\"patch\">--- a/calc.py\n+++ b/calc.py\n@@ -1 +1 @@\n-LIMIT = 30\n+LIMIT = 20\n</fix>",
        )
        .agent(THIRTY),
    build("retried by a command").wants_twenty(COMMAND).agent(THIRTY),
    build("retried by a command in a tree").wants_twenty(COMMAND).git(),
    build("retried by running again").task(ONCE).fix(RERUN),
    build("retried twice").task(TWICE).more(TRANSIENT),
    build("known by its pattern").wants_twenty("").more(REGEX).agent(THIRTY),
    build("known by its likeness").wants_twenty("").more(SIMILAR).agent(THIRTY),
];

pub(super) const UNKNOWN: &[Build] = &[
    build("an unknown failure").wants_twenty("").agent(THIRTY),
    build("an unknown failure of a tree").wants_twenty("").git(),
    build("a failure known without a fix").wants_twenty("<fix/>").agent(THIRTY),
    build("a verify that a signal ends")
        .task("<delta>calc.py</delta><verify>echo before; kill -SEGV $$</verify>"),
    build("a verify that takes too long")
        .task("<delta>calc.py</delta><verify>echo begun; sleep 20</verify>")
        .options(&["--verify-timeout", "1s"]),
    build("a verify that is not there").task("<delta>calc.py</delta><verify>no-such-tests</verify>"),
    build("a verify without a word").task("<delta>calc.py</delta><verify>exit 9</verify>"),
    build("a verify that fails at length").task(
        "<delta>calc.py</delta><verify>seq 1 30000; printf 'E   assert 1 == 2\\n\\033[31mFAILED é\\n'; seq 1 9; exit 1</verify>",
    ),
    build("a traceback").task(
        "<delta>calc.py</delta><verify>printf 'Traceback (most recent call last):\\n  File \"a.py\", line 1\\n\
         ZeroDivisionError: division by zero\\n' >&amp;2; exit 1</verify>",
    ),
    build("another failure after the retry")
        .task(
            "<delta>calc.py</delta><budget>9</budget>\
             <verify>grep -q 20 calc.py &amp;&amp; echo 'read timed out' || echo 'ConnectionRefusedError: db'; exit 1</verify>",
        )
        .more(
            "<prior_knowledge><failure name=\"db\"><trigger>ConnectionRefusedError: db</trigger>\
             <fix kind=\"command\">echo 'LIMIT = 20' > calc.py</fix></failure></prior_knowledge>",
        ),
];

pub(super) const LIMIT: &[Build] = &[
    build("a fix that does not help")
        .wants_twenty("<fix kind=\"command\">echo 'D = 4' >> calc.py</fix>")
        .agent(THIRTY),
    build("running again in vain").wants_twenty(RERUN).agent(THIRTY),
    build("prose in vain").wants_twenty(PROSE).agent("echo \"A = '$FTL_PHASE'\" >> calc.py"),
    build("a transient failure that stays")
        .task("<delta>calc.py</delta><budget>20</budget><verify>echo 'ConnectionRefusedError: db'; exit 1</verify>")
        .more(TRANSIENT),
];

pub(super) const FIX_FAILED: &[Build] = &[
    build("a fix command that fails")
        .wants_twenty("<fix kind=\"command\">echo 'D = 4' >> calc.py; exit 1</fix>")
        .agent(THIRTY),
    build("a fix that changes nothing").wants_twenty("<fix kind=\"command\">true</fix>").agent(THIRTY),
    build("a fix that strays")
        .wants_twenty("<fix kind=\"command\">echo 'LIMIT = 20' > calc.py; echo > stray</fix>")
        .agent(THIRTY),
    build("a fix that breaks the syntax")
        .wants_twenty("<fix kind=\"command\">echo 'LIMIT = (' > calc.py</fix>")
        .agent(THIRTY),
    build("a patch on record that does not apply")
        .wants_twenty("<fix kind=\"patch\">--- a/calc.py\n+++ b/calc.py\n@@ -1 +1 @@\n-A\n+B\n</fix>")
        .agent(THIRTY),
    build("an agent that needs more for the fix")
        .wants_twenty(PROSE)
        .agent("[ $FTL_PHASE = apply-fix ] && echo '{\"needs\": [\"b.py\"]}' > \"$FTL_REPLY\"; echo 'LIMIT = 3' > calc.py"),
    build("prose, and no agent to apply it").wants_twenty(PROSE).git(),
    build("no second patch for the fix").wants_twenty(PROSE).patches(&[TO_THIRTY]),
];
