//! The task's own checks, run where the agent works: syntax, preflight commands, the verify.
//!
//! Their verdicts help the agent. The build makes its own.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use ftl_analysis::diagnosis::first_error_line;
use ftl_analysis::findings::doubts_of_run;
use ftl_preflight::{Checker, Source, Status};
use ftl_process::{Capture, Command, EndWhenSet, Ended, StartError};
use ftl_text::{excerpt_of_ends, play};

use super::{Answer, Refusal, Toolbox};
use crate::parsing::options;
use crate::run::{how_it_ended, without_variables};

/// Diagnostics of a file that an agent gets.
const MAX_DIAGNOSTICS: usize = 20;

impl Toolbox {
    pub(super) fn preflight(&mut self) -> Result<Answer, Refusal> {
        let mut lines = Vec::new();
        let mut passed = true;
        for path in self.task.delta.clone() {
            let Ok(Some(bytes)) = self.tree.read(&path) else {
                lines.push(format!("{path}: not there"));
                continue;
            };
            let full = self.root.join(&path);
            let settings = &self.settings;
            let checker = self.checker.get_or_insert_with(|| Checker::new(options(settings)));
            let report = checker.check_source(Source::new(&full, &bytes));
            match &report.status {
                Status::Valid => lines.push(format!("{path}: valid")),
                Status::Unchecked { reason } => {
                    lines.push(format!("{path}: not checked: {reason}"))
                }
                _ => {
                    passed = false;
                    lines.push(format!("{path}: does not parse"));
                    for found in report.diagnostics().iter().take(MAX_DIAGNOSTICS) {
                        lines.push(format!(
                            "{path}:{}:{}: {}",
                            found.line, found.column, found.message
                        ));
                    }
                }
            }
        }
        for command in self.task.preflight.clone() {
            if !passed {
                break;
            }
            let (success, text) = self.run(&command)?;
            passed = success;
            lines.push(text);
        }
        let text = self.secrets.hide(&lines.join("\n"));
        Ok(Answer { text, note: None, failed: !passed })
    }

    pub(super) fn verify(&mut self) -> Result<Answer, Refusal> {
        let command = self.task.verify.clone();
        let (passed, text) = self.run(&command)?;
        Ok(Answer { text, note: None, failed: !passed })
    }

    /// Runs a command of the task: whether it passed, and what to say of it.
    fn run(&mut self, command: &str) -> Result<(bool, String), Refusal> {
        let capture = Capture::default().filtered(Arc::new(self.secrets.clone()));
        let limit = self.settings.commands.limit;
        let ended = Command::shell(command, [])
            .dir(&self.root)
            .env(without_variables(self.settings.commands.env.clone()))
            .time_limit(Some(limit))
            .grace(self.settings.grace)
            .capture(capture)
            .run_observed(&mut EndWhenSet::new(&self.is_cancelled, self.settings.grace));
        if self.is_cancelled.load(Ordering::Relaxed) {
            return Err(Refusal::new("the call was cancelled, and the command was ended"));
        }
        let ended = ended.map_err(|error| match error {
            StartError::Interrupted { .. } => Refusal::new("the command was interrupted"),
            error => Refusal::new(ftl_text::with_causes(&error)),
        })?;
        let command = self.secrets.hide(command);
        Ok((ended.success(), self.said(&command, &ended)))
    }

    fn said(&self, command: &str, ended: &Ended) -> String {
        let output = &ended.output;
        let omitted = usize::try_from(output.cut()).unwrap_or(usize::MAX);
        let text = excerpt_of_ends(&play(&output.head), omitted, &play(&output.tail));
        if !ended.success() {
            let otherwise = how_it_ended(ended, self.settings.commands.limit);
            let error = first_error_line(&text, &otherwise);
            return format!("`{command}` failed: {error}\n\n{text}");
        }
        let doubts = doubts_of_run(command, true, &text);
        let counts = |doubt: &&_| self.settings.untrusted.contains(&finding(doubt));
        match doubts.iter().find(counts) {
            Some(doubt) => format!(
                "`{command}` ended with exit 0, but the build will not believe it: {}\n\n{text}",
                doubt.reason
            ),
            None => format!("`{command}` passed\n\n{text}"),
        }
    }
}

fn finding(doubt: &ftl_analysis::findings::Doubt) -> ftl_model::Finding {
    doubt.finding
}
