//! The task in prose, for an agent that reads.
//!
//! The order is by importance, since agents may cut what is too long: what to do, what failed, which files,
//! then rules and background, and last how the work is judged. The same facts as JSON are in `agent.rs`.

use std::fmt::Write;

use ftl_analysis::matching::{has_fix, name_of};
use ftl_machine::{Phase, Request};
use ftl_model::{DeltaPath, Failure, Workspace};

use super::markdown::{bullet, fenced, paragraph, section};
use super::verify_prompt;
use crate::protocol::{LastRun, LastVerify, Since, TestFile};
use crate::run::session::brief::Brief;
use crate::text::listed;

/// Shared failures that are shown; more would crowd out the task.
const MAX_SHARED: usize = 50;

/// What a prompt is made of.
pub(super) struct Facts<'a> {
    pub(super) brief: &'a Brief,
    pub(super) request: &'a Request,
    /// Globs of files that may change beside the delta.
    pub(super) allowed: &'a [String],
    pub(super) tests: Option<&'a TestFile>,
    /// The known failure whose fix is to be applied.
    pub(super) failure: Option<&'a Failure>,
    pub(super) last: Option<&'a LastRun<'a>>,
    /// What the last request of this run changed outside the delta.
    pub(super) strays: &'a [String],
    /// The verify that failed last.
    pub(super) verify: Option<LastVerify<'a>>,
    pub(super) is_there: &'a dyn Fn(&DeltaPath) -> bool,
    /// Where the reply goes, absolute.
    pub(super) reply: &'a str,
    /// The agent has the task before it: only what is new is said.
    pub(super) goes_on: bool,
    /// The files as they are now, where what the planner saw is out of date.
    pub(super) now: &'a [Shown],
    /// What was done so far.
    pub(super) diff: Option<&'a str>,
}

/// A file as it is now.
pub(super) struct Shown {
    pub(super) path: String,
    /// None where it is too long, or no text.
    pub(super) text: Option<String>,
}

/// Writes the task as Markdown.
pub(super) fn write(facts: &Facts<'_>) -> String {
    let mut text = String::new();
    let request = facts.request;
    match request.phase {
        Phase::Implement => text.push_str("# Task\n\n"),
        Phase::FixSyntax => text.push_str("# Fix what preflight found\n\n"),
        Phase::ApplyFix => text.push_str("# Apply a known fix\n\n"),
    }
    if facts.goes_on {
        trouble(&mut text, facts);
        section(&mut text, "What holds");
        text.push_str("The task is the same, and so are its files and rules.\n\n");
        budget(&mut text, request);
        replying(&mut text, facts.reply);
        return text;
    }
    let workspace = &facts.brief.workspace;
    paragraph(&mut text, workspace.objective.trim());
    trouble(&mut text, facts);
    if let Some(last) = facts.last {
        last_run(&mut text, last, request);
    }
    files(&mut text, request, facts.allowed, facts.is_there);
    as_they_are(&mut text, facts);
    rules(&mut text, workspace);
    knowledge(&mut text, facts.brief);
    let tests = facts.tests.map(|tests| tests.path.as_str());
    contexts(&mut text, workspace, facts.now, tests);
    if let Some(tests) = facts.tests {
        section(&mut text, "The test that must pass");
        fenced(&mut text, &tests.path, &tests.content);
    }
    closing(&mut text, facts);
    budget(&mut text, request);
    replying(&mut text, facts.reply);
    text
}

/// The files as they are now, and what was done to them.
fn as_they_are(text: &mut String, facts: &Facts<'_>) {
    if let Some(diff) = facts.diff {
        section(text, "What was done so far");
        fenced(text, "The difference from before the task:", diff.trim_end());
    }
    for file in facts.now {
        section(text, &format!("`{}` as it is now", file.path));
        match &file.text {
            Some(content) => fenced(text, "All of it:", content),
            None => text.push_str("It is too long to be shown here, or no text.\n\n"),
        }
    }
}

