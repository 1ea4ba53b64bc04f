//! The program that a verify command begins with, and whether there is one.
//!
//! This is not a shell parser. Only a first word that means nothing to the shell but a name is looked for; of
//! everything else nothing is said, and a missing program shows when the command runs.
//!
//! Most often the program is there, but for the `PATH`: in the project's virtual environment, which the person
//! who typed the command had activated elsewhere. So that is the first thing to suggest.

use std::ffi::OsStr;
use std::fs;
use std::io::{self, ErrorKind};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use ftl_process::{Environment, find_program};
use ftl_store::{FileError, Operation};

/// Where projects keep their programs.
const OWN_DIRECTORIES: [&str; 5] =
    [".venv/bin", "venv/bin", "env/bin", "node_modules/.bin", "vendor/bin"];

/// What `dash`, which is `sh` on many systems, has not; there it is called `.`.
const SOURCE: &str = "source";

/// Words of the shells that are called `sh`: keywords, and what they have built in.
const OWN: [&str; 89] = [
    "!",
    ".",
    ":",
    "[",
    "[[",
    "]]",
    "alias",
    "bg",
    "bind",
    "break",
    "builtin",
    "caller",
    "case",
    "cd",
    "chdir",
    "command",
    "compgen",
    "complete",
    "compopt",
    "continue",
    "coproc",
    "declare",
    "dirs",
    "disown",
    "do",
    "done",
    "echo",
    "elif",
    "else",
    "enable",
    "esac",
    "eval",
    "exec",
    "exit",
    "export",
    "false",
    "fc",
    "fg",
    "fi",
    "for",
    "function",
    "getopts",
    "hash",
    "help",
    "history",
    "if",
    "in",
    "jobs",
    "kill",
    "let",
    "local",
    "logout",
    "mapfile",
    "newgrp",
    "popd",
    "print",
    "printf",
    "pushd",
    "pwd",
    "read",
    "readarray",
    "readonly",
    "return",
    "select",
    "set",
    "setvar",
    "shift",
    "shopt",
    "suspend",
    "test",
    "then",
    "time",
    "times",
    "trap",
    "true",
    "type",
    "typeset",
    "ulimit",
    "umask",
    "unalias",
    "unset",
    "until",
    "wait",
    "whence",
    "while",
    "wordexp",
    "{",
    "}",
    "~",
];

/// The name of the program that `command` begins with, where there is no such program on the `PATH` of
/// `env`; `None` where there is one, or where that is not to be known.
///
/// # Errors
/// There may be one at a path that cannot be looked at, and there is none elsewhere.
pub(crate) fn missing(
    command: &str,
    env: &Environment,
    root: &Path,
) -> Result<Option<String>, FileError> {
    let name = first_word(after_cd(command).1).filter(|name| *name != SOURCE || is_sh_dash());
    let Some((name, dirs)) = name.and_then(|name| Some((name, directories(env, root)?))) else {
        return Ok(None);
    };
    let mut unknown = None;
    for path in dirs.iter().map(|dir| dir.join(name)) {
        match is_program(&path) {
            Ok(true) => return Ok(None),
            Ok(false) => {}
            Err(error) => unknown = unknown.or(Some(Operation::Inspect.failed(&path, error))),
        }
    }
    unknown.map_or_else(|| Ok(Some(name.to_owned())), Err)
}

/// The directory that a command goes to first, and the rest of it: `cd web && npm test`.
pub(super) fn after_cd(command: &str) -> (&str, &str) {
    let split = command.trim_start().strip_prefix("cd ").and_then(|rest| rest.split_once(" && "));
    let is_plain = |dir: &str| !dir.contains([';', '|', '$', '`', '(', '"', '\\', ' ', '*', '~']);
    match split.map(|(dir, rest)| (dir.trim_matches('\''), rest)) {
        Some((dir, rest)) if is_plain(dir) && !dir.starts_with(['/', '-']) => (dir, rest),
        _ => ("", command),
    }
}

