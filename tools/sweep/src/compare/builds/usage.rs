//! Builds that are refused before they begin: exit code 2, and nothing is changed.

use super::super::build::{Build, build};

const TASK: &str = "<workspace status=\"active\"><implementation><delta>calc.py</delta><verify>true</verify></implementation></workspace>";
const DONE: &str = "<workspace status=\"complete\"><delivered>done</delivered></workspace>";

pub(super) const BUILDS: &[Build] = &[
    build("a task that does not exist").words(&["build", "009"]),
    build("a task file that is not there").words(&["build", ".ftl/workspace/009_x_active.xml"]),
    build("a number of two tasks").files(&[(".ftl/workspace/001_other_active.xml", TASK)]),
    build("a finished task")
        .files(&[(".ftl/workspace/002_done_complete.xml", DONE)])
        .words(&["build", "002"]),
    build("a task file that lacks its final name").document(
        "<workspace status=\"complete\"><delivered>manually</delivered><run/></workspace>",
    ),
    build("a file with another name").words(&["build", "calc.py"]),
    build("no task").words(&["build"]),
    build("an unknown option").options(&["--nonsense"]),
    build("an agent and a patch").agent("true").patches(&["x"]),
    build("a base for an agent").agent("true").options(&["--base", "HEAD"]),
    build("a base without git").options(&["--base", "HEAD"]),
    build("a base that is no revision").git().options(&["--base", "no-such-revision"]),
    build("no implementer").options(&["--agent", ""]),
    build("a patch that is not there").options(&["--patch", "no.diff"]),
    build("a root that is not there").options(&["--root", "nowhere"]),
    build("an unknown checker").options(&["--checker", "embeded"]),
    build("a time limit of none").options(&["--verify-timeout", "0"]),
    build("a configuration that is not there").options(&["--config", "no.toml"]),
    build("a configuration that is none").files(&[("ftl.toml", "[agent\n")]),
    build("a configuration with odd keys")
        .files(&[("ftl.toml", "[verfy]\ntimeout = 1\n[quality]\nundecided = 'maybe'\n")]),
    build("events that cannot be written").options(&["--events", "no/such/file"]).fixed(),
    build("tasks that wait for each other")
        .document("<workspace status=\"active\" depends=\"002\"/>")
        .files(&[(
            ".ftl/workspace/002_b_active.xml",
            "<workspace status=\"active\" depends=\"001\"/>",
        )])
        .words(&["build", "001", "002"]),
    build("a preset that is not installed")
        .files(&[(
            "ftl.toml",
            "[agent.claude]\nenv = { mode = 'clean', set = { PATH = '/nonexistent' } }\n",
        )])
        .options(&["--agent", "claude"]),
];
