//! A request on its way: it is published, its output is passed on, and its result is waited for.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use async_nats::HeaderMap;
use async_nats::header::NATS_MESSAGE_ID;
use ftl_engine::performer::Call;
use futures_util::StreamExt;

use super::printing::Printing;
use super::taking::{TakeError, Taking};
use super::{Notices, SubmitError, has_ended, is_alive};
use crate::access::ServerError;
use crate::base::HeldBase;
use crate::checkout::blocking;
use crate::git::file_error;
use crate::protocol::{
    BaseAnswer, BaseWanted, Content, MAX_VALUE, Presence, Request, ResultName, Taken, read, reason,
};
use crate::server::{Scope, Server, answer, interrupted, json, of_agent, of_worker, part};

/// How long a request may be without a worker until the user is informed.
const LONELY: Duration = Duration::from_secs(60);
/// How often the bucket of results is read, in case a notice of it was lost.
const POLL: Duration = Duration::from_secs(2);
/// How often a request is looked for that the server may have lost, or that has expired there.
const LOOK: Duration = Duration::from_secs(15);
/// How long a request may take to be cancelled.
const CANCELS: Duration = Duration::from_secs(5);
/// Results that may turn out to be unusable.
const MOST_UNUSABLE: usize = 5;
/// Remembers what was published, beside the directory of the call, which each process makes again.
const SENT: &str = "sent";

/// A request that is on its way.
pub(super) struct Waiting<'w> {
    server: &'w Server,
    request: &'w Request,
    call: &'w Call,
    build: u32,
    dir: &'w Path,
    base: Arc<HeldBase>,
    notices: Notices,
    printing: Printing,
    unusable: Vec<Taken>,
    published: Published,
}

/// A request on the server.
#[derive(Default)]
struct Published {
    /// The message's ID, and its number in the stream.
    message: String,
    sequence: u64,
    /// When it was last seen there.
    seen: Option<Instant>,
    /// Since when no worker has taken it.
    lonely: Option<Instant>,
}

