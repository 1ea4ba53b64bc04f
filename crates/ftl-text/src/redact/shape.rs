//! How a well-known shape is recognised at one of its anchors.
//!
//! The anchor was found by `search.rs` among gigabytes; what is done here happens seldom, and may take
//! its time: the expression, whether what it finds is an obvious dummy, and tokens that a user has
//! wrapped to a width.

use std::ops::Range;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use regex_automata::hybrid::dfa::{Cache, DFA};
use regex_automata::meta::Regex;
use regex_automata::util::syntax;
use regex_automata::{Anchored, Input};

use super::joined::{Joined, column, is_break, is_rest, is_token, key_lines};

/// A well-known form of secrets.
#[derive(Clone, Copy, Debug)]
pub struct Shape {
    /// The name that replaces the secret, and that configuration exempts.
    pub name: &'static str,
    /// What it is.
    pub what: &'static str,
    /// Where its vendor or standard describes it.
    pub source: &'static str,
    /// Literals, one of which is in every such secret.
    pub(super) anchors: &'static [&'static str],
    pub(super) start: Start,
    pub(super) pattern: &'static str,
    /// Whether the secret has a letter and a digit, which distinguishes it from words.
    pub(super) mixed: bool,
    /// Secrets, in two pieces.
    pub(super) yes: &'static [(&'static str, &'static str)],
    /// What looks alike and stays.
    pub(super) no: &'static [&'static str],
}

impl Shape {
    /// Invented secrets of this shape, each in two pieces: whole ones would alarm scanners.
    #[must_use]
    pub const fn examples(&self) -> &'static [(&'static str, &'static str)] {
        self.yes
    }

    /// What looks alike and is no secret.
    #[must_use]
    pub const fn look_alikes(&self) -> &'static [&'static str] {
        self.no
    }
}

/// Where the expression is applied.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Start {
    /// At the anchor, which begins a word.
    Token,
    /// At the anchor, wherever it is.
    Inside,
    /// At the beginning of a word that is at most so many bytes before the anchor.
    Before(usize),
    /// At the anchor; up to the line that ends the PEM block.
    Pem,
}

/// Bytes of a secret that are looked at, its line breaks and escapes included.
pub(super) const REACH: usize = 16 << 10;
/// Bytes before an anchor at which a secret may begin: the longest of the table, and a boundary.
pub(super) const BACK: usize = 48;

/// Bytes behind what was decided about: the rest of a word, which shows whether it belongs to a secret that
/// was wrapped.
const BEYOND: usize = 128;

/// What is known of an anchor.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Decision {
    /// More of the text must be seen.
    Wait,
    /// It is no secret's.
    Harmless,
    /// The secret.
    Secret(Range<usize>),
}

/// A shape whose expression is compiled when it is first needed: a run seldom needs any.
#[derive(Debug)]
pub(super) struct Matcher {
    pub(super) shape: &'static Shape,
    /// The shape's name, ready to be handed out.
    pub(super) name: Arc<str>,
    /// Whether its expression looks for line breaks itself.
    keeps_breaks: bool,
    regex: OnceLock<Regex>,
    /// Decides early whether an anchor can still become a secret.
    automaton: OnceLock<(DFA, Mutex<Cache>)>,
}

/// How far the expression gets from a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Progress {
    /// It can't match, whatever follows.
    Never,
    /// It matches, and nothing that follows can change that.
    Matches,
    /// The text ends too early to say.
    Open,
}

impl Matcher {
    pub(super) fn new(shape: &'static Shape) -> Self {
        Self {
            shape,
            name: shape.name.into(),
            keeps_breaks: shape.pattern.contains("\\n"),
            regex: OnceLock::new(),
            automaton: OnceLock::new(),
        }
    }

    fn regex(&self) -> &Regex {
        self.regex.get_or_init(|| {
            let built = Regex::builder().syntax(syntax()).build(self.shape.pattern);
            built.expect("because the table's expressions are tested")
        })
    }

    /// Follows the expression from `start`, over line breaks, until it is decided; and how far that is.
    fn progress(&self, text: &[u8], start: usize) -> (Progress, usize) {
        let (dfa, cache) = self.automaton.get_or_init(|| {
            let built = DFA::builder().syntax(syntax()).build(self.shape.pattern);
            let dfa = built.expect("because the table's expressions are tested");
            let cache = Mutex::new(dfa.create_cache());
            (dfa, cache)
        });
        let mut cache = cache.lock().unwrap_or_else(PoisonError::into_inner);
        // An automaton that gives up, which none of these does, leaves it to the expression.
        self.follow(dfa, &mut cache, text, start).unwrap_or((Progress::Matches, text.len()))
    }

