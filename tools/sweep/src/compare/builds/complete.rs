//! Builds that complete: every kind of implementer, in trees of all kinds.

use super::super::build::{Build, build};

const PATCH: &str = "--- a/calc.py\n+++ b/calc.py\n@@ -1 +1 @@\n-LIMIT = 10\n+LIMIT = 20\n";
const BARE: &str = "--- calc.py\n+++ calc.py\n@@ -1 +1 @@\n-LIMIT = 10\n+LIMIT = 20\n";
const NEW: &str = "diff --git a/more/made.py b/more/made.py\nnew file mode 100755\n\
    --- /dev/null\n+++ b/more/made.py\n@@ -0,0 +1 @@\n+MADE = 1\n";

const WRITES: &str = "echo 'LIMIT = 20' > calc.py";
const MADE: &str = "<delta>more/made.py</delta><verify>test -s more/made.py</verify>";
const TESTED: &str = "<delta>calc.py</delta><verify>true; grep -q LIMIT calc.py</verify>\
    <verify_source>test_calc.py</verify_source>";
const TESTS: &[(&str, &str)] = &[("test_calc.py", "import calc\n\nassert calc.LIMIT\n")];
const MANY: &str = "<delta>calc.py</delta><delta>old.py</delta><delta>new.rs</delta>\
    <delta>conf.json</delta><delta>page.unknown</delta><verify>test ! -e old.py</verify><budget>12</budget>";

pub(super) const BUILDS: &[Build] = &[
    build("the current tree, without git"),
    build("the current tree, with git").git().world("echo 'LIMIT = 11' > calc.py"),
    build("a tree that is its revision").git(),
    build("a tree beside an older revision")
        .git()
        .world("echo 'LIMIT = 11' > calc.py; git commit -qam after; echo 'LIMIT = 12' > calc.py")
        .options(&["--base", "HEAD~1"]),
    build("a tree with other changes")
        .git()
        .files(&[("other.py", "OTHER = 1\n")])
        .world("echo 'LIMIT = 11' > calc.py; echo 'OTHER = 2' > other.py; echo new > untracked.txt"),
    build("a strict scope that is kept")
        .git()
        .world("echo 'LIMIT = 11' > calc.py")
        .options(&["--strict-scope"]),
    build("an agent").agent(WRITES),
    build("an agent in a repository").git().agent(WRITES),
    build("an agent in a repository with changes of its user")
        .git()
        .files(&[("other.py", "OTHER = 1\n"), (".gitignore", "*.log\n")])
        .world("echo 'OTHER = 2' > other.py; git rm -q --cached .gitignore")
        .agent("echo 'LIMIT = 20' > calc.py; echo said > build.log"),
    build("an agent that says what it does on both streams")
        .agent("echo out; echo error >&2; echo \"$@\"; cat; echo 'LIMIT = 20' > calc.py"),
    build("an agent that prints its surroundings")
        .agent("env | grep ^FTL_ | sort; cat \"$FTL_REQUEST\"; echo 'LIMIT = 20' > calc.py"),
    build("an agent that leaves daemons").agent("sleep 100 & echo 'LIMIT = 20' > calc.py; sleep 0.2"),
    build("a file is created").task(MADE).agent("mkdir -p more; echo 'MADE = 1' > more/made.py"),
    build("many files are created, changed, deleted")
        .task(MANY)
        .files(&[("old.py", "OLD = 1\n"), ("conf.json", "{}\n")])
        .agent(
            "echo 'LIMIT = 20' > calc.py; rm old.py; echo 'fn a() {}' > new.rs\n\
             echo '[1]' > conf.json; echo text > page.unknown",
        ),
    build("many files in a repository, some untouched")
        .git()
        .task(MANY)
        .files(&[("old.py", "OLD = 1\n"), ("conf.json", "{}\n")])
        .agent("rm old.py; echo 'fn a() {}' > new.rs"),
    build("a mode is changed").agent("chmod 755 calc.py; echo 'LIMIT = 20' > calc.py"),
    build("a file that is deleted by the user")
        .git()
        .task("<delta>calc.py</delta><verify>test ! -e calc.py</verify>")
        .world("rm calc.py"),
    build("a patch").patches(&[PATCH]),
    build("a patch in a repository").git().patches(&[PATCH]),
    build("a patch without prefixes").patches(&[BARE]),
    build("a patch with a new file and a mode").task(MADE).patches(&[NEW]),
    build("the tests are read first").task(TESTED).budget("9").files(TESTS).agent(WRITES),
    build("the budget carries no reading").task(TESTED).budget("3").files(TESTS).agent(WRITES),
    build("the tests are never read")
        .task(TESTED).budget("9")
        .files(TESTS)
        .agent(WRITES)
        .options(&["--read-tests", "never"]),
    build("the tests are not there").task(TESTED).budget("9").agent(WRITES),
    build("the agent changes the tests")
        .task(
            "<delta>calc.py</delta><delta>test_calc.py</delta><budget>9</budget>\
             <verify>grep -q LIMIT calc.py test_calc.py</verify>",
        )
        .files(TESTS)
        .agent("echo 'import calc # LIMIT' > test_calc.py"),
    build("no change, by a reply").agent("echo '{\"no_change\": true}' > \"$FTL_REPLY\""),
    build("no change, against the tree")
        .agent("echo '{\"no_change\": true}' > \"$FTL_REPLY\"; echo 'LIMIT = 20' > calc.py"),
    build("a reply that cannot be read")
        .agent("echo '{no_change' > \"$FTL_REPLY\"; echo 'LIMIT = 20' > calc.py"),
    build("a baseline that fails")
        .wants_twenty("")
        .agent(WRITES)
        .options(&["--baseline"]),
    build("a baseline that passes").agent(WRITES).options(&["--baseline"]),
    build("a verify that leaves daemons")
        .task("<delta>calc.py</delta><verify>sleep 100 &amp; sleep 0.2; true</verify>"),
    build("a verify that writes scratch files")
        .task("<delta>calc.py</delta><verify>mkdir __pycache__; echo x > __pycache__/a.pyc; echo > a.log</verify>")
        .files(&[("ftl.toml", "[scope]\nscratch = ['*.log']\n")])
        .agent("echo 'LIMIT = 20' > calc.py; echo > b.log"),
    build("a configured agent with a clean environment")
        .files(&[(
            "ftl.toml",
            "[agent]\ndefault = 'mine'\n[agent.mine]\ncommand = 'env | grep -v ^PATH | grep ^M; \
             echo LIMIT = $MINE > calc.py'\nenv = { mode = 'clean', pass = ['PATH'], set = { MINE = '20' } }\n",
        )]),
    build("the record's name is taken")
        .files(&[(".ftl/workspace/001_task_complete.xml", "<workspace/>\n")])
        .words(&["build", ".ftl/workspace/001_task_active.xml"]),
    build("from below, by its ID").world("mkdir below").words(&["build", "001-task"]).script(
        "cd below; \"$FTL\" \"$@\" --agent 'echo LIMIT = 20 > calc.py'; code=$?; mv ../../events ..; exit $code",
    ),
];
