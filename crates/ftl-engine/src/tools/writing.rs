//! Writing files of the delta, and no others. What is refused leaves every byte as it was.

use ftl_model::DeltaPath;

use super::calls::{Edit, Write};
use super::{Answer, MAX_FILE, Refusal, Toolbox, path};
use crate::text::listed;

/// How a redacted text marks what it leaves out.
const MARK: &str = "[redacted: ";

impl Toolbox {
    pub(super) fn write(&mut self, call: &Write) -> Result<Answer, Refusal> {
        let path = self.of_delta(&call.path)?;
        let word = if self.root.join(&path).exists() { "replaced" } else { "created" };
        // What is no text can be replaced too, and holds no mark.
        let old = self.text_of(&path).unwrap_or_default();
        self.put(&path, old.as_deref(), &call.content)?;
        Ok(Answer::said(format!("{word} `{path}`")))
    }

    pub(super) fn edit(&mut self, call: &Edit) -> Result<Answer, Refusal> {
        let path = self.of_delta(&call.path)?;
        let Some(text) = self.text_of(&path)? else {
            return Err(Refusal::new(format!("`{path}` does not exist; create it with `write`")));
        };
        if call.old.is_empty() {
            return Err(Refusal::new("`old` is empty: say which text to replace"));
        }
        if call.old == call.new {
            return Err(Refusal::new("`old` and `new` are the same text"));
        }
        let count = text.matches(&call.old).count();
        let new = match (count, call.all) {
            (0, _) => {
                return Err(Refusal::new(format!(
                    "`old` does not occur in `{path}`; read the file again"
                )));
            }
            (1, _) | (_, true) => grown(&text, call, count)?,
            (_, false) => {
                return Err(Refusal::new(format!(
                    "`old` occurs {count} times in `{path}`: give more of its surroundings, or `all`"
                )));
            }
        };
        self.put(&path, Some(&text), &new)?;
        let times = if count == 1 { "once".to_owned() } else { format!("{count} times") };
        Ok(Answer::said(format!("replaced {times} in `{path}`")))
    }

    /// The delta file that an agent means.
    fn of_delta(&self, text: &str) -> Result<DeltaPath, Refusal> {
        let path = path(text, &self.root)?;
        if !self.task.delta.contains(&path) {
            let own: Vec<String> = self.task.delta.iter().map(|path| format!("`{path}`")).collect();
            return Err(Refusal::new(format!(
                "`{path}` is not a file of this task, which may change {}; if it has to change, say so \
                 with `needs`",
                listed(&own)
            )));
        }
        if let Some(why) = crate::project::obstacle(&self.root, &path) {
            return Err(Refusal::new(format!("`{path}` is not written: it {why}")));
        }
        Ok(path)
    }

    /// Writes a delta file, once everything speaks for it.
    fn put(&mut self, path: &DeltaPath, old: Option<&str>, new: &str) -> Result<(), Refusal> {
        if new.len() as u64 > MAX_FILE {
            let most = MAX_FILE >> 20;
            return Err(Refusal::new(format!("the content is larger than {most} MiB")));
        }
        let marks = |text: &str| text.matches(MARK).count();
        if marks(new) > old.map_or(0, marks) {
            return Err(Refusal::new(format!(
                "the text holds `{MARK}…`, which replaces a secret that you were not shown: writing it \
                 would lose the secret; edit the lines around it"
            )));
        }
        self.budget.charge(path)?;
        let written = self.tree.write(path, new.as_bytes(), None);
        written.map_err(|error| Refusal::new(ftl_text::with_causes(&error)))
    }
}

/// The text with the replacement, unless that would be too large to make.
fn grown(text: &str, call: &Edit, count: usize) -> Result<String, Refusal> {
    let size = text.len() as u64 + (call.new.len() as u64).saturating_mul(count as u64);
    if size > 2 * MAX_FILE {
        let most = MAX_FILE >> 20;
        return Err(Refusal::new(format!("the file would be larger than {most} MiB")));
    }
    Ok(text.replace(&call.old, &call.new))
}
