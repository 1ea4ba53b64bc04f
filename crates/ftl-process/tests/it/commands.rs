use std::ffi::OsStr;
use std::io;

use ftl_process::{Capture, Command, Environment, How, StartError};

use crate::world::{Mark, alone};

fn printed(command: &Command) -> String {
    let ended = command.run(|_| Ok(())).unwrap();
    String::from_utf8(ended.output.whole().unwrap()).unwrap()
}

#[test]
fn arguments_reach_the_script_as_they_are() {
    let _alone = alone();
    let args = ["ftl", "a b", "$HOME", "-n", "it's"].map(OsStr::new);
    let command = Command::shell(r#"printf '<%s>' "$0" "$@""#, args);
    assert_eq!(printed(&command), "<ftl><a b><$HOME><-n><it's>");
}

#[test]
fn both_outputs_come_in_one_unless_kept_apart() {
    let _alone = alone();
    let command = Command::shell("echo out; echo err >&2; echo out", []);
    assert_eq!(printed(&command), "out\nerr\nout\n");
    let ended = command.separate_stderr(Capture::default()).run(|_| Ok(())).unwrap();
    assert_eq!(ended.output.whole().unwrap(), b"out\nout\n");
    assert_eq!(ended.stderr.unwrap().whole().unwrap(), b"err\n");
}

#[test]
fn a_clean_environment_holds_what_was_passed_and_set() {
    let _alone = alone();
    let env = Environment::clean(["PATH"]).set("A", "1").set("B", "2").remove("B");
    let names = printed(&Command::new("env", [""; 0]).env(env));
    let mut names: Vec<_> = names.lines().map(|line| line.split('=').next().unwrap()).collect();
    names.sort_unstable();
    assert_eq!(names, ["A", "PATH"]);
    let without = Environment::inherit().remove("PATH").set("C", "3");
    assert_eq!(printed(&Command::new("/bin/sh", ["-c", "echo $C"]).env(without)), "3\n");
}

#[test]
fn a_missing_program_and_a_missing_directory_are_distinguished() {
    let _alone = alone();
    let run = |command: Command| command.run(|_| Ok(())).unwrap_err();
    let none = [""; 0];
    assert!(matches!(
        run(Command::new("no-such-program-anywhere", none)),
        StartError::MissingProgram { program } if program == "no-such-program-anywhere"
    ));
    assert!(matches!(
        run(Command::new("sh", none).dir("/no/such/directory")),
        StartError::MissingDirectory { .. }
    ));
    assert!(matches!(run(Command::new("/", none)), StartError::Start { .. }));
    let spill = Capture::default().spill("/no/such/directory/log");
    assert!(matches!(run(Command::new("sh", none).capture(spill)), StartError::Spill { .. }));
}

#[test]
fn a_command_whose_start_cannot_be_noted_is_killed() {
    let _alone = alone();
    let mark = Mark::new();
    let error = mark.shell("sleep 60").run(|_| Err(io::ErrorKind::StorageFull.into()));
    assert!(matches!(error, Err(StartError::Unobserved { .. })));
    assert_eq!(mark.survivors(), [""; 0]);
}

#[test]
fn a_full_disk_is_reported_and_the_command_goes_on() {
    let _alone = alone();
    if !std::path::Path::new("/dev/full").exists() {
        eprintln!("skipped: needs /dev/full");
        return;
    }
    let command =
        Command::shell("echo hello; exit 6", []).capture(Capture::default().spill("/dev/full"));
    let ended = command.run(|_| Ok(())).unwrap();
    assert_eq!(ended.how, How::Exit(6));
    let spilled = ended.output.spilled.unwrap();
    assert_eq!(spilled.error.unwrap().kind(), io::ErrorKind::StorageFull);
    assert_eq!((spilled.written, spilled.cut), (0, 6));
}

#[test]
fn many_runs_leave_no_descriptor_open() {
    let _alone = alone();
    let open = || std::fs::read_dir("/proc/self/fd").map_or(0, Iterator::count);
    let command = Command::shell("cat", []).input(*b"x");
    printed(&command);
    let before = open();
    for _ in 0..50 {
        assert_eq!(printed(&command), "x");
    }
    assert_eq!(open(), before);
}
