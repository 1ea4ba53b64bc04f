//! Every value in every bucket and stream damaged, too big, missing or doubled, in turn, while healthy workers build.
//!
//! There is a task for each case. Once the value of a task is stored, it is spoilt, and the build must end all the same.

use std::collections::BTreeMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use async_nats::Message;
use async_nats::jetstream::{self, Context};
use base64::Engine;
use base64::prelude::BASE64_URL_SAFE;
use futures_util::StreamExt;
use serde_json::Value;

use ftl_testkit::Result;

/// What is spoilt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum DamagedPlace {
    /// The message that asks for the work.
    Request,
    /// The value that names the result.
    Result,
    /// The value that lists who took the request.
    Taken,
    /// The value that cancels the request.
    Cancelled,
    /// The value by which a worker is alive.
    Presence,
    /// What the store says of an object: the prompt's, the result's, or the base's.
    About(Object),
    /// The bytes of an object.
    Bytes(Object),
}

/// An object by what it is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Object {
    Prompt,
    Outcome,
    Base,
}

/// How it is spoilt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Harm {
    Damaged,
    TooBig,
    Missing,
    Doubled,
}

const PLACES: [DamagedPlace; 11] = [
    DamagedPlace::Request,
    DamagedPlace::Result,
    DamagedPlace::Taken,
    DamagedPlace::Cancelled,
    DamagedPlace::Presence,
    DamagedPlace::About(Object::Prompt),
    DamagedPlace::About(Object::Outcome),
    DamagedPlace::About(Object::Base),
    DamagedPlace::Bytes(Object::Prompt),
    DamagedPlace::Bytes(Object::Outcome),
    DamagedPlace::Bytes(Object::Base),
];

const HARMS: [Harm; 4] = [Harm::Damaged, Harm::TooBig, Harm::Missing, Harm::Doubled];

/// The cases, the task of each by its place among them.
pub(super) fn cases() -> Vec<(DamagedPlace, Harm)> {
    PLACES.iter().flat_map(|place| HARMS.map(|harm| (*place, harm))).collect()
}

/// Spoils the value of each case once, until the sweep is over; the numbers of the cases that were.
pub(super) fn spoil(
    (url, token): (&str, &str),
    spoilt: &Mutex<Vec<usize>>,
    is_over: &AtomicBool,
) -> Result {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    runtime.block_on(async {
        let options = async_nats::ConnectOptions::with_token(token.to_owned());
        let client = options.connect(url).await?;
        let jetstream = jetstream::new(client.clone());
        let mut values = client.subscribe("$KV.>").await?;
        let mut objects = client.subscribe("$O.*.M.*").await?;
        let mut requests = client.subscribe("ftl.request.>").await?;
        let cases = cases();
        while !is_over.load(Ordering::Relaxed) {
            let message = tokio::select! {
                Some(message) = values.next() => message,
                Some(message) = objects.next() => message,
                Some(message) = requests.next() => message,
                () = tokio::time::sleep(Duration::from_millis(200)) => continue,
            };
            for (number, (place, harm)) in cases.iter().enumerate() {
                let is_done = spoilt.lock().map_err(|error| error.to_string())?.contains(&number);
                let subject = target(&message, number, *place);
                let Some(subject) = subject.filter(|_| !is_done) else {
                    continue;
                };
                // First, since what it writes comes back here.
                spoilt.lock().map_err(|error| error.to_string())?.push(number);
                do_harm(&jetstream, &subject, &message, *harm).await?;
                if matches!(
                    place,
                    DamagedPlace::About(Object::Base) | DamagedPlace::Bytes(Object::Base)
                ) {
                    break;
                }
            }
        }
        Ok(())
    })
}

/// The subject at which a case is spoilt, if this message is the one that it waits for.
fn target(message: &Message, number: usize, place: DamagedPlace) -> Option<String> {
    let subject = message.subject.as_str();
    let task = format!(".{}.", super::Arena::name(number + 1));
    let payload: Value = serde_json::from_slice(&message.payload).ok()?;
    let own = |text: &str| format!("{text}.").contains(&task);
    let value = |bucket: &str| subject.starts_with(bucket).then(|| subject.to_owned());
    match place {
        DamagedPlace::Request if subject.starts_with("ftl.request.") => {
            own(payload["id"].as_str()?).then(|| subject.to_owned())
        }
        DamagedPlace::Cancelled if subject.starts_with("ftl.request.") => {
            let id = payload["id"].as_str()?;
            own(id).then(|| format!("$KV.ftl-cancelled.{id}"))
        }
        DamagedPlace::Result => value("$KV.ftl-results.").filter(|subject| own(subject)),
        DamagedPlace::Taken => value("$KV.ftl-taken.").filter(|subject| own(subject)),
        DamagedPlace::Presence => value("$KV.ftl-workers."),
        DamagedPlace::About(object) | DamagedPlace::Bytes(object) if subject.starts_with("$O.") => {
            let name = payload["name"].as_str().filter(|_| payload["deleted"] != true)?;
            let is_own = match object {
                Object::Prompt => own(name) && name.contains(".request."),
                Object::Outcome => own(name) && !name.contains(".request."),
                Object::Base => name.contains(".base."),
            };
            let encoded = BASE64_URL_SAFE.encode(name);
            let bytes = format!("$O.ftl-objects.C.{}", payload["nuid"].as_str()?);
            let about = format!("$O.ftl-objects.M.{encoded}");
            let subject = if matches!(place, DamagedPlace::About(_)) { about } else { bytes };
            is_own.then_some(subject)
        }
        _ => None,
    }
}

async fn do_harm(jetstream: &Context, subject: &str, message: &Message, harm: Harm) -> Result {
    let stream = match subject.split('.').collect::<Vec<_>>()[..] {
        ["$KV", bucket, ..] => format!("KV_{bucket}"),
        ["$O", bucket, ..] => format!("OBJ_{bucket}"),
        _ => "FTL".to_owned(),
    };
    if harm != Harm::Doubled {
        // A stream that is a work queue keeps what comes beside it.
        jetstream.get_stream(&stream).await?.purge().filter(subject).await?;
    }
    let bytes = match harm {
        Harm::Damaged => b"{\"no\": ".to_vec(),
        Harm::TooBig => format!("{{\"worker\": {:?}}}", "x".repeat(900_000)).into_bytes(),
        Harm::Missing => return Ok(()),
        Harm::Doubled => message.payload.to_vec(),
    };
    jetstream.publish(subject.to_owned(), bytes.into()).await?.await?;
    Ok(())
}

/// How often each place was spoilt, by name.
pub(super) fn counted(spoilt: &[usize]) -> BTreeMap<String, usize> {
    let cases = cases();
    let mut counts = BTreeMap::new();
    for number in spoilt {
        *counts.entry(format!("{:?}", cases[*number].0)).or_default() += 1;
    }
    counts
}
