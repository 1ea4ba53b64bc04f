//! What the files around a source say about how to read it: `"type"` and `"bin"` in `package.json`,
//! `edition` in `Cargo.toml`, and that there is a `.flowconfig`.
//!
//! Nothing else of a project is looked at. A manifest that cannot be read or parsed counts as
//! silent: it is for its own tool to complain about.

#[cfg(any(feature = "javascript", feature = "rust"))]
use std::{
    collections::HashMap,
    path::{Path, PathBuf},
    sync::{Mutex, PoisonError},
};

#[cfg(any(feature = "javascript", feature = "rust"))]
use crate::read::{LARGEST_MANIFEST, regular};

/// Answers found so far, by directory; kept for one call, since files change between calls.
#[derive(Default)]
pub(crate) struct Manifests {
    #[cfg(feature = "javascript")]
    packages: Mutex<HashMap<PathBuf, Option<ModuleType>>>,
    #[cfg(feature = "rust")]
    editions: Mutex<HashMap<PathBuf, Option<ra_ap_parser::Edition>>>,
}

/// What `"type"` in a `package.json` says about `.js` files.
#[cfg(feature = "javascript")]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ModuleType {
    Module,
    CommonJs,
}

impl Manifests {
    /// What the nearest `package.json` says, if there is one that says anything.
    #[cfg(feature = "javascript")]
    pub(crate) fn module_type(&self, source: &Path) -> Option<ModuleType> {
        nearest(&self.packages, &directory(source)?, &|directory| {
            // Node stops here too: a package in `node_modules` does not inherit its user's settings.
            if directory.file_name().is_some_and(|name| name == "node_modules") {
                return Some(None);
            }
            regular(&directory.join("package.json"), LARGEST_MANIFEST)
                .ok()
                .map(|bytes| module_type(&bytes))
        })
    }

    /// Whether the nearest `package.json` lists a file as one of its commands.
    #[cfg(feature = "javascript")]
    pub(crate) fn is_program(&self, source: &Path) -> bool {
        let Some(start) = directory(source) else { return false };
        let package = start.ancestors().find_map(|directory| {
            let bytes = regular(&directory.join("package.json"), LARGEST_MANIFEST).ok()?;
            Some((directory, serde_json::from_slice::<serde_json::Value>(&bytes).ok()?))
        });
        let Some((directory, package)) = package else { return false };
        let is_source = |program: &serde_json::Value| {
            let program = program.as_str().map(|it| directory.join(it.trim_start_matches("./")));
            program.is_some_and(|program| std::path::absolute(source).is_ok_and(|it| it == program))
        };
        match package.get("bin") {
            Some(serde_json::Value::Object(programs)) => programs.values().any(is_source),
            program => program.is_some_and(is_source),
        }
    }

    /// Whether a file belongs to a project of Flow.
    #[cfg(feature = "javascript")]
    pub(crate) fn is_flow(&self, source: &Path) -> bool {
        let is_root = |directory: &Path| directory.join(".flowconfig").is_file();
        directory(source).is_some_and(|start| start.ancestors().any(is_root))
    }

    /// The edition that the nearest `Cargo.toml` asks for.
    #[cfg(feature = "rust")]
    pub(crate) fn edition(&self, source: &Path) -> Option<ra_ap_parser::Edition> {
        nearest(&self.editions, &directory(source)?, &|directory| {
            let text = cargo_manifest(directory)?;
            Some(edition(&text, directory))
        })
    }
}

#[cfg(any(feature = "javascript", feature = "rust"))]
fn directory(source: &Path) -> Option<PathBuf> {
    std::path::absolute(source).ok()?.parent().map(Path::to_owned)
}

/// Asks `look` of a directory and its parents until one of them answers.
#[cfg(any(feature = "javascript", feature = "rust"))]
fn nearest<T: Copy>(
    cache: &Mutex<HashMap<PathBuf, Option<T>>>,
    start: &Path,
    look: &dyn Fn(&Path) -> Option<Option<T>>,
) -> Option<T> {
    let known = |directory: &Path| {
        cache.lock().unwrap_or_else(PoisonError::into_inner).get(directory).copied()
    };
    if let Some(answer) = known(start) {
        return answer;
    }
    let answer =
        start.ancestors().find_map(|directory| known(directory).or_else(|| look(directory)));
    let answer = answer.flatten();
    let mut cache = cache.lock().unwrap_or_else(PoisonError::into_inner);
    cache.insert(start.to_owned(), answer);
    answer
}

#[cfg(feature = "javascript")]
fn module_type(package: &[u8]) -> Option<ModuleType> {
    let package: serde_json::Value = serde_json::from_slice(package).ok()?;
    match package.get("type")?.as_str()? {
        "module" => Some(ModuleType::Module),
        "commonjs" => Some(ModuleType::CommonJs),
        _ => None,
    }
}

/// The text of a directory's `Cargo.toml`.
#[cfg(feature = "rust")]
fn cargo_manifest(directory: &Path) -> Option<String> {
    String::from_utf8(regular(&directory.join("Cargo.toml"), LARGEST_MANIFEST).ok()?).ok()
}

/// The edition of a package, which may be its workspace's; 2015 when it names none.
#[cfg(feature = "rust")]
fn edition(manifest: &str, directory: &Path) -> Option<ra_ap_parser::Edition> {
    let manifest: toml::Table = manifest.parse().ok()?;
    let package = manifest.get("package").or_else(|| manifest.get("project"))?;
    match package.get("edition") {
        // Cargo's default for a package without the key ("The edition field" of its book).
        None => Some(ra_ap_parser::Edition::Edition2015),
        Some(toml::Value::String(year)) => year.parse().ok(),
        Some(_) => workspace_edition(&manifest).or_else(|| {
            directory.ancestors().skip(1).find_map(|directory| {
                let text = cargo_manifest(directory)?;
                workspace_edition(&text.parse().ok()?)
            })
        }),
    }
}

#[cfg(feature = "rust")]
fn workspace_edition(manifest: &toml::Table) -> Option<ra_ap_parser::Edition> {
    manifest.get("workspace")?.get("package")?.get("edition")?.as_str()?.parse().ok()
}
