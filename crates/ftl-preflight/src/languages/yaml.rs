//! YAML 1.2, by saphyr's parser of events.
//!
//! Nothing is composed: what two equal keys mean, and what a tag makes of a value, is for whoever
//! reads the values.

use saphyr_parser::{Parser, ScanError};

use super::{Finding, Outcome, Setting};
use crate::Reason;

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
        // Charts and playbooks are made of such files before anybody reads them as YAML.
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
