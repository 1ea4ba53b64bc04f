//! Throughput: very many files at once, in time and memory, beside the peers of each language.
//!
//! What one small check costs, `cold` measures.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use ftl_testkit::Result;
use ftl_testkit::peak;
use ftl_testkit::program::Program;

use super::corpus::{self, Corpus};
use super::peers::Peers;
use crate::page::reached;
use crate::sample::Sample;

const ROUNDS: usize = 5;

/// A language and the commands that look through all of its files. `{…}` is replaced by a program or
/// the directory of the files.
struct Tree {
    extension: &'static str,
    peers: &'static [(&'static str, Aim)],
}

/// Whether a peer is one to be ahead of.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Aim {
    Ahead,
    Shown,
}

const ECMASCRIPT: &[(&str, Aim)] = &[
    ("{oxlint} --silent --disable-nested-config {dir}", Aim::Ahead),
    ("{oxlint} --silent --disable-nested-config -A all {dir}", Aim::Shown),
    ("{biome} lint --only=suspicious/noDebugger --max-diagnostics=1 {dir}", Aim::Shown),
];

const TREES: &[Tree] = &[
    Tree {
        extension: "py",
        peers: &[("{ruff} check --quiet --isolated --no-cache --select E9 {dir}", Aim::Ahead)],
    },
    Tree { extension: "js", peers: ECMASCRIPT },
    Tree { extension: "ts", peers: ECMASCRIPT },
    Tree { extension: "go", peers: &[("{gofmt} -e -l {dir}", Aim::Ahead)] },
    Tree {
        extension: "rs",
        peers: &[(
            "ls -d {dir}/* | xargs -P {cores} -n 250 rustfmt --check --quiet --edition 2021",
            Aim::Ahead,
        )],
    },
];

/// The section about trees.
pub(super) fn section(ftl: &Path, peers: &Peers, scratch: &Path) -> Result<String> {
    let mut text = String::from(
        "### A tree, all cores\n\n`ftl preflight --checker embedded DIR` and its peers check the same files, without caches and configuration. All files\n\
         are valid; they come from Python's standard library, npm packages, Go's standard library and Rust's registry. The time of a\n\
         peer includes what it does beyond parsing (rules, formatting).\n\n\
         | files | command | median, ms | vs ftl | peak memory, MiB | vs ftl | ftl ahead |\n|---|---|---|---|---|---|---|\n",
    );
    for tree in TREES {
        let directory = scratch.join(tree.extension);
        let corpus = corpus::collect(ftl, peers, tree.extension, &directory)?;
        rows(&mut text, ftl, peers, tree, &directory, &corpus)?;
        fs::remove_dir_all(&directory)?;
    }
    Ok(text)
}

fn rows(
    text: &mut String,
    ftl: &Path,
    peers: &Peers,
    tree: &Tree,
    directory: &Path,
    corpus: &Corpus,
) -> Result {
    let shown = ["ftl preflight --checker embedded {dir}"].into_iter();
    let shown: Vec<&str> = shown.chain(tree.peers.iter().map(|peer| peer.0)).collect();
    let commands: Vec<String> = shown
        .iter()
        .map(|command| command_line(command, ftl, peers, directory))
        .collect::<Result<_>>()?;
    let mut samples: Vec<Sample> = commands.iter().map(|_| Sample::default()).collect();
    for _ in 0..ROUNDS {
        for (command, sample) in commands.iter().zip(&mut samples) {
            sample.whatever_it_says(shell(command, directory))?;
        }
    }
    let memory: Vec<f64> = commands
        .iter()
        .map(|command| Ok(peak::of(directory, ["sh", "-c", command])?.kib as f64 / 1024.0))
        .collect::<Result<_>>()?;
    let files = format!(
        "{} `.{}`, {:.1} MB",
        corpus.files.len(),
        tree.extension,
        corpus.bytes as f64 / 1e6
    );
    for (at, command) in shown.iter().enumerate() {
        let (time, times) = (samples[at].median(), samples[at].median() / samples[0].median());
        let more = memory[at] / memory[0];
        let ahead = match at.checked_sub(1).map(|peer| tree.peers[peer].1) {
            Some(Aim::Ahead) => reached(times > 1.0 && more >= 1.0),
            Some(Aim::Shown) | None => "",
        };
        writeln!(
            text,
            "| {files} | `{}` | {time:.0} | {times:.2} | {:.1} | {more:.2} | {ahead} |",
            plain(command),
            memory[at],
        )?;
    }
    Ok(())
}

/// A command as the page shows it.
fn plain(command: &str) -> String {
    let command = command.replace("{dir}", "DIR").replace("{cores}", "CORES");
    command.replace(['{', '}'], "").replace('|', "\\|")
}

fn command_line(command: &str, ftl: &Path, peers: &Peers, directory: &Path) -> Result<String> {
    let cores = std::thread::available_parallelism()?.to_string();
    let show = |path: PathBuf| path.display().to_string();
    Ok(command
        .replace("{ruff}", &show(peers.ruff()))
        .replace("{oxlint}", &show(peers.npm("oxlint")))
        .replace("{biome}", &show(peers.npm("biome")))
        .replace("{gofmt}", &show(peers.gofmt()))
        .replace("{cores}", &cores)
        .replace("{dir}", &show(directory.to_owned()))
        .replacen("ftl ", &format!("{} ", ftl.display()), 1))
}

fn shell(command: &str, directory: &Path) -> Program {
    Program::new("sh", directory).args(["-c", command])
}
