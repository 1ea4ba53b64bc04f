//! A scenario's task file, byte for byte, sound or broken. ftl's own writer takes no part.

use std::fmt::Write;
use std::path::Path;

use crate::oracle::scenario::{
    BadPath, Context, Document, FOREIGN, Failure, Fix, Idiom, IdiomRule, Malformed, Mask, NoFix,
    PREAMBLE_PATTERN, Pattern, Scenario, TestFile, Trigger, Trouble, VerifyCommand, failure_name,
};
use crate::oracle::text::listed;

use super::{TEST_FILE, diff, script};

/// The task file's bytes.
pub(super) fn render(scenario: &Scenario, scratch: &Path) -> Vec<u8> {
    let malformed = match scenario.document {
        Document::Malformed(kind) => Some(kind),
        Document::Sound | Document::Status(_) | Document::NoDelta => None,
    };
    let mut out = prologue(malformed).to_owned();
    let status = match scenario.document {
        Document::Status(status) => status,
        Document::Sound | Document::Malformed(_) | Document::NoDelta => "active",
    };
    // The file's name is what counts: another `id` is but a warning.
    let id = if scenario.padded { "999-elsewhere" } else { "001-case" };
    push(&mut out, format_args!("<workspace id=\"{id}\" status=\"{status}\">\n"));
    push(&mut out, format_args!("  <objective>a case</objective>\n"));
    implementation(&mut out, scenario, scratch, malformed);
    for context in &scenario.contexts {
        code_context(&mut out, scenario, context);
    }
    quality(&mut out, scenario, malformed);
    knowledge(&mut out, scenario, scratch, malformed);
    if malformed == Some(Malformed::TooDeep) {
        push(&mut out, format_args!("{}{}\n", "<x>".repeat(80), "</x>".repeat(80)));
    }
    out.push_str("  <delivered></delivered>\n</workspace>\n");
    spoil(out, malformed)
}

fn push(out: &mut String, text: std::fmt::Arguments<'_>) {
    out.write_fmt(text).expect("because it is memory");
}

fn prologue(malformed: Option<Malformed>) -> &'static str {
    match malformed {
        Some(Malformed::Doctype) => "<?xml version=\"1.0\"?>\n<!DOCTYPE workspace>\n",
        Some(Malformed::Encoding) => "<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?>\n",
        Some(Malformed::Version) => "<?xml version=\"2.0\"?>\n",
        Some(_) | None => "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n",
    }
}

fn spoil(mut text: String, malformed: Option<Malformed>) -> Vec<u8> {
    match malformed {
        Some(Malformed::CutShort) => {
            text.truncate(text.len() - "</workspace>\n".len());
            text.into_bytes()
        }
        Some(Malformed::NotUtf8) => {
            let at = text.find("a case").expect("because every document says so");
            let mut bytes = text.into_bytes();
            bytes[at] = 0xff;
            bytes
        }
        Some(_) | None => text.into_bytes(),
    }
}

fn implementation(
    out: &mut String,
    scenario: &Scenario,
    scratch: &Path,
    malformed: Option<Malformed>,
) {
    out.push_str("  <implementation>\n");
    if scenario.document != Document::NoDelta {
        for file in &scenario.delta {
            let path = padded(scenario, file.path);
            push(out, format_args!("    <delta>{path}</delta>\n"));
        }
        if let Some(bad) = scenario.bad_path {
            push(out, format_args!("    <delta>{}</delta>\n", bad_path(bad, scenario)));
        }
    }
    match scenario.verify_command {
        VerifyCommand::Script => {
            let mask = scenario.mask.map(Mask::suffix).unwrap_or_default();
            let command = escaped(&script::command(scratch, "verify.sh")) + mask;
            push(out, format_args!("    <verify>{command}</verify>\n"));
        }
        VerifyCommand::Absent => {}
        VerifyCommand::Blank => out.push_str("    <verify>  \n </verify>\n"),
    }
    if let Some(kind) = scenario.verify_source {
        let path = match kind {
            TestFile::Outside => "../check.txt",
            TestFile::InDelta => scenario.delta[0].path,
            TestFile::Readable
            | TestFile::Absent
            | TestFile::Directory
            | TestFile::NotUtf8
            | TestFile::TooLarge
            | TestFile::LinkOut => TEST_FILE,
        };
        let path = padded(scenario, path);
        push(out, format_args!("    <verify_source>{path}</verify_source>\n"));
    }
    budget(out, scenario, malformed);
    for place in 0..scenario.checks.len() {
        let command = escaped(&script::command(scratch, &format!("check{place}.sh")));
        push(out, format_args!("    <preflight>{command}</preflight>\n"));
    }
    out.push_str("  </implementation>\n");
}

/// Blanks and a leading `./` mean nothing.
fn padded(scenario: &Scenario, path: &str) -> String {
    if scenario.padded { format!("\n      ./{path}\t") } else { path.to_owned() }
}

fn budget(out: &mut String, scenario: &Scenario, malformed: Option<Malformed>) {
    let text = match malformed {
        Some(Malformed::BudgetWord) => "five".to_owned(),
        Some(Malformed::BudgetUnderscore) => "1_0".to_owned(),
        Some(Malformed::BudgetHuge) => "99999999999999999999".to_owned(),
        Some(_) | None => match scenario.budget {
            Some(budget) if scenario.padded => format!(" {budget:+}\n"),
            Some(budget) => budget.to_string(),
            None => return,
        },
    };
    push(out, format_args!("    <budget>{text}</budget>\n"));
}

