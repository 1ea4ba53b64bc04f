//! Assertions that another one makes superfluous: what equals a known value is known, and so is all that is computed of it.

use super::coverage::Coverage;
use super::source_test::{Assertion, SourceToken};

/// Names of the runner's object that an assertion is handed, which it asserts nothing of.
const CONTEXTS: [&str; 3] = ["t", "tt", "tb"];

/// Whether `new` joins the condition of `old` with others.
pub(super) fn joins(new: &Assertion, old: &Assertion) -> bool {
    let has = |words: &[&str]| new.tokens.iter().any(|it| words.contains(&it.text.as_str()));
    let is_joined = has(&["&&", "and"]) && !has(&["||", "or", "not", "if", "else", "?"]);
    let tokens = &old.tokens;
    let condition = match tokens.first() {
        Some(first) if first.text == "assert" && tokens.len() > 1 => Some(after(&tokens[1..])),
        _ => arguments(tokens).first().copied(),
    };
    is_joined && condition.is_some_and(|it| it.len() > 2 && !places(&new.tokens, it).is_empty())
}

/// Whether `new` compares with a value what `old` is about, and `old` is about nothing else.
pub(super) fn determines(coverage: &Coverage<'_>, new: &Assertion, old: &Assertion) -> bool {
    let about = |subject: &[SourceToken]| is_about(coverage, old, subject);
    has_subject(coverage, new, about) || needs(coverage, new, old)
}

/// Whether `other` fails wherever `assertion` does: it compares a property of what has to be there.
pub(super) fn needs(coverage: &Coverage<'_>, other: &Assertion, assertion: &Assertion) -> bool {
    has_subject(coverage, other, |subject| is_of_owner(coverage, assertion, subject))
}

/// Whether `new` compares with a value something that `accepts` takes.
fn has_subject(
    coverage: &Coverage<'_>,
    new: &Assertion,
    accepts: impl Fn(&[SourceToken]) -> bool,
) -> bool {
    let operands = operands(&new.tokens);
    let is_value = |it: &[SourceToken]| it.iter().any(|token| token.is_literal);
    let is_subject = |it: &[SourceToken]| {
        let is_word = |it: &str| CONTEXTS.contains(&it) || is_equality(it);
        let is_context = matches!(it, [only] if is_word(&only.text));
        !is_context && coverage.names(it).next().is_some()
    };
    operands.iter().enumerate().any(|(at, subject)| {
        let mut others = operands.iter().enumerate().filter(|(other, _)| *other != at);
        is_subject(subject)
            && others.any(|(_, it)| is_value(it) && places(it, subject).is_empty())
            && accepts(subject)
    })
}

/// What an equality compares; nothing of another assertion.
fn operands(tokens: &[SourceToken]) -> Vec<&[SourceToken]> {
    let is_report = tokens.first().is_some_and(|token| token.text == "if");
    let has = |words: &[&str]| tokens.iter().skip(1).any(|it| words.contains(&it.text.as_str()));
    if has(&["or", "||", "if", "else", "?", "not", "!=="]) {
        return Vec::new();
    }
    let is_operator = |text: &str| match text {
        "==" | "===" => !is_report,
        "!=" => is_report,
        _ => false,
    };
    match tokens.iter().position(|token| is_operator(&token.text)) {
        Some(at) => vec![before(&tokens[..at]), after(&tokens[at + 1..])],
        None if tokens.iter().any(|token| is_equality(&token.text)) => arguments(tokens),
        None => Vec::new(),
    }
}

/// Whether a name is of a comparison for equality: `assertEqual`, `assert_eq`, `toStrictEqual`, `is`, `toBe`.
fn is_equality(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    let is_equal = name.contains("equal") || name.ends_with("eq");
    is_equal && !name.contains("not") || matches!(name.as_str(), "is" | "tobe")
}

fn depth_of(text: &str) -> i32 {
    match text {
        "(" | "[" | "{" => 1,
        ")" | "]" | "}" => -1,
        _ => 0,
    }
}

