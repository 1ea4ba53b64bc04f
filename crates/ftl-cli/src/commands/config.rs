//! `ftl config`: the values in force, and where each comes from.

use std::fmt::Write as _;

use ftl_engine::project::find;
use ftl_text::one_line;
use serde_json::json;

use crate::args::{ConfigArgs, Format};
use crate::config::{Config, Setting, settings};
use crate::failure::Failure;
use crate::{CommandResult, globals, output};

/// Prints them, all or those that are named.
pub(crate) fn run(args: &ConfigArgs) -> CommandResult {
    let layout = find(globals::root(), None)?;
    // What is wrong is reported first: nothing would be in force.
    Config::load(globals::config(), layout.root())?;
    let all = settings(globals::config(), layout.root());
    for key in &args.keys {
        if !all.iter().any(|setting| is_of(setting, key)) {
            return Err(unknown(key, &all));
        }
    }
    let is_wanted = |setting: &&Setting| {
        args.keys.is_empty() || args.keys.iter().any(|key| is_of(setting, key))
    };
    let wanted: Vec<&Setting> = all.iter().filter(is_wanted).collect();
    match args.format {
        Format::Json => output::json(&json!({ "settings": wanted }))?,
        Format::Human => {
            let mut text = String::new();
            for Setting { key, value, origin } in wanted {
                let value = value.as_deref().unwrap_or("-");
                let _ = writeln!(text, "{key} = {}  # {}", one_line(value), one_line(origin));
            }
            output::result(&text)?;
        }
    }
    Ok(0)
}

/// Whether a key is this one or in this section.
fn is_of(setting: &Setting, key: &str) -> bool {
    let rest = setting.key.strip_prefix(key);
    rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
}

fn unknown(key: &str, all: &[Setting]) -> Failure {
    let similarity = |setting: &&Setting| strsim::jaro_winkler(key, &setting.key);
    let nearest = all.iter().max_by(|a, b| similarity(a).total_cmp(&similarity(b)));
    let failure = Failure::usage("usage::key", format!("there is no key `{}`", one_line(key)));
    match nearest {
        Some(near) => failure.help(format!("did you mean `{}`? `ftl config` lists all", near.key)),
        None => failure,
    }
}
