//! A rule's own examples, judged by the rule.

use super::definition::{Definition, Example, RuleKind};
use super::rule::Structure;
use crate::quality::FileText;
use crate::quality::idioms::judge_structure;
use ftl_model::{IdiomKind, IdiomStatus};

/// How many examples there are, and as text, those that are judged otherwise than they say.
pub(super) fn judge(rule: &Definition) -> (usize, Vec<String>) {
    let structure = match Structure::of_definition(rule) {
        Ok(structure) => structure,
        Err(why) => return (0, vec![format!("it does not compile: {why}")]),
    };
    let (kind, elsewhere) = match rule.kind {
        RuleKind::Required => (IdiomKind::Required, IdiomStatus::NotApplicable),
        RuleKind::Forbidden => (IdiomKind::Forbidden, IdiomStatus::Satisfied),
    };
    let groups = [
        (&rule.valid, IdiomStatus::Satisfied, "valid"),
        (&rule.invalid, IdiomStatus::Violated, "invalid"),
        (&rule.elsewhere, elsewhere, "elsewhere"),
    ];
    let mut wrong = Vec::new();
    let mut count = 0;
    for (examples, wanted, name) in groups {
        for (number, example) in examples.iter().enumerate() {
            count += 1;
            let (path, code) = match example {
                Example::Code(code) => (default_path(rule), code),
                Example::File { path, code } => (path.as_str(), code),
            };
            let file = FileText { path, before: None, after: Some(code) };
            let found = judge_structure(&structure, kind, &[file]);
            if found != wanted {
                let number = number + 1;
                wrong.push(format!("{name} example {number} is {found}, not {wanted}"));
            }
        }
    }
    (count, wrong)
}

fn default_path(rule: &Definition) -> &'static str {
    use super::language::Language;
    match rule.languages().first() {
        Some(Language::JavaScript) => "example.js",
        Some(Language::TypeScript) => "example.ts",
        Some(Language::Tsx) => "example.tsx",
        Some(Language::Go) => "example.go",
        Some(Language::Rust) => "example.rs",
        Some(Language::Python) | None => "example.py",
    }
}