    fn follow(
        &self,
        dfa: &DFA,
        cache: &mut Cache,
        text: &[u8],
        start: usize,
    ) -> Option<(Progress, usize)> {
        let input = Input::new(text).range(start..).anchored(Anchored::Yes);
        let mut state = dfa.start_state_forward(cache, &input).ok()?;
        let mut matched = false;
        let mut at = start;
        while at < text.len() {
            let mut byte = text[at];
            if !self.keeps_breaks && byte == b'\r' && at + 1 == text.len() {
                // The half of a line break, perhaps.
                break;
            }
            if !self.keeps_breaks && is_break(text, at) {
                at += if byte == b'\r' { 2 } else { 1 };
                matched |= dfa.next_eoi_state(cache, state).ok()?.is_match();
                if text.get(at).is_none_or(|_| !is_break(text, at)) {
                    continue;
                }
                // An empty line ends what was wrapped.
                byte = b'\n';
            }
            state = dfa.next_state(cache, state, byte).ok()?;
            matched |= state.is_match();
            if state.is_dead() {
                let progress = if matched { Progress::Matches } else { Progress::Never };
                return Some((progress, at + 1));
            }
            at += 1;
        }
        state = dfa.next_eoi_state(cache, state).ok()?;
        let open = matched || state.is_match() || text.len() - start < REACH;
        let progress = if open { Progress::Open } else { Progress::Never };
        Some((progress, at))
    }

    /// What the anchor at `at` belongs to.
    pub(super) fn decide(&self, text: &[u8], at: usize, is_end: bool) -> Decision {
        let starts = match self.shape.start {
            Start::Token | Start::Pem if !is_word_start(text, at) => return Decision::Harmless,
            Start::Token | Start::Inside | Start::Pem => at..=at,
            Start::Before(back) => at.saturating_sub(back)..=at,
        };
        let is_word = matches!(self.shape.start, Start::Before(2..));
        let end = text.len().min(at + REACH);
        let (text, is_end) = (&text[..end], is_end || end == at + REACH);
        for start in starts {
            if is_word && !is_word_start(text, start) {
                continue;
            }
            let (progress, reached) = self.progress(text, start);
            // What follows has no part in it, but for a word that may go on in the next line.
            let seen = &text[..text.len().min(reached + BEYOND)];
            let found = match progress {
                Progress::Never => None,
                Progress::Open if !is_end => return Decision::Wait,
                Progress::Matches if !is_end && text.len() < reached + BEYOND => {
                    return Decision::Wait;
                }
                Progress::Open | Progress::Matches if self.shape.start == Start::Pem => {
                    if !is_end && !is_whole_pem(&text[at..]) {
                        return Decision::Wait;
                    }
                    self.pem(text, at)
                }
                Progress::Open | Progress::Matches => self.token(seen, start),
            };
            if let Some(found) = found.filter(|found| found.end > at) {
                return Decision::Secret(found);
            }
        }
        Decision::Harmless
    }

    /// The secret that begins at `start`, in one line or wrapped.
    fn token(&self, text: &[u8], start: usize) -> Option<Range<usize>> {
        let found = self.captured(text, start);
        let end = found.as_ref().map(|found| found.end);
        // Whole, and with something behind it that is no line break.
        if end.is_some_and(|end| !is_break(text, end)) {
            return found.filter(|found| self.is_plausible(&text[found.clone()]));
        }
        let wrapped = self.wrapped(text, start, end);
        let found = wrapped.or(found)?;
        let plain: Vec<u8> = text[found.clone()]
            .iter()
            .copied()
            .filter(|byte| !matches!(byte, b'\r' | b'\n'))
            .collect();
        self.is_plausible(&plain).then_some(found)
    }

    fn captured(&self, text: &[u8], start: usize) -> Option<Range<usize>> {
        let regex = self.regex();
        let mut captures = regex.create_captures();
        let input = Input::new(text).range(start..).anchored(Anchored::Yes);
        regex.captures(input, &mut captures);
        let found = captures.get_group(1).or_else(|| captures.get_match().map(|m| m.span()))?;
        Some(found.range())
    }

    /// The secret with line breaks in it, where a width was forced upon it. `whole` is the end of a
    /// first line that would do by itself.
    fn wrapped(&self, text: &[u8], start: usize, whole: Option<usize>) -> Option<Range<usize>> {
        let joined = Joined::of(text, start);
        let ends = joined.breaks.iter().copied().chain([joined.bytes.len()]);
        let (mut found, mut begin) = (None, 0);
        for end in ends {
            if begin > 0 {
                let line = &joined.bytes[begin..end];
                let length = line.iter().take_while(|byte| is_token(**byte)).count();
                let follows = line.get(length).copied().unwrap_or(b' ');
                let column = column(text, joined.origin[begin - 1]);
                let is_whole = whole.is_some() || found.is_some();
                let is_second = joined.breaks[0] == begin;
                let rest = &line[..length];
                if (is_whole || is_second) && !is_rest(rest, follows, column, is_whole) {
                    break;
                }
            }
            found = self.captured(&joined.bytes[..end], 0).or(found);
            if found.as_ref().is_some_and(|found: &Range<usize>| found.end < end) {
                break;
            }
            begin = end;
        }
        let found = found?;
        let first = *joined.breaks.first()?;
        (first < found.end).then(|| joined.origin[found.start]..joined.origin[found.end - 1] + 1)
    }

