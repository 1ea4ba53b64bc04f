use std::time::Duration;

use ftl_process::{Capture, How};

use crate::world::{Mark, alone, have};

/// Far more than any case takes, far less than the minute that its processes would last.
const PATIENCE: Duration = Duration::from_secs(20);

const EXIT_0: How = How::Exit(0);
const TERM: How = How::Signal(15);
const KILL: How = How::Signal(9);

struct Case {
    name: &'static str,
    script: &'static str,
    input: usize,
    limit: Option<u64>,
    how: How,
    pipe_held: bool,
    /// At least so many orphans; none at all for 0.
    left: usize,
}

const fn case(name: &'static str, script: &'static str, how: How) -> Case {
    Case { name, script, input: 0, limit: None, how, pipe_held: false, left: 0 }
}

const fn leaves(mut case: Case, left: usize, pipe_held: bool) -> Case {
    case.left = left;
    case.pipe_held = pipe_held;
    case
}

const fn limited(mut case: Case) -> Case {
    case.limit = Some(800);
    case
}

const fn fed(mut case: Case) -> Case {
    case.input = 1 << 20;
    case
}

const CASES: &[Case] = &[
    case("plain", "echo hi", EXIT_0),
    case("exit code", "exit 7", How::Exit(7)),
    case("missing inside the shell", "no-such-program-anywhere", How::Exit(127)),
    case("segmentation fault", "kill -SEGV $$", How::Signal(11)),
    case("kills its own group", "kill -KILL 0", KILL),
    case("bytes that are no text", r"printf '\377\000\376'", EXIT_0),
    case("reads its input", "cat; echo end", EXIT_0),
    case("closes its input", "exec <&-; echo done", EXIT_0),
    case("closes its output early", "exec >&- 2>&-; exit 4", How::Exit(4)),
    case("a lot of output", "head -c 50000000 /dev/zero", EXIT_0),
    case("a background job that ends in time", "sleep 0 & exit 0", EXIT_0),
    fed(case("input that it does not read", "exit 0", EXIT_0)),
    fed(case("input that it echoes", "cat", EXIT_0)),
    fed(case("input that it begins to read", "head -c 1; exit 5", How::Exit(5))),
    leaves(case("a job holds the pipe", "sleep 60 & echo hi", EXIT_0), 1, true),
    leaves(case("a daemon that floods", "setsid yes &", EXIT_0), 1, true),
    leaves(
        case("a deaf job that floods", "(trap '' TERM HUP; exec yes) & exit 3", How::Exit(3)),
        1,
        true,
    ),
    leaves(case("a quiet job", "{ sleep 60 & } >/dev/null 2>&1; exit 2", How::Exit(2)), 1, false),
    leaves(case("a job that was stopped", "sleep 60 & kill -STOP $!; echo hi", EXIT_0), 1, true),
    leaves(case("nohup", "{ nohup sleep 60 & } >/dev/null 2>&1", EXIT_0), 1, false),
    leaves(case("a job in a separate group", "set -m; sleep 60 & exit 0", EXIT_0), 1, true),
    leaves(case("setsid daemon", "{ setsid sleep 60 & } >/dev/null 2>&1", EXIT_0), 1, false),
    leaves(case("setsid daemon with the pipe", "setsid sleep 60 &", EXIT_0), 1, true),
    leaves(case("double fork", "( ( setsid sleep 60 & ) & )", EXIT_0), 1, true),
    leaves(
        case("deaf daemon", "trap '' TERM INT HUP; setsid sleep 60 & exit 1", How::Exit(1)),
        1,
        true,
    ),
    leaves(case("a hundred jobs", "for i in $(seq 100); do sleep 60 & done", EXIT_0), 100, true),
    leaves(
        case(
            "two hundred daemons",
            // The shell lets go of the pipe first: a loop with a redirection keeps it for later, and
            // lends it to each child until that has begun.
            "exec >/dev/null 2>&1; for i in $(seq 200); do setsid sleep 60 & done",
            EXIT_0,
        ),
        200,
        false,
    ),
    leaves(
        case(
            "daemons below daemons",
            "f() { [ $1 = 0 ] || { export n=$(($1 - 1)) s; setsid sh -c \"$s\" & }; }; \
             s='[ $n = 0 ] || { export n=$((n - 1)); setsid sh -c \"$s\" & }; sleep 60'; f 12",
            EXIT_0,
        ),
        1,
        true,
    ),
    leaves(
        case(
            "a chain of processes that fork and exit",
            "export s='(setsid sh -c \"$s\" >/dev/null 2>&1 &)'; eval \"$s\"",
            EXIT_0,
        ),
        0,
        false,
    ),
    limited(case("never ends", "sleep 60", TERM)),
    limited(case("never ends, by exec", "exec sleep 60", TERM)),
    limited(case("ignores TERM", "trap '' TERM; while :; do sleep 60; done", KILL)),
    limited(case("ignores all it can", "trap '' INT TERM HUP QUIT; sleep 60; exit 0", KILL)),
    limited(case("stops itself", "kill -STOP $$; sleep 60", TERM)),
    limited(case("floods", "yes", TERM)),
    limited(case("closes its output and stays", "exec >&- 2>&-; sleep 60", TERM)),
    limited(case("exits 0 on TERM", "trap 'exit 0' TERM; sleep 60 & wait", EXIT_0)),
    limited(leaves(
        case(
            "forks on TERM",
            "trap 'setsid sleep 60 & exit 3' TERM; while :; do sleep 60; done",
            How::Exit(3),
        ),
        1,
        true,
    )),
    limited(leaves(
        case("never ends, and a daemon", "setsid sleep 60 >/dev/null 2>&1 & sleep 60", TERM),
        1,
        false,
    )),
];

