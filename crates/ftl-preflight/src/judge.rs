//! From a path or bytes to a report: finds the language and the checker. To be called on a deep
//! stack.

use std::path::Path;
use std::{fs, io};

use crate::embedded;
use crate::finding::Setting;
use crate::manifest::Manifests;
use crate::marks;
use crate::read::read_source;
use crate::report::Verdict;
use crate::{CheckerName, Language, Options, Reason, Report, Status};

/// Reads and judges a file. A file of no known language is not read, but for its first line where
/// that may name one.
pub(crate) fn judge_file(path: &Path, options: &Options, manifests: &Manifests) -> Report {
    let language = Language::of_file(path);
    // A file with a command is read although its language may have no row in the table.
    if !has_command(path, options)
        && let Err(reason) = known(language)
    {
        return unchecked(path, options.checker, reason);
    }
    match read_source(path) {
        Ok(bytes) => judge_bytes(path, None, &bytes, options, manifests),
        Err(error) => unchecked(path, options.checker, unreadable(path, &error)),
    }
}

#[cfg(feature = "toolchain")]
fn has_command(path: &Path, options: &Options) -> bool {
    options.has_command(path)
}

#[cfg(not(feature = "toolchain"))]
fn has_command(_: &Path, _: &Options) -> bool {
    false
}

fn unreadable(path: &Path, error: &io::Error) -> Reason {
    match (error.kind(), fs::metadata(path)) {
        (io::ErrorKind::FileTooLarge, Ok(metadata)) => Reason::TooLarge(metadata.len()),
        _ => Reason::Unreadable(error.to_string()),
    }
}

/// Judges what is, or will be, stored under a path. A command of the options decides, unless the caller
/// names the language.
pub(crate) fn judge_bytes(
    path: &Path,
    language: Option<Language>,
    bytes: &[u8],
    options: &Options,
    manifests: &Manifests,
) -> Report {
    #[cfg(feature = "toolchain")]
    if language.is_none()
        && let Some(verdict) = crate::toolchain::judge_by_command(path, bytes, options)
    {
        return report(path, Language::of_source(path, bytes), verdict);
    }
    let language = language.or_else(|| Language::of_source(path, bytes));
    let setting = match known(language) {
        Ok(language) => Setting { language, path, options, manifests },
        Err(reason) => {
            return Report { language, ..unchecked(path, options.checker, reason) };
        }
    };
    let verdict = match options.checker {
        CheckerName::Embedded => {
            Verdict::of(CheckerName::Embedded, embedded::parse(bytes, &setting))
        }
        #[cfg(feature = "toolchain")]
        CheckerName::Toolchain | CheckerName::Hybrid | CheckerName::Literal => {
            crate::toolchain::judge(bytes, &setting)
        }
    };
    report(path, language, unless_marked(verdict, &setting, bytes))
}

/// Leaves a refused file unchecked that is a template, or in another format. The seed's command is
/// taken at its word.
fn unless_marked(verdict: Verdict, setting: &Setting<'_>, bytes: &[u8]) -> Verdict {
    let Status::Invalid(found) = &verdict.status else { return verdict };
    #[cfg(feature = "toolchain")]
    if verdict.checker == CheckerName::Literal {
        return verdict;
    }
    match marks::reason(setting.path, setting.language, bytes, found) {
        Some(reason) => Verdict { status: Status::Unchecked { reason }, ..verdict },
        None => verdict,
    }
}

fn report(path: &Path, language: Option<Language>, verdict: Verdict) -> Report {
    let Verdict { checker, status, overruled } = verdict;
    Report { path: path.to_owned(), language, checker, status, overruled }
}

/// A report on a file that was not looked at.
pub(crate) fn unchecked(path: &Path, checker: CheckerName, reason: Reason) -> Report {
    Report {
        path: path.to_owned(),
        language: Language::of_path(path),
        checker,
        status: Status::Unchecked { reason },
        overruled: None,
    }
}

fn known(language: Option<Language>) -> Result<Language, Reason> {
    match language {
        None => Err(Reason::UnknownLanguage),
        Some(language) if !language.is_built() => Err(Reason::NotBuilt(language)),
        Some(language) => Ok(language),
    }
}
