//! The scripts of components: Vue, Svelte, and the frontmatter of Astro.
//!
//! No parser for their templates is kept as well as oxc, so a file whose scripts parse is unchecked, never valid.

use std::ops::Range;

use crate::Reason;
use crate::finding::{Finding, Outcome, Setting};
use crate::languages::{javascript, typescript};

type Check = fn(&str, &Setting<'_>) -> Outcome;

/// Values of `lang` and `type`, and what reads such a script.
const SCRIPTS: &[(&[&str], Check)] = &[
    (&["", "js", "javascript", "module", "text/javascript"], javascript::check),
    (&["application/javascript", "text/ecmascript", "text/ecmascript-6"], javascript::check),
    (&["jsx", "text/babel"], javascript::check_jsx),
    (&["ts", "typescript", "text/typescript"], |text, setting| {
        typescript::check_script(text, setting, false, false)
    }),
    (&["tsx"], |text, setting| typescript::check_script(text, setting, true, false)),
];

/// Tags without an end whose end is looked for, to the end of the file.
const MOST_ENDLESS: usize = 100;

/// Vue and Svelte: the scripts that begin at the beginning of a line.
pub(crate) fn check(text: &str, setting: &Setting<'_>) -> Outcome {
    let mut findings = Vec::new();
    let (mut at, mut endless) = (0, 0);
    while let Some((tag, name)) = next_tag(text, at) {
        let Some(length) = length_of_tag(&text[tag..]) else { break };
        let start = tag + length;
        let close = || text[start..].find(&format!("</{name}")).map(|it| start + it);
        let end = if endless < MOST_ENDLESS { close() } else { None };
        // What has no end has the others behind it at the top, too.
        at = end.unwrap_or(start);
        endless += usize::from(end.is_none());
        let end = end.unwrap_or(text.len());
        if name == "script"
            && let Some(check) = reader(&text[tag..start])
            && let Err(reason) = add(&mut findings, check(&alone(text, start..end), setting))
        {
            return Outcome::Unchecked(reason);
        }
    }
    in_part(findings)
}

/// Astro: what is between two lines of `---`.
pub(crate) fn check_frontmatter(text: &str, setting: &Setting<'_>) -> Outcome {
    let Some(start) = frontmatter(text) else { return in_part(Vec::new()) };
    let rest = &text[start..];
    let is_fence = |at: &usize| rest[..*at].trim_end_matches([' ', '\t']).ends_with('\n');
    let end = rest.match_indices("---").map(|it| it.0).find(is_fence);
    let script = alone(text, start..end.map_or(text.len(), |end| start + end));
    // Each way measures the nesting separately.
    let read = |jsx| typescript::check_script(&script, setting, jsx, true);
    match read(false) {
        Outcome::Invalid(found) if !matches!(read(true), Outcome::Valid) => in_part(found),
        Outcome::Valid | Outcome::Invalid(_) => in_part(Vec::new()),
        unchecked => unchecked,
    }
}

/// Where the frontmatter begins: only text and comments may be before it, no markup.
fn frontmatter(text: &str) -> Option<usize> {
    let is_name = |it: char| it.is_alphabetic() || matches!(it, '/' | '>');
    let mut from = 0;
    loop {
        let rest = &text[from..];
        let fence = rest.find("---")?;
        let comment = rest.find("<!--").filter(|&it| it < fence);
        let before = &rest[..comment.unwrap_or(fence)];
        if before.contains('{') || before.split('<').skip(1).any(|it| it.starts_with(is_name)) {
            return None;
        }
        match comment {
            Some(comment) => from += comment + rest[comment..].find("-->")? + 3,
            None => return Some(from + fence + 3),
        }
    }
}

fn in_part(findings: Vec<Finding>) -> Outcome {
    if findings.is_empty() {
        Outcome::Unchecked(Reason::InPart)
    } else {
        Outcome::Invalid(findings)
    }
}

fn add(findings: &mut Vec<Finding>, outcome: Outcome) -> Result<(), Reason> {
    match outcome {
        Outcome::Valid => Ok(()),
        Outcome::Invalid(found) => {
            findings.extend(found);
            Ok(())
        }
        Outcome::Unchecked(reason) => Err(reason),
    }
}

/// The text up to the end of a script, with blanks before it, so that places stay.
fn alone(text: &str, script: Range<usize>) -> String {
    let blank = |byte: u8| if matches!(byte, b'\n' | b'\r') { char::from(byte) } else { ' ' };
    let before: String = text.bytes().take(script.start).map(blank).collect();
    before + &text[script]
}

/// The next tag that begins a line, outside of comments, and its name.
fn next_tag(text: &str, from: usize) -> Option<(usize, &str)> {
    let mut from = from;
    loop {
        let begins = |at: &usize| *at == 0 || text.as_bytes()[at - 1] == b'\n';
        let at = text[from..].match_indices('<').map(|(at, _)| from + at).find(begins)?;
        let rest = &text[at + 1..];
        let length = rest.find(|it: char| !it.is_alphanumeric() && it != '-').unwrap_or(0);
        match rest.strip_prefix("!--") {
            Some(comment) => from = at + 4 + comment.find("-->")?,
            None if length == 0 => from = at + 1,
            None => return Some((at, &rest[..length])),
        }
    }
}

/// Up to the `>` outside of quotes.
fn length_of_tag(tag: &str) -> Option<usize> {
    let mut quote = None;
    let end = tag.char_indices().find(|&(_, it)| match (quote, it) {
        (None, '>') => true,
        (None, '"' | '\'') => {
            quote = Some(it);
            false
        }
        (Some(open), _) if open == it => {
            quote = None;
            false
        }
        _ => false,
    });
    end.map(|(at, _)| at + 1)
}

/// What reads the script of a tag; none where it is in another language, or a template.
fn reader(tag: &str) -> Option<Check> {
    let tag = tag.replace(['\n', '\r', '\t'], " ");
    let value = |name: &str| {
        let value = tag.split_once(name)?.1.trim_start_matches(['"', '\'']);
        value.split(|it: char| matches!(it, '"' | '\'' | '>') || it.is_whitespace()).next()
    };
    let language = value(" lang=").or_else(|| value(" type=")).unwrap_or_default();
    SCRIPTS.iter().find(|(names, _)| names.contains(&language)).map(|(_, check)| *check)
}
