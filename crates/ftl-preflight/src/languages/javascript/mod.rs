//! JavaScript and JSX: which goal a file is parsed under.
//!
//! ECMAScript has two goal symbols, Script and Module, and a file does not say which it is. Node
//! decides by the extension and by `"type"` in the nearest `package.json`; where these are silent,
//! it tries one and then the other ("Syntax detection" in its documentation of packages), and so is
//! it done here.
//!
//! Most projects hand their `.js` files to a compiler first, which takes more: JSX in every file
//! (the templates of Next.js, Create React App and Expo rely on it), modules below
//! `"type": "commonjs"`, and Flow, which no parser here knows. So a file that node refuses is parsed
//! once more as a compiler does it, unless node runs the file itself: with a `#!` line, or as a `bin`
//! of its package.

#[cfg(feature = "toolchain")]
mod node;

use std::path::Path;

use oxc_span::SourceType;

#[cfg(feature = "toolchain")]
pub(crate) use self::node::FRONT_END;
use super::ecmascript::{self, Rules, first};
use crate::Reason;
use crate::finding::{Outcome, Setting};
use crate::manifest::ModuleType;

/// Everything that oxc says, JavaScript says too.
const RULES: Rules = Rules {
    counts: |_| true,
    is_late: |_| false,
    more: |_| Vec::new(),
    parses_only: false,
    returns: false,
    // TypeScript takes them for blanks.
    no_blanks: &['\u{85}', '\u{200B}'],
};

/// A module or CommonJS: by extension, then by the nearest `package.json`, else whichever
/// accepts.
pub(crate) fn check(text: &str, setting: &Setting<'_>) -> Outcome {
    let (module, common) = (SourceType::mjs(), SourceType::cjs());
    let package = setting.manifests.module_type(setting.path);
    let (goals, compiled): (&[SourceType], &[SourceType]) = match (extension(setting.path), package)
    {
        ("mjs", _) | (_, Some(ModuleType::Module)) => (&[module], &[module]),
        ("cjs", _) => (&[common], &[common]),
        (_, Some(ModuleType::CommonJs)) => (&[common], &[common, module]),
        (_, None) => (&[module, common], &[module, common]),
    };
    let compiled: Vec<_> = compiled.iter().map(|goal| goal.with_jsx(true)).collect();
    match ecmascript::check(text, setting, goals, &RULES) {
        Outcome::Invalid(refused) if !is_run_by_node(text, setting) => {
            let outcome =
                without_flow(text, setting, ecmascript::check(text, setting, &compiled, &RULES));
            match outcome {
                // The parse that came further is the one that the author had in mind.
                Outcome::Invalid(found) if first(&found) <= first(&refused) => {
                    Outcome::Invalid(refused)
                }
                outcome => outcome,
            }
        }
        outcome => outcome,
    }
}

/// JSX is for a compiler, which takes either goal.
pub(crate) fn check_jsx(text: &str, setting: &Setting<'_>) -> Outcome {
    let goals = [SourceType::mjs().with_jsx(true), SourceType::cjs().with_jsx(true)];
    without_flow(text, setting, ecmascript::check(text, setting, &goals, &RULES))
}

/// Whether node runs the file as it is, so that its verdict counts and no compiler's.
fn is_run_by_node(text: &str, setting: &Setting<'_>) -> bool {
    text.starts_with("#!") || setting.manifests.is_program(setting.path)
}

/// Leaves files unchecked that oxc refuses as Flow, that begin with `@flow`, or that are below a `.flowconfig`.
fn without_flow(text: &str, setting: &Setting<'_>, outcome: Outcome) -> Outcome {
    match outcome {
        Outcome::Invalid(found)
            if found.iter().any(|it| it.message.starts_with("Flow is not"))
                || ecmascript::begins_with(text, "@flow")
                || setting.manifests.is_flow(setting.path) =>
        {
            Outcome::Unchecked(Reason::OtherFormat("Flow"))
        }
        outcome => outcome,
    }
}

fn extension(path: &Path) -> &str {
    path.extension().and_then(|extension| extension.to_str()).unwrap_or_default()
}
