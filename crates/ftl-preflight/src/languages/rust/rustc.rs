//! rustc, given a crate that is configured away once it has been parsed.
//!
//! Stable rustc has no option to parse only. `#![cfg(any())]` is never true, so after parsing the
//! crate is empty: no module is looked for, no macro expanded, no name resolved.

use serde_json::Value;

use crate::Reason;
use crate::finding::Finding;
use crate::toolchain::front_end::{Answer, FrontEnd, Question, find, run};

pub(crate) const FRONT_END: FrontEnd = FrontEnd { programs: &["rustc"], decodes: false, ask };

/// Put before the file, on its first line, so that lines stay; places in bytes are shifted back.
const DISABLE_CRATE: &str = "#![cfg(any())] ";

fn ask(question: &Question<'_>) -> Result<Answer, Reason> {
    let (text, setting) = (question.text, question.setting);
    let rustc = find("rustc", setting)?;
    let scratch = tempfile::tempdir().map_err(|error| Reason::CheckerFailed(error.to_string()))?;
    let output = scratch.path().join("preflight.rmeta");
    let edition = setting.manifests.edition(setting.path);
    let edition = edition.unwrap_or(ra_ap_parser::Edition::Edition2021).to_string();
    // `metadata` is the least that rustc can be asked to emit. JSON has places in bytes.
    let args = [
        "--edition",
        &edition,
        "--crate-type=lib",
        "--emit=metadata",
        "--error-format=json",
        "-o",
        &output.to_string_lossy(),
        "-",
    ];
    let body = without_shebang(text);
    let input = format!("{DISABLE_CRATE}{body}");
    let (code, _, errors) = run(rustc, args, input.as_bytes(), setting)?;
    let findings: Vec<_> = errors.lines().filter_map(|line| parse(text, line)).collect();
    match code {
        0 => Ok(Answer::Accepts),
        1 if !findings.is_empty() => Ok(Answer::Refuses(findings)),
        code => Err(Reason::CheckerFailed(format!("`rustc` ended with {code}"))),
    }
}

/// The file with blanks for a shebang, which has to be the very first thing in a file.
fn without_shebang(text: &str) -> String {
    let is_shebang = text.starts_with("#!") && !text[2..].trim_start().starts_with('[');
    let width = if is_shebang { text.find('\n').unwrap_or(text.len()) } else { 0 };
    " ".repeat(width) + &text[width..]
}

/// An error with a place, from rustc's JSON.
fn parse(text: &str, line: &str) -> Option<Finding> {
    let error: Value = serde_json::from_str(line).ok()?;
    if error["level"] != "error" {
        return None;
    }
    let spans = error["spans"].as_array()?;
    let span = spans.iter().find(|span| span["is_primary"] == true).or(spans.first())?;
    let place = |name: &str| {
        let at = usize::try_from(span[name].as_u64()?).ok()?;
        Some(text.floor_char_boundary(at.saturating_sub(DISABLE_CRATE.len())))
    };
    let (start, end) = (place("byte_start")?, place("byte_end")?);
    let code = error["code"]["code"].as_str().unwrap_or("syntax").to_owned();
    let message = error["message"].as_str()?.to_owned();
    Some(Finding { message, range: start..end.max(start), code: code.into() })
}
