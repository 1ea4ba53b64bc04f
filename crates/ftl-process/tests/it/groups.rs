use std::cell::RefCell;
use std::time::Duration;

use ftl_process::Group;

use crate::world::{Mark, alone};

/// Starts a script in the background and acts on its group as soon as it has said something.
fn with_group(mark: &Mark, script: &str, act: impl FnOnce(&Group)) -> Option<i32> {
    let dir = tempfile::tempdir().unwrap();
    let fifo = dir.path().join("fifo");
    assert!(
        mark.shell(&format!("mkfifo {}", fifo.display()))
            .run(|_| Ok(()))
            .unwrap()
            .success()
    );
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
    let _alone = alone();
    let own = std::process::id();
    let boot_id = std::fs::read_to_string("/proc/sys/kernel/random/boot_id").unwrap_or_default();
    let group = |start_time, boot_id: &str| Group {
        pid: own,
        start_time,
        boot_id: boot_id.trim_end().to_owned(),
    };
    for stranger in [group(1, &boot_id), group(1, "another boot"), group(1, "")] {
        assert!(!stranger.is_alive(), "{stranger:?}");
        assert_eq!(stranger.end(Duration::ZERO), []);
    }
}