fn bad_path(bad: BadPath, scenario: &Scenario) -> String {
    match bad {
        BadPath::Empty => String::new(),
        BadPath::Absolute => "/etc/hosts".to_owned(),
        BadPath::Parent => "../beside.txt".to_owned(),
        BadPath::ParentInside => "sub/../beside.txt".to_owned(),
        BadPath::Star => "src/*.txt".to_owned(),
        BadPath::Question => "what?.txt".to_owned(),
        BadPath::Backslash => r"src\main.txt".to_owned(),
        BadPath::Control => "a&#9;b.txt".to_owned(),
        BadPath::LinkOut => "out/x.txt".to_owned(),
        BadPath::Directory => "folder".to_owned(),
        BadPath::InFtl => ".FTL/notes.txt".to_owned(),
        BadPath::InGit => ".Git/config".to_owned(),
        BadPath::Duplicate => format!(".//{}", scenario.delta[0].path),
    }
}

fn code_context(out: &mut String, scenario: &Scenario, context: &Context) {
    let path = context.file.map_or("elsewhere.py", |file| scenario.delta[file].path);
    let names: Vec<_> = context.exports.iter().map(|name| listed(name)).collect();
    push(
        out,
        format_args!(
            "  <code_context path=\"{path}\" lines=\"1-60\">\n    <content>as seen</content>\n    <exports>{}</exports>\n  </code_context>\n",
            names.join(", ")
        ),
    );
}

fn quality(out: &mut String, scenario: &Scenario, malformed: Option<Malformed>) {
    let confidence = scenario.confidence;
    let said = confidence.attribute.is_some() || scenario.framework.is_some();
    if said || !scenario.idioms.is_empty() {
        out.push_str("  <idioms");
        if let Some(name) = scenario.framework {
            push(out, format_args!(" framework=\"{name}\""));
        }
        if let Some(text) = confidence.attribute {
            push(out, format_args!(" confidence=\"{text}\""));
        }
        out.push_str(">\n");
        for it in &scenario.idioms {
            idiom(out, it);
        }
        out.push_str("  </idioms>\n");
    }
    if malformed == Some(Malformed::ConfidenceWord) {
        out.push_str("  <framework_confidence>high</framework_confidence>\n");
    } else if let Some(text) = confidence.element {
        push(out, format_args!("  <framework_confidence>{text}</framework_confidence>\n"));
    }
}

fn idiom(out: &mut String, idiom: &Idiom) {
    let (tag, text) = (idiom.kind(), idiom.text());
    let attribute = match idiom.rule {
        IdiomRule::Mark(mark) => format!(" regex=\"\\b{mark}\\b\""),
        IdiomRule::DoesNotCompile => " regex=\"mark(\"".to_owned(),
        IdiomRule::Prose(_) => String::new(),
    };
    push(out, format_args!("    <{tag}{attribute}>{text}</{tag}>\n"));
}

fn knowledge(out: &mut String, scenario: &Scenario, scratch: &Path, malformed: Option<Malformed>) {
    let broken_cost = malformed == Some(Malformed::CostEmpty);
    if scenario.failures.is_empty() && !broken_cost {
        return;
    }
    out.push_str("  <prior_knowledge>\n");
    if broken_cost {
        out.push_str("    <failure name=\"bad\" cost=\"\"><trigger>x</trigger></failure>\n");
    }
    for (place, it) in scenario.failures.iter().enumerate() {
        failure(out, scenario, it, place, scratch);
    }
    out.push_str("  </prior_knowledge>\n");
}

fn failure(out: &mut String, scenario: &Scenario, failure: &Failure, place: usize, scratch: &Path) {
    let tags = if failure.flaky { " tags=\"flaky\"" } else { "" };
    let trigger = match failure.trigger {
        Trigger::Empty => "",
        Trigger::Foreign(which) => FOREIGN[which],
        Trigger::Masked(trouble) => Trouble::masked_twin(trouble),
    };
    push(
        out,
        format_args!(
            "    <failure name=\"{}\" cost=\"10\" injected=\"true\"{tags}>\n      <trigger>{}</trigger>\n",
            failure_name(place),
            escaped(trigger)
        ),
    );
    fix(out, scenario, &failure.fix, place, scratch);
    if let Some(pattern) = failure.pattern {
        let text = match pattern {
            Pattern::Empty => "",
            Pattern::Line(trouble) => trouble.pattern(),
            Pattern::Preamble => PREAMBLE_PATTERN,
            Pattern::Misses => r"harpsichord \w+ nowhere",
            Pattern::DoesNotCompile => "found ([",
        };
        push(out, format_args!("      <match>{}</match>\n", escaped(text)));
    }
    out.push_str("    </failure>\n");
}

fn fix(out: &mut String, scenario: &Scenario, fix: &Fix, place: usize, scratch: &Path) {
    let (kind, text) = match fix {
        Fix::Prose => ("", "repair the ledger manually".to_owned()),
        Fix::Command(_) => {
            (" kind=\"command\"", script::command(scratch, &format!("fix{place}.sh")))
        }
        Fix::Patch(patch) => (" kind=\"patch\"", diff::render(scenario, patch)),
        Fix::Rerun => (" kind=\"rerun\"", String::new()),
        Fix::None(NoFix::Empty) => ("", String::new()),
        Fix::None(NoFix::Unknown) => ("", "UNKNOWN".to_owned()),
        Fix::None(NoFix::Attempted) => ("", "Attempted: turning it off and on".to_owned()),
        Fix::None(NoFix::SeeBlocked) => {
            ("", "See blocked workspace for attempted fixes".to_owned())
        }
        Fix::None(NoFix::EmptyCommand) => (" kind=\"command\"", String::new()),
        Fix::None(NoFix::EmptyPatch) => (" kind=\"patch\"", String::new()),
    };
    push(out, format_args!("      <fix{kind}>{}</fix>\n", escaped(&text)));
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}
