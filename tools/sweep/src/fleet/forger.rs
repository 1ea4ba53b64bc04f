//! A worker that takes requests and stores what is no result of them.

use std::collections::BTreeMap;
use std::sync::Mutex;
use std::time::Duration;

use async_nats::jetstream::consumer::pull;
use async_nats::jetstream::{self, Context, Message};
use ftl_model::Digest;
use futures_util::StreamExt;
use serde_json::{Value, json};

use ftl_testkit::Result;

const NAME: &str = "forger";

/// What is wrong with a result.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Forgery {
    /// It is no JSON.
    Garbage,
    /// Its bytes are not those of its digest.
    OtherDigest,
    /// The server does not have it.
    Missing,
    /// It lists a file without its bytes.
    LackingBytes,
    /// The bytes of a file are not those of its digest.
    OtherBytes,
    /// It is larger than what is read.
    TooLarge,
    /// It is of another request.
    OtherRequest,
    /// It is of another version.
    OtherVersion,
    /// A file is listed twice, and the result is stored twice.
    Doubled,
    /// Files are outside the root, in `.git` and in `.ftl`.
    Outside,
}

/// All of them.
pub(super) const FORGERIES: [Forgery; 10] = [
    Forgery::Garbage,
    Forgery::OtherDigest,
    Forgery::Missing,
    Forgery::LackingBytes,
    Forgery::OtherBytes,
    Forgery::TooLarge,
    Forgery::OtherRequest,
    Forgery::OtherVersion,
    Forgery::Doubled,
    Forgery::Outside,
];

/// The files of a result that is [`Forgery::Outside`].
pub(super) const OUTSIDE: [&str; 4] =
    ["../outside.txt", "/tmp/ftl-outside.txt", ".git/hooks/pre-commit", ".ftl/outside.txt"];

/// Takes a request for each forgery, until all are stored or the sweep is over; which task got which.
pub(super) fn work(
    (url, token): (&str, &str),
    stored: &Mutex<BTreeMap<String, Vec<Forgery>>>,
    is_over: &dyn Fn() -> bool,
) -> Result {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    runtime.block_on(async {
        let options = async_nats::ConnectOptions::with_token(token.to_owned());
        let client = options.max_reconnects(None).connect(url).await?;
        let jetstream = jetstream::new(client);
        let mut left = FORGERIES.to_vec();
        while !is_over() && !left.is_empty() {
            let Some(message) = take(&jetstream).await else {
                tokio::time::sleep(Duration::from_millis(200)).await;
                continue;
            };
            let request: Value = serde_json::from_slice(&message.payload)?;
            let forgery = left[0];
            // A server that was killed in between has the message again.
            if store(&jetstream, &request, forgery).await.is_ok() {
                drop(message.double_ack().await);
                left.remove(0);
                let task = request["task"].as_str().unwrap_or_default().to_owned();
                let mut stored = stored.lock().map_err(|error| error.to_string())?;
                stored.entry(task).or_default().push(forgery);
            }
        }
        Ok(())
    })
}

async fn take(jetstream: &Context) -> Option<Message> {
    let stream = jetstream.get_stream("FTL").await.ok()?;
    let consumer = stream.get_consumer::<pull::Config>("agent-script").await.ok()?;
    let wait = consumer.fetch().max_messages(1).expires(Duration::from_secs(1)).messages();
    let mut batch = tokio::time::timeout(Duration::from_secs(5), wait).await.ok()?.ok()?;
    tokio::time::timeout(Duration::from_secs(5), batch.next()).await.ok()??.ok()
}

async fn store(jetstream: &Context, request: &Value, forgery: Forgery) -> Result {
    let id = request["id"].as_str().ok_or("a request without ID")?;
    let bytes = match forgery {
        Forgery::Garbage => b"no result".to_vec(),
        _ => serde_json::to_vec(&outcome(request, id, forgery))?,
    };
    let digest = Digest::of(&bytes);
    let stored = if forgery == Forgery::OtherDigest { b"other bytes".to_vec() } else { bytes };
    if forgery != Forgery::Missing {
        let objects = jetstream.get_object_store("ftl-objects").await?;
        objects.put(&*format!("{id}.{NAME}.{digest}"), &mut &*stored).await?;
    }
    let results = jetstream.get_key_value("ftl-results").await?;
    let name = json!({ "sha256": digest.to_string(), "worker": NAME });
    results.create(id, serde_json::to_vec(&name)?.into()).await?;
    if forgery == Forgery::Doubled && results.create(id, "{}".into()).await.is_ok() {
        return Err("a second result was stored".into());
    }
    Ok(())
}

/// A result as it would be, but for what is forged.
fn outcome(request: &Value, id: &str, forgery: Forgery) -> Value {
    let path = request["delta"][0].as_str().unwrap_or_default();
    let text = format!("before\ndone {}\n", path.trim_end_matches(".txt"));
    let digest = Digest::of(text.as_bytes()).to_string();
    let file = |path: &str| json!({ "path": path, "mode": 0o644, "sha256": digest });
    let mut files = vec![file(path)];
    match forgery {
        Forgery::Doubled => files.push(file(path)),
        Forgery::Outside => files.extend(OUTSIDE.map(file)),
        _ => {}
    }
    let bytes = if forgery == Forgery::OtherBytes { "other bytes" } else { &text };
    let contents = match forgery {
        Forgery::LackingBytes => json!({}),
        _ => json!({ digest.clone(): { "text": bytes } }),
    };
    let log = if forgery == Forgery::TooLarge { "x".repeat(17 << 20) } else { String::new() };
    json!({
        "v": if forgery == Forgery::OtherVersion { 999 } else { 1 },
        "ftl": "99.0.0",
        "id": if forgery == Forgery::OtherRequest { "another" } else { id },
        "worker": NAME,
        "end": { "done": {
            "done": {
                "v": 1, "worker": NAME, "exit": 0, "signal": null, "timed_out": false,
                "isolation": "bind", "files": files, "strays": [], "failure": null, "warnings": [],
            },
            "reply": null, "log": { "text": log }, "contents": contents,
        } },
    })
}