/// The end of `tokens` that is one operand.
fn before(tokens: &[SourceToken]) -> &[SourceToken] {
    let mut depth = 0;
    let starts = |token: &SourceToken| {
        depth -= depth_of(&token.text);
        depth < 0
            || depth == 0
                && matches!(token.text.as_str(), "assert" | "if" | "," | ";" | "!" | "and" | "&&")
    };
    let start = tokens.iter().rev().position(starts).map_or(0, |back| tokens.len() - back);
    &tokens[start..]
}

/// The beginning of `tokens` that is one operand.
fn after(tokens: &[SourceToken]) -> &[SourceToken] {
    let mut depth = 0;
    let ends = |token: &SourceToken| {
        let is_block = depth == 0 && token.text == "{";
        depth += depth_of(&token.text);
        is_block || depth < 0 || depth == 0 && matches!(token.text.as_str(), "," | "and" | "&&")
    };
    &tokens[..tokens.iter().position(ends).unwrap_or(tokens.len())]
}

/// The arguments of the calls that an assertion consists of.
fn arguments(tokens: &[SourceToken]) -> Vec<&[SourceToken]> {
    let (mut depth, mut start) = (0, 0);
    let mut found = Vec::new();
    for (at, token) in tokens.iter().enumerate() {
        let change = depth_of(&token.text);
        let ends = depth == 1 && (change < 0 || token.text == ",");
        if ends && start < at {
            found.push(&tokens[start..at]);
        }
        depth += change;
        if ends || depth == 1 && change > 0 {
            start = at + 1;
        }
    }
    found
}

/// Where `part` is in `tokens`.
fn places(tokens: &[SourceToken], part: &[SourceToken]) -> Vec<usize> {
    let same = |it: &[SourceToken]| {
        it.iter().map(|token| &token.text).eq(part.iter().map(|token| &token.text))
    };
    tokens.windows(part.len()).enumerate().filter(|(_, it)| same(it)).map(|(at, _)| at).collect()
}

/// Whether an assertion is about `subject`, its properties and calls with it, and about no other name.
fn is_about(coverage: &Coverage<'_>, assertion: &Assertion, subject: &[SourceToken]) -> bool {
    let tokens = &assertion.tokens;
    let places = places(tokens, subject);
    let is_in_subject =
        |at: usize| places.iter().any(|place| (*place..place + subject.len()).contains(&at));
    let is_property = |at: usize| at > 0 && tokens[at - 1].text == ".";
    let takes_subject = |at: usize| {
        let is_path =
            |token: &&SourceToken| token.is_named || matches!(&*token.text, "." | "::" | "!");
        let open = at + tokens[at..].iter().take_while(is_path).count();
        let mut depth = 0;
        let closes = |token: &SourceToken| {
            depth += depth_of(&token.text);
            depth == 0
        };
        let end = tokens[open..].iter().position(closes).map_or(open, |back| open + back);
        tokens.get(open).is_some_and(|it| it.text == "(")
            && places.iter().any(|place| (open..end).contains(place))
    };
    let is_other = |(at, token): (usize, &SourceToken)| {
        let is_name = coverage.names(std::slice::from_ref(token)).next().is_some();
        let is_context = CONTEXTS.contains(&token.text.as_str());
        is_name && !is_context && !is_in_subject(at) && !is_property(at) && !takes_subject(at)
    };
    !places.is_empty() && !tokens.iter().enumerate().any(is_other)
}

/// Whether an assertion says no more than that the object is there whose property is `subject`, or that it has this one.
fn is_of_owner(coverage: &Coverage<'_>, assertion: &Assertion, subject: &[SourceToken]) -> bool {
    let is_nothing = |it: &SourceToken| {
        ["none", "nil", "null", "undefined"].contains(&it.text.to_ascii_lowercase().as_str())
    };
    let own: Vec<&str> =
        coverage.names(&assertion.tokens).filter(|it| !CONTEXTS.contains(it)).collect();
    let owners = coverage.names(subject).collect::<Vec<&str>>();
    let is_key = |it: &SourceToken| subject.iter().any(|token| token.text == it.text);
    let mut literals = assertion.tokens.iter().filter(|it| it.is_literal);
    (own.len() < owners.len() || own == owners && subject.iter().any(|it| it.is_literal))
        && owners.starts_with(&own)
        && !own.is_empty()
        && assertion.tokens.iter().all(|it| it.text != "not")
        && literals.all(|it| is_nothing(it) || is_key(it))
}