/// What may be meant by a missing program: one of this name that the project has for itself, or one whose
/// name is nearly this, there or on the `PATH`.
pub(crate) fn similar(name: &str, env: &Environment, root: &Path) -> Option<String> {
    if name == SOURCE {
        return Some(".".to_owned());
    }
    let own = || {
        OWN_DIRECTORIES.iter().find_map(|dir| {
            let near = nearest(name, &[root.join(dir)])?;
            Some(format!("{dir}/{near}"))
        })
    };
    own().or_else(|| nearest(name, &directories(env, root)?))
}

/// The program in these directories whose name is this one, or else the most like it.
fn nearest(name: &str, dirs: &[PathBuf]) -> Option<String> {
    let entries = dirs.iter().flat_map(|dir| fs::read_dir(dir).into_iter().flatten().flatten());
    let near = entries.filter_map(|entry| {
        let found = entry.file_name().into_string().ok()?;
        // Few mistype the first letter, and `test` is not what is meant by `pytest`.
        let begins_alike = found.chars().next() == name.chars().next();
        let far = distance(name, &found).filter(|_| begins_alike)?;
        is_program(&entry.path()).unwrap_or(false).then_some((far, found))
    });
    near.min().map(|(_, name)| name)
}

fn is_sh_dash() -> bool {
    let real = find_program("sh").and_then(|sh| sh.canonicalize().ok());
    real.is_some_and(|sh| sh.ends_with("dash"))
}

/// How far two names are from each other, where one may be meant by the other.
pub(super) fn distance(name: &str, found: &str) -> Option<usize> {
    if found.len().abs_diff(name.len()) > 2 {
        return None;
    }
    let far = strsim::osa_distance(name, found);
    (far * 3 <= name.len()).then_some(far)
}

/// The first word of a command, where it can be nothing but the name of a program.
fn first_word(command: &str) -> Option<&str> {
    let command = command.trim_start();
    let plain = |c: char| c.is_ascii_alphanumeric() || "_.+-".contains(c);
    let end = command.find(|c| !plain(c)).unwrap_or(command.len());
    let (word, rest) = command.split_at(end);
    let ends_here = |c: char| c.is_whitespace() || ";|&<>".contains(c);
    let is_word = rest.is_empty() || rest.starts_with(ends_here);
    // `f () { …; }; f` defines what it calls.
    let defines = rest.trim_start().starts_with('(');
    (is_word && !defines && !word.is_empty() && !OWN.contains(&word)).then_some(word)
}

/// The directories of the `PATH`; `None` where it is not set, or holds one that a build may fill: a relative
/// one, or one below the root.
fn directories(env: &Environment, root: &Path) -> Option<Vec<PathBuf>> {
    let variables = env.resolve();
    let path = variables.get(OsStr::new("PATH"))?;
    let dirs: Vec<PathBuf> = std::env::split_paths(path).collect();
    let real = |path: &Path| path.canonicalize().unwrap_or_else(|_| path.to_owned());
    let root = real(root);
    let is_fixed = |dir: &PathBuf| dir.is_absolute() && !real(dir).starts_with(&root);
    dirs.iter().all(is_fixed).then_some(dirs)
}

