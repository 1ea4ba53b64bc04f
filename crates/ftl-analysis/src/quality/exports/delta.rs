//! Names followed through the imports of the delta's files, before or after the task.
//!
//! Beside the delta only files are read that one of its files passes on as a whole. Another import that leads, or
//! may lead, out of the delta counts as good: what is not in the delta was not changed. An import of a file of the delta is followed, and a name that is missing
//! there is lost, if no other file can be meant. Circles of imports give nothing.

use std::collections::{BTreeMap, BTreeSet};

use super::module::{Binding, Module, Target};
use super::package::{import_path, is_public_face, is_python};
use super::readers::reader_for;
use crate::quality::FileText;

/// The files of the delta at one time, read for what they give to others.
pub(super) struct Delta<'a> {
    /// Every file; `None` where it does not exist or its language is not known.
    modules: BTreeMap<&'a str, Option<Module>>,
    /// Files that do not exist.
    absent: BTreeSet<&'a str>,
}

/// Where a name comes to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Origin<'a> {
    /// The file of the delta, or the one asked when it takes the name from elsewhere.
    pub(super) path: &'a str,
    /// Whether it may be something that can be called.
    pub(super) may_be_called: bool,
}

/// What an import leads to.
enum Followed<'a> {
    Found(Origin<'a>),
    Missing,
    /// It leads out of the delta, or may.
    Outside,
}

impl<'a> Delta<'a> {
    /// Reads the texts that `text_of` picks, those that `is_shallow` enough for a parser.
    pub(super) fn read(
        files: &[FileText<'a>],
        is_shallow: &dyn Fn(&str, &str) -> bool,
        text_of: impl Fn(&FileText<'a>) -> Option<&'a str>,
    ) -> Self {
        let read = |file: &FileText<'a>| {
            let text = text_of(file);
            let module = text.and_then(|text| {
                let reader = reader_for(file.path)?;
                is_shallow(file.path, text).then(|| reader(file.path, text))?
            });
            (file.path, module)
        };
        let absent = files.iter().filter(|file| text_of(file).is_none());
        Self {
            absent: absent.map(|file| file.path).collect(),
            modules: files.iter().map(read).collect(),
        }
    }

    /// One file, and those that it passes on.
    pub(super) fn of_modules(
        path: &'a str,
        module: Module,
        around: &'a [(String, Module)],
    ) -> Self {
        let mut delta =
            Self { modules: BTreeMap::from([(path, Some(module))]), absent: BTreeSet::new() };
        delta.add(around);
        delta
    }

    /// Adds files that are not in the delta.
    pub(super) fn add(&mut self, around: &'a [(String, Module)]) {
        let around = around.iter().map(|(path, it)| (path.as_str(), Some(it.clone())));
        self.modules.extend(around);
    }

    /// The files that exist and can be read.
    pub(super) fn all(&self) -> impl Iterator<Item = (&'a str, &Module)> {
        self.modules.iter().filter_map(|(path, module)| Some((*path, module.as_ref()?)))
    }

    /// The public names of the file at `path`, with those that it passes on as a whole.
    pub(super) fn public(&self, path: &str) -> BTreeSet<String> {
        let mut names = BTreeSet::new();
        self.add_public(path, is_public_face(path), &mut names, &mut BTreeSet::new());
        names
    }

    fn add_public(
        &self,
        path: &str,
        passes_on: bool,
        names: &mut BTreeSet<String>,
        seen: &mut BTreeSet<String>,
    ) {
        let Some(module) = self.module(path).filter(|_| seen.insert(path.to_owned())) else {
            return;
        };
        names.extend(module.names.keys().filter(|name| module.is_public(name)).cloned());
        if !passes_on {
            return;
        }
        let mut passed = BTreeSet::new();
        for target in module.stars.iter().flatten() {
            for &path in self.modules.keys().filter(|path| target.may_be(path)) {
                self.add_public(path, true, &mut passed, seen);
            }
        }
        let declared = module.declared.as_ref().filter(|_| is_python(path));
        passed.retain(|name| match declared {
            Some(declared) => declared.contains(name),
            None => name != "default",
        });
        names.extend(passed);
    }

    /// Whether the name that the file at `path` gives is a function or a class.
    pub(super) fn is_callable(&self, path: &str, name: &str) -> bool {
        let origin = self.origin(path, name);
        let module = origin.and_then(|origin| self.module(origin.path));
        let bindings = module.and_then(|module| module.names.get(name));
        bindings.is_some_and(|bindings| bindings.contains(&Binding::Callable))
    }

    /// The file at `path`, when it exists and can be read.
    pub(super) fn module(&self, path: &str) -> Option<&Module> {
        self.modules.get(path)?.as_ref()
    }

    /// Whether the file at `path` exists but cannot be read.
    pub(super) fn is_unreadable(&self, path: &str) -> bool {
        self.modules.get(path).is_some_and(Option::is_none) && !self.absent.contains(path)
    }

    /// Other files that define `name` themselves.
    pub(super) fn definers(&self, name: &str, but: &str) -> Vec<&'a str> {
        let defines =
            |module: &Option<Module>| module.as_ref().is_some_and(|module| module.defines(name));
        let others = self.modules.iter().filter(|(path, module)| **path != but && defines(module));
        others.map(|(path, _)| *path).collect()
    }

