//! V8, by node's `vm`: a file is compiled under a goal, and nothing is run.
//!
//! `node --check` would take only files, and decide the goal by where they lie.
//! `vm.compileFunction` with the five parameters is how node itself wraps a CommonJS file;
//! `vm.SourceTextModule` compiles a module, whose imports are looked for only when it is linked,
//! which it never is.

use std::path::Path;

use crate::finding::{Finding, Outcome, Setting};
use crate::manifest::ModuleType;
use crate::toolchain::front_end::{Answer, FrontEnd, Question, find, offset, run};
use crate::{Language, Reason};

pub(crate) const FRONT_END: FrontEnd = FrontEnd { programs: &["node"], decodes: false, ask };

// `//` for `#!` keeps every column: V8 takes a shebang at the start of a script, but not of a
// function.
const SCRIPT: &str = r#"
const vm = require("vm");
const text = require("fs").readFileSync(0, "utf8").replace(/^\uFEFF/, "").replace(/^#!/, "//");
const options = { filename: "preflight", identifier: "preflight" };
if (process.argv[1] === "module") new vm.SourceTextModule(text, options);
else vm.compileFunction(text, ["exports", "require", "module", "__filename", "__dirname"], options);
"#;

fn ask(question: &Question<'_>) -> Result<Answer, Reason> {
    let (text, setting) = (question.text, question.setting);
    let mut refused: Vec<Finding> = Vec::new();
    for goal in goals(setting.path, setting.manifests.module_type(setting.path)) {
        match compile(text, goal, setting)? {
            Answer::Refuses(findings) => {
                let first = |all: &[Finding]| all.first().map(|it| it.range.start);
                // The goal that came further is the one that the author had in mind.
                if refused.is_empty() || first(&findings) > first(&refused) {
                    refused = findings;
                }
            }
            answer @ (Answer::Accepts | Answer::None(_)) => return Ok(answer),
        }
    }
    // Node has no say about what a compiler reads before it does.
    Ok(match super::check(text, setting) {
        Outcome::Valid => Answer::None(Reason::NoFrontEnd(Language::Jsx)),
        Outcome::Unchecked(reason) => Answer::None(reason),
        Outcome::Invalid(_) => Answer::Refuses(refused),
    })
}

fn goals(path: &Path, package: Option<ModuleType>) -> &'static [&'static str] {
    match (path.extension().and_then(|it| it.to_str()), package) {
        (Some("mjs"), _) | (_, Some(ModuleType::Module)) => &["module"],
        (Some("cjs"), _) | (_, Some(ModuleType::CommonJs)) => &["commonjs"],
        (_, None) => &["module", "commonjs"],
    }
}

fn compile(text: &str, goal: &str, setting: &Setting<'_>) -> Result<Answer, Reason> {
    let args = ["--experimental-vm-modules", "--no-warnings", "-e", SCRIPT, goal];
    let node = find("node", setting)?;
    let (code, _, errors) = run(node, args, text.as_bytes(), setting)?;
    if code == 0 {
        return Ok(Answer::Accepts);
    }
    match parse(text, &errors) {
        Some(finding) => Ok(Answer::Refuses(vec![finding])),
        None => Err(Reason::CheckerFailed(errors.lines().take(3).collect::<Vec<_>>().join(" "))),
    }
}

/// `preflight:LINE`, the line itself, a caret below the place, and further down the message.
fn parse(text: &str, errors: &str) -> Option<Finding> {
    let message = errors.lines().find(|line| line.starts_with("SyntaxError"))?;
    let mut lines = errors.lines().skip_while(|line| !line.starts_with("preflight:"));
    let place = lines.next().and_then(|line| line.strip_prefix("preflight:")?.parse().ok());
    let caret = lines.nth(1).and_then(|line| line.find('^')).unwrap_or(0);
    let start = place.map_or(0, |line| offset(text, line, caret + 1, char::len_utf16));
    Some(Finding::at(text, start, message.trim_start_matches("SyntaxError: ")))
}
