//! Simple commands: programs, what the shell does itself, and functions.

use super::program::program;
use super::run::{Others, Run};
use super::syntax::{Command, Inner, Word};
use super::tools::Role;
use super::verdicts::is_tests;

/// How deep functions may call each other.
const MAX_CALLS: usize = 20;

impl<'a> Run<'a> {
    pub(super) fn is_target(&self, command: &Command) -> bool {
        std::ptr::eq(command, self.target)
    }

    pub(super) fn simple(
        &mut self,
        command: &'a Command,
        assignments: &'a [Word],
        words: &'a [Word],
        inner: Option<&'a Inner>,
    ) -> i32 {
        let before = self.was_reached;
        let mut substituted = 0;
        for word in assignments.iter().chain(words) {
            for script in &word.substitutions {
                substituted = self.apart(|run| run.script(script, false));
            }
        }
        for redirect in &command.redirects {
            for script in &redirect.target.substitutions {
                self.apart(|run| run.script(script, false));
            }
        }
        if words.is_empty() {
            for assignment in assignments {
                let (name, value) = assignment.text.split_once('=').unwrap_or_default();
                let value = self.value(value).unwrap_or(substituted);
                self.variables.insert(name.to_owned(), value);
            }
            return substituted;
        }
        if self.is_target(command) {
            self.was_reached = true;
            return i32::from(self.fails_now);
        }
        if let Some(inner) = inner {
            return self.inner(inner);
        }
        let reached_within = self.was_reached && !before;
        self.builtin(words, reached_within && substituted != 0)
    }

    fn inner(&mut self, inner: &'a Inner) -> i32 {
        if inner.is_same_shell {
            return self.script(&inner.script, false);
        }
        self.apart(|run| {
            run.options = inner.options;
            run.script(&inner.script, false)
        })
    }

    fn builtin(&mut self, words: &'a [Word], has_failed_within: bool) -> i32 {
        let texts: Vec<&str> = words.iter().map(|word| word.text.as_str()).collect();
        match texts.as_slice() {
            ["exit" | "return", rest @ ..] => {
                let code = rest.first().map_or(Some(self.last), |code| self.value(code));
                let code = code.unwrap_or(i32::from(self.was_reached));
                self.ended = Some(code);
                code
            }
            ["set", options @ ..] => {
                self.set(options);
                0
            }
            ["trap", script, signals @ ..] => {
                let script = super::parse(script).unwrap_or_default();
                if signals.iter().any(|it| matches!(*it, "EXIT" | "0")) {
                    self.exit_trap = Some(script.clone());
                }
                if signals.contains(&"ERR") {
                    self.error_trap = Some(script);
                }
                0
            }
            ["break" | "continue", ..] => {
                self.breaks = texts[0] == "break";
                0
            }
            ["wait", _, ..] => self.background,
            ["false"] => 1,
            [name, ..] if self.functions.contains_key(name) => self.call(name),
            _ => self.other(words, &texts, has_failed_within),
        }
    }

    fn other(&mut self, words: &[Word], texts: &[&str], has_failed_within: bool) -> i32 {
        let Some(program) = program(words) else { return 0 };
        match program.role() {
            Role::Question if matches!(program.name, "[" | "test") && texts.len() > 3 => {
                match self.comparison(&program.arguments) {
                    Some(holds) => i32::from(!holds),
                    // It looks at what a failed program printed.
                    None if has_failed_within => i32::from(!is_tests(self.target)),
                    None => i32::from(self.others != Others::Succeed),
                }
            }
            Role::Formality => 0,
            Role::Question => i32::from(self.others != Others::Succeed),
            _ => i32::from(self.others == Others::Fail),
        }
    }

    fn call(&mut self, name: &str) -> i32 {
        self.calls += 1;
        let Some(body) = self.functions.get(name).copied().filter(|_| self.calls < MAX_CALLS)
        else {
            return 0;
        };
        let ended = self.ended.take();
        let status = self.command(body, false);
        // `exit` in a function ends the script, but `return` is commoner, and both give the function's status.
        let status = self.ended.take().unwrap_or(status);
        self.ended = ended;
        status
    }
}
