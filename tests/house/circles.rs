//! No circle of uses between the files of a crate.
//!
//! A module and those above it are one subject, so a use of a module above does not count. A use of what
//! another module re-exports is one of the module that defines it. Tests do not count.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use syn::visit::{self, Visit};

use super::sources::{parsed, sources};

/// The circles that are one subject: the crate, one of the files, and why they need each other. What is no circle any
/// more has to go from here.
const KNOWN: [(&str, &str, &str); 4] = [
    ("crates/ftl-machine", "state", "a state leads to the next, and retries lead back"),
    (
        "crates/ftl-preflight",
        "languages",
        "a language's row names its checker, which is given the language",
    ),
    (
        "crates/ftl-analysis",
        "failures",
        "error lines come from failed tests, whose sections have error lines",
    ),
    (
        "crates/ftl-analysis",
        "quality::structure::examples",
        "a rule's examples are judged as idioms are, by rules",
    ),
];

/// The path of a module below its crate; empty for the crate's root.
type ModulePath = Vec<String>;

/// Which modules each module of one crate uses.
type Uses = BTreeMap<ModulePath, BTreeSet<ModulePath>>;

/// What the modules of a crate import, by the path that the name has in the module that imports it.
type Imports = BTreeMap<ModulePath, ModulePath>;

/// The `crate::…`, `self::…` and `super::…` paths of one file, as paths below the crate's root, and paths
/// that begin with one of its modules.
struct UsedPaths {
    module: ModulePath,
    modules: BTreeSet<String>,
    paths: Vec<ModulePath>,
    imports: Imports,
}

impl UsedPaths {
    fn of(module: ModulePath, file: &syn::File) -> Self {
        let modules = file.items.iter().filter_map(|item| match item {
            syn::Item::Mod(item) => Some(item.ident.to_string()),
            _ => None,
        });
        let modules = modules.collect();
        let mut used = Self { module, modules, paths: Vec::new(), imports: Imports::new() };
        used.visit_file(file);
        used
    }

    fn add(&mut self, segments: &[String], imported: Option<&str>) {
        let mut base = match segments.first().map(String::as_str) {
            Some("crate") => Vec::new(),
            Some("self" | "super") => self.module.clone(),
            Some(first) if self.modules.contains(first) => self.module.clone(),
            _ => return,
        };
        for segment in segments {
            match segment.as_str() {
                "crate" | "self" => {}
                "super" => drop(base.pop()),
                name => base.push(name.to_owned()),
            }
        }
        if let Some(name) = imported {
            self.imports.insert([&self.module[..], &[name.to_owned()]].concat(), base.clone());
        }
        self.paths.push(base);
    }

    fn add_tree(&mut self, prefix: &[String], tree: &syn::UseTree) {
        let with = |ident: &syn::Ident| [prefix, &[ident.to_string()]].concat();
        match tree {
            syn::UseTree::Path(path) => self.add_tree(&with(&path.ident), &path.tree),
            syn::UseTree::Name(name) => {
                self.add(&with(&name.ident), Some(&name.ident.to_string()));
            }
            syn::UseTree::Rename(rename) => {
                self.add(&with(&rename.ident), Some(&rename.rename.to_string()));
            }
            syn::UseTree::Glob(_) => self.add(prefix, None),
            syn::UseTree::Group(group) => {
                group.items.iter().for_each(|item| self.add_tree(prefix, item));
            }
        }
    }
}

/// Whether the item is compiled for tests alone.
fn is_test(attributes: &[syn::Attribute]) -> bool {
    attributes.iter().any(|attribute| {
        let syn::Meta::List(list) = &attribute.meta else { return false };
        list.path.is_ident("cfg") && list.tokens.to_string().contains("test")
    })
}

impl<'ast> Visit<'ast> for UsedPaths {
    fn visit_item_use(&mut self, item: &'ast syn::ItemUse) {
        if !is_test(&item.attrs) {
            self.add_tree(&[], &item.tree);
        }
    }

    fn visit_item_mod(&mut self, item: &'ast syn::ItemMod) {
        if !is_test(&item.attrs) {
            visit::visit_item_mod(self, item);
        }
    }

    fn visit_path(&mut self, path: &'ast syn::Path) {
        let segments: Vec<_> = path.segments.iter().map(|it| it.ident.to_string()).collect();
        self.add(&segments, None);
        visit::visit_path(self, path);
    }
}

/// The crate's source directory and the module that a file is, or none for a file of tests.
fn module(name: &str) -> Option<(String, ModulePath)> {
    let (package, below) = name.split_once("/src/")?;
    let mut parts: ModulePath =
        Path::new(below).with_extension("").iter().map(|it| it.to_str().unwrap().into()).collect();
    if parts.iter().any(|part| part == "tests" || part.ends_with("_tests") || part == "bin") {
        return None;
    }
    if matches!(parts.last()?.as_str(), "mod" | "lib" | "main") {
        parts.pop();
    }
    Some((package.to_owned(), parts))
}

