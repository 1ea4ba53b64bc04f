//! What must hold whatever the bytes are. A target is a name for them; each is in `targets/`.

mod configuration;
mod failure;
mod journal;
mod known;
#[allow(dead_code, reason = "only a part of it is fuzzed")]
#[path = "../../crates/ftl-cli/src/limits.rs"]
mod limits;
mod output;
mod patch;
mod places;
mod redaction;
mod reply;
mod workspace;

use std::sync::LazyLock;

pub use configuration::configuration;
pub use ftl_tree::git_answer as git;
pub use journal::journal;
pub use output::{output, pattern};
pub use patch::patch;
pub use redaction::redaction;
pub use reply::reply;
pub use workspace::workspace;

use ftl_preflight::{Checker, CheckerName, Options, Reason, Report, Source, Status};

/// Checks bytes as a file of this name, twice, and panics when a promise about reports is broken.
///
/// # Panics
///
/// Two reports differ, a place is outside of the file, a file is invalid for no reason, or a
/// parser gave way.
pub fn syntax(name: &str, bytes: &[u8]) {
    static CHECKER: LazyLock<Checker> = LazyLock::new(|| {
        known::tolerate();
        Checker::new(Options::default().with_checker(CheckerName::Embedded))
    });
    let check = || CHECKER.check_source(Source::new(&format!("/nowhere/{name}"), bytes));
    let report = check();
    keeps_promises(&report, bytes);
    assert_eq!(report, check(), "two checks of the same bytes differ");
}

fn keeps_promises(report: &Report, bytes: &[u8]) {
    assert!(report.language.is_some(), "the target has a language");
    assert_eq!(report.overruled, None, "no other checker was asked");
    match &report.status {
        Status::Valid => {}
        Status::Invalid(found) => {
            assert!(!found.is_empty(), "invalid without a diagnostic");
            places::are_consistent(found, bytes);
        }
        Status::Unchecked { reason } => match reason {
            // A script names another shell, a notebook another language.
            Reason::TooDeep | Reason::Encoding(_) | Reason::Template | Reason::UnknownLanguage => {}
            Reason::CheckerFailed(_) if known::has_panicked() => {}
            // A limit of HCL's check, which parses a file again for each repeated key.
            Reason::CheckerFailed(limit) if limit == "too many repeated keys" => {}
            reason => panic!("unchecked: {reason}"),
        },
        status => panic!("{status:?}"),
    }
}
