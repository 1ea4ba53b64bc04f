//! What agents, tests and replies do within a build.

use super::{Bomb, Limits, SMALL};

/// `(what, shell that prepares, words after `ftl`, bounds, only with --full)`.
type Build = (&'static str, &'static str, &'static [&'static str], Limits, bool);

const LONG: Limits = Limits::new(60, 200);

const BUILDS: &[Build] = &[
    (
        "a reply that is /dev/zero",
        "",
        &["build", "001", "--agent", "echo a = 2 >src/a.py; ln -s /dev/zero \"$FTL_REPLY\""],
        SMALL,
        false,
    ),
    (
        "a reply that is a pipe",
        "",
        &["build", "001", "--agent", "echo a = 2 >src/a.py; mkfifo \"$FTL_REPLY\""],
        SMALL,
        false,
    ),
    (
        "a reply of 5 GB",
        "",
        &["build", "001", "--agent", "echo a = 2 >src/a.py; truncate -s 5G \"$FTL_REPLY\""],
        SMALL,
        false,
    ),
    (
        "a reply nested a million times",
        "",
        &[
            "build",
            "001",
            "--agent",
            "echo a = 2 >src/a.py; head -c 1000000 /dev/zero | tr '\\0' '[' >\"$FTL_REPLY\"",
        ],
        SMALL,
        false,
    ),
    (
        "a reply that needs 50,000 files",
        "",
        &[
            "build",
            "001",
            "--agent",
            "echo a = 2 >src/a.py; seq -f '\"n%.0f\"' -s , 50000 | sed 's/^/{\"needs\": [/; s/$/]}/' >\"$FTL_REPLY\"",
        ],
        SMALL,
        false,
    ),
    (
        "an agent that prints 1 GB",
        "",
        &["build", "001", "--agent", "echo a = 2 >src/a.py; head -c 1G /dev/zero"],
        LONG,
        true,
    ),
    (
        "an agent that prints 100 MB in one line",
        "",
        &["build", "001", "--agent", "echo a = 2 >src/a.py; head -c 100M /dev/zero | tr '\\0' x"],
        LONG,
        false,
    ),
    (
        "an agent that writes 60,000 files",
        "git init -q",
        &["build", "001", "--agent", "mkdir n; cd n; seq 60000 | xargs touch"],
        LONG,
        true,
    ),
    (
        "an agent that writes 5,000 files",
        "git init -q",
        &["build", "001", "--agent", "mkdir n; cd n; seq 5000 | xargs touch"],
        SMALL,
        false,
    ),
    (
        "an agent that nests 2,000 directories",
        "",
        &[
            "build",
            "001",
            "--agent",
            "python3 -c 'import os\nfor _ in range(2000): os.mkdir(\"dddddddddd\"); os.chdir(\"dddddddddd\")'",
        ],
        // The paths alone are 22 MB: each is as long as all above it.
        Limits::new(20, 200),
        false,
    ),
    (
        "an agent that starts 300 programs and leaves them",
        "",
        &[
            "build",
            "001",
            "--agent",
            "echo a = 2 >src/a.py; for i in $(seq 300); do setsid sleep 60 & done",
        ],
        SMALL,
        false,
    ),
    (
        "a delta of 400 MB",
        "",
        &["build", "001", "--agent", "yes 'a = 1' | head -c 400M >src/a.py"],
        LONG,
        true,
    ),
    (
        "a delta of 400 MB without isolation",
        "",
        &["build", "001", "--isolate", "off", "--agent", "yes 'a = 1' | head -c 400M >src/a.py"],
        LONG,
        true,
    ),
    (
        "an edited delta of 400 MB",
        "yes 'a = 1' | head -c 400M >src/a.py; git init -q; git add src; git commit -qm a",
        &["build", "001", "--agent", "echo b >>src/a.py"],
        LONG,
        true,
    ),
    (
        "an edited delta of 400 MB, in the tree",
        "yes 'a = 1' | head -c 400M >src/a.py; git init -q; git add src; git commit -qm a; echo b >>src/a.py",
        &["build", "001", "--tree"],
        LONG,
        true,
    ),
    (
        "a delta of 5 GB of nothing",
        "",
        &["build", "001", "--agent", "truncate -s 5G src/a.py"],
        LONG,
        true,
    ),
    (
        "300 MB that the agent deletes",
        "head -c 300M /dev/zero >large",
        &["build", "001", "--agent", "rm large"],
        LONG,
        true,
    ),
    (
        "a patch of 60 MB",
        "python3 -c 'print(\"--- /dev/null\\n+++ b/src/b.py\\n@@ -0,0 +1,6000000 @@\"); print(\"+x = 1000\\n\" * 6000000, end=\"\")' >x.diff; sed -i s/a.py/b.py/ .ftl/workspace/001_t_active.xml",
        &["build", "001", "--patch", "x.diff"],
        // Git itself holds four times the patch.
        Limits::new(60, 300),
        true,
    ),
    (
        "a test that fails 100,000 times",
        "sed -i 's#<verify>true#<verify>seq -f \"FAILED test_%.0f - assert 1 == 2\" 100000; exit 1#' .ftl/workspace/001_t_active.xml",
        &["build", "001", "--agent", "echo a = 2 >src/a.py"],
        LONG,
        false,
    ),
    (
        "a test that prints for ever",
        "sed -i 's#<verify>true#<verify>yes#' .ftl/workspace/001_t_active.xml",
        &["build", "001", "--verify-timeout", "2", "--agent", "echo a = 2 >src/a.py"],
        Limits::new(30, 200),
        true,
    ),
    (
        "1,000 patterns that look back, on 256 KB",
        "python3 -c 'print(\"<workspace status=\\\"active\\\"><implementation><delta>src/a.py</delta><verify>head -c 262144 /dev/zero | tr \\\\\\\\0 a; false</verify></implementation><prior_knowledge>\" + \"<failure name=\\\"f\\\"><trigger>x</trigger><fix>y</fix><match>(a*)*(?=b)\\\\1c</match></failure>\" * 1000 + \"</prior_knowledge></workspace>\")' >.ftl/workspace/001_t_active.xml",
        &["build", "001", "--agent", "echo a = 2 >src/a.py"],
        Limits::new(20, 300),
        false,
    ),
    (
        "2,000 patterns that are too large together",
        "python3 -c 'print(\"<workspace status=\\\"active\\\"><implementation><delta>src/a.py</delta><verify>false</verify></implementation><prior_knowledge>\" + \"<failure name=\\\"f\\\"><trigger>x</trigger><fix>y</fix><match>(?:[a-z]{1,50}z){1,50}(\\\\w{1,100}x){1,40}</match></failure>\" * 2000 + \"</prior_knowledge></workspace>\")' >.ftl/workspace/001_t_active.xml",
        &["build", "001", "--agent", "echo a = 2 >src/a.py"],
        Limits::new(20, 300),
        false,
    ),
    (
        "an agent that deletes 600 MB",
        "for i in 0 1 2 3 4 5 6 7 8 9; do head -c 60M /dev/urandom >large$i; done",
        &["build", "001", "--isolate", "off", "--agent", "echo a = 2 >src/a.py; rm large*"],
        Limits::new(300, 200),
        true,
    ),
    (
        "a forbidden pattern that looks at each byte of a megabyte",
        "sed -i 's#</workspace>#<idioms framework=\"none\"><forbidden regex=\".*[^A-Z]|[A-Z]\">x</forbidden></idioms></workspace>#; s#src/a.py#src/a.txt#' .ftl/workspace/001_t_active.xml",
        &["build", "001", "--agent", "head -c 1000000 /dev/zero | tr '\\0' A >src/a.txt"],
        Limits::new(20, 300),
        false,
    ),
];

/// Every build.
pub(super) fn bombs() -> Vec<Bomb> {
    let bomb = |&(what, make, words, limits, is_large): &Build| Bomb {
        name: what.to_owned(),
        make: make.to_owned(),
        words: words.to_vec(),
        limits,
        is_large,
    };
    BUILDS.iter().map(bomb).collect()
}
