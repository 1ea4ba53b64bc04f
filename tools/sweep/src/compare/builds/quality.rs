//! Builds that are judged after a verify that passed.

use super::super::build::{Build, build};

const WRITES: &str = "echo 'LIMIT = 20' > calc.py";
const PRINTS: &str = "printf 'LIMIT = 20\\nprint(LIMIT)\\n' > calc.py";
const NO_PRINT: &str =
    "<idioms confidence=\"0.9\"><forbidden regex=\"^print\\(\">print</forbidden></idioms>";
const EXPORTS: &str =
    "<code_context path=\"calc.py\"><exports>LIMIT, load()</exports></code_context>";
const LOADS: &[(&str, &str)] = &[("calc.py", "LIMIT = 10\n\n\ndef load():\n    return LIMIT\n")];
const MOVES: &str = "<delta>calc.py</delta><delta>more.py</delta><verify>true; test -f calc.py</verify><budget>9</budget>";

pub(super) const COMPLETE: &[Build] = &[
    build("a violation at low confidence")
        .more("<idioms confidence=\"0.5\"><forbidden regex=\"^print\">print</forbidden></idioms>")
        .agent(PRINTS),
    build("a violation that was there before")
        .more(NO_PRINT)
        .files(&[("calc.py", "LIMIT = 10\nprint(LIMIT)\n")])
        .agent(PRINTS),
    build("idioms of all verdicts")
        .more(
            "<idioms><required regex=\"^LIMIT\">a limit</required><required rule=\"unknown\">ruled</required>\
             <forbidden>raw dicts</forbidden><forbidden regex=\"eval\">eval</forbidden></idioms>",
        )
        .agent(WRITES),
    build("exports that are kept").more(EXPORTS).files(LOADS).agent("echo 'A = 1' >> calc.py"),
    build("an export that has moved")
        .task(MOVES)
        .more(EXPORTS)
        .files(LOADS)
        .agent("echo 'from more import load; LIMIT = 2' > calc.py; printf 'def load():\\n    return 1\\n' > more.py"),
    build("an export that may go")
        .more(EXPORTS)
        .files(LOADS)
        .agent(WRITES)
        .options(&["--allow-removed", "load()"]),
    build("exports of a language that is not known")
        .task("<delta>page.unknown</delta><verify>true</verify>")
        .more("<code_context path=\"page.unknown\"><exports>a</exports></code_context>")
        .agent("echo b > page.unknown"),
    build("doubts that are only reported")
        .task("<delta>calc.py</delta><verify>echo 'collected 0 items'; false || true</verify>")
        .agent(WRITES)
        .options(&["--baseline"]),
];

pub(super) const TREE_CHANGED: &[Build] = &[
    build("a verify that writes the delta")
        .task("<delta>calc.py</delta><verify>echo '# seen' > calc.py</verify>")
        .agent(WRITES),
    build("a verify that deletes the delta")
        .task("<delta>calc.py</delta><verify>rm calc.py</verify>")
        .agent(WRITES),
    build("a preflight command that writes the delta")
        .task("<delta>calc.py</delta><verify>true</verify><preflight>echo '# seen' >> calc.py</preflight>")
        .agent(WRITES),
    build("a verify that creates a delta file")
        .task("<delta>calc.py</delta><delta>more.py</delta><verify>echo 'A = 1' > more.py</verify>")
        .agent(WRITES),
];

pub(super) const IDIOMS: &[Build] = &[
    build("a forbidden idiom").more(NO_PRINT).agent(PRINTS),
    build("a required idiom that is missing")
        .more("<idioms><required regex=\"^def \\w+\">a function</required></idioms>")
        .agent(WRITES),
    build("an undecided idiom, where that counts")
        .files(&[("ftl.toml", "[quality]\nundecided = 'block'\n")])
        .more("<idioms><required>a good name</required></idioms>")
        .agent(WRITES),
    build("several idioms in several files")
        .task(MOVES)
        .more(
            "<idioms><forbidden regex=\"print\">print</forbidden><forbidden regex=\"TODO\">TODO</forbidden>\
             <required regex=\"import\">imports</required></idioms>",
        )
        .agent("printf 'LIMIT = 1\\nprint(1)\\n' > calc.py; printf '# TODO\\n# TODO\\n' > more.py"),
];

pub(super) const EXPORTS_LOST: &[Build] = &[
    build("an export that is gone").more(EXPORTS).files(LOADS).agent(WRITES),
    build("a file that is gone with its exports")
        .more(EXPORTS)
        .files(LOADS)
        .task("<delta>calc.py</delta><verify>true</verify>")
        .agent("rm calc.py"),
    build("one export of two that may go")
        .more(EXPORTS)
        .files(LOADS)
        .agent("echo '# LIMIT' > calc.py")
        .options(&["--allow-removed", "calc.py:load"]),
];

pub(super) const UNTRUSTED: &[Build] = &[
    build("a masked exit code")
        .files(&[("ftl.toml", "[verify]\nuntrusted = ['masked_exit']\n")])
        .task("<delta>calc.py</delta><verify>false || true</verify>")
        .agent(WRITES),
    build("no tests were run")
        .files(&[("ftl.toml", "[verify]\nuntrusted = ['no_tests']\n")])
        .task("<delta>calc.py</delta><verify>echo 'Ran 0 tests in 0.000s'</verify>")
        .agent(WRITES),
    build("it passed before")
        .files(&[("ftl.toml", "[verify]\nuntrusted = ['passed_before', 'no_tests']\n")])
        .agent(WRITES)
        .options(&["--baseline"]),
    build("the tests were changed")
        .files(&[
            ("ftl.toml", "[verify]\nuntrusted = ['tests_changed']\n"),
            ("test_calc.py", "import calc\n"),
        ])
        .task(
            "<delta>calc.py</delta><delta>test_calc.py</delta><verify>cat test_calc.py</verify>\
             <verify_source>test_calc.py</verify_source><budget>9</budget>",
        )
        .agent("echo 'LIMIT = 20' > calc.py; echo '# none' > test_calc.py"),
];
