//! Texts that a command prints in place of an exit code: `pytest || echo FAIL`, `if ! pytest; then echo BROKEN; fi`,
//! `pytest; echo "exit code $?"`. They are read from the command and searched for in the output.

use regex::Regex;

use super::is_one;
use crate::shell::parse;
use crate::shell::syntax::{Body, Command, Joint, List, Pipeline, Script};

/// The line of `text` that `command` prints when a program in it fails although the command passes.
pub(super) fn printed_failure(command: &str, text: &str) -> Option<String> {
    let mut sentences = Vec::new();
    collect(&parse(command)?, Position { is_failure: false, is_last: true }, &mut sentences);
    sentences.iter().find_map(|sentence| sentence.found_in(text))
}

/// A text that an `echo` prints.
struct Sentence {
    text: String,
    /// It is printed after a failure alone.
    is_of_failure: bool,
    /// Nothing is printed after it.
    is_last: bool,
}

/// Where a command is in its script.
#[derive(Clone, Copy)]
struct Position {
    is_failure: bool,
    is_last: bool,
}

impl Sentence {
    fn found_in(&self, text: &str) -> Option<String> {
        let has_code = self.text.contains("$?");
        if !has_code && !self.is_of_failure {
            return None;
        }
        let pattern = Regex::new(&self.pattern()?).ok()?;
        let mut lines = text.lines().map(str::trim);
        let found = match has_code || self.is_last {
            // Tests print before the command does.
            true => lines.rfind(|line| !line.is_empty()).filter(|line| pattern.is_match(line)),
            false => lines.find(|line| pattern.is_match(line)),
        };
        found.map(str::to_owned)
    }

    /// The line that it prints, where `$?` is not 0 and other expansions may be anything.
    fn pattern(&self) -> Option<String> {
        let unescaped = self.text.replace("\\n", "").replace("$?", "\u{1}");
        let line = unescaped.trim();
        let mut pattern = String::from("^");
        let mut rest = line;
        while let Some(at) = rest.find(['$', '`', '\u{1}']) {
            pattern.push_str(&regex::escape(&rest[..at]));
            let is_code = rest[at..].starts_with('\u{1}');
            pattern.push_str(if is_code { "[1-9][0-9]*" } else { ".*" });
            let after = &rest[at + 1..];
            let name = |c: char| c.is_alphanumeric() || "_{}()".contains(c);
            rest = if is_code { after } else { after.trim_start_matches(name) };
        }
        pattern.push_str(&regex::escape(rest));
        pattern.push('$');
        let literal = line.chars().filter(|c| c.is_alphanumeric()).count();
        (literal >= 2 || line.contains('\u{1}')).then_some(pattern)
    }
}

fn collect(script: &Script, at: Position, into: &mut Vec<Sentence>) {
    for (number, list) in script.lists.iter().enumerate() {
        let is_last = at.is_last && number + 1 == script.lists.len();
        for (place, alternative) in alternatives(list).iter().enumerate() {
            let is_failure = at.is_failure || (place > 0 && !asks(&list.first));
            if place > 0 && alternative.last().is_some_and(|it| ends_badly(it)) {
                continue;
            }
            let steps: Vec<&Command> = alternative.iter().flat_map(|it| &it.commands).collect();
            for (step_number, step) in steps.iter().enumerate() {
                let here =
                    Position { is_failure, is_last: is_last && step_number + 1 == steps.len() };
                command(step, here, into);
            }
        }
    }
}

/// The parts of a list between its `||`.
fn alternatives(list: &List) -> Vec<Vec<&Pipeline>> {
    let mut found = vec![vec![&list.first]];
    for (joint, pipeline) in &list.rest {
        match (joint, found.last_mut()) {
            (Joint::And, Some(last)) => last.push(pipeline),
            _ => found.push(vec![pipeline]),
        }
    }
    found
}

fn command(command: &Command, here: Position, into: &mut Vec<Sentence>) {
    match &command.body {
        Body::Simple { .. } => into.extend(sentence(command, here)),
        Body::Group(script) | Body::Subshell(script) | Body::For { body: script, .. } => {
            collect(script, here, into);
        }
        Body::If { branches, otherwise } => {
            let condition = branches.first().and_then(|(condition, _)| condition.lists.last());
            let asks = condition.is_some_and(|list| asks(&list.first));
            let is_negated = condition.is_some_and(|list| list.first.is_negated);
            let bodies = branches.iter().map(|(_, body)| (body, is_negated));
            for (body, is_failure) in bodies.chain(otherwise.iter().map(|body| (body, !is_negated)))
            {
                if !ends_script_badly(body) {
                    collect(body, Position { is_failure: is_failure && !asks, ..here }, into);
                }
            }
        }
        Body::While { .. } | Body::Case { .. } | Body::Test | Body::Function { .. } => {}
    }
}

fn asks(pipeline: &Pipeline) -> bool {
    let command = &pipeline.commands[0];
    command.body == Body::Test
        || command.words().first().is_some_and(|it| is_one("questions", &it.text))
}

/// Whether a branch ends with a code that is not 0, so that a run that passed never took it.
fn ends_badly(pipeline: &Pipeline) -> bool {
    let Some(last) = pipeline.commands.last() else { return false };
    match &last.body {
        Body::Group(script) | Body::Subshell(script) => ends_script_badly(script),
        _ => match last.texts().as_slice() {
            ["false" | "exit" | "return"] => true,
            ["exit" | "return", code] => *code != "0",
            _ => false,
        },
    }
}

fn ends_script_badly(script: &Script) -> bool {
    let last = script.lists.last().and_then(|list| list.pipelines().last());
    last.is_some_and(ends_badly)
}

fn sentence(command: &Command, at: Position) -> Option<Sentence> {
    let words = command.texts();
    let (program, rest) = words.split_first()?;
    let text = match *program {
        "echo" => {
            let flags = rest.iter().take_while(|word| matches!(**word, "-e" | "-n" | "-E"));
            let skipped = flags.count();
            rest[skipped..].join(" ")
        }
        "printf" if !rest.first()?.contains('%') => rest.first()?.to_string(),
        _ => return None,
    };
    Some(Sentence { text, is_of_failure: at.is_failure, is_last: at.is_last })
}
