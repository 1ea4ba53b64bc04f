//! `terraform fmt`, or OpenTofu's: it parses, and prints the file. Blocks and types are not looked at.

use crate::Reason;
use crate::finding::Finding;
use crate::toolchain::front_end::{Answer, FrontEnd, Question, find, offset, run};

pub(crate) const FRONT_END: FrontEnd =
    FrontEnd { programs: &["terraform", "tofu"], decodes: false, ask };

fn ask(question: &Question<'_>) -> Result<Answer, Reason> {
    let program =
        find("terraform", question.setting).or_else(|_| find("tofu", question.setting))?;
    let args = ["fmt", "-no-color", "-"];
    let (code, _, errors) = run(program, args, question.bytes, question.setting)?;
    if code == 0 {
        return Ok(Answer::Accepts);
    }
    let findings = parse(question.text, &errors);
    if findings.is_empty() {
        return Err(Reason::CheckerFailed(format!("`terraform fmt` ended with {code}")));
    }
    Ok(Answer::Refuses(findings))
}

/// `Error: MESSAGE`, and below it `on <stdin> line LINE`.
fn parse(text: &str, errors: &str) -> Vec<Finding> {
    let mut message = "";
    let mut found = Vec::new();
    for line in errors.lines() {
        if let Some((_, error)) = line.split_once("Error: ") {
            message = error;
        } else if let Some((_, place)) = line.split_once("on <stdin> line ") {
            let digits = place.find(|it: char| !it.is_ascii_digit()).unwrap_or(place.len());
            let number = place[..digits].parse().unwrap_or(1);
            found.push(Finding::at(text, offset(text, number, 1, |_| 1), message));
        }
    }
    found
}
