//! Text as HTML: every text that is not ours goes through [`Html::text`], and names of elements through [`Html::name_of`].

use std::fmt::Write as _;

use ftl_text::{Redactor, safe_text};

/// A page under way.
#[derive(Debug)]
pub(super) struct Html {
    page: String,
    redactor: Redactor,
}

impl Html {
    pub(super) fn new(redactor: Redactor) -> Self {
        Self { page: String::new(), redactor }
    }

    /// Markup of our own.
    pub(super) fn raw(&mut self, markup: &str) -> &mut Self {
        self.page.push_str(markup);
        self
    }

    /// A number, which needs no care.
    pub(super) fn number(&mut self, number: impl std::fmt::Display) -> &mut Self {
        let _ = write!(self.page, "{number}");
        self
    }

    /// Anybody's text: without secrets, with nothing that hides or reorders it, and as no markup.
    pub(super) fn text(&mut self, text: &str) -> &mut Self {
        let text = self.redactor.text(text);
        let text = safe_text(text.as_bytes());
        for c in text.chars() {
            match c {
                '&' => self.page.push_str("&amp;"),
                '<' => self.page.push_str("&lt;"),
                '>' => self.page.push_str("&gt;"),
                '"' => self.page.push_str("&quot;"),
                '\'' => self.page.push_str("&#39;"),
                c => self.page.push(c),
            }
        }
        self
    }

    /// The text in an element of ours, such as `<b>`.
    pub(super) fn element(&mut self, open: &str, text: &str) -> &mut Self {
        self.raw(open).text(text);
        let name = open.trim_start_matches('<');
        let end = name.find([' ', '>']).unwrap_or(name.len());
        let name = name[..end].to_owned();
        self.raw("</").raw(&name).raw(">")
    }

    /// A term and what is said of it, unless that is empty.
    pub(super) fn fact(&mut self, term: &str, text: &str) {
        if !text.trim().is_empty() {
            self.raw("<dt>").raw(term).element("<dd>", text.trim());
        }
    }

    /// A name that an `id` and a link to it can have: plain characters alone.
    pub(super) fn name_of(text: &str) -> String {
        let plain = |c: char| match c {
            c if c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.') => c.to_string(),
            c => format!("~{:x}", u32::from(c)),
        };
        format!("t-{}", text.chars().map(plain).collect::<String>())
    }

    pub(super) fn finish(self) -> String {
        self.page
    }
}

#[cfg(test)]
mod tests {
    use ftl_text::Redactor;

    use super::Html;

    #[test]
    fn no_text_is_markup() {
        let mut html = Html::new(Redactor::new([("A_KEY", &b"s3cret-&-value"[..])], &[]));
        html.element("<dd class=x>", "<script>'\"&\u{202e}\u{1b}[31mred s3cret-&-value");
        assert_eq!(
            html.finish(),
            "<dd class=x>&lt;script&gt;&#39;&quot;&amp;\\u{202e}red [redacted: A_KEY]</dd>"
        );
    }

    #[test]
    fn a_name_holds_nothing_that_ends_an_attribute() {
        assert_eq!(Html::name_of("001_a-b"), "t-001_a-b");
        assert_eq!(Html::name_of("x\" onload='y>é "), "t-x~22~20onload~3d~27y~3e~e9~20");
    }
}
