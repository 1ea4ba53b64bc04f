//! The builds that faults are injected into and that people interrupt.
//!
//! A scenario knows no fault: it must end as it says, whatever is injected.

use ftl_testkit::sweep::scenario::Scenario;

const ALONE: &[&str] = &["calc.py"];

/// Adds a file, which may be a directory's first.
const WORKING: &str = "step before; echo 'B = 2' >> calc.py; step amid; mkdir -p more\n\
    echo 'C = 3' >> more/made.py; rm -f gone.txt; mkdir -p __pycache__; echo c > __pycache__/c; step after\n\
    printf '{\"summary\": \"both\"}' > \"$FTL_REPLY\"\n";

const WORKING_ALONE: &str =
    "step before; echo 'B = 2' >> calc.py; step amid; echo 'C = 3' >> calc.py; step after\n";

/// Each writes where another has written too.
const STRAYING: &str = "step before; echo 'B = 2' >> calc.py; echo STRAY 1 >> user.txt; chmod 700 conf.ini\n\
    step amid; rm -r notes; mkdir -p new/deep; echo STRAY 2 > new/deep/made.txt; ln -s user.txt link; step after\n";

const BLOCKING: &str = "[scope]\nstrays = 'block'\n";

// Just enough: what a crash makes ftl repeat is paid for once.
const TRUE: &str = "<delta>calc.py</delta><budget>3</budget><verify>true</verify>";

const TWENTY: &str = "<delta>calc.py</delta><budget>9</budget>\
    <verify>grep -q 'LIMIT = 20' calc.py || { echo 'AssertionError: limit is not 20'; exit 1; }</verify>";

const BROKEN: &str = "--- a/calc.py\n+++ b/calc.py\n@@ -1 +1 @@\n-LIMIT = 10\n+LIMIT = (\n";
const BROKEN_AGAIN: &str = "--- a/calc.py\n+++ b/calc.py\n@@ -1 +1 @@\n-LIMIT = (\n+LIMIT = [\n";
const BROKEN_STILL: &str = "--- a/calc.py\n+++ b/calc.py\n@@ -1 +1 @@\n-LIMIT = [\n+LIMIT = {\n";
const THIRTY: &str = "--- a/calc.py\n+++ b/calc.py\n@@ -1 +1 @@\n-LIMIT = 10\n+LIMIT = 30\n";

/// One that blocks, one that is retried, and one that lands.
const BESIDE: &[(&str, &str)] = &[
    (
        "002_blocks",
        "<delta>conf.ini</delta><budget>9</budget><verify>grep -q never conf.ini</verify>",
    ),
    (
        "003_retried",
        "<delta>three.txt</delta><budget>20</budget>\
         <verify>grep -q 'LIMIT = 20' three.txt || { echo 'AssertionError: limit is not 20'; exit 1; }</verify>",
    ),
    (
        "004_lands",
        "<delta>fresh.txt</delta><budget>9</budget><verify>grep -q beside fresh.txt</verify>",
    ),
];

const NONE: Scenario = Scenario::NONE;
const BLOCKED: Scenario = Scenario { end: "blocked", own: ALONE, ..NONE };

pub(crate) static BY_THE_TREE: Scenario = Scenario {
    name: "complete, by the tree",
    task: "<delta>calc.py</delta><budget>9</budget><verify>grep -q LIMIT calc.py</verify>\
           <verify_source>test_calc.py</verify_source>",
    options: &["--tree"],
    ..NONE
};
pub(crate) static AGENT: Scenario = Scenario {
    name: "complete, an agent",
    task: "<delta>calc.py</delta><delta>more/made.py</delta><delta>gone.txt</delta><budget>9</budget>\
           <verify>true</verify><preflight>true</preflight>",
    agent: WORKING,
    own: &["calc.py", "more", "more/made.py", "gone.txt"],
    ..NONE
};
/// What conflicts with a person's edit is not tried again over it.
pub(crate) static TWO_TRIES: Scenario = Scenario {
    name: "complete, two tries",
    task: TRUE,
    options: &["--checker", "embedded", "--attempts", "2"],
    agent: WORKING_ALONE,
    own: ALONE,
    ..NONE
};
pub(crate) static SYNTAX_AND_FIX: Scenario = Scenario {
    name: "complete, syntax and fix",
    task: TWENTY,
    fix: "<fix kind=\"command\">sed -i s/10/20/ calc.py</fix>",
    agent: "case $FTL_PHASE in\n\
            implement) echo 'A = (' >> calc.py ;;\n\
            fix-syntax) step before; sed -i 's/(/1/' calc.py; step amid; step after ;;\n\
            esac\n",
    ..NONE
};
pub(crate) static PROSE_FIX: Scenario = Scenario {
    name: "complete, prose fix",
    task: TWENTY,
    fix: "<fix>Make it 20</fix>",
    agent: "case $FTL_PHASE in\n\
            implement) echo 'A = 1' >> calc.py ;;\n\
            *) step before; sed -i s/10/20/ calc.py; step amid; step after ;;\n\
            esac\n",
    ..NONE
};
pub(crate) static PATCH: Scenario =
    Scenario { name: "complete, a patch", task: TRUE, patches: &[THIRTY], ..NONE };
