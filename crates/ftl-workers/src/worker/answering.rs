//! What a worker does with a message: it refuses the request, or performs it and stores the result.

use std::path::{Path, PathBuf};
use std::time::Duration;

use async_nats::jetstream::kv::{self, CreateErrorKind};
use async_nats::jetstream::{AckKind, Message};
use ftl_model::Digest;
use tokio::sync::watch;

use super::job::Ended;
use super::{FAILED, Shared, lock};
use crate::access::{ServerError, delay};
use crate::checkout::{Bases, ObtainError};
use crate::protocol::{
    Doing, End, Header, MAX_REQUEST, Outcome, Request, ResultName, Taken, VERSION, is_key, now,
    read, reason, version,
};
use crate::server::{Scope, Server, answer, json, part};

/// Workers that may take a request before it is withdrawn.
const MOST_TAKEN: usize = 5;
/// How often the server hears that a request is still worked on: a quarter of the lease.
const HEARTBEAT: Duration = Duration::from_secs(15);
/// When a request is offered again whose base no coordinator sends, since none waits for it.
const UNANSWERED: Duration = Duration::from_secs(5);
/// Tries to store a result. The server may be gone for an hour.
const TRIES: usize = 125;

/// What becomes of a message.
enum Answered {
    /// No one needs it any more.
    Done,
    /// It is offered again, after some time.
    Again(Option<Duration>),
}

impl Shared {
    pub(super) async fn handle(&self, slot: u32, message: Message) {
        let header: Option<Header> = read(&message.payload, MAX_REQUEST).ok();
        let Some(header) = header.filter(|header| is_key(&header.id)) else {
            (self.report)("a message that is no request was removed");
            drop(message.ack_with(AckKind::Term).await);
            return;
        };
        let (cancel, cancelled) = watch::channel(false);
        let answered = tokio::select! {
            answered = self.answer(slot, &header, &message, cancelled) => answered,
            never = self.keep(&header.id, &message, &cancel) => never,
        };
        let acknowledged = match answered {
            Ok(Answered::Done) => message.double_ack().await,
            Ok(Answered::Again(after)) => message.ack_with(AckKind::Nak(after)).await,
            Err(error) => {
                (self.report)(&format!("{}: {error}", header.id));
                message.ack_with(AckKind::Nak(Some(FAILED))).await
            }
        };
        drop(acknowledged);
    }

    /// Keeps the lease of a request, and looks whether it is still wanted.
    async fn keep(
        &self,
        id: &str,
        message: &Message,
        cancel: &watch::Sender<bool>,
    ) -> Result<Answered, ServerError> {
        loop {
            tokio::time::sleep(HEARTBEAT).await;
            drop(message.ack_with(AckKind::Progress).await);
            if matches!(has(&self.server.cancelled, id).await, Ok(true)) {
                let _ = cancel.send(true);
            }
        }
    }

    async fn answer(
        &self,
        slot: u32,
        header: &Header,
        message: &Message,
        cancelled: watch::Receiver<bool>,
    ) -> Result<Answered, ServerError> {
        let (server, id) = (&self.server, &*header.id);
        if has(&server.results, id).await? || has(&server.cancelled, id).await? {
            return Ok(Answered::Done);
        }
        let request = match self.accept(header, &message.payload) {
            Ok(request) => request,
            Err(why) => return self.store(id, End::Refused(reason(&why))).await,
        };
        if self.is_expired(message, &request).await {
            return Ok(Answered::Done);
        }
        let taken = server.value::<Vec<Taken>>(&server.taken, id).await?;
        let mut taken = taken.and_then(Result::ok).unwrap_or_default();
        if taken.len() >= MOST_TAKEN {
            return self.store(id, End::Withdrawn(taken)).await;
        }
        let doing =
            Doing { task: request.task.clone(), agent: request.agent.to_string(), since: now() };
        (self.report)(&format!("{id}: begins for `{}`", doing.agent));
        lock(&self.doing).insert(slot, doing);
        drop(self.presence().await);
        let tree = self.tree(slot, &request).await;
        if let Err(ObtainError::Unanswered) = tree {
            return Ok(Answered::Again(Some(UNANSWERED)));
        }
        taken.push(Taken { worker: self.worker.name.clone(), why: None });
        server.put(&server.taken, id, &taken).await?;
        let ended = match tree {
            Ok(tree) => self.job(slot, tree, &request, cancelled).await,
            Err(error) => Ended::Failed(error.to_string()),
        };
        match ended {
            Ended::Done(dir) => {
                (self.report)(&format!("{id}: done"));
                self.deliver(&dir, id).await
            }
            Ended::Cancelled => {
                (self.report)(&format!("{id}: cancelled"));
                Ok(Answered::Done)
            }
            Ended::Unreadable(why) => {
                // The coordinator misses the request, and publishes it again with all that belongs to it.
                (self.report)(&format!("{id}: the request is removed: {why}"));
                Ok(Answered::Done)
            }
            Ended::Stopped => {
                // The stop is no fault of the request's.
                taken.pop();
                server.put(&server.taken, id, &taken).await?;
                Ok(Answered::Again(None))
            }
            Ended::Failed(why) => {
                (self.report)(&format!("{id}: {why}"));
                if let Some(last) = taken.last_mut() {
                    last.why = Some(reason(&why));
                }
                server.put(&server.taken, id, &taken).await?;
                Ok(Answered::Again(Some(FAILED)))
            }
        }
    }

