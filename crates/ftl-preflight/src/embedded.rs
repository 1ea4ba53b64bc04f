//! The verdict of the parser inside this process: decode, check, and place the findings.

use crate::decode::{DecodeError, NotText, Text};
use crate::finding::{Finding, MOST_FINDINGS, Outcome, Setting};
use crate::position::LineIndex;
use crate::read::LARGEST;
use crate::{CheckerName, Diagnostic, Reason, Severity, Status};

/// Parses a file's bytes as the language of the setting.
pub(crate) fn parse(bytes: &[u8], setting: &Setting<'_>) -> Status {
    let language = setting.language;
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
    // Checkers report in the order of their passes; people read from the top.
    findings.sort_by_key(|finding| finding.range.start);
    findings.truncate(MOST_FINDINGS);
    let lines = LineIndex::new(&text.content);
    let place = |finding: Finding| {
        // Some parsers give a start within a character.
        let (from, to) = (
            text.content.floor_char_boundary(finding.range.start),
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
    // Counted in the text before the offence, the only part that is known to be text. The byte
    // order mark is no column.
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
