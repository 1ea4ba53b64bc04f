//! How deep a recursive parser would go, measured without recursion.
//!
//! A parser goes down one level for an opening bracket, but also for a prefix operator, for the
//! right side of some binary operators, for `else if`; and a tree built by a loop, such as that
//! of `1+1+1`, is walked by recursion all the same. All of these take a token each, so the
//! number of tokens since the last separator, added up over the open brackets, is a bound.

#[cfg(any(feature = "go", feature = "oxc"))]
mod braces;

/// Deepest nesting, in tokens, that parsers are trusted with on [`crate::worker::STACK`]; the
/// frames of an unoptimised build fit too.
pub(crate) const LIMIT: usize = 20_000;

/// Adds up tokens as they come.
pub(crate) struct Depth {
    levels: Vec<usize>,
    now: usize,
    deepest: usize,
}

impl Depth {
    pub(crate) fn new() -> Self {
        Self {
            levels: vec![0],
            now: 0,
            deepest: 0,
        }
    }

    pub(crate) fn token(&mut self) {
        if let Some(level) = self.levels.last_mut() {
            *level += 1;
        }
        self.now += 1;
        self.deepest = self.deepest.max(self.now);
    }

    pub(crate) fn open(&mut self) {
        self.token();
        self.levels.push(0);
    }

    pub(crate) fn close(&mut self) {
        self.separator();
        if self.levels.len() > 1 {
            self.levels.pop();
        }
    }

    /// What comes next does not lie under what came before on this level.
    pub(crate) fn separator(&mut self) {
        if let Some(level) = self.levels.last_mut() {
            self.now -= std::mem::take(level);
        }
    }

    pub(crate) fn is_too_deep(&self) -> bool {
        self.deepest > LIMIT
    }
}

/// Whether text in a language with braces is nested too deeply to be parsed. Strings and
/// comments are told apart by the rules that `dialect` names; a text too short to be too deep
/// is not looked at.
#[cfg(any(feature = "go", feature = "oxc"))]
pub(crate) fn is_too_deep(text: &str, dialect: Dialect) -> bool {
    text.len() > LIMIT && braces::measure(text.as_bytes(), dialect)
}

/// Which rules a text with braces follows.
#[cfg(any(feature = "go", feature = "oxc"))]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Dialect {
    #[cfg(feature = "go")]
    Go,
    #[cfg(feature = "oxc")]
    EcmaScript { jsx: bool },
}

#[cfg(all(test, feature = "oxc", feature = "go"))]
mod tests {
    use super::{Dialect, LIMIT, is_too_deep};

    const SCRIPT: Dialect = Dialect::EcmaScript { jsx: false };
    const JSX: Dialect = Dialect::EcmaScript { jsx: true };

    #[test]
    fn whatever_a_parser_recurses_on_is_deep_when_there_is_much_of_it() {
        let cases = [
            (SCRIPT, "("),
            (SCRIPT, "{["),
            (SCRIPT, "else if (a) {} "),
            (SCRIPT, "1+"),
            (SCRIPT, "typeof\n"),
            (SCRIPT, "a.b"),
            (SCRIPT, "`${"),
            (SCRIPT, "(\")\""),
            (SCRIPT, "a => "),
            (JSX, "<a>;"),
            (Dialect::Go, "} else if a {\n"),
            (Dialect::Go, "!"),
        ];
        for (dialect, unit) in cases {
            assert!(is_too_deep(&unit.repeat(LIMIT + 1), dialect), "{unit:?}");
        }
    }

    #[test]
    fn a_long_file_is_not_a_deep_one() {
        let cases = [
            (SCRIPT, "function f(a, b) { return a + b }\n"),
            (SCRIPT, "const a = b.c(d)\n"),
            (SCRIPT, "if (a) { b() } else { c() }\n"),
            (SCRIPT, "x = '((((((';\n"),
            (SCRIPT, "y = /[/(]'(/;\n"),
            (SCRIPT, "z = `(${a})((`;\n"),
            (SCRIPT, "// don't (\n/* ( */\n"),
            (Dialect::Go, "func f() {\n\treturn g(`(((`)\n}\n"),
        ];
        for (dialect, unit) in cases {
            assert!(!is_too_deep(&unit.repeat(LIMIT), dialect), "{unit:?}");
        }
    }
}
