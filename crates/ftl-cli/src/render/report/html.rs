//! Text that is not ours on the page: maud escapes it, and [`Texts`] removes secrets and hidden characters first.

use ftl_text::{Redactor, safe_text};
use maud::{Markup, html};
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};

/// Makes text from tasks, programs and people safe to show.
#[derive(Debug)]
pub(super) struct Texts {
    pub(super) redactor: Redactor,
    /// What leads from the page's directory to the root.
    pub(super) above: String,
}

impl Texts {
    /// The text without secrets and without characters that hide or reorder it.
    pub(super) fn safe(&self, text: &str) -> String {
        safe_text(self.redactor.text(text).as_bytes())
    }

    /// A link to a file, by its path from the root.
    pub(super) fn link(&self, path: &str) -> Markup {
        const KEPT: &AsciiSet =
            &NON_ALPHANUMERIC.remove(b'/').remove(b'.').remove(b'_').remove(b'-');
        let safe = self.safe(path);
        let href = format!("{}{}", self.above, utf8_percent_encode(&safe, KEPT));
        html! { a href=(href) { (safe) } }
    }

    /// A term of a description list and its text, unless that is empty.
    pub(super) fn fact(&self, term: &str, text: &str) -> Markup {
        html! {
            @if !text.trim().is_empty() {
                dt { (term) }
                dd { (self.safe(text.trim())) }
            }
        }
    }
}

/// An `id` for the section of a task, of characters that need no escape in a link.
pub(super) fn name_of(text: &str) -> String {
    let plain = |c: char| match c {
        c if c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.') => c.to_string(),
        c => format!("~{:x}", u32::from(c)),
    };
    format!("t-{}", text.chars().map(plain).collect::<String>())
}

#[cfg(test)]
mod tests {
    use ftl_text::Redactor;

    use super::{Texts, name_of};

    #[test]
    fn text_is_shown_without_markup_secrets_and_control_characters() {
        let redactor = Redactor::new([("A_KEY", &b"s3cret-&-value"[..])], &[]);
        let texts = Texts { redactor, above: String::new() };
        let fact = texts.fact("said", "<script>'\"&\u{202e}\u{1b}[31mred s3cret-&-value");
        assert_eq!(
            fact.into_string(),
            "<dt>said</dt><dd>&lt;script&gt;'&quot;&amp;\\u{202e}red [redacted: A_KEY]</dd>"
        );
    }

    #[test]
    fn a_name_has_no_character_that_ends_an_attribute() {
        assert_eq!(name_of("001_a-b"), "t-001_a-b");
        assert_eq!(name_of("x\" onload='y>é "), "t-x~22~20onload~3d~27y~3e~e9~20");
    }
}
