//! HCL 2, the language of Terraform, OpenTofu, Packer and Nomad, and what Vault's and Consul's HCL 1 has
//! beside it. A block that Terraform does not know is no error of syntax.

mod scanner;
#[cfg(feature = "toolchain")]
mod terraform;

use self::scanner::{End, scan};
#[cfg(feature = "toolchain")]
pub(crate) use self::terraform::FRONT_END;
use crate::Reason;
use crate::finding::{Finding, Outcome, Setting};
use crate::nesting::plain::Plain;

const MEASURE: Plain = Plain { comments: &["#", "//"], openers: &[], by_line: true };

/// Its parser is made of small functions: one level takes the stack of several tokens elsewhere.
const LEVELS_PER_TOKEN: usize = 8;

/// Changes of one file for what the parser wrongly refuses: each costs a parse.
const MOST_CHANGES: usize = 32;

/// A body of attributes and blocks.
pub(crate) fn check(text: &str, setting: &Setting<'_>) -> Outcome {
    if MEASURE.exceeds(text, setting.options.nesting / LEVELS_PER_TOKEN) {
        return Outcome::Unchecked(Reason::TooDeep);
    }
    let end = scan(text);
    // HCL 1 has no suffix that is not HCL 2's, too.
    let is_terraform = setting.path.extension().is_some_and(|it| it == "tf" || it == "tfvars");
    let mut changed = text.to_owned();
    // Where a prefix was inserted: the places behind it are shifted.
    let mut inserted: Vec<usize> = Vec::new();
    for _ in 0..=MOST_CHANGES {
        let Err(error) = hcl_edit::parser::parse_body(&changed) else {
            return match end {
                End::InQuote(range) => Outcome::syntax(OVER_LINES, range),
                End::Open(_) => Outcome::Valid,
            };
        };
        let at = changed.floor_char_boundary(error.location().offset().min(changed.len()));
        // The parser refuses a repeated key of an object, and Terraform takes it: the last value counts.
        // So such a key is made another one, and the text is parsed again.
        let is_repeated = error.message().contains("redefined object key");
        if let Some(at) = key(&changed, at).filter(|_| is_repeated) {
            changed.insert_str(at, &format!("{PREFIX}{:02}_", inserted.len()));
            inserted.push(at);
        } else if !replace(&mut changed, at, is_terraform) {
            let before = inserted.iter().filter(|&&it| it < at).count();
            let at = text.floor_char_boundary(at.saturating_sub(before * (PREFIX.len() + 3)));
            return Outcome::Invalid(vec![place(text, at, error.message(), &end)]);
        }
    }
    Outcome::Unchecked(Reason::CheckerFailed("too many repeated keys".to_owned()))
}

const OVER_LINES: &str = "quoted text may not be split over lines";

/// What makes a repeated key another one, before a number of two digits and `_`.
const PREFIX: &str = "ftl_repeated_";

/// Where a key can be prefixed that begins at an offset; `None` for an expression.
fn key(text: &str, at: usize) -> Option<usize> {
    let rest = &text[at..];
    let at = at + usize::from(rest.starts_with('"'));
    text[at..].starts_with(|it: char| it.is_alphabetic() || it == '_').then_some(at)
}

/// Replaces a character that the parser wrongly refuses by one of the same length.
fn replace(text: &mut String, at: usize, is_terraform: bool) -> bool {
    let (before, rest) = text.split_at(at);
    let line = before.rsplit('\n').next().unwrap_or_default().trim();
    let ends_line = rest
        .get(1..)
        .is_some_and(|it| it.trim_start_matches([' ', '\t']).starts_with(['\n', '\r', '#']));
    let with = match rest.as_bytes().first() {
        // HCL 1: a comma after an attribute; a brace in the line after its labels.
        Some(b',') if !is_terraform && ends_line => " ",
        Some(b'\n') if !is_terraform && rest.trim_start().starts_with('{') => " ",
        // Any line of a `for` in brackets may end with an operator.
        Some(b'\n') if line.ends_with(OPERATORS) && is_in_for(before) => " ",
        // A heredoc's line that begins with the marker.
        Some(_) if is_marker(before, line) => {
            let start = at - line.len();
            let other = if line.starts_with('_') { "x" } else { "_" };
            text.replace_range(start..=start, other);
            return true;
        }
        _ => return false,
    };
    text.replace_range(at..=at, with);
    true
}

/// Whether a word ends a heredoc somewhere before.
fn is_marker(before: &str, word: &str) -> bool {
    let begins = |mark: &str| before.contains(&format!("{mark}{word}\n"));
    !word.is_empty() && (begins("<<") || begins("<<-"))
}

const OPERATORS: [char; 10] = ['&', '|', '?', ':', '+', '-', '*', '/', '=', '>'];

/// Whether the innermost open bracket is one of a `for` expression.
fn is_in_for(before: &str) -> bool {
    let End::Open(open) = scan(before) else { return false };
    let opener = open.last().map(|&it| before[it + 1..].trim_start());
    opener.is_some_and(|inside| inside.starts_with("for "))
}

/// An error where Terraform has it: at the line that a quote does not end, and at the block that the file
/// does not end.
fn place(text: &str, at: usize, message: &str, end: &End) -> Finding {
    match end {
        End::InQuote(range) if range.start <= at => Finding::syntax(OVER_LINES, range.clone()),
        End::Open(open) if text[at..].trim().is_empty() => {
            let is_block = |it: &&usize| {
                let before = text[..**it].trim_end();
                text[**it..].starts_with('{')
                    && before.ends_with(|it: char| it.is_alphanumeric() || "\"_-".contains(it))
            };
            let opener = open.last().filter(is_block);
            let message = if opener.is_some() { "this block is not closed" } else { message };
            Finding::at(text, opener.map_or(at, |&opener| opener), message)
        }
        _ => Finding::at(text, at, message),
    }
}
