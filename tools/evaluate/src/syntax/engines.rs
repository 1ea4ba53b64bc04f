//! The front ends that our verdicts are compared with: where each is, and how it is asked.
//!
//! Which of them is a language's reference, the table in `languages` says.

use std::fs;
use std::path::{Path, PathBuf};

use ftl_preflight::PythonVersion;
use ftl_testkit::program::Program;
use ftl_testkit::{Result, parallel};

use super::verdict::{Verdict, parse_all};
use crate::cache::{Cache, driver};
use crate::files;

/// A front end, or a reader with that standing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Engine {
    /// What it is called on the page.
    pub(crate) title: &'static str,
    asked: Asked,
    version: Version,
}

/// How an engine is asked: by which driver, in which of its modes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Asked {
    Python(&'static str),
    Node(&'static str, &'static str),
    /// Node with npm's packages.
    Npm(&'static str, &'static [&'static str]),
    Go(&'static str),
    Rustc,
}

/// Which version an engine has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Version {
    Python,
    Node,
    Npm(&'static str),
    Go,
    Rustc,
    Named(&'static str),
}

const fn engine(title: &'static str, asked: Asked, version: Version) -> Engine {
    Engine { title, asked, version }
}

const fn babel(mode: &'static [&'static str]) -> Engine {
    engine("Babel", Asked::Npm("babel.js", mode), Version::Npm("@babel/parser"))
}

const fn typescript(title: &'static str, mode: &'static [&'static str]) -> Engine {
    engine(title, Asked::Npm("typescript.js", mode), Version::Npm("typescript"))
}

const fn component(title: &'static str, mode: &'static [&'static str], of: &'static str) -> Engine {
    engine(title, Asked::Npm("components.js", mode), Version::Npm(of))
}

impl Engine {
    pub(crate) const CPYTHON: Self =
        engine("CPython, `compile`", Asked::Python("python"), Version::Python);
    pub(crate) const NEWER_CPYTHON: Self =
        engine("newer CPython, `compile`", Asked::Npm("pyodide.js", &[]), Version::Npm("pyodide"));
    pub(crate) const V8: Self =
        engine("V8 of node", Asked::Node("v8.js", "javascript"), Version::Node);
    pub(crate) const BABEL: Self = babel(&["javascript"]);
    /// As a bundler has it, which reads JSX and modules in every file.
    pub(crate) const BABEL_PROJECT: Self = babel(&["project"]);
    pub(crate) const BABEL_JSX: Self = babel(&["jsx"]);
    pub(crate) const BABEL_TYPESCRIPT: Self = babel(&["typescript"]);
    pub(crate) const BABEL_TSX: Self = babel(&["tsx"]);
    pub(crate) const TYPESCRIPT_GRAMMAR: Self = typescript("TypeScript, grammar", &["grammar"]);
    pub(crate) const TYPESCRIPT_PARSER: Self = typescript("TypeScript, parser", &["parse"]);
    pub(crate) const GO_PARSER: Self = engine("Go, `go/parser`", Asked::Go("parser"), Version::Go);
    pub(crate) const GO_COMPILER: Self =
        engine("Go, the compiler's parser", Asked::Go("compiler"), Version::Go);
    pub(crate) const RUSTC: Self = engine("rustc's parser", Asked::Rustc, Version::Rustc);
    pub(crate) const PYTHON_JSON: Self =
        engine("Python `json`, strict", Asked::Python("json"), Version::Python);
    pub(crate) const V8_JSON: Self =
        engine("V8 `JSON.parse`", Asked::Node("v8.js", "json"), Version::Node);
    pub(crate) const PYTHON_TOML: Self =
        engine("Python `tomllib`", Asked::Python("toml"), Version::Python);
    pub(crate) const NPM_TOML: Self =
        engine("npm `smol-toml`", Asked::Npm("documents.js", &["toml"]), Version::Npm("smol-toml"));
    pub(crate) const PYTHON_YAML: Self =
        engine("PyYAML (YAML 1.1)", Asked::Python("yaml"), Version::Named("PyYAML of PyPI"));
    pub(crate) const NPM_YAML: Self = engine(
        "npm `yaml` (YAML 1.2)",
        Asked::Npm("documents.js", &["yaml"]),
        Version::Npm("yaml"),
    );
    pub(crate) const NPM_JS_YAML: Self = engine(
        "npm `js-yaml` (YAML 1.2)",
        Asked::Npm("documents.js", &["jsYaml"]),
        Version::Npm("js-yaml"),
    );
    pub(crate) const NPM_JSON5: Self =
        engine("npm `json5`", Asked::Npm("documents.js", &["json5"]), Version::Npm("json5"));
    pub(crate) const VUE: Self =
        component("Vue's compiler, and Babel", &["vue"], "@vue/compiler-sfc");
    pub(crate) const SVELTE: Self = component("Svelte's compiler", &["svelte"], "svelte");
    pub(crate) const ASTRO: Self =
        component("Astro's compiler, and Babel", &["astro"], "@astrojs/compiler");
    pub(crate) const PRISM: Self = engine(
        "Ruby's parser, prism",
        Asked::Npm("documents.js", &["ruby"]),
        Version::Npm("@ruby/prism"),
    );
    pub(crate) const NPM_GRAPHQL: Self =
        engine("npm `graphql`", Asked::Npm("documents.js", &["graphql"]), Version::Npm("graphql"));
}

/// The front ends, as they are fetched.
pub(crate) struct Engines<'a> {
    pub(crate) cache: &'a Cache,
}

impl Engines<'_> {
    /// Directories with TypeScript's and Go's commands.
    pub(crate) fn tools(&self) -> Result<Vec<PathBuf>> {
        let typescript = self.cache.packages()?.join("node_modules/.bin");
        Ok(vec![typescript, self.cache.go_root()?.join("bin")])
    }

    /// The verdicts of an engine on files, in their order.
    pub(crate) fn judge(&self, engine: Engine, paths: &[PathBuf]) -> Result<Vec<Verdict>> {
        if paths.is_empty() {
            return Ok(Vec::new());
        }
        let list = self.cache.directory().join("list");
        fs::write(&list, files::listed(paths))?;
        let program = match engine.asked {
            Asked::Rustc => return by_rustc(paths),
            Asked::Python(mode) => {
                let library = self.cache.pip("pyyaml", &["pyyaml"])?;
                Program::new("python3", self.cache.directory())
                    .env("PYTHONPATH", library)
                    .args(["-S", "-B"])
                    .args([driver("front_ends.py")])
                    .args([mode])
            }
            Asked::Node(driver, mode) => self.cache.node(driver).args([mode]),
            Asked::Npm(driver, mode) => {
                self.cache.node(driver).args([self.cache.packages()?]).args(mode)
            }
            Asked::Go(mode) => self.cache.go()?.args([mode]),
        };
        parse_all(&program.args([&list]).text()?, paths)
    }

    /// The version of Python that files are checked for when an engine judges them, if it is one.
    pub(crate) fn python(&self, engine: Engine) -> Result<Option<PythonVersion>> {
        let said = self.version(engine)?;
        let version = match engine {
            // As in `Python 3.11.7`.
            Engine::CPYTHON => said.trim_start_matches("Python ").split_once('.'),
            // The package's version 314.0.7 is one of 3.14.
            Engine::NEWER_CPYTHON => {
                said.rsplit(' ').next().and_then(|version| version.split_at_checked(1))
            }
            _ => None,
        };
        let number = |text: &str| text.split('.').next().unwrap_or_default().parse();
        Ok(match version {
            Some((major, minor)) => {
                Some(PythonVersion { major: major.parse()?, minor: number(minor)? })
            }
            None => None,
        })
    }

    /// The version that an engine prints.
    pub(crate) fn version(&self, engine: Engine) -> Result<String> {
        let ask = |program: &str, words: &[&str]| {
            Program::new(program, self.cache.directory()).args(words).text()
        };
        let said = match engine.version {
            Version::Python => ask("python3", &["--version"])?,
            Version::Node => {
                ask("node", &["-p", "`node ${process.version}, V8 ${process.versions.v8}`"])?
            }
            Version::Rustc => ask("rustc", &["--version"])?,
            Version::Go => fs::read_to_string(self.cache.go_root()?.join("VERSION"))?,
            Version::Named(name) => name.to_owned(),
            Version::Npm(name) => {
                let home = self.cache.packages()?.join("node_modules").join(name);
                let text = fs::read_to_string(home.join("package.json"))?;
                let manifest: serde_json::Value = serde_json::from_str(&text)?;
                format!("npm {name} {}", manifest["version"].as_str().unwrap_or_default())
            }
        };
        Ok(said.lines().next().unwrap_or_default().trim().to_owned())
    }
}

/// rustc takes one file a process; a flag of its developers keeps it to parsing.
fn by_rustc(paths: &[PathBuf]) -> Result<Vec<Verdict>> {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    parallel::map(cores, paths, || Ok(()), |(), path| Ok(rustc(path)))
}

fn rustc(path: &Path) -> Verdict {
    let edition = edition_of(path);
    let output = Program::new("rustc", Path::new("/"))
        .env("RUSTC_BOOTSTRAP", "1")
        .args(["-Zparse-crate-root-only", "--crate-type=lib", "--error-format=short"])
        .args(["--edition", &edition])
        .args([path])
        .output();
    let Ok(output) = output else {
        return Verdict::unknown("rustc could not be started");
    };
    match output.status.code() {
        Some(0) => Verdict::VALID,
        Some(1) => {
            let said = String::from_utf8_lossy(&output.stderr);
            first_error(&said, path).unwrap_or_else(|| Verdict::unknown("no error with a place"))
        }
        _ => Verdict::unknown("rustc gave way"),
    }
}

/// The topmost of the errors that rustc prints as `path:line:column: error: message`.
fn first_error(said: &str, path: &Path) -> Option<Verdict> {
    let start = format!("{}:", path.display());
    let errors = said.lines().filter_map(|line| {
        let (line, rest) = line.strip_prefix(&start)?.split_once(':')?;
        let (_, message) = rest.split_once(": ")?;
        let (_, message) = message.strip_prefix("error")?.split_once(": ")?;
        Some(Verdict::invalid(line.parse().ok()?, message))
    });
    errors.min_by_key(|error| error.line)
}

/// The edition of the nearest `Cargo.toml`: 2015 when it names none, 2021 when there is none.
fn edition_of(path: &Path) -> String {
    let manifest = path
        .ancestors()
        .skip(1)
        .find_map(|directory| fs::read_to_string(directory.join("Cargo.toml")).ok());
    let Some(manifest) = manifest else {
        return "2021".to_owned();
    };
    let edition = manifest.lines().find_map(|line| {
        let (name, value) = line.split_once('=')?;
        (name.trim() == "edition").then(|| value.trim().trim_matches('"').to_owned())
    });
    edition.unwrap_or_else(|| "2015".to_owned())
}