/// The module among `modules` in which `path` is defined: the longest that begins the path.
fn defining<'m>(modules: &'m BTreeSet<ModulePath>, path: &[String]) -> &'m ModulePath {
    let longest = (0..=path.len()).rev().find_map(|length| modules.get(&path[..length]));
    longest.expect("because every crate has a root")
}

/// The path under which something is defined, which `path` names: imports are followed.
fn followed(imports: &Imports, path: &[String]) -> ModulePath {
    let mut path = path.to_vec();
    // A name that two modules import from each other is defined in neither.
    for _ in 0..imports.len() {
        let imported = (1..=path.len()).find_map(|length| {
            let target = imports.get(&path[..length])?;
            Some([&target[..], &path[length..]].concat())
        });
        match imported {
            Some(target) if target != path => path = target,
            _ => break,
        }
    }
    path
}

/// The uses within each crate.
fn uses() -> BTreeMap<String, Uses> {
    let mut files: BTreeMap<String, Vec<(ModulePath, syn::File)>> = BTreeMap::new();
    for (name, text) in sources() {
        if let Some((package, path)) = module(&name) {
            files.entry(package).or_default().push((path, parsed(&name, &text)));
        }
    }
    let of_crate = |files: Vec<(ModulePath, syn::File)>| {
        let modules: BTreeSet<ModulePath> = files.iter().map(|(path, _)| path.clone()).collect();
        let used: Vec<UsedPaths> =
            files.into_iter().map(|(path, file)| UsedPaths::of(path, &file)).collect();
        let imports: Imports = used.iter().flat_map(|it| it.imports.clone()).collect();
        let of_file = |used: UsedPaths| {
            let defined = used.paths.iter().map(|it| followed(&imports, it));
            let targets = defined.map(|it| defining(&modules, &it).clone());
            let elsewhere = targets.filter(|target| !used.module.starts_with(target)).collect();
            (used.module, elsewhere)
        };
        used.into_iter().map(of_file).collect()
    };
    files.into_iter().map(|(package, files)| (package, of_crate(files))).collect()
}

/// Every module that `from` reaches over one or more uses.
fn reached(uses: &Uses, from: &ModulePath) -> BTreeSet<ModulePath> {
    let mut reached = BTreeSet::new();
    let mut open: Vec<&ModulePath> = vec![from];
    while let Some(module) = open.pop() {
        for target in uses.get(module).into_iter().flatten() {
            if reached.insert(target.clone()) {
                open.push(target);
            }
        }
    }
    reached
}

/// The circles of one crate: the sets of modules that reach each other.
fn circles(uses: &Uses) -> BTreeSet<Vec<String>> {
    let all: BTreeMap<&ModulePath, _> = uses.keys().map(|it| (it, reached(uses, it))).collect();
    let with = |module: &ModulePath| {
        let mutual = all[module].iter().filter(|other| all[other].contains(module));
        mutual.map(|it| it.join("::")).collect::<Vec<_>>()
    };
    all.keys().map(|module| with(module)).filter(|circle| circle.len() > 1).collect()
}

#[test]
fn files_of_a_crate_use_each_other_in_one_direction() {
    let mut broken = Vec::new();
    let mut known = KNOWN.to_vec();
    for (package, uses) in uses() {
        for circle in circles(&uses) {
            let of_circle = |known: &(&str, &str, &str)| {
                known.0 == package && circle.iter().any(|file| file == known.1)
            };
            match known.iter().position(of_circle) {
                Some(index) => drop(known.remove(index)),
                None => broken.push(format!("{package}: a circle: {}", circle.join(", "))),
            }
        }
    }
    broken
        .extend(known.iter().map(|known| format!("{}: no circle any more: {}", known.0, known.1)));
    assert!(broken.is_empty(), "{}", broken.join("\n"));
}

#[test]
fn a_circle_is_found_and_a_use_of_the_parent_is_none() {
    let path = |text: &str| text.split("::").map(str::to_owned).collect::<ModulePath>();
    let uses = |pairs: &[(&str, &[&str])]| -> Uses {
        pairs
            .iter()
            .map(|(from, to)| (path(from), to.iter().map(|it| path(it)).collect()))
            .collect()
    };
    let forward = uses(&[("a", &["a::b", "c"]), ("a::b", &["c"]), ("c", &[])]);
    assert!(circles(&forward).is_empty());
    let around = uses(&[("a", &["b"]), ("b", &["c"]), ("c", &["a"])]);
    assert_eq!(circles(&around), BTreeSet::from([vec!["a".into(), "b".into(), "c".into()]]));
}
