//! How long workplaces take: the first copy, beside `cp -a`, and making one ready for its next task. A separate
//! program, since it is measured as a release build while the tool that starts it is none.
//!
//! It is given an empty directory and a number of files. It prints milliseconds: of `cp -a` and of the first copy,
//! then, for each round, of a refresh after some files were replaced. `cargo xtask bench workplaces` makes its page of it.

#![allow(
    clippy::print_stdout,
    clippy::disallowed_methods,
    reason = "a measurement prints, and starts what it is compared with"
)]

use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

use ftl_tree::workplace::{Placement, Workplace};
use ftl_tree::{Settings, Tree};

/// Refreshes of each tree.
const ROUNDS: usize = 11;
/// Files that are replaced before each.
const CHANGED: usize = 50;
/// Files in a directory.
const WIDTH: usize = 20;
/// Bytes of a file.
const BYTES: usize = 8_000;

fn main() -> Result<(), Box<dyn Error>> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let [dir, files] = words.as_slice() else {
        return Err("usage: workplace_rate DIR FILES".into());
    };
    let (dir, files) = (Path::new(dir), files.parse()?);
    let root = dir.join("tree");
    lay_out(&root, files)?;
    let copied = timed(|| run(dir, "cp", &["-a", "tree", "copy"]))?;
    let tree = Tree::open(&root, &[], Settings::default())?;
    let mut workplace = Workplace::open(&dir.join("workplace"), Placement::Layered)?;
    let made = timed(|| {
        workplace.refresh(&tree)?;
        Ok(())
    })?;
    println!("{copied:.1} {made:.1}");
    for round in 1..=ROUNDS {
        let step = files / CHANGED;
        for number in (0..files).step_by(step.max(1)).take(CHANGED) {
            let path = file(&root, number + round % step.max(1));
            fs::write(path.with_extension("new"), text(number, round))?;
            fs::rename(path.with_extension("new"), path)?;
        }
        let mut changed = 0;
        let took = timed(|| {
            changed = workplace.refresh(&tree)?.changed.len();
            Ok(())
        })?;
        if changed != CHANGED.min(files) {
            return Err(format!("{changed} files were copied").into());
        }
        println!("{took:.1}");
    }
    Ok(())
}

fn timed(work: impl FnOnce() -> Result<(), Box<dyn Error>>) -> Result<f64, Box<dyn Error>> {
    let start = Instant::now();
    work()?;
    Ok(start.elapsed().as_secs_f64() * 1e3)
}

/// A repository in which everything is committed.
fn lay_out(root: &Path, files: usize) -> Result<(), Box<dyn Error>> {
    for number in 0..files {
        let path = file(root, number);
        if number % WIDTH == 0 {
            fs::create_dir_all(path.parent().unwrap_or(root))?;
        }
        fs::write(path, text(number, 0))?;
    }
    for words in [&["init", "-q"][..], &["add", "-A"], &["commit", "-qm", "all"]] {
        let identity = ["-c", "user.name=t", "-c", "user.email=t@t", "-c", "gc.auto=0"];
        run(root, "git", &[&identity, words].concat())?;
    }
    Ok(())
}

fn file(root: &Path, number: usize) -> PathBuf {
    let dir = number / WIDTH;
    root.join(format!("d{}/d{dir}/f{number}.txt", dir / WIDTH))
}

fn text(number: usize, round: usize) -> String {
    format!("file {number} as of {round}\n").repeat(BYTES / 24)
}

fn run(dir: &Path, program: &str, words: &[&str]) -> Result<(), Box<dyn Error>> {
    let status = Command::new(program).args(words).current_dir(dir).status()?;
    if status.success() { Ok(()) } else { Err(format!("{program}: {status}").into()) }
}
