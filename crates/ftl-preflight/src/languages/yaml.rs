//! YAML 1.2, by granit's parser of events.
//!
//! No values are built: the program that reads the file decides the meaning of repeated keys and of
//! tags. What PyYAML, js-yaml and npm's yaml read is valid, also where the parser is stricter.

use granit_parser::{ErrorKind, Parser, ScanError};

use crate::Reason;
use crate::finding::{Finding, Outcome, Setting};

/// Values next to their colon that are moved away from it in one file: each costs a parse.
const MOST_ADJACENT: usize = 64;

/// YAML 1.2: grammar, and aliases of anchors that are there. Repeated keys are left to those
/// who read the values.
pub(crate) fn check(text: &str, _: &Setting<'_>) -> Outcome {
    let mut spaced = text.to_owned();
    for inserted in 0..=MOST_ADJACENT {
        let Some(error) = first_error(&spaced) else { return Outcome::Valid };
        if matches!(error.kind(), ErrorKind::RecursionLimitExceeded) {
            return Outcome::Unchecked(Reason::TooDeep);
        }
        let at = offset(&spaced, &error);
        // `{a:[1]}`: a bracket cannot be part of the key, so the colon ends it (YAML 1.2.2, 7.4.2).
        match error.kind() {
            ErrorKind::FlowMappingValueAdjacentCollection if inserted < MOST_ADJACENT => {
                spaced.insert(at + 1, ' ');
            }
            // Every space that was inserted is before the error.
            _ => {
                return Outcome::Invalid(vec![Finding::at(text, at - inserted, error.info())]);
            }
        }
    }
    Outcome::Valid
}

/// The parser keeps its own stack, so that no nesting is too deep.
fn first_error(text: &str) -> Option<ScanError> {
    let mut parser = Parser::new_from_str(text);
    std::iter::from_fn(|| parser.next_event()).find_map(Result::err)
}

fn offset(text: &str, error: &ScanError) -> usize {
    text.char_indices().nth(error.marker().index()).map_or(text.len(), |(at, _)| at)
}