    fn pem(&self, text: &[u8], at: usize) -> Option<Range<usize>> {
        let head = self.captured(text, at)?.end;
        let body = &text[head..];
        const END: &[u8] = b"-----END ";
        let next = memchr::memmem::find(body, b"-----BEGIN ").unwrap_or(body.len());
        if let Some(end) = memchr::memmem::find(&body[..next], END) {
            let tail = &body[end + END.len()..];
            let close = memchr::memmem::find(&tail[..tail.len().min(64)], b"-----");
            let close = close.map_or(0, |close| close + 5);
            return (end >= 16).then(|| at..head + end + END.len() + close);
        }
        let length = key_lines(body);
        (length >= 16).then(|| at..head + length)
    }

    fn is_plausible(&self, secret: &[u8]) -> bool {
        let anchor = self.shape.anchors.iter().find(|anchor| secret.starts_with(anchor.as_bytes()));
        let body = &secret[anchor.map_or(0, |anchor| anchor.len())..];
        if self.shape.name == "url-password" {
            return !is_placeholder(body);
        }
        let mixed = body.iter().any(u8::is_ascii_digit) && body.iter().any(u8::is_ascii_alphabetic);
        (mixed || !self.shape.mixed) && !is_dummy(body)
    }
}

fn syntax() -> syntax::Config {
    syntax::Config::new().unicode(false).utf8(false)
}

/// Whether the block that begins the text ends in it.
fn is_whole_pem(text: &[u8]) -> bool {
    let end = memchr::memmem::find(text, b"-----END ");
    end.is_some_and(|end| text.len() > end + 64)
}

const fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

/// Whether a word begins at `at`. What an escape ends with is no part of a word: `\n`, `%20`,
/// `\u003d`, and the end of a colour.
pub(super) fn is_word_start(text: &[u8], at: usize) -> bool {
    let before = &text[at.saturating_sub(8)..at];
    match before {
        [] => true,
        [.., last] if !is_word(*last) && *last != b'-' => true,
        [.., b'-', b'-'] | [b'-'] => true,
        [.., b'\\', b'n' | b'r' | b't'] => true,
        [.., b'%', a, b] => a.is_ascii_hexdigit() && b.is_ascii_hexdigit(),
        [.., b'\\', b'u', a, b, c, d] => [a, b, c, d].iter().all(|byte| byte.is_ascii_hexdigit()),
        [head @ .., b'm'] => {
            let parameters = |byte: &u8| byte.is_ascii_digit() || *byte == b';';
            let rest = head.iter().rposition(|byte| !parameters(byte));
            rest.is_some_and(|rest| rest > 0 && head[rest] == b'[' && head[rest - 1] == 0x1B)
        }
        _ => false,
    }
}

/// A placeholder that shows where a secret goes.
fn is_dummy(body: &[u8]) -> bool {
    const WORDS: &[&str] = &[
        "example",
        "dummy",
        "placeholder",
        "changeme",
        "change-me",
        "change_me",
        "redacted",
        "your-",
        "your_",
        "xxxx",
        "****",
        "....",
        "goes-here",
        "goes_here",
        "insert-",
        "insert_",
    ];
    let text = String::from_utf8_lossy(body).to_ascii_lowercase();
    let mut seen = [false; 256];
    body.iter().for_each(|&byte| seen[usize::from(byte)] = true);
    let distinct = seen.iter().filter(|&&seen| seen).count();
    distinct <= 4 || WORDS.iter().any(|word| text.contains(word))
}

/// The password of a URL that is a placeholder, or a well-known default.
fn is_placeholder(password: &[u8]) -> bool {
    const KNOWN: &[&str] = &[
        "password", "passwd", "pass", "pwd", "secret", "changeme", "example", "user", "username",
        "root", "admin", "test", "guest", "postgres", "mysql", "token", "redacted", "pw",
    ];
    let text = String::from_utf8_lossy(password).to_ascii_lowercase();
    let same = password.iter().all(|byte| *byte == password[0]);
    let variable = text.starts_with(['$', '{', '%', '*', '[']) && !text.starts_with("%4")
        || text.ends_with(['}', ']']) && text.contains(['{', '[']);
    same || variable || KNOWN.contains(&text.as_str())
}
