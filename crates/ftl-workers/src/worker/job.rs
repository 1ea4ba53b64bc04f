//! One request at a worker: its tree is brought up to date, a process performs it, and its result is stored.

use std::collections::BTreeMap;
use std::fs::{self, DirBuilder};
use std::io::Read;
use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};
use std::process::ChildStdout;
use std::sync::Arc;

use async_nats::HeaderMap;
use ftl_engine::performer::{DONE, Done, FILES, REASON};
use ftl_process::{Companion, How};
use ftl_text::one_line;
use tokio::sync::{mpsc, watch};

use super::{Shared, until};
use crate::access::ServerError;
use crate::perform::{JOB, Job, LOG, REPLY};
use crate::protocol::{Content, MAX_INLINE, MAX_REPLY, MAX_TASK, Request, Work};
use crate::server::{Scope, answer, json};
use crate::submit::{AT, at};

/// How a job ended.
pub(super) enum Ended {
    /// With a result, in this directory.
    Done(PathBuf),
    /// This worker can't, and another one may.
    Failed(String),
    /// What belongs to the request can't be read.
    Unreadable(String),
    /// The request is no longer wanted.
    Cancelled,
    /// The worker ends.
    Stopped,
}

impl Shared {
    /// Performs a request in a separate process.
    pub(super) async fn job(
        &self,
        slot: u32,
        tree: PathBuf,
        request: &Request,
        mut cancelled: watch::Receiver<bool>,
    ) -> Ended {
        let dir = self.worker.dir.join("jobs").join(slot.to_string());
        let scope = Scope::of_request(&request.id);
        let (prompt, body) = match (
            self.server.bytes(&scope, &request.prompt, MAX_TASK).await,
            self.server.bytes(&scope, &request.body, MAX_TASK).await,
        ) {
            (Ok(prompt), Ok(body)) => (prompt, body),
            (Err(error), _) | (_, Err(error)) if error.is_of_object() => {
                return Ended::Unreadable(error.to_string());
            }
            (Err(error), _) | (_, Err(error)) => return Ended::Failed(error.to_string()),
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
            Err(why) => return Ended::Failed(why),
        };
        let companion = Arc::new(companion);
        let (sender, mut pieces) = mpsc::channel::<Vec<u8>>(64);
        let reading = tokio::task::spawn_blocking(move || read(output, &sender));
        let performance = self.server.client.new_inbox();
        let (mut place, mut stopped) = (0_u64, self.stopped.clone());
        let (mut is_cancelled, mut is_stopping) = (false, false);
        loop {
            tokio::select! {
                piece = pieces.recv() => match piece {
                    Some(piece) => {
                        self.publish(&request.id, &at(&performance, place), &piece).await;
                        place += piece.len() as u64;
                    },
                    None => break,
                },
                () = until(&mut cancelled), if !is_cancelled => {
                    is_cancelled = true;
                    companion.signal(TERM);
                }
                () = until(&mut stopped), if !is_stopping => {
                    is_stopping = true;
                    companion.signal(TERM);
                }
            }
        }
        drop(reading.await);
        let ended =
            tokio::task::spawn_blocking(move || Arc::into_inner(companion).map(Companion::wait));
        match ended.await.ok().flatten().and_then(Result::ok) {
            _ if is_cancelled => Ended::Cancelled,
            _ if is_stopping => Ended::Stopped,
            Some(How::Exit(0)) => Ended::Done(dir),
            Some(how) => Ended::Failed(why(&dir, how)),
            None => Ended::Failed("the job was lost".to_owned()),
        }
    }

    fn start(&self, dir: &Path, job: &Job) -> Result<(Companion, ChildStdout), String> {
        let said = |error: std::io::Error| format!("cannot use `{}`: {error}", dir.display());
        ftl_tree::workplace::remove_dir(dir).map_err(|error| error.to_string())?;
        DirBuilder::new().recursive(true).mode(0o700).create(dir).map_err(said)?;
        fs::write(dir.join(JOB), json(job)).map_err(said)?;
        let words = self.worker.words.iter().cloned().chain([dir.as_os_str().to_owned()]);
        Companion::start(&self.worker.program, words).map_err(|error| error.to_string())
    }

    async fn publish(&self, id: &str, at: &str, piece: &[u8]) {
        let mut headers = HeaderMap::new();
        headers.insert(AT, at);
        let (subject, piece) = (format!("ftl.output.{id}"), piece.to_vec().into());
        drop(self.server.client.publish_with_headers(subject, headers, piece).await);
    }

    /// The result that a job left, its bytes stored on the server.
    pub(super) async fn result(&self, dir: &Path, scope: &Scope) -> Result<Box<Work>, ServerError> {
        let unreadable = "be given a result";
        let read = |name: &str| fs::read(dir.join(name)).map_err(answer(unreadable));
        let done: Done = serde_json::from_slice(&read(DONE)?).map_err(answer(unreadable))?;
        let (server, mut room) = (&self.server, MAX_INLINE);
        let mut contents = BTreeMap::new();
        for digest in done.files.iter().filter_map(|file| file.sha256) {
            let file = dir.join(FILES).join(digest.to_string());
            let content = server.content_of(scope, (&file, digest), &mut room).await?;
            contents.insert(digest.to_string(), content);
        }
        let reply = dir.join(REPLY);
        let is_reply =
            reply.symlink_metadata().is_ok_and(|it| it.is_file() && it.len() <= MAX_REPLY);
        let reply = match is_reply {
            true => Some(server.content(scope, read(REPLY)?, &mut room).await?),
            false => None,
        };
        let log = match dir.join(LOG).exists() {
            true => server.content(scope, read(LOG)?, &mut room).await?,
            false => Content::Text(String::new()),
        };
        Ok(Box::new(Work { done, reply, log, contents }))
    }
}

/// SIGTERM.
const TERM: i32 = 15;

/// What a job that failed said of it.
fn why(dir: &Path, how: How) -> String {
    match (fs::read_to_string(dir.join(REASON)), how) {
        (Ok(said), _) => one_line(said.trim()),
        (Err(_), How::Exit(code)) => format!("the job ended with exit {code}"),
        (Err(_), How::Signal(signal)) => format!("signal {signal} ended the job"),
    }
}

fn read(mut output: ChildStdout, sender: &mpsc::Sender<Vec<u8>>) {
    let mut bytes = vec![0; 32 << 10];
    while let Ok(count @ 1..) = output.read(&mut bytes) {
        if sender.blocking_send(bytes[..count].to_vec()).is_err() {
            return;
        }
    }
}
