//! HCL 2, the language of Terraform, OpenTofu, Packer and Nomad. A block that Terraform does not know is no
//! error of syntax.

#[cfg(feature = "toolchain")]
mod terraform;

#[cfg(feature = "toolchain")]
pub(crate) use self::terraform::FRONT_END;
use crate::Reason;
use crate::finding::{Finding, Outcome, Setting};
use crate::nesting::plain::Plain;

const MEASURE: Plain = Plain { comments: &["#", "//"], openers: &[], by_line: true };

/// Its parser is made of small functions: one level takes the stack of several tokens elsewhere.
const LEVELS_PER_TOKEN: usize = 8;

/// Repeated keys that are looked past in one file: each costs a parse.
const MOST_REPEATED: usize = 32;

/// A body of attributes and blocks.
pub(crate) fn check(text: &str, setting: &Setting<'_>) -> Outcome {
    if MEASURE.exceeds(text, setting.options.nesting / LEVELS_PER_TOKEN) {
        return Outcome::Unchecked(Reason::TooDeep);
    }
    // The parser refuses a repeated key of an object, and Terraform takes it: the last value counts. So such
    // a key is made another one, and the text is parsed again.
    let mut changed = text.to_owned();
    for made in 0..=MOST_REPEATED {
        let Err(error) = hcl_edit::parser::parse_body(&changed) else { return Outcome::Valid };
        let at = changed.floor_char_boundary(error.location().offset().min(changed.len()));
        let is_repeated = error.message().contains("redefined object key");
        match key(&changed, at).filter(|_| is_repeated) {
            Some(at) => changed.insert_str(at, &unique(made)),
            None => {
                let start = text.floor_char_boundary(original(&changed, at, made).min(text.len()));
                return Outcome::Invalid(vec![Finding::at(text, start, error.message())]);
            }
        }
    }
    Outcome::Unchecked(Reason::CheckerFailed("too many repeated keys".to_owned()))
}

/// What makes a key another one.
fn unique(made: usize) -> String {
    format!("ftl_repeated_{made:02}_")
}

/// Where a key can be prefixed that begins at an offset; `None` for an expression.
fn key(text: &str, at: usize) -> Option<usize> {
    let rest = &text[at..];
    let at = at + usize::from(rest.starts_with('"'));
    text[at..].starts_with(|it: char| it.is_alphabetic() || it == '_').then_some(at)
}

/// The offset before the keys were changed.
fn original(changed: &str, at: usize, made: usize) -> usize {
    let inserted = (0..made).map(unique).filter(|it| changed[..at].contains(it.as_str()));
    at - inserted.map(|it| it.len()).sum::<usize>()
}
