//! From bytes to a [`Document`], refusing whatever XML 1.0 refuses.
//!
//! quick-xml finds where each piece of markup begins and ends; it judges little. Every piece is
//! therefore checked here against the grammar, from its raw text, so that a document is accepted
//! only if each of its bytes has been accounted for. `[n]` cites a production by its number in XML 1.0,
//! fifth edition.
//!
//! The files are the parts of the grammar: `prolog.rs` the encoding and the declaration, `tag.rs`
//! tags and their attributes, `reference.rs` references, `namespace.rs` prefixes. `cursor.rs` reads
//! inside one piece. Nothing here knows what a workspace is, and nothing is decoded: a document
//! keeps places in its text.

mod cursor;
mod namespace;
mod prolog;
pub(crate) mod reference;
mod tag;

use std::ops::Range;
use std::sync::OnceLock;

use ftl_model::SourcePosition;
use memchr::memchr_iter;
use quick_xml::errors::{Error, IllFormedError, SyntaxError};
use quick_xml::events::Event;

use self::cursor::Cursor;
use self::namespace::Namespaces;
use crate::chars::{first_forbidden, is_space};
use crate::document::{Attribute, Node};
use crate::limits::{MAX_BYTES, MAX_EVENTS, MAX_RECORD_EVENTS};
use crate::span::{Checked, SpannedFault};
use crate::{Document, Fault, ReadError};
use ftl_text::quote;

/// Reads a document.
///
/// UTF-8 only, XML 1.x by the rules of 1.0 (fifth edition) and of Namespaces 1.0, without DOCTYPE,
/// within the bounds of [`limits`](crate::limits). Time and memory are linear in the size.
///
/// # Errors
///
/// The first fault met, with its place.
pub fn read(source: &[u8]) -> Result<Document<'_>, ReadError> {
    let (text, base) = prolog::text(source).map_err(|(fault, range)| ReadError {
        fault,
        place: SourcePosition::of(source, range.start, range.end),
    })?;
    let mut reader = Reader::new(text);
    if let Err(flaw) = reader.run() {
        let range = flaw.span.range();
        return Err(ReadError {
            fault: flaw.fault,
            place: SourcePosition::of(source, base + range.start, base + range.end),
        });
    }
    let events = reader.events;
    let document = Document {
        source,
        text,
        base,
        nodes: reader.nodes,
        attributes: reader.attributes,
        lines: OnceLock::new(),
    };
    refuse_large_task(&document, events)?;
    Ok(document)
}

/// Only a record may be larger than a task: whether it is one, is known once it has been read.
fn refuse_large_task(document: &Document<'_>, events: usize) -> Result<(), ReadError> {
    let fault = match (document.source.len(), events) {
        (bytes, _) if bytes > MAX_BYTES => Fault::TooLarge,
        (_, events) if events > MAX_EVENTS => Fault::TooManyEvents,
        _ => return Ok(()),
    };
    if document.root().child("run").is_some() {
        return Ok(());
    }
    let start = document.source.len().min(MAX_BYTES);
    let place = SourcePosition::of(document.source, start, document.source.len());
    Err(ReadError { fault, place })
}

struct Reader<'a> {
    text: &'a str,
    nodes: Vec<Node>,
    attributes: Vec<Attribute>,
    /// Indices of the open elements, outermost first.
    open: Vec<usize>,
    namespaces: Namespaces<'a>,
    events: usize,
}

impl<'a> Reader<'a> {
    fn new(text: &'a str) -> Self {
        Self {
            text,
            nodes: Vec::new(),
            attributes: Vec::new(),
            open: Vec::new(),
            namespaces: Namespaces::default(),
            events: 0,
        }
    }

    fn run(&mut self) -> Checked {
        // Once over the whole text, and before everything else: no later check has to think of
        // characters that may stand nowhere.
        if let Some(at) = first_forbidden(self.text) {
            let character = self.text[at..].chars().next().unwrap_or_default();
            let range = at..at + character.len_utf8();
            return Err(SpannedFault::new(Fault::Character(character), range));
        }
        let mut tokens = quick_xml::Reader::from_str(self.text);
        let config = tokens.config_mut();
        // End tags are matched here, where the fault has a place and both names.
        config.allow_unmatched_ends = true;
        config.check_end_names = false;
        let mut start = 0;
        loop {
            // Before quick-xml reads it: an internal subset may be malformed in ways that give
            // other errors, and the fault that matters is that there is one. Without it there are
            // no entities to expand, and so none that expand to gigabytes.
            if self.text[start..].starts_with("<!DOCTYPE") {
                return Err(SpannedFault::new(Fault::Doctype, start..start + "<!DOCTYPE".len()));
            }
            let event = tokens.read_event().map_err(|error| self.token_flaw(&error, start))?;
            let end =
                usize::try_from(tokens.buffer_position()).expect("because the text is in memory");
            if matches!(event, Event::Eof) {
                return self.finish();
            }
            // Text and references are not counted: quick-xml cuts text at every `&`, so a long text
            // with many escapes would be refused for its spelling.
            if !matches!(event, Event::Text(_) | Event::GeneralRef(_)) {
                self.count(start..end)?;
            }
            self.piece(&event, start..end)?;
            start = end;
        }
    }

