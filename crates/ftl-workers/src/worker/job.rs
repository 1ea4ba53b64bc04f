//! One request at a worker: its tree is brought up to date, a process performs it, and its result is stored.

use std::collections::BTreeMap;
use std::fs::{self, DirBuilder};
use std::io::Read;
use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};
use std::process::ChildStdout;
use std::sync::Arc;
use std::time::Duration;

use async_nats::HeaderMap;
use async_nats::jetstream::{AckKind, Message};
use ftl_engine::performer::{DONE, Done, FILES};
use ftl_process::{Companion, How};
use tokio::sync::mpsc;

use super::{Shared, until_stopped};
use crate::access::ServerError;
use crate::checkout::Bases;
use crate::perform::{JOB, Job, LOG, REPLY};
use crate::protocol::{Content, Request, Work};
use crate::server::json;
use crate::submit::AT;

/// How often the server hears that a request is still worked on: a quarter of the lease.
const HEARTBEAT: Duration = Duration::from_secs(15);
/// The most bytes of a reply that is sent.
const LARGEST_REPLY: u64 = 1 << 20;

/// How a job ended.
pub(super) enum Ended {
    Done(Box<Work>),
    /// This worker can't, and another one may.
    Failed(String),
    /// The request is no longer wanted.
    Cancelled,
    /// The worker ends.
    Stopped,
}

impl Shared {
    pub(super) async fn job(&self, slot: u32, request: &Request, message: &Message) -> Ended {
        let failed = |error: String| Ended::Failed(error);
        let bases = Bases::of(&self.worker.dir, &request.project);
        let tree = match self.tree(&bases, slot, request).await {
            Ok(tree) => tree,
            Err(why) => return failed(why),
        };
        let dir = self.worker.dir.join("jobs").join(slot.to_string());
        let (prompt, body) = match (
            self.server.bytes(&request.prompt).await,
            self.server.bytes(&request.body).await,
        ) {
            (Ok(prompt), Ok(body)) => (prompt, body),
            (Err(error), _) | (_, Err(error)) => return failed(error.to_string()),
        };
        let job = Job {
            request: request.clone(),
            worker: self.worker.name.clone(),
            tree,
            prompt: String::from_utf8_lossy(&prompt).into_owned(),
            body: String::from_utf8_lossy(&body).into_owned(),
            slot,
        };
        let (companion, output) = match self.start(&dir, &job) {
            Ok(started) => started,
            Err(why) => return failed(why),
        };
        let companion = Arc::new(companion);
        let (sender, mut pieces) = mpsc::channel::<Vec<u8>>(64);
        let reading = tokio::task::spawn_blocking(move || read(output, &sender));
        let (mut at, mut stopped) = (0_u64, self.stopped.clone());
        let mut heartbeat = tokio::time::interval(HEARTBEAT);
        let (mut cancelled, mut is_stopping) = (false, false);
        loop {
            tokio::select! {
                piece = pieces.recv() => match piece {
                    Some(piece) => at = self.publish(&request.id, at, piece).await,
                    None => break,
                },
                _ = heartbeat.tick() => {
                    drop(message.ack_with(AckKind::Progress).await);
                    let found = self.server.cancelled.get(&request.id).await;
                    if !cancelled && found.is_ok_and(|found| found.is_some()) {
                        cancelled = true;
                        companion.signal(TERM);
                    }
                }
                () = until_stopped(&mut stopped), if !is_stopping => {
                    is_stopping = true;
                    companion.signal(TERM);
                }
            }
        }
        drop(reading.await);
        let ended =
            tokio::task::spawn_blocking(move || Arc::into_inner(companion).map(Companion::wait));
        let how = ended.await.ok().flatten().and_then(Result::ok);
        match how {
            _ if cancelled => Ended::Cancelled,
            _ if is_stopping => Ended::Stopped,
            Some(How::Exit(0)) => self.result(&dir).await.map_or_else(failed, Ended::Done),
            Some(How::Exit(code)) => failed(format!("the job ended with exit {code}")),
            Some(How::Signal(signal)) => failed(format!("signal {signal} ended the job")),
            None => failed("the job was lost".to_owned()),
        }
    }

    async fn tree(&self, bases: &Bases, slot: u32, request: &Request) -> Result<PathBuf, String> {
        let commit = request.base.commit.clone();
        bases.obtain(&self.server, &commit).await.map_err(|error| error.to_string())?;
        let bases = bases.clone();
        let made = tokio::task::spawn_blocking(move || bases.check_out(slot, &commit)).await;
        made.map_err(|error| error.to_string())?.map_err(|error| error.to_string())
    }

    fn start(&self, dir: &Path, job: &Job) -> Result<(Companion, ChildStdout), String> {
        let said = |error: std::io::Error| format!("cannot use `{}`: {error}", dir.display());
        ftl_tree::remove_layers(dir).map_err(|error| error.to_string())?;
        DirBuilder::new().recursive(true).mode(0o700).create(dir).map_err(said)?;
        fs::write(dir.join(JOB), json(job)).map_err(said)?;
        let words = self.worker.words.iter().cloned().chain([dir.as_os_str().to_owned()]);
        Companion::start(&self.worker.program, words).map_err(|error| error.to_string())
    }

    async fn publish(&self, id: &str, at: u64, piece: Vec<u8>) -> u64 {
        let mut headers = HeaderMap::new();
        headers.insert(AT, at.to_string().as_str());
        let next = at + piece.len() as u64;
        let client = &self.server.client;
        drop(client.publish_with_headers(format!("ftl.output.{id}"), headers, piece.into()).await);
        next
    }

    /// The result that a job left, its bytes stored on the server.
    async fn result(&self, dir: &Path) -> Result<Box<Work>, String> {
        let read =
            |name: &str| fs::read(dir.join(name)).map_err(|error| format!("{name}: {error}"));
        let stored = |error: ServerError| error.to_string();
        let done: Done = serde_json::from_slice(&read(DONE)?).map_err(|error| error.to_string())?;
        let mut contents = BTreeMap::new();
        for digest in done.files.iter().filter_map(|file| file.sha256) {
            let name = digest.to_string();
            let bytes = read(&format!("{FILES}/{name}"))?;
            contents.insert(name, self.server.content(bytes).await.map_err(stored)?);
        }
        let reply = dir.join(REPLY);
        let is_reply =
            reply.symlink_metadata().is_ok_and(|it| it.is_file() && it.len() <= LARGEST_REPLY);
        let reply = match is_reply {
            true => Some(self.server.content(read(REPLY)?).await.map_err(stored)?),
            false => None,
        };
        let log = match dir.join(LOG).exists() {
            true => self.server.content(read(LOG)?).await.map_err(stored)?,
            false => Content::Text(String::new()),
        };
        Ok(Box::new(Work { done, reply, log, contents }))
    }
}

/// SIGTERM.
const TERM: i32 = 15;

fn read(mut output: ChildStdout, sender: &mpsc::Sender<Vec<u8>>) {
    let mut bytes = vec![0; 32 << 10];
    while let Ok(count @ 1..) = output.read(&mut bytes) {
        if sender.blocking_send(bytes[..count].to_vec()).is_err() {
            return;
        }
    }
}
