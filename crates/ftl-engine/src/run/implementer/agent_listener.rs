//! Listens to an agent while it works: its actions become events, its account of itself a report.

use std::path::Path;

use ftl_agents::{Activity, Events, Listener, Report};

use crate::run::recorder::Recorder;

/// Events of one request; further ones are read, and not reported.
const MAX_REPORTED: u32 = 10_000;

/// Listens to one request's agent. Its output was redacted before.
#[derive(Debug)]
pub(in crate::run) struct AgentListener {
    listener: Listener,
    /// The root, as agents name files that they mean absolutely.
    root: String,
    request: u32,
    reported: u32,
}

impl AgentListener {
    pub(super) fn new(events: Events, root: &Path, request: u32) -> Self {
        Self {
            listener: Listener::new(events),
            root: format!("{}/", root.display()),
            request,
            reported: 0,
        }
    }

    pub(in crate::run) fn hear(&mut self, bytes: &[u8], recorder: &mut Recorder<'_>) {
        let (reported, root, request) = (&mut self.reported, &self.root, self.request);
        self.listener.hear(bytes, &mut |activity| {
            *reported += 1;
            if *reported <= MAX_REPORTED {
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

/// The same with its path from the root, if it is below the root.
fn from_root(mut activity: Activity, root: &str) -> Activity {
    if let Some(below) = activity.path.as_ref().and_then(|path| path.strip_prefix(root)) {
        activity.path = Some(below.to_owned());
    }
    activity
}
