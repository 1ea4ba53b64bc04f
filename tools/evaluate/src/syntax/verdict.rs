//! A verdict on one file, and the lines in which the drivers print it.

use std::path::Path;

use ftl_testkit::Result;

/// Whether a file was accepted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Status {
    Valid,
    Invalid,
    /// No answer: too deep, a crash, an unknown encoding.
    Unknown,
}

/// An answer about one file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Verdict {
    pub(crate) status: Status,
    /// Of the first error, from 1; 0 when there is none.
    pub(crate) line: usize,
    pub(crate) message: String,
}

impl Verdict {
    pub(crate) const VALID: Self = Self { status: Status::Valid, line: 0, message: String::new() };

    pub(crate) fn unknown(message: &str) -> Self {
        Self { status: Status::Unknown, line: 0, message: message.to_owned() }
    }

    pub(crate) fn invalid(line: usize, message: &str) -> Self {
        let message = message.split_whitespace().collect::<Vec<_>>().join(" ");
        Self { status: Status::Invalid, line, message }
    }

    /// A driver's line: status, line and message with tabs between them.
    fn parse(text: &str) -> Option<Self> {
        let mut parts = text.splitn(3, '\t');
        match parts.next()? {
            "valid" => Some(Self::VALID),
            "invalid" => {
                Some(Self::invalid(parts.next()?.parse().ok()?, parts.next().unwrap_or_default()))
            }
            "unknown" => Some(Self::unknown(parts.nth(1).unwrap_or_default())),
            _ => None,
        }
    }
}

/// One line a file, as the drivers write them.
///
/// # Errors
///
/// A driver said too little or too much, or something else.
pub(crate) fn parse_all(output: &str, paths: &[impl AsRef<Path>]) -> Result<Vec<Verdict>> {
    let verdicts: Option<Vec<_>> = output.lines().map(Verdict::parse).collect();
    let verdicts = verdicts.ok_or("a driver wrote a line that is no verdict")?;
    if verdicts.len() == paths.len() {
        return Ok(verdicts);
    }
    let (said, asked) = (verdicts.len(), paths.len());
    let next = paths.get(said).map_or(Path::new("?"), AsRef::as_ref);
    Err(format!("a driver gave {said} verdicts of {asked}, and stopped at {}", next.display())
        .into())
}

#[cfg(test)]
mod tests {
    use super::{Verdict, parse_all};

    #[test]
    fn a_line_a_file_is_read_and_a_missing_one_is_noticed() {
        let output = "valid\ninvalid\t3\tno:\tcolon\nunknown\t0\ttoo deep\n";
        let read = parse_all(output, &["a", "b", "c"]).unwrap();
        let expected =
            [Verdict::VALID, Verdict::invalid(3, "no:\tcolon"), Verdict::unknown("too deep")];
        assert_eq!(read, expected);
        let error = parse_all(output, &["a", "b", "c", "d"]).unwrap_err();
        assert_eq!(error.to_string(), "a driver gave 3 verdicts of 4, and stopped at d");
    }
}
