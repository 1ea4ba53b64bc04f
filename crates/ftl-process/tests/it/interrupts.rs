//! Signals concern the whole process, so these tests run this test binary again as the one that
//! is interrupted.

use std::path::Path;

use ftl_process::{Command, Environment, StartError, catch_interrupts, interrupted};
use rustix::process::{Pid, Signal, kill_process};

use crate::world::{Mark, alone};

const SCRIPT: &str = "FTL_PROCESS_TEST_SCRIPT";

/// The interrupted process: prints how its command fared.
#[test]
fn interrupted_process() {
    let Some(script) = std::env::var_os(SCRIPT) else {
        return;
    };
    catch_interrupts().unwrap();
    let ended = Command::shell(&script, []).run(|_| Ok(())).unwrap();
    let after = Command::shell("echo never", []).run(|_| Ok(()));
    let refused = matches!(after, Err(StartError::Interrupted { .. }));
    println!("RESULT {:?} {:?} {:?} {refused}", ended.how, ended.interrupted, interrupted());
}

/// Runs `script` in a process that gets `signals`, one each time the script writes to `$FIFO`. The
/// scripts start nothing after that: a shell that is about to would miss the signal.
fn interrupt(script: &str, signals: &[Signal]) -> String {
    let mark = Mark::new();
    let dir = tempfile::tempdir().unwrap();
    let fifo = dir.path().join("fifo");
    assert!(mark.shell(&format!("mkfifo {}", fifo.display())).run(|_| Ok(())).unwrap().success());
    let own = std::env::current_exe().unwrap();
    let args = ["--exact", "interrupts::interrupted_process", "--nocapture"];
    let env = Environment::inherit().set(SCRIPT, script).set("FIFO", &fifo);
    let command = Command::new(own, args).env(env);
    let (send, receive) = std::sync::mpsc::channel();
    let ended = std::thread::scope(|scope| {
        let running = scope.spawn(move || {
            command.run(move |group| send.send(group.pid).map_err(std::io::Error::other))
        });
        let pid = Pid::from_raw(receive.recv().unwrap() as i32).unwrap();
        for &signal in signals {
            await_writer(&fifo);
            kill_process(pid, signal).unwrap();
        }
        running.join().unwrap().unwrap()
    });
    let text = String::from_utf8(ended.output.whole().unwrap()).unwrap();
    let result = text.lines().find_map(|line| line.split_once("RESULT "));
    result.map_or_else(|| panic!("no result in {text}"), |(_, result)| result.to_owned())
}

fn await_writer(fifo: &Path) {
    assert!(!std::fs::read(fifo).unwrap().is_empty());
}

#[test]
fn an_interrupt_reaches_the_command_and_is_reported() {
    let _alone = alone();
    let waits = "echo ready >$FIFO; exec sleep 60";
    assert_eq!(interrupt(waits, &[Signal::TERM]), "Signal(15) Some(15) Some(15) true");
    assert_eq!(interrupt(waits, &[Signal::INT]), "Signal(2) Some(2) Some(2) true");
}

#[test]
fn a_command_may_end_in_its_own_way_when_interrupted() {
    let _alone = alone();
    let tidies = "trap 'exit 5' TERM; echo ready >$FIFO; while :; do :; done";
    assert_eq!(interrupt(tidies, &[Signal::TERM]), "Exit(5) Some(15) Some(15) true");
}

#[test]
fn a_second_interrupt_kills() {
    let _alone = alone();
    let deaf = "trap 'echo again >$FIFO' INT; echo ready >$FIFO; while :; do :; done";
    assert_eq!(interrupt(deaf, &[Signal::INT, Signal::INT]), "Signal(9) Some(2) Some(2) true");
}
