//! What builds report: the commands that bring something back, and the paths that are named.

/// Words that such a command begins with.
const COMMANDS: [&str; 4] = ["cp ", "git ", "ftl reopen ", "mv "];

/// The end of the command for strays; `PATH` is for the reader to fill in.
const TAKING: &str = " --take PATH";

/// The commands in backticks, in the order of the report, each once.
pub(super) fn commands(said: &str) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    for line in said.lines() {
        for part in line.split('`').skip(1).step_by(2) {
            let is_command = COMMANDS.iter().any(|word| part.starts_with(word));
            if is_command && !part.ends_with(TAKING) && !found.iter().any(|known| known == part) {
                found.push(part.to_owned());
            }
        }
    }
    found
}

/// The command that takes strays in, with all those that lie in the quarantine, of the last result that
/// named any.
pub(super) fn taking(said: &str, is_there: impl Fn(&str) -> bool) -> Option<String> {
    let (_, result) = said.rsplit_once("\n  kind       ")?;
    let value = |line: &str, label: &str| line.strip_prefix(label).map(|at| at.trim().to_owned());
    let dir = result.lines().find_map(|line| value(line, "  quarantine "))?;
    let strays = result.lines().filter_map(|line| value(line, "  stray "));
    let strays: Vec<String> = strays
        .filter(|path| is_there(&format!("{dir}/{path}")))
        .map(|path| format!("'{path}'"))
        .collect();
    let command = result.split('`').find(|part| part.ends_with(TAKING))?;
    let command = command.strip_suffix("PATH")?;
    (!strays.is_empty()).then(|| format!("{command}{}", strays.join(" ")))
}

/// Whether a path, or a directory above it that is not the root, is named.
pub(super) fn names(said: &str, path: &str) -> bool {
    let mut part = path;
    loop {
        if said.contains(part) {
            return true;
        }
        match part.rsplit_once('/') {
            Some((above, _)) => part = above,
            None => return false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{commands, names, taking};

    #[test]
    fn commands_stand_in_backticks() {
        let said =
            "warning: moved to `a/b`: x; `cp -a 'a/b/.' .` brings it back\nand `cp -a 'a/b/.' .`\n";
        assert_eq!(commands(said), ["cp -a 'a/b/.' ."]);
    }

    #[test]
    fn strays_that_lie_in_the_quarantine_are_taken_in() {
        let said = "blocked  001_t\n  kind       delta_insufficient\n  stray      a b\n  stray      gone\n\
                    \x20 quarantine .ftl/q\n             there; `ftl reopen 001_t --take PATH` adds them to the task\n";
        let command = taking(said, |path| path == ".ftl/q/a b");
        assert_eq!(command.as_deref(), Some("ftl reopen 001_t --take 'a b'"));
        assert_eq!(taking(said, |_| false), None);
        assert_eq!(commands(said), [""; 0]);
    }

    #[test]
    fn a_path_is_named_by_what_is_above_it() {
        assert!(names("moved: notes", "notes/keep.txt"));
        assert!(!names("moved: note", "notes/keep.txt"));
    }
}
