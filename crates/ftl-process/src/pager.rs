//! A pager and an editor on the user's terminal.

use std::ffi::OsStr;
use std::io::Write;
use std::path::Path;
use std::process::Stdio;

use crate::programs::find_program;
use crate::programs::new_command;

/// Shows a text by a pager, which is a shell command, and waits until the user has left it. Returns whether it could be
/// started; `LESS` and `LV` are set as git sets them, unless they are.
#[must_use]
pub fn page(pager: &str, text: &[u8]) -> bool {
    let Some(shell) = find_program(OsStr::new("sh")) else {
        return false;
    };
    let program = pager.split_whitespace().next().unwrap_or_default();
    if find_program(OsStr::new(program)).is_none() && !program.contains('/') {
        return false;
    }
    let mut command = new_command(shell.as_os_str());
    command.args(["-c", pager]).stdin(Stdio::piped());
    for (name, value) in [("LESS", "FRX"), ("LV", "-c")] {
        if std::env::var_os(name).is_none() {
            command.env(name, value);
        }
    }
    let Ok(mut child) = command.spawn() else {
        return false;
    };
    if let Some(mut input) = child.stdin.take() {
        // A user who leaves early closes the pipe.
        let _ = input.write_all(text);
    }
    child.wait().is_ok()
}

/// Has the user edit a file, by a shell command that gets its path, and waits for its end. Returns whether it ended with 0.
#[must_use]
pub fn edit(editor: &str, path: &Path) -> bool {
    let Some(shell) = find_program(OsStr::new("sh")) else {
        return false;
    };
    let mut command = new_command(shell.as_os_str());
    command.arg("-c").arg(format!("{editor} \"$1\"")).arg("ftl").arg(path);
    command.status().is_ok_and(|status| status.success())
}
