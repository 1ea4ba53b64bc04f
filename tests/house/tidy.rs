//! What no file of ours holds, and how long a file may be.

use std::fs;
use std::path::{Path, PathBuf};

use xtask::program::Program;

/// Lines beyond which a source file wants to be two; most stay far below.
const LONGEST: usize = 600;

/// Every file that git knows, by its path below the top.
fn tracked() -> Vec<String> {
    let listing = Program::new("git", &xtask::root())
        .args([
            "ls-files",
            "-z",
            "--cached",
            "--others",
            "--exclude-standard",
        ])
        .text()
        .unwrap();
    let names = listing.split_terminator('\0').map(str::to_owned);
    names
        .filter(|name| xtask::root().join(name).is_file())
        .collect()
}

/// The Rust files of a directory of this repository, at any depth.
pub(super) fn rust_files(directory: &str) -> Vec<PathBuf> {
    let ours = |name: &String| Path::new(name).starts_with(directory) && name.ends_with(".rs");
    let names = tracked().into_iter().filter(ours);
    names.map(|name| xtask::root().join(name)).collect()
}

/// Text that ties a file to one machine or one mirror, spelled so that this file holds none of it.
fn ties() -> Vec<String> {
    let homes = ["work", "root", "farm"].map(|home| format!("/{home}/"));
    let hosts = [
        ["index.", "crates.io"],
        ["static.", "crates.io"],
        ["registry.", "npmjs"],
        ["pypi", ".org"],
        ["files.", "pythonhosted"],
        ["deb.", "debian"],
        ["proxy.", "golang"],
    ];
    homes
        .into_iter()
        .chain(hosts.map(|[host, domain]| format!("{host}{domain}")))
        .collect()
}

/// Files that others wrote, kept as they wrote them.
fn foreign(name: &str) -> bool {
    let vendored = Path::new(name).starts_with("examples/rust");
    let corpus = Path::new(name)
        .components()
        .any(|part| part.as_os_str() == "corpus");
    vendored || corpus || name.ends_with("Cargo.lock")
}

/// Whether `tie` stands in the line, and not as the middle of a longer path.
fn names(line: &str, tie: &str) -> bool {
    let inside = |before: char| before.is_alphanumeric() || "._-".contains(before);
    line.match_indices(tie)
        .any(|(at, _)| !line[..at].ends_with(inside))
}

#[test]
fn no_file_names_a_machine_or_a_mirror() {
    let ties = ties();
    for name in tracked().iter().filter(|name| !foreign(name)) {
        let Ok(text) = fs::read_to_string(xtask::root().join(name)) else {
            continue;
        };
        for (number, line) in text.lines().enumerate() {
            for tie in &ties {
                assert!(!names(line, tie), "{name}:{}: {line}", number + 1);
            }
        }
    }
}

#[test]
fn source_files_stay_short() {
    let sources: Vec<String> = tracked()
        .into_iter()
        .filter(|name| name.ends_with(".rs") && !foreign(name))
        .collect();
    let length = |name: &String| {
        let text = fs::read_to_string(xtask::root().join(name)).unwrap();
        text.lines().count()
    };
    for name in &sources {
        assert!(length(name) <= LONGEST, "{name} has {} lines", length(name));
    }
    let short = sources.iter().filter(|name| length(name) < 300).count();
    assert!(
        short * 2 > sources.len(),
        "{short} of {} files are short",
        sources.len()
    );
}

#[test]
fn no_test_is_ignored() {
    let mark = ["#[", "ignore"].concat();
    for path in rust_files("") {
        let text = fs::read_to_string(&path).unwrap();
        assert!(!text.contains(&mark), "{}", path.display());
    }
}
