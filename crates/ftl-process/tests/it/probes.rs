use std::time::{Duration, Instant};

use std::io::Read;

use ftl_process::{Environment, How, Probe, StartError, probe};

use crate::world::{Mark, alone};

#[test]
fn a_probe_keeps_all_of_both_outputs() {
    let _alone = alone();
    let asked = probe("sh", ["-c", "echo out; echo err >&2; exit 3"]).unwrap();
    assert_eq!(asked.how, How::Exit(3));
    assert_eq!((&asked.stdout[..], &asked.stderr[..]), (&b"out\n"[..], &b"err\n"[..]));
}

#[test]
fn a_probe_is_fed_and_placed_as_asked() {
    let _alone = alone();
    let dir = tempfile::tempdir().unwrap();
    let mut asking = Probe::new("sh", ["-c", "pwd; cat; echo $A"]);
    asking.dir = Some(dir.path().canonicalize().unwrap());
    asking.env = Environment::clean(["PATH"]).set("A", "1");
    asking.input = b"fed ".to_vec();
    let wanted = format!("{}\nfed 1\n", asking.dir.as_ref().unwrap().display());
    assert_eq!(String::from_utf8(asking.run().unwrap().stdout).unwrap(), wanted);
}

#[test]
fn a_probe_that_takes_too_long_is_killed_with_its_group() {
    let _alone = alone();
    let mark = Mark::new();
    // The job holds neither output, so that nothing but the kill of the group can end it in time.
    let script = "sleep 60 >/dev/null 2>&1 & exec sleep 60";
    let mut asking = Probe::new("sh", ["-c", script]);
    asking.env = mark.environment();
    asking.limit = Duration::from_millis(200);
    assert_eq!(asking.run().unwrap().how, How::Signal(9));
    // A killed process is gone only once it has been scheduled.
    let until = Instant::now() + Duration::from_secs(20);
    while !mark.survivors().is_empty() && Instant::now() < until {
        std::thread::yield_now();
    }
    assert_eq!(mark.survivors(), [""; 0]);
}

#[test]
fn a_probe_of_a_missing_program_says_so() {
    let missing = probe("no-such-program-anywhere", [""; 0]);
    assert!(matches!(missing, Err(StartError::MissingProgram { .. })));
}

#[test]
fn a_streamed_probe_hands_over_what_is_printed_and_ends() {
    let talk = |script: &str| Probe::new("sh", ["-c", script]);
    let read_all = |from: &mut dyn Read| {
        let mut bytes = Vec::new();
        from.read_to_end(&mut bytes).map(|_| bytes)
    };
    let mut probe = talk("cat; exit 3");
    probe.input = vec![b'x'; 1 << 20];
    let (how, bytes) = probe.stream(read_all).unwrap();
    assert_eq!(how, How::Exit(3));
    assert_eq!(bytes.unwrap().len(), 1 << 20);

    let read_some = |from: &mut dyn Read| from.read(&mut [0; 10]).unwrap();
    let (how, _) = talk("yes").stream(read_some).unwrap();
    assert!(matches!(how, How::Signal(_)), "{how:?}");

    let mut probe = talk("echo early; sleep 1000");
    probe.limit = Duration::from_millis(300);
    let (how, bytes) = probe.stream(read_all).unwrap();
    assert!(matches!(how, How::Signal(_)), "{how:?}");
    assert_eq!(bytes.unwrap(), b"early\n");
}

#[test]
fn a_probe_that_floods_is_killed_in_time() {
    let _alone = alone();
    let mut asking = Probe::new("sh", ["-c", "while :; do echo x; done"]);
    asking.limit = Duration::from_millis(200);
    let asked = asking.run().unwrap();
    assert_eq!(asked.how, How::Signal(9));
    assert!(asked.stdout.starts_with(b"x\nx\n"));
}
