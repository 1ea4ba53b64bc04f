//! Blocks of the kind `budget_exhausted`: too few tool calls for what was left to do.

use super::super::build::{Build, build};

const ONE: &str = "<delta>calc.py</delta><verify>true</verify>";
const FAILS: &str = "<delta>calc.py</delta><verify>echo 'AssertionError: no'; exit 1</verify>";
const THREE: &str =
    "<delta>calc.py</delta><delta>a.py</delta><delta>b.py</delta><verify>true</verify>";

pub(super) const BUILDS: &[Build] = &[
    build("a budget below none").task(ONE).budget("-1"),
    build("a budget of none").task(ONE).budget("0"),
    build("a budget for reading alone").task(ONE).budget("1"),
    build("a budget for reading and one call").task(ONE).budget("2"),
    build("more files than calls")
        .task(THREE)
        .budget("3")
        .agent("for file; do echo 'A = 1' > \"$file\"; done"),
    build("no call left to verify with")
        .task(THREE)
        .budget("4")
        .agent("for file; do echo 'A = 1' > \"$file\"; done"),
    build("a failing verify, and no call left")
        .task(FAILS)
        .budget("3")
        .agent("echo 'LIMIT = 20' > calc.py"),
    build("a failing verify, and one call left")
        .task(FAILS)
        .budget("4")
        .agent("echo 'LIMIT = 20' > calc.py"),
    build("the tests are read whatever it costs")
        .task("<delta>calc.py</delta><verify>true</verify><verify_source>calc.py</verify_source>")
        .budget("3")
        .options(&["--read-tests", "always"])
        .agent("echo 'LIMIT = 20' > calc.py"),
];