    /// Where the `name` that importers find at the import path of `path` comes to be; `None` when there is no such
    /// name.
    pub(super) fn origin(&self, path: &str, name: &str) -> Option<Origin<'a>> {
        let of = |path: &str| self.follow(path, name, &mut BTreeSet::new());
        of(path).or_else(|| {
            let beside = self.modules.keys().filter(|it| import_path(it) == import_path(path));
            beside.filter(|it| **it != path).find_map(|it| of(it))
        })
    }

    /// The methods of the types at the import path of `path`.
    pub(super) fn members(&self, path: &str) -> BTreeSet<&str> {
        let beside = self.all().filter(|(it, _)| import_path(it) == import_path(path));
        let all: Vec<&Module> = beside.map(|(_, module)| module).collect();
        all.into_iter().flat_map(|module| module.members.iter().map(String::as_str)).collect()
    }

    /// What the function `name` that the file at `path` gives takes, where it comes to be.
    pub(super) fn parameters(&self, path: &str, name: &str) -> Option<String> {
        let origin = self.origin(path, name)?;
        self.module(origin.path)?.parameters.of(name)
    }

    fn follow(
        &self,
        path: &str,
        name: &str,
        seen: &mut BTreeSet<(String, String)>,
    ) -> Option<Origin<'a>> {
        if !seen.insert((path.to_owned(), name.to_owned())) {
            return None;
        }
        let (&path, module) = self.modules.get_key_value(path)?;
        let module = module.as_ref()?;
        let bindings = module.names.get(name).into_iter().flatten();
        let bound = bindings
            .filter_map(|binding| self.bound(path, binding, seen))
            .max_by_key(|origin| (origin.may_be_called, origin.path != path));
        let on_request =
            || module.on_request.contains(name).then_some(Origin { path, may_be_called: true });
        bound.or_else(|| self.passed_on(module, name, seen)).or_else(on_request)
    }

    fn bound(
        &self,
        path: &'a str,
        binding: &Binding,
        seen: &mut BTreeSet<(String, String)>,
    ) -> Option<Origin<'a>> {
        let here = |may_be_called| Some(Origin { path, may_be_called });
        match binding {
            Binding::Callable | Binding::Value => here(true),
            Binding::Data => here(false),
            Binding::Imported { files, name } => {
                match self.imported(files, name.as_deref(), seen) {
                    Followed::Found(origin) => Some(origin),
                    Followed::Missing => None,
                    Followed::Outside => here(true),
                }
            }
        }
    }

    fn imported(
        &self,
        files: &[Target],
        name: Option<&str>,
        seen: &mut BTreeSet<(String, String)>,
    ) -> Followed<'a> {
        let Some(name) = name else {
            return Followed::Outside;
        };
        for target in files {
            for &path in self.modules.keys().filter(|path| target.may_be(path)) {
                if let Some(origin) = self.follow(path, name, seen) {
                    return Followed::Found(origin);
                }
                let is_readable = self.module(path).is_some() || self.absent.contains(path);
                if is_readable && target.must_be(path) && !self.has_other(files, path) {
                    return Followed::Missing;
                }
            }
        }
        Followed::Outside
    }

    /// Whether the delta holds another file, and one that exists, that may be meant.
    fn has_other(&self, files: &[Target], but: &str) -> bool {
        let others =
            self.modules.keys().filter(|path| **path != but && !self.absent.contains(*path));
        others.into_iter().any(|path| files.iter().any(|target| target.may_be(path)))
    }

    fn passed_on(
        &self,
        module: &Module,
        name: &str,
        seen: &mut BTreeSet<(String, String)>,
    ) -> Option<Origin<'a>> {
        let targets = module.stars.iter().flatten();
        for target in targets {
            for &path in self.modules.keys().filter(|path| target.may_be(path)) {
                let passes = |module: &Module| match &module.declared {
                    // `export *` leaves out what a module gives by default.
                    _ if name == "default" => false,
                    Some(declared) if is_python(path) => declared.iter().any(|one| one == name),
                    None if is_python(path) => !name.starts_with('_'),
                    // All that a module has, and what it passes on itself.
                    _ => true,
                };
                if self.module(path).is_some_and(passes)
                    && let Some(origin) = self.follow(path, name, seen)
                {
                    return Some(origin);
                }
            }
        }
        None
    }
}
