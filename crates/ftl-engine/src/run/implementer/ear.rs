//! Hearing an agent while it works: what it does becomes events, what it says of itself a report.

use std::path::Path;

use ftl_agents::{Activity, Events, Listener, Report};

use crate::run::recorder::Recorder;

/// Events of one request; an agent that does more is heard, and not told of any more.
const MOST_TOLD: u32 = 10_000;

/// Hears one request's agent. What it hears was redacted before.
#[derive(Debug)]
pub(in crate::run) struct Ear {
    listener: Listener,
    /// The root, as agents name files that they mean absolutely.
    root: String,
    request: u32,
    told: u32,
}

impl Ear {
    pub(super) fn new(events: Events, root: &Path, request: u32) -> Self {
        Self {
            listener: Listener::new(events),
            root: format!("{}/", root.display()),
            request,
            told: 0,
        }
    }

    pub(in crate::run) fn hear(&mut self, bytes: &[u8], recorder: &mut Recorder<'_>) {
        let (told, root, request) = (&mut self.told, &self.root, self.request);
        self.listener.hear(bytes, &mut |activity| {
            *told += 1;
            if *told <= MOST_TOLD {
                recorder.activity(request, &from_root(activity, root));
            }
        });
    }

    pub(super) fn finish(self, recorder: &mut Recorder<'_>) -> Report {
        let (root, request) = (self.root, self.request);
        let tell = &mut |activity| recorder.activity(request, &from_root(activity, &root));
        self.listener.finish(tell)
    }
}

/// The same with its path from the root, where it lies below.
fn from_root(mut activity: Activity, root: &str) -> Activity {
    if let Some(below) = activity.path.as_ref().and_then(|path| path.strip_prefix(root)) {
        activity.path = Some(below.to_owned());
    }
    activity
}
