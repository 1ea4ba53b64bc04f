//! `protoc`, which reads imports only once the file itself has been parsed.
//!
//! So an import that cannot exist is added at the end. When `protoc` looks for it, the file was parsed, and
//! what else it reports (unknown types, fields with one number) is no syntax.

use crate::Reason;
use crate::finding::Finding;
use crate::toolchain::front_end::{Answer, FrontEnd, Question, find, run};

pub(crate) const FRONT_END: FrontEnd = FrontEnd { programs: &["protoc"], decodes: false, ask };

const SENTINEL: &str = "ftl/there-is-no-such-file";

fn ask(question: &Question<'_>) -> Result<Answer, Reason> {
    let bytes = [question.bytes, format!("\nimport \"{SENTINEL}\";\n").as_bytes()].concat();
    let args = ["-I/dev", "--descriptor_set_out=/dev/null", "/dev/stdin"];
    let (code, _, errors) = run(find("protoc", question.setting)?, args, &bytes, question.setting)?;
    if errors.contains(SENTINEL) {
        return Ok(Answer::Accepts);
    }
    let findings: Vec<_> = errors.lines().filter_map(|line| parse(question.text, line)).collect();
    if findings.is_empty() {
        return Err(Reason::CheckerFailed(format!("`protoc` ended with {code}")));
    }
    // An older `protoc` stumbles over the first word.
    if super::has_edition(question.text)
        && findings.iter().any(|it| question.text[it.range.start..].starts_with(super::EDITION))
    {
        return Err(Reason::Newer(super::EDITION));
    }
    Ok(Answer::Refuses(findings))
}

/// `stdin:LINE:COLUMN: MESSAGE`, of newer versions `/dev/stdin:…`. A column counts bytes, and a tab reaches to the
/// next multiple of 8.
fn parse(text: &str, line: &str) -> Option<Finding> {
    let line = line.strip_prefix("/dev/").unwrap_or(line);
    let mut parts = line.strip_prefix("stdin:")?.splitn(3, ':');
    let (line, column): (usize, usize) = (parts.next()?.parse().ok()?, parts.next()?.parse().ok()?);
    let message = parts.next()?.trim();
    let start: usize = text.split_inclusive('\n').take(line - 1).map(str::len).sum();
    let mut passed = 0;
    let at = text[start..].char_indices().find(|&(_, character)| {
        let is_there = passed + 1 >= column || character == '\n';
        passed = if character == '\t' { passed / 8 * 8 + 8 } else { passed + character.len_utf8() };
        is_there
    });
    let at = at.map_or(text.len(), |(at, _)| start + at);
    Some(Finding::at(text, at, message))
}
