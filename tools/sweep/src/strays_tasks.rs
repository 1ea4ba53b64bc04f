//! The tasks of the strays sweep, which shows by the first of them what isolation can be had.

/// The task. What its verify refuses, a fix in prose is known for, so that all phases can stray.
pub(crate) const DOCUMENT: &str = "<workspace id=\"001-t\" status=\"active\"><implementation>\
    <delta>src/a.py</delta><delta>pkg/new/mod.py</delta><budget>9</budget>\
    <verify>if grep -q WRONG src/a.py; then echo 'AssertionError: it is wrong'; exit 1; fi</verify>\
    </implementation><prior_knowledge><failure name=\"wrong\" cost=\"1\" injected=\"true\">\
    <trigger>AssertionError: it is wrong</trigger><fix>Write what is right</fix></failure>\
    </prior_knowledge><delivered/></workspace>\n";

/// Another task of the project.
pub(crate) const OTHER: &str = "<workspace status=\"active\"><implementation>\
    <delta>docs/guide.md</delta><verify>false</verify></implementation><delivered/></workspace>\n";
