//! How long a file and a function may be.

use syn::visit::{self, Visit};

use super::sources::{parsed, sources};

/// Lines of the longest file. A longer one holds two subjects.
const LONGEST_FILE: usize = 400;

/// Lines of the longest function, from its signature to its closing bracket.
const LONGEST_FUNCTION: usize = 70;

/// The functions that are too long, each as name and number of lines.
#[derive(Default)]
struct LongFunctions(Vec<(String, usize)>);

impl LongFunctions {
    fn measure(&mut self, signature: &syn::Signature, body: &syn::Block) {
        let first = signature.fn_token.span.start().line;
        let last = body.brace_token.span.close().end().line;
        if last - first >= LONGEST_FUNCTION {
            self.0.push((signature.ident.to_string(), last - first + 1));
        }
    }
}

impl<'ast> Visit<'ast> for LongFunctions {
    fn visit_item_fn(&mut self, item: &'ast syn::ItemFn) {
        self.measure(&item.sig, &item.block);
        visit::visit_item_fn(self, item);
    }

    fn visit_impl_item_fn(&mut self, item: &'ast syn::ImplItemFn) {
        self.measure(&item.sig, &item.block);
        visit::visit_impl_item_fn(self, item);
    }
}

#[test]
fn files_are_short() {
    let lengths = sources().into_iter().map(|(name, text)| (text.lines().count(), name));
    let long: Vec<_> = lengths.filter(|(lines, _)| *lines > LONGEST_FILE).collect();
    assert!(long.is_empty(), "{long:#?}");
}

#[test]
fn functions_are_short() {
    let mut broken = Vec::new();
    for (name, text) in sources() {
        let mut long = LongFunctions::default();
        long.visit_file(&parsed(&name, &text));
        for (function, lines) in long.0 {
            broken.push(format!("{name}: `{function}` has {lines} lines"));
        }
    }
    assert!(broken.is_empty(), "{}", broken.join("\n"));
}
