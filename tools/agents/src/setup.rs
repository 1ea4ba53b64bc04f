//! How each agent is pointed at a model server of one's own, and given its key.

use std::fs;
use std::path::Path;

use ftl_testkit::Result;
use serde_json::json;

use crate::case::{Case, Way};

/// The model's name, for agents that want one.
const MODEL: &str = "scripted";

/// Writes what the agent reads at home, and gives its variables.
///
/// # Errors
///
/// Something could not be written.
pub(crate) fn point(
    name: &str,
    home: &Path,
    url: &str,
    key: &str,
) -> Result<Vec<(String, String)>> {
    let api = format!("{url}/v1");
    let write = |path: &str, text: String| -> Result {
        let path = home.join(path);
        fs::create_dir_all(path.parent().ok_or("a file lies in a directory")?)?;
        Ok(fs::write(path, text)?)
    };
    let set: &[(&str, &str)] = match name {
        "claude" => &[("ANTHROPIC_BASE_URL", url), ("ANTHROPIC_API_KEY", key)],
        "codex" => {
            write(
                ".codex/config.toml",
                format!(
                    "model = \"{MODEL}\"\nmodel_provider = \"local\"\n\n[model_providers.local]\nname = \"local\"\n\
                     base_url = \"{api}\"\nenv_key = \"OPENAI_API_KEY\"\nwire_api = \"responses\"\n"
                ),
            )?;
            &[("OPENAI_API_KEY", key)]
        }
        "gemini" => {
            write(
                ".gemini/settings.json",
                json!({"security": {"auth": {"selectedType": "gemini-api-key"}}}).to_string(),
            )?;
            &[("GEMINI_API_KEY", key), ("GOOGLE_GEMINI_BASE_URL", url)]
        }
        "qwen" => &[
            ("OPENAI_API_KEY", key),
            ("OPENAI_BASE_URL", &api),
            ("OPENAI_MODEL", MODEL),
        ],
        "opencode" => {
            write(
                ".config/opencode/opencode.json",
                json!({
                    "model": format!("local/{MODEL}"),
                    "provider": {"local": {
                        "npm": "@ai-sdk/openai-compatible", "name": "local",
                        "options": {"baseURL": api, "apiKey": "{env:OPENAI_API_KEY}"},
                        "models": {MODEL: {"name": MODEL}},
                    }},
                })
                .to_string(),
            )?;
            &[
                ("OPENAI_API_KEY", key),
                // Without a network it would wait for the list of models.
                ("OPENCODE_DISABLE_MODELS_FETCH", "1"),
            ]
        }
        "copilot" => &[
            ("COPILOT_OFFLINE", "true"),
            ("COPILOT_PROVIDER_BASE_URL", &api),
            ("COPILOT_PROVIDER_API_KEY", key),
            ("COPILOT_MODEL", MODEL),
        ],
        _ => &[
            ("OPENAI_API_BASE", &api),
            ("OPENAI_API_KEY", key),
            ("AIDER_MODEL", "openai/scripted"),
        ],
    };
    write(
        ".gitconfig",
        "[user]\n\tname = Ada\n\temail = ada@localhost\n".to_owned(),
    )?;
    let owned = set
        .iter()
        .map(|(name, value)| ((*name).to_owned(), (*value).to_owned()));
    Ok(owned.collect())
}

/// The model to name on the command line, for an agent that would else ask which one fits.
pub(crate) fn model(name: &str) -> Option<&'static str> {
    (name == "gemini").then_some(MODEL)
}

/// A command of one's own with all of an agent's tools, a shell too, where the preset has no shell.
pub(crate) fn with_shell(name: &str) -> Option<&'static str> {
    Some(match name {
        "claude" => {
            "claude -p --output-format stream-json --verbose --strict-mcp-config --permission-mode acceptEdits --allowedTools Bash"
        }
        "gemini" => {
            "GEMINI_CLI_TRUST_WORKSPACE=true gemini -o stream-json --approval-mode yolo -m scripted"
        }
        "qwen" => "qwen -o stream-json --approval-mode yolo",
        "opencode" => "opencode run --format json",
        "copilot" => "copilot -p \"$(cat)\" --allow-all-tools --no-ask-user --output-format json",
        _ => return None,
    })
}

/// Whether an agent can be run in a way at all.
///
/// # Errors
///
/// It can't, with the reason in a few words.
pub(crate) fn is_possible(
    name: &str,
    way: Way,
    case: &Case,
) -> std::result::Result<(), &'static str> {
    let contained = ["claude", "codex", "opencode"].contains(&name);
    match way {
        Way::Mcp if !contained => Err("not offered"),
        Way::Scoped if ["codex", "copilot"].contains(&name) => Err("as open"),
        Way::Open if name == "aider" => Err("as scoped"),
        Way::Scoped | Way::Mcp if case.needs_shell && name != "codex" => Err("no shell"),
        Way::Mcp if case.needs_shell => Err("no shell"),
        Way::Open if case.needs_shell && name == "aider" => Err("no shell"),
        Way::Open | Way::Scoped | Way::Mcp => Ok(()),
    }
}
