//! The program, built so that its bytes tell nothing of where it was built.

use std::fs;
use std::path::{Path, PathBuf};

use ftl_testkit::program::Program;
use ftl_testkit::{Result, root};

/// How the program is built.
pub(crate) enum Build {
    /// For release, in a separate target directory.
    Release(PathBuf),
    /// As tests build it, which takes seconds: what is tried is how it is packed. Its copy here holds no symbols.
    Dev(PathBuf),
}

impl Build {
    /// Builds the program and returns its path.
    ///
    /// # Errors
    ///
    /// The build failed.
    pub(crate) fn run(&self) -> Result<PathBuf> {
        let directory = match self {
            Self::Release(directory) => directory,
            Self::Dev(directory) => return stripped(&ftl_testkit::build::ftl("dev")?, directory),
        };
        let cargo = Program::cargo().without_cargo();
        let cargo = cargo.args(["build", "--profile", "dist", "--locked", "--quiet"]);
        self.configured(cargo.args(["--package", "ftl-task", "--bin", "ftl"])).run()?;
        Ok(directory.join("dist/ftl"))
    }

    /// Has cargo, or what starts it, build here and as this build does.
    pub(crate) fn configured(&self, program: Program) -> Program {
        let Self::Release(directory) = self else {
            return program;
        };
        let home = std::env::var_os("CARGO_HOME").map(PathBuf::from);
        let home = home.or_else(|| Some(PathBuf::from(std::env::var_os("HOME")?).join(".cargo")));
        // Of several that fit, rustc and the C compiler take the last.
        let mut places = vec![(root(), "/ftl"), (directory.clone(), "/target")];
        places.extend(home.map(|home| (home, "/cargo")));
        let flags = |option: &str| {
            let flag =
                |(place, name): &(PathBuf, &str)| format!("{option}={}={name}", place.display());
            places.iter().map(flag).collect::<Vec<_>>()
        };
        let (rust, c) = (flags("--remap-path-prefix"), flags("-ffile-prefix-map"));
        program
            .env("CARGO_TARGET_DIR", directory)
            .env("CARGO_ENCODED_RUSTFLAGS", rust.join("\u{1f}"))
            .env("CFLAGS", c.join(" "))
            .env("CARGO_INCREMENTAL", "0")
    }
}

fn stripped(ftl: &Path, directory: &Path) -> Result<PathBuf> {
    fs::create_dir_all(directory)?;
    let copy = directory.join("ftl");
    let strip = Program::new("strip", directory).args(["-o"]);
    strip.args([&copy]).args([ftl]).run()?;
    Ok(copy)
}
