//! `ftl mcp` under the official conformance suite.
//!
//! The suite reaches servers by a URL, so a bridge is in between. Most of its scenarios are about a server with tools,
//! resources and prompts of given names; these are those that any server can meet.

use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

use ftl_testkit::Result;

use crate::client::Client;

const SUITE: &str = "@modelcontextprotocol/conformance";
pub(crate) const VERSION: &str = "0.1.16";
const BRIDGE: &str = "mcp-proxy@6.7.19";
pub(crate) const SCENARIOS: [&str; 3] = ["server-initialize", "ping", "tools-list"];

/// How long the bridge may take to begin.
const BEGIN: Duration = Duration::from_secs(60);

/// Runs every scenario.
///
/// # Errors
///
/// The suite could not be had, or a scenario failed.
pub(crate) fn run(ftl: &Path) -> Result {
    let client = Client::new("conformance", &[&format!("{SUITE}@{VERSION}"), BRIDGE])?;
    let port = TcpListener::bind("127.0.0.1:0")?.local_addr()?.port().to_string();
    let bridge = client
        .program("timeout")
        .args(["300", "mcp-proxy", "--host", "127.0.0.1", "--port", &port])
        .args(["--server", "stream", "--"])
        .args([ftl])
        .args(["mcp", "001"]);
    let mut judged = Ok(());
    let ended = bridge.follow(|id, _| {
        judged = until_open(&port).and_then(|()| scenarios(&port, &client));
        let id = id.to_string();
        client.program("kill").args([&id]).silent().code().map(drop)
    });
    // It ends as it was asked to, in whichever way.
    drop(ended);
    judged
}

fn until_open(port: &str) -> Result {
    let since = Instant::now();
    while TcpStream::connect(format!("127.0.0.1:{port}")).is_err() {
        if since.elapsed() > BEGIN {
            return Err("the bridge to the conformance suite did not begin".into());
        }
        thread::sleep(Duration::from_millis(100));
    }
    Ok(())
}

fn scenarios(port: &str, client: &Client) -> Result {
    for name in SCENARIOS {
        let output = client
            .program("timeout")
            .args(["120", "conformance", "server", "--scenario", name])
            .args(["--url", &format!("http://127.0.0.1:{port}/mcp")])
            .output()?;
        let said = String::from_utf8_lossy(&output.stdout);
        let results = said.lines().rfind(|line| line.starts_with("Passed: "));
        let passed =
            results.is_some_and(|line| !line.contains("/0,") && line.contains(" 0 failed"));
        if !output.status.success() || !passed {
            let said = [&output.stdout[..], &output.stderr[..]].concat();
            let said = String::from_utf8_lossy(&said).into_owned();
            let last = said.lines().rfind(|line| !line.trim().is_empty());
            return Err(format!("{name}: {}", last.unwrap_or("said nothing")).into());
        }
    }
    Ok(())
}