/// Why the agent is asked again: what preflight found, the known failure, the failed verify.
fn trouble(text: &mut String, facts: &Facts<'_>) {
    let request = facts.request;
    if !request.checks.is_empty() {
        section(text, "What preflight found");
        for check in &request.checks {
            for found in &check.diagnostics {
                bullet(
                    text,
                    &format!("{}:{}:{}: {}", check.path, found.line, found.column, found.message),
                );
            }
        }
        text.push('\n');
    }
    if let Some(failure) = facts.failure {
        section(text, "The known failure");
        bullet(text, &format!("Its error: {}", failure.trigger.trim()));
        bullet(text, &format!("Its fix: {}", failure.fix.trim()));
        text.push('\n');
    }
    if !facts.strays.is_empty() {
        section(text, "What was left out");
        bullet(text, &left_out(facts.strays));
        text.push('\n');
    }
    if let Some(verify) = &facts.verify {
        verify_prompt::write(text, verify);
    }
}

fn left_out(strays: &[String]) -> String {
    let strays = listed(strays);
    format!("Outside its files it changed {strays}: that was left behind, and may not be changed")
}

/// What the run before this one left: its error, what it tried, and which of its work is still there.
fn last_run(text: &mut String, last: &LastRun<'_>, request: &Request) {
    section(text, "What the last run left");
    let kind = match last.kind {
        "" => String::new(),
        kind => format!(" (`{kind}`)"),
    };
    let how = match last.delivered.is_empty() {
        true => format!("was tried before, and blocked{kind}"),
        false => "was completed before, and is open again".to_owned(),
    };
    let is_apart = LastRun::is_apart(last.kind);
    let then = match is_apart {
        true => {
            "The project changed while its work was done. It is laid into the tree as far as it fits: look at it again."
        }
        false => "Do not start over: go on from what is there.",
    };
    paragraph(text, &format!("The task {how}. {then}"));
    let facts = [
        ("Its error", last.error),
        ("Tried", last.tried),
        ("Not known", last.unknown),
        ("Delivered", last.delivered),
    ];
    for (what, fact) in facts {
        let fact = fact.trim();
        if !fact.is_empty() && fact != "nothing" {
            bullet(text, &format!("{what}: {fact}"));
        }
    }
    for file in last.files.iter().filter(|_| !is_apart) {
        let now = match file.now {
            Since::AsLeft => "is in the tree as that run left it",
            Since::Changed => "was changed since",
            Since::Gone => "is not there any more",
        };
        bullet(text, &format!("`{}` ({}): {now}", file.path, file.change));
    }
    let in_delta = |path: &&String| request.plan.paths().any(|known| known.as_str() == **path);
    let (taken, strays): (Vec<&String>, Vec<&String>) = last.strays.iter().partition(in_delta);
    let owned = |paths: Vec<&String>| paths.into_iter().cloned().collect::<Vec<_>>();
    if !taken.is_empty() {
        let taken = listed(&owned(taken));
        bullet(
            text,
            &format!(
                "It also changed {taken}, which now belongs to the task: continue from its current content"
            ),
        );
    }
    if !strays.is_empty() {
        bullet(text, &left_out(&owned(strays)));
    }
    text.push('\n');
    if let Some(diff) = &last.underneath {
        fenced(text, "What changed in the tree while it was done:", diff.trim_end());
    }
    if let Some(diff) = &last.work {
        fenced(text, "What it did:", diff.trim_end());
    }
}

/// A file is created by the first request that writes it, and extended by the next.
fn files(
    text: &mut String,
    request: &Request,
    allowed: &[String],
    is_there: &dyn Fn(&DeltaPath) -> bool,
) {
    section(text, "Files");
    text.push_str("Change these files and no others:\n\n");
    for file in &request.plan.files {
        let word = if file.extend || is_there(&file.path) { "extend" } else { "create" };
        bullet(text, &format!("{word} `{}`", file.path));
    }
    text.push('\n');
    if !allowed.is_empty() {
        let globs: Vec<String> = allowed.iter().map(|glob| format!("`{glob}`")).collect();
        let _ = writeln!(text, "Files that may change with them: {}\n", globs.join(", "));
    }
}

