//! A worker: pulls requests, performs each in a separate process, and stores the results.
//!
//! A request is acknowledged when its result is stored, and not before: one whose worker dies is delivered again to
//! another. The first result that is stored wins, so it does no harm that two workers perform the same request.

mod answering;
mod job;

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::fs::{DirBuilder, File, TryLockError};
use std::os::unix::fs::DirBuilderExt;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use async_nats::jetstream::consumer::{Consumer, pull};
use async_nats::jetstream::{AckKind, Message};
use futures_util::StreamExt;
use thiserror::Error;
use tokio::sync::{Semaphore, watch};

use crate::access::{Access, ServerError};
use crate::protocol::{Doing, MAX_REQUEST, Presence, Request, now, read, version};
use crate::server::{Server, interrupted, of_agent, of_worker, part};

/// How often presence is renewed: a third of its life.
const ALIVE: Duration = Duration::from_secs(10);
/// How long one pull waits.
const PULL: Duration = Duration::from_secs(5);
/// How long a worker takes to end, whatever the server does.
const ENDS: Duration = Duration::from_secs(8);
/// When a request is offered again that a worker could not perform, so that another one may be faster.
const FAILED: Duration = Duration::from_secs(2);
/// Runs of which the slot is known that has their agent's conversation.
const MOST_HOMES: usize = 4096;

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
    /// Another worker uses its directory.
    #[error("another worker uses `{}`", path.display())]
    Held {
        /// The directory.
        path: PathBuf,
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
    let held = File::create(dir.join("lock")).map_err(failed)?;
    match held.try_lock() {
        Ok(()) => {}
        Err(TryLockError::WouldBlock) => return Err(WorkerError::Held { path: dir }),
        Err(TryLockError::Error(source)) => return Err(failed(source)),
    }
    let runtime =
        tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build();
    let runtime = runtime.map_err(failed)?;
    let ended = runtime.block_on(run(worker, report));
    // What still waits for the server is not waited for.
    runtime.shutdown_background();
    ended
}

async fn run(worker: Worker, report: Report) -> Result<(), WorkerError> {
    let said = Arc::clone(&report);
    let said = Box::new(move |line: &str| said(line));
    let server = Server::connect(&worker.access, &worker.name, said).await?;
    let (stop, stopped) = watch::channel(false);
    let slots = worker.slots;
    let shared = Arc::new(Shared {
        server,
        report,
        free: Semaphore::new(slots as usize),
        numbers: Mutex::new((0..slots).collect()),
        doing: Mutex::new(BTreeMap::new()),
        homes: Mutex::new(BTreeMap::new()),
        obtaining: tokio::sync::Mutex::new(()),
        since: now(),
        worker,
        stopped,
    });
    shared.presence().await?;
    let own = part(&shared.worker.name);
    let mut sources = vec![(of_worker(&shared.worker.name), format!("ftl.session.{own}"))];
    for agent in shared.worker.agents.keys() {
        sources.push((of_agent(agent), format!("ftl.request.*.{}", part(agent))));
    }
    let pull = |(name, subject)| tokio::spawn(Arc::clone(&shared).pull(name, subject));
    let pulls: Vec<_> = sources.into_iter().map(pull).collect();
    let agents: Vec<&str> = shared.worker.agents.keys().map(String::as_str).collect();
    let started = format!(
        "{} takes requests from {}: agents {}, {slots} at once",
        shared.worker.name,
        shared.worker.access.url,
        agents.join(", ")
    );
    (shared.report)(&started);
    let renewing = tokio::spawn(Arc::clone(&shared).stay_present());
    interrupted().await;
    let _ = stop.send(true);
    let ending = async {
        for pull in pulls {
            drop(pull.await);
        }
        // Requests under way are given back by their own tasks, each of which holds a permit until then.
        drop(shared.free.acquire_many(slots).await);
        renewing.abort();
        drop(shared.server.workers.delete(&own).await);
        drop(shared.server.client.flush().await);
    };
    // What a server that does not answer never hears of, it gives to others when the lease ends.
    drop(tokio::time::timeout(ENDS, ending).await);
    Ok(())
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
    /// The slot of each run: an agent finds its conversation where it had it, in the same directory.
    homes: Mutex<BTreeMap<String, u32>>,
    /// One base at a time is got: several slots may need the same one.
    obtaining: tokio::sync::Mutex<()>,
    since: String,
    stopped: watch::Receiver<bool>,
}

impl Shared {
    fn is_stopped(&self) -> bool {
        *self.stopped.borrow()
    }

    fn under_way(&self) -> Vec<Doing> {
        lock(&self.doing).values().cloned().collect()
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

    /// Pulls the requests of one subject. What a server lost, which may be all, is made again.
    async fn pull(self: Arc<Self>, name: String, subject: String) {
        while !self.is_stopped() {
            if let Ok(consumer) = self.server.consumer(&name, &subject).await {
                self.pull_from(&consumer).await;
            }
            if !self.is_stopped() {
                tokio::time::sleep(Duration::from_secs(1)).await;
                drop(Server::over(self.server.client.clone()).await);
            }
        }
    }

    /// Pulls requests, one at a time, while a slot is free, until that fails.
    async fn pull_from(self: &Arc<Self>, consumer: &Consumer<pull::Config>) {
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
                // A server that was lost in between never answers.
                message = tokio::time::timeout(2 * PULL, next) => message.unwrap_or_default(),
                () = until(&mut stopped) => return,
            };
            match message {
                Some(message) => self.begin(message).await,
                // Not a pull that waited, but one that failed.
                None if began.elapsed() < PULL / 2 || began.elapsed() > 2 * PULL => return,
                None => {}
            }
        }
    }

    /// Begins a request in a free slot, that of its conversation; gives it back where another one was faster.
    async fn begin(self: &Arc<Self>, message: Message) {
        let Some(number) = self.take_slot(&message) else {
            drop(message.ack_with(AckKind::Nak(Some(FAILED))).await);
            return;
        };
        let shared = Arc::clone(self);
        tokio::spawn(async move {
            shared.handle(number, message).await;
            lock(&shared.doing).remove(&number);
            lock(&shared.numbers).insert(number);
            drop(shared.presence().await);
            shared.free.add_permits(1);
        });
    }

    fn take_slot(&self, message: &Message) -> Option<u32> {
        let permit = self.free.try_acquire().ok()?;
        let request: Option<Request> = read(&message.payload, MAX_REQUEST).ok();
        let run = request.map(|it| (it.run_name(), it.session.is_some())).unwrap_or_default();
        let (mut numbers, mut homes) = (lock(&self.numbers), lock(&self.homes));
        let number = match homes.get(&run.0).filter(|_| run.1) {
            Some(home) => numbers.take(home)?,
            None => numbers.pop_first()?,
        };
        if homes.len() >= MOST_HOMES {
            homes.clear();
        }
        homes.insert(run.0, number);
        permit.forget();
        Some(number)
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Waits until a flag is set.
async fn until(flag: &mut watch::Receiver<bool>) {
    drop(flag.wait_for(|set| *set).await);
}
