//! YAML 1.2, by saphyr's parser of events.
//!
//! No values are built: the program that reads the file decides the meaning of repeated keys and of
//! tags.

use saphyr_parser::{Parser, ScanError};

use crate::Reason;
use crate::finding::{Finding, Outcome, Setting};

/// YAML 1.2: grammar, and aliases of anchors that are there. Repeated keys are left to those
/// who read the values.
pub(crate) fn check(text: &str, _: &Setting<'_>) -> Outcome {
    let mut parser = Parser::new_from_str(text);
    // The parser keeps its own stack, so that no nesting is too deep.
    while let Some(event) = parser.next_event() {
        let Err(error) = event else { continue };
        if error.info().contains("recursion limit") {
            return Outcome::Unchecked(Reason::TooDeep);
        }
        // A tool renders charts and playbooks from such files before YAML is read.
        let is_template = ["{{", "{%"].iter().any(|mark| text.contains(mark));
        return if is_template {
            Outcome::Unchecked(Reason::Template)
        } else {
            Outcome::Invalid(vec![finding(text, &error)])
        };
    }
    Outcome::Valid
}

fn finding(text: &str, error: &ScanError) -> Finding {
    let rest = text.char_indices().nth(error.marker().index());
    let (start, width) = rest.map_or((text.len(), 0), |(at, found)| (at, found.len_utf8()));
    Finding::syntax(error.info(), start..start + width)
}