/// Idioms by their texts. Their patterns are for the check, and for agents that read the JSON request.
fn rules(text: &mut String, workspace: &Workspace) {
    let Some(idioms) = &workspace.idioms else {
        return;
    };
    let lists = [("Use", &idioms.required), ("Avoid", &idioms.forbidden)];
    for (title, list) in lists {
        let texts: Vec<&str> = list.iter().filter_map(|idiom| idiom.text.as_deref()).collect();
        if !texts.is_empty() {
            section(text, title);
            texts.iter().for_each(|idiom| bullet(text, idiom.trim()));
            text.push('\n');
        }
    }
}

fn knowledge(text: &mut String, brief: &Brief) {
    let Some(knowledge) = &brief.workspace.prior_knowledge else {
        return;
    };
    if !knowledge.failures.is_empty() {
        section(text, "Failures seen before");
        let shown = brief.own_failures + MAX_SHARED;
        for failure in knowledge.failures.iter().take(shown) {
            let fix = if has_fix(failure) { failure.fix.trim() } else { "none known" };
            let trigger = failure.trigger.trim();
            bullet(text, &format!("{}: `{trigger}`. Fix: {fix}", name_of(failure)));
        }
        let more = knowledge.failures.len().saturating_sub(shown);
        if more > 0 {
            bullet(text, &format!("and {more} more that the project shares"));
        }
        text.push('\n');
    }
    if !knowledge.patterns.is_empty() {
        section(text, "What helped before");
        for pattern in &knowledge.patterns {
            let name = pattern.name.as_deref().unwrap_or("unnamed");
            bullet(text, &format!("{name}: {}", pattern.insight.trim()));
        }
        text.push('\n');
    }
}

/// The code contexts as the document has them. They may be stale, so they are said to be the planner's, and of a
/// file that is shown as it is now, or as the test, only the exports are shown.
fn contexts(text: &mut String, workspace: &Workspace, now: &[Shown], tests: Option<&str>) {
    for context in &workspace.code_contexts {
        let path = context.path.as_deref().unwrap_or("a file");
        let is_shown =
            now.iter().any(|file| file.path == path.trim()) || tests == Some(path.trim());
        let exports = context.exports.trim();
        let content = Some(&context.content).filter(|text| !is_shown && !text.trim().is_empty());
        if exports.is_empty() && content.is_none() {
            continue;
        }
        match is_shown {
            true => section(text, &format!("Exports of `{path}`")),
            false => section(text, &format!("`{path}` as the planner saw it")),
        }
        if !exports.is_empty() {
            paragraph(text, &format!("Keep its exports: {exports}"));
        }
        if let Some(content) = content {
            let lines = context.lines.as_deref();
            let title =
                lines.map_or_else(|| "All of it:".to_owned(), |lines| format!("Lines {lines}:"));
            fenced(text, &title, content);
        }
    }
}

fn closing(text: &mut String, facts: &Facts<'_>) {
    section(text, "How it is judged");
    let verify = &facts.request.plan.verify;
    bullet(
        text,
        &format!(
            "ftl runs `{verify}` after you have ended; you need not. It must pass: do not weaken it."
        ),
    );
    bullet(text, "Every changed file must parse, and what it exported must still be there.");
    bullet(text, "A change outside these files is left behind: it does not come into the project.");
}

/// The remaining budget, in a sentence that is true for the phase.
fn budget(text: &mut String, request: &Request) {
    let left = match request.budget.remaining() {
        1 => "1 call is left".to_owned(),
        left => format!("{left} calls are left"),
    };
    let line = match request.phase {
        Phase::Implement => format!(
            "{left}: each file that you change costs one, and running the verify costs one."
        ),
        Phase::FixSyntax => {
            format!("This request costs nothing. {left}: running the verify costs one.")
        }
        Phase::ApplyFix => format!(
            "This request is paid for, whatever it changes. {left}: running the verify costs one."
        ),
    };
    bullet(text, &line);
}

fn replying(text: &mut String, reply: &str) {
    bullet(
        text,
        &format!(
            "If another file has to change, change nothing outside the list: write \
                  `{{\"needs\": [\"path\"]}}` to `{reply}`."
        ),
    );
    bullet(
        text,
        "If nothing has to change, write `{\"no_change\": true}` there; the file may also hold a \
         `summary` and the `utilized` memories.",
    );
    bullet(
        text,
        "If you can't write that file, end your answer with the same JSON in a block fenced by three backticks.",
    );
}