    async fn tree(&self, slot: u32, request: &Request) -> Result<PathBuf, ObtainError> {
        let _alone = self.obtaining.lock().await;
        let bases = Bases::of(&self.worker.dir, &request.project);
        bases.tree(&self.server, slot, request).await
    }

    /// Stores the result of a job, as soon as the server is there.
    async fn deliver(&self, dir: &Path, id: &str) -> Result<Answered, ServerError> {
        let scope = Scope::of_result(id, &self.worker.name);
        let mut tries = 0;
        loop {
            let stored = match self.result(dir, &scope).await {
                Ok(work) => self.store(id, End::Done(work)).await,
                Err(error) => Err(error),
            };
            match stored {
                Err(_) if tries < TRIES => {
                    tokio::time::sleep(delay(tries)).await;
                    drop(Server::over(self.server.client.clone()).await);
                }
                stored => return stored,
            }
            tries += 1;
        }
    }

    /// The request, if this worker performs it; else why not.
    fn accept(&self, header: &Header, payload: &[u8]) -> Result<Request, String> {
        let name = &self.worker.name;
        if header.v != VERSION {
            return Err(format!(
                "the worker `{name}` has ftl {} with requests of version {VERSION}, and the request is of version {} from ftl {}",
                version(),
                header.v,
                header.ftl
            ));
        }
        let request: Request = read(payload, MAX_REQUEST)
            .map_err(|error| format!("the worker `{name}` can't read the request: {error}"))?;
        if let Some(problem) = request.problem() {
            return Err(format!("the worker `{name}` refuses the request: {problem}"));
        }
        match self.worker.agents.get(&request.agent.name) {
            None => Err(format!("the worker `{name}` has no agent `{}`", request.agent)),
            Some(output) if *output != request.agent.output => Err(format!(
                "the agent `{}` prints `{output}` at the worker `{name}`, and the coordinator reads `{}`: configure it the same way",
                request.agent, request.agent.output
            )),
            Some(_) => Ok(request),
        }
    }

    /// Whether it is older than twice its agent's limit, by the server's clock.
    async fn is_expired(&self, message: &Message, request: &Request) -> bool {
        let Ok(info) = message.info() else {
            return false;
        };
        let own = self.server.workers.entry(part(&self.worker.name)).await;
        let Ok(Some(presence)) = own else {
            return false;
        };
        let age = presence.created.unix_timestamp() - info.published.unix_timestamp();
        age > i64::try_from(request.limit_ms / 500).unwrap_or(i64::MAX)
    }

    /// Stores a result, unless another worker was first.
    async fn store(&self, id: &str, end: End) -> Result<Answered, ServerError> {
        let worker = self.worker.name.clone();
        let (v, ftl, id) = (VERSION, version(), id.to_owned());
        let outcome = Outcome { v, ftl, id, worker: worker.clone(), end };
        let (bytes, id) = (json(&outcome), &outcome.id);
        let sha256 = Digest::of(&bytes);
        let scope = Scope::of_result(id, &worker);
        self.server.put_object(&scope, sha256, &mut &*bytes).await?;
        let created = self.server.results.create(id, json(&ResultName { sha256, worker }).into());
        match created.await {
            Ok(_) => {}
            Err(error) if error.kind() == CreateErrorKind::AlreadyExists => {
                self.server.delete_object(&scope, sha256).await;
                if let End::Done(work) = &outcome.end {
                    for content in work.objects() {
                        self.server.delete(&scope, content).await;
                    }
                }
            }
            Err(error) => return Err(answer("store a result")(error)),
        }
        Ok(Answered::Done)
    }
}

/// Whether a bucket has a key.
async fn has(bucket: &kv::Store, key: &str) -> Result<bool, ServerError> {
    let found = bucket.get(key).await;
    found.map(|found| found.is_some()).map_err(answer("read a value"))
}
