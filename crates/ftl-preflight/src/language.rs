//! How to tell a file's language, and the facts about a language. They are in the table in
//! `languages/`.

#[cfg(feature = "toolchain")]
use std::collections::BTreeSet;
use std::fmt;
use std::path::Path;
use std::str::FromStr;

use crate::Language;
use crate::decode::Decode;
use crate::finding::Check;
use crate::languages::{LanguageRow, ROWS};
use crate::read;
#[cfg(feature = "toolchain")]
use crate::toolchain::front_end::FrontEnd;

/// Bytes read of a file without an extension, to find the program in its `#!` line.
const SHEBANG: u64 = 128;

impl Language {
    /// The language of a file by its name: by its whole name, then by rules about its directory,
    /// then by extension, whose case does not matter.
    ///
    /// ```
    /// use ftl_preflight::Language;
    /// use std::path::Path;
    ///
    /// assert_eq!(Language::of_path(Path::new("src/app.tsx")), Some(Language::Tsx));
    /// assert_eq!(Language::of_path(Path::new("tsconfig.build.json")), Some(Language::Jsonc));
    /// assert_eq!(Language::of_path(Path::new("README")), None);
    /// ```
    #[must_use]
    pub fn of_path(path: &Path) -> Option<Self> {
        let name = path.file_name()?.to_string_lossy();
        let extension = path.extension().and_then(|it| it.to_str()).unwrap_or_default();
        let extension = extension.to_ascii_lowercase();
        // The most particular first: `Pipfile.lock` is JSON, whatever `lock` means elsewhere, and a
        // `tsconfig.json` is more than its extension says.
        let by_name = ROWS.iter().find(|row| row.file_names.contains(&name.as_ref()));
        let row = by_name
            .or_else(|| ROWS.iter().find(|row| (row.claims)(path)))
            .or_else(|| ROWS.iter().find(|row| row.extensions.contains(&extension.as_str())))?;
        Some(row.language)
    }

    /// The language of a file by its name, else, if the name has no extension, by the program in
    /// the `#!` line of its content.
    ///
    /// ```
    /// use ftl_preflight::Language;
    /// use std::path::Path;
    ///
    /// let script = b"#!/usr/bin/env python3\nprint()\n";
    /// assert_eq!(Language::of_source(Path::new("run"), script), Some(Language::Python));
    /// ```
    #[must_use]
    pub fn of_source(path: &Path, bytes: &[u8]) -> Option<Self> {
        Self::of_path(path).or_else(|| {
            let program = if path.extension().is_none() { interpreter(bytes) } else { None }?;
            ROWS.iter().find(|row| is_run_by(row, program)).map(|row| row.language)
        })
    }

    /// The language of a file on disk, of which no more than the `#!` line is read, and only if
    /// its name says nothing.
    #[must_use]
    pub fn of_file(path: &Path) -> Option<Self> {
        Self::of_path(path).or_else(|| {
            if path.extension().is_some() {
                return None;
            }
            Self::of_source(path, &read::start(path, SHEBANG).ok()?)
        })
    }

    /// Every language in the table, in the order of their names.
    ///
    /// ```
    /// use ftl_preflight::Language;
    ///
    /// let names: Vec<_> = Language::all().map(Language::name).collect();
    /// assert!(names.contains(&"python"));
    /// ```
    pub fn all() -> impl Iterator<Item = Self> {
        ROWS.iter().map(|row| row.language)
    }

