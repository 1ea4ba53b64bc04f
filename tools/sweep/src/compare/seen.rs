//! Everything that can be seen of a run, by name.
//!
//! Skipped by rule: the files in `.git`, the snapshots of the tree, and the content of journals, of
//! locks and of the manifests of snapshots that are kept with a run. Their format is ftl's own affair, and they hold process ids, inodes and times.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::process::Output;

use super::mask::{masked, without_progress};
use ftl_testkit::Result;

/// Artefacts by name, masked.
pub(super) type Seen = BTreeMap<String, Vec<u8>>;

/// The artefact that lists every file, with its mode.
const NAMES: &str = "names and modes";

/// What `output` says, and what is in `ground` afterwards; `since` as in [`masked`].
///
/// # Errors
///
/// Something could not be read.
pub(super) fn seen(ground: &Path, output: &Output, since: &str) -> Result<Seen> {
    let code = match output.status.code() {
        Some(code) => format!("{code}\n"),
        None => format!("{}\n", output.status),
    };
    let mut seen = Seen::from([
        ("exit code".to_owned(), code.into_bytes()),
        ("standard output".to_owned(), clean(&output.stdout, since)),
        ("standard error".to_owned(), errors(&output.stderr, since)),
    ]);
    let mut names = Vec::new();
    look(ground, "", since, &mut names, &mut seen)?;
    names.sort();
    seen.insert(NAMES.to_owned(), names.concat().into_bytes());
    Ok(seen)
}

fn look(
    directory: &Path,
    below: &str,
    since: &str,
    names: &mut Vec<String>,
    seen: &mut Seen,
) -> Result {
    for entry in fs::read_dir(directory)? {
        let path = entry?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let name = format!("{below}{name}");
        let metadata = fs::symlink_metadata(&path)?;
        if holds_snapshots(&name) {
            continue;
        }
        names.push(format!("{name} {:o}\n", metadata.permissions().mode()));
        if metadata.is_dir() {
            if name != "root/.git" {
                look(&path, &format!("{name}/"), since, names, seen)?;
            }
        } else if metadata.is_symlink() {
            let target = fs::read_link(&path)?.into_os_string().into_encoded_bytes();
            seen.insert(format!("link {name}"), target);
        } else if metadata.is_file() && !is_own_content(&name) {
            let bytes = fs::read(&path)?;
            let text = match name.ends_with(".err") {
                true => errors(&bytes, since),
                false => clean(&bytes, since),
            };
            seen.insert(name, text);
        }
    }
    Ok(())
}

/// Where snapshots lie, in this version and in older ones. Even that they are there is not compared.
fn holds_snapshots(name: &str) -> bool {
    let older = name.starts_with("root/.ftl/runs/") && name.ends_with("/captures");
    older || name == "home/state"
}

/// Files whose names alone are compared.
fn is_own_content(name: &str) -> bool {
    let own = ["/journal.jsonl", "/manifest.json"];
    name.starts_with("root/.ftl/locks/")
        || name.starts_with("root/.ftl/runs/") && own.iter().any(|end| name.ends_with(end))
}

/// Standard error, also where a script has kept it in a file.
fn errors(bytes: &[u8], since: &str) -> Vec<u8> {
    let text = String::from_utf8_lossy(bytes);
    clean(without_progress(&text).as_bytes(), since)
}

/// Bytes that are no text stay as they are.
fn clean(bytes: &[u8], since: &str) -> Vec<u8> {
    match std::str::from_utf8(bytes) {
        Ok(text) => masked(text, since).into_bytes(),
        Err(_) => bytes.to_vec(),
    }
}
