//! The texts of delta files: marks, names and syntax, as far as the rules know them. They are no
//! real programs.

use std::collections::{BTreeMap, BTreeSet};

/// What a delta file's name says about how its text is written and judged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Language {
    Plain,
    Json,
    Toml,
    Python,
    Rust,
    JavaScript,
}

impl Language {
    pub(super) fn of(path: &str) -> Self {
        match path.rsplit('.').next() {
            Some("json") => Self::Json,
            Some("toml") => Self::Toml,
            Some("py") => Self::Python,
            Some("rs") => Self::Rust,
            Some("js") => Self::JavaScript,
            _ => Self::Plain,
        }
    }

    /// Whether preflight has a checker for it; without one a file is never invalid.
    pub(super) fn is_checked(self) -> bool {
        self != Self::Plain
    }

    /// Whether its files define names.
    pub(super) fn has_names(self) -> bool {
        matches!(self, Self::Python | Self::Rust | Self::JavaScript)
    }

    /// Whether a name that is gone is noticed.
    pub(super) fn exports_are_judged(self) -> bool {
        self == Self::Python
    }

    fn mark(self, mark: &str, place: usize) -> String {
        match self {
            Self::Plain => format!("{mark}\n"),
            Self::Json => format!("  \"{place} {mark}\": true,\n"),
            Self::Toml => format!("\"{place} {mark}\" = true\n"),
            Self::Python => format!("# {mark}\n"),
            Self::Rust | Self::JavaScript => format!("// {mark}\n"),
        }
    }

    fn serial(self, serial: u32) -> String {
        match self {
            Self::Plain => format!("serial {serial}\n"),
            Self::Json => format!("  \"serial\": {serial}\n}}\n"),
            Self::Toml | Self::Python => format!("serial = {serial}\n"),
            Self::Rust => format!("pub const SERIAL: u32 = {serial};\n"),
            Self::JavaScript => format!("const serial = {serial};\n"),
        }
    }

    fn broken(self) -> &'static str {
        match self {
            Self::Plain => "left open (\n",
            Self::Json => "}]\n",
            Self::Toml => "broken = = [\n",
            Self::Python => "def broken(:\n    return ]\n",
            Self::Rust => "pub fn broken( {{ ]\n",
            Self::JavaScript => "function broken( {{ ]\n",
        }
    }

    fn name(self, name: &str) -> String {
        let constant = is_constant(name);
        match self {
            Self::Plain | Self::Json | Self::Toml => String::new(),
            Self::Python if constant => format!("{name} = 1\n"),
            Self::Python => format!("def {name}():\n    return 1\n"),
            Self::Rust if constant => format!("pub const {name}: u32 = 1;\n"),
            Self::Rust => format!("pub fn {name}() -> u32 {{\n    1\n}}\n"),
            Self::JavaScript if constant => format!("export const {name} = 1;\n"),
            Self::JavaScript => format!("export function {name}() {{\n  return 1;\n}}\n"),
        }
    }
}

fn is_constant(name: &str) -> bool {
    name.chars().all(|letter| letter.is_ascii_uppercase())
}

/// A name as `exports` lists it: a callable carries parentheses.
pub(super) fn listed(name: &str) -> String {
    if is_constant(name) { name.to_owned() } else { format!("{name}()") }
}

/// A file's content, by what matters to the rules. Two texts are equal exactly when their bytes are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Text {
    /// Distinguishes otherwise equal contents.
    pub(super) serial: u32,
    /// Refused by every parser of the language.
    pub(super) broken: bool,
    /// How often the words occur that idioms look for, each time on a separate line.
    pub(super) marks: BTreeMap<&'static str, usize>,
    /// Names defined at module level.
    pub(super) names: BTreeSet<&'static str>,
    /// Names re-exported from a sibling module, as (name, module); Python only.
    pub(super) imports: BTreeSet<(&'static str, String)>,
}

impl Text {
    pub(super) fn plain(serial: u32) -> Self {
        Self {
            serial,
            broken: false,
            marks: BTreeMap::new(),
            names: BTreeSet::new(),
            imports: BTreeSet::new(),
        }
    }

    pub(super) fn render(&self, language: Language) -> String {
        let mut out = String::new();
        if language == Language::Json {
            out.push_str("{\n");
        }
        for (mark, count) in &self.marks {
            for place in 0..*count {
                out.push_str(&language.mark(mark, place));
            }
        }
        for (name, module) in &self.imports {
            out.push_str(&format!("from {module} import {name}\n"));
        }
        out.push_str(&language.serial(self.serial));
        for name in &self.names {
            out.push_str(&language.name(name));
        }
        if self.broken {
            out.push_str(language.broken());
        }
        out
    }
}

/// The current state of a file in the tree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct File {
    pub(super) text: Text,
    pub(super) executable: bool,
}

impl File {
    pub(super) fn of(text: Text) -> Self {
        Self { text, executable: false }
    }
}
