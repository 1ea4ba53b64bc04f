//! The exports of a file, in any language.
//!
//! An import names a module, not a file. Where packages are found is up to configuration and the
//! environment, so an absolute import gives endings of paths, and a file of the delta with such an
//! ending may be meant ([`Target::may_be`]) or must be ([`Target::must_be`]).

use std::collections::{BTreeMap, BTreeSet};

use super::parameters::Parameters;

/// What a file gives to others, as far as its text says.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Module {
    /// Names at module level, each with every binding that it may have.
    pub(super) names: BTreeMap<String, Vec<Binding>>,
    /// Files of which everything is passed on.
    pub(super) stars: Vec<Vec<Target>>,
    /// Names taken from other files so that others find them here: what a package's `__init__` imports from its
    /// own modules, and `import a as a`.
    pub(super) passed_on: BTreeSet<String>,
    /// The names that the file itself declares public, where it does.
    pub(super) declared: Option<Vec<String>>,
    /// What the functions among the names take.
    pub(super) parameters: Parameters,
    /// `Type.method` of the types at the top, where the method is as public as its type.
    pub(super) members: BTreeSet<String>,
    /// Names in strings of a file that answers for names as they are asked for (Python's `__getattr__`, PEP 562).
    pub(super) on_request: BTreeSet<String>,
    /// Modules that are declared here and that others can't reach.
    pub(super) hidden: BTreeSet<String>,
    /// Other files can't import this one: a program's.
    pub(super) is_program: bool,
}

/// One way in which a name comes to be.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Binding {
    /// Something that can be called: a function or a class.
    Callable,
    /// A plain value that cannot be called.
    Data,
    /// A value of which the text does not tell.
    Value,
    /// Taken from another file under `name`.
    Imported {
        /// Where the file may lie.
        files: Vec<Target>,
        /// Its name there; `None` for a whole module.
        name: Option<String>,
    },
}

/// A path by which a file may be meant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Target {
    /// This path below the root.
    Path(String),
    /// Any path that ends so.
    Ending(String),
}

impl Target {
    /// Whether `path` may be meant.
    pub(super) fn may_be(&self, path: &str) -> bool {
        match self {
            Self::Path(target) => target == path,
            Self::Ending(ending) => path
                .strip_suffix(ending.as_str())
                .is_some_and(|parent| parent.is_empty() || parent.ends_with('/')),
        }
    }

    /// Whether nothing but `path` can be meant, so that what it lacks is missing. A package may hold
    /// modules that its own file does not name.
    pub(super) fn must_be(&self, path: &str) -> bool {
        let is_package = path.rsplit('/').next() == Some("__init__.py");
        !is_package
            && match self {
                Self::Path(target) => target == path,
                Self::Ending(ending) => path.strip_prefix("src/").unwrap_or(path) == ending,
            }
    }
}

impl Module {
    /// Adds a way in which a name comes to be.
    pub(super) fn bind(&mut self, name: &str, binding: Binding) {
        let bindings = self.names.entry(name.to_owned()).or_default();
        if !bindings.contains(&binding) {
            // Most names have one, and a large file has very many names.
            bindings.reserve_exact(1);
            bindings.push(binding);
        }
    }

    /// Whether others may rely on `name` without its being listed: declared so, or defined here or passed on,
    /// and without a leading underscore.
    pub(super) fn is_public(&self, name: &str) -> bool {
        match &self.declared {
            Some(declared) => declared.iter().any(|one| one == name),
            None => !name.starts_with('_') && (self.defines(name) || self.passed_on.contains(name)),
        }
    }

    /// Whether `name` comes to be in this file, rather than being taken from another.
    pub(super) fn defines(&self, name: &str) -> bool {
        let imported = |binding: &Binding| matches!(binding, Binding::Imported { .. });
        let bindings = self.names.get(name);
        bindings.is_some_and(|bindings| !bindings.iter().all(imported))
    }
}
