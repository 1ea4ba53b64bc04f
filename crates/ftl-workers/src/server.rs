//! The server: how it is reached, and the stream, buckets and objects that requests and results use.
//!
//! ```text
//! stream FTL            work-queue   ftl.request.PROJECT.AGENT   requests, pulled by workers
//!                                    ftl.session.WORKER          requests that go on with a conversation there
//! bucket ftl-results    7 days       ID       the digest of the result, created once
//! bucket ftl-taken      7 days       ID       the workers that took the request, and why they have no result
//! bucket ftl-cancelled  7 days       ID       the request is no longer wanted
//! bucket ftl-workers    30 s         WORKER   presence
//! objects ftl-objects   7 days       SCOPE.SHA-256, see [`Scope`]
//! subject ftl.output.ID              what an agent prints, live; nothing depends on it
//! subject ftl.base.ID                a worker asks the coordinator for the request's base
//! ```
//!
//! Nothing here has to last: what a server lost is made again, and requests are published again.

use std::io::ErrorKind::InvalidData;
use std::path::Path;
use std::time::Duration;

use async_nats::Client;
use async_nats::connection::State;
use async_nats::jetstream::consumer::pull;
use async_nats::jetstream::consumer::{AckPolicy, Consumer};
use async_nats::jetstream::kv;
use async_nats::jetstream::object_store::{self, GetErrorKind, InfoErrorKind, ObjectStore};
use async_nats::jetstream::stream::{self, DiscardPolicy, RetentionPolicy, Stream};
use async_nats::jetstream::{self, Context};
use ftl_model::{Digest, Digester};
use serde::Serialize;
use serde::de::DeserializeOwned;
use thiserror::Error;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::signal::unix::{SignalKind, signal};

use crate::access::{Access, Said, ServerError, client};
use crate::protocol::{Content, MAX_VALUE, read};

const STREAM: &str = "FTL";
const WEEK: Duration = Duration::from_secs(7 * 24 * 60 * 60);
/// How long a worker is alive after it said so.
const PRESENCE: Duration = Duration::from_secs(30);
/// How long a request is a worker's without a word from it.
pub(crate) const ACK_WAIT: Duration = Duration::from_secs(60);
/// The longest part of a subject or key that is a name.
const MAX_PART: usize = 100;
/// How long an object may come without a byte.
const STALLED: Duration = Duration::from_secs(30);

pub(crate) fn answer<E: std::fmt::Display>(what: &'static str) -> impl FnOnce(E) -> ServerError {
    move |error| ServerError::Answer { what, said: error.to_string() }
}

/// A connection with all that requests and results use.
#[derive(Clone)]
pub(crate) struct Server {
    pub(crate) client: Client,
    pub(crate) jetstream: Context,
    pub(crate) stream: Stream,
    pub(crate) results: kv::Store,
    pub(crate) taken: kv::Store,
    pub(crate) cancelled: kv::Store,
    pub(crate) workers: kv::Store,
    objects: ObjectStore,
}

impl Server {
    pub(crate) async fn connect(
        access: &Access,
        name: &str,
        said: Said,
    ) -> Result<Self, ServerError> {
        Self::over(client(access, name, said).await?).await
    }

    /// Opens the stream and the buckets, and makes those that are missing.
    pub(crate) async fn over(client: Client) -> Result<Self, ServerError> {
        let jetstream = jetstream::new(client.clone());
        let stream = jetstream.get_or_create_stream(stream::Config {
            name: STREAM.to_owned(),
            subjects: vec!["ftl.request.>".to_owned(), "ftl.session.>".to_owned()],
            retention: RetentionPolicy::WorkQueue,
            max_age: WEEK,
            ..stream::Config::default()
        });
        let (stream, results, taken, cancelled, workers, objects) = tokio::try_join!(
            async { stream.await.map_err(answer("make the stream `FTL`")) },
            bucket(&jetstream, "ftl-results", WEEK),
            bucket(&jetstream, "ftl-taken", WEEK),
            bucket(&jetstream, "ftl-cancelled", WEEK),
            bucket(&jetstream, "ftl-workers", PRESENCE),
            objects(&jetstream),
        )?;
        Ok(Self { results, taken, cancelled, workers, objects, client, jetstream, stream })
    }

    pub(crate) fn is_connected(&self) -> bool {
        self.client.connection_state() == State::Connected
    }

    /// The consumer of a subject, which all workers share that pull from it.
    pub(crate) async fn consumer(
        &self,
        name: &str,
        subject: &str,
    ) -> Result<Consumer<pull::Config>, ServerError> {
        let config = pull::Config {
            durable_name: Some(name.to_owned()),
            filter_subject: subject.to_owned(),
            ack_policy: AckPolicy::Explicit,
            ack_wait: ACK_WAIT,
            max_deliver: -1,
            max_ack_pending: 100_000,
            ..pull::Config::default()
        };
        let made = self.stream.get_or_create_consumer(name, config).await;
        made.map_err(answer("make a consumer"))
    }

