//! The languages that structural rules read, and their names.

/// A language with a grammar.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(not(feature = "structural"), allow(dead_code))]
pub(in crate::quality) enum Language {
    Python,
    JavaScript,
    TypeScript,
    Tsx,
    Go,
    Rust,
}

#[cfg_attr(not(feature = "structural"), allow(dead_code))]
impl Language {
    /// The languages that a name means: `typescript` is both of its dialects.
    pub(super) fn named(name: &str) -> &'static [Self] {
        match name.trim().to_ascii_lowercase().as_str() {
            "python" | "py" => &[Self::Python],
            "javascript" | "js" | "jsx" => &[Self::JavaScript],
            "typescript" | "ts" => &[Self::TypeScript, Self::Tsx],
            "tsx" => &[Self::Tsx],
            "go" | "golang" => &[Self::Go],
            "rust" | "rs" => &[Self::Rust],
            _ => &[],
        }
    }

    /// The language of a file, by its name.
    pub(in crate::quality) fn of_path(path: &str) -> Option<Self> {
        let (_, ending) = path.rsplit_once('.')?;
        Some(match ending {
            "py" | "pyi" | "pyw" => Self::Python,
            "js" | "mjs" | "cjs" | "jsx" => Self::JavaScript,
            "ts" | "mts" | "cts" => Self::TypeScript,
            "tsx" => Self::Tsx,
            "go" => Self::Go,
            "rs" => Self::Rust,
            _ => return None,
        })
    }
}
