//! `ftl.toml` and files of shared failures: the program's own sources.

#[expect(dead_code, reason = "files are not read here")]
#[path = "../../crates/ftl-cli/src/config/mod.rs"]
mod config;

use config::{Config, Problem, knowledge};

/// Reads bytes as a configuration and as a file of shared failures.
///
/// # Panics
///
/// A problem says nothing, is outside of the text or in a character, or two readings differ.
pub fn configuration(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else {
        return;
    };
    let read = Config::parse(text);
    assert_eq!(format!("{read:?}"), format!("{:?}", Config::parse(text)));
    if let Err(problems) = read {
        are_placed(&problems, text);
    }
    match knowledge::parse(text) {
        Ok(entries) => {
            for entry in entries {
                assert!(text.get(entry.span).is_some());
                let written = ftl_engine::knowledge::toml_entry(&entry.failure);
                let again = knowledge::parse(&written).expect("what is written can be read");
                assert_eq!(again[0].failure.trigger, entry.failure.trigger);
                assert_eq!(again[0].failure.pattern, entry.failure.pattern);
            }
        }
        Err(problems) => are_placed(&problems, text),
    }
}

fn are_placed(problems: &[Problem], text: &str) {
    assert!(!problems.is_empty(), "refused for nothing");
    for problem in problems {
        assert!(!problem.message.is_empty(), "{problem:?}");
        assert!(text.get(problem.span.clone()).is_some(), "{problem:?}");
    }
}
