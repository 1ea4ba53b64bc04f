//! The shell's grammar (POSIX with what bash adds), as far as it decides which exit code a command ends with.
//!
//! `syntax` holds the tree, `lexer` and `parser` build it. `program` names the program that a simple command starts,
//! `tools` knows what its exit code is worth, and `simulate` follows exit codes through the tree. Nothing is expanded
//! or run. Input that the grammar does not cover gives no tree, and callers report nothing then. Depth and length are
//! bounded, since commands come from documents.

mod builtins;
mod compound;
mod lexer;
mod parser;
pub(crate) mod program;
mod run;
pub(crate) mod simulate;
pub(crate) mod syntax;
pub(crate) mod tools;
mod values;
pub(crate) mod verdicts;

pub(crate) use parser::parse;
