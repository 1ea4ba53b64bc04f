//! Builds after builds that did not come to their end, or were still under way.

use super::super::build::{Build, build};

/// Begins a build and sends a signal to it once its agent, or its verify, says that it runs. What
/// the shell has to say about that comes when it likes, and is dropped.
macro_rules! after {
    ($signal:literal, $then:literal) => {
        concat!(
            "mkfifo ../started ../never; (\"$FTL\" \"$@\" >../first.out 2>../first.err & ",
            "read line < ../started; kill -",
            $signal,
            " $!; wait $!; echo \"exit $?\" >../first.code) 2>../shell; rm ../shell\n",
            "mv ../events ../events.first\n",
            $then
        )
    };
}

/// Waits when it is asked for the first time, in the shell itself: a child would have two names, one
/// before it becomes its program. It says nothing when a signal reaches it while it opens the pipe.
const WAITS: &str = "echo 'A = 1' >> calc.py; [ -e ../again ] && exit\n\
    echo > stray.txt; echo > ../again; exec 2>/dev/null; echo > ../started; read line < ../never";
const VERIFY_WAITS: &str = "<delta>calc.py</delta><verify>[ -e ../again ] || { echo > ../again; exec 2>/dev/null; \
    echo > ../started; read line &lt; ../never; }</verify>";

/// A verify that says that it runs, and waits for a line in a pipe.
const WAITING: &str =
    "<delta>calc.py</delta><verify>echo > ../started; read line &lt; ../go</verify>";

pub(super) const COMPLETE: &[Build] = &[
    build("after an interrupted agent").agent(WAITS).script(after!("INT", "\"$FTL\" \"$@\"")),
    build("after an interrupted agent in a repository")
        .git()
        .agent(WAITS)
        .script(after!("INT", "\"$FTL\" \"$@\"")),
    build("after a terminated verify").task(VERIFY_WAITS).script(after!("TERM", "\"$FTL\" \"$@\"")),
    build("after a killed build").agent(WAITS).script(after!("KILL", "\"$FTL\" \"$@\"")),
    build("restarted").agent(WAITS).script(after!("INT", "\"$FTL\" \"$@\" --restart")),
    build("restarted after the task was changed")
        .agent(WAITS)
        .script(after!("INT", "echo >> .ftl/workspace/001_task_active.xml; \"$FTL\" \"$@\" --restart")),
    build("after a torn journal")
        .agent(WAITS)
        .script(after!("KILL", "printf '{\"seq\":' >> .ftl/runs/001_task/1/journal.jsonl; \"$FTL\" \"$@\"")),
    build("after a lock was waited for").task(WAITING).script(
        "mkfifo ../started ../go; \"$FTL\" \"$@\" >../first.out 2>../first.err & read line < ../started\n\
         \"$FTL\" build 001 --tree >../refused.out 2>../refused.err; echo $? >../refused.code\n\
         echo > ../go; wait; cat ../first.out",
    ),
    build("a task that an earlier one was blocked for")
        .wants_twenty("")
        .script(
            "\"$FTL\" \"$@\" >../first.out; mv .ftl/workspace/*_blocked.xml ../blocked.xml\n\
             sed 's/status=\"blocked\"/status=\"active\"/; s/ blocked_at=\"[^\"]*\"//; /<run/,/<.run>/d' \
             ../blocked.xml > .ftl/workspace/001_task_active.xml; echo 'LIMIT = 20' > calc.py; \"$FTL\" \"$@\"",
        ),
];

pub(super) const FAULTS: &[Build] = &[
    build("the task was changed in between")
        .agent(WAITS)
        .script(after!("INT", "echo >> .ftl/workspace/001_task_active.xml; \"$FTL\" \"$@\"")),
    build("another agent goes on").agent(WAITS).script(after!("INT", "\"$FTL\" \"$@\" --read-tests never")),
    build("a damaged journal")
        .agent(WAITS)
        .script(after!("INT", "sed -i '2s/workspace/wörkspace/' .ftl/runs/001_task/1/journal.jsonl; \"$FTL\" \"$@\"")),
    build("a journal without a task")
        .agent(WAITS)
        .script(after!("INT", "echo > .ftl/runs/001_task/1/journal.jsonl; \"$FTL\" \"$@\"")),
    build("a git that dies").git().agent("echo 'LIMIT = 20' > calc.py").script(
        "mkdir ../bin; printf '#!/bin/sh\\nkill -KILL $$\\n' > ../bin/git; chmod +x ../bin/git\n\
         PATH=$PWD/../bin:$PATH \"$FTL\" \"$@\"",
    ),
    build("a task file that is a directory")
        .words(&["build", ".ftl/workspace/001_task_active.xml"])
        .agent("rm .ftl/workspace/001_task_active.xml; mkdir .ftl/workspace/001_task_active.xml; echo > calc.py"),
    build("a task that vanishes").agent("rm \"$FTL_WORKSPACE\"; echo > calc.py"),
    build("events that are lost").options(&["--events", "/dev/full"]).fixed(),
];

pub(super) const INTERRUPTED: &[Build] = &[
    build("an agent is interrupted").agent(WAITS).script(after!("INT", "cat ../first.out; exit 130")),
    build("an agent is interrupted twice")
        .agent("trap 'echo > ../started; sleep 30' INT; echo > ../started; while :; do sleep 0.1; done")
        .script(
            "mkfifo ../started; \"$FTL\" \"$@\" & read line < ../started; kill -INT $!\n\
             read line < ../started; kill -INT $!; wait $!",
        ),
];