    pub(crate) async fn has_object(&self, scope: &Scope, digest: Digest) -> bool {
        self.objects.info(scope.name(digest)).await.is_ok_and(|info| !info.deleted)
    }

    pub(crate) async fn put_object(
        &self,
        scope: &Scope,
        digest: Digest,
        bytes: &mut (impl AsyncRead + Unpin),
    ) -> Result<(), ServerError> {
        let stored = self.objects.put(&*scope.name(digest), bytes).await;
        stored.map(drop).map_err(answer("store an object"))
    }

    pub(crate) async fn delete_object(&self, scope: &Scope, digest: Digest) {
        drop(self.objects.delete(scope.name(digest)).await);
    }

    /// Deletes the bytes of what travelled.
    pub(crate) async fn delete(&self, scope: &Scope, content: &Content) {
        if let Content::Object(digest) = content {
            self.delete_object(scope, *digest).await;
        }
    }

    /// Bytes as they travel, stored where they are an object.
    pub(crate) async fn content(
        &self,
        scope: &Scope,
        bytes: Vec<u8>,
        room: &mut usize,
    ) -> Result<Content, ServerError> {
        let content = Content::of(&bytes, room);
        if let Content::Object(digest) = content {
            self.put_object(scope, digest, &mut &*bytes).await?;
        }
        Ok(content)
    }

    /// The same for the bytes of a file, whose digest is known.
    pub(crate) async fn content_of(
        &self,
        scope: &Scope,
        (path, digest): (&Path, Digest),
        room: &mut usize,
    ) -> Result<Content, ServerError> {
        let unreadable = || answer::<std::io::Error>("be given a file");
        let found = tokio::fs::metadata(path).await.map_err(unreadable())?;
        if found.len() <= *room as u64 {
            let bytes = tokio::fs::read(path).await.map_err(unreadable())?;
            return self.content(scope, bytes, room).await;
        }
        let mut file = tokio::fs::File::open(path).await.map_err(unreadable())?;
        self.put_object(scope, digest, &mut file).await?;
        Ok(Content::Object(digest))
    }

    /// Writes the bytes of what travelled, and gives their number. Those of an object are the ones that its digest
    /// names.
    pub(crate) async fn fetch(
        &self,
        scope: &Scope,
        content: &Content,
        most: u64,
        to: &mut (impl AsyncWrite + Unpin),
    ) -> Result<u64, FetchError> {
        let digest = match content {
            Content::Text(text) if text.len() as u64 > most => return Err(FetchError::TooLarge),
            Content::Text(text) => {
                to.write_all(text.as_bytes()).await?;
                return Ok(text.len() as u64);
            }
            Content::Object(digest) => digest,
        };
        let name = scope.name(*digest);
        // A link could lead to itself.
        match self.objects.info(&name).await {
            Err(error) if error.kind() == InfoErrorKind::NotFound => {
                return Err(FetchError::Missing);
            }
            Err(error) if error.kind() == InfoErrorKind::TimedOut || !self.is_connected() => {
                return Err(answer("find an object")(error).into());
            }
            Ok(info) if info.options.as_ref().is_none_or(|options| options.link.is_none()) => {}
            Ok(_) | Err(_) => return Err(FetchError::Damaged),
        }
        let mut object = match self.objects.get(name).await {
            Err(error) if error.kind() == GetErrorKind::NotFound => {
                return Err(FetchError::Missing);
            }
            object => object.map_err(answer("find an object"))?,
        };
        let (mut digester, mut length) = (Digester::default(), 0);
        let mut piece = vec![0; 128 << 10];
        while length < object.info().size as u64 {
            let read = tokio::time::timeout(STALLED, object.read(&mut piece)).await;
            let count = match read {
                // What is on the server lacks a part.
                Err(_) if self.is_connected() => return Err(FetchError::Damaged),
                Err(stalled) => return Err(answer("read an object")(stalled).into()),
                Ok(Err(error)) if error.kind() == InvalidData => return Err(FetchError::Damaged),
                Ok(read) => read.map_err(answer("read an object"))?,
            };
            length += count as u64;
            if count == 0 {
                return Err(FetchError::Damaged);
            }
            if length > most {
                return Err(FetchError::TooLarge);
            }
            digester.update(&piece[..count]);
            to.write_all(&piece[..count]).await?;
        }
        if digester.finish() == *digest { Ok(length) } else { Err(FetchError::Damaged) }
    }

    /// The bytes of what travelled.
    pub(crate) async fn bytes(
        &self,
        scope: &Scope,
        content: &Content,
        most: u64,
    ) -> Result<Vec<u8>, FetchError> {
        let mut bytes = Vec::new();
        self.fetch(scope, content, most, &mut bytes).await?;
        Ok(bytes)
    }

