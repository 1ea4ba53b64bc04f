//! The languages whose exports can be read.

use super::module::Module;
use super::{ecmascript, go, python, rust};

/// All names that a file gives to who asks for them, public or not, sorted; `None` where its language is not known or it cannot
/// be read. It recurses as [`super::export_names`] does.
pub fn given_names(path: &str, text: &str) -> Option<Vec<String>> {
    let module = reader_for(path)?(path, text)?;
    Some(module.names.into_keys().collect())
}

/// Reads a file; `None` when it nests too deeply to be read.
type Reader = fn(path: &str, text: &str) -> Option<Module>;

/// The languages whose exports can be read: endings of their files, and their readers.
const LANGUAGES: [(&[&str], Reader); 4] = [
    (&[".py", ".pyi", ".pyw"], python::module),
    (&[".js", ".jsx", ".mjs", ".cjs", ".ts", ".tsx", ".mts", ".cts"], ecmascript::module),
    (&[".go"], go::module),
    (&[".rs"], rust::module),
];

/// Whether the exports of a file with this name can be read.
pub fn reads_exports(path: &str) -> bool {
    reader_for(path).is_some()
}

/// The reader of the exports of `path`; none when its language is not known here.
pub(super) fn reader_for(path: &str) -> Option<Reader> {
    LANGUAGES
        .iter()
        .find(|(endings, _)| endings.iter().any(|ending| path.ends_with(ending)))
        .map(|(_, reader)| *reader)
}
