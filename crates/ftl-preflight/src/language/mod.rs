//! Languages, and how to tell them by a path. What is known of each is in `table.rs`.

mod table;

use std::fmt;
use std::path::Path;
use std::str::FromStr;

use self::table::{ROWS, Row};
use crate::decode::Decode;
use crate::languages::Check;

/// A language that can be recognised. Whether it can also be checked depends on cargo features.
///
/// ```
/// use ftl_preflight::Language;
///
/// assert_eq!(Language::TypeScript.to_string(), "typescript");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Language {
    /// Go.
    Go,
    /// JavaScript: module, CommonJS or script.
    JavaScript,
    /// JSON as RFC 8259 has it.
    Json,
    /// JSON with comments and trailing commas, as TypeScript and editors read their settings.
    Jsonc,
    /// JavaScript with JSX.
    Jsx,
    /// Python 3, and its stubs.
    Python,
    /// Rust.
    Rust,
    /// TOML.
    Toml,
    /// TypeScript with JSX.
    Tsx,
    /// TypeScript, and its declaration files.
    TypeScript,
    /// YAML 1.2: one document or many.
    Yaml,
}

impl Language {
    /// The language of a file by its name: by its whole name, then by rules about where it
    /// lies, then by extension, whose case does not matter.
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
        let name = path.file_name()?.to_str()?;
        let extension = path.extension().and_then(|it| it.to_str()).unwrap_or_default();
        let extension = extension.to_ascii_lowercase();
        // The most particular first: `Pipfile.lock` is JSON, whatever `lock` means elsewhere, and a
        // `tsconfig.json` is more than its extension says.
        let by_name = ROWS.iter().find(|row| row.file_names.contains(&name));
        let row = by_name
            .or_else(|| ROWS.iter().find(|row| (row.claims)(path)))
            .or_else(|| ROWS.iter().find(|row| row.extensions.contains(&extension.as_str())))?;
        Some(row.language)
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

    /// The program whose parser is asked as the language's own front end: one of
    /// [`FRONT_ENDS`](crate::FRONT_ENDS). `None` where there is none to ask.
    ///
    /// ```
    /// use ftl_preflight::{FRONT_ENDS, Language};
    ///
    /// assert_eq!(Language::Go.front_end(), Some("gofmt"));
    /// assert!(Language::all().filter_map(Language::front_end).all(|it| FRONT_ENDS.contains(&it)));
    /// ```
    #[cfg(feature = "toolchain")]
    #[must_use]
    pub fn front_end(self) -> Option<&'static str> {
        crate::toolchain::front_end(self)
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

    fn row(self) -> &'static Row {
        ROWS.iter()
            .find(|row| row.language == self)
            .expect("because a test finds a row for every variant")
    }
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

    use super::{Language, ROWS};

    #[test]
    fn every_language_has_one_row_and_no_two_claim_the_same_name() {
        let mut seen = HashSet::new();
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
            assert_eq!(row.language.name(), row.name);
            assert_eq!(row.name.parse(), Ok(row.language));
        }
        assert!(ROWS.is_sorted_by_key(|row| row.name));
    }

    /// Lists variants, and fails to compile when one of the enum is missing from the list.
    macro_rules! every_variant {
        ($($variant:ident),+ $(,)?) => {{
            // The match has no catch-all arm: this is what makes the list complete.
            let _is_listed = |language| match language {
                $(Language::$variant => (),)+
            };
            [$(Language::$variant),+]
        }};
    }

    #[test]
    fn every_variant_has_a_row_in_the_table() {
        let variants = every_variant![
            Go, JavaScript, Json, Jsonc, Jsx, Python, Rust, Toml, Tsx, TypeScript, Yaml,
        ];
        for language in variants {
            let rows = ROWS.iter().filter(|row| row.language == language);
            assert_eq!(rows.count(), 1, "{language:?}");
        }
        assert_eq!(Language::all().count(), variants.len());
    }
}
