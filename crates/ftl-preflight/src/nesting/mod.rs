//! How deep a recursive parser would go, measured without recursion.
//!
//! A parser goes down one level for an opening bracket, but also for a prefix operator, for the
//! right side of some binary operators, for `else if`; and a tree built by a loop, such as that
//! of `1+1+1`, is walked by recursion all the same. All of these take a token each, so the
//! number of tokens since the last separator, added up over the open brackets, is a bound.
//!
//! A comma ends less than a statement's end does: in `A<B, A<B, …` or `lambda a, b: lambda …` it
//! is inside something that no bracket shows. Such a level is *soft*.
//!
//! The bound is deliberately coarse. A measure that is too high leaves a file unchecked that no
//! person would write; one that is too low ends the process, since an overflow of the stack cannot be
//! caught. `tests/deception.rs` searches for texts that the measure takes for flatter than they are.

#[cfg(feature = "oxc")]
pub(crate) mod ecmascript;
pub(crate) mod plain;

/// Deepest nesting, in tokens, that parsers are trusted with if nothing else is asked for. Times
/// [`STACK_PER_TOKEN`] it makes 508 MiB of address space a thread, of which only touched pages are
/// memory.
pub(crate) const LIMIT: usize = 20_000;

/// Stack for one token of nesting, in bytes; the frames of an unoptimised build fit too.
pub(crate) const STACK_PER_TOKEN: usize = 26 << 10;

/// Adds up tokens as they come.
pub(crate) struct Depth {
    levels: Vec<Level>,
    now: usize,
    deepest: usize,
}

#[derive(Default)]
struct Level {
    /// Since the last separator.
    tokens: usize,
    is_soft: bool,
}

impl Depth {
    pub(crate) fn new() -> Self {
        Self { levels: vec![Level::default()], now: 0, deepest: 0 }
    }

    pub(crate) fn token(&mut self) {
        if let Some(level) = self.levels.last_mut() {
            level.tokens += 1;
        }
        self.now += 1;
        self.deepest = self.deepest.max(self.now);
    }

    pub(crate) fn open(&mut self) {
        self.token();
        self.levels.push(Level::default());
    }

    /// Something begins that a comma does not end.
    pub(crate) fn open_softly(&mut self) {
        self.token();
        self.levels.push(Level { tokens: 0, is_soft: true });
    }

    pub(crate) fn close(&mut self) {
        self.end();
        // One closing bracket too many: the outermost level stays.
        if self.levels.len() > 1 {
            self.levels.pop();
        }
    }

    /// A token that may close the latest soft level of these brackets.
    pub(crate) fn close_softly(&mut self) {
        if self.is_soft() {
            self.separator();
            self.levels.pop();
        }
        self.token();
    }

    /// A comma: the next tokens are not below the previous ones of this level.
    pub(crate) fn separator(&mut self) {
        if let Some(level) = self.levels.last_mut() {
            // `now` is the sum over all levels, kept up to date so that a token costs no walk over
            // them.
            self.now -= std::mem::take(&mut level.tokens);
        }
    }

    /// The end of a statement: nothing between these brackets goes on.
    pub(crate) fn end(&mut self) {
        while self.is_soft() {
            self.separator();
            self.levels.pop();
        }
        self.separator();
    }

    /// Whether a soft level is open between these brackets.
    pub(crate) fn is_soft(&self) -> bool {
        self.levels.last().is_some_and(|level| level.is_soft)
    }

    pub(crate) fn deepest(&self) -> usize {
        self.deepest
    }

    /// What is open now.
    #[cfg(feature = "python")]
    pub(crate) fn now(&self) -> usize {
        self.now
    }
}
