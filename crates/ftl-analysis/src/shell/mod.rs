//! The shell's grammar (POSIX with what bash adds).
//!
//! `syntax` holds the tree, `lexer` and `parser` build it, and `program` names the program that a simple command starts.
//! Nothing is expanded or run. Input that the grammar does not cover gives no tree, and callers report nothing then. Depth and length are
//! bounded, since commands come from documents.

mod compound;
mod lexer;
mod parser;
pub(crate) mod program;
pub(crate) mod syntax;

pub(crate) use parser::parse;
