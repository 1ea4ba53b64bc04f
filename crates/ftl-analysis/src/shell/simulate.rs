//! Which exit code a script ends with when one of its commands fails.
//!
//! Every other command succeeds. Where the command is not reached then, the questions of the script (`test -f x ||
//! …`) are answered with no, and at last every other command fails. Only exit codes are followed: a variable is known
//! if it holds one.

use super::run::{Others, Run};
use super::syntax::{Body, Command, Joint, List, Pipeline, Script, Word, expands};
use super::verdicts::{judges, notices};

/// Whether the script ends with 0 although `target`, a simple command in it, fails; `None` where it is never run.
pub(crate) fn hides(script: &Script, target: &Command) -> Option<bool> {
    [Others::Succeed, Others::DenyQuestions, Others::Fail]
        .into_iter()
        .find_map(|others| status(script, target, true, others).map(|status| status == 0))
}

/// Whether the script's exit code is the same whether `target` fails or not; `None` where it is never run.
pub(crate) fn ignores(script: &Script, target: &Command) -> Option<bool> {
    [Others::Succeed, Others::DenyQuestions, Others::Fail].into_iter().find_map(|others| {
        let [failed, passed] = [true, false].map(|fails| status(script, target, fails, others));
        Some((failed? == 0) == (passed? == 0))
    })
}

fn status(script: &Script, target: &Command, fails: bool, others: Others) -> Option<i32> {
    let mut run = Run::new(target, fails, others);
    let status = run.whole(script);
    run.was_reached.then_some(status)
}

impl<'a> Run<'a> {
    /// A script to its end, its trap included.
    fn whole(&mut self, script: &'a Script) -> i32 {
        let status = self.script(script, false);
        self.trapped(status)
    }

    fn trapped(&mut self, status: i32) -> i32 {
        let Some(trap) = self.exit_trap.take() else { return status };
        match trap.exit() {
            Some(Some(code)) => code,
            _ => status,
        }
    }

    pub(super) fn script(&mut self, script: &'a Script, is_condition: bool) -> i32 {
        let mut status = 0;
        for list in &script.lists {
            status = self.list(list, is_condition);
            if let Some(code) = self.ended {
                return code;
            }
            if self.breaks {
                break;
            }
        }
        status
    }

    fn list(&mut self, list: &'a List, is_condition: bool) -> i32 {
        if list.in_background {
            self.background = self.apart(|run| run.joined(list, true));
            self.last = 0;
            return 0;
        }
        self.joined(list, is_condition)
    }

    fn joined(&mut self, list: &'a List, is_condition: bool) -> i32 {
        let is_single = list.rest.is_empty();
        let mut status = self.pipeline(&list.first, is_condition || !is_single);
        for (number, (joint, pipeline)) in list.rest.iter().enumerate() {
            let goes_on = (*joint == Joint::And) == (status == 0);
            if self.ended.is_some() || self.breaks || !goes_on {
                continue;
            }
            // Another runner decides in the failed one's place: `pytest || pytest --last-failed`.
            let was_reached = self.was_reached;
            let is_last = number + 1 == list.rest.len();
            let judges = *joint == Joint::Or && pipeline.commands.iter().any(judges);
            let after = self.pipeline(pipeline, is_condition || !is_last);
            status = if judges && was_reached && self.others == Others::Succeed {
                status
            } else {
                after
            };
        }
        let status = self.ended.unwrap_or(status);
        self.last = status;
        status
    }

    fn pipeline(&mut self, pipeline: &'a Pipeline, is_condition: bool) -> i32 {
        let is_tested = is_condition || pipeline.is_negated;
        let status = match pipeline.commands.as_slice() {
            [command] => {
                let status = self.command(command, is_tested);
                self.pipe = vec![status];
                status
            }
            commands => self.piped(commands),
        };
        let status = if pipeline.is_negated { i32::from(status == 0) } else { status };
        if status != 0 && !is_tested && self.ended.is_none() {
            if let Some(Some(code)) = self.error_trap.as_ref().and_then(Script::exit) {
                self.ended = Some(code);
                return code;
            }
            if self.options.errexit {
                self.ended = Some(status);
            }
        }
        self.last = status;
        status
    }