pub(crate) static ALLOWED_FILES: Scenario = Scenario {
    name: "complete, allowed files",
    task: TRUE,
    agent: "step before; echo 'B = 2' >> calc.py; echo agent >> conf.ini; step amid\n\
            echo agent >> fresh.txt; echo more >> conf.ini; step after\n",
    configuration: "[scope]\nallow = ['conf.ini', 'fresh.txt']\n",
    own: &["calc.py", "conf.ini", "fresh.txt"],
    ..NONE
};
pub(crate) static LEAVING_DAEMONS: Scenario = Scenario {
    name: "complete, leaving daemons",
    task: "<delta>calc.py</delta><budget>9</budget>\
           <verify>sleep 1000 &amp; setsid sleep 1000 &amp; true</verify>",
    options: &["--tree"],
    ..NONE
};
/// What strayed at first is taken in.
pub(crate) static REOPENED: Scenario = Scenario {
    name: "complete, reopened",
    task: TRUE,
    agent: "echo 'B = 2' >> calc.py; echo STRAY 1 >> user.txt; mkdir -p new; echo made >> new/made.txt\n",
    configuration: BLOCKING,
    own: &["calc.py", "user.txt", "new", "new/made.txt"],
    reopened: Some(&["--take", "user.txt", "new", "--budget", "12"]),
    ..NONE
};
pub(crate) static STRAYS: Scenario =
    Scenario { name: "complete, strays", task: TRUE, agent: STRAYING, own: ALONE, ..NONE };
pub(crate) static STRAYS_BLOCK: Scenario = Scenario {
    name: "delta_insufficient",
    configuration: BLOCKING,
    agent: STRAYING,
    task: TRUE,
    ..BLOCKED
};
pub(crate) static STRAYS_IGNORED: Scenario = Scenario {
    name: "complete, ignored files",
    task: TRUE,
    agent: "step before; echo 'B = 2' >> calc.py; echo STRAY 1 >> .env; step amid\n\
            echo agent >> build/fresh; rm build/o; step after\n",
    own: ALONE,
    ..NONE
};
pub(crate) static STRAYS_NEEDED: Scenario = Scenario {
    name: "delta_insufficient, by the verify",
    task: "<delta>calc.py</delta><budget>9</budget><verify>grep -q STRAY user.txt</verify>",
    agent: STRAYING,
    ..BLOCKED
};
pub(crate) static AGENT_FAILS: Scenario = Scenario {
    name: "implement_failed",
    task: TRUE,
    agent: "step before; echo 'B = 2' >> calc.py; step amid; echo stray >> user.txt; step after; exit 1\n",
    ..BLOCKED
};
pub(crate) static BUDGET: Scenario = Scenario {
    name: "budget_exhausted",
    task: "<delta>calc.py</delta><budget>1</budget><verify>true</verify>",
    options: &["--tree"],
    ..BLOCKED
};
pub(crate) static SYNTAX: Scenario = Scenario {
    name: "preflight_exhausted",
    task: TWENTY,
    agent: "step before; echo 'A = (' >> calc.py; step amid; echo 'B = (' >> calc.py; step after\n",
    ..BLOCKED
};
pub(crate) static BROKEN_PATCHES: Scenario = Scenario {
    name: "preflight_exhausted, patches",
    task: TWENTY,
    patches: &[BROKEN, BROKEN_AGAIN, BROKEN_STILL],
    ..BLOCKED
};
pub(crate) static UNKNOWN_FAILURE: Scenario =
    Scenario { name: "discovery_needed", task: TWENTY, agent: WORKING_ALONE, ..BLOCKED };
