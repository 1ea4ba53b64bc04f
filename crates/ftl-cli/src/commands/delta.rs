//! The files that `--delta` means: files, directories and globs, as they are typed in the current directory.

use std::collections::BTreeSet;
use std::path::{Component, Path, PathBuf};

use ftl_engine::project::{typed_path, walk};
use ignore::gitignore::GitignoreBuilder;

use crate::failure::Failure;
use crate::output;

/// Files that are printed; the others are counted.
const SHOWN: usize = 50;

/// The files, seen from the root. Those that a directory or a glob means are looked up now: neither hidden ones nor
/// those that an ignore file names. They are printed.
pub(super) fn files(root: &Path, typed: &[String]) -> Result<Vec<String>, Failure> {
    let mut files: Vec<String> = Vec::new();
    let mut seen = BTreeSet::new();
    let mut is_resolved = false;
    for word in typed {
        let found = match meant(word)? {
            Some(found) => {
                is_resolved = true;
                found.into_iter().filter(|path| seen.insert(path.clone())).collect()
            }
            // The same file typed twice is refused later.
            None => vec![word.clone()],
        };
        seen.extend(found.iter().cloned());
        files.extend(found.iter().map(|path| typed_path(root, path)));
    }
    if is_resolved {
        output::message(&format!("delta: {} files", files.len()));
        files.iter().take(SHOWN).for_each(|file| output::message(&format!("  {file}")));
        if let more @ 1.. = files.len().saturating_sub(SHOWN) {
            output::message(&format!("  and {more} more"));
        }
    }
    Ok(files)
}

/// The files of a directory or a glob; `None` of a file, be it there or not.
fn meant(word: &str) -> Result<Option<Vec<String>>, Failure> {
    let path = Path::new(word);
    let is_glob = word.contains(['*', '?', '[']) && path.symlink_metadata().is_err();
    let found = match (path.is_dir(), is_glob) {
        (true, _) => below(path, "**")?,
        (false, true) => {
            let is_plain = |part: &Component<'_>| {
                !part.as_os_str().to_string_lossy().contains(['*', '?', '['])
            };
            let base: PathBuf = path.components().take_while(is_plain).collect();
            let glob: PathBuf = path.components().skip_while(is_plain).collect();
            below(&base, &glob.to_string_lossy())?
        }
        (false, false) => return Ok(None),
    };
    if found.is_empty() {
        let why = if is_glob { "matches no file" } else { "holds no file" };
        return Err(Failure::usage("usage::delta", format!("`{word}` {why}")).help(
            "name files: a glob or a directory means files that are there already, and not ignored",
        ));
    }
    Ok(Some(found))
}

fn below(base: &Path, glob: &str) -> Result<Vec<String>, Failure> {
    let directory = if base.as_os_str().is_empty() { Path::new(".") } else { base };
    if !directory.is_dir() {
        return Ok(Vec::new());
    }
    let mut builder = GitignoreBuilder::new(directory);
    let glob = builder.add_line(None, &format!("/{glob}")).and_then(|builder| builder.build());
    let glob = glob.map_err(|error| {
        Failure::usage("usage::delta", format!("a glob of `--delta` cannot be read: {error}"))
            .help("`*` and `?` match within a name, `**` also directories")
    })?;
    let found = walk::walk(directory, &|path| glob.matched(path, false).is_ignore())?;
    let plain = |path: PathBuf| path.strip_prefix("./").map(Path::to_owned).unwrap_or(path);
    let files = found.files.into_iter().map(plain);
    Ok(files.filter_map(|path| path.to_str().map(str::to_owned)).collect())
}
