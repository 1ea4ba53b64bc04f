//! The rules of idioms, judged on labelled snippets.

use std::fs;
use std::path::Path;

use ftl_analysis::quality::{FileText, RuleCard, Rules, framework_idioms, judge_idioms};
use ftl_model::{Idiom, IdiomStatus, Idioms};
use ftl_testkit::Result;

use crate::tally::Detection;

/// What came out, counted by violations.
#[derive(Debug, Default)]
pub(crate) struct Score {
    cases: usize,
    violations: Detection,
    /// Verdicts that are the label, violations or not.
    same: usize,
    misses: Vec<String>,
}

/// Judges the snippets.
///
/// # Errors
///
/// They cannot be read.
pub(crate) fn score(directory: &Path) -> Result<Score> {
    let text = fs::read_to_string(directory.join("snippets.txt"))?;
    let rules = Rules::default();
    let cards = rules.cards();
    let mut score = Score::default();
    for (number, snippet) in text.split("\n## ").skip(1).enumerate() {
        let (head, code) = snippet.split_once('\n').unwrap_or((snippet, ""));
        let words: Vec<&str> = head.split_whitespace().collect();
        let (rule, wanted) = (words[0], words[1]);
        let path = words.get(3).copied().unwrap_or("app.py");
        let card = cards.iter().find(|card| card.id == rule);
        let card = card.ok_or_else(|| format!("no rule is called {rule}"))?;
        let verdict = verdict(card, &rules, path, code);
        let (found, is_wanted) = (verdict == IdiomStatus::Violated, wanted == "violated");
        score.cases += 1;
        score.violations.count(found, is_wanted);
        if verdict.as_str() == wanted {
            score.same += 1;
        } else {
            let miss = format!("snippet {} | {rule} | {verdict} | {wanted}", number + 1);
            score.misses.push(miss);
        }
    }
    Ok(score)
}

/// The code of all snippets in Python that violate an idiom.
///
/// # Errors
///
/// They cannot be read.
pub(crate) fn violations() -> Result<Vec<String>> {
    let text = fs::read_to_string(crate::ours().join("snippets.txt"))?;
    let wanted = text.split("\n## ").skip(1).filter_map(|snippet| {
        let (head, code) = snippet.split_once('\n')?;
        let words: Vec<&str> = head.split_whitespace().collect();
        let is_python = words.get(3).is_none_or(|path| path.ends_with(".py"));
        (words.get(1) == Some(&"violated") && is_python).then(|| code.trim().to_owned())
    });
    Ok(wanted.collect())
}

/// What a rule's idiom, by its text, comes to in one new file.
pub(crate) fn verdict(card: &RuleCard, rules: &Rules, path: &str, code: &str) -> IdiomStatus {
    let mut idioms = Idioms { framework: card.framework.clone(), ..Idioms::default() };
    let idiom = Idiom::prose(card.texts[0].clone());
    match card.kind.as_str() {
        "required" => idioms.required.push(idiom),
        _ => idioms.forbidden.push(idiom),
    }
    let file = FileText { path, before: None, after: Some(code) };
    judge_idioms(&idioms, &[file], rules).remove(0).verdict
}

impl Score {
    fn words(&self) -> String {
        let Self { same, cases, violations, .. } = self;
        format!("{same} of {cases} verdicts right; violations: {}", violations.words())
    }

    /// The lines of the terminal.
    pub(crate) fn lines(&self) -> Vec<String> {
        let mut lines = self.misses.clone();
        lines.push(format!("idioms           {}", self.words()));
        lines
    }

    /// The section of the page.
    pub(crate) fn section(&self) -> String {
        let frameworks = ["django", "fastapi", "fasthtml", "flask", "litestar"];
        let idioms = frameworks.iter().filter_map(|name| framework_idioms(name));
        let texts: usize =
            idioms.map(|idioms| idioms.required.len() + idioms.forbidden.len()).sum();
        format!(
            "{METHOD}{} snippets for the rules of {texts} idioms: {}.\n\nMisses (snippet, rule, what `ftl` said, what was wanted):\n\n\
             ```text\n{}\n```\n",
            self.cases,
            self.words(),
            self.misses.join("\n")
        )
    }
}

const METHOD: &str = "
## Idioms

`tools/evaluate/corpus/snippets.txt` holds snippets that one reader labelled by the idiom's words before the rules were written. Some are cases that no
rule can see: values that go through variables, calls of functions that block.

On real code, one reader judged every place that a rule of a forbidden idiom found (`cargo xtask evaluate hits DIR…`; of `fastapi.rawdict`, CPython's `ast`
was asked for decorators and annotations). A place is right if the idiom's words forbid it. 6,088 files of projects that were not looked at before: litellm
1.109.1, Prefect 3.9.1, wagtail 8.0.1, django-oscar 4.2.1, MonsterUI 1.0.47, python-fasthtml 0.14.14, `full-stack-fastapi-template`,
`litestar-fullstack`, `fasthtml-example`.

| rule | files that import the framework | places | right | wrong |
| --- | --- | --- | --- | --- |
| `django.rawsql` | 1556 | 5 | 5 | 0 |
| `fastapi.rawdict` | 354 | 187 | 187 | 0 |
| `fastapi.sync_in_async` | 354 | 4 | 4 | 0 |
| `fasthtml.rawhtml` | 77 | 2 | 2 | 0 |
| `fasthtml.response` | 77 | 0 | 0 | 0 |
| `litestar.sync_in_async` | 57 | 0 | 0 | 0 |

";

#[cfg(test)]
mod tests {
    use super::score;

    #[test]
    fn violations_are_found_and_seldom_made_up() {
        let score = score(&crate::ours()).unwrap();
        assert!(score.cases >= 60, "{}", score.cases);
        assert!(score.violations.precision() >= 0.95, "{:?}", score.misses);
        assert!(score.violations.recall() >= 0.8, "{:?}", score.misses);
    }
}
