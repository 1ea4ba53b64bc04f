//! Syntax trees of the delta's files, each made once for all rules.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use ast_grep_core::AstGrep;
use ast_grep_core::tree_sitter::StrDoc;
use ast_grep_language::SupportLang;

use super::language::Language;

/// The largest file that is parsed, in bytes.
const MAX_BYTES: usize = 1 << 20;

/// How deep nodes may nest: relations are searched up and down.
const MAX_DEPTH: usize = 1_000;

pub(in crate::quality) type Root = AstGrep<StrDoc<SupportLang>>;

/// A file's tree.
pub(in crate::quality) struct Tree {
    pub(super) language: Language,
    pub(in crate::quality) root: Root,
    /// Whether the grammar read all of it.
    pub(in crate::quality) is_whole: bool,
}

/// Trees by the index of the file in the delta, and whether it is the text of before.
#[derive(Default)]
pub(in crate::quality) struct Trees {
    known: Mutex<HashMap<(usize, bool), CachedTree>>,
}

/// A tree, or why there is none; made by the first thread that asks, while others wait.
pub(super) type CachedTree = Arc<OnceLock<Result<Tree, String>>>;

impl Trees {
    /// The tree of a text, or why it is not read.
    pub(super) fn tree(&self, key: (usize, bool), language: Language, text: &str) -> CachedTree {
        let entry = {
            let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
            Arc::clone(known.entry(key).or_default())
        };
        entry.get_or_init(|| parse(language, text));
        entry
    }
}

pub(in crate::quality) fn parse(language: Language, text: &str) -> Result<Tree, String> {
    if text.len() > MAX_BYTES {
        return Err("is larger than 1 MiB".to_owned());
    }
    let root =
        AstGrep::try_new(text, language.grammar()).map_err(|_| "could not be parsed".to_owned())?;
    if is_deep(&root) {
        return Err("nests too deeply".to_owned());
    }
    let is_whole = !root.root().get_inner_node().has_error();
    Ok(Tree { language, is_whole, root })
}

/// Whether any node is too deep. Fewer nodes than there are levels left cannot nest too deeply, so that of usual
/// files little is walked.
fn is_deep(root: &Root) -> bool {
    let top = root.root().get_inner_node();
    let mut cursor = top.walk();
    let mut depth = 0;
    loop {
        if depth > MAX_DEPTH {
            return true;
        }
        let may_be_deep = cursor.node().descendant_count() > MAX_DEPTH - depth;
        if may_be_deep && cursor.goto_first_child() {
            depth += 1;
            continue;
        }
        while !cursor.goto_next_sibling() {
            if !cursor.goto_parent() {
                return false;
            }
            depth -= 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Language, parse};

    #[test]
    fn a_text_is_left_unread_if_it_nests_beyond_the_limit() {
        let nested = |count: usize| format!("x = {}{}\n", "[".repeat(count), "]".repeat(count));
        let wide = "def f(a):\n    return [a, (a, a)]\n".repeat(400);
        for (text, is_read) in [
            (nested(900), true),
            (nested(1_100), false),
            (format!("{wide}{}", nested(900)), true),
            (format!("{wide}{}", nested(1_100)), false),
            (format!("{}{wide}", nested(1_100)), false),
        ] {
            let tree = parse(Language::Python, &text);
            assert_eq!(tree.is_ok(), is_read, "{} bytes", text.len());
        }
    }
}
