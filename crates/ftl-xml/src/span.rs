//! Places in a document's text, and faults that have one.

use std::ops::Range;

use crate::Fault;
use crate::limits::MAX_RECORD_BYTES;

/// A stretch of the document's text, in bytes behind the byte order mark.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Span {
    pub(crate) start: u32,
    pub(crate) end: u32,
}

const _: () = assert!(MAX_RECORD_BYTES < u32::MAX as usize);

impl Span {
    pub(crate) fn new(start: usize, end: usize) -> Self {
        Self { start: offset(start), end: offset(end) }
    }

    pub(crate) const fn range(self) -> Range<usize> {
        self.start as usize..self.end as usize
    }

    pub(crate) fn of(self, text: &str) -> &str {
        &text[self.range()]
    }
}

/// An offset as it is stored.
pub(crate) fn offset(at: usize) -> u32 {
    u32::try_from(at).expect("because a document's size is bounded")
}

/// A fault whose place is not yet a line and a column.
pub(crate) struct SpannedFault {
    pub(crate) fault: Fault,
    pub(crate) span: Span,
}

impl SpannedFault {
    pub(crate) fn new(fault: Fault, range: Range<usize>) -> Self {
        Self { fault, span: Span::new(range.start, range.end) }
    }
}

/// Result of a check inside the reader.
pub(crate) type Checked<T = ()> = Result<T, SpannedFault>;
