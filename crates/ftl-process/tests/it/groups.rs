use std::cell::RefCell;
use std::time::Duration;

use ftl_process::{Group, Observer, StartError, Trail};

use crate::world::{Mark, alone};

/// Starts a script in the background and acts on its group as soon as it has said something.
fn with_group(mark: &Mark, script: &str, act: impl FnOnce(&Group)) -> Option<i32> {
    let dir = tempfile::tempdir().unwrap();
    let fifo = dir.path().join("fifo");
    assert!(mark.shell(&format!("mkfifo {}", fifo.display())).run(|_| Ok(())).unwrap().success());
    let (send, receive) = std::sync::mpsc::channel();
    let script = script.replace("FIFO", fifo.to_str().unwrap());
    let command = mark.shell(&script);
    let ended = std::thread::scope(|scope| {
        let running = scope.spawn(move || {
            command.run(move |group| send.send(group.clone()).map_err(std::io::Error::other))
        });
        let group = receive.recv().unwrap();
        assert!(!std::fs::read(&fifo).unwrap().is_empty());
        act(&group);
        running.join().unwrap().unwrap()
    });
    assert_eq!(mark.survivors(), [""; 0]);
    match ended.how {
        ftl_process::How::Signal(signal) => Some(signal),
        ftl_process::How::Exit(_) => None,
    }
}

const WAITS: &str = "echo ready >FIFO; sleep 60; exit 0";

#[test]
fn a_group_is_known_again_and_can_be_ended() {
    if !cfg!(target_os = "linux") {
        eprintln!("skipped: needs /proc");
        return;
    }
    let _alone = alone();
    let seen = RefCell::new(Vec::new());
    let signal = with_group(&Mark::new(), WAITS, |group| {
        assert!(group.is_alive());
        *seen.borrow_mut() = group.end(Duration::from_secs(20));
        assert!(!group.is_alive());
    });
    assert_eq!(signal, Some(15));
    assert!(seen.borrow().iter().all(|member| member.in_group));
    assert!(!seen.borrow().is_empty());
}

#[test]
fn a_group_that_ignores_term_is_killed_after_the_grace() {
    if !cfg!(target_os = "linux") {
        eprintln!("skipped: needs /proc");
        return;
    }
    let _alone = alone();
    let deaf = format!("trap '' TERM; {WAITS}");
    let signal = with_group(&Mark::new(), &deaf, |group| {
        group.end(Duration::from_millis(100));
    });
    assert_eq!(signal, Some(9));
}

#[test]
fn another_process_with_the_same_id_is_left_alone() {
    if !cfg!(target_os = "linux") {
        eprintln!("skipped: needs /proc");
        return;
    }
    let _alone = alone();
    // The group of a living process, noted as if another process had led it: each of these would
    // end it if the note were believed.
    with_group(&Mark::new(), WAITS, |group| {
        let strangers = [
            (group.start_time - 1, group.boot_id.as_str()),
            (group.start_time + 1, group.boot_id.as_str()),
            (group.start_time, "another boot"),
            (group.start_time, ""),
        ];
        for (start_time, boot_id) in strangers {
            let stranger = Group { pid: group.pid, start_time, boot_id: boot_id.to_owned() };
            assert!(!stranger.is_alive(), "{stranger:?}");
            assert_eq!(stranger.end(Duration::ZERO), [], "{stranger:?}");
        }
        assert!(group.is_alive(), "{group:?}");
        group.end(Duration::from_secs(20));
    });
}

/// Notes the trail of a command before it starts, and says nothing of its group.
struct Noted(std::sync::mpsc::Sender<Trail>);

impl Observer for Noted {
    fn starts(&mut self, trail: &Trail) -> std::io::Result<()> {
        self.0.send(trail.clone()).map_err(std::io::Error::other)
    }

    fn started(&mut self, _: &Group) -> std::io::Result<()> {
        Ok(())
    }
}

#[test]
fn a_trail_finds_holders_of_the_output_inside_and_outside_the_group() {
    if !cfg!(target_os = "linux") || !crate::world::have("setsid") {
        eprintln!("skipped: needs /proc and setsid");
        return;
    }
    let _alone = alone();
    let mark = Mark::new();
    let dir = tempfile::tempdir().unwrap();
    let fifo = dir.path().join("fifo");
    let make = format!("mkfifo {}", fifo.display());
    assert!(mark.shell(&make).run(|_| Ok(())).unwrap().success());
    let script =
        format!("setsid sh -c 'echo ready >{fifo}; exec sleep 60' & wait", fifo = fifo.display());
    let command = mark.shell(&script);
    let (send, receive) = std::sync::mpsc::channel();
    std::thread::scope(|scope| {
        let running = scope.spawn(move || command.run_observed(&mut Noted(send)));
        let trail = receive.recv().unwrap();
        assert!(!std::fs::read(&fifo).unwrap().is_empty());
        // The shell writes before it becomes the `sleep` that is named below.
        let is_sleep = |line: &String| line.starts_with("sleep ");
        while !mark.survivors().iter().any(is_sleep) {
            std::thread::yield_now();
        }
        let elsewhere = Trail { boot_id: "another boot".to_owned(), ..trail.clone() };
        assert_eq!(elsewhere.end(Duration::ZERO), []);
        let later = Trail { since: u64::MAX, ..trail.clone() };
        assert_eq!(later.end(Duration::ZERO), []);
        let ended = trail.end(Duration::from_secs(20));
        assert!(ended.iter().any(|left| left.name == "sleep"), "{ended:?}");
        running.join().unwrap().unwrap();
    });
    assert_eq!(mark.survivors(), [""; 0]);
}

#[test]
fn a_command_whose_start_cannot_be_noted_is_not_started() {
    struct Deaf;
    impl Observer for Deaf {
        fn starts(&mut self, _: &Trail) -> std::io::Result<()> {
            Err(std::io::Error::other("no room"))
        }
        fn started(&mut self, _: &Group) -> std::io::Result<()> {
            panic!("it was started");
        }
    }
    let dir = tempfile::tempdir().unwrap();
    let made = dir.path().join("made");
    let command = Mark::new().shell(&format!("touch {}", made.display()));
    let refused = command.run_observed(&mut Deaf).unwrap_err();
    assert!(matches!(refused, StartError::Unobserved { .. }), "{refused}");
    assert!(!made.exists());
}

#[test]
fn an_observer_gets_what_is_printed_while_it_is_printed() {
    struct OutputListener(Vec<u8>, std::path::PathBuf);
    impl Observer for OutputListener {
        fn starts(&mut self, _: &Trail) -> std::io::Result<()> {
            Ok(())
        }
        fn started(&mut self, _: &Group) -> std::io::Result<()> {
            Ok(())
        }
        fn listens(&self) -> bool {
            true
        }
        fn hear(&mut self, bytes: &[u8]) {
            self.0.extend_from_slice(bytes);
            // The command waits for this file: its output arrives while it runs, or it never ends.
            if self.0.ends_with(b"first\n") {
                std::fs::write(&self.1, "").unwrap();
            }
        }
    }
    let dir = tempfile::tempdir().unwrap();
    let seen = dir.path().join("seen");
    let script = format!("echo first; while [ ! -e {} ]; do :; done; echo second", seen.display());
    let mut listener = OutputListener(Vec::new(), seen);
    let ended = Mark::new().shell(&script).run_observed(&mut listener).unwrap();
    assert!(ended.success());
    assert_eq!(listener.0, b"first\nsecond\n");
}