    /// The name in JSON and on a command line.
    ///
    /// ```
    /// assert_eq!(ftl_preflight::Language::Go.name(), "go");
    /// ```
    #[must_use]
    pub fn name(self) -> &'static str {
        self.row().name
    }

    /// Extensions that mean this language, lower case, without the dot.
    ///
    /// ```
    /// assert!(ftl_preflight::Language::Python.extensions().contains(&"pyi"));
    /// ```
    #[must_use]
    pub fn extensions(self) -> &'static [&'static str] {
        self.row().extensions
    }

    /// Whole file names that mean this language, whatever their extension.
    ///
    /// ```
    /// assert!(ftl_preflight::Language::Toml.file_names().contains(&"Cargo.lock"));
    /// ```
    #[must_use]
    pub fn file_names(self) -> &'static [&'static str] {
        self.row().file_names
    }

    /// The embedded parser, in a few words.
    ///
    /// ```
    /// assert_eq!(ftl_preflight::Language::Json.parser(), "serde_json");
    /// ```
    #[must_use]
    pub fn parser(self) -> &'static str {
        self.row().parser
    }

    /// The cargo feature that builds its checker.
    ///
    /// ```
    /// assert_eq!(ftl_preflight::Language::Tsx.feature(), "typescript");
    /// ```
    #[must_use]
    pub fn feature(self) -> &'static str {
        self.row().feature
    }

    /// Programs in the `#!` line of a file without an extension that mean this language.
    ///
    /// ```
    /// assert!(ftl_preflight::Language::Python.interpreters().contains(&"python3"));
    /// ```
    #[must_use]
    pub fn interpreters(self) -> &'static [&'static str] {
        self.row().interpreters
    }

    /// The usual command that checks one file, with the path for `{file}`; empty if there is none.
    ///
    /// ```
    /// assert_eq!(ftl_preflight::Language::Rust.usual_command()[0], "rustc");
    /// ```
    #[must_use]
    pub fn usual_command(self) -> &'static [&'static str] {
        self.row().usual_command
    }

    /// The program whose parser is asked as the language's own front end: one of
    /// [`front_ends`](crate::front_ends). `None` where there is none to ask.
    ///
    /// ```
    /// use ftl_preflight::{Language, front_ends};
    ///
    /// assert_eq!(Language::Go.front_end(), Some("gofmt"));
    /// assert!(Language::all().filter_map(Language::front_end).all(|it| front_ends().contains(it)));
    /// ```
    #[cfg(feature = "toolchain")]
    #[must_use]
    pub fn front_end(self) -> Option<&'static str> {
        self.referee().map(|it| it.programs[0])
    }

    #[cfg(feature = "toolchain")]
    pub(crate) fn referee(self) -> Option<&'static FrontEnd> {
        self.row().front_end.as_ref()
    }

    /// Whether this build can check it.
    ///
    /// ```
    /// use ftl_preflight::Language;
    ///
    /// let checked: Vec<_> = Language::all().filter(|language| language.is_built()).collect();
    /// ```
    #[must_use]
    pub fn is_built(self) -> bool {
        self.row().check.is_some()
    }

    pub(crate) fn check(self) -> Option<Check> {
        self.row().check
    }

    pub(crate) fn decode(self) -> Decode {
        self.row().decode
    }

    fn row(self) -> &'static LanguageRow {
        // The macro that makes the table puts the rows in the order of the variants.
        &ROWS[self as usize]
    }
}

/// The programs that front ends start: a caller that is about to let other processes write can look
/// them up before.
///
/// ```
/// assert!(ftl_preflight::front_ends().contains("rustc"));
/// ```
#[cfg(feature = "toolchain")]
#[must_use]
pub fn front_ends() -> BTreeSet<&'static str> {
    let all = ROWS.iter().filter_map(|row| row.front_end.as_ref());
    all.flat_map(|it| it.programs.iter().copied()).collect()
}

/// Those of [`front_ends`] that check a file of this name; all of them where the name does not say its language.
///
/// ```
/// # use std::path::Path;
/// assert!(!ftl_preflight::front_ends_of(Path::new("a.py")).contains("rustc"));
/// ```
#[cfg(feature = "toolchain")]
#[must_use]
pub fn front_ends_of(path: &Path) -> BTreeSet<&'static str> {
    let Some(language) = Language::of_path(path) else {
        return front_ends();
    };
    let own = language.row().front_end.iter();
    own.flat_map(|it| it.programs.iter().copied()).collect()
}

