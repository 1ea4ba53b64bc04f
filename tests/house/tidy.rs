//! What no file of ours holds.
//!
//! Formatting and lints are for rustfmt and clippy.

use std::fs;
use std::path::Path;

use ftl_testkit::root;

use super::sources::{rust_files, tracked};

/// First directories of paths that mean the same on every machine: those of the Filesystem
/// Hierarchy Standard that belong to no user, and the one that rustc writes for its own sources.
const EVERYWHERE: &[&str] = &[
    "bin", "boot", "dev", "etc", "lib", "media", "mnt", "opt", "proc", "run", "rustc", "sbin",
    "srv", "sys", "tmp", "usr", "var",
];

/// First directories that plainly exist nowhere, beside those of one letter, and one of a web
/// server's routes.
const NOWHERE: &[&str] = &["abs", "elsewhere", "local", "no", "nowhere"];

/// The people in whose homes the examples take place.
const PEOPLE: &[&str] = &["ada", "grace"];

/// Whether an absolute path names a place on one machine: every path does that begins neither
/// in a directory that all systems have, nor in one that exists nowhere, nor in a made-up home.
fn is_personal(first: &str, second: &str) -> bool {
    let anywhere = first.len() == 1 || EVERYWHERE.contains(&first) || NOWHERE.contains(&first);
    let made_up = first == "home" && PEOPLE.contains(&second);
    !(anywhere || made_up)
}

/// The first two names of each absolute path in the line. A path of one name alone may be a route,
/// a pattern or a closing tag, and is left out.
fn absolute_paths(line: &str) -> impl Iterator<Item = (&str, &str)> {
    let is_name = |char: char| char.is_alphanumeric() || "._-".contains(char);
    // After these a slash goes on with a path that began before.
    let goes_on = move |before: char| is_name(before) || "/*}~".contains(before);
    line.match_indices('/').filter_map(move |(at, _)| {
        let (first, rest) = line[at + 1..].split_once('/')?;
        let second = rest.split(|char| !is_name(char)).next()?;
        let whole = !first.is_empty() && first.chars().all(is_name) && !second.is_empty();
        (whole && !line[..at].ends_with(goes_on)).then_some((first, second))
    })
}

/// Whether a line names a place on one machine. Homes of Windows are looked for as text.
fn names_a_machine(line: &str) -> bool {
    let windows = [r":\", r":\\"].map(|drive| format!("{drive}Users"));
    windows.iter().any(|home| line.contains(home))
        || absolute_paths(line).any(|(first, second)| is_personal(first, second))
}

/// Mirrors of package registries, spelled so that this file holds none of them.
fn mirrors() -> [String; 7] {
    let hosts = [
        ["index.", "crates.io"],
        ["static.", "crates.io"],
        ["registry.", "npmjs"],
        ["pypi", ".org"],
        ["files.", "pythonhosted"],
        ["deb.", "debian"],
        ["proxy.", "golang"],
    ];
    hosts.map(|[host, domain]| format!("{host}{domain}"))
}

/// Files whose text names machines or registries because others wrote it.
fn is_verbatim(name: &str) -> bool {
    let vendored = Path::new(name).starts_with("examples/rust");
    let corpus = Path::new(name).components().any(|part| part.as_os_str() == "corpus");
    vendored || corpus || name.ends_with("Cargo.lock")
}

/// Whether `mirror` is in the line, and not as the end of a longer name.
fn names_a_mirror(line: &str, mirror: &str) -> bool {
    let inside = |before: char| before.is_alphanumeric() || "._-".contains(before);
    line.match_indices(mirror).any(|(at, _)| !line[..at].ends_with(inside))
}

#[test]
fn no_file_names_a_machine_or_a_mirror() {
    let mirrors = mirrors();
    for name in tracked().iter().filter(|name| !is_verbatim(name)) {
        // There a leading slash means the file's own directory.
        let is_anchored = name.ends_with(".gitignore");
        let Ok(text) = fs::read_to_string(root().join(name)) else {
            continue;
        };
        for (number, line) in text.lines().enumerate() {
            let tied = (!is_anchored && names_a_machine(line))
                || mirrors.iter().any(|it| names_a_mirror(line, it));
            assert!(!tied, "{name}:{}: {line}", number + 1);
        }
    }
}

#[test]
fn paths_of_one_machine_differ_from_those_that_every_machine_has() {
    for first in ["work", "farm", "root", "home/eve", "Users/ada"] {
        for line in [
            format!("/{first}/x/y"),
            format!("cd '/{first}/x'"),
            format!("PATH=/usr/bin:/{first}/x"),
        ] {
            assert!(names_a_machine(&line), "{line}");
        }
    }
    let drive = ["C:", "Users", "ada"];
    assert!(names_a_machine(&drive.join(r"\")));
    assert!(names_a_machine(&drive.join(r"\\")));
    for line in [
        "/usr/bin/env",
        "/home/ada/shop",
        "at src/work/x",
        "https://host/work/x",
        "</a></b>",
        "`/complete` or `/blocked`",
        "{}/runs/{}",
    ] {
        assert!(!names_a_machine(line), "{line}");
    }
}

#[test]
fn no_test_is_ignored() {
    let mark = ["#[", "ignore"].concat();
    for path in rust_files("") {
        let text = fs::read_to_string(&path).unwrap();
        assert!(!text.contains(&mark), "{}", path.display());
    }
}
