//! Listens to an agent while it works: its actions become events, its account of itself a report.

use std::path::{Path, PathBuf};
use std::time::Duration;

use ftl_agents::{Activity, Events, Listener, Report};

use crate::project::read_regular;
use crate::run::journal::recorder::Recorder;
use crate::text::one_line;

/// Events of one request; further ones are read, and not reported.
const MAX_REPORTED: u32 = 10_000;
/// How often notices are looked for.
const INTERVAL: Duration = Duration::from_secs(1);
/// Bytes of notices; further ones are not reported.
const MAX_NOTICES: u64 = 64 << 10;

/// Listens to one request's agent. Its output was redacted before.
#[derive(Debug)]
pub(in crate::run) struct AgentListener {
    listener: Listener,
    events: Events,
    /// The root, as agents name files that they mean absolutely.
    root: String,
    request: u32,
    reported: u32,
    /// The file of notices, and how many of its lines were reported.
    notices: Option<(PathBuf, usize)>,
}

impl AgentListener {
    pub(super) fn new(events: Events, root: &Path, request: u32) -> Self {
        Self {
            listener: Listener::new(events),
            events,
            root: format!("{}/", root.display()),
            request,
            reported: 0,
            notices: None,
        }
    }

    /// Forgets what it has read: the agent's output follows.
    pub(super) fn restart(&mut self) {
        self.listener = Listener::new(self.events);
    }

    /// Another program performs the request, and writes here what the user should know at once.
    pub(super) fn look_for_notices(&mut self, path: PathBuf) {
        self.notices = Some((path, 0));
    }

    /// Reports new notices as warnings; when it wants to be called again.
    pub(in crate::run) fn look(&mut self, recorder: &mut Recorder<'_>) -> Option<Duration> {
        let (path, reported) = self.notices.as_mut()?;
        let text = read_regular(path, MAX_NOTICES).unwrap_or_default();
        let text = String::from_utf8_lossy(&text);
        let whole = text.rfind('\n').map_or("", |end| &text[..end]);
        for line in whole.lines().skip(*reported) {
            *reported += 1;
            recorder.reporter().warning(&one_line(line));
        }
        Some(INTERVAL)
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
