//! What builds told: the commands that bring something back, and the paths that are named.

/// Words that such a command begins with.
const COMMANDS: [&str; 4] = ["cp ", "git ", "ftl reopen ", "mv "];

/// The commands in backticks, in the order in which they were told, each once.
pub(super) fn commands(said: &str) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    for line in said.lines() {
        for part in line.split('`').skip(1).step_by(2) {
            let is_command = COMMANDS.iter().any(|word| part.starts_with(word));
            if is_command && !found.iter().any(|known| known == part) {
                found.push(part.to_owned());
            }
        }
    }
    found
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
    use super::{commands, names};

    #[test]
    fn commands_stand_in_backticks() {
        let said =
            "warning: moved to `a/b`: x; `cp -a 'a/b/.' .` brings it back\nand `cp -a 'a/b/.' .`\n";
        assert_eq!(commands(said), ["cp -a 'a/b/.' ."]);
    }

    #[test]
    fn a_path_is_named_by_what_is_above_it() {
        assert!(names("moved: notes", "notes/keep.txt"));
        assert!(!names("moved: note", "notes/keep.txt"));
    }
}
