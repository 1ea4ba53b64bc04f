//! Hearing an agent while it works: what it does becomes events, what it says of itself a report.

use ftl_agents::{Events, Listener, Report};

use crate::run::recorder::Recorder;

/// Events of one request; an agent that does more is heard, and not told of any more.
const MOST_TOLD: u32 = 10_000;

/// Hears one request's agent. What it hears was redacted before.
#[derive(Debug)]
pub(in crate::run) struct Ear {
    listener: Listener,
    request: u32,
    told: u32,
}

impl Ear {
    pub(super) fn new(events: Events, request: u32) -> Self {
        Self {
            listener: Listener::new(events),
            request,
            told: 0,
        }
    }

    pub(in crate::run) fn hear(&mut self, bytes: &[u8], recorder: &mut Recorder<'_>) {
        let (told, request) = (&mut self.told, self.request);
        self.listener.hear(bytes, &mut |activity| {
            *told += 1;
            if *told <= MOST_TOLD {
                recorder.activity(request, &activity);
            }
        });
    }

    pub(super) fn finish(self, recorder: &mut Recorder<'_>) -> Report {
        let request = self.request;
        let tell = &mut |activity| recorder.activity(request, &activity);
        self.listener.finish(tell)
    }
}
