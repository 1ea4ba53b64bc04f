//! Whether two deltas share a file.

/// Whether any path of one delta is a path of the other, or a directory above one. Case is ignored, since
/// two names that differ by case alone are one file on some file systems.
#[must_use]
pub fn overlap(a: &[String], b: &[String]) -> bool {
    let a: Vec<String> = a.iter().map(|path| folded(path)).collect();
    let b: Vec<String> = b.iter().map(|path| folded(path)).collect();
    a.iter().any(|a| b.iter().any(|b| contains(a, b) || contains(b, a)))
}

fn folded(path: &str) -> String {
    path.to_lowercase().trim_end_matches('/').to_owned()
}

/// Whether `inner` is `outer`, or below it.
fn contains(outer: &str, inner: &str) -> bool {
    inner.strip_prefix(outer).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

#[cfg(test)]
mod tests {
    use super::overlap;

    #[test]
    fn deltas_overlap_where_a_path_is_the_same_or_a_directory_above() {
        for (a, b, expected) in [
            (&["src/a.rs"][..], &["src/a.rs"][..], true),
            (&["src/A.rs"], &["SRC/a.rs"], true),
            (&["Straße/Ä"], &["straße/ä/x"], true),
            (&["src"], &["src/a.rs"], true),
            (&["src/a/b.rs"], &["x", "src/a"], true),
            (&["src/a/"], &["src/a/b"], true),
            (&["src/a"], &["src/ab"], false),
            (&["src/a.rs"], &["src/b.rs", "a.rs"], false),
            (&[], &["a"], false),
        ] {
            let a: Vec<String> = a.iter().map(ToString::to_string).collect();
            let b: Vec<String> = b.iter().map(ToString::to_string).collect();
            assert_eq!(overlap(&a, &b), expected, "{a:?} {b:?}");
            assert_eq!(overlap(&b, &a), expected, "{b:?} {a:?}");
        }
    }
}
