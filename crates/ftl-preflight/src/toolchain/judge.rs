//! Verdicts that a front end has a say in.
//!
//! The principle of the hybrid: the parser here is fast and always there, so what it accepts is
//! valid; but a file is never called invalid when its own front end, being present, accepts it.

use std::path::Path;

use super::{Answer, ask, literal};
use crate::decode::{self, Text};
use crate::judge::{Verdict, diagnostics, embedded};
use crate::languages::Setting;
use crate::read::read_source;
use crate::{CheckerName, Diagnostic, Language, Options, Report, Status};

/// Judges bytes as the options' checker has it, unless that is the embedded one alone.
pub(crate) fn judge(language: Language, bytes: &[u8], setting: &Setting<'_>) -> Verdict {
    match setting.options.checker {
        CheckerName::Embedded => embedded(language, bytes, setting),
        CheckerName::Hybrid => hybrid(language, bytes, setting),
        CheckerName::Toolchain => toolchain(language, bytes, setting),
        CheckerName::Literal => {
            let answer = literal::literal(language, setting.path, bytes, setting.options);
            verdict(CheckerName::Literal, answer, &decode::lossy_text(bytes))
        }
    }
}

/// Judges a file by the command that the options have for its extension, if they have one.
pub(crate) fn judge_by_command(path: &Path, options: &Options) -> Option<Report> {
    let answer = literal::by_configured_command(path, options)?;
    let bytes = read_source(path).unwrap_or_default();
    let Verdict { checker, status, overruled } =
        verdict(CheckerName::Literal, answer, &decode::lossy_text(&bytes));
    let language = Language::of_path(path);
    Some(Report { path: path.to_owned(), language, checker, status, overruled })
}

fn toolchain(language: Language, bytes: &[u8], setting: &Setting<'_>) -> Verdict {
    match language.decode()(bytes) {
        Ok(text) => {
            let answer = ask(language, bytes, &text.content, setting);
            verdict(CheckerName::Toolchain, answer, &text)
        }
        // Only Python's front end reads bytes.
        Err(_) if language == Language::Python => {
            let text = decode::lossy_text(bytes);
            verdict(CheckerName::Toolchain, ask(language, bytes, &text.content, setting), &text)
        }
        Err(_) => embedded(language, bytes, setting),
    }
}

/// What the parser accepts is valid; on the rest the front end has the last word if there is
/// one.
fn hybrid(language: Language, bytes: &[u8], setting: &Setting<'_>) -> Verdict {
    let first = embedded(language, bytes, setting);
    if first.status == Status::Valid {
        return first;
    }
    let second = toolchain(language, bytes, setting);
    match (first.status, second.status) {
        (status, Status::Unchecked { .. }) => {
            Verdict { checker: CheckerName::Embedded, status, overruled: None }
        }
        (Status::Invalid(refused), Status::Valid) => Verdict {
            checker: CheckerName::Toolchain,
            status: Status::Valid,
            overruled: Some(refused),
        },
        // Both refuse: the one that came further tells. An older front end may stumble over newer
        // syntax before it comes to the error.
        (Status::Invalid(ours), Status::Invalid(theirs))
            if first_line(&ours) > first_line(&theirs) =>
        {
            let status = Status::Invalid(ours);
            Verdict { checker: CheckerName::Embedded, status, overruled: None }
        }
        (_, status) => Verdict { checker: CheckerName::Toolchain, status, overruled: None },
    }
}

/// The line of the first finding.
fn first_line(found: &[Diagnostic]) -> Option<usize> {
    found.first().map(|found| found.line)
}

fn verdict(checker: CheckerName, answer: Answer, text: &Text<'_>) -> Verdict {
    let status = match answer {
        Answer::Accepts => Status::Valid,
        Answer::Refuses(findings) => Status::Invalid(diagnostics(text, findings, checker)),
        Answer::None(reason) => Status::Unchecked { reason },
    };
    Verdict { checker, status, overruled: None }
}
