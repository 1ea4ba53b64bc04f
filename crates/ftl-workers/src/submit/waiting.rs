//! A request on its way: it is published, its output is passed on, and its result is waited for.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use async_nats::HeaderMap;
use futures_util::StreamExt;

use super::{SubmitError, eprint, interrupted, is_alive};
use crate::git::file_error;
use crate::protocol::{Content, End, Outcome, Presence, Request, ResultName, VERSION};
use crate::server::{Server, answer, json, part};

/// How long a request may be without a worker until the user is informed.
const LONELY: Duration = Duration::from_secs(60);
/// How often the bucket of results is read, in case a notice of it was lost.
const POLL: Duration = Duration::from_secs(2);
/// The header with the place of a piece of output in all of it.
pub(crate) const AT: &str = "Ftl-At";
/// Remembers what was published, in the directory of the call's request.
const SENT: &str = "sent";

/// A request that is on its way.
pub(super) struct Waiting<'w> {
    server: &'w Server,
    request: &'w Request,
    dir: &'w Path,
    /// Bytes of the agent's output that were printed.
    printed: u64,
}

impl<'w> Waiting<'w> {
    pub(super) fn new(server: &'w Server, request: &'w Request, dir: &'w Path) -> Self {
        Self { server, request, dir, printed: 0 }
    }

    /// Publishes the request, unless its result or the request itself is there, and waits for the result.
    pub(super) async fn result(mut self) -> Result<(Outcome, ResultName), SubmitError> {
        if let Some(found) = self.look().await? {
            self.print_rest(&found.0).await?;
            return Ok(found);
        }
        let output = self.server.client.subscribe(format!("ftl.output.{}", self.request.id));
        let mut output = output.await.map_err(answer("subscribe"))?;
        let sent = self.publish().await?;
        let began = Instant::now();
        let mut last_said = began;
        let mut watch = self.server.results.watch(&self.request.id).await.ok();
        let mut interrupted = std::pin::pin!(interrupted());
        loop {
            let noticed = async {
                match &mut watch {
                    Some(watch) => drop(watch.next().await),
                    None => std::future::pending().await,
                }
            };
            tokio::select! {
                () = &mut interrupted => {
                    self.cancel(sent).await;
                    return Err(SubmitError::Interrupted);
                }
                Some(piece) = output.next() => {
                    self.print(piece.headers.as_ref(), &piece.payload);
                    continue;
                }
                () = noticed => {}
                () = tokio::time::sleep(POLL) => {}
            }
            match self.look().await {
                Ok(Some(found)) => {
                    self.print_rest(&found.0).await?;
                    return Ok(found);
                }
                // The server comes back; the request is on its disk.
                Err(SubmitError::Server(error)) if error.is_transient() => {}
                Err(error) => return Err(error),
                Ok(None) => {}
            }
            if last_said.elapsed() > LONELY {
                last_said = Instant::now();
                self.say_who_is_there().await;
            }
            self.give_up_lost_session(sent).await?;
        }
    }

    /// The result, where there is one.
    async fn look(&self) -> Result<Option<(Outcome, ResultName)>, SubmitError> {
        let server = self.server;
        let name: Option<ResultName> = server.value(&server.results, &self.request.id).await?;
        let Some(name) = name else {
            return Ok(None);
        };
        let bytes = server.bytes(&Content::Object(name.sha256)).await?;
        let outcome: Outcome = serde_json::from_slice(&bytes).map_err(|error| {
            let worker = "unknown".to_owned();
            SubmitError::Unusable { worker, why: error.to_string() }
        })?;
        let unusable = |why: String| SubmitError::Unusable { worker: outcome.worker.clone(), why };
        if outcome.v != VERSION {
            let (theirs, ours) = (outcome.v, VERSION);
            return Err(unusable(format!("it is of version {theirs}, and this ftl reads {ours}")));
        }
        if outcome.id != self.request.id {
            return Err(unusable("it is of another request".to_owned()));
        }
        Ok(Some((outcome, name)))
    }

