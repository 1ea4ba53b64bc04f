//! Several tasks in one command, and builds that only plan.

use super::super::build::{Build, build};

const A: &str = "<workspace status=\"active\"><implementation><delta>a.py</delta>\
    <verify>true</verify></implementation></workspace>";
const FAILS: &str = "<workspace status=\"active\"><implementation><delta>b.py</delta>\
    <verify>false</verify></implementation></workspace>";
const AFTER: &str = "<workspace status=\"active\" depends=\"002 003\"><implementation><delta>c.py</delta>\
    <verify>true</verify></implementation></workspace>";
const LAST: &str = "<workspace status=\"active\" depends=\"004\"><implementation><delta>d.py</delta>\
    <verify>true</verify></implementation></workspace>";
const WRITES: &str = "for file; do echo 'LIMIT = 20' > \"$file\"; done";

const CAMPAIGN: &[(&str, &str)] = &[
    (".ftl/workspace/002_a_active.xml", A),
    (".ftl/workspace/003_b_active.xml", FAILS),
    (".ftl/workspace/004_c_active.xml", AFTER),
    (".ftl/workspace/005_d_active.xml", LAST),
];

pub(super) const BUILDS: &[Build] = &[
    build("two that complete").files(CAMPAIGN).words(&["build", "001", "002"]).agent(WRITES),
    build("one is named twice").files(CAMPAIGN).words(&["build", "001", "001-task", "002"]).agent(WRITES),
    build("some are skipped after a block")
        .files(CAMPAIGN)
        .words(&["build", "005", "004", "003", "002", "001"])
        .agent(WRITES),
    build("one fails and another is built")
        .files(CAMPAIGN)
        .words(&["build", "001", "002"])
        .agent("case $1 in calc.py) rm \"$FTL_WORKSPACE\";; esac; for file; do echo 'A = 1' > \"$file\"; done"),
];

pub(super) const DRY: &[Build] = &[
    build("planned").options(&["--dry-run"]),
    build("planned with tests and commands")
        .task(
            "<delta>calc.py</delta><delta>new.py</delta><verify>true</verify><budget>9</budget>\
             <preflight>true</preflight><verify_source>calc.py</verify_source>",
        )
        .options(&["--dry-run"])
        .agent("exit 1"),
    build("planned, but blocked")
        .task("<delta>/a</delta><verify>true</verify>")
        .options(&["--dry-run"]),
    build("planned, but too dear")
        .budget("2")
        .task("<delta>a</delta><verify>true</verify>")
        .options(&["--dry-run"]),
];
