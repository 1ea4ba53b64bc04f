//! The table of languages: one row each, in the order of their names.
//!
//! A row exists whether or not the language's cargo feature is on, so that a file is recognised and
//! reported as unchecked by its language rather than as unknown.

use std::path::Path;

use super::Language;
use crate::decode::{self, Decode};
use crate::languages::Check;

/// All that has to be known about a language outside its own file.
pub(super) struct Row {
    pub(super) language: Language,
    pub(super) name: &'static str,
    /// Lower case, without the dot.
    pub(super) extensions: &'static [&'static str],
    /// Whole file names that say more than the extension.
    pub(super) file_names: &'static [&'static str],
    /// Paths recognised by a rule.
    pub(super) claims: fn(&Path) -> bool,
    pub(super) decode: Decode,
    /// `None` when built without the language's feature.
    pub(super) check: Option<Check>,
}

/// The checker when its feature is on.
macro_rules! built {
    ($feature:literal, $check:path) => {{
        #[cfg(feature = $feature)]
        let check: Option<Check> = Some($check);
        #[cfg(not(feature = $feature))]
        let check: Option<Check> = None;
        check
    }};
}

#[cfg(feature = "python")]
use crate::languages::python::decode as python_text;
#[cfg(not(feature = "python"))]
use decode::utf8 as python_text;

#[cfg(any(feature = "javascript", feature = "typescript"))]
use decode::lossy as ecmascript_text;
#[cfg(not(any(feature = "javascript", feature = "typescript")))]
use decode::utf8 as ecmascript_text;

pub(super) static ROWS: &[Row] = &[
    Row {
        language: Language::Go,
        name: "go",
        extensions: &["go"],
        file_names: &[],
        claims: never,
        decode: decode::utf8,
        check: built!("go", crate::languages::go::check),
    },
    Row {
        language: Language::JavaScript,
        name: "javascript",
        extensions: &["js", "mjs", "cjs"],
        file_names: &[],
        claims: never,
        decode: ecmascript_text,
        check: built!("javascript", crate::languages::javascript::check),
    },
    Row {
        language: Language::Json,
        name: "json",
        // `.ipynb`: a notebook is JSON as a file, whatever its cells are written in.
        extensions: &["json", "geojson", "webmanifest", "ipynb"],
        file_names: &["Pipfile.lock", "composer.lock", "flake.lock"],
        claims: never,
        decode: decode::utf8,
        check: built!("json", crate::languages::json::check),
    },
    Row {
        language: Language::Jsonc,
        name: "jsonc",
        extensions: &["jsonc", "code-workspace"],
        file_names: &[
            // Names that tools read with comments although nothing in the name says so.
            ".babelrc",
            ".devcontainer.json",
            ".eslintrc",
            ".eslintrc.json",
            ".jshintrc",
            ".swcrc",
            "api-extractor.json",
            "bun.lock",
            "deno.json",
            "devcontainer.json",
            "turbo.json",
            "typedoc.json",
        ],
        claims: is_commented_json,
        decode: decode::utf8,
        check: built!("json", crate::languages::json::check_with_comments),
    },
    Row {
        language: Language::Jsx,
        name: "jsx",
        extensions: &["jsx"],
        file_names: &[],
        claims: never,
        decode: ecmascript_text,
        check: built!("javascript", crate::languages::javascript::check_jsx),
    },
    Row {
        language: Language::Python,
        name: "python",
        extensions: &["py", "pyi", "pyw"],
        file_names: &["SConscript", "SConstruct"],
        claims: never,
        decode: python_text,
        check: built!("python", crate::languages::python::check),
    },
    Row {
        language: Language::Rust,
        name: "rust",
        extensions: &["rs"],
        file_names: &[],
        claims: never,
        decode: decode::utf8,
        check: built!("rust", crate::languages::rust::check),
    },
    Row {
        language: Language::Toml,
        name: "toml",
        extensions: &["toml"],
        file_names: &["Cargo.lock", "Pipfile", "poetry.lock", "uv.lock"],
        claims: never,
        decode: decode::utf8,
        check: built!("toml", crate::languages::toml::check),
    },
    Row {
        language: Language::Tsx,
        name: "tsx",
        extensions: &["tsx"],
        file_names: &[],
        claims: never,
        decode: ecmascript_text,
        check: built!("typescript", crate::languages::typescript::check_tsx),
    },
    Row {
        language: Language::TypeScript,
        name: "typescript",
        extensions: &["ts", "mts", "cts"],
        file_names: &[],
        claims: never,
        decode: ecmascript_text,
        check: built!("typescript", crate::languages::typescript::check),
    },
    Row {
        language: Language::Yaml,
        name: "yaml",
        extensions: &["yaml", "yml"],
        file_names: &[".clang-format", ".clang-tidy", "CITATION.cff", "pubspec.lock"],
        claims: never,
        decode: decode::utf8,
        check: built!("yaml", crate::languages::yaml::check),
    },
];

fn never(_: &Path) -> bool {
    false
}

/// `tsconfig*.json`, `jsconfig*.json`, and whatever JSON lies in `.vscode` or `.devcontainer`.
fn is_commented_json(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let is_json = path.extension().is_some_and(|extension| extension == "json");
    let parent = path.parent().and_then(Path::file_name).unwrap_or_default();
    is_json
        && (name.starts_with("tsconfig")
            || name.starts_with("jsconfig")
            || parent == ".vscode"
            || parent == ".devcontainer")
}
