use ftl_engine::protocol::{AgentReply, JudgeReply};
use ftl_text::excerpt;

/// Reads bytes as the reply of an agent and of a judge.
///
/// # Panics
///
/// A reply, or what is wrong with it, is reported at great length.
pub fn reply(bytes: &[u8]) {
    let said = |text: String| assert!(text.len() < 100 + 20 * bytes.len());
    match serde_json::from_slice::<AgentReply>(bytes) {
        Ok(reply) => said(format!("{reply:?}")),
        Err(error) => said(error.to_string()),
    }
    if let Ok(reply) = serde_json::from_slice::<JudgeReply>(bytes) {
        said(format!("{reply:?}"));
    }
    let summary = excerpt(bytes);
    assert!(summary.len() <= 8 * (64 << 10) + 100);
}