    /// Publishes under a new message ID, unless an earlier process published the same request and it still waits.
    async fn publish(&self) -> Result<u64, SubmitError> {
        let sent = self.sent_file();
        let earlier = fs::read_to_string(&sent).unwrap_or_default();
        if let Some((id, sequence)) = earlier.split_once(' ')
            && id == self.request.id
            && let Ok(sequence) = sequence.trim().parse()
            && self.server.stream.get_raw_message(sequence).await.is_ok()
        {
            return Ok(sequence);
        }
        let acknowledged =
            self.server.jetstream.publish(subject(self.request), json(self.request).into()).await;
        let acknowledged = match acknowledged {
            Ok(acknowledged) => acknowledged.await,
            Err(error) => Err(error),
        };
        let sequence = acknowledged.map_err(answer("store the request"))?.sequence;
        fs::write(&sent, format!("{} {sequence}", self.request.id)).map_err(file_error(&sent))?;
        Ok(sequence)
    }

    /// Beside the directory of the call, which each process makes again.
    fn sent_file(&self) -> PathBuf {
        self.dir.with_file_name(SENT)
    }

    async fn cancel(&self, sequence: u64) {
        drop(self.server.cancelled.put(&self.request.id, "".into()).await);
        drop(self.server.stream.delete_message(sequence).await);
        drop(self.server.client.flush().await);
        drop(fs::remove_file(self.sent_file()));
    }

    /// Prints a piece of output that follows what was printed. Of pieces that were lost the result has the text.
    fn print(&mut self, headers: Option<&HeaderMap>, bytes: &[u8]) {
        let at =
            headers.and_then(|headers| headers.get(AT)).and_then(|at| at.as_str().parse().ok());
        if at == Some(self.printed) {
            self.print_bytes(bytes);
        }
    }

    fn print_bytes(&mut self, bytes: &[u8]) {
        let mut out = io::stdout().lock();
        drop(out.write_all(bytes).and_then(|()| out.flush()));
        self.printed += bytes.len() as u64;
    }

    async fn print_rest(&mut self, outcome: &Outcome) -> Result<(), SubmitError> {
        if let End::Done(work) = &outcome.end {
            let log = self.server.bytes(&work.log).await?;
            let printed = usize::try_from(self.printed).unwrap_or(usize::MAX);
            let rest = log.get(printed..).unwrap_or_default().to_vec();
            self.print_bytes(&rest);
        }
        Ok(())
    }

    /// After a minute without a worker: which ones are alive.
    async fn say_who_is_there(&self) {
        let server = self.server;
        let taken = server.value::<Vec<String>>(&server.taken, &self.request.id).await;
        if !matches!(taken, Ok(None)) {
            return;
        }
        let all = crate::list::alive(server).await.unwrap_or_default();
        let each = |worker: &Presence| {
            format!(
                "{} (agents {}; {} of {} busy)",
                worker.name,
                worker.agents.join(", "),
                worker.doing.len(),
                worker.slots
            )
        };
        let alive = match all.len() {
            0 => "none".to_owned(),
            _ => all.iter().map(each).collect::<Vec<_>>().join("; "),
        };
        let agent = &self.request.agent;
        eprint(&format!(
            "no worker has taken the request for `{agent}` yet; workers alive: {alive}"
        ));
    }

    /// A request for one worker alone is given up when that is gone.
    async fn give_up_lost_session(&self, sequence: u64) -> Result<(), SubmitError> {
        let Some(session) = &self.request.session else {
            return Ok(());
        };
        if matches!(is_alive(self.server, Some(&session.worker)).await, Ok(false)) {
            self.cancel(sequence).await;
            return Err(SubmitError::SessionLost);
        }
        Ok(())
    }
}

/// The subject of a request.
fn subject(request: &Request) -> String {
    match &request.session {
        Some(session) => format!("ftl.session.{}", part(&session.worker)),
        None => format!("ftl.request.{}.{}", part(&request.project), part(&request.agent.name)),
    }
}
