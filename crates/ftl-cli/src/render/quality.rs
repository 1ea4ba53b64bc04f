//! The verdicts on idioms and exports, and what experiments show, for people.

use ftl_engine::result::{EvidenceResult, QualityResult, Shown};
use ftl_model::{ExportStatus, IdiomStatus};

use super::outcome::Page;

/// How many tests that fail as they were are shown.
const SHOWN: usize = 10;

impl Page {
    /// The idioms that are violated, the exports that are lost.
    pub(super) fn quality(&mut self, quality: &QualityResult) {
        self.optional(
            "framework",
            quality.detected.as_ref().map(|it| format!("{it} (detected)")).as_deref(),
        );
        let idioms = quality.idioms.iter();
        for idiom in idioms.filter(|idiom| idiom.verdict == IdiomStatus::Violated) {
            let weight = idiom.severity.map_or("", |_| " (a warning)");
            self.put("idiom", &format!("violated{weight}: {}", idiom.text));
            // What was there before is a warning.
            for place in idiom.places.iter().filter(|place| place.new) {
                let path = self.here.path(&place.path);
                self.put("", &format!("{path}:{}:{}", place.line, place.column));
            }
            self.optional("", idiom.note.as_deref());
        }
        let exports = quality.exports.iter();
        for export in exports.filter(|export| export.verdict == ExportStatus::Lost) {
            let line = format!("lost: {} of {}", export.name, self.here.path(&export.path));
            self.put("export", &line);
        }
    }
    /// `failed before, the tests as they were pass`, and the tests that fail as they were.
    pub(super) fn evidence(&mut self, evidence: &EvidenceResult) {
        let end = |shown: Shown, passed: &str, failed: &str| match shown {
            Shown::Passed => passed.to_owned(),
            Shown::Failed => failed.to_owned(),
        };
        let parts = [
            evidence.before.map(|it| end(it, "passed before the work too", "failed before")),
            evidence
                .old_tests
                .map(|it| end(it, "the tests as they were pass", "the tests as they were fail")),
            evidence.broken.map(|it| {
                end(it, "passes with the work broken, too", "fails when the work is broken")
            }),
        ];
        let parts: Vec<String> = parts.into_iter().flatten().collect();
        self.line("evidence", &parts.join(", "));
        for failure in evidence.failures.iter().take(SHOWN) {
            let at = failure.test.as_deref().or(failure.path.as_deref()).unwrap_or_default();
            let message = failure.message.lines().next().unwrap_or_default();
            self.line("", &self.here.sentence(&format!("{at}: {message}")));
        }
        let more = evidence.failures.len().saturating_sub(SHOWN);
        if more > 0 {
            self.put("", &format!("{more} more, which `--format json` lists"));
        }
        if evidence.old_tests == Some(Shown::Failed) {
            self.path("", evidence.log.as_deref().unwrap_or_default());
        }
    }
}
