//! Syntax trees of the delta's files, each made once for all rules.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use ast_grep_core::AstGrep;
use ast_grep_core::tree_sitter::StrDoc;
use ast_grep_language::SupportLang;

use super::language::Language;

/// The largest file that is parsed, in bytes.
const MAX_BYTES: usize = 1 << 20;

/// How deep nodes may lie in nodes: relations are sought up and down.
const MAX_DEPTH: usize = 1_000;

/// A file's tree.
pub(super) struct Tree {
    pub(super) language: Language,
    pub(super) root: AstGrep<StrDoc<SupportLang>>,
    /// Whether the grammar read all of it.
    pub(super) is_whole: bool,
}

/// Trees by the index of the file in the delta, and whether it is the text of before.
#[derive(Default)]
pub(in crate::quality) struct Trees {
    known: Mutex<HashMap<(usize, bool), Entry>>,
}

/// A tree, or why there is none; made by whoever asks first, while others wait.
pub(super) type Entry = Arc<OnceLock<Result<Tree, String>>>;

impl Trees {
    /// The tree of a text, or why it is not read.
    pub(super) fn tree(&self, key: (usize, bool), language: Language, text: &str) -> Entry {
        let entry = {
            let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
            Arc::clone(known.entry(key).or_default())
        };
        entry.get_or_init(|| parse(language, text));
        entry
    }
}

fn parse(language: Language, text: &str) -> Result<Tree, String> {
    if text.len() > MAX_BYTES {
        return Err("is larger than 1 MiB".to_owned());
    }
    let root =
        AstGrep::try_new(text, language.grammar()).map_err(|_| "could not be parsed".to_owned())?;
    let node = root.root().get_inner_node();
    let is_whole = !node.has_error();
    let mut cursor = node.walk();
    loop {
        if cursor.depth() as usize > MAX_DEPTH {
            return Err("nests too deeply".to_owned());
        }
        if cursor.goto_first_child() {
            continue;
        }
        while !cursor.goto_next_sibling() {
            if !cursor.goto_parent() {
                drop(cursor);
                return Ok(Tree {
                    language,
                    is_whole,
                    root,
                });
            }
        }
    }
}
