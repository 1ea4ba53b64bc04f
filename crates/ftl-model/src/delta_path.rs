//! Paths of the delta. They come from documents, so the text is checked once, here, and the holder of
//! a [`DeltaPath`] need not check it again. The file system is not asked: links are guarded against where
//! files are opened.

use std::fmt;
use std::path::Path;
use std::sync::Arc;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use thiserror::Error;

/// Directories whose content no task may touch.
const RESERVED: [&str; 2] = [".ftl", ".git"];
/// Bytes of a name, and of a path below a root: those of Linux and macOS.
const MAX_NAME: usize = 255;
const MAX_PATH: usize = 4000;

/// A path below the root, safe as far as its text can tell: relative, no `..`, normalised.
///
/// Whether it leads through a symbolic link or to a directory, only the file system can say.
#[derive(
    Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[serde(try_from = "String", into = "String")]
pub struct DeltaPath(Arc<str>);

/// Why a text cannot be a [`DeltaPath`].
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum DeltaPathProblem {
    /// Nothing but blanks.
    #[error("the path is empty")]
    Empty,
    /// It starts at the file system's root.
    #[error("`{0}` is absolute")]
    Absolute(String),
    /// It ends in `/` or `.`, or names the root itself.
    #[error("`{0}` is a directory")]
    Directory(String),
    /// A component is `..`.
    #[error("`{0}` holds `..`")]
    Parent(String),
    /// It holds a character that is a pattern, a separator elsewhere, or invisible.
    #[error("`{}` holds {}", visible(.path), describe(*.character))]
    Character {
        /// The path.
        path: String,
        /// The character.
        character: char,
    },
    /// No file system holds such a name or path.
    #[error("`{0}` is too long for a path")]
    TooLong(String),
    /// It is in `.ftl` or `.git`.
    #[error("`{path}` is in `{directory}`")]
    Reserved {
        /// The path.
        path: String,
        /// The directory.
        directory: &'static str,
    },
}

fn visible(path: &str) -> String {
    path.chars()
        .map(|c| match c.is_control() {
            true => c.escape_default().to_string(),
            false => c.to_string(),
        })
        .collect()
}

fn describe(character: char) -> String {
    match character {
        '*' | '?' => format!("the wildcard `{character}`"),
        '\\' => "a backslash".to_owned(),
        other => format!("the control character U+{:04X}", u32::from(other)),
    }
}

impl DeltaPath {
    /// Trims and normalises `text` (`./`, `//`).
    ///
    /// # Errors
    ///
    /// The first [`DeltaPathProblem`] found.
    pub fn parse(text: &str) -> Result<Self, DeltaPathProblem> {
        Self::normalised(text.trim())
    }

    fn normalised(path: &str) -> Result<Self, DeltaPathProblem> {
        if path.is_empty() {
            return Err(DeltaPathProblem::Empty);
        }
        if let Some(character) = path.chars().find(|&c| is_refused(c)) {
            return Err(DeltaPathProblem::Character { path: path.to_owned(), character });
        }
        if path.starts_with('/') {
            return Err(DeltaPathProblem::Absolute(path.to_owned()));
        }
        let longest = path.split('/').map(str::len).max().unwrap_or(0);
        if longest > MAX_NAME || path.len() > MAX_PATH {
            return Err(DeltaPathProblem::TooLong(path.to_owned()));
        }
        if path.split('/').any(|component| component == "..") {
            return Err(DeltaPathProblem::Parent(path.to_owned()));
        }
        if matches!(path.rsplit('/').next(), Some("" | ".")) {
            return Err(DeltaPathProblem::Directory(path.to_owned()));
        }
        let components: Vec<&str> =
            path.split('/').filter(|component| !matches!(*component, "" | ".")).collect();
        if let Some(directory) = components.iter().find_map(|component| reserved(component)) {
            return Err(DeltaPathProblem::Reserved { path: path.to_owned(), directory });
        }
        Ok(Self(components.join("/").into()))
    }

    /// The path, normalised, with `/` between components.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The path, to be joined to the root.
    pub fn as_path(&self) -> &Path {
        Path::new(&*self.0)
    }
}

fn is_refused(character: char) -> bool {
    matches!(character, '*' | '?' | '\\') || character.is_control()
}

