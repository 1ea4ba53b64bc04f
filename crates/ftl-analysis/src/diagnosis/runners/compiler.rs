//! Compilers and linkers: rustc, gcc, clang, javac, mypy, ld and those that write like them.

use super::super::shape::{is_farewell, is_handled};
use crate::constants::{ConstPattern, ConstPatterns};

/// `error[E0425]: …`, and behind a place, as C compilers write.
static ERROR: ConstPatterns = ConstPatterns::new(&[
    r"^(?:[^\s:][^:]*:\d+(?::\d+)?: |[^\s:()]+\(\d+(?:,\d+)*\): )?(?:fatal )?error(?:\[[\w:-]+\]| [A-Z]+\d+)?: \S",
    r"^[^\s:][^:]*:\d+:\d+: error:$",
    r"^\[ERROR\] \S+:\[\d+,\d+\] \S",
    r"^\S*:\(\.\w+\S*\): (?:undefined reference|multiple definition)|^\S*: (?:undefined reference to|multiple definition of) ",
    r"^(?:\S*/)?ld(?:\.\w+)?: (?:cannot find|\S+: undefined reference|.*: No such file)",
]);
/// GHC writes the message below, and a code at most in its place.
static BARE: ConstPattern = ConstPattern::new(r":\d+: error:(?: \[[\w-]+\])?$");

/// The errors that a compiler or linker named; what follows from them only when there is no other.
pub(super) fn errors(lines: &[&str]) -> Vec<String> {
    let all = || (0..lines.len()).filter(|&at| ERROR.is_match(lines[at]) && !is_handled(lines[at]));
    let whole = |at: usize| match lines.get(at + 1).filter(|_| BARE.is_match(lines[at])) {
        Some(below) => format!("{} {}", lines[at], below.trim()),
        None => lines[at].to_owned(),
    };
    let telling: Vec<String> = all().filter(|&at| !is_farewell(lines[at])).map(whole).collect();
    match telling.is_empty() {
        true => all().filter(|&at| !wraps(lines[at])).map(whole).collect(),
        false => telling,
    }
}

/// Whether only a wrapper speaks, so that the output itself may tell more.
fn wraps(line: &str) -> bool {
    line.starts_with("error: test run failed")
        || line.starts_with("error: recipe")
        || line.starts_with("error: the following test command")
}
