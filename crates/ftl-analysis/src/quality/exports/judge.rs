//! What became of each listed export: kept, moved, lost, or never there.
//!
//! A list is a planner's claim, so the files before the task have the last word on what was there. Where
//! the text does not tell, such as a value that may or may not be callable, the verdict is in favour of
//! the code: a lost export blocks the task. A file that nests too deeply to be read gives nothing, or
//! nesting would be a way around the check.

use ftl_model::{CodeContext, DeltaPath};
use regex::Regex;

use super::delta::Delta;
use super::listed::{Listed, listed};
use super::neighbours::neighbours;
use super::package::{import_path, modules_around, unimportable};
use super::readers::reader_for;
use crate::quality::FileText;
use ftl_model::{ExportStatus, ExportVerdict};

/// Names that a warning lists; the others are counted.
const SHOWN: usize = 20;

/// Whether it is known how the files were.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Before {
    /// It is.
    Known,
    /// It is not: what was listed counts as having been there.
    Unknown,
}

/// What became of the exports.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Exports {
    /// One verdict a name and file, in the order of the document.
    pub verdicts: Vec<ExportVerdict>,
    /// What blocks nothing but should be known.
    pub warnings: Vec<String>,
}

/// Judges whether the names listed in `contexts` are still given by their files.
///
/// Lists for the same file are united. A name that moved to another file of the delta must be given
/// by the old one still. `allow_removed` holds names that may go, `name` or `path:name`, in which `*`
/// matches any text and `?` any character. `others` gives the text of a file beside the delta, by its path:
/// it is asked for files that one of the delta passes on as a whole. `is_shallow` says of a path and a text whether
/// a parser may recurse as deeply as the text nests; what it refuses is reported as unreadable.
pub fn judge_exports(
    contexts: &[CodeContext],
    files: &[FileText<'_>],
    before: Before,
    allow_removed: &[String],
    others: &dyn Fn(&str) -> Option<String>,
    is_shallow: &dyn Fn(&str, &str) -> bool,
) -> Exports {
    let mut was = Delta::read(files, is_shallow, |file| file.before);
    let mut is = Delta::read(files, is_shallow, |file| file.after);
    let paths: Vec<&str> = files.iter().map(|file| file.path).collect();
    let modules: Vec<_> = was.all().chain(is.all()).collect();
    let around = neighbours(&modules, &paths, others, is_shallow);
    was.add(&around);
    is.add(&around);
    let mut judge = Judge {
        was,
        is,
        before,
        allow_removed: patterns(allow_removed),
        exports: Exports::default(),
    };
    let lists = united(contexts);
    for (path, names) in &lists {
        judge.list(path, names, files);
    }
    for file in files {
        let listed = lists.iter().find(|(path, _)| path == file.path);
        judge.unlisted(file, listed.map_or(&[], |(_, names)| names.as_slice()));
    }
    judge.exports
}

/// The listed names by file, in the order of the document.
fn united(contexts: &[CodeContext]) -> Vec<(String, Vec<Listed>)> {
    let mut lists: Vec<(String, Vec<Listed>)> = Vec::new();
    for context in contexts {
        let Some(path) = context.path.as_deref() else {
            continue;
        };
        let path = match DeltaPath::parse(path) {
            Ok(path) => path.as_str().to_owned(),
            Err(_) => path.to_owned(),
        };
        let names = listed(&context.exports);
        match lists.iter_mut().find(|(known, _)| *known == path) {
            Some((_, known)) => {
                let new = names.into_iter().filter(|name| !known.contains(name));
                let new: Vec<Listed> = new.collect();
                known.extend(new);
            }
            None => lists.push((path, names)),
        }
    }
    lists
}

/// Patterns that match what may go, `path:name`.
fn patterns(allowed: &[String]) -> Vec<Regex> {
    let pattern = |allowed: &String| {
        let allowed = allowed.trim().trim_end_matches("()");
        let escaped = regex::escape(allowed).replace(r"\*", ".*").replace(r"\?", ".");
        let path = if allowed.contains(':') { "" } else { ".*:" };
        Regex::new(&format!("^(?s:{path}{escaped})$")).ok()
    };
    allowed.iter().filter_map(pattern).collect()
}

/// The first names, and how many more there are.
fn listed_names(names: &[String]) -> String {
    let more = match names.len().saturating_sub(SHOWN) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    format!("{}{more}", names[..names.len().min(SHOWN)].join(", "))
}

struct Judge<'a> {
    was: Delta<'a>,
    is: Delta<'a>,
    before: Before,
    allow_removed: Vec<Regex>,
    exports: Exports,
}