/// The reserved directory that `component` means on some file system: names are compared without
/// letter case, and without the invisible characters that HFS+ ignores.
fn reserved(component: &str) -> Option<&'static str> {
    let visible: String = component.chars().filter(|&c| !is_ignorable(c)).collect();
    RESERVED.into_iter().find(|directory| visible.eq_ignore_ascii_case(directory))
}

fn is_ignorable(character: char) -> bool {
    matches!(
        character,
        '\u{200C}'..='\u{200F}' | '\u{202A}'..='\u{202E}' | '\u{206A}'..='\u{206F}' | '\u{FEFF}'
    )
}

impl fmt::Display for DeltaPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl AsRef<str> for DeltaPath {
    fn as_ref(&self) -> &str {
        &self.0
    }
}

impl AsRef<Path> for DeltaPath {
    fn as_ref(&self) -> &Path {
        self.as_path()
    }
}

impl From<DeltaPath> for String {
    fn from(path: DeltaPath) -> Self {
        path.0.as_ref().to_owned()
    }
}

impl TryFrom<String> for DeltaPath {
    type Error = DeltaPathProblem;

    /// What was a path already may begin with a blank, as that of `./ a`: nothing is trimmed.
    fn try_from(text: String) -> Result<Self, Self::Error> {
        Self::normalised(&text)
    }
}

#[cfg(test)]
mod tests {
    use super::{DeltaPath, DeltaPathProblem};

    #[test]
    fn paths_are_trimmed_and_normalised() {
        for (text, expected) in [
            ("src/a.py", "src/a.py"),
            (" \n src/a.py\t", "src/a.py"),
            ("./src//.//a.py", "src/a.py"),
            ("app/[...slug]/page.tsx", "app/[...slug]/page.tsx"),
            (".github/workflows/ci.yml", ".github/workflows/ci.yml"),
            (".gitignore", ".gitignore"),
            ("a b/ü.py", "a b/ü.py"),
        ] {
            assert_eq!(DeltaPath::parse(text).unwrap().as_str(), expected);
        }
    }

    #[test]
    fn a_path_that_could_leave_the_task_is_refused() {
        for (text, expected) in [
            ("", "the path is empty"),
            (" \t\n", "the path is empty"),
            ("/etc/passwd", "`/etc/passwd` is absolute"),
            ("../a", "`../a` holds `..`"),
            ("a/../b", "`a/../b` holds `..`"),
            ("a/..", "`a/..` holds `..`"),
            (".", "`.` is a directory"),
            ("src/", "`src/` is a directory"),
            ("src/.", "`src/.` is a directory"),
            ("src/*.py", "`src/*.py` holds the wildcard `*`"),
            ("a?.py", "`a?.py` holds the wildcard `?`"),
            ("a\\b", "`a\\b` holds a backslash"),
            ("a\nb", "`a\\nb` holds the control character U+000A"),
            ("a\u{9b}b", "`a\\u{9b}b` holds the control character U+009B"),
            (".git/config", "`.git/config` is in `.git`"),
            ("./.GIT/hooks/x", "`./.GIT/hooks/x` is in `.git`"),
            ("sub/.Git/config", "`sub/.Git/config` is in `.git`"),
            (".Ftl/workspace/x", "`.Ftl/workspace/x` is in `.ftl`"),
            (".git", "`.git` is in `.git`"),
        ] {
            let problem = DeltaPath::parse(text).unwrap_err();
            assert_eq!(problem.to_string(), expected);
        }
        let long = format!("a/{}", "b".repeat(256));
        assert_eq!(DeltaPath::parse(&long), Err(DeltaPathProblem::TooLong(long.clone())));
        assert!(DeltaPath::parse(&long[..257]).is_ok());
    }

    #[test]
    fn a_reserved_name_is_seen_behind_invisible_characters() {
        let problem = DeltaPath::parse(".g\u{200c}it/config").unwrap_err();
        assert!(matches!(problem, DeltaPathProblem::Reserved { directory: ".git", .. }));
    }

    #[test]
    fn a_path_is_a_string_in_json_and_is_checked_when_read() {
        let path: DeltaPath = serde_json::from_str("\"./a.py\"").unwrap();
        assert_eq!(serde_json::to_string(&path).unwrap(), "\"a.py\"");
        assert!(serde_json::from_str::<DeltaPath>("\"../a.py\"").is_err());
        let blank = DeltaPath::parse("./ a.py").unwrap();
        let json = serde_json::to_string(&blank).unwrap();
        assert_eq!(serde_json::from_str::<DeltaPath>(&json).unwrap(), blank);
    }
}
