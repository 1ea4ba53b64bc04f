//! A worker: pulls requests, performs each in a separate process, and stores the results.
//!
//! A request is acknowledged when its result is stored, and not before: one whose worker dies is delivered again to
//! another. The first result that is stored wins, so it does no harm that two workers perform the same request.

mod job;

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::fs::DirBuilder;
use std::os::unix::fs::DirBuilderExt;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use async_nats::jetstream::consumer::{Consumer, pull};
use async_nats::jetstream::kv::CreateErrorKind;
use async_nats::jetstream::{AckKind, Message};
use futures_util::StreamExt;
use thiserror::Error;
use tokio::signal::unix::{SignalKind, signal};
use tokio::sync::{Semaphore, watch};

use crate::access::{Access, ServerError};
use crate::protocol::{Doing, End, Outcome, Presence, Request, ResultName, VERSION, now, version};
use crate::server::{Server, json, part};
use job::Ended;

/// How often presence is renewed: a third of its life.
const ALIVE: Duration = Duration::from_secs(10);
/// How long one pull waits.
const PULL: Duration = Duration::from_secs(5);
/// Workers that may take a request before it is withdrawn.
const MOST_TAKEN: usize = 5;

/// How a worker works.
#[derive(Clone, Debug)]
pub struct Worker {
    /// The server.
    pub access: Access,
    /// Its name, which no other worker of the server has.
    pub name: String,
    /// How many requests it performs at once.
    pub slots: u32,
    /// The agents that it runs, each with the form of its output.
    pub agents: BTreeMap<String, String>,
    /// Where it keeps bases and checkouts.
    pub dir: PathBuf,
    /// This program.
    pub program: PathBuf,
    /// Its arguments for one job, before the directory of the job.
    pub words: Vec<OsString>,
}

