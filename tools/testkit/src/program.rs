//! Starting programs: the one place of the tools and the whole-system tests that does.
//!
//! Unlike ftl-process it supervises nothing: no process groups, no bounds on what a child writes.

use std::ffi::OsStr;
use std::fs;
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::time::Duration;

use crate::Result;

/// Variables by which an outer cargo would reach into an inner one.
const LEAKS: &[&str] =
    &["RUSTC", "RUSTC_WORKSPACE_WRAPPER", "RUSTC_WRAPPER", "RUSTDOCFLAGS", "RUSTFLAGS"];

/// A program about to be started in a directory.
#[derive(Debug)]
pub struct Program {
    command: Command,
    shown: String,
}

impl Program {
    /// `name` in `directory`, with this process's environment.
    #[must_use]
    #[expect(
        clippy::disallowed_methods,
        reason = "the tools stand outside the shipped crates and use nothing of them"
    )]
    pub fn new(name: impl AsRef<OsStr>, directory: &Path) -> Self {
        let name = name.as_ref();
        let mut command = Command::new(name);
        command.current_dir(directory);
        Self { command, shown: name.to_string_lossy().into_owned() }
    }

    /// The cargo that runs this tool, in the repository.
    #[must_use]
    pub fn cargo() -> Self {
        Self::cargo_in(&crate::root())
    }

    /// The cargo that runs this tool, in `directory`.
    #[must_use]
    pub fn cargo_in(directory: &Path) -> Self {
        let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
        Self::new(cargo, directory)
    }

    /// Git in `directory`, with a fixed identity and no user's configuration.
    #[must_use]
    pub fn git(directory: &Path) -> Self {
        Self::new("git", directory)
            .env("GIT_CONFIG_GLOBAL", "/dev/null")
            .env("GIT_CONFIG_NOSYSTEM", "1")
            .args(["-c", "user.name=quickstart"])
            .args(["-c", "user.email=quickstart@localhost"])
            .args(["-c", "init.defaultBranch=main"])
    }

    /// Adds arguments.
    #[must_use]
    pub fn args<S: AsRef<OsStr>>(mut self, arguments: impl IntoIterator<Item = S>) -> Self {
        for argument in arguments {
            let argument = argument.as_ref();
            self.shown.push(' ');
            self.shown.push_str(&argument.to_string_lossy());
            self.command.arg(argument);
        }
        self
    }

    /// Sets a variable for the child.
    #[must_use]
    pub fn env(mut self, name: &str, value: impl AsRef<OsStr>) -> Self {
        self.command.env(name, value);
        self
    }

    /// Takes every variable from the child.
    #[must_use]
    pub fn without_env(mut self) -> Self {
        self.command.env_clear();
        self
    }

    /// Lets the child read `text`, by way of a file in `scratch`.
    ///
    /// # Errors
    ///
    /// The file could not be written or opened.
    pub fn input(mut self, text: &str, scratch: &Path) -> Result<Self> {
        let path = scratch.join("input");
        fs::write(&path, text)?;
        self.command.stdin(fs::File::open(path)?);
        Ok(self)
    }

    /// Gives the child nothing to read and drops what it writes.
    #[must_use]
    pub fn silent(mut self) -> Self {
        self.command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        self
    }

    /// Takes from the child whatever the outer cargo set, so that a cargo below starts afresh.
    #[must_use]
    pub fn without_cargo(mut self) -> Self {
        for (name, _) in std::env::vars_os() {
            let text = name.to_string_lossy();
            let inner = text.starts_with("CARGO") && text != "CARGO_HOME";
            if inner || LEAKS.contains(&text.as_ref()) {
                self.command.env_remove(&name);
            }
        }
        self
    }

    /// Runs it on this terminal and gives its exit code.
    ///
    /// # Errors
    ///
    /// The program could not be started, or a signal ended it.
    pub fn code(mut self) -> Result<i32> {
        let status = self.command.status().map_err(|error| self.broken(&error))?;
        status.code().ok_or_else(|| format!("`{}` was ended by a signal", self.shown).into())
    }

    /// Runs it on this terminal and insists on exit code 0.
    ///
    /// # Errors
    ///
    /// The program could not be started, or ended in anything but 0.
    pub fn run(self) -> Result {
        let shown = self.shown.clone();
        match self.code()? {
            0 => Ok(()),
            code => Err(format!("`{shown}` ended with {code}").into()),
        }
    }

    /// Runs it and returns what it wrote.
    ///
    /// # Errors
    ///
    /// The program could not be started.
    pub fn output(mut self) -> Result<Output> {
        Ok(self.command.output().map_err(|error| self.broken(&error))?)
    }

    /// Runs it, kills it when it takes longer than `limit`, and returns what it wrote to standard
    /// error.
    ///
    /// # Errors
    ///
    /// The program could not be started.
    pub fn output_killed_after(mut self, limit: Option<Duration>) -> Result<Output> {
        let Some(limit) = limit else {
            return self.output();
        };
        self.command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped());
        let mut child = self.command.spawn().map_err(|error| self.broken(&error))?;
        std::thread::sleep(limit);
        child.kill()?;
        Ok(child.wait_with_output()?)
    }

    /// Runs it, insists on exit code 0 and returns its standard output.
    ///
    /// # Errors
    ///
    /// The program could not be started, ended in anything but 0, or wrote no UTF-8.
    pub fn text(self) -> Result<String> {
        let shown = self.shown.clone();
        let output = self.output()?;
        if !output.status.success() {
            let said = String::from_utf8_lossy(&output.stderr);
            return Err(format!("`{shown}` ended with {}: {said}", output.status).into());
        }
        Ok(String::from_utf8(output.stdout)?)
    }

    /// Starts it with a terminal as its standard input, output and error.
    ///
    /// # Errors
    ///
    /// The program could not be started.
    pub fn start_on(mut self, terminal: &fs::File) -> Result<Child> {
        self.command
            .stdin(terminal.try_clone()?)
            .stdout(terminal.try_clone()?)
            .stderr(terminal.try_clone()?);
        Ok(self.command.spawn().map_err(|error| self.broken(&error))?)
    }

    /// Starts it with nothing to read; what it writes is appended to a file.
    ///
    /// # Errors
    ///
    /// The program could not be started, or the file not be opened.
    pub fn start_into(mut self, log: &Path) -> Result<Running> {
        let log = fs::OpenOptions::new().create(true).append(true).open(log)?;
        self.command.stdin(Stdio::null()).stdout(log.try_clone()?).stderr(log);
        Ok(Running(self.command.spawn().map_err(|error| self.broken(&error))?))
    }

    /// Takes a variable from the child.
    #[must_use]
    pub fn env_remove(mut self, name: &str) -> Self {
        self.command.env_remove(name);
        self
    }

    /// Starts it, gives its process and its standard output to `watch`, and returns the exit code.
    /// What it says on standard error is dropped.
    ///
    /// # Errors
    ///
    /// The program could not be started, a signal ended it, or `watch` failed; it is killed then.
    pub fn follow(
        mut self,
        watch: impl FnOnce(u32, std::process::ChildStdout) -> Result,
    ) -> Result<i32> {
        self.command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child = self.command.spawn().map_err(|error| self.broken(&error))?;
        let output = child.stdout.take().ok_or("the output was asked for")?;
        if let Err(error) = watch(child.id(), output) {
            child.kill()?;
            child.wait()?;
            return Err(error);
        }
        let code = child.wait()?.code();
        code.ok_or_else(|| format!("`{}` was ended by a signal", self.shown).into())
    }

    /// Whether it starts and ends with 0, whatever it prints.
    #[must_use]
    pub fn succeeds(self) -> bool {
        self.output().is_ok_and(|output| output.status.success())
    }

    fn broken(&self, error: &std::io::Error) -> String {
        format!("could not start `{}`: {error}", self.shown)
    }
}

