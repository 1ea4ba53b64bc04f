//! `gofmt -e`, whose parser is `go/parser`. With `-e` it prints every error, not only the first ten
//! on different lines. It exits with 2 when the file does not parse.

use super::{Answer, command, find, finding, offset, run};
use crate::Reason;
use crate::languages::Setting;

pub(super) fn ask(text: &str, setting: &Setting<'_>) -> Result<Answer, Reason> {
    let gofmt = find("gofmt")?;
    let timeout = setting.options.timeout;
    let (code, _, errors) = run(&command(gofmt, ["-e"], text.as_bytes(), timeout))?;
    let findings: Vec<_> = errors.lines().filter_map(|line| parse(text, line)).collect();
    match code {
        0 => Ok(Answer::Accepts),
        2 if !findings.is_empty() => Ok(Answer::Refuses(findings)),
        code => Err(Reason::CheckerFailed(format!("`gofmt` ended with {code}"))),
    }
}

/// `<standard input>:LINE:COLUMN: MESSAGE`, the column in bytes.
fn parse(text: &str, line: &str) -> Option<crate::languages::Finding> {
    let mut parts = line.strip_prefix("<standard input>:")?.splitn(3, ':');
    let (line, column) = (parts.next()?.parse().ok()?, parts.next()?.parse().ok()?);
    let message = parts.next()?.trim();
    Some(finding(text, offset(text, line, column, char::len_utf8), message))
}
