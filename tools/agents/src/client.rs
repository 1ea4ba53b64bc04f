//! Where clients of `ftl mcp` run that are no agents: their packages, and a project with a task.

use std::ffi::OsString;
use std::fs;
use std::path::PathBuf;

use ftl_testkit::program::Program;
use ftl_testkit::{Result, fetched};

use crate::case::CASES;
use crate::installed::{self, directory};
use crate::project;

/// A project for one client.
pub(crate) struct Client {
    pub(crate) project: PathBuf,
    home: PathBuf,
    /// The client's own programs, then the system's.
    path: OsString,
}

impl Client {
    /// Fetches the packages from npm, and makes the project again.
    ///
    /// # Errors
    ///
    /// A package could not be had, or something could not be written.
    pub(crate) fn new(name: &str, packages: &[&str]) -> Result<Self> {
        let at = directory().join(name);
        fetched::npm(&at, packages)?;
        let path = installed::search_path(at.join("node_modules/.bin"))?;
        let work = directory().join("work").join(name);
        if work.exists() {
            fs::remove_dir_all(&work)?;
        }
        let (project, home) = (work.join("project"), work.join("home"));
        fs::create_dir_all(&project)?;
        fs::create_dir_all(&home)?;
        project::make(&project, &CASES[0])?;
        Ok(Self { project, home, path })
    }

    /// A program in the project, with nothing of our own environment.
    pub(crate) fn program(&self, name: &str) -> Program {
        let program = Program::new(name, &self.project).without_env();
        program.env("PATH", &self.path).env("HOME", &self.home)
    }
}