fn is_program(path: &Path) -> io::Result<bool> {
    match fs::metadata(path) {
        Ok(at) => Ok(at.is_file() && at.permissions().mode() & 0o111 != 0),
        // No file can have a name that is too long.
        Err(error) => match error.kind() {
            ErrorKind::NotFound | ErrorKind::NotADirectory | ErrorKind::InvalidFilename => {
                Ok(false)
            }
            _ => Err(error),
        },
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::os::unix::fs::PermissionsExt;

    use ftl_process::Environment;

    use super::{first_word, missing, similar};

    #[test]
    fn a_program_is_looked_for_only_where_its_word_can_be_nothing_but_a_name() {
        for (command, word) in [
            ("pytest -q", Some("pytest")),
            ("  python3.12 -m x", Some("python3.12")),
            ("make&&true", Some("make")),
            ("g++;", Some("g++")),
            ("./run.sh", None),
            ("a/b", None),
            ("A=1 pytest", None),
            ("$CMD", None),
            ("'pytest' -q", None),
            ("py*", None),
            ("cd x && y", None),
            (". .venv/bin/activate", None),
            ("if true; then x; fi", None),
            ("f() { x; }; f", None),
            ("f () { x; }; f", None),
            ("! x", None),
            ("(x)", None),
            ("{ x; }", None),
            ("# x", None),
            ("", None),
        ] {
            assert_eq!(first_word(command), word, "{command}");
        }
    }

    #[test]
    fn a_program_of_the_projects_own_is_suggested_first() {
        let root = tempfile::tempdir().unwrap();
        let bin = root.path().join("bin");
        let own = root.path().join(".venv/bin");
        for (dir, name) in [(&bin, "pytest7"), (&own, "pytest")] {
            fs::create_dir_all(dir).unwrap();
            fs::write(dir.join(name), "").unwrap();
            fs::set_permissions(dir.join(name), fs::Permissions::from_mode(0o755)).unwrap();
        }
        let env = Environment::inherit().set("PATH", &bin);
        for name in ["pytest", "pytset"] {
            let near = similar(name, &env, root.path());
            assert_eq!(near.as_deref(), Some(".venv/bin/pytest"), "{name}");
        }
    }

    #[test]
    fn a_program_is_looked_for_on_the_path_that_the_verify_has() {
        let temp = tempfile::tempdir().unwrap();
        let (bin, root) = (temp.path().join("bin"), temp.path().join("root"));
        for dir in [&bin, &root] {
            fs::create_dir(dir).unwrap();
        }
        for (name, mode) in [("pytest", 0o755), ("pyest", 0o644)] {
            fs::write(bin.join(name), "").unwrap();
            fs::set_permissions(bin.join(name), fs::Permissions::from_mode(mode)).unwrap();
        }
        let env = Environment::inherit().set("PATH", &bin);
        let missing = |command: &str, env: &Environment| missing(command, env, &root).unwrap();
        assert_eq!(missing("pytest -q", &env), None);
        for name in ["pytset", "pyest", "no-such-program", &"n".repeat(300)] {
            assert_eq!(missing(name, &env).as_deref(), Some(name));
        }
        assert_eq!(similar("pytset", &env, &root).as_deref(), Some("pytest"));
        assert_eq!(similar("no-such-program", &env, &root), None);
        assert_eq!(similar("xpytest", &env, &root), None);
        assert_eq!(similar("source", &env, &root).as_deref(), Some("."));
        for unfixed in [".", "relative", root.join("bin").to_str().unwrap()] {
            let path = format!("{}:{unfixed}", bin.display());
            let env = Environment::inherit().set("PATH", path);
            assert_eq!(missing("pytset", &env), None, "{unfixed}");
        }
        let unset = Environment::inherit().remove("PATH");
        assert_eq!(missing("pytset", &unset), None);
    }

    #[test]
    fn a_program_that_cannot_be_looked_at_is_not_missing() {
        let temp = tempfile::tempdir().unwrap();
        let (first, second) = (temp.path().join("first"), temp.path().join("second"));
        fs::create_dir(&first).unwrap();
        std::os::unix::fs::symlink("pytest", first.join("pytest")).unwrap();
        let path = std::env::join_paths([&first, &second]).unwrap();
        let env = Environment::inherit().set("PATH", path);
        let root = temp.path().join("root");
        let error = missing("pytest -q", &env, &root).unwrap_err();
        assert_eq!(error.path, first.join("pytest"));
        fs::create_dir(&second).unwrap();
        fs::write(second.join("pytest"), "").unwrap();
        fs::set_permissions(second.join("pytest"), fs::Permissions::from_mode(0o755)).unwrap();
        assert_eq!(missing("pytest -q", &env, &root).unwrap(), None);
    }
}
