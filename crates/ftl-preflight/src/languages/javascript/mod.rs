//! JavaScript and JSX: which goal a file is parsed under.
//!
//! ECMAScript has two goal symbols, Script and Module, and a file does not say which it is. Node
//! decides by the extension and by `"type"` in the nearest `package.json`; where these are silent,
//! it tries one and then the other ("Syntax detection" in its documentation of packages), and so is
//! it done here.

#[cfg(feature = "toolchain")]
mod node;

use std::path::Path;

use oxc_span::SourceType;

#[cfg(feature = "toolchain")]
pub(crate) use self::node::FRONT_END;
use super::ecmascript::{self, Rules};
use crate::finding::{Outcome, Setting};
use crate::manifest::ModuleType;

/// Everything that oxc says, JavaScript says too.
const RULES: Rules = Rules { counts: |_| true, is_late: |_| false, more: |_| Vec::new() };

/// A module or CommonJS: by extension, then by the nearest `package.json`, else whichever
/// accepts.
pub(crate) fn check(text: &str, setting: &Setting<'_>) -> Outcome {
    let (module, common) = (SourceType::mjs(), SourceType::cjs());
    let goals: &[SourceType] = match extension(setting.path) {
        "mjs" => &[module],
        "cjs" => &[common],
        _ => match setting.manifests.module_type(setting.path) {
            Some(ModuleType::Module) => &[module],
            Some(ModuleType::CommonJs) => &[common],
            None => &[module, common],
        },
    };
    ecmascript::check(text, setting, goals, &RULES)
}

/// JSX is for a compiler, which takes either goal.
pub(crate) fn check_jsx(text: &str, setting: &Setting<'_>) -> Outcome {
    let goals = [SourceType::mjs().with_jsx(true), SourceType::cjs().with_jsx(true)];
    ecmascript::check(text, setting, &goals, &RULES)
}

fn extension(path: &Path) -> &str {
    path.extension().and_then(|extension| extension.to_str()).unwrap_or_default()
}
