//! Why a document, or a value in it, cannot be read: message, code and help of each fault.
//!
//! Codes are for programs and stay as they are; messages are for people and may be worded better.

use ftl_model::SourcePosition;
use thiserror::Error;

use crate::limits;

/// Why a document, or a value in it, cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum Fault {
    /// More bytes than [`limits::MAX_BYTES`].
    #[error("the document is larger than the {} bytes allowed", limits::MAX_BYTES)]
    TooLarge,
    /// Elements nested deeper than [`limits::MAX_DEPTH`].
    #[error("elements are nested deeper than {} levels", limits::MAX_DEPTH)]
    TooDeep,
    /// More markup and texts than [`limits::MAX_EVENTS`].
    #[error("the document has more than {} parts", limits::MAX_EVENTS)]
    TooManyEvents,
    /// More attributes on one element than [`limits::MAX_ATTRIBUTES`].
    #[error("the element has more than {} attributes", limits::MAX_ATTRIBUTES)]
    TooManyAttributes,
    /// An encoding other than UTF-8, declared or recognised.
    #[error("the encoding `{0}` is not supported")]
    Encoding(String),
    /// Bytes that are not UTF-8.
    #[error("the document is not valid UTF-8")]
    NotUtf8,
    /// A byte order mark behind the first one.
    #[error("the document starts with more than one byte order mark")]
    ByteOrderMark,
    /// A character that XML 1.0 does not allow.
    #[error("the character U+{:04X} is not allowed in XML 1.0", u32::from(*.0))]
    Character(char),
    /// A version other than 1.x.
    #[error("XML version `{0}` is not supported")]
    Version(String),
    /// An XML declaration that is not one, or not at the very beginning.
    #[error("malformed XML declaration: {0}")]
    Declaration(&'static str),
    /// A document type declaration.
    #[error("a DOCTYPE is not allowed")]
    Doctype,
    /// Something that is no name where a name is needed.
    #[error("{0} needs a name here")]
    Name(&'static str),
    /// Malformed attribute syntax.
    #[error("malformed attribute: {0}")]
    Attribute(&'static str),
    /// An attribute given twice.
    #[error("attribute `{0}` is given twice")]
    DuplicateAttribute(String),
    /// Characters in a tag that belong to nothing.
    #[error("malformed tag: {0}")]
    Tag(&'static str),
    /// A reference that is malformed, or to an entity that does not exist.
    #[error("malformed reference `{0}`")]
    Reference(String),
    /// A prefix or a namespace used against the rules.
    #[error("{0}")]
    Namespace(String),
    /// A comment that holds `--`, ends in `--->` or does not end.
    #[error("malformed comment: {0}")]
    Comment(&'static str),
    /// A malformed processing instruction.
    #[error("malformed processing instruction: {0}")]
    Instruction(&'static str),
    /// A CDATA section that does not end, or markup that begins `<!` and is nothing known.
    #[error("malformed section: {0}")]
    Section(&'static str),
    /// `]]>` outside a CDATA section.
    #[error("`]]>` is not allowed in text")]
    SectionEnd,
    /// No root element.
    #[error("the document has no root element")]
    NoRoot,
    /// Something behind or before the root that may only be inside it.
    #[error("{0} outside the root element")]
    OutsideRoot(&'static str),
    /// An end tag that closes another element than the one open.
    #[error("`</{found}>` closes `<{open}>`")]
    Mismatch {
        /// Name of the element that is open.
        open: String,
        /// Name in the end tag.
        found: String,
    },
    /// An end tag where nothing is open.
    #[error("`</{0}>` closes nothing")]
    Unopened(String),
    /// An element without an end tag.
    #[error("`<{0}>` is never closed")]
    Unclosed(String),
    /// A value that is no integer of 64 bits.
    #[error("`{text}` is not an integer (in `{name}`)")]
    Integer {
        /// Element or attribute.
        name: &'static str,
        /// What it holds.
        text: String,
    },
    /// A value that is no finite number.
    #[error("`{text}` is not a number (in `{name}`)")]
    Number {
        /// Element or attribute.
        name: &'static str,
        /// What it holds.
        text: String,
    },
}

impl Fault {
    /// Stable code, `xml::…` for faults of XML, `workspace::…` for those of values.
    pub const fn code(&self) -> &'static str {
        match self {
            Self::TooLarge => "xml::too_large",
            Self::TooDeep => "xml::too_deep",
            Self::TooManyEvents => "xml::too_many_parts",
            Self::TooManyAttributes => "xml::too_many_attributes",
            Self::Encoding(_) => "xml::encoding",
            Self::NotUtf8 => "xml::utf8",
            Self::ByteOrderMark => "xml::byte_order_mark",
            Self::Character(_) => "xml::character",
            Self::Version(_) => "xml::version",
            Self::Declaration(_) => "xml::declaration",
            Self::Doctype => "xml::doctype",
            Self::Name(_) => "xml::name",
            Self::Attribute(_) => "xml::attribute",
            Self::DuplicateAttribute(_) => "xml::duplicate_attribute",
            Self::Tag(_) => "xml::tag",
            Self::Reference(_) => "xml::reference",
            Self::Namespace(_) => "xml::namespace",
            Self::Comment(_) => "xml::comment",
            Self::Instruction(_) => "xml::instruction",
            Self::Section(_) | Self::SectionEnd => "xml::section",
            Self::NoRoot | Self::OutsideRoot(_) => "xml::root",
            Self::Mismatch { .. } | Self::Unopened(_) => "xml::end_tag",
            Self::Unclosed(_) => "xml::unclosed",
            Self::Integer { .. } => "workspace::integer",
            Self::Number { .. } => "workspace::number",
        }
    }

    /// What to do about it.
    pub const fn help(&self) -> &'static str {
        match self {
            Self::TooLarge | Self::TooManyEvents => {
                "split the task, or shorten the texts that it carries"
            }
            Self::TooDeep => "a workspace needs no more than five levels",
            Self::TooManyAttributes => "move the values into elements",
            Self::Encoding(_) | Self::NotUtf8 => "save the file as UTF-8",
            Self::ByteOrderMark => "remove all byte order marks but the first",
            Self::Character(_) => {
                "remove it: control characters and colour codes cannot be written in XML 1.0"
            }
            Self::Version(_) => "declare version 1.0",
            Self::Declaration(_) => {
                "write `<?xml version=\"1.0\" encoding=\"utf-8\"?>` as the very first thing"
            }
            Self::Doctype => "remove the DOCTYPE: workspaces need no entities",
            Self::Name(_) => "names start with a letter or `_`; write `&lt;` for a plain `<`",
            Self::Attribute(_) => {
                "write attributes as ` name=\"value\"`, with `&lt;` for `<` and `&amp;` for `&`"
            }
            Self::DuplicateAttribute(_) => "remove one of the two",
            Self::Tag(_) => "write tags as `<name>`, `</name>` or `<name/>`, and `&lt;` for `<`",
            Self::Reference(_) => {
                "write `&amp;` for a plain `&`; only amp, lt, gt, apos, quot and characters \
                 like `&#38;` can be referred to"
            }
            Self::Namespace(_) => "workspaces need no namespaces: remove the prefix",
            Self::Comment(_) => "comments are `<!-- … -->` and hold no `--`",
            Self::Instruction(_) => "instructions are `<?target data?>`",
            Self::Section(_) => "sections are `<![CDATA[ … ]]>`, in capitals",
            Self::SectionEnd => "write `]]&gt;`",
            Self::NoRoot => "a task file is one `<workspace>` element",
            Self::OutsideRoot(_) => "keep everything inside one `<workspace>` element",
            Self::Mismatch { .. } | Self::Unopened(_) | Self::Unclosed(_) => {
                "give every element one end tag, inside the element that holds it"
            }
            Self::Integer { .. } => "write digits, with a sign at most, that fit 64 bits",
            Self::Number { .. } => "write a finite decimal number such as `0.85`",
        }
    }
}

/// A [`Fault`] and its place in the document.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{fault}")]
pub struct ReadError {
    /// What is wrong.
    pub fault: Fault,
    /// Where; offsets count from the first byte of the file, byte order mark included.
    pub place: SourcePosition,
}

impl ReadError {
    /// Stable code, see [`Fault::code`].
    pub const fn code(&self) -> &'static str {
        self.fault.code()
    }

    /// What to do about it, see [`Fault::help`].
    pub const fn help(&self) -> &'static str {
        self.fault.help()
    }
}
