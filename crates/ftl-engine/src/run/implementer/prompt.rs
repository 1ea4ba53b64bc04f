//! The task in prose, for an agent that reads.
//!
//! The order is by importance, since agents may cut what is too long: what to do, what failed, which files,
//! then rules and background, and last how the work is judged. The same facts as JSON are in `agent.rs`.

use std::fmt::Write;

use ftl_analysis::matching::{has_fix, name_of};
use ftl_machine::{Phase, Request};
use ftl_model::{DeltaPath, Failure, Workspace};

use crate::protocol::{LastRun, Since, TestFile};
use crate::run::brief::Brief;
use crate::text::listed;

/// Shared failures that are told; more would crowd out the task.
const MAX_SHARED: usize = 50;

/// Writes the task as Markdown.
pub(super) fn write(
    brief: &Brief,
    request: &Request,
    allowed: &[String],
    tests: Option<&TestFile>,
    failure: Option<&Failure>,
    last: Option<&LastRun<'_>>,
    is_there: &dyn Fn(&DeltaPath) -> bool,
) -> String {
    let mut text = String::new();
    match request.phase {
        Phase::Implement => text.push_str("# Task\n\n"),
        Phase::FixSyntax => text.push_str("# Fix what preflight found\n\n"),
        Phase::ApplyFix => text.push_str("# Apply a known fix\n\n"),
    }
    let workspace = &brief.workspace;
    paragraph(&mut text, workspace.objective.trim());
    trouble(&mut text, request, failure);
    if let Some(last) = last {
        last_run(&mut text, last);
    }
    files(&mut text, request, allowed, is_there);
    rules(&mut text, workspace);
    knowledge(&mut text, brief);
    contexts(&mut text, workspace);
    if let Some(tests) = tests {
        section(&mut text, "The test that must pass");
        fenced(&mut text, &tests.path, &tests.content);
    }
    closing(&mut text, request);
    text
}

/// Why the agent is asked again: what preflight found, the known failure, the failed verify.
fn trouble(text: &mut String, request: &Request, failure: Option<&Failure>) {
    if !request.checks.is_empty() {
        section(text, "What preflight found");
        for check in &request.checks {
            for found in &check.diagnostics {
                bullet(
                    text,
                    &format!(
                        "{}:{}:{}: {}",
                        check.path, found.line, found.column, found.message
                    ),
                );
            }
        }
        text.push('\n');
    }
    if let Some(failure) = failure {
        section(text, "The known failure");
        bullet(text, &format!("Its error: {}", failure.trigger.trim()));
        bullet(text, &format!("Its fix: {}", failure.fix.trim()));
        text.push('\n');
    }
    if let Some(verification) = &request.verification {
        section(text, "Output of the verify command");
        fenced(text, &verification.command, &verification.output);
    }
}

/// What the run before this one left: its error, what it tried, and which of its work stands.
fn last_run(text: &mut String, last: &LastRun<'_>) {
    section(text, "What the last run left");
    let kind = match last.kind {
        "" => String::new(),
        kind => format!(" (`{kind}`)"),
    };
    paragraph(
        text,
        &format!(
            "The task was tried before, and blocked{kind}. Do not begin anew: go on from what is there."
        ),
    );
    let facts = [
        ("Its error", last.error),
        ("Tried", last.tried),
        ("Not known", last.unknown),
    ];
    for (what, fact) in facts {
        let fact = fact.trim();
        if !fact.is_empty() && fact != "nothing" {
            bullet(text, &format!("{what}: {fact}"));
        }
    }
    for file in &last.files {
        let now = match file.now {
            Since::AsLeft => "stands in the tree as that run left it",
            Since::Changed => "was changed since",
            Since::Gone => "is not there any more",
        };
        bullet(text, &format!("`{}` ({}): {now}", file.path, file.change));
    }
    if !last.strays.is_empty() {
        let strays = listed(last.strays);
        bullet(
            text,
            &format!("Outside its files it changed {strays}: that was put back"),
        );
    }
    text.push('\n');
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
        let word = if file.extend || is_there(&file.path) {
            "extend"
        } else {
            "create"
        };
        bullet(text, &format!("{word} `{}`", file.path));
    }
    text.push('\n');
    if !allowed.is_empty() {
        let globs: Vec<String> = allowed.iter().map(|glob| format!("`{glob}`")).collect();
        let _ = writeln!(
            text,
            "Files that may change with them: {}\n",
            globs.join(", ")
        );
    }
}

/// Idioms by their texts. Their patterns are for the check, and for agents that read the JSON request.
fn rules(text: &mut String, workspace: &Workspace) {
    let Some(idioms) = &workspace.idioms else {
        return;
    };
    let lists = [("Use", &idioms.required), ("Avoid", &idioms.forbidden)];
    for (title, list) in lists {
        let texts: Vec<&str> = list
            .iter()
            .filter_map(|idiom| idiom.text.as_deref())
            .collect();
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
            let fix = if has_fix(failure) {
                failure.fix.trim()
            } else {
                "none known"
            };
            let trigger = failure.trigger.trim();
            bullet(
                text,
                &format!("{}: `{trigger}`. Fix: {fix}", name_of(failure)),
            );
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

/// The code contexts as the document has them. They may be stale, so they are said to be the planner's.
fn contexts(text: &mut String, workspace: &Workspace) {
    for context in &workspace.code_contexts {
        let path = context.path.as_deref().unwrap_or("a file");
        section(text, &format!("`{path}` as the planner saw it"));
        if !context.exports.trim().is_empty() {
            paragraph(
                text,
                &format!("Keep its exports: {}", context.exports.trim()),
            );
        }
        if !context.content.trim().is_empty() {
            fenced(
                text,
                context.lines.as_deref().unwrap_or("all of it"),
                &context.content,
            );
        }
    }
}

fn closing(text: &mut String, request: &Request) {
    section(text, "How it is judged");
    bullet(
        text,
        &format!("`{}` must pass. Do not weaken it.", request.plan.verify),
    );
    bullet(
        text,
        "Every changed file must parse, and what it exported must still be there.",
    );
    bullet(
        text,
        &format!(
            "{} calls remain; each file changed costs one.",
            request.budget.remaining()
        ),
    );
    bullet(
        text,
        "If another file has to change, change nothing outside the list: write \
         `{\"needs\": [\"path\"]}` to the file that `$FTL_REPLY` names.",
    );
    bullet(
        text,
        "If nothing has to change, write `{\"no_change\": true}` there; the file may also hold a \
         `summary` and the `utilized` memories.",
    );
}

fn section(text: &mut String, title: &str) {
    text.push_str("## ");
    text.push_str(title);
    text.push_str("\n\n");
}

fn paragraph(text: &mut String, line: &str) {
    if !line.is_empty() {
        text.push_str(line);
        text.push_str("\n\n");
    }
}

fn bullet(text: &mut String, line: &str) {
    writeln!(text, "- {line}").expect("because a string takes any text");
}

/// A block that its own content can't close.
fn fenced(text: &mut String, title: &str, content: &str) {
    let longest = content.split(|c| c != '`').map(str::len).max().unwrap_or(0);
    let fence = "`".repeat(longest.max(2) + 1);
    let end = if content.ends_with('\n') { "" } else { "\n" };
    writeln!(text, "{title}\n\n{fence}\n{content}{end}{fence}\n")
        .expect("because a string takes any text");
}
