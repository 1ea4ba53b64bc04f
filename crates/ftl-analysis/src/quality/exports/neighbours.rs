//! Files beside the delta that decide what importers see of it: those that a file of the delta passes on as a whole
//! (`export *`, `from .a import *`), and in Rust those of the modules around it.
//!
//! They were not changed, so one text serves for before and after. Rust's globs and Go's packages are not followed.

use std::collections::BTreeSet;

use super::module::{Module, Target};
use super::package::{is_followed, modules_around};
use super::readers::reader_for;

/// Files that are read for one delta at most; a barrel file of more is judged by the first of them.
const MOST: usize = 1_000;

/// The files that `modules` pass on as a whole, directly or through each other, with their paths. `known` are the
/// paths of the delta, which are not asked for.
pub(super) fn neighbours(
    modules: &[(&str, &Module)],
    known: &[&str],
    others: &dyn Fn(&str) -> Option<String>,
    is_shallow: &dyn Fn(&str, &str) -> bool,
) -> Vec<(String, Module)> {
    let mut seen: BTreeSet<String> = known.iter().map(|path| (*path).to_owned()).collect();
    let mut left: Vec<Vec<String>> =
        modules.iter().flat_map(|(path, it)| [stars(path, it), above(path)].concat()).collect();
    let mut found = Vec::new();
    while let Some(candidates) = left.pop() {
        if found.len() == MOST {
            break;
        }
        for path in candidates {
            if seen.contains(&path) {
                break;
            }
            let read = reader_for(&path).zip(others(&path));
            let Some((reader, text)) = read else {
                continue;
            };
            seen.insert(path.clone());
            let module = is_shallow(&path, &text).then(|| reader(&path, &text)).flatten();
            if let Some(module) = module {
                left.extend(stars(&path, &module));
                left.extend(above(&path));
                found.push((path, module));
            }
            break;
        }
    }
    found
}

/// The paths that the file of the Rust module around `path` may have.
fn above(path: &str) -> Vec<Vec<String>> {
    modules_around(path).into_iter().map(|(paths, _)| paths).collect()
}

/// For each file that is passed on, the paths that it may have, the likeliest first.
fn stars(path: &str, module: &Module) -> Vec<Vec<String>> {
    if !is_followed(path) {
        return Vec::new();
    }
    let of = |targets: &Vec<Target>| targets.iter().flat_map(|it| candidates(path, it)).collect();
    module.stars.iter().map(of).collect()
}

fn candidates(path: &str, target: &Target) -> Vec<String> {
    match target {
        Target::Path(path) => vec![path.clone()],
        // An absolute import starts at a directory above the importing file, or beside it.
        Target::Ending(ending) => {
            let parts: Vec<&str> = path.split('/').collect();
            let above = |count: usize| [&parts[..count], &[ending.as_str()]].concat().join("/");
            (0..parts.len()).rev().map(above).collect()
        }
    }
}
