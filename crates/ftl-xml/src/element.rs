//! Elements to be written, and escaping.
//!
//! Names are `&'static str`: markup comes from the program, and data can only become text or a value.

use std::borrow::Cow;

use ftl_text::{push_visible, safe_text};

use crate::chars::is_char;

/// An element to be written. Its texts are made safe as they are put in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Element {
    name: &'static str,
    attributes: Vec<(&'static str, String)>,
    text: String,
    children: Vec<Element>,
}

impl Element {
    /// An empty element. Names are part of the program: data cannot become markup.
    pub const fn new(name: &'static str) -> Self {
        Self { name, attributes: Vec::new(), text: String::new(), children: Vec::new() }
    }

    /// Adds an attribute; a name may be given only once.
    #[must_use]
    pub fn attribute(mut self, name: &'static str, value: impl ToString) -> Self {
        debug_assert!(self.attributes.iter().all(|(known, _)| *known != name));
        let value = safe_text(value.to_string().as_bytes());
        self.attributes.push((name, value));
        self
    }

    /// Adds an attribute where there is a value.
    #[must_use]
    pub fn optional(self, name: &'static str, value: Option<impl ToString>) -> Self {
        match value {
            Some(value) => self.attribute(name, value),
            None => self,
        }
    }

    /// Sets the text, which comes before all child elements.
    #[must_use]
    pub fn text(mut self, text: impl AsRef<[u8]>) -> Self {
        self.text = safe_text(text.as_ref());
        self
    }

    /// Sets text that stays as it is, except for characters that XML cannot carry.
    #[must_use]
    pub(crate) fn verbatim(mut self, text: &str) -> Self {
        self.text = replace_forbidden(text).into_owned();
        self
    }

    /// Adds an attribute whose value stays as it is, except for characters that XML cannot carry.
    #[must_use]
    pub(crate) fn verbatim_attribute(mut self, name: &'static str, value: &str) -> Self {
        self.attributes.push((name, replace_forbidden(value).into_owned()));
        self
    }

    /// Adds a child element at the end.
    #[must_use]
    pub fn child(mut self, child: Self) -> Self {
        self.children.push(child);
        self
    }

    /// Adds child elements at the end.
    #[must_use]
    pub fn children(mut self, children: impl IntoIterator<Item = Self>) -> Self {
        self.children.extend(children);
        self
    }

    /// Passes every text and every value in it through `map`.
    #[must_use]
    pub fn map_texts(mut self, map: &dyn Fn(&str) -> String) -> Self {
        self.text = map(&self.text);
        for (_, value) in &mut self.attributes {
            *value = map(value);
        }
        let children = std::mem::take(&mut self.children);
        self.children = children.into_iter().map(|child| child.map_texts(map)).collect();
        self
    }

    /// The element with its attributes alone.
    pub(crate) fn without_content(&self) -> Self {
        Self { attributes: self.attributes.clone(), ..Self::new(self.name) }
    }

    /// The name.
    pub const fn name(&self) -> &'static str {
        self.name
    }

    /// Writes the element, its children on separate lines, `depth` steps in.
    pub(crate) fn write(&self, depth: usize, out: &mut String) {
        out.push('<');
        out.push_str(self.name);
        for (name, value) in &self.attributes {
            push_attribute(name, value, out);
        }
        if self.text.is_empty() && self.children.is_empty() {
            out.push_str("/>");
            return;
        }
        out.push('>');
        self.write_content(depth, out);
        out.push_str("</");
        out.push_str(self.name);
        out.push('>');
    }

    /// Writes what is between the tags.
    pub(crate) fn write_content(&self, depth: usize, out: &mut String) {
        escape(&self.text, Context::Text, out);
        for child in &self.children {
            push_indent(depth + 1, out);
            child.write(depth + 1, out);
        }
        if !self.children.is_empty() {
            push_indent(depth, out);
        }
    }
}

fn push_indent(depth: usize, out: &mut String) {
    out.push('\n');
    out.extend(std::iter::repeat_n("  ", depth));
}

/// Writes ` name="value"`.
pub(crate) fn push_attribute(name: &str, value: &str, out: &mut String) {
    out.push(' ');
    out.push_str(name);
    out.push_str("=\"");
    escape(value, Context::Attribute, out);
    out.push('"');
}

/// Where a text is written.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Context {
    /// Between tags.
    Text,
    /// In an attribute's value, in quotes of either kind.
    Attribute,
}

/// Writes `text` so that any reader gives it back character by character.
pub(crate) fn escape(text: &str, context: Context, out: &mut String) {
    let mut plain = 0;
    for (at, byte) in text.bytes().enumerate() {
        let written = match (byte, context) {
            (b'&', _) => "&amp;",
            (b'<', _) => "&lt;",
            // Needed only in `]]>`; always written so, which needs no look at what comes before.
            (b'>', _) => "&gt;",
            // A reader turns a plain CR into LF (XML 1.0, section 2.11).
            (b'\r', _) => "&#13;",
            (b'"', Context::Attribute) => "&quot;",
            (b'\'', Context::Attribute) => "&apos;",
            // A reader turns plain white space in a value into blanks (section 3.3.3).
            (b'\n', Context::Attribute) => "&#10;",
            (b'\t', Context::Attribute) => "&#9;",
            _ => continue,
        };
        out.push_str(&text[plain..at]);
        out.push_str(written);
        plain = at + 1;
    }
    out.push_str(&text[plain..]);
}
/// Text for a new document: only what XML 1.0 cannot carry is replaced.
fn replace_forbidden(text: &str) -> Cow<'_, str> {
    if text.chars().all(is_char) {
        return Cow::Borrowed(text);
    }
    let mut carried = String::with_capacity(text.len());
    for c in text.chars() {
        if is_char(c) {
            carried.push(c);
        } else {
            push_visible(c, &mut carried);
        }
    }
    Cow::Owned(carried)
}
