//! Whether an agent is logged in, as far as its files and the environment show. No program is started and no server asked, so
//! a login that is found may have expired, and one that is not found may lie where only the agent looks.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

use crate::Preset;
use crate::preset::LoginFile;

/// Bytes of a file that are read.
const LARGEST: u64 = 1 << 20;

/// Variables by name.
pub type Variables = BTreeMap<OsString, OsString>;

/// What shows of a login.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Login {
    /// This variable is set.
    Variable(String),
    /// This file holds one, or names a model server.
    File(PathBuf, String),
    /// Nothing, in these variables and files.
    NotFound(Vec<String>, Vec<PathBuf>),
    /// It keeps its login where other programs cannot read it.
    Unknown,
}

impl Preset {
    /// The directory that the agent keeps its own in; none without a home directory.
    #[must_use]
    pub fn home_in(&self, variables: &Variables) -> Option<PathBuf> {
        let home = self.home.as_ref()?;
        let moved = home.variable.as_ref().and_then(|name| set(variables, name));
        match moved {
            Some(moved) => Some(PathBuf::from(moved)),
            None => Some(Path::new(set(variables, "HOME")?).join(&home.path)),
        }
    }

    /// What shows of its login.
    #[must_use]
    pub fn login_in(&self, variables: &Variables) -> Login {
        let Some(places) = &self.login else {
            return Login::Unknown;
        };
        let mut names = places.variables.iter();
        if let Some(name) = names.find(|name| set(variables, name).is_some()) {
            return Login::Variable(name.clone());
        }
        let home = self.home_in(variables);
        let files = places.files.iter().zip(std::iter::repeat(&home));
        let files = files.filter_map(|(file, home)| Some((file, home.as_ref()?.join(&file.path))));
        let files: Vec<(&LoginFile, PathBuf)> = files.collect();
        let found = files.iter().find_map(|(file, path)| Some((path, key_in(path, &file.keys)?)));
        match found {
            Some((path, key)) => Login::File(path.clone(), key.to_owned()),
            None => Login::NotFound(
                places.variables.clone(),
                files.into_iter().map(|(_, path)| path).collect(),
            ),
        }
    }
}

/// A variable that is set to something.
fn set<'v>(variables: &'v Variables, name: &str) -> Option<&'v OsStr> {
    let value = variables.get(OsStr::new(name))?;
    (!value.is_empty()).then_some(value)
}

/// The first of these keys that a file of JSON or TOML has something under.
fn key_in<'k>(path: &Path, keys: &'k [String]) -> Option<&'k str> {
    if !path.metadata().is_ok_and(|found| found.is_file()) {
        return None;
    }
    let mut text = String::new();
    let file = File::open(path).ok()?;
    file.take(LARGEST).read_to_string(&mut text).ok()?;
    let is_toml = path.extension().is_some_and(|it| it == "toml");
    let value: serde_json::Value = match is_toml {
        true => toml::from_str(&text).ok()?,
        false => serde_json::from_str(&text).ok()?,
    };
    let holds = |key: &&String| match &value[key.as_str()] {
        serde_json::Value::Null => false,
        serde_json::Value::String(text) => !text.is_empty(),
        serde_json::Value::Object(entries) => !entries.is_empty(),
        _ => true,
    };
    keys.iter().find(holds).map(String::as_str)
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::{Login, Variables};
    use crate::Preset;

    #[test]
    fn a_login_shows_in_variables_and_in_files_and_else_not_at_all() {
        let dir = tempfile::tempdir().unwrap();
        let home = || ("HOME".into(), dir.path().into());
        let login = |name: &str, more: &[(&str, &str)]| {
            let more = more.iter().map(|(name, value)| (name.into(), value.into()));
            let variables: Variables = more.chain([home()]).collect();
            Preset::named(name).unwrap().login_in(&variables)
        };
        let write = |path: &str, text: &str| {
            let path = dir.path().join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        };
        for name in ["claude", "codex", "gemini", "qwen", "copilot"] {
            assert!(matches!(login(name, &[]), Login::NotFound(..)), "{name}");
        }
        assert_eq!(login("aider", &[]), Login::Unknown);
        let key = [("ANTHROPIC_API_KEY", "k")];
        assert_eq!(login("claude", &key), Login::Variable("ANTHROPIC_API_KEY".into()));
        assert!(matches!(login("claude", &[("ANTHROPIC_API_KEY", "")]), Login::NotFound(..)));
        // Other content of the same file is no login.
        write(".claude/.credentials.json", r#"{"mcpOAuth": {"x": 1}}"#);
        assert!(matches!(login("claude", &[]), Login::NotFound(..)));
        write(".claude/.credentials.json", r#"{"claudeAiOauth": {"accessToken": "x"}}"#);
        let file = dir.path().join(".claude/.credentials.json");
        assert_eq!(login("claude", &[]), Login::File(file, "claudeAiOauth".into()));
        write(".codex/auth.json", r#"{"OPENAI_API_KEY": null, "tokens": null}"#);
        assert!(matches!(login("codex", &[]), Login::NotFound(..)));
        write(".codex/config.toml", "model_provider = 'local'");
        let file = dir.path().join(".codex/config.toml");
        assert_eq!(login("codex", &[]), Login::File(file, "model_provider".into()));
        let elsewhere = dir.path().join("elsewhere");
        let moved = login("codex", &[("CODEX_HOME", &elsewhere.to_string_lossy())]);
        let Login::NotFound(_, files) = moved else {
            panic!("{moved:?}");
        };
        assert_eq!(files[0], elsewhere.join("auth.json"));
    }
}
