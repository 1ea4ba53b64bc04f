//! Making a task file the record of its task.

use ftl_model::{Status, Utilized};

use crate::new::utilization;
use crate::{Document, Element, Splice, read};
use ftl_text::safe_text;

/// What is written into a task file when its task ends.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Seal {
    /// How it ended; the time goes to `completed_at` or `blocked_at` accordingly.
    pub status: Status,
    /// When it ended.
    pub at: String,
    /// What was delivered, or why it was blocked.
    pub delivered: String,
    /// Knowledge that turned out useful; recorded when there is any.
    pub utilized: Vec<Utilized>,
    /// The account of the run, appended at the end.
    pub run: Element,
}

/// The document as a finished record: what `seal` says is spliced in, everything else stays byte for
/// byte. Texts are made safe, so that any XML parser reads the record.
///
/// A record must stay within the bounds of [`read`]. Where the whole account of the run would lead
/// beyond them, only its attributes are kept.
pub fn seal(document: &Document<'_>, seal: &Seal) -> Vec<u8> {
    // Read back, since a record that ftl itself refuses would be lost to every later task. The
    // account of a run can be as large as a user's output makes it, its attributes cannot.
    let record = splice(document, seal, seal.run.clone());
    if read(&record).is_ok() { record } else { splice(document, seal, seal.run.without_content()) }
}

fn splice(document: &Document<'_>, seal: &Seal, run: Element) -> Vec<u8> {
    let mut splice = Splice::new(document).set_attribute("status", seal.status.as_str());
    let time = match seal.status {
        Status::Active => None,
        Status::Complete => Some("completed_at"),
        Status::Blocked => Some("blocked_at"),
        Status::Dropped => Some("dropped_at"),
    };
    if let Some(attribute) = time {
        splice = splice.set_attribute(attribute, &safe_text(seal.at.as_bytes()));
    }
    splice = splice.set_child(Element::new("delivered").text(&seal.delivered));
    if !seal.utilized.is_empty() {
        splice = splice.set_child(utilization(&seal.utilized));
    }
    splice.append(run).finish()
}