pub(crate) static USELESS_FIX: Scenario = Scenario {
    name: "retry_limit",
    task: TWENTY,
    fix: "<fix kind=\"command\">echo 'D = 4' &gt;&gt; calc.py</fix>",
    agent: WORKING_ALONE,
    ..BLOCKED
};
pub(crate) static FAILING_FIX: Scenario = Scenario {
    name: "fix_failed",
    task: TWENTY,
    fix: "<fix kind=\"command\">echo 'D = 4' >> calc.py; exit 1</fix>",
    agent: WORKING_ALONE,
    ..BLOCKED
};
pub(crate) static VERIFY_WRITES: Scenario = Scenario {
    name: "tree_changed",
    task: "<delta>calc.py</delta><budget>9</budget><verify>echo '# seen' &gt; calc.py</verify>",
    agent: WORKING_ALONE,
    ..BLOCKED
};
pub(crate) static LANDS: Scenario = Scenario {
    name: "complete, beside others",
    own: &["calc.py", "more", "more/made.py", "gone.txt", "three.txt", "fresh.txt", "five.txt"],
    fix: "<fix>Make it 20</fix>",
    beside: BESIDE,
    ..AGENT
};
pub(crate) static BLOCKS: Scenario = Scenario {
    name: "discovery_needed, beside others",
    task: "<delta>calc.py</delta><budget>9</budget><verify>grep -q never calc.py</verify>",
    own: &["calc.py", "three.txt", "fresh.txt", "five.txt"],
    fix: "<fix>Make it 20</fix>",
    beside: BESIDE,
    ..UNKNOWN_FAILURE
};
pub(crate) static IS_RETRIED: Scenario = Scenario {
    name: "complete, retried beside others",
    own: &["calc.py", "three.txt", "fresh.txt", "five.txt"],
    beside: BESIDE,
    ..PROSE_FIX
};
/// A task whose command is the same for all, and that waits with its landing, though not for ever.
macro_rules! verified_with_others {
    ($file:literal until $condition:literal) => {
        concat!(
            "<delta>",
            $file,
            "</delta><budget>9</budget><verify>ls calc.py</verify><preflight>&gt; $OUT/began-",
            $file,
            "; i=0; until ",
            $condition,
            " || [ $i = 30 ]; do sleep 0.1; i=$((i+1)); done; ls calc.py</preflight>"
        )
    };
}

/// It lands when the three others have their workplaces, for which they need the tree. Its verify ends when their landings
/// wait for it.
const FIRST: (&str, &str) = (
    "002_first",
    "<delta>conf.ini</delta><budget>9</budget><preflight>i=0; \
     until [ $(ls $OUT/began-* | wc -l) -ge 3 ] || [ $i = 100 ]; \
     do sleep 0.1; i=$((i+1)); done; ls conf.ini</preflight><verify>&gt; $OUT/first; i=0; \
     until [ $(ls $XDG_STATE_HOME/ftl/gate/*/*/about | wc -l) -ge 3 ] || [ $i = 100 ]; \
     do sleep 0.1; i=$((i+1)); done; ls conf.ini</verify>",
);
/// The second task lands first, and the others wait for it. Then they are verified together: the first one leads.
pub(crate) static LEADS: Scenario = Scenario {
    name: "complete, verified with others",
    task: verified_with_others!("calc.py" until "[ -e $OUT/first ]"),
    agent: WORKING_ALONE,
    own: &["calc.py", "conf.ini", "three.txt", "fresh.txt", "five.txt"],
    beside: &[
        FIRST,
        (
            "003_with",
            verified_with_others!("three.txt" until "[ -e $OUT/first ] &amp;&amp; ls $XDG_STATE_HOME/ftl/gate/*/*/about"),
        ),
        (
            "004_with",
            verified_with_others!("fresh.txt" until "[ -e $OUT/first ] &amp;&amp; ls $XDG_STATE_HOME/ftl/gate/*/*/about"),
        ),
    ],
    ..NONE
};
/// As before, but the first one follows.
pub(crate) static FOLLOWS: Scenario = Scenario {
    name: "complete, verified with others that lead",
    task: verified_with_others!("calc.py" until "[ $(ls $XDG_STATE_HOME/ftl/gate/*/*/about | wc -l) -ge 2 ]"),
    beside: &[
        FIRST,
        ("003_with", verified_with_others!("three.txt" until "[ -e $OUT/first ]")),
        ("004_with", verified_with_others!("fresh.txt" until "[ -e $OUT/first ]")),
    ],
    ..LEADS
};
pub(crate) static COMMITTED: Scenario = Scenario {
    name: "complete, committed",
    task: TRUE,
    options: &["--checker", "embedded", "--commit"],
    agent: WORKING_ALONE,
    own: &["calc.py", "VERSION"],
    ..NONE
};
pub(crate) static HOOK_FAILS: Scenario = Scenario {
    name: "committed, a hook fails once",
    hooks: &[("pre-commit", "[ -e \"$HOME/failed\" ] || { : > \"$HOME/failed\"; exit 1; }")],
    ..COMMITTED
};
pub(crate) static HOOK_SLEEPS: Scenario = Scenario {
    name: "committed, hooks sleep",
    hooks: &[("pre-commit", "sleep 0.2"), ("post-commit", "sleep 0.2")],
    ..COMMITTED
};
pub(crate) static HOOK_COMMITS: Scenario = Scenario {
    name: "committed, a hook commits",
    hooks: &[(
        "pre-commit",
        "[ -e VERSION ] && exit; unset GIT_INDEX_FILE; echo 2 > VERSION\n\
         git add VERSION; git commit -qnm bump -- VERSION",
    )],
    ..COMMITTED
};
pub(crate) static HOOK_FORMATS: Scenario = Scenario {
    name: "committed, a hook formats",
    hooks: &[(
        "pre-commit",
        "grep -q formatted calc.py || echo '# formatted' >> calc.py; git add calc.py",
    )],
    ..COMMITTED
};