#[test]
fn hostile_commands_get_the_right_verdict_and_leave_no_process() {
    if !have("setsid") {
        return;
    }
    let _alone = alone();
    for case in CASES {
        let mark = Mark::new();
        let limit = case.limit.map(Duration::from_millis);
        let command = mark.shell(case.script).time_limit(limit).input(vec![b'x'; case.input]);
        let ended = command.run(|_| Ok(())).unwrap();
        let name = case.name;
        assert_eq!(ended.how, case.how, "{name}: {ended:?}");
        assert_eq!(ended.timed_out, case.limit.is_some(), "{name}");
        assert!(ended.duration < PATIENCE, "{name}: {:?}", ended.duration);
        assert!(ended.output.head.len() + ended.output.tail.len() <= 64 << 10, "{name}");
        assert_eq!(mark.survivors(), [""; 0], "{name}");
        if cfg!(target_os = "linux") && !name.starts_with("a chain") {
            assert_eq!(ended.pipe_held, case.pipe_held, "{name}: {ended:?}");
            assert!(ended.left_behind.len() >= case.left, "{name}: {ended:?}");
            assert_eq!(ended.left_behind.is_empty(), case.left == 0, "{name}: {ended:?}");
        }
    }
}

#[test]
fn a_flood_is_counted_and_does_not_stay_in_memory() {
    let _alone = alone();
    let dir = tempfile::tempdir().unwrap();
    let log = dir.path().join("log");
    let capture = Capture::bounded(1000, 1000).spill_up_to(&log, 1 << 20);
    let command = Mark::new().shell("head -c 300000000 /dev/zero; printf end").capture(capture);
    let before = peak_memory();
    let output = command.run(|_| Ok(())).unwrap().output;
    assert_eq!(output.total, 300_000_003);
    assert_eq!(output.cut(), 300_000_003 - 2000);
    assert!(output.tail.ends_with(b"\0end"));
    let spilled = output.spilled.unwrap();
    assert_eq!((spilled.written, spilled.cut), (1 << 20, 300_000_003 - (1 << 20)));
    assert_eq!(std::fs::metadata(&log).unwrap().len(), 1 << 20);
    assert!(peak_memory() - before < 32 << 10, "{} KiB more", peak_memory() - before);
}

/// In KiB; 0 where the system does not tell.
fn peak_memory() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    line.and_then(|line| line.trim().strip_suffix(" kB")?.parse().ok()).unwrap_or(0)
}

#[test]
fn two_commands_at_once_do_not_end_each_others_children() {
    let _alone = alone();
    let mark = Mark::new();
    let long = mark.shell("sleep 0.6 & sleep 0.5; wait; echo whole");
    let short = mark.shell("{ setsid sleep 0.1 & } >/dev/null 2>&1; exit 0");
    std::thread::scope(|scope| {
        let long = scope.spawn(|| long.run(|_| Ok(())).unwrap());
        for _ in 0..20 {
            assert_eq!(short.run(|_| Ok(())).unwrap().how, EXIT_0);
        }
        let long = long.join().unwrap();
        assert_eq!(long.how, EXIT_0);
        assert_eq!(long.output.whole().unwrap(), b"whole\n");
    });
    assert_eq!(mark.shell(":").run(|_| Ok(())).unwrap().how, EXIT_0);
    assert_eq!(mark.survivors(), [""; 0]);
}

#[test]
fn a_job_that_tidies_up_after_the_time_limit_has_the_grace() {
    let _alone = alone();
    let mark = Mark::new();
    let script = "(trap 'sleep 0.4; echo tidied; exit 0' TERM; echo ready; while :; do sleep 0.01; done) 2>/dev/null & \
                  wait; exit 9";
    let command = mark.shell(script).time_limit(Some(Duration::from_secs(1)));
    let ended = command.grace(PATIENCE).run(|_| Ok(())).unwrap();
    assert_eq!(ended.how, TERM);
    assert_eq!(ended.output.whole().unwrap(), b"ready\ntidied\n");
    assert_eq!(ended.left_behind, []);
}