    fn piped(&mut self, commands: &'a [Command]) -> i32 {
        let statuses: Vec<i32> =
            commands.iter().map(|command| self.apart(|run| run.command(command, true))).collect();
        let last = *statuses.last().unwrap_or(&0);
        self.pipe.clone_from(&statuses);
        let failed = statuses.iter().rposition(|status| *status != 0);
        match failed {
            Some(at) if self.options.pipefail => statuses[at],
            Some(at) if at + 1 < commands.len() && notices(&commands[at], &commands[at + 1..]) => 1,
            _ => last,
        }
    }

    /// Runs in a separate shell: what it sets is gone afterwards.
    pub(super) fn apart(&mut self, run: impl FnOnce(&mut Self) -> i32) -> i32 {
        let (options, variables) = (self.options, self.variables.clone());
        let traps = (self.exit_trap.take(), self.error_trap.clone());
        let (ended, breaks) = (self.ended.take(), self.breaks);
        let status = run(self);
        let status = self.trapped(self.ended.unwrap_or(status));
        (self.options, self.variables, self.ended, self.breaks) =
            (options, variables, ended, breaks);
        (self.exit_trap, self.error_trap) = traps;
        status
    }

    pub(super) fn command(&mut self, command: &'a Command, is_condition: bool) -> i32 {
        match &command.body {
            Body::Simple { assignments, words, inner } => {
                let status = self.simple(command, assignments, words, inner.as_ref());
                self.last = status;
                status
            }
            Body::Group(script) => self.script(script, is_condition),
            Body::Subshell(script) => self.apart(|run| run.script(script, is_condition)),
            Body::If { branches, otherwise } => {
                for (condition, body) in branches {
                    let holds = self.script(condition, true) == 0;
                    if self.ended.is_some() {
                        return self.last;
                    }
                    if holds {
                        return self.script(body, is_condition);
                    }
                }
                otherwise.as_ref().map_or(0, |script| self.script(script, is_condition))
            }
            Body::While { condition, is_until, body } => self.repeated(condition, *is_until, body),
            Body::For { variable, body } => self.each(variable, body, is_condition),
            Body::Case { arms } => {
                let reached = arms
                    .iter()
                    .find(|arm| arm.simple_commands().iter().any(|it| self.is_target(it)));
                reached.or_else(|| arms.last()).map_or(0, |arm| self.script(arm, is_condition))
            }
            Body::Test => i32::from(self.others != Others::Succeed),
            Body::Function { name, body } => {
                self.functions.insert(name, body);
                0
            }
        }
    }

    /// A loop over things: where the body depends on which one it is, only the first of them fails.
    fn each(&mut self, variable: &str, body: &'a Script, is_condition: bool) -> i32 {
        let uses = |word: &Word| !variable.is_empty() && expands(&word.text, variable);
        let depends = body.simple_commands().iter().any(|command| match &command.body {
            Body::Simple { assignments, words, .. } => assignments.iter().chain(words).any(uses),
            _ => false,
        });
        let status = self.script(body, is_condition);
        let goes_on = depends && self.was_reached && self.ended.is_none() && !self.breaks;
        self.breaks = false;
        if !goes_on || !self.fails_now {
            return status;
        }
        self.fails_now = false;
        let status = self.script(body, is_condition);
        (self.fails_now, self.breaks) = (true, false);
        status
    }

    fn repeated(&mut self, condition: &'a Script, is_until: bool, body: &'a Script) -> i32 {
        let before = self.was_reached;
        let holds = (self.script(condition, true) == 0) != is_until;
        let asks_target = self.was_reached && !before;
        if !holds || self.ended.is_some() {
            return 0;
        }
        let status = self.script(body, false);
        let breaks = std::mem::take(&mut self.breaks);
        if asks_target {
            // It is asked again until it passes, unless the body gives up.
            return if breaks { status } else { 1 };
        }
        let reads = condition
            .simple_commands()
            .iter()
            .any(|it| it.words().first().is_some_and(|w| w.text == "read"));
        if reads && self.was_reached && !before && self.ended.is_none() && !breaks {
            return 0;
        }
        status
    }
}
