//! `pub use`: what a file gives on from elsewhere.

use crate::quality::exports::listed::split;
use crate::quality::exports::module::{Binding, Module, Target};

/// Takes in a tree of imports such as `crate::a::{b, c as d, e::*}`, written without spaces but
/// around `as`.
pub(super) fn read(path: &str, tree: &str, modules: &[String], module: &mut Module) {
    // A prefix and what follows it; braces nest, so the stack is of our own.
    let mut left = vec![(String::new(), tree)];
    while let Some((prefix, tree)) = left.pop() {
        if let Some((head, inner)) = tree.split_once('{') {
            let inner = inner.strip_suffix('}').unwrap_or(inner);
            let prefix = format!("{prefix}{head}");
            for part in split(inner) {
                left.push((prefix.clone(), part));
            }
        } else if !tree.is_empty() {
            one(path, &format!("{prefix}{tree}"), modules, module);
        }
    }
}

fn one(path: &str, import: &str, modules: &[String], module: &mut Module) {
    let (import, alias) = match import.split_once(" as ") {
        Some((import, alias)) => (import, Some(alias)),
        None => (import, None),
    };
    let mut segments: Vec<&str> = import.trim_start_matches("::").split("::").collect();
    let Some(mut last) = segments.pop() else {
        return;
    };
    let is_module = last == "self" && !segments.is_empty();
    if is_module {
        last = segments.pop().unwrap_or_default();
    }
    let files = files(path, &segments, modules);
    if last == "*" {
        module.stars.push(files);
        return;
    }
    let exported = alias.unwrap_or(last);
    if exported != "_" {
        let name = (!is_module).then(|| last.to_owned());
        module.bind(exported, Binding::Imported { files, name });
    }
}

/// The files that may hold a module; none where it is in another crate, or in an item.
fn files(path: &str, segments: &[&str], modules: &[String]) -> Vec<Target> {
    let is_here = |name: &str| {
        matches!(name, "crate" | "self" | "super") || modules.iter().any(|known| known == name)
    };
    if !segments.first().is_some_and(|first| is_here(first)) {
        return Vec::new();
    }
    match segments.last() {
        Some(&"crate") => ["lib.rs", "main.rs"].map(ending).to_vec(),
        Some(&"super") => above(path),
        Some(&"self") | None => Vec::new(),
        Some(name) => vec![ending(&format!("{name}.rs")), ending(&format!("{name}/mod.rs"))],
    }
}

fn ending(text: &str) -> Target {
    Target::Ending(text.to_owned())
}

/// Where the module above a file's own may lie.
fn above(path: &str) -> Vec<Target> {
    let (directory, name) = path.rsplit_once('/').unwrap_or(("", path));
    // The file of a directory's own module is the directory's.
    let directory = match name {
        "mod.rs" => directory.rsplit_once('/').map_or("", |(above, _)| above),
        _ => directory,
    };
    let mut files: Vec<Target> = ["mod.rs", "lib.rs", "main.rs"]
        .map(|name| Target::Path(format!("{directory}/{name}")))
        .to_vec();
    files.push(Target::Path(format!("{directory}.rs")));
    files
}
