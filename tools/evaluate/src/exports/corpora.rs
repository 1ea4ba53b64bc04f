//! Where the files come from: what the machine has, and packages of pinned versions.

use std::path::PathBuf;

use ftl_testkit::Result;

use crate::cache::Cache;

/// Packages whose files are read: sources, what is built of them, and declarations. The first are for a check.
const PACKAGES: &[&str] = &[
    "express@4.21.2",
    "redux@5.0.1",
    "rxjs@7.8.2",
    "@types/lodash@4.17.13",
    "@types/node@22.10.2",
    "@types/react@19.0.2",
    "axios@1.7.9",
    "commander@12.1.0",
    "date-fns@4.1.0",
    "effect@3.12.0",
    "eslint@9.17.0",
    "fp-ts@2.16.9",
    "hono@4.6.14",
    "immer@10.1.1",
    "lodash@4.17.21",
    "preact@10.25.2",
    "valibot@0.42.1",
    "vue@3.5.13",
    "webpack@5.97.1",
    "zod@3.24.1",
];
const CHECKED: usize = 3;

/// The standard library, without what is installed beside it.
pub(super) fn python(cache: &Cache, _: bool) -> Result<PathBuf> {
    cache.python_library()
}

pub(super) fn typescript(cache: &Cache, is_check: bool) -> Result<PathBuf> {
    let (name, packages) = match is_check {
        false => ("exports", PACKAGES),
        true => ("exports-check", &PACKAGES[..CHECKED]),
    };
    Ok(cache.npm(name, packages)?.join("node_modules"))
}

/// Go's standard library.
pub(super) fn go(cache: &Cache, _: bool) -> Result<PathBuf> {
    Ok(cache.go_root()?.join("src"))
}

/// The crates that cargo has unpacked.
pub(super) fn rust(_: &Cache, _: bool) -> Result<PathBuf> {
    crate::cache::own_crates()
}