/// The program in a `#!` line, without its directory; behind `env`, the program that it runs.
pub(crate) fn interpreter(bytes: &[u8]) -> Option<&str> {
    let line = bytes.strip_prefix(b"#!")?.split(|&byte| byte == b'\n').next()?;
    let mut words = str::from_utf8(line).ok()?.split_ascii_whitespace();
    let program = words.next()?.rsplit('/').next()?;
    if program != "env" {
        return Some(program);
    }
    // Options of `env`, such as `-S`, and variables that it sets.
    words.find(|word| !word.starts_with('-') && !word.contains('='))?.rsplit('/').next()
}

/// Whether a language is the program's, which may carry a version: `python3.11`.
fn is_run_by(row: &LanguageRow, program: &str) -> bool {
    let is_version = |rest: &str| rest.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
    let is_named = |name: &&str| {
        program
            .strip_prefix(*name)
            .is_some_and(|rest| rest.is_empty() || (rest.starts_with('.') && is_version(rest)))
    };
    row.interpreters.iter().any(is_named)
}

impl fmt::Display for Language {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// No language has this name.
///
/// ```
/// let error = "klingon".parse::<ftl_preflight::Language>().unwrap_err();
/// assert_eq!(error.to_string(), "unknown language `klingon`");
/// ```
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("unknown language `{0}`")]
#[non_exhaustive]
pub struct UnknownLanguage(pub String);

impl FromStr for Language {
    type Err = UnknownLanguage;

    /// A name, or an extension with or without its dot.
    ///
    /// ```
    /// use ftl_preflight::Language;
    ///
    /// assert_eq!("rust".parse(), Ok(Language::Rust));
    /// assert_eq!(".rs".parse(), Ok(Language::Rust));
    /// assert!("klingon".parse::<Language>().is_err());
    /// ```
    fn from_str(name: &str) -> Result<Self, Self::Err> {
        let wanted = name.strip_prefix('.').unwrap_or(name).to_ascii_lowercase();
        let named = ROWS.iter().find(|row| row.name == wanted);
        let row = named.or_else(|| ROWS.iter().find(|row| row.extensions.contains(&&*wanted)));
        row.map(|row| row.language).ok_or_else(|| UnknownLanguage(name.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use std::path::Path;

    use super::{Language, ROWS};

    #[test]
    fn every_language_has_one_row_and_no_two_claim_the_same_name() {
        let (mut seen, mut interpreters) = (HashSet::new(), HashSet::new());
        for row in ROWS {
            assert!(seen.insert(row.name), "{} twice", row.name);
            for &extension in row.extensions {
                assert!(seen.insert(extension) || extension == row.name, "{extension} twice");
                assert_eq!(extension, extension.to_ascii_lowercase());
                assert!(!extension.starts_with('.'));
            }
            for &name in row.file_names {
                assert!(seen.insert(name), "{name} twice");
            }
            for &interpreter in row.interpreters {
                assert!(interpreters.insert(interpreter), "{interpreter} twice");
            }
            assert_eq!(row.language.name(), row.name);
            assert_eq!(row.name.parse(), Ok(row.language));
            assert!(!row.parser.is_empty() && !row.extensions.is_empty(), "{}", row.name);
        }
        assert!(ROWS.is_sorted_by_key(|row| row.name));
    }

    #[test]
    fn a_shebang_names_the_language_of_a_file_without_an_extension() {
        let cases = [
            ("run", "#!/usr/bin/python3\n", Some(Language::Python)),
            ("run", "#! /usr/bin/env -S A=1 python3.11 -u\n", Some(Language::Python)),
            ("run", "#!/usr/bin/python2\n", None),
            ("run", "#!/usr/bin/env\n", None),
            ("run", "python3\n", None),
            ("run.txt", "#!/usr/bin/python3\n", None),
            ("run.rs", "#!/usr/bin/python3\n", Some(Language::Rust)),
        ];
        for (name, text, expected) in cases {
            let found = Language::of_source(Path::new(name), text.as_bytes());
            assert_eq!(found, expected, "{name} {text:?}");
        }
    }
}
