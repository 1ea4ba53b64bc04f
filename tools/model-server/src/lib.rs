//! A model server that answers by a script, for coding agents that are tried against it.
//!
//! It speaks chat completions, responses, messages and `generateContent`, streamed where an agent asks for that.
//! It keeps no state between requests: which step of the script comes next, the conversation that is sent shows by the
//! results of tools in it. So a request that is sent again is answered alike.

mod conversation;
mod dialect;
mod offered;
mod script;

use std::io::Read;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use ftl_testkit::Result;
use serde_json::Value;
use tiny_http::{Header, Method, Request, Response};

use crate::dialect::Dialect;
pub use conversation::{Conversation, Phase, Turn};
pub use offered::Tool;
pub use script::{Act, Script, Trouble};

/// Bytes of a request that are read.
const LONGEST: u64 = 64 << 20;
/// How long an answer is held back where none is to come.
const HOLD: Duration = Duration::from_mins(5);

/// A request for an answer, as it was understood.
#[derive(Clone, Debug)]
pub struct Asked {
    /// The path that was asked.
    pub path: String,
    /// What was said so far.
    pub conversation: Conversation,
    /// The JSON that was sent.
    pub body: Value,
    /// What came back, in short.
    pub answer: String,
}

/// A server on a free port of the loopback address, until it is dropped.
#[derive(Debug)]
pub struct Server {
    port: u16,
    shared: Arc<Shared>,
}

struct Shared {
    http: tiny_http::Server,
    script: Script,
    asked: Mutex<Vec<Asked>>,
    is_over: AtomicBool,
}

impl std::fmt::Debug for Shared {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Shared").finish_non_exhaustive()
    }
}

impl Server {
    /// Starts one.
    ///
    /// # Errors
    ///
    /// No port could be had.
    pub fn start(script: Script) -> Result<Self> {
        let http = tiny_http::Server::http("127.0.0.1:0").map_err(|error| error.to_string())?;
        let address = http.server_addr().to_ip().ok_or("it has no port")?;
        let shared = Arc::new(Shared {
            http,
            script,
            asked: Mutex::default(),
            is_over: AtomicBool::new(false),
        });
        let serving = Arc::clone(&shared);
        thread::spawn(move || serve(&serving));
        Ok(Self { port: address.port(), shared })
    }

    /// Its address, without a path.
    #[must_use]
    pub fn url(&self) -> String {
        format!("http://127.0.0.1:{}", self.port)
    }

    /// What was asked so far.
    #[must_use]
    pub fn asked(&self) -> Vec<Asked> {
        let asked = self.shared.asked.lock();
        asked.unwrap_or_else(PoisonError::into_inner).clone()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.shared.is_over.store(true, Ordering::Relaxed);
        self.shared.http.unblock();
    }
}

fn serve(shared: &Arc<Shared>) {
    while let Ok(request) = shared.http.recv() {
        let shared = Arc::clone(shared);
        // An answer that is held back holds back no other.
        thread::spawn(move || answer(&shared, request));
    }
}

/// Answers a request. A client that closed the connection gets none.
fn answer(shared: &Shared, mut request: Request) {
    let mut text = String::new();
    let body = request.as_reader().take(LONGEST).read_to_string(&mut text);
    let body: Value =
        body.ok().and_then(|_| serde_json::from_str(&text).ok()).unwrap_or(Value::Null);
    let path = request.url().to_owned();
    let said = match request.method() {
        Method::Post => said(shared, &request, &path, &body),
        // Lists of models, mostly.
        _ => Said::json(200, &serde_json::json!({"object": "list", "data": [], "models": []})),
    };
    let kind = said.kind.parse::<Header>();
    let response = Response::from_string(said.text).with_status_code(said.status);
    drop(match kind {
        Ok(kind) => request.respond(response.with_header(kind)),
        Err(()) => request.respond(response),
    });
}

/// What goes back.
struct Said {
    status: u16,
    kind: &'static str,
    text: String,
}

impl Said {
    fn json(status: u16, value: &Value) -> Self {
        Self { status, kind: "Content-Type: application/json", text: value.to_string() }
    }

    fn events(text: String) -> Self {
        Self { status: 200, kind: "Content-Type: text/event-stream", text }
    }
}

fn said(shared: &Shared, request: &Request, path: &str, body: &Value) -> Said {
    let Some(dialect) = Dialect::of(path) else {
        return Said::json(200, &serde_json::json!({"input_tokens": 10, "totalTokens": 10}));
    };
    let conversation = dialect.read(body);
    let is_streamed = dialect.is_streamed(path, body);
    let answer = shared.script.answer(&conversation, &key_of(request));
    let mut asked = shared.asked.lock().unwrap_or_else(PoisonError::into_inner);
    asked.push(Asked {
        path: path.to_owned(),
        conversation,
        body: body.clone(),
        answer: answer.to_string(),
    });
    drop(asked);
    match answer {
        script::Answer::Trouble(Trouble::Refused) => Said::json(401, &dialect.refusal()),
        script::Answer::Trouble(Trouble::Silent) => {
            let since = Instant::now();
            while !shared.is_over.load(Ordering::Relaxed) && since.elapsed() < HOLD {
                thread::sleep(Duration::from_millis(50));
            }
            Said::json(500, &Value::Null)
        }
        script::Answer::Say(answer) if is_streamed => Said::events(dialect.streamed(&answer)),
        script::Answer::Say(answer) => Said::json(200, &dialect.whole(&answer)),
    }
}

/// The key that came with a request, in whichever header.
fn key_of(request: &Request) -> String {
    let names = ["authorization", "x-api-key", "x-goog-api-key", "api-key"];
    let mut headers = request.headers().iter();
    let found = headers
        .find(|header| names.contains(&header.field.as_str().as_str().to_lowercase().as_str()));
    let value = found.map_or("", |header| header.value.as_str());
    value.trim_start_matches("Bearer ").to_owned()
}
