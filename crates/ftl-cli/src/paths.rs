//! Paths of a result as they are typed in the current directory. Results have them from the project's root.

use std::collections::BTreeSet;
use std::env;
use std::path::{Path, PathBuf};

use ftl_engine::project::{display_path, lexical, shown_command};
use ftl_engine::result::BuildResult;

/// Characters between the words of a sentence, of which paths are some.
const BETWEEN: &[char] = &[' ', '`', '\'', '"', ',', ';', '(', ')', ':', '\n'];

/// Where the project of a result is, seen from the current directory.
#[derive(Debug, Default)]
pub(crate) struct Here {
    /// The root; none where it is the current directory.
    root: Option<PathBuf>,
    /// The paths that occur in sentences.
    known: BTreeSet<String>,
}

impl Here {
    /// Of a result, whose task file is in the project's `.ftl`.
    pub(crate) fn of(result: &BuildResult) -> Self {
        let files = result.files.iter().map(|file| file.path.to_string());
        let checks = result.preflight.iter().map(|check| check.path.clone());
        let exports = result.quality.exports.iter().map(|export| export.path.clone());
        let idioms = result.quality.idioms.iter().flat_map(|idiom| &idiom.places);
        let places = idioms.map(|place| place.path.clone());
        let others = result.strays.iter().chain(&result.allowed).chain(&result.quarantine).cloned();
        let known = files.chain(checks).chain(exports).chain(places).chain(others);
        Self::at(&result.workspace, known)
    }

    /// Of a task file, with paths that its sentences name.
    pub(crate) fn at(task: &str, known: impl IntoIterator<Item = String>) -> Self {
        let cwd = env::current_dir().unwrap_or_default();
        let file = lexical(&cwd.join(task));
        let own = file.ancestors().find(|at| at.file_name().is_some_and(|name| name == ".ftl"));
        match own.and_then(Path::parent).filter(|root| *root != cwd) {
            Some(root) => Self { root: Some(root.to_owned()), known: known.into_iter().collect() },
            None => Self::default(),
        }
    }

    /// A path from the root.
    pub(crate) fn path(&self, path: &str) -> String {
        match &self.root {
            Some(root) => display_path(&lexical(&root.join(path))).display().to_string(),
            None => path.to_owned(),
        }
    }

    /// A command that runs in the root.
    pub(crate) fn command(&self, command: &str) -> String {
        match &self.root {
            Some(root) => shown_command(root, command),
            None => command.to_owned(),
        }
    }

    /// A sentence of ftl's that names files of the result.
    pub(crate) fn sentence(&self, text: &str) -> String {
        if self.root.is_none() {
            return text.to_owned();
        }
        let mut said = String::new();
        for piece in text.split_inclusive(BETWEEN) {
            let word = piece.trim_end_matches(BETWEEN);
            let path = word.trim_end_matches('.');
            if self.known.contains(path) || path.starts_with(".ftl/") {
                said.push_str(&self.path(path));
                said.push_str(&piece[path.len()..]);
            } else {
                said.push_str(piece);
            }
        }
        said
    }
}

#[cfg(test)]
mod tests {
    use super::Here;

    #[test]
    fn a_sentence_names_files_as_they_are_typed_here() {
        let cwd = std::env::current_dir().unwrap();
        let known = ["shop/a.py".to_owned(), "b.py".to_owned()].into();
        let here = Here { root: cwd.parent().map(ToOwned::to_owned), known };
        let said = here.sentence("`b.py` of b.pyc: shop/a.py:3, .ftl/runs/x. b.py.");
        // Whether the parent is a project depends on where the test runs: then the paths are absolute.
        let [b, a, runs] = ["b.py", "shop/a.py", ".ftl/runs/x"].map(|path| here.path(path));
        assert_eq!(said, format!("`{b}` of b.pyc: {a}:3, {runs}. {b}."));
        assert_eq!(Here::default().sentence("b.py"), "b.py");
    }
}
