//! Blocks of the kind `spec_invalid`: a task that cannot be built as it is written.

use super::super::build::{Build, build};

pub(super) const BUILDS: &[Build] = &[
    build("a document that ends early").document("<workspace status=\"active\"><implementation>"),
    build("a document with a DOCTYPE")
        .document("<!DOCTYPE workspace>\n<workspace status=\"active\"/>"),
    build("a document with a control character")
        .document("<workspace status=\"active\">\n<objective>a\u{1}b</objective></workspace>"),
    build("a budget that is no number").task("<delta>a</delta><verify>true</verify><budget>many</budget>"),
    build("an empty document").document(" "),
    build("no delta").task("<verify>true</verify>"),
    build("no verify").task("<delta>calc.py</delta>"),
    build("a status that is not the name's").document(
        "<workspace status=\"paused\"><implementation><delta>calc.py</delta><verify>true</verify></implementation></workspace>",
    ),
    build("no status").document(
        "<workspace><implementation><delta>calc.py</delta><verify>true</verify></implementation></workspace>",
    ),
    build("an empty delta path").task("<delta/><verify>true</verify>"),
    build("an absolute delta path").task("<delta>/etc/passwd</delta><verify>true</verify>"),
    build("a delta path that leaves the root").task("<delta>../calc.py</delta><verify>true</verify>"),
    build("a delta path with a wildcard").task("<delta>src/*.py</delta><verify>true</verify>"),
    build("a delta path with a control character").task("<delta>a&#9;b</delta><verify>true</verify>"),
    build("a delta path that ends as a directory").task("<delta>src/</delta><verify>true</verify>"),
    build("a delta path in .git").task("<delta>.git/config</delta><verify>true</verify>"),
    build("a delta path that is a directory").task("<delta>src</delta><verify>true</verify>").world("mkdir src"),
    build("a delta path through a link")
        .task("<delta>link/calc.py</delta><verify>true</verify>")
        .world("ln -s . link"),
    build("a delta path below a file").task("<delta>calc.py/a</delta><verify>true</verify>"),
    build("a delta path that is a pipe").task("<delta>pipe</delta><verify>true</verify>").world("mkfifo pipe"),
    build("a delta path named twice").task("<delta>calc.py</delta><delta>./calc.py</delta><verify>true</verify>"),
    build("a rule that does not compile")
        .more("<idioms><forbidden regex=\"print(\">print</forbidden></idioms>"),
    build("an idiom required and forbidden")
        .more("<idioms><required>Use it.</required><forbidden>it</forbidden></idioms>"),
];
