//! What others import: by which path, and which files are the public face of a package, by their names.

use super::test_file::is_test_file;

/// Whether what a file passes on as a whole is part of its public names.
pub(super) fn is_public_face(path: &str) -> bool {
    is_followed(path) && (!is_python(path) || is_package(path))
}

/// Whether a file is Python's.
pub(super) fn is_python(path: &str) -> bool {
    [".py", ".pyi", ".pyw"].iter().any(|ending| path.ends_with(ending))
}

/// Whether files that this one passes on as a whole are read.
pub(super) fn is_followed(path: &str) -> bool {
    !path.ends_with(".rs") && !path.ends_with(".go")
}

/// Whether a path is that of a Python package's own file.
pub(super) fn is_package(path: &str) -> bool {
    matches!(path.rsplit('/').next(), Some("__init__.py" | "__init__.pyi"))
}

/// The path by which others import what is in a file: Python's module, the directory of a Go package, Rust's module
/// path, what an import of JavaScript or TypeScript may leave out left out. Files with one import path are one to
/// an importer.
pub(super) fn import_path(path: &str) -> &str {
    let (directory, name) = path.rsplit_once('/').unwrap_or(("", path));
    let (stem, ending) = name.split_once('.').unwrap_or((name, ""));
    let (own, stem) = match ending {
        "go" if !stem.ends_with("_test") => return directory,
        "py" | "pyi" | "pyw" => ("__init__", stem),
        "rs" => ("mod", stem),
        _ => match name.rsplit_once('.') {
            Some((stem, "js" | "jsx" | "mjs" | "cjs" | "ts" | "tsx" | "mts" | "cts")) => {
                ("index", stem.strip_suffix(".d").unwrap_or(stem))
            }
            _ => return path,
        },
    };
    if stem == own { directory } else { &path[..path.len() - name.len() + stem.len()] }
}

/// The paths that the file of the Rust module around that of `path` may have, and the module's name in it.
pub(super) fn modules_around(path: &str) -> Option<(Vec<String>, &str)> {
    let within = path.ends_with(".rs").then(|| import_path(path))?;
    let (directory, name) = within.rsplit_once('/')?;
    let is_root = matches!(name, "lib" | "main");
    let files = ["lib.rs", "mod.rs", "main.rs"].map(|file| format!("{directory}/{file}"));
    let all = files.into_iter().chain([format!("{directory}.rs")]);
    (!is_root).then(|| (all.collect(), name))
}

/// Why no other code can import what is in a file at `path`, to follow `it is`: documentation, examples and
/// benchmarks are run by their tools.
pub(super) fn unimportable(path: &str) -> Option<&'static str> {
    let mut above = path.split('/').rev().skip(1);
    let first = path.split('/').next().filter(|first| *first != path);
    let is_aside = first.is_some_and(|it| {
        matches!(it, "docs" | "doc" | "examples" | "example" | "benchmarks" | "benches")
    });
    // `run-tests.py` is no name in an import.
    let is_script = is_python(path) && !is_identifier(import_path(path));
    let is_build = is_script || matches!(path, "setup.py" | "build.rs" | "noxfile.py" | "conf.py");
    if is_test_file(path) || above.any(|part| matches!(part, "tests" | "test" | "__tests__")) {
        return Some("a test file's");
    }
    (is_aside || is_build).then_some("in a file that no other code imports")
}

fn is_identifier(module: &str) -> bool {
    let name = module.rsplit('/').next().unwrap_or_default();
    name.chars().all(|c| c.is_alphanumeric() || c == '_') && !name.starts_with(char::is_numeric)
}

#[cfg(test)]
mod tests {
    use super::{import_path, unimportable};

    #[test]
    fn a_file_whose_name_no_import_can_write_is_a_program() {
        for (path, is_program) in [
            ("run-tests.py", true),
            ("my-app/run.py", false),
            ("0_a.py", true),
            ("a-b/__init__.py", true),
        ] {
            assert_eq!(unimportable(path).is_some(), is_program, "{path}");
        }
    }

    #[test]
    fn a_name_belongs_to_the_path_by_which_it_is_imported() {
        for (paths, import) in [
            (["shop.py", "shop/__init__.py"], "shop"),
            (["src/a.rs", "src/a/mod.rs"], "src/a"),
            (["web/a.ts", "web/a/index.ts"], "web/a"),
            (["web/a.js", "web/a.tsx"], "web/a"),
            (["web/a.d.ts", "web/a/index.mjs"], "web/a"),
            (["cart/a.go", "cart/b.go"], "cart"),
            (["web/a.test.ts", "web/a.test.js"], "web/a.test"),
        ] {
            assert_eq!(paths.map(import_path), [import; 2]);
        }
        assert_eq!(import_path("cart/a_test.go"), "cart/a_test.go");
        assert_eq!(import_path("index.css"), "index.css");
    }
}
