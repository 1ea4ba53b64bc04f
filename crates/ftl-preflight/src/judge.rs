//! From bytes to a report: the language, the text, the checker, the places. To be called on a deep
//! stack.

use std::path::Path;
use std::{fs, io};

use crate::decode::{DecodeError, NotText, Text};
use crate::languages::{Finding, MOST_FINDINGS, Outcome, Setting};
use crate::manifest::Manifests;
use crate::position::LineIndex;
use crate::read::{LARGEST, read_source};
use crate::{CheckerName, Diagnostic, Language, Options, Reason, Report, Severity, Status};

/// Reads and judges a file. It is not read if nothing here can tell anything about it.
pub(crate) fn judge_file(path: &Path, options: &Options, manifests: &Manifests) -> Report {
    #[cfg(feature = "toolchain")]
    // A configured command comes first: it may be for a language that has no row in the table.
    if let Some(report) = crate::toolchain::judge_by_command(path, options) {
        return report;
    }
    // Asked before reading: a directory full of images is not read to say that none of them is
    // source.
    if let Err(reason) = known(Language::of_path(path)) {
        return unchecked(path, options.checker, reason);
    }
    match read_source(path) {
        Ok(bytes) => judge_bytes(path, None, &bytes, options, manifests),
        Err(error) => unchecked(path, options.checker, unreadable(path, &error)),
    }
}

fn unreadable(path: &Path, error: &io::Error) -> Reason {
    match (error.kind(), fs::metadata(path)) {
        (io::ErrorKind::FileTooLarge, Ok(metadata)) => Reason::TooLarge(metadata.len()),
        _ => Reason::Unreadable(error.to_string()),
    }
}

/// Judges what is, or will be, stored under a path.
pub(crate) fn judge_bytes(
    path: &Path,
    language: Option<Language>,
    bytes: &[u8],
    options: &Options,
    manifests: &Manifests,
) -> Report {
    let known = known(language.or_else(|| Language::of_path(path)));
    let language = match known {
        Ok(language) => language,
        Err(reason) => {
            return Report { language, ..unchecked(path, options.checker, reason) };
        }
    };
    let setting = Setting {
        #[cfg(feature = "toolchain")]
        language,
        path,
        options,
        manifests,
    };
    let verdict = match options.checker {
        CheckerName::Embedded => embedded(language, bytes, &setting),
        #[cfg(feature = "toolchain")]
        CheckerName::Toolchain | CheckerName::Hybrid | CheckerName::Literal => {
            crate::toolchain::judge(language, bytes, &setting)
        }
    };
    let Verdict { checker, status, overruled } = verdict;
    Report { path: path.to_owned(), language: Some(language), checker, status, overruled }
}

/// A status, who gave it, and what it overruled.
pub(crate) struct Verdict {
    pub(crate) checker: CheckerName,
    pub(crate) status: Status,
    pub(crate) overruled: Option<Vec<Diagnostic>>,
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

/// The verdict of the parser inside this process.
pub(crate) fn embedded(language: Language, bytes: &[u8], setting: &Setting<'_>) -> Verdict {
    let status = parse(language, bytes, setting);
    Verdict { checker: CheckerName::Embedded, status, overruled: None }
}

fn parse(language: Language, bytes: &[u8], setting: &Setting<'_>) -> Status {
    let Some(check) = language.check() else {
        return Status::Unchecked { reason: Reason::NotBuilt(language) };
    };
    // Before decoding, which may make the text longer than the file.
    if bytes.len() as u64 > LARGEST {
        return Status::Unchecked { reason: Reason::TooLarge(bytes.len() as u64) };
    }
    let text = match language.decode()(bytes) {
        Ok(text) => text,
        // Not text is a verdict: the language's front end refuses the file for it as well.
        Err(DecodeError::Invalid(error)) => return Status::Invalid(vec![not_text(bytes, error)]),
        #[cfg(feature = "python")]
        Err(DecodeError::Unknown(name)) => {
            return Status::Unchecked { reason: Reason::Encoding(name) };
        }
    };
    match check(&text.content, setting) {
        Outcome::Valid => Status::Valid,
        Outcome::Invalid(findings) => {
            Status::Invalid(diagnostics(&text, findings, CheckerName::Embedded))
        }
        Outcome::Unchecked(reason) => Status::Unchecked { reason },
    }
}

/// Gives findings their places, in the order of the file.
pub(crate) fn diagnostics(
    text: &Text<'_>,
    mut findings: Vec<Finding>,
    checker: CheckerName,
) -> Vec<Diagnostic> {
    // Checkers report in the order in which they look; people read from the top.
    findings.sort_by_key(|finding| finding.range.start);
    findings.truncate(MOST_FINDINGS);
    let lines = LineIndex::new(&text.content);
    let place = |finding: Finding| {
        let (from, to) = (
            finding.range.start,
            // Some parsers give an end before the start where something is missing.
            finding.range.end.max(finding.range.start),
        );
        let (start, end) = (lines.position(from), lines.position(to));
        Diagnostic {
            severity: Severity::Error,
            message: finding.message,
            line: start.line,
            column: start.column,
            end_line: end.line,
            end_column: end.column,
            start: text.to_file(from),
            end: text.to_file(to),
            code: Some(finding.code.into_owned()),
            checker,
        }
    };
    findings.into_iter().map(place).collect()
}

fn not_text(bytes: &[u8], error: NotText) -> Diagnostic {
    // The place is counted in the text before the offence, which is the only part that is known to
    // be text. The byte order mark is no column.
    let before = String::from_utf8_lossy(&bytes[..error.at]);
    let before = before.strip_prefix('\u{FEFF}').unwrap_or(&before);
    let start = LineIndex::new(before).position(before.len());
    Diagnostic {
        severity: Severity::Error,
        message: error.message,
        line: start.line,
        column: start.column,
        end_line: start.line,
        end_column: start.column + 1,
        start: error.at,
        end: (error.at + 1).min(bytes.len()),
        code: Some("encoding".to_owned()),
        checker: CheckerName::Embedded,
    }
}