impl<'w> Waiting<'w> {
    pub(super) fn new(
        server: &'w Server,
        request: &'w Request,
        (call, build): (&'w Call, u32),
        (dir, base): (&'w Path, Arc<HeldBase>),
        notices: Notices,
    ) -> Self {
        let printing = Printing::default();
        let published = Published::default();
        let unusable = Vec::new();
        Self { server, request, call, build, dir, base, notices, printing, unusable, published }
    }

    /// Publishes the request, unless its result or the request itself is there, and waits for the result.
    pub(super) async fn result(mut self) -> Result<(), SubmitError> {
        if self.look().await? {
            return Ok(());
        }
        let client = &self.server.client;
        let id = &self.request.id;
        let mut output =
            client.subscribe(format!("ftl.output.{id}")).await.map_err(answer("subscribe"))?;
        let mut bases =
            client.subscribe(format!("ftl.base.{id}")).await.map_err(answer("subscribe"))?;
        self.publish_unless_sent().await?;
        let mut watch = self.server.results.watch(id).await.ok();
        let mut interrupted = std::pin::pin!(interrupted());
        let mut gone: Option<Instant> = None;
        loop {
            let noticed = async {
                let notice = match &mut watch {
                    Some(watch) => watch.next().await,
                    None => None,
                };
                if notice.is_none() {
                    std::future::pending().await
                }
            };
            tokio::select! {
                () = &mut interrupted => {
                    if has_ended(self.build) {
                        return Err(SubmitError::Abandoned);
                    }
                    self.cancel().await;
                    return Err(SubmitError::Interrupted);
                }
                Some(piece) = output.next() => {
                    self.printing.piece(piece.headers.as_ref(), &piece.payload);
                    continue;
                }
                Some(asked) = bases.next() => {
                    self.published.lonely = None;
                    tokio::spawn(give_base(self.server.clone(), Arc::clone(&self.base), self.request.project.clone(), asked));
                    continue;
                }
                () = noticed => {}
                () = tokio::time::sleep(POLL) => {}
            }
            if self.server.is_connected() {
                gone = None;
            } else {
                self.wait_for_server(gone.get_or_insert_with(Instant::now).elapsed())?;
                continue;
            }
            match self.turn().await {
                Ok(true) => return Ok(()),
                // What a server lost is made again.
                Err(SubmitError::Server(error)) if error.is_transient() => {
                    drop(Server::over(self.server.client.clone()).await);
                }
                Ok(false) => {}
                Err(error) => return Err(error),
            }
        }
    }

    /// Whether there is a result, and the request is done.
    async fn turn(&mut self) -> Result<bool, SubmitError> {
        if self.look().await? {
            return Ok(true);
        }
        self.give_up_lost_session().await?;
        if self.published.seen.is_none_or(|seen| seen.elapsed() > LOOK) {
            if self.is_there().await? {
                self.published.seen = Some(Instant::now());
            // A worker stores its result before the request goes.
            } else if self.look().await? {
                return Ok(true);
            } else {
                self.publish().await?;
            }
        }
        if self.published.lonely.is_some_and(|since| since.elapsed() > LONELY) {
            self.say_who_is_there().await;
        }
        Ok(false)
    }

    fn wait_for_server(&self, gone: Duration) -> Result<(), SubmitError> {
        if gone < Duration::from_millis(self.call.patience_ms) {
            return Ok(());
        }
        let error = "the connection is lost";
        Err(SubmitError::Unreachable(ServerError::Answer {
            what: "be reached",
            said: error.to_owned(),
        }))
    }

    /// Takes the result, where there is one; whether it did.
    async fn look(&mut self) -> Result<bool, SubmitError> {
        let (server, request) = (self.server, self.request);
        let name = match server.value::<ResultName>(&server.results, &request.id).await? {
            None => return Ok(false),
            Some(Ok(name)) => name,
            Some(Err(why)) => {
                let failed = self.unusable("?".to_owned(), why);
                return self.withdraw(failed).await;
            }
        };
        let taking = Taking { server, request, name: &name };
        let outcome = taking.outcome().await;
        let taken = match &outcome {
            Ok(outcome) => taking.take(outcome, (self.dir, self.call), &mut self.printing).await,
            Err(_) => Ok(()),
        };
        let (outcome, error) = match (outcome, taken) {
            (Ok(outcome), Ok(())) => {
                taking.remove(Some(&outcome)).await;
                return Ok(true);
            }
            (Ok(outcome), Err(error)) => (Some(outcome), error),
            (Err(error), _) => (None, error),
        };
        let failed = match error {
            TakeError::Server(error) => return Err(error.into()),
            TakeError::File(error) => return Err(error.into()),
            TakeError::Other => return Err(SubmitError::OtherOutput),
            TakeError::Refused(reason) => Some(SubmitError::Refused(reason)),
            TakeError::Withdrawn(workers) => Some(SubmitError::Withdrawn(workers)),
            TakeError::Unusable(why) => self.unusable(name.worker.clone(), why),
        };
        taking.remove(outcome.as_ref()).await;
        self.withdraw(failed).await
    }

    /// Notes a result that is not used; the error when there were too many.
    fn unusable(&mut self, worker: String, why: String) -> Option<SubmitError> {
        self.notices.add(&format!("the result of the worker `{worker}` is not used: {why}"));
        self.unusable.push(Taken { worker, why: Some(why) });
        let is_last = self.unusable.len() >= MOST_UNUSABLE;
        is_last.then(|| SubmitError::Withdrawn(std::mem::take(&mut self.unusable)))
    }

    /// Removes the name of a result. This process asks again, or the same command does.
    async fn withdraw(&mut self, failed: Option<SubmitError>) -> Result<bool, SubmitError> {
        drop(self.server.results.purge(&self.request.id).await);
        match failed {
            Some(failed) => {
                drop(self.server.stream.delete_message(self.published.sequence).await);
                Err(failed)
            }
            None => {
                self.publish().await?;
                Ok(false)
            }
        }
    }

    /// Publishes the request, unless an earlier process published it and it still waits.
    async fn publish_unless_sent(&mut self) -> Result<(), SubmitError> {
        let sent = fs::read_to_string(self.sent_file()).unwrap_or_default();
        if let Some((message, sequence)) = sent.split_once(' ')
            && let Ok(sequence) = sequence.parse()
        {
            self.published =
                Published { message: message.to_owned(), sequence, ..Published::default() };
            self.published.lonely = Some(Instant::now());
            if message.starts_with(&format!("{}.", self.request.id)) && self.is_there().await? {
                return Ok(());
            }
        }
        self.publish().await
    }

    /// Publishes under a new message ID, with its objects: those of an earlier message may be what no worker can read.
    async fn publish(&mut self) -> Result<(), SubmitError> {
        let (server, id, call) = (self.server, &self.request.id, self.call);
        let texts =
            [(&self.request.prompt, &call.prompt), (&self.request.body, &call.request_file)];
        for (content, path) in texts {
            if let Content::Object(digest) = content {
                let mut file = tokio::fs::File::open(path).await.map_err(file_error(path))?;
                server.put_object(&Scope::of_request(id), *digest, &mut file).await?;
            }
        }
        for bucket in [&server.cancelled, &server.taken] {
            bucket.purge(id).await.map_err(answer("write a value"))?;
        }
        let message = format!("{id}.{}", server.client.new_inbox());
        let mut headers = HeaderMap::new();
        headers.insert(NATS_MESSAGE_ID, &*message);
        let (subject, bytes) = (subject(self.request), json(self.request));
        let published = server.jetstream.publish_with_headers(subject, headers, bytes.into()).await;
        let acknowledged = match published {
            Ok(acknowledged) => acknowledged.await,
            Err(error) => Err(error),
        };
        let sequence = acknowledged.map_err(answer("store the request"))?.sequence;
        let sent = self.sent_file();
        fs::write(&sent, format!("{message} {sequence}")).map_err(file_error(&sent))?;
        let now = Some(Instant::now());
        self.published = Published { message, sequence, seen: now, lonely: now };
        Ok(())
    }

    /// Whether the server has the request, and will give it to a worker.
    async fn is_there(&self) -> Result<bool, SubmitError> {
        let found = self.server.stream.get_raw_message(self.published.sequence).await;
        let is_stored = found.is_ok_and(|message| {
            let id = message.headers.get(NATS_MESSAGE_ID);
            id.is_some_and(|id| id.as_str() == self.published.message)
        });
        Ok(is_stored && !self.is_acknowledged().await)
    }

    /// Whether the request was acknowledged. A server that is killed then may have lost both the result and that the
    /// request is gone: it would keep it, and give it to no worker.
    async fn is_acknowledged(&self) -> bool {
        let consumer = match &self.request.session {
            Some(session) => of_worker(&session.worker),
            None => of_agent(&self.request.agent.name),
        };
        let info = self.server.stream.consumer_info(consumer).await;
        info.is_ok_and(|info| info.ack_floor.stream_sequence >= self.published.sequence)
    }

    fn sent_file(&self) -> PathBuf {
        self.dir.with_file_name(SENT)
    }

    async fn cancel(&self) {
        drop(fs::remove_file(self.sent_file()));
        if self.server.is_connected() {
            let cancelling = async {
                drop(self.server.cancelled.put(&self.request.id, "".into()).await);
                drop(self.server.stream.delete_message(self.published.sequence).await);
                drop(self.server.client.flush().await);
            };
            // A server that answers nothing has no part in an interrupt.
            drop(tokio::time::timeout(CANCELS, cancelling).await);
        }
    }

    /// After a minute without a worker: which ones are alive.
    async fn say_who_is_there(&mut self) {
        let server = self.server;
        let taken = server.value::<Vec<Taken>>(&server.taken, &self.request.id).await;
        self.published.lonely = match taken {
            Ok(Some(_)) => None,
            _ => Some(Instant::now()),
        };
        if !matches!(taken, Ok(None)) {
            return;
        }
        let all = crate::list::alive(server).await.unwrap_or_default();
        let each = |worker: &Presence| {
            let Presence { name, ftl, agents, slots, doing, .. } = worker;
            let agents = agents.join(", ");
            format!("{name} (ftl {ftl}; agents {agents}; {} of {slots} busy)", doing.len())
        };
        let alive = match all.len() {
            0 => "none".to_owned(),
            _ => all.iter().map(each).collect::<Vec<_>>().join("; "),
        };
        let agent = &self.request.agent;
        self.notices.add(&format!(
            "no worker has taken the request for `{agent}` yet; workers alive: {alive}"
        ));
    }

    /// A request for one worker alone is given up when that is gone.
    async fn give_up_lost_session(&self) -> Result<(), SubmitError> {
        let Some(session) = &self.request.session else {
            return Ok(());
        };
        if matches!(is_alive(self.server, Some(&session.worker)).await, Ok(false)) {
            self.cancel().await;
            return Err(SubmitError::SessionLost);
        }
        Ok(())
    }
}

/// Answers a worker that lacks the base.
async fn give_base(
    server: Server,
    base: Arc<HeldBase>,
    project: String,
    asked: async_nats::Message,
) {
    let given = async {
        let wanted: BaseWanted = read(&asked.payload, MAX_VALUE)?;
        let bundle = blocking(move || base.bundle(&wanted.have)).await;
        let (path, digest) = bundle.map_err(|error| error.to_string())?;
        let scope = Scope::of_bases(&project);
        if !server.has_object(&scope, digest).await {
            let file = tokio::fs::File::open(&path).await.map_err(|error| error.to_string());
            let stored = server.put_object(&scope, digest, &mut file?).await;
            stored.map_err(|error| error.to_string())?;
        }
        Ok::<_, String>(digest)
    };
    let said = match given.await {
        Ok(digest) => BaseAnswer::Bundle(digest),
        Err(why) => BaseAnswer::Failed(reason(&why)),
    };
    if let Some(reply) = asked.reply {
        drop(server.client.publish(reply, json(&said).into()).await);
    }
}

/// The subject of a request.
fn subject(request: &Request) -> String {
    match &request.session {
        Some(session) => format!("ftl.session.{}", part(&session.worker)),
        None => format!("ftl.request.{}.{}", part(&request.project), part(&request.agent.name)),
    }
}
