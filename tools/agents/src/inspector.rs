//! `ftl mcp` under the command line of the protocol's own inspector.

use std::fs;
use std::path::Path;

use ftl_testkit::Result;

use crate::case::{BEFORE, OTHER};
use crate::client::Client;

const PACKAGE: &str = "@modelcontextprotocol/inspector";
pub(crate) const VERSION: &str = "2.12.0";

/// A request of the inspector's, and what must come of it.
struct Call {
    words: &'static [&'static str],
    /// What the output holds.
    says: &'static str,
    succeeds: bool,
}

const fn call(words: &'static [&'static str], says: &'static str, succeeds: bool) -> Call {
    Call { words, says, succeeds }
}

const CALL: &str = "tools/call";

const CALLS: [Call; 11] = [
    call(&["tools/list"], "\"name\": \"edit\"", true),
    call(&["resources/list"], "\"resources\": []", true),
    call(&[CALL, "task"], "Mend the sum", true),
    call(&[CALL, "read", "path=calc.py"], "return a - b", true),
    call(&[CALL, "search", "pattern=def"], "calc.py", true),
    call(&[CALL, "write", "path=../evil", "content=x"], "refused", false),
    call(&[CALL, "write", "path=other.py", "content=x"], "refused", false),
    call(&[CALL, "write", "path=.ftl/workspace/x", "content=x"], "refused", false),
    call(&[CALL, "write", "path=calc.py"], "missing field", false),
    call(&[CALL, "edit", "path=calc.py", "old=nowhere", "new=x"], "does not occur", false),
    call(&[CALL, "nonsense"], "not found", false),
];

/// Makes every call, and gives how many there were.
///
/// # Errors
///
/// The inspector could not be had, or a call did not come to what it must.
pub(crate) fn inspect(ftl: &Path) -> Result<usize> {
    let client = Client::new("inspector", &[&format!("{PACKAGE}@{VERSION}")])?;
    for call in &CALLS {
        let (method, rest) = call.words.split_first().ok_or("a call has a method")?;
        let mut words = vec!["--method", method];
        if let Some((tool, arguments)) = rest.split_first() {
            words.extend(["--tool-name", tool]);
            words.extend(arguments.iter().flat_map(|argument| ["--tool-arg", argument]));
        }
        let output = client
            .program("timeout")
            .args(["120", "mcp-inspector", "--cli"])
            .args([ftl])
            .args(["mcp", "001"])
            .args(&words)
            .output()?;
        let said = [&output.stdout[..], &output.stderr[..]].concat();
        let said = String::from_utf8_lossy(&said);
        if output.status.success() != call.succeeds || !said.contains(call.says) {
            let words = words.join(" ");
            return Err(format!("`{words}` ended with {}: {said}", output.status).into());
        }
    }
    let holds = |path: &str, text: &str| {
        fs::read_to_string(client.project.join(path)).is_ok_and(|found| found == text)
    };
    if !holds("calc.py", BEFORE)
        || !holds("other.py", OTHER)
        || client.project.with_file_name("evil").exists()
    {
        return Err("a call that was refused has written".into());
    }
    Ok(CALLS.len())
}
