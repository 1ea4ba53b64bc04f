//! Would this language's own front end accept this file's syntax?
//!
//! One question, asked of a file or of bytes in memory, and answered by parsers inside the
//! process: no tool has to be installed, nothing is written, nothing of the checked file is
//! run. There is no lint, no type check and no build here, and no notion of a project beyond
//! what decides how a file is to be read: the nearest `package.json` (`"type"`) and the nearest
//! `Cargo.toml` (`edition`).
//!
//! ```
//! use ftl_preflight::{Status, check};
//!
//! let report = check("greet.py", "def greet(:\n    pass\n");
//!
//! let Status::Invalid(diagnostics) = &report.status else { panic!("accepted") };
//! assert_eq!((diagnostics[0].line, diagnostics[0].column), (1, 11));
//! ```
//!
//! A [`Checker`] is made once and checks many files, from memory or from disk:
//!
//! ```
//! use ftl_preflight::{Checker, CheckerName, Options, Source, Status};
//!
//! let checker = Checker::new(Options::default().with_checker(CheckerName::Embedded));
//! let report = checker.check_source(Source::new("app.ts", "let total: number = ;\n"));
//!
//! assert!(matches!(report.status, Status::Invalid(_)));
//! for found in report.diagnostics() {
//!     println!("app.ts:{}:{}: {}", found.line, found.column, found.message);
//! }
//! ```
//!
//! # Verdicts
//!
//! A file is [`Valid`](Status::Valid), [`Invalid`](Status::Invalid) with at least one
//! [`Diagnostic`], or [`Unchecked`](Status::Unchecked) with a [`Reason`]. Unchecked is not a
//! polite word for valid: it says that the file was not looked at.
//!
//! # Safety
//!
//! Recursive parsers end the process when the stack ends. So nesting is measured before they see
//! a file, they run on a thread whose stack is deep enough for
//! [that much](Options::with_nesting), and what is nested more deeply is unchecked; a parser that
//! panics makes its file unchecked too. Go, JSON and YAML are parsed without recursion beyond a
//! bound, Python and Rust are measured on their own tokens. Where a regular expression, a template
//! or an element's text ends in JavaScript and TypeScript is decided by rules of thumb in that
//! measure; a file of more than a hundred thousand tokens could be written to deceive them. To
//! check such files from people you do not trust, have a disposable process parse them first
//! (`Options::with_scout`, with the feature `toolchain`).
//!
//! # Cost
//!
//! Linking the crate starts no thread and builds no table; the first check starts one thread,
//! which the [`Checker`] keeps. [`Checker::check_many`] uses every core.
//!
//! # Features
//!
//! Each language is a cargo feature ([`Language::feature`]), all on by default. `serde` makes
//! reports serializable, `miette` makes diagnostics ones that miette draws. `toolchain` adds the
//! checkers that ask installed tools, and makes the hybrid of both the default: what the parser
//! here accepts is valid, and what it refuses is shown to the language's own front end, so that
//! a file is never called invalid when its compiler, being present, accepts it.

// A build with few languages does without some of the code that they share.
#![cfg_attr(not(feature = "default"), allow(dead_code))]

mod checker;
mod checker_name;
mod decode;
mod diagnostic;
mod embedded;
mod finding;
mod judge;
mod language;
mod languages;
mod manifest;
mod marks;
mod nesting;
mod options;
mod position;
mod read;
mod report;
mod source;
#[cfg(feature = "toolchain")]
mod toolchain;
mod worker;

pub use crate::checker::{Checker, check};
pub use crate::checker_name::{CheckerName, UnknownChecker};
pub use crate::diagnostic::{Diagnostic, Severity};
pub use crate::language::UnknownLanguage;
#[cfg(feature = "toolchain")]
pub use crate::language::{front_ends, front_ends_of};
pub use crate::languages::Language;
pub use crate::options::{Options, PythonVersion};
pub use crate::read::{LARGEST, read_source};
pub use crate::report::{Reason, Report, Status};
pub use crate::source::Source;
pub use crate::worker::THREAD;