/// Why a worker ended.
#[derive(Debug, Error)]
pub enum WorkerError {
    /// The server could not be used.
    #[error(transparent)]
    Server(#[from] ServerError),
    /// Its directory could not be used.
    #[error("cannot use `{}`: {source}", path.display())]
    Dir {
        /// The directory.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
}

/// Prints a line for the person who started a worker.
pub type Report = Arc<dyn Fn(&str) + Send + Sync>;

/// Works until a signal ends it.
///
/// # Errors
/// When the server refuses it, or its directory cannot be used.
pub fn work(worker: Worker, report: Report) -> Result<(), WorkerError> {
    let dir = worker.dir.clone();
    let failed = |source| WorkerError::Dir { path: dir.clone(), source };
    DirBuilder::new().recursive(true).mode(0o700).create(&worker.dir).map_err(failed)?;
    let runtime =
        tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build();
    runtime.map_err(failed)?.block_on(run(worker, report))
}

async fn run(worker: Worker, report: Report) -> Result<(), WorkerError> {
    let server = Server::connect(&worker.access, &worker.name).await?;
    let (stop, stopped) = watch::channel(false);
    let slots = worker.slots;
    let shared = Arc::new(Shared {
        server,
        report,
        free: Semaphore::new(slots as usize),
        numbers: Mutex::new((0..slots).collect()),
        doing: Mutex::new(BTreeMap::new()),
        since: now(),
        worker,
        stopped,
    });
    shared.presence().await?;
    let mut consumers = Vec::new();
    for agent in shared.worker.agents.keys() {
        let (name, subject) = (part(agent), format!("ftl.request.*.{}", part(agent)));
        consumers.push(shared.server.consumer(&format!("agent-{name}"), &subject).await?);
    }
    let own = part(&shared.worker.name);
    let subject = format!("ftl.session.{own}");
    consumers.push(shared.server.consumer(&format!("worker-{own}"), &subject).await?);
    let pulls = consumers.into_iter().map(|it| tokio::spawn(Arc::clone(&shared).pull(it)));
    let pulls: Vec<_> = pulls.collect();
    let agents: Vec<&str> = shared.worker.agents.keys().map(String::as_str).collect();
    let started = format!(
        "{} takes requests from {}: agents {}, {slots} at once",
        shared.worker.name,
        shared.worker.access.url,
        agents.join(", ")
    );
    (shared.report)(&started);
    let renewing = tokio::spawn(Arc::clone(&shared).stay_present());
    asked_to_end().await;
    let _ = stop.send(true);
    for pull in pulls {
        drop(pull.await);
    }
    // Requests under way are given back by their own tasks, each of which holds a permit until then.
    drop(shared.free.acquire_many(slots).await);
    renewing.abort();
    drop(shared.server.workers.delete(&own).await);
    drop(shared.server.client.flush().await);
    Ok(())
}

async fn asked_to_end() {
    let all = [SignalKind::interrupt(), SignalKind::terminate(), SignalKind::hangup()].map(signal);
    let [Ok(mut int), Ok(mut term), Ok(mut hup)] = all else {
        return std::future::pending().await;
    };
    tokio::select! {
        _ = int.recv() => {}
        _ = term.recv() => {}
        _ = hup.recv() => {}
    }
}

/// What the tasks of a worker share.
struct Shared {
    worker: Worker,
    server: Server,
    report: Report,
    free: Semaphore,
    /// Slots that no request is in.
    numbers: Mutex<BTreeSet<u32>>,
    doing: Mutex<BTreeMap<u32, Doing>>,
    since: String,
    stopped: watch::Receiver<bool>,
}

impl Shared {
    fn is_stopped(&self) -> bool {
        *self.stopped.borrow()
    }

    fn under_way(&self) -> Vec<Doing> {
        let doing = self.doing.lock().unwrap_or_else(PoisonError::into_inner);
        doing.values().cloned().collect()
    }

    async fn presence(&self) -> Result<(), ServerError> {
        let doing = self.under_way();
        let presence = Presence {
            name: self.worker.name.clone(),
            ftl: version(),
            agents: self.worker.agents.keys().cloned().collect(),
            slots: self.worker.slots,
            since: self.since.clone(),
            doing,
        };
        self.server.put(&self.server.workers, &part(&self.worker.name), &presence).await
    }

    async fn stay_present(self: Arc<Self>) {
        loop {
            tokio::time::sleep(ALIVE).await;
            // A server that is gone comes back; the next one counts.
            drop(self.presence().await);
        }
    }

    /// Pulls the requests of one subject, one at a time, while a slot is free.
    async fn pull(self: Arc<Self>, consumer: Consumer<pull::Config>) {
        let mut stopped = self.stopped.clone();
        while !self.is_stopped() {
            match self.free.acquire().await {
                // Given back at once: another subject may be the one that has a request.
                Ok(permit) => drop(permit),
                Err(_) => return,
            }
            let next = async {
                let mut batch =
                    consumer.fetch().max_messages(1).expires(PULL).messages().await.ok()?;
                batch.next().await?.ok()
            };
            let began = tokio::time::Instant::now();
            let message = tokio::select! {
                message = next => message,
                () = until_stopped(&mut stopped) => return,
            };
            match message {
                Some(message) => self.begin(message).await,
                // Not a pull that waited, but one that failed.
                None if began.elapsed() < PULL / 2 => {
                    tokio::time::sleep(Duration::from_secs(1)).await
                }
                None => {}
            }
        }
    }

    /// Begins a request in a free slot; gives it back where another one was faster.
    async fn begin(self: &Arc<Self>, message: Message) {
        let number = match self.free.try_acquire() {
            Ok(permit) => {
                permit.forget();
                self.numbers.lock().unwrap_or_else(PoisonError::into_inner).pop_first()
            }
            Err(_) => None,
        };
        let Some(number) = number else {
            drop(message.ack_with(AckKind::Nak(None)).await);
            return;
        };
        let shared = Arc::clone(self);
        tokio::spawn(async move {
            shared.handle(number, message).await;
            shared.doing.lock().unwrap_or_else(PoisonError::into_inner).remove(&number);
            shared.numbers.lock().unwrap_or_else(PoisonError::into_inner).insert(number);
            shared.free.add_permits(1);
        });
    }

    async fn handle(&self, slot: u32, message: Message) {
        let Ok(request) = serde_json::from_slice::<Request>(&message.payload) else {
            (self.report)("a message that is no request was removed");
            drop(message.ack_with(AckKind::Term).await);
            return;
        };
        let acknowledged = match self.answer(slot, &request, &message).await {
            Ok(true) => message.double_ack().await,
            Ok(false) => message.ack_with(AckKind::Nak(None)).await,
            Err(error) => {
                (self.report)(&format!("{}: {error}", request.id));
                message.ack_with(AckKind::Nak(Some(Duration::from_secs(2)))).await
            }
        };
        drop(acknowledged);
    }

    /// Whether the request needs no one any more.
    async fn answer(
        &self,
        slot: u32,
        request: &Request,
        message: &Message,
    ) -> Result<bool, ServerError> {
        let server = &self.server;
        let has = |bucket: &async_nats::jetstream::kv::Store| {
            let bucket = bucket.clone();
            async move {
                let found = bucket.get(&request.id).await;
                found.map(|found| found.is_some()).map_err(crate::server::answer("read a value"))
            }
        };
        if has(&server.results).await? || has(&server.cancelled).await? {
            return Ok(true);
        }
        if let Some(reason) = self.refusal(request) {
            return self.store(request, End::Refused(reason)).await.map(|()| true);
        }
        if self.is_expired(message, request).await {
            return Ok(true);
        }
        let mut taken: Vec<String> =
            server.value(&server.taken, &request.id).await?.unwrap_or_default();
        if taken.len() >= MOST_TAKEN {
            return self.store(request, End::Withdrawn(taken)).await.map(|()| true);
        }
        taken.push(self.worker.name.clone());
        server.put(&server.taken, &request.id, &taken).await?;
        let doing =
            Doing { task: request.task.clone(), agent: request.agent.to_string(), since: now() };
        self.doing.lock().unwrap_or_else(PoisonError::into_inner).insert(slot, doing);
        drop(self.presence().await);
        match self.job(slot, request, message).await {
            Ended::Done(work) => self.store(request, End::Done(work)).await.map(|()| true),
            Ended::Cancelled => Ok(true),
            Ended::Stopped => {
                // The stop is no fault of the request's.
                taken.pop();
                server.put(&server.taken, &request.id, &taken).await?;
                Ok(false)
            }
            Ended::Failed(why) => {
                (self.report)(&format!("{}: {why}", request.id));
                Ok(false)
            }
        }
    }

    /// Why this worker performs no such request.
    fn refusal(&self, request: &Request) -> Option<String> {
        let name = &self.worker.name;
        if request.v != VERSION {
            return Some(format!(
                "the worker `{name}` has ftl {} with requests of version {VERSION}, and the request is of version {} from ftl {}",
                version(),
                request.v,
                request.ftl
            ));
        }
        match self.worker.agents.get(&request.agent.name) {
            None => Some(format!("the worker `{name}` has no agent `{}`", request.agent)),
            Some(output) if *output != request.agent.output => Some(format!(
                "the agent `{}` prints `{output}` at the worker `{name}`, and the coordinator reads `{}`: configure it the same way",
                request.agent, request.agent.output
            )),
            Some(_) => None,
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
        let limit = i64::try_from(request.limit_ms / 500).unwrap_or(i64::MAX);
        // A request that waits for a slot must not expire behind one long one.
        age > limit.max(60 * 60)
    }

    async fn store(&self, request: &Request, end: End) -> Result<(), ServerError> {
        let outcome = Outcome {
            v: VERSION,
            ftl: version(),
            id: request.id.clone(),
            worker: self.worker.name.clone(),
            end,
        };
        let bytes = json(&outcome);
        let sha256 = ftl_model::Digest::of(&bytes);
        self.server.put_object(&sha256.to_string(), None, &bytes).await?;
        let created = self.server.results.create(&request.id, json(&ResultName { sha256 }).into());
        match created.await {
            Ok(_) => Ok(()),
            // Another worker was first.
            Err(error) if error.kind() == CreateErrorKind::AlreadyExists => {
                self.server.delete_object(&sha256.to_string()).await;
                Ok(())
            }
            Err(error) => Err(crate::server::answer("store a result")(error)),
        }
    }
}

async fn until_stopped(stopped: &mut watch::Receiver<bool>) {
    drop(stopped.wait_for(|stopped| *stopped).await);
}
