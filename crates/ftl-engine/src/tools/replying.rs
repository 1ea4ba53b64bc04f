//! What an agent says of its work: in a build's request it goes into the reply, which decides nothing by
//! itself.

use ftl_store::{OsFiles, write_out};
use serde_json::{Map, Value, json};

use super::calls::{Done, Needs, NoChange};
use super::{Answer, Refusal, Toolbox};
use crate::project::read_regular;

/// The reply, in the directory of its request.
const REPLY: &str = "reply.json";
/// Bytes of a reply.
const MAX_REPLY: u64 = 1 << 20;
/// Bytes of what an agent says at once.
const MAX_SAID: usize = 64 << 10;
/// Files that may be needed.
const MAX_NEEDS: usize = 100;

impl Toolbox {
    pub(super) fn done(&mut self, call: &Done) -> Result<Answer, Refusal> {
        let summary = call.summary.as_deref().map(bounded).transpose()?;
        let known = |name: &&String| self.task.knowledge.iter().any(|(known, _)| known == *name);
        if let Some(unknown) = call.utilized.iter().find(|name| !known(name)) {
            return Err(Refusal::new(format!(
                "the task knows no failure or pattern named `{unknown}`"
            )));
        }
        let utilized = call.utilized.iter().filter_map(|name| {
            let (name, kind) = self.task.knowledge.iter().find(|(known, _)| known == name)?;
            Some(json!({"name": name, "type": kind}))
        });
        let utilized: Vec<Value> = utilized.collect();
        self.reply(|reply| {
            reply.insert("no_change".into(), false.into());
            if let Some(summary) = summary {
                reply.insert("summary".into(), summary.into());
            }
            reply.insert("utilized".into(), utilized.into());
        })
    }

    pub(super) fn no_change(&mut self, call: &NoChange) -> Result<Answer, Refusal> {
        let reason = call.reason.as_deref().map(bounded).transpose()?;
        self.reply(|reply| {
            reply.insert("no_change".into(), true.into());
            if let Some(reason) = reason {
                reply.insert("summary".into(), reason.into());
            }
        })
    }

    pub(super) fn needs(&mut self, call: &Needs) -> Result<Answer, Refusal> {
        if call.paths.is_empty() || call.paths.len() > MAX_NEEDS {
            return Err(Refusal::new(format!(
                "name 1 to {MAX_NEEDS} files, and not {}",
                call.paths.len()
            )));
        }
        let mut needs = Vec::new();
        for path in &call.paths {
            let path = super::path(path, &self.root)?;
            if self.task.delta.contains(&path) {
                return Err(Refusal::new(format!(
                    "`{path}` is a file of this task: change it with `edit` or `write`"
                )));
            }
            needs.push(Value::from(path.as_str()));
        }
        let reason = call.reason.as_deref().map(bounded).transpose()?;
        self.reply(|reply| {
            reply.insert("needs".into(), needs.into());
            if let Some(reason) = reason {
                reply.insert("summary".into(), reason.into());
            }
        })
    }

    /// Changes the reply, and says what follows.
    fn reply(&self, change: impl FnOnce(&mut Map<String, Value>)) -> Result<Answer, Refusal> {
        let Some(dir) = &self.reply else {
            let id = &self.id;
            return Ok(Answer::said(format!(
                "no build waits for this: tell the person who asked you, who can run `ftl build {id} --tree`"
            )));
        };
        let known = read_regular(&dir.join(REPLY), MAX_REPLY).unwrap_or_default();
        let mut reply = match serde_json::from_slice(&known) {
            Ok(Value::Object(reply)) => reply,
            _ => Map::new(),
        };
        change(&mut reply);
        let text = self.secrets.hide_value(Value::Object(reply));
        write_out(&OsFiles, dir, REPLY, text.as_bytes())
            .map_err(|error| Refusal::new(ftl_text::with_causes(&error)))?;
        Ok(Answer::said("noted: the build continues when you end".to_owned()))
    }
}

fn bounded(text: &str) -> Result<String, Refusal> {
    if text.len() > MAX_SAID {
        let most = MAX_SAID >> 10;
        return Err(Refusal::new(format!("the text is longer than {most} KiB")));
    }
    Ok(text.trim().to_owned())
}
