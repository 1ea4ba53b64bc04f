//! Second readers in Python, which the machine may not have.

use std::fs::{self, File};
use std::path::Path;
use std::process::{Command, Stdio};

/// What a script of this directory prints when it reads `input`, which is kept under `name`; `None`
/// without Python.
pub(crate) fn output_of(script: &str, name: &str, input: &[u8]) -> Option<String> {
    let kept = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    fs::write(&kept, input).unwrap();
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests").join(script);
    #[allow(clippy::disallowed_methods, reason = "a test may start its oracle")]
    let output = Command::new("python3")
        .arg(script)
        .stdin(File::open(&kept).unwrap())
        .stderr(Stdio::inherit())
        .output();
    let Ok(output) = output else {
        println!("skipped: needs python3");
        return None;
    };
    assert!(output.status.success());
    Some(String::from_utf8(output.stdout).unwrap())
}
