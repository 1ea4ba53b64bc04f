//! Verdicts that a front end or a command takes part in.
//!
//! The principle of the hybrid: the embedded parser is fast and always there, so a file that it
//! accepts is valid; but a file is never called invalid when its own front end, being present,
//! accepts it.

pub(crate) mod front_end;
mod literal;
mod places;
pub(crate) mod process;
#[cfg(feature = "oxc")]
pub(crate) mod scout;

use std::path::Path;

use self::front_end::{Answer, Question};
use crate::decode::{self, Text};
use crate::embedded::{self, diagnostics};
use crate::finding::Setting;
use crate::report::Verdict;
use crate::{CheckerName, Diagnostic, Options, Reason, Status};

/// Judges bytes by the options' checker, unless that is the embedded one alone.
pub(crate) fn judge(bytes: &[u8], setting: &Setting<'_>) -> Verdict {
    match setting.options.checker {
        CheckerName::Embedded => embedded(bytes, setting),
        CheckerName::Hybrid => hybrid(bytes, setting),
        CheckerName::Toolchain => toolchain(bytes, setting),
        CheckerName::Literal => {
            let answer = literal::usual(bytes, setting);
            verdict(CheckerName::Literal, answer, &decode::lossy_text(bytes))
        }
    }
}

/// Judges bytes by the command that the options have for their path, if they have one.
pub(crate) fn judge_by_command(path: &Path, bytes: &[u8], options: &Options) -> Option<Verdict> {
    let answer = literal::configured(path, bytes, options)?;
    Some(verdict(CheckerName::Literal, answer, &decode::lossy_text(bytes)))
}

fn embedded(bytes: &[u8], setting: &Setting<'_>) -> Verdict {
    Verdict::of(CheckerName::Embedded, embedded::parse(bytes, setting))
}

fn toolchain(bytes: &[u8], setting: &Setting<'_>) -> Verdict {
    let Some(front_end) = setting.language.referee() else {
        let reason = Reason::NoFrontEnd(setting.language);
        return Verdict::of(CheckerName::Toolchain, Status::Unchecked { reason });
    };
    let text = match setting.language.decode()(bytes) {
        Ok(text) => text,
        Err(_) if front_end.decodes => decode::lossy_text(bytes),
        Err(_) => return embedded(bytes, setting),
    };
    let question = Question { bytes, text: &text.content, setting };
    let answer = (front_end.ask)(&question).unwrap_or_else(Answer::None);
    verdict(CheckerName::Toolchain, answer, &text)
}

/// Files that the parser accepts are valid; on the rest the front end has the last word if it is
/// installed.
fn hybrid(bytes: &[u8], setting: &Setting<'_>) -> Verdict {
    let first = embedded(bytes, setting);
    if first.status == Status::Valid {
        return first;
    }
    let second = toolchain(bytes, setting);
    match (first.status, second.status) {
        (status, Status::Unchecked { .. }) => Verdict::of(CheckerName::Embedded, status),
        (Status::Invalid(refused), Status::Valid) => Verdict {
            checker: CheckerName::Toolchain,
            status: Status::Valid,
            overruled: Some(refused),
        },
        // Both refuse: report the one that came further. An older front end may stumble over newer
        // syntax before it comes to the error.
        (Status::Invalid(ours), Status::Invalid(theirs))
            if first_line(&ours) > first_line(&theirs) =>
        {
            Verdict::of(CheckerName::Embedded, Status::Invalid(ours))
        }
        (_, status) => Verdict::of(CheckerName::Toolchain, status),
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
    Verdict::of(checker, status)
}
