//! The parameters of functions, as they are written: what callers rely on besides the name.
//!
//! A list that reads otherwise than before need not break a caller, so it is reported and blocks nothing.

use std::collections::BTreeMap;

/// Parameter lists by the names of functions at the top of a file. Of several definitions of a name
/// every one is kept, in order.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Parameters(BTreeMap<String, Vec<String>>);

impl Parameters {
    /// Adds a function's list, with or without its brackets.
    pub(super) fn add(&mut self, name: &str, list: &str) {
        let lists = self.0.entry(name.to_owned()).or_default();
        lists.push(plain(list));
    }

    /// The lists of a name, as one text.
    pub(super) fn of(&self, name: &str) -> Option<String> {
        Some(self.0.get(name)?.join(" or "))
    }
}

/// A list in brackets on one line, without blanks at brackets and the comma behind the last one.
fn plain(list: &str) -> String {
    let list = list.trim();
    let inner = list.strip_prefix('(').and_then(|list| list.strip_suffix(')')).unwrap_or(list);
    let words: Vec<&str> = inner.split_whitespace().collect();
    let line = words.join(" ").replace(" = ", "=");
    format!("({})", line.trim_end_matches([',', ' ']))
}

#[cfg(test)]
mod tests {
    use super::Parameters;

    #[test]
    fn how_a_list_is_laid_out_does_not_matter() {
        let mut lists = Parameters::default();
        lists.add("f", "(a, b=1)");
        lists.add("g", "(\n    a,\n    b=1,\n)");
        lists.add("h", "a");
        assert_eq!(lists.of("f").as_deref(), Some("(a, b=1)"));
        assert_eq!(lists.of("g"), lists.of("f"));
        assert_eq!(lists.of("h").as_deref(), Some("(a)"));
        assert_eq!(lists.of("i"), None);
    }
}
