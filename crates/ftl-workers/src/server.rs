//! The server: how it is reached, and the stream, buckets and objects that requests and results use.
//!
//! ```text
//! stream FTL            work-queue   ftl.request.PROJECT.AGENT   requests, pulled by workers
//!                                    ftl.session.WORKER          requests that go on with a conversation there
//! bucket ftl-results    7 days       ID       the digest of the result, created once
//! bucket ftl-taken      7 days       ID       the workers that took the request
//! bucket ftl-cancelled  7 days       ID       the request is no longer wanted
//! bucket ftl-workers    30 s         WORKER   presence
//! objects ftl-objects   7 days       SHA-256, or base-COMMIT
//! subject ftl.output.ID              what an agent prints, live; nothing depends on it
//! ```

use std::time::Duration;

use async_nats::Client;
use async_nats::jetstream::consumer::pull;
use async_nats::jetstream::consumer::{AckPolicy, Consumer};
use async_nats::jetstream::kv;
use async_nats::jetstream::object_store::{self, ObjectStore};
use async_nats::jetstream::stream::{self, DiscardPolicy, RetentionPolicy, Stream};
use async_nats::jetstream::{self, Context};
use ftl_model::Digest;
use serde::Serialize;
use serde::de::DeserializeOwned;
use tokio::io::AsyncReadExt;

use crate::access::{Access, ServerError, client};
use crate::protocol::{Content, MAX_INLINE};

const STREAM: &str = "FTL";
const WEEK: Duration = Duration::from_secs(7 * 24 * 60 * 60);
/// How long a worker is alive after it said so.
const PRESENCE: Duration = Duration::from_secs(30);
/// How long a request is a worker's without a word from it.
pub(crate) const ACK_WAIT: Duration = Duration::from_secs(60);
/// The most bytes of an object that is read.
pub(crate) const MAX_OBJECT: u64 = 1 << 30;

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
    pub(crate) async fn connect(access: &Access, name: &str) -> Result<Self, ServerError> {
        let client = client(access, name).await?;
        let jetstream = jetstream::new(client.clone());
        let stream = jetstream.get_or_create_stream(stream::Config {
            name: STREAM.to_owned(),
            subjects: vec!["ftl.request.>".to_owned(), "ftl.session.>".to_owned()],
            retention: RetentionPolicy::WorkQueue,
            max_age: WEEK,
            ..stream::Config::default()
        });
        let stream = stream.await.map_err(answer("make the stream `FTL`"))?;
        Ok(Self {
            results: bucket(&jetstream, "ftl-results", WEEK).await?,
            taken: bucket(&jetstream, "ftl-taken", WEEK).await?,
            cancelled: bucket(&jetstream, "ftl-cancelled", WEEK).await?,
            workers: bucket(&jetstream, "ftl-workers", PRESENCE).await?,
            objects: objects(&jetstream).await?,
            client,
            jetstream,
            stream,
        })
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

    pub(crate) async fn has_object(&self, name: &str) -> bool {
        self.objects.info(name).await.is_ok_and(|info| !info.deleted)
    }

    /// What is said of an object beside its bytes.
    pub(crate) async fn description(&self, name: &str) -> Option<String> {
        let info = self.objects.info(name).await.ok()?;
        Some(info.description.unwrap_or_default())
    }

    /// Stores bytes under a name, with a description.
    pub(crate) async fn put_object(
        &self,
        name: &str,
        description: Option<String>,
        bytes: &[u8],
    ) -> Result<(), ServerError> {
        let meta = object_store::ObjectMetadata {
            name: name.to_owned(),
            description,
            ..object_store::ObjectMetadata::default()
        };
        let stored = self.objects.put(meta, &mut &*bytes).await;
        stored.map(drop).map_err(answer("store an object"))
    }

    pub(crate) async fn get_object(&self, name: &str) -> Result<Vec<u8>, ServerError> {
        let object = self.objects.get(name).await.map_err(answer("find an object"))?;
        let mut bytes = Vec::new();
        let read = object.take(MAX_OBJECT + 1).read_to_end(&mut bytes).await;
        read.map_err(answer("read an object"))?;
        if bytes.len() as u64 > MAX_OBJECT {
            return Err(answer("read an object")("it is larger than 1 GiB"));
        }
        Ok(bytes)
    }

    pub(crate) async fn delete_object(&self, name: &str) {
        drop(self.objects.delete(name).await);
    }

    /// Bytes as they travel: text within the message, all else as an object.
    pub(crate) async fn content(&self, bytes: Vec<u8>) -> Result<Content, ServerError> {
        match String::from_utf8(bytes) {
            Ok(text) if text.len() <= MAX_INLINE / 8 => Ok(Content::Text(text)),
            Ok(text) => self.object(text.as_bytes()).await,
            Err(error) => self.object(error.as_bytes()).await,
        }
    }

    async fn object(&self, bytes: &[u8]) -> Result<Content, ServerError> {
        let digest = Digest::of(bytes);
        self.put_object(&digest.to_string(), None, bytes).await?;
        Ok(Content::Object(digest))
    }

    /// The bytes of what travelled. Those of an object are the ones that its digest names.
    pub(crate) async fn bytes(&self, content: &Content) -> Result<Vec<u8>, ServerError> {
        match content {
            Content::Text(text) => Ok(text.clone().into_bytes()),
            Content::Object(digest) => {
                let bytes = self.get_object(&digest.to_string()).await?;
                if Digest::of(&bytes) == *digest {
                    Ok(bytes)
                } else {
                    Err(answer("read an object")("its bytes are not those of its digest"))
                }
            }
        }
    }

    /// A value of a bucket; `None` for none, or for one that can't be read.
    pub(crate) async fn value<T: DeserializeOwned>(
        &self,
        bucket: &kv::Store,
        key: &str,
    ) -> Result<Option<T>, ServerError> {
        let value = bucket.get(key).await.map_err(answer("read a value"))?;
        Ok(value.and_then(|value| serde_json::from_slice(&value).ok()))
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

/// A name as one part of a subject or key.
pub(crate) fn part(name: &str) -> String {
    let plain = |c: char| if c.is_ascii_alphanumeric() || c == '-' { c } else { '_' };
    let part: String = name.chars().map(plain).collect();
    if part == name && !part.is_empty() {
        return part;
    }
    // Names that differ in other characters stay apart.
    let digest = Digest::of(name.as_bytes()).to_string();
    format!("{part}_{}", &digest[..8])
}
