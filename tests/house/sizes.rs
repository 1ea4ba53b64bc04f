//! How long a file and a function may be.

use syn::visit::{self, Visit};

use super::exceptions::Exceptions;
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
    let mut exceptions = Exceptions::of("file");
    for (name, text) in sources() {
        let lines = text.lines().count();
        let too_long = (lines > LONGEST_FILE).then(|| format!("{name} has {lines} lines"));
        exceptions.check(&name, too_long.as_slice());
    }
    exceptions.finish();
}

#[test]
fn functions_are_short() {
    let mut exceptions = Exceptions::of("function");
    for (name, text) in sources() {
        let mut long = LongFunctions::default();
        long.visit_file(&parsed(&name, &text));
        for (function, lines) in long.0 {
            let complaint = format!("{name}: `{function}` has {lines} lines");
            exceptions.check(&format!("{name} {function}"), &[complaint]);
        }
    }
    exceptions.finish();
}
