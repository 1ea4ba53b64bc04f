//! Whether two deltas share a file.

use std::collections::{BTreeSet, HashMap};

/// Whether any path of one delta is a path of the other, or a directory above one. Case is ignored, since
/// two names that differ by case alone are one file on some file systems.
#[must_use]
pub fn overlap(a: &[String], b: &[String]) -> bool {
    let a: Vec<String> = a.iter().map(|path| folded(path)).collect();
    let b: Vec<String> = b.iter().map(|path| folded(path)).collect();
    a.iter().any(|a| b.iter().any(|b| contains(a, b) || contains(b, a)))
}

/// For each of many deltas, those that it overlaps with.
pub(crate) fn overlaps(deltas: &[&[String]]) -> Vec<BTreeSet<usize>> {
    let paths = |at: usize| deltas[at].iter().map(|path| folded(path));
    let mut owners: HashMap<String, BTreeSet<usize>> = HashMap::new();
    for at in 0..deltas.len() {
        for path in paths(at) {
            owners.entry(path).or_default().insert(at);
        }
    }
    let mut overlaps = vec![BTreeSet::new(); deltas.len()];
    for at in 0..deltas.len() {
        for path in paths(at) {
            let above = path.match_indices('/').map(|(end, _)| &path[..end]);
            let others = above.chain([&path[..]]).filter_map(|path| owners.get(path)).flatten();
            for &other in others.filter(|other| **other != at) {
                overlaps[at].insert(other);
                overlaps[other].insert(at);
            }
        }
    }
    overlaps
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
    use super::{overlap, overlaps};

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
            let others = [usize::from(expected)];
            let among_many = overlaps(&[&a, &b]);
            assert_eq!(among_many.iter().map(|it| it.len()).max(), Some(others[0]), "{a:?} {b:?}");
        }
    }
}
