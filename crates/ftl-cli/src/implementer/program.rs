//! The program that a shell command starts with, and whether there is one.
//!
//! This is not a shell parser. Where a word means more to the shell than a name, nothing is said about
//! the command, and a missing program shows when the agent is started.

use std::ffi::OsStr;
use std::path::Path;

use ftl_process::{Environment, probe};

/// What makes a word more than a name to the shell.
const SPECIAL: &str = "$`\"'\\;&|<>(){}[]*?!#~";

/// The first word that is no assignment; `None` where only the shell could tell.
pub(super) fn of(command: &str) -> Option<&str> {
    let word = command.split_whitespace().find(|word| !is_assignment(word))?;
    (!word.contains(|c| SPECIAL.contains(c))).then_some(word)
}

fn is_assignment(word: &str) -> bool {
    word.split_once('=').is_some_and(|(name, _)| {
        !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
    })
}

/// Whether a program of that name is found from `root`, or the shell has one built in.
pub(super) fn is_there(program: &str, env: &Environment, root: &Path) -> bool {
    let variables = env.resolve();
    let path = variables.get(OsStr::new("PATH"));
    which::which_in(program, path, root).is_ok() || is_built_in(program)
}

fn is_built_in(program: &str) -> bool {
    // With nothing on its PATH, the shell knows only what is its own.
    let script = "PATH=/nonexistent; command -v \"$1\"";
    let asked = probe("sh", ["-c", script, "sh", program]);
    asked.is_ok_and(|output| output.how.success())
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use ftl_process::Environment;

    use super::{is_there, of};

    #[test]
    fn a_command_is_known_by_its_first_word_unless_only_the_shell_can_read_it() {
        for (command, program) in [
            ("agent --print", Some("agent")),
            (" A=1 B_2='x' agent", Some("agent")),
            ("./agent.sh", Some("./agent.sh")),
            ("\"$AGENT\" -p", None),
            ("{ agent; }", None),
            ("A=1", None),
            ("", None),
        ] {
            assert_eq!(of(command), program, "{command}");
        }
    }

    #[test]
    fn words_that_the_shell_has_built_in_are_found_whatever_the_path() {
        let nowhere = Environment::inherit().set("PATH", "/nonexistent");
        for (program, there) in [("cd", true), ("if", true), ("no-such-program", false)] {
            assert_eq!(is_there(program, &nowhere, Path::new("/")), there, "{program}");
        }
    }
}
