//! Words that decide whether the end of a line ends a statement (ECMA-262, "Rules of Automatic
//! Semicolon Insertion"). Each list errs towards going on, since that makes a file deeper.

/// Words after which a line's end does not end the statement.
pub(super) const PREFIXES: &[&[u8]] = &[
    b"abstract",
    b"as",
    b"asserts",
    b"async",
    b"await",
    b"delete",
    b"do",
    b"else",
    b"extends",
    b"implements",
    b"in",
    b"infer",
    b"instanceof",
    b"is",
    b"keyof",
    b"new",
    b"of",
    b"readonly",
    b"satisfies",
    b"typeof",
    b"unique",
    b"void",
    b"yield",
];
/// Words of statements that have a header in parentheses.
pub(super) const HEADS: &[&[u8]] = &[b"for", b"if", b"while", b"with"];
/// Words that go on with the statement before them.
pub(super) const INFIXES: &[&[u8]] = &[
    b"as",
    b"catch",
    b"else",
    b"extends",
    b"finally",
    b"implements",
    b"in",
    b"instanceof",
    b"is",
    b"of",
    b"satisfies",
    b"while",
];
