//! What an agent reports of its work, in a file that it may write.
//!
//! Every text comes from a program that ftl does not trust: it is bounded, made safe for a terminal, and
//! leads to no verdict by itself. A reply that cannot be read costs a warning, never the work.

use std::io::ErrorKind;
use std::path::Path;

use ftl_model::Used;

use serde_json::Value;

use super::Answer;
use crate::project::{normalised, read_regular};
use crate::protocol::{AgentReply, Memory};
use crate::text::one_line;

/// Bytes of a reply. It is meant to hold a summary and a few names.
pub(super) const MAX_REPLY: u64 = 1 << 20;

/// Reads the reply: the file, else what the agent said at the end of its output. None is no fault, a malformed one
/// is a warning. `hide` takes secrets out of a text, before
/// anything else changes it: a path that was normalised may be no known secret any more.
pub(super) fn read(
    path: &Path,
    said: Option<Value>,
    in_delta: &dyn Fn(&str) -> bool,
    hide: &dyn Fn(&str) -> String,
) -> Answer {
    let ignored = |why: String| Answer {
        warnings: vec![format!("the implementer's reply is ignored: {why}")],
        ..Answer::default()
    };
    // A link could make anything that ftl may read into a reply.
    let is_link = path.symlink_metadata().is_ok_and(|found| found.is_symlink());
    if is_link {
        return ignored("it is a link".into());
    }
    let bytes = match read_regular(path, MAX_REPLY) {
        Ok(bytes) => bytes,
        Err(error) if error.kind() == ErrorKind::NotFound => Vec::new(),
        Err(error) => return ignored(error.to_string()),
    };
    if bytes.len() as u64 > MAX_REPLY {
        return ignored("it is larger than 1 MiB".into());
    }
    // An agent that opens the file and writes nothing may have said it elsewhere.
    let read = match (bytes.iter().all(u8::is_ascii_whitespace), said) {
        (true, None) => return Answer::default(),
        (true, Some(said)) => serde_json::from_value(said),
        (false, _) => serde_json::from_slice(&bytes),
    };
    match read {
        Ok(reply) => answer(hidden(reply, hide), in_delta),
        Err(error) => ignored(hide(&error.to_string())),
    }
}

/// The reply without secrets.
fn hidden(reply: AgentReply, hide: &dyn Fn(&str) -> String) -> AgentReply {
    let memories = reply
        .utilized
        .into_iter()
        .map(|memory| Memory { name: hide(&memory.name), kind: memory.kind.as_deref().map(hide) });
    AgentReply {
        summary: reply.summary.as_deref().map(hide),
        utilized: memories.collect(),
        no_change: reply.no_change,
        needs: reply.needs.iter().map(|path| hide(path)).collect(),
    }
}

fn answer(reply: AgentReply, in_delta: &dyn Fn(&str) -> bool) -> Answer {
    let AgentReply { summary, utilized, no_change, needs } = reply;
    let needs = needs.iter().map(|path| one_line(&normalised(path.trim())));
    Answer {
        summary: summary.map(|text| ftl_text::excerpt(text.trim().as_bytes())),
        utilized: utilized.into_iter().map(used).collect(),
        no_change,
        needs: needs.filter(|path| !path.is_empty() && !in_delta(path)).collect(),
        ..Answer::default()
    }
}

fn used(memory: Memory) -> Used {
    let kind = memory.kind.as_deref().map(one_line);
    Used { name: one_line(&memory.name), kind: kind.unwrap_or_else(|| "failure".into()) }
}

#[cfg(test)]
mod tests {
    use super::read;

    #[test]
    fn a_reply_that_cannot_be_read_is_said_to_be_ignored() {
        let home = tempfile::tempdir().unwrap();
        let reply = home.path().join("reply.json");
        assert_eq!(read(&reply, None, &|_| false, &str::to_owned).warnings, [""; 0]);
        std::fs::create_dir(&reply).unwrap();
        let warnings = read(&reply, None, &|_| false, &str::to_owned).warnings;
        assert!(warnings[0].ends_with("ignored: it is not a regular file"), "{warnings:?}");
    }
}
