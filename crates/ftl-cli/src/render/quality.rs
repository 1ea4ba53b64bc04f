//! The verdicts on idioms, tests and exports, for people.

use ftl_engine::result::QualityResult;
use ftl_model::{ExportStatus, IdiomStatus};

use super::outcome::Page;

/// How many tests that became weaker are shown.
const SHOWN: usize = 10;

impl Page {
    /// The idioms that are violated, the tests that became weaker, the exports that are lost.
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
        for place in quality.weakened.iter().take(SHOWN) {
            let path = self.here.path(&place.path);
            let at = format!("{path}:{} {}: {}", place.line, place.test, place.kind);
            let sides = [("was", &place.before), ("is", &place.after)];
            let sides = sides.iter().filter_map(|(word, side)| Some((word, side.as_ref()?)));
            let sides: Vec<String> =
                sides.map(|(word, side)| format!("\n{word}: {side}")).collect();
            self.put("weakened", &format!("{at}{}", sides.concat()));
        }
        if let Some(more) = quality.weakened.len().checked_sub(SHOWN).filter(|&more| more > 0) {
            self.put("", &format!("{more} more, which `--format json` lists"));
        }
        let exports = quality.exports.iter();
        for export in exports.filter(|export| export.verdict == ExportStatus::Lost) {
            let line = format!("lost: {} of {}", export.name, self.here.path(&export.path));
            self.put("export", &line);
        }
    }
}
