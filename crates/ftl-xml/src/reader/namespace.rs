//! Namespaces in XML 1.0: which prefix is bound to what, at each point of a document.
//!
//! A workspace is in no namespace, so this decides two things: whether an element is one of ours at
//! all, and whether a document that other readers refuse is refused here. Version 1.0 and not 1.1:
//! a prefix cannot be unbound.
//!
//! The bindings are a stack with the depth of the element that made each. Documents have few, so
//! the innermost one is found by looking from the end.

use std::borrow::Cow;

use crate::Fault;
use crate::chars::is_name_start;
use crate::decode;
use crate::limits::MAX_ATTRIBUTES;
use ftl_text::quote;

const XML: &str = "http://www.w3.org/XML/1998/namespace";
const XMLNS: &str = "http://www.w3.org/2000/xmlns/";

/// A name split at its colon.
pub(super) struct QName<'a> {
    pub(super) prefix: Option<&'a str>,
    pub(super) local: &'a str,
}

impl<'a> QName<'a> {
    /// Splits a well-formed name.
    pub(super) fn split(name: &'a str) -> Result<Self, Fault> {
        let Some((prefix, local)) = name.split_once(':') else {
            return Ok(Self { prefix: None, local: name });
        };
        let local_starts = local.chars().next().is_some_and(is_name_start);
        if prefix.is_empty() || !local_starts || local.contains(':') {
            return Err(Fault::Namespace(format!("`{}` misuses the colon", quote(name))));
        }
        Ok(Self { prefix: Some(prefix), local })
    }

    /// The prefix that an attribute of this name declares, `""` for the default namespace.
    pub(super) fn declares(&self) -> Option<&'a str> {
        match (self.prefix, self.local) {
            (None, "xmlns") => Some(""),
            (Some("xmlns"), prefix) => Some(prefix),
            (None | Some(_), _) => None,
        }
    }
}

struct Binding<'a> {
    depth: usize,
    prefix: &'a str,
    uri: Cow<'a, str>,
}

/// Prefixes in scope.
#[derive(Default)]
pub(super) struct Namespaces<'a> {
    bindings: Vec<Binding<'a>>,
}

impl<'a> Namespaces<'a> {
    /// Binds `prefix` for the element at `depth` and what is inside it; `value` is as written.
    pub(super) fn declare(
        &mut self,
        depth: usize,
        prefix: &'a str,
        value: &'a str,
    ) -> Result<(), Fault> {
        let uri = decode::attribute(value);
        // Section 3, "Reserved Prefixes and Namespace Names"; section 5 for a prefix bound to
        // nothing. The default namespace alone can be undeclared.
        let reason = match (prefix, uri.as_ref()) {
            ("xmlns", _) => Some("the prefix `xmlns` cannot be declared"),
            ("xml", uri) if uri != XML => Some("the prefix `xml` cannot be bound again"),
            ("xml", _) => None,
            (_, XML | XMLNS) => Some("this namespace cannot be bound"),
            ("", _) => None,
            (_, "") => Some("a prefix cannot be bound to nothing"),
            (_, _) => None,
        };
        if let Some(reason) = reason {
            return Err(Fault::Namespace(reason.to_owned()));
        }
        // Bounded, since every prefix is looked up along this list: else the time would be quadratic.
        if self.bindings.len() == MAX_ATTRIBUTES {
            return Err(Fault::TooManyAttributes);
        }
        self.bindings.push(Binding { depth, prefix, uri });
        Ok(())
    }

    /// Forgets what the element at `depth` declared.
    pub(super) fn leave(&mut self, depth: usize) {
        while self.bindings.last().is_some_and(|b| b.depth >= depth) {
            self.bindings.pop();
        }
    }

    /// The namespace that `prefix` is bound to; `None` for no namespace.
    pub(super) fn resolve(&self, prefix: &str) -> Result<&str, Fault> {
        if prefix == "xml" {
            return Ok(XML);
        }
        self.bindings
            .iter()
            .rev()
            .find(|binding| binding.prefix == prefix)
            .map(|binding| binding.uri.as_ref())
            .ok_or_else(|| {
                Fault::Namespace(format!("the prefix `{}` is not declared", quote(prefix)))
            })
    }

    /// Whether an element without prefix is in a namespace here.
    pub(super) fn has_default(&self) -> bool {
        self.bindings
            .iter()
            .rev()
            .find(|binding| binding.prefix.is_empty())
            .is_some_and(|binding| !binding.uri.is_empty())
    }
}