/// A program that is killed when its value is dropped.
#[derive(Debug)]
pub struct Running(Child);

impl Running {
    /// Sends it a signal, by name.
    ///
    /// # Errors
    ///
    /// It has ended.
    pub fn signal(&self, name: &str) -> Result {
        let words = [format!("-{name}"), self.0.id().to_string()];
        Program::new("kill", Path::new("/")).args(words).silent().run()
    }

    /// Its process id.
    #[must_use]
    pub fn id(&self) -> u32 {
        self.0.id()
    }

    /// The exit code, if it has ended; `None` within for one that a signal ended.
    ///
    /// # Errors
    ///
    /// The system refuses.
    pub fn try_wait(&mut self) -> Result<Option<Option<i32>>> {
        Ok(self.0.try_wait()?.map(|status| status.code()))
    }

    /// Kills it with all that it and its children have started.
    ///
    /// # Errors
    ///
    /// The processes of the system cannot be listed.
    pub fn kill_tree(&mut self) -> Result {
        let all = self.tree()?;
        let words = std::iter::once("-KILL".to_owned()).chain(all.iter().map(u32::to_string));
        // Those that have ended by now are no failure.
        drop(Program::new("kill", Path::new("/")).args(words).silent().code());
        drop(self.wait());
        Ok(())
    }

    /// The ids of this process, of its children and of theirs.
    ///
    /// # Errors
    ///
    /// The processes of the system cannot be listed.
    pub fn tree(&self) -> Result<Vec<u32>> {
        let mut parents = Vec::new();
        for entry in fs::read_dir("/proc")?.flatten() {
            let Some(id) = entry.file_name().to_str().and_then(|name| name.parse::<u32>().ok())
            else {
                continue;
            };
            // `ID (NAME) STATE PARENT …`
            let stat = fs::read_to_string(entry.path().join("stat")).unwrap_or_default();
            let rest = stat.rsplit(") ").next().unwrap_or_default();
            if let Some(Ok(parent)) = rest.split(' ').nth(1).map(str::parse::<u32>) {
                parents.push((id, parent));
            }
        }
        let mut all = vec![self.id()];
        let mut at = 0;
        while let Some(&one) = all.get(at) {
            all.extend(parents.iter().filter(|(_, parent)| *parent == one).map(|(id, _)| *id));
            at += 1;
        }
        Ok(all)
    }

    /// Waits until it has ended; `None` for the exit code where a signal ended it.
    ///
    /// # Errors
    ///
    /// The system refuses.
    pub fn wait(&mut self) -> Result<Option<i32>> {
        Ok(self.0.wait()?.code())
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        // One that has ended is only collected.
        drop(self.0.kill());
        drop(self.0.wait());
    }
}