    /// A value of a bucket; `None` for none, and why for one that can't be read.
    pub(crate) async fn value<T: DeserializeOwned>(
        &self,
        bucket: &kv::Store,
        key: &str,
    ) -> Result<Option<Result<T, String>>, ServerError> {
        let value = bucket.get(key).await.map_err(answer("read a value"))?;
        Ok(value.map(|value| read(&value, MAX_VALUE)))
    }

    pub(crate) async fn put(
        &self,
        bucket: &kv::Store,
        key: &str,
        value: &impl Serialize,
    ) -> Result<(), ServerError> {
        let value = json(value);
        bucket.put(key, value.into()).await.map(drop).map_err(answer("write a value"))
    }
}

/// Whose an object is. Each is deleted by the one that put it there, or by the coordinator when the request ends, and
/// two may have the same bytes.
#[derive(Clone, Debug)]
pub(crate) struct Scope(String);

impl Scope {
    /// What a coordinator stores for a request.
    pub(crate) fn of_request(id: &str) -> Self {
        Self(format!("{id}.request"))
    }

    /// What a worker stores for a request.
    pub(crate) fn of_result(id: &str, worker: &str) -> Self {
        Self(format!("{id}.{}", part(worker)))
    }

    /// The bases of a project.
    pub(crate) fn of_bases(project: &str) -> Self {
        Self(format!("{}.base", part(project)))
    }

    fn name(&self, digest: Digest) -> String {
        format!("{}.{digest}", self.0)
    }
}

/// Why bytes that travelled cannot be had.
#[derive(Debug, Error)]
pub(crate) enum FetchError {
    #[error(transparent)]
    Server(#[from] ServerError),
    #[error("an object is missing")]
    Missing,
    #[error("bytes are not those of their digest")]
    Damaged,
    #[error("there are more bytes than are taken")]
    TooLarge,
    #[error("cannot write what travelled: {0}")]
    Write(#[from] std::io::Error),
}

impl FetchError {
    /// Whether the object is at fault, and would be so at the next try.
    pub(crate) fn is_of_object(&self) -> bool {
        matches!(self, Self::Missing | Self::Damaged | Self::TooLarge)
    }
}

pub(crate) fn json(value: &impl Serialize) -> Vec<u8> {
    serde_json::to_vec(value).expect("because every key is a string")
}

async fn bucket(
    jetstream: &Context,
    name: &'static str,
    max_age: Duration,
) -> Result<kv::Store, ServerError> {
    if let Ok(store) = jetstream.get_key_value(name).await {
        return Ok(store);
    }
    // The client asks about the account before it makes a bucket, and can't read what servers before 2.10 answer. A
    // bucket is a stream of this form.
    let config = stream::Config {
        name: format!("KV_{name}"),
        subjects: vec![format!("$KV.{name}.>")],
        max_messages_per_subject: 1,
        max_age,
        duplicate_window: max_age.min(Duration::from_secs(120)),
        discard: DiscardPolicy::New,
        allow_rollup: true,
        deny_delete: true,
        allow_direct: true,
        ..stream::Config::default()
    };
    jetstream.get_or_create_stream(config).await.map_err(answer("make a bucket"))?;
    jetstream.get_key_value(name).await.map_err(answer("open a bucket"))
}

async fn objects(jetstream: &Context) -> Result<ObjectStore, ServerError> {
    const NAME: &str = "ftl-objects";
    if let Ok(store) = jetstream.get_object_store(NAME).await {
        return Ok(store);
    }
    let config = object_store::Config {
        bucket: NAME.to_owned(),
        max_age: WEEK,
        ..object_store::Config::default()
    };
    match jetstream.create_object_store(config).await {
        Ok(store) => Ok(store),
        Err(error) => {
            let other = jetstream.get_object_store(NAME).await;
            other.map_err(|_| answer("make the object store")(error))
        }
    }
}

/// The consumer of requests that any worker with this agent may take.
pub(crate) fn of_agent(agent: &str) -> String {
    format!("agent-{}", part(agent))
}

/// The consumer of requests for one worker.
pub(crate) fn of_worker(worker: &str) -> String {
    format!("worker-{}", part(worker))
}

/// A name as one part of a subject or key.
pub(crate) fn part(name: &str) -> String {
    let plain = |c: char| if c.is_ascii_alphanumeric() || c == '-' { c } else { '_' };
    let part: String = name.chars().map(plain).take(MAX_PART).collect();
    if part == name && !part.is_empty() {
        return part;
    }
    // Names that differ in other characters, or only after these, stay apart.
    let digest = Digest::of(name.as_bytes()).to_string();
    format!("{part}_{}", &digest[..8])
}

/// Returns once a signal asks this process to end.
pub(crate) async fn interrupted() {
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
