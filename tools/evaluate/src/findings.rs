//! The findings `no_tests` and `failed_anyway`, judged on outputs of runners that passed, failed, ran no
//! test, or were masked.

use std::collections::BTreeMap;
use std::path::Path;

use ftl_analysis::findings::doubts_of_run;
use ftl_model::Finding;
use ftl_testkit::Result;
use serde::Deserialize;

use crate::errors::corpus::{self, Corpus};
use crate::errors::not_made;
use crate::page::verbatim;
use crate::tally::{Detection, Share};
use ftl_testkit::page::table;

/// Runners of tests in the corpus of failing outputs, whose summaries count failures.
const RUNNERS: [&str; 17] = [
    "ava",
    "behave",
    "bun",
    "cucumber",
    "deno",
    "django",
    "go-test",
    "jasmine",
    "jest",
    "mocha",
    "node-tap",
    "node-test",
    "nose2",
    "pytest",
    "robot",
    "tape",
    "unittest",
];

/// Outputs with their labels, as `findings.json.gz` holds them.
#[derive(Debug, Deserialize)]
struct Labelled {
    cases: BTreeMap<String, Case>,
    skipped: Vec<String>,
}

#[derive(Debug, Deserialize)]
struct Case {
    runner: String,
    cmd: String,
    exit: i32,
    kind: String,
    /// `None` where the label is not clear from what the command does.
    no_tests: Option<bool>,
    failed_anyway: Option<bool>,
    text: String,
}

/// What came out.
#[derive(Debug, Default)]
pub(crate) struct Score {
    cases: usize,
    runners: usize,
    kinds: BTreeMap<String, usize>,
    pub(crate) no_tests: Detection,
    pub(crate) failed_anyway: Detection,
    /// Failing outputs of the other corpus, judged as if their exit code had been masked.
    masked: Share,
    misses: Vec<String>,
    skipped: Vec<String>,
}

/// Judges the labelled outputs, and the failing ones of `corpus` behind a mask.
///
/// # Errors
///
/// The labelled outputs cannot be read.
pub(crate) fn score(directory: &Path, corpus: &Corpus) -> Result<Score> {
    let labelled: Labelled = corpus::read_zipped(directory, "findings.json")?;
    let mut score =
        Score { cases: labelled.cases.len(), skipped: labelled.skipped, ..Score::default() };
    let mut runners: Vec<&str> = labelled.cases.values().map(|it| it.runner.as_str()).collect();
    runners.sort_unstable();
    runners.dedup();
    score.runners = runners.len();
    for (name, case) in &labelled.cases {
        *score.kinds.entry(case.kind.clone()).or_default() += 1;
        let found = findings(&case.cmd, case.exit == 0, &case.text);
        for (finding, label) in
            [(Finding::NoTests, case.no_tests), (Finding::FailedAnyway, case.failed_anyway)]
        {
            let Some(wanted) = label else { continue };
            let is_found = found.contains(&finding);
            if wanted != is_found {
                let verdict = if wanted { "missed" } else { "wrong" };
                let line =
                    format!("{verdict} | {finding} | {name} | `{}` exit {}", case.cmd, case.exit);
                score.misses.push(line);
            }
            score.tally(finding).count(is_found, wanted);
        }
    }
    for (name, output) in &corpus.outputs {
        if RUNNERS.contains(&output.runner.as_str()) && output.exit != 0 {
            let cmd = format!("{} || true", output.cmd);
            let is_found = findings(&cmd, true, &output.text).contains(&Finding::FailedAnyway);
            score.masked.count(is_found);
            if !is_found {
                score
                    .misses
                    .push(format!("missed | failed_anyway | {name} | `{cmd}` of the other corpus"));
            }
        }
    }
    Ok(score)
}

fn findings(command: &str, passed: bool, output: &str) -> Vec<Finding> {
    let doubts = doubts_of_run(command, passed, output);
    doubts.into_iter().map(|doubt| doubt.finding).collect()
}

impl Score {
    fn tally(&mut self, finding: Finding) -> &mut Detection {
        match finding {
            Finding::NoTests => &mut self.no_tests,
            _ => &mut self.failed_anyway,
        }
    }

    /// The lines of the terminal.
    pub(crate) fn lines(&self) -> Vec<String> {
        let mut lines = self.misses.clone();
        lines.push(format!("no_tests         {}", self.no_tests.words()));
        lines.push(format!("failed_anyway    {}", self.failed_anyway.words()));
        lines.push(format!("masked failures  {}", self.masked.words()));
        lines
    }

    /// The section of the page.
    pub(crate) fn section(&self) -> String {
        let kinds =
            self.kinds.iter().map(|(kind, count)| format!("{} {count}", kind.to_lowercase()));
        let results = [
            ("`no_tests`", self.no_tests.words()),
            ("`failed_anyway`", self.failed_anyway.words()),
            ("failing outputs above, masked with `\\|\\| true`", self.masked.words()),
        ];
        let results = results.map(|(what, result)| vec![what.to_owned(), result]);
        format!(
            "{METHOD}{} outputs of {} runners and tools: {}.\n\n{}\nMisses:\n\n{}{}",
            self.cases,
            self.runners,
            kinds.collect::<Vec<_>>().join(", "),
            table(&["what", "result"], results),
            verbatim(&self.misses),
            not_made(&self.skipped)
        )
    }
}

const METHOD: &str = "
## Findings

`tools/evaluate/drivers/findings.py` runs test runners on small projects whose tests pass, fail, are skipped or are missing, or print words of failures
and pass. Failing commands also run behind what hides their exit code, such as `|| true` or a pipe. The labels were committed before the rules. Where a
runner is silent (`go test` about skips), `no_tests` is not scored.

";

#[cfg(test)]
mod tests {
    use super::score;
    use crate::errors::corpus::Corpus;

    #[test]
    fn findings_that_block_by_default_are_never_wrong() {
        let score = score(&crate::ours(), &Corpus::default()).unwrap();
        for tally in [score.no_tests, score.failed_anyway] {
            assert_eq!(tally.wrong, 0, "{:?}", score.misses);
            let wanted = tally.right + tally.missed;
            assert!(wanted > 60 && tally.right * 100 >= wanted * 95, "{tally:?}");
        }
    }
}
