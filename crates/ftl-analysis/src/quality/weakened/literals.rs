//! Literals that a change replaced within a test.

use ftl_model::WeakeningKind;

use super::dialect::unquoted;
use super::printed::Printed;
use super::snapshot::said;
use super::source_test::{SourceTest, SourceToken};

/// Pairs of tokens that are compared at most: tests beyond are compared by their beginning and end alone.
const MAX_PAIRS: usize = 4_000_000;

/// Parts of names of calls with the digits or the difference that they allow.
const DIGITS: [&str; 3] = ["tobecloseto", "almostequal", "almost_equal"];
const DELTAS: [&str; 8] =
    ["close", "approx", "indelta", "inepsilon", "almost", "abs_diff", "relative_eq", "float_eq"];
/// Parts of names of options and variables that hold an allowed difference.
const NAMES: [&str; 8] =
    ["tol", "eps", "delta", "rel", "abs", "precision", "max_diff", "threshold"];

/// A literal that is another one now.
pub(super) struct LiteralChange {
    pub(super) old: String,
    pub(super) new: String,
    pub(super) line: u32,
    /// The tokens before it, the nearest last.
    before: Vec<String>,
    /// Those before the old one.
    before_old: Vec<String>,
}

/// How many tokens before a literal are looked at.
const CONTEXT: usize = 40;

/// The replaced literals of two versions of a test.
pub(super) fn changes(before: &SourceTest, after: &SourceTest) -> Vec<LiteralChange> {
    let (old, new) = (before.tokens.as_slice(), after.tokens.as_slice());
    let pairs = aligned(old, new);
    let replaced =
        pairs.into_iter().filter(|&(o, n)| old[o].is_literal && old[o].text != new[n].text);
    let change = |(o, n): (usize, usize)| LiteralChange {
        old: old[o].text.clone(),
        new: new[n].text.clone(),
        line: new[n].line,
        before: before_of(new, n),
        before_old: before_of(old, o),
    };
    replaced.map(change).collect()
}

fn before_of(tokens: &[SourceToken], at: usize) -> Vec<String> {
    tokens[at.saturating_sub(CONTEXT)..at].iter().map(|token| token.text.clone()).collect()
}

/// Tokens of both sides that are each other's, literals whatever they say: the longest common sequence, equal
/// literals first.
fn aligned(old: &[SourceToken], new: &[SourceToken]) -> Vec<(usize, usize)> {
    let same = |(a, b): &(&SourceToken, &SourceToken)| a.text == b.text;
    let head = old.iter().zip(new).take_while(same).count();
    let rest = (&old[head..], &new[head..]);
    let tail = rest.0.iter().rev().zip(rest.1.iter().rev()).take_while(same).count();
    let (a, b) = (&rest.0[..rest.0.len() - tail], &rest.1[..rest.1.len() - tail]);
    if a.len().saturating_mul(b.len()) > MAX_PAIRS {
        return Vec::new();
    }
    let worth = |x: &SourceToken, y: &SourceToken| match () {
        () if x.text == y.text => 3_u32,
        () if x.is_literal && y.is_literal => 2,
        () => 0,
    };
    let width = b.len() + 1;
    let mut best = vec![0_u32; (a.len() + 1) * width];
    for i in (0..a.len()).rev() {
        for j in (0..b.len()).rev() {
            let matched = match worth(&a[i], &b[j]) {
                0 => 0,
                worth => worth + best[(i + 1) * width + j + 1],
            };
            best[i * width + j] =
                matched.max(best[(i + 1) * width + j]).max(best[i * width + j + 1]);
        }
    }
    let (mut i, mut j) = (0, 0);
    let mut pairs = Vec::new();
    while i < a.len() && j < b.len() {
        let worth = worth(&a[i], &b[j]);
        if worth > 0 && best[i * width + j] == worth + best[(i + 1) * width + j + 1] {
            pairs.push((head + i, head + j));
            (i, j) = (i + 1, j + 1);
        } else if best[i * width + j] == best[(i + 1) * width + j] {
            i += 1;
        } else {
            j += 1;
        }
    }
    pairs
}

impl LiteralChange {
    /// What the change means for a test, `before` and with the name `test`.
    pub(super) fn kind(
        &self,
        before: &SourceTest,
        test: &str,
        printed: &Printed,
    ) -> Option<WeakeningKind> {
        if self.callee().is_some_and(|name| is_snapshot(&name)) {
            let new = said(&self.new);
            // Snapshots of one test may be taken for each other where all of them changed.
            let is_quoted = |it: &&SourceToken| it.text.starts_with(['`', '"', '\'']);
            let mut texts = before.tokens.iter().filter(|it| it.is_literal).filter(is_quoted);
            let is_known = texts.any(|it| said(&it.text) == new);
            return (!is_known).then_some(WeakeningKind::SnapshotRewritten);
        }
        if self.widens() {
            return Some(WeakeningKind::ToleranceWidened);
        }
        let (old, new) = (value(&self.old), value(&self.new));
        printed.has_both(test, old, new).then_some(WeakeningKind::ExpectedPrinted)
    }

    /// The name of the nearest open call of which the literal is an argument, in lower case.
    fn callee(&self) -> Option<String> {
        let mut depth = 0_usize;
        for at in (1..self.before.len()).rev() {
            match self.before[at].as_str() {
                ")" | "]" | "}" => depth += 1,
                "(" | "[" | "{" if depth > 0 => depth -= 1,
                "(" => {
                    let name =
                        if self.before[at - 1] == "!" { at.checked_sub(2) } else { Some(at - 1) };
                    return name.map(|name| self.before[name].to_lowercase());
                }
                _ => {}
            }
        }
        None
    }

    fn is_in_call(&self, parts: &[&str]) -> bool {
        self.callee().is_some_and(|name| parts.iter().any(|part| name.contains(part)))
    }

    fn widens(&self) -> bool {
        let number = |text: &str| {
            text.replace('_', "")
                .trim_end_matches(['f', 'F'])
                .trim_end_matches("f32")
                .trim_end_matches("f64")
                .parse::<f64>()
                .ok()
        };
        let (Some(old), Some(new)) = (number(&self.old), number(&self.new)) else { return false };
        // Another call is another check.
        if self.before.iter().rev().take(2).ne(self.before_old.iter().rev().take(2)) {
            return false;
        }
        let before =
            |back: usize| self.before.len().checked_sub(back).map(|at| self.before[at].as_str());
        let name = before(2).unwrap_or_default().to_ascii_lowercase();
        let is_named = matches!(before(1), Some("=" | ":" | ":="));
        let is_after_comma = before(1) == Some(",");
        if is_named
            && matches!(
                name.as_str(),
                "places" | "decimal" | "digits" | "numdigits" | "significant"
            )
            || is_after_comma && self.is_in_call(&DIGITS)
        {
            return new < old;
        }
        let is_difference = is_named && NAMES.iter().any(|part| name.contains(part))
            || is_after_comma && self.is_in_call(&DELTAS)
            || matches!(before(1), Some("<" | "<="))
                && self
                    .before
                    .iter()
                    .rev()
                    .take(30)
                    .any(|token| matches!(token.as_str(), "abs" | "fabs" | "Abs"));
        is_difference && new > old
    }
}

/// Whether a call compares with a snapshot that is its argument: Jest's, insta's, inline-snapshot's.
fn is_snapshot(name: &str) -> bool {
    name.ends_with("snapshot")
        && (name == "snapshot" || name.contains("inline") || name.starts_with("assert"))
}

/// What a literal says, without its quotes.
fn value(literal: &str) -> &str {
    unquoted(literal)
}
