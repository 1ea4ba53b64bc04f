//! `cargo xtask book`: docs/ and the pages beside it as HTML, with every link and anchor checked.

use std::path::{Path, PathBuf};

use ftl_testkit::program::Program;
use ftl_testkit::{Result, root};

/// Where the book is written.
const OUT: &str = "target/book";
/// Where `.ci/run` installs Python's tools.
const CI: &str = "target/ci/python/bin";
const REQUIREMENTS: &str = "docs/book/requirements.txt";

/// Builds the book, and fails on whatever Sphinx warns of.
///
/// # Errors
///
/// Sphinx or a package that it needs is missing, or a page, a link or an anchor is.
pub(crate) fn run() -> Result {
    let sphinx = sphinx()?;
    // Always from nothing: a page that is not read again warns of nothing.
    Program::new(sphinx, &root())
        .args(["--quiet", "--fresh-env", "--write-all"])
        .args(["--fail-on-warning", "--keep-going"])
        .args(["--conf-dir", "docs/book"])
        .args(["--doctree-dir", "target/book-pages"])
        .args([".", OUT])
        .env("PYTHONDONTWRITEBYTECODE", "1")
        .run()?;
    println!("{OUT}/index.html");
    Ok(())
}

/// The Sphinx on the PATH, else the one that `.ci/run` has installed.
fn sphinx() -> Result<PathBuf> {
    let installed = root().join(CI).join("sphinx-build");
    let found = [PathBuf::from("sphinx-build"), installed].into_iter().find(|program| {
        let program = Program::new(program, Path::new("."));
        program.args(["--version"]).succeeds()
    });
    found.ok_or_else(|| {
        format!(
            "`sphinx-build` is missing: install the packages of {REQUIREMENTS} with \
             `python3 -m pip install --requirement {REQUIREMENTS}`"
        )
        .into()
    })
}
