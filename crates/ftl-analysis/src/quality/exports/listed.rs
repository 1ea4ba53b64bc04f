//! The list of exports as planners write it: names between commas, with `()` for what can be called.

/// A name that a planner listed as an export.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Listed {
    /// The name alone.
    pub(super) name: String,
    /// Whether it was written with `()`.
    pub(super) is_callable: bool,
}

impl Listed {
    /// The name as it was meant, `()` where a callable is.
    pub(super) fn written(&self) -> String {
        match self.is_callable {
            true => format!("{}()", self.name),
            false => self.name.clone(),
        }
    }
}

/// The names of a list such as `get_user(), Box[T], LIMIT`, each once. Type parameters and arguments
/// in brackets are passed over.
pub(super) fn listed(exports: &str) -> Vec<Listed> {
    let mut names: Vec<Listed> = Vec::new();
    for item in split(exports) {
        let name = item.split(['(', '[']).next().unwrap_or_default().trim();
        let export = Listed { name: name.to_owned(), is_callable: item.contains('(') };
        if !name.is_empty() && !names.contains(&export) {
            names.push(export);
        }
    }
    names
}

/// The parts between commas that stand in no bracket.
pub(super) fn split(list: &str) -> Vec<&str> {
    let mut depth = 0_usize;
    list.split(|character| {
        match character {
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' => depth = depth.saturating_sub(1),
            _ => {}
        }
        depth == 0 && matches!(character, ',' | '\n')
    })
    .collect()
}

#[cfg(test)]
mod tests {
    use super::listed;

    #[test]
    fn a_list_is_split_outside_brackets() {
        for (exports, expected) in [
            ("get_user(), User, LIMIT", "get_user() User LIMIT"),
            (" a ,, b()\n c", "a b() c"),
            ("pair[K, V](), Box[T]", "pair() Box"),
            ("f(a, b=(1, 2)), g", "f() g"),
            ("a, a, a()", "a a()"),
            ("", ""),
        ] {
            let names: Vec<String> = listed(exports).iter().map(|one| one.written()).collect();
            assert_eq!(names.join(" "), expected);
        }
    }
}
