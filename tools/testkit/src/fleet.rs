//! A NATS server and workers on this machine, for tests, sweeps and benchmarks.

use std::fs;
use std::io::{Read, Write};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use crate::Result;
use crate::program::{Program, Running};

/// How long a server or a worker may take to start.
const STARTS: Duration = Duration::from_secs(60);

/// The `nats-server` programs here: that of the system, and perhaps a newer one.
#[must_use]
pub fn servers() -> Vec<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let dirs = std::env::split_paths(&path).chain(["/usr/sbin".into()]);
    let mut found: Vec<PathBuf> =
        dirs.filter_map(|dir| dir.join("nats-server").canonicalize().ok()).collect();
    found.sort();
    found.dedup();
    found
}

/// A server that listens on the loopback interface.
#[derive(Debug)]
pub struct Server {
    program: PathBuf,
    dir: PathBuf,
    port: u16,
    running: Option<Running>,
}

impl Server {
    /// Starts one on a free port, with what it stores and `configuration`, such as credentials, in `dir`.
    ///
    /// # Errors
    ///
    /// It does not listen after a minute.
    pub fn start(program: &Path, dir: &Path, configuration: &str) -> Result<Self> {
        fs::create_dir_all(dir.join("ports"))?;
        let text = format!(
            "ports_file_dir: {:?}\nhttp: \"127.0.0.1:-1\"\njetstream {{ store_dir: {:?} }}\n{configuration}\n",
            dir.join("ports"),
            dir.join("store")
        );
        fs::write(dir.join("nats.conf"), text)?;
        let mut server =
            Self { program: program.to_owned(), dir: dir.to_owned(), port: 0, running: None };
        server.go_on()?;
        Ok(server)
    }

    /// Starts it, on the port that it had before.
    ///
    /// # Errors
    ///
    /// It does not listen after a minute.
    pub fn go_on(&mut self) -> Result {
        for entry in fs::read_dir(self.dir.join("ports"))? {
            fs::remove_file(entry?.path())?;
        }
        let port = if self.port == 0 { "-1".to_owned() } else { self.port.to_string() };
        let words = ["--addr", "127.0.0.1", "--port", &port, "--config", "nats.conf"];
        let program = Program::new(&self.program, &self.dir).args(words);
        self.running = Some(program.start_into(&self.dir.join("log"))?);
        let ports = self.dir.join("ports");
        self.port = wait_for("a NATS server", || {
            let text =
                fs::read_to_string(fs::read_dir(&ports).ok()?.flatten().next()?.path()).ok()?;
            let (_, rest) = text.split_once("\"nats\":")?;
            let (_, rest) = rest.split_once("127.0.0.1:")?;
            rest.split(|c: char| !c.is_ascii_digit()).next()?.parse().ok()
        })?;
        Ok(())
    }

    /// Kills it.
    pub fn kill(&mut self) {
        self.running = None;
    }

    /// Removes all that it stored; it must not run.
    ///
    /// # Errors
    ///
    /// The directory cannot be removed.
    pub fn forget(&self) -> Result {
        Ok(fs::remove_dir_all(self.dir.join("store"))?)
    }

    /// Its address.
    #[must_use]
    pub fn url(&self) -> String {
        format!("nats://127.0.0.1:{}", self.port)
    }

    /// What its monitoring says of something, as JSON.
    ///
    /// # Errors
    ///
    /// It cannot be asked.
    pub fn monitor(&self, what: &str) -> Result<String> {
        let ports = fs::read_dir(self.dir.join("ports"))?.flatten().next().ok_or("no ports")?;
        let text = fs::read_to_string(ports.path())?;
        let (_, rest) = text.split_once("http://").ok_or("no monitoring")?;
        let mut connection = TcpStream::connect(rest.split('"').next().unwrap_or_default())?;
        write!(connection, "GET /{what} HTTP/1.0\r\n\r\n")?;
        let mut answer = String::new();
        connection.read_to_string(&mut answer)?;
        let (_, body) = answer.split_once("\r\n\r\n").ok_or("no answer")?;
        Ok(body.to_owned())
    }

    /// Its process.
    #[must_use]
    pub fn id(&self) -> Option<u32> {
        self.running.as_ref().map(Running::id)
    }
}

/// Starts `ftl worker run` for a server, with more arguments, and what it keeps and prints in `dir`.
///
/// # Errors
///
/// It takes no requests after a minute.
pub fn worker(program: Program, url: &str, words: &[&str], dir: &Path) -> Result<Running> {
    fs::create_dir_all(dir)?;
    let state = dir.join("state").display().to_string();
    let words = [&["worker", "run", "--connect", url, "--dir", &state], words].concat();
    let log = dir.join("log");
    let started = || {
        let text = fs::read_to_string(&log).unwrap_or_default();
        text.matches("takes requests from").count()
    };
    let before = started();
    let running = program.args(words).start_into(&log)?;
    let waited = wait_for("a worker", || (started() > before).then_some(()));
    waited.map_err(|error| format!("{error}: {}", fs::read_to_string(&log).unwrap_or_default()))?;
    Ok(running)
}

/// Asks again and again until there is an answer.
///
/// # Errors
///
/// There is none after a minute.
pub fn wait_for<T>(what: &str, mut answer: impl FnMut() -> Option<T>) -> Result<T> {
    let began = Instant::now();
    while began.elapsed() < STARTS {
        if let Some(answer) = answer() {
            return Ok(answer);
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    Err(format!("{what} did not come within {} s", STARTS.as_secs()).into())
}
