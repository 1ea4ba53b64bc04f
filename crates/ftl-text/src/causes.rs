//! An error as one sentence.

use std::error::Error;

/// An error and its causes in one sentence, none of them said twice. The system's own reason comes last.
pub fn with_causes(error: &dyn Error) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(next) = cause {
        let said = next.to_string();
        if !text.contains(&said) {
            text = format!("{text}: {said}");
        }
        cause = next.source();
    }
    text
}

#[cfg(test)]
mod tests {
    use std::{error, fmt};

    use super::with_causes;

    #[derive(Debug)]
    struct Because(&'static str, Option<Box<Because>>);

    impl fmt::Display for Because {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str(self.0)
        }
    }

    impl error::Error for Because {
        fn source(&self) -> Option<&(dyn error::Error + 'static)> {
            self.1.as_deref().map(|cause| cause as _)
        }
    }

    #[test]
    fn every_cause_is_said_once_and_the_deepest_last() {
        let deep = Because("no space left", None);
        let middle = Because("cannot run git", Some(Box::new(deep)));
        let top = Because("cannot run git", Some(Box::new(middle)));
        assert_eq!(with_causes(&top), "cannot run git: no space left");
    }
}
