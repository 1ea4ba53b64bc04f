//! A measure for languages whose texts are close enough to each other: brackets, words that open and close
//! blocks, one kind of comment to the end of the line.
//!
//! Where a string of several lines ends is not known here. Within a line, a closing bracket behind a quote
//! closes nothing, so that a string never makes the text look flatter.

use super::Depth;

/// What the measure must know of a language.
#[derive(Default)]
pub(crate) struct Plain {
    /// What begins a comment to the end of the line.
    pub(crate) comments: &'static [&'static str],
    /// Words that open a block which `end` closes.
    pub(crate) openers: &'static [&'static str],
    /// Whether the end of a line ends a statement.
    pub(crate) by_line: bool,
}

/// Signs at the end of a line after which a statement continues, or at the beginning of the next one.
const CONTINUES: &str = "+-*/%&|^<>=,.?:!~\\([{";

impl Plain {
    /// Whether a text may be nested more deeply than `limit`, in tokens.
    pub(crate) fn exceeds(&self, text: &str, limit: usize) -> bool {
        // A token has at least one byte.
        text.len() > limit && self.deepest(text) > limit
    }

    fn deepest(&self, text: &str) -> usize {
        let mut depth = Depth::new();
        let mut blocks = 0_usize;
        let mut deepest_blocks = 0;
        let mut lines = text.lines().peekable();
        while let Some(line) = lines.next() {
            let code = self.line(line, &mut depth, &mut blocks);
            deepest_blocks = deepest_blocks.max(blocks);
            let next = lines.peek().map_or("", |next| next.trim_start());
            let goes_on = code.ends_with(|it| CONTINUES.contains(it))
                || next.starts_with(|it| CONTINUES.contains(it));
            if self.by_line && !goes_on {
                depth.end();
            }
        }
        depth.deepest() + deepest_blocks
    }

    /// Adds the tokens of a line; returns it without its comment and the space before it.
    fn line<'t>(&self, line: &'t str, depth: &mut Depth, blocks: &mut usize) -> &'t str {
        let mut quote = None;
        let mut at = 0;
        while let Some(first) = line[at..].chars().next() {
            let rest = &line[at..];
            at += first.len_utf8();
            match first {
                it if it.is_whitespace() => {}
                _ if quote.is_none() && self.comments.iter().any(|it| rest.starts_with(it)) => {
                    return line[..at - first.len_utf8()].trim_end();
                }
                '"' | '\'' | '`' => {
                    quote = match quote {
                        None => Some(first),
                        Some(open) if open == first => None,
                        open => open,
                    };
                    depth.token();
                }
                '(' | '[' | '{' => depth.open(),
                ')' | ']' | '}' if quote.is_none() => {
                    depth.close();
                    // Where lines end nothing, blocks do.
                    if first == '}' && !self.by_line {
                        depth.end();
                    }
                }
                ';' if quote.is_none() => depth.end(),
                ',' if quote.is_none() => depth.separator(),
                it if is_word(it) => {
                    let length = rest.find(|it| !is_word(it)).unwrap_or(rest.len());
                    at += length - first.len_utf8();
                    // Words alone nest nothing, and texts are full of them.
                    if quote.is_none() {
                        depth.token();
                    }
                    match &rest[..length] {
                        word if self.openers.contains(&word) => *blocks += 1,
                        "end" if quote.is_none() => *blocks = blocks.saturating_sub(1),
                        _ => {}
                    }
                }
                _ => depth.token(),
            }
        }
        line.trim_end()
    }
}

fn is_word(it: char) -> bool {
    it.is_alphanumeric() || it == '_'
}

#[cfg(test)]
mod tests {
    use super::Plain;

    const RUBY: Plain = Plain { comments: &["#"], openers: &["if", "def"], by_line: true };

    #[test]
    fn brackets_blocks_and_chains_add_up_and_statements_do_not() {
        assert!(RUBY.exceeds(&"(".repeat(100), 90));
        assert!(RUBY.exceeds(&"if a\n".repeat(100), 90));
        assert!(RUBY.exceeds(&"1 +\n".repeat(100), 90));
        assert!(RUBY.exceeds(&".a\n".repeat(100), 90));
        assert!(!RUBY.exceeds(&"a(1, 2) # (((\n".repeat(1000), 90));
        assert!(!RUBY.exceeds(&"def a\n if b\n end\nend\n".repeat(1000), 90));
    }

    #[test]
    fn a_block_ends_what_it_is_the_body_of() {
        let proto = Plain { comments: &["//"], openers: &[], by_line: false };
        assert!(!proto.exceeds(&"message A { }\n".repeat(1000), 90));
        assert!(proto.exceeds(&"message A {\n".repeat(100), 90));
    }

    #[test]
    fn a_closing_bracket_in_a_string_closes_nothing() {
        assert!(RUBY.exceeds(&"(\")\"".repeat(100), 90));
    }
}
