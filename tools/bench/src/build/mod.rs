//! A whole `ftl build` of a one-file task beside the shell that it has to start anyway.
//!
//! Nothing here looks inside a build: whole processes are timed.

pub(crate) mod compare;
mod page;
mod python;

use std::ffi::OsStr;
use std::fs::{self, File};
use std::io::Write as _;
use std::path::{Path, PathBuf};

use ftl_testkit::Result;
use ftl_testkit::peak::{self, End};
use ftl_testkit::program::Program;
use ftl_testkit::scratch::Scratch;

use crate::sample::Sample;

/// How often each command runs.
const ROUNDS: usize = 200;

const WORKSPACE: &str = ".ftl/workspace/001_constant_active.xml";

const TASK: &str = r#"<?xml version="1.0" encoding="utf-8"?>
<workspace id="001-constant" status="active" _schema_version="1.0" created_at="2026-01-18T01:30:56">
  <objective>A constant that others can import</objective>
  <implementation>
    <delta>limits.py</delta>
    <verify>true</verify>
    <budget>5</budget>
  </implementation>
  <delivered></delivered>
</workspace>
"#;

/// What was measured; times in milliseconds.
#[derive(Debug)]
struct Figures {
    shell: Sample,
    /// A C program that does nothing, and `ftl --version`; none when cc is missing.
    start: Option<(Sample, Sample)>,
    build: Sample,
    /// The same where syncing costs nothing.
    in_memory: Sample,
    /// One write of 4 KiB made durable in the directory where the builds ran.
    sync: Sample,
    /// Syncs that one build makes; none when strace is missing.
    syncs: Option<usize>,
    /// Peak resident memory of one build in KiB; none when python3 is missing.
    resident: Option<u64>,
    /// Reading and completing the same task by a script; none when python3 is missing.
    script: Option<Sample>,
}

/// Measures and renders.
pub(crate) fn part(ftl: &Path, scratch: &Path) -> Result<String> {
    page::render(&measure(ftl, scratch)?)
}

/// Runs everything in turn, so that a busy moment of the machine strikes all alike.
fn measure(ftl: &Path, scratch: &Path) -> Result<Figures> {
    let python = python::is_there(scratch);
    let mut figures = Figures {
        shell: Sample::default(),
        start: None,
        build: Sample::default(),
        in_memory: Sample::default(),
        sync: Sample::default(),
        syncs: None,
        resident: None,
        script: python.then(Sample::default),
    };
    let memory = Scratch::in_memory("bench")?;
    let empty = empty_program(scratch)?;
    figures.start = empty.is_some().then(Default::default);
    for round in 0..ROUNDS {
        let mine = project(scratch, &format!("build-{round}"))?;
        figures.shell.program(Program::new("sh", scratch).args(["-c", "true"]))?;
        if let (Some((nothing, start)), Some(empty)) = (&mut figures.start, &empty) {
            nothing.program(Program::new(empty, scratch))?;
            start.program(Program::new(ftl, scratch).args(["--version"]))?;
        }
        figures.build.program(build(ftl, &mine, scratch))?;
        let mine = project(memory.path(), &format!("build-{round}"))?;
        let in_memory = build(ftl, &mine, memory.path());
        figures.in_memory.program(in_memory)?;
        figures.sync.call(|| durable_write(&scratch.join(format!("synced-{round}"))))?;
        if let Some(script) = &mut figures.script {
            let theirs = project(scratch, &format!("script-{round}"))?;
            script.call(|| python::parse_and_complete(&theirs, WORKSPACE))?;
        }
    }
    figures.syncs = count_syncs(ftl, scratch)?;
    if python {
        let mine = project(scratch, "resident")?;
        let words = arguments().map(OsStr::new);
        let peak = peak::of(&mine, [ftl.as_os_str()].into_iter().chain(words))?;
        if peak.end != End::Code(0) {
            return Err("the build whose memory was watched failed".into());
        }
        figures.resident = Some(peak.kib);
    }
    Ok(figures)
}

/// A C program that only ends; none when cc is missing.
fn empty_program(scratch: &Path) -> Result<Option<PathBuf>> {
    let source = scratch.join("empty.c");
    fs::write(&source, "int main(void) { return 0; }\n")?;
    let program = scratch.join("empty");
    let compiled = Program::new("cc", scratch).args(["-O2", "-o"]).args([&program, &source]);
    Ok(compiled.succeeds().then_some(program))
}

fn arguments() -> [&'static str; 3] {
    ["build", WORKSPACE, "--tree"]
}

/// A build that keeps what it keeps outside of the project in `scratch`.
fn build(ftl: &Path, project: &Path, scratch: &Path) -> Program {
    let build = Program::new(ftl, project).args(arguments());
    build.env("XDG_STATE_HOME", scratch.join("state"))
}

/// A directory without git that holds the task and its one file.
fn project(scratch: &Path, name: &str) -> Result<PathBuf> {
    let project = scratch.join(name);
    fs::create_dir_all(project.join(".ftl/workspace"))?;
    fs::write(project.join(WORKSPACE), TASK)?;
    fs::write(project.join("limits.py"), "LIMIT = 20\n")?;
    Ok(project)
}

fn durable_write(path: &Path) -> Result {
    let mut file = File::create(path)?;
    file.write_all(&[b'x'; 4096])?;
    file.sync_all()?;
    Ok(())
}

fn count_syncs(ftl: &Path, scratch: &Path) -> Result<Option<usize>> {
    if !Program::new("strace", scratch).args(["--version"]).succeeds() {
        return Ok(None);
    }
    let mine = project(scratch, "traced")?;
    let log = scratch.join("syncs");
    Program::new("strace", &mine)
        .args(["-f", "-qq", "-e", "trace=fsync,fdatasync,syncfs,sync_file_range", "-o"])
        .args([&log])
        .args([ftl])
        .args(arguments())
        .silent()
        .run()?;
    let traced = fs::read_to_string(log)?;
    Ok(Some(traced.lines().filter(|line| line.contains("sync")).count()))
}