    fn piece(&mut self, event: &Event<'_>, range: Range<usize>) -> Checked {
        match event {
            Event::Start(_) => self.start_tag(range, false),
            Event::Empty(_) => self.start_tag(range, true),
            Event::End(_) => self.end_tag(range),
            Event::Text(_) => self.characters(range),
            Event::GeneralRef(_) => self.general_reference(range),
            Event::CData(_) => self.section(range),
            Event::Comment(_) => self.comment(range),
            Event::Decl(_) => self.declaration(range),
            Event::PI(_) => self.instruction(range),
            Event::DocType(_) => Err(SpannedFault::new(Fault::Doctype, range)),
            Event::Eof => Ok(()),
        }
    }

    fn count(&mut self, range: Range<usize>) -> Checked {
        self.events += 1;
        if self.events > MAX_RECORD_EVENTS {
            return Err(SpannedFault::new(Fault::TooManyEvents, range));
        }
        Ok(())
    }

    fn finish(&self) -> Checked {
        if let Some(&index) = self.open.last() {
            let node = &self.nodes[index];
            let fault = Fault::Unclosed(quote(node.name.of(self.text)));
            let start = node.start as usize;
            return Err(SpannedFault::new(fault, start..node.name.range().end));
        }
        if self.nodes.is_empty() {
            return Err(SpannedFault::new(Fault::NoRoot, self.text.len()..self.text.len()));
        }
        Ok(())
    }

    fn characters(&self, range: Range<usize>) -> Checked {
        let bytes = &self.text.as_bytes()[range.clone()];
        if self.open.is_empty() {
            return match bytes.iter().position(|&byte| !is_space(byte)) {
                Some(at) => Err(self.outside("text", range.start + at..range.end)),
                None => Ok(()),
            };
        }
        // [14] CharData: `]]>` may not stand in text, "for compatibility".
        match memchr_iter(b'>', bytes).find(|&at| bytes[..at].ends_with(b"]]")) {
            Some(at) => {
                let end = range.start + at + 1;
                Err(SpannedFault::new(Fault::SectionEnd, end - 3..end))
            }
            None => Ok(()),
        }
    }

    fn general_reference(&self, range: Range<usize>) -> Checked {
        if self.open.is_empty() {
            return Err(self.outside("a reference", range));
        }
        reference::check(self.text, range).map(|_| ())
    }

    fn section(&self, range: Range<usize>) -> Checked {
        if self.open.is_empty() {
            return Err(self.outside("a CDATA section", range));
        }
        let whole = self.text[range.clone()]
            .strip_prefix("<![CDATA[")
            .and_then(|rest| rest.strip_suffix("]]>"));
        match whole {
            Some(_) => Ok(()),
            None => Err(SpannedFault::new(Fault::Section("it does not end"), range)),
        }
    }

    fn comment(&self, range: Range<usize>) -> Checked {
        let content =
            self.text[range.clone()].strip_prefix("<!--").and_then(|rest| rest.strip_suffix("-->"));
        let reason = match content {
            None => "it does not end",
            // [15] Comment. quick-xml ends a comment at the first `-->`, which `--->` contains.
            Some(content) if content.contains("--") => "it holds `--`",
            Some(content) if content.ends_with('-') => "it ends in `--->`",
            Some(_) => return Ok(()),
        };
        Err(SpannedFault::new(Fault::Comment(reason), range))
    }

    fn declaration(&self, range: Range<usize>) -> Checked {
        if range.start > 0 {
            let fault = Fault::Declaration("it is not at the very beginning");
            return Err(SpannedFault::new(fault, range));
        }
        prolog::declaration(self.text, range)
    }

    fn instruction(&self, range: Range<usize>) -> Checked {
        // [16] PI and [17] PITarget; Namespaces in XML, section 7, forbids the colon.
        let mut cursor = Cursor::new(self.text, range.start + 2..range.end - 2);
        let target = cursor.name("a processing instruction")?;
        let name = &self.text[target];
        let reason = if name.eq_ignore_ascii_case("xml") {
            "the target `xml` is reserved"
        } else if name.contains(':') {
            "the target holds a colon"
        } else if !cursor.skip_space() && !cursor.is_done() {
            "white space is missing behind the target"
        } else {
            return Ok(());
        };
        Err(SpannedFault::new(Fault::Instruction(reason), range))
    }

    fn outside(&self, what: &'static str, range: Range<usize>) -> SpannedFault {
        SpannedFault::new(Fault::OutsideRoot(what), range)
    }

    /// What quick-xml could not find the end of, as a fault at `start`.
    ///
    /// The place is where the piece begins: where it should have ended is unknown.
    fn token_flaw(&self, error: &Error, start: usize) -> SpannedFault {
        let fault = match error {
            Error::Syntax(syntax) => match syntax {
                SyntaxError::InvalidBangMarkup => Fault::Section("`<!` begins nothing known"),
                SyntaxError::UnclosedPI | SyntaxError::UnclosedXmlDecl => {
                    Fault::Instruction("it does not end")
                }
                SyntaxError::UnclosedComment => Fault::Comment("it does not end"),
                SyntaxError::UnclosedCData => Fault::Section("it does not end"),
                SyntaxError::UnclosedDoctype => Fault::Doctype,
                SyntaxError::UnclosedTag
                | SyntaxError::UnclosedSingleQuotedAttributeValue
                | SyntaxError::UnclosedDoubleQuotedAttributeValue => Fault::Tag("it does not end"),
            },
            Error::IllFormed(IllFormedError::UnclosedReference) => {
                return reference::malformed(self.text, start);
            }
            _ => Fault::Tag("it cannot be read"),
        };
        SpannedFault::new(fault, start..(start + 1).min(self.text.len()))
    }
}