impl Judge<'_> {
    fn list(&mut self, path: &str, names: &[Listed], files: &[FileText<'_>]) {
        if names.is_empty() {
            return;
        }
        if !files.iter().any(|file| file.path == path) {
            self.warn(format!("the exports of {path} are not judged: it is not in the delta"));
        } else if reader_for(path).is_none() {
            self.warn(format!("the exports of {path} are not judged: its language is not known"));
        } else {
            if self.is.is_unreadable(path) || self.was.is_unreadable(path) {
                self.warn(format!("{path} nests too deeply for its exports to be read"));
            }
            names.iter().for_each(|listed| self.name(path, listed));
        }
    }

    fn name(&mut self, path: &str, listed: &Listed) {
        let name = listed.name.as_str();
        let verdict = self.status(path, listed);
        if verdict == ExportStatus::Lost {
            if self.may_go(path, name) {
                self.warn(format!("`{name}` of {path} is gone, as was allowed"));
                return;
            }
            if let Some(why) = self.private(path, name) {
                self.warn(format!("`{name}` of {path} is gone; it is {why}"));
                return;
            }
            let had = self.was.definers(name, path);
            let has = self.is.definers(name, path);
            if let Some(other) = has.iter().find(|other| !had.contains(other)) {
                let words = format!("`{name}` is now in {other}, but {path} does not give it on");
                self.warn(words);
            }
        }
        if matches!(verdict, ExportStatus::Kept | ExportStatus::Moved) {
            self.parameters(path, name);
        }
        // A name that the change itself added is no mistake.
        if verdict == ExportStatus::NeverThere && self.is.origin(path, name).is_none() {
            self.warn(format!("{path} never had the export `{name}`"));
        }
        self.exports.verdicts.push(ExportVerdict {
            path: path.to_owned(),
            name: listed.written(),
            verdict,
        });
    }

    fn status(&self, path: &str, listed: &Listed) -> ExportStatus {
        let had = self.was.origin(path, &listed.name);
        let is_known = self.before == Before::Known && !self.was.is_unreadable(path);
        if is_known && had.is_none() {
            return ExportStatus::NeverThere;
        }
        let was_data = had.is_some_and(|origin| !origin.may_be_called);
        let must_be_callable = listed.is_callable && !was_data;
        match self.is.origin(path, &listed.name) {
            None => ExportStatus::Lost,
            Some(now) if must_be_callable && !now.may_be_called => ExportStatus::Lost,
            Some(now)
                if import_path(now.path) == import_path(path)
                    || had.is_some_and(|had| had.path != path) =>
            {
                ExportStatus::Kept
            }
            Some(_) => ExportStatus::Moved,
        }
    }

    /// Warns of public names that the task does not list and that are gone.
    fn unlisted(&mut self, file: &FileText<'_>, listed: &[Listed]) {
        if unimportable(file.path).is_some()
            || self.was.module(file.path).is_some_and(|it| it.is_program)
        {
            return;
        }
        let mut others = self.was.public(file.path);
        others.retain(|name| !listed.iter().any(|one| one.name == *name));
        let gone: Vec<String> = others
            .iter()
            .filter(|name| self.is.origin(file.path, name).is_none())
            .filter(|name| !self.may_go(file.path, name))
            .filter(|name| self.private(file.path, name).is_none())
            .map(|name| format!("`{name}`"))
            .collect();
        if !gone.is_empty() {
            self.warn(format!(
                "public names of {} that the task does not list are gone: {}",
                file.path,
                listed_names(&gone)
            ));
        }
        for name in others {
            self.parameters(file.path, &name);
        }
        self.methods(file.path);
    }

    /// Warns of methods that a type which is still there has no more.
    fn methods(&mut self, path: &str) {
        let (was, is) = (self.was.members(path), self.is.members(path));
        let is_gone = |member: &&&str| {
            let (of, name) = member.split_once('.').unwrap_or((member, ""));
            // A class above this one may have it now.
            let is_elsewhere = self.is.all().any(|(_, module)| {
                module
                    .members
                    .iter()
                    .any(|it| it.rsplit('.').next() == Some(name) && !was.contains(it.as_str()))
            });
            !is.contains(**member)
                && !is_elsewhere
                && self.is.origin(path, of).is_some()
                && self.private(path, of).is_none()
                && !self.may_go(path, name)
                && !self.may_go(path, member)
        };
        let gone: Vec<String> = was.iter().filter(is_gone).map(|it| format!("`{it}`")).collect();
        let is_first = self.is.all().chain(self.was.all()).all(|(other, module)| {
            import_path(other) != import_path(path) || module.members.is_empty() || other >= path
        });
        if is_first && !gone.is_empty() {
            self.warn(format!("public methods in {path} are gone: {}", listed_names(&gone)));
        }
    }

    /// Warns where a function takes something else than before.
    fn parameters(&mut self, path: &str, name: &str) {
        let (was, is) = (self.was.parameters(path, name), self.is.parameters(path, name));
        if let (Some(was), Some(is)) = (was, is)
            && was != is
        {
            self.warn(format!(
                "the parameters of `{name}` in {path} changed: `{was}` is now `{is}`"
            ));
        }
    }

    fn may_go(&self, path: &str, name: &str) -> bool {
        let name = format!("{path}:{name}");
        self.allow_removed.iter().any(|allowed| allowed.is_match(&name))
    }

    /// Why other code must not rely on a name, to follow `it is`; `None` of a public one.
    fn private(&self, path: &str, name: &str) -> Option<&'static str> {
        if let Some(why) = unimportable(path) {
            return Some(why);
        }
        let was = self.was.module(path);
        let declared = was.and_then(|was| was.declared.as_ref());
        let is_declared = declared.is_some_and(|names| names.iter().any(|one| one == name));
        if name.starts_with('_') && !is_declared {
            return Some("not public");
        }
        if was.is_some_and(|was| was.is_program) {
            return Some("a program's");
        }
        self.hidden(path, name)
    }

    /// A name in a private module of Rust is seen where a module around it gives it on.
    fn hidden(&self, path: &str, name: &str) -> Option<&'static str> {
        let mut path = path;
        for _ in 0..16 {
            let (files, module) = modules_around(path)?;
            let (around, was) =
                self.was.all().find(|(it, _)| files.iter().any(|file| file == it))?;
            if was.hidden.contains(module) {
                return match self.was.origin(around, name) {
                    None => Some("in a private module"),
                    Some(_) => {
                        self.is.origin(around, name).map(|_| "given on by the module around it")
                    }
                };
            }
            path = around;
        }
        None
    }

    fn warn(&mut self, warning: String) {
        self.exports.warnings.push(warning);
    }
}
