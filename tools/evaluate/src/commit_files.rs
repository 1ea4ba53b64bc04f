//! What a commit of a real repository changed, with the texts before and after.

use std::path::Path;

use ftl_testkit::Result;
use ftl_testkit::program::Program;
use ftl_testkit::scratch::Scratch;

const SUFFIXES: [&str; 11] =
    ["py", "js", "jsx", "mjs", "cjs", "ts", "tsx", "mts", "cts", "go", "rs"];
/// Bytes of a file that is read: larger ones are generated.
const LARGEST: usize = 1 << 20;

/// A file that a commit changed.
pub(crate) struct CommitFile {
    pub(crate) path: String,
    pub(crate) before: Option<String>,
    pub(crate) after: Option<String>,
}

/// The sources that a commit changed; none of one that only adds files, or moves very many.
pub(crate) fn files(repository: &Path, commit: &str) -> Result<Vec<CommitFile>> {
    let words = [
        "diff-tree",
        "-r",
        "--root",
        "--no-commit-id",
        "--raw",
        "--no-abbrev",
        "--no-renames",
        "-z",
    ];
    let output = Program::git(repository).args(words).args([commit]).output()?;
    let raw = String::from_utf8_lossy(&output.stdout);
    let mut parts = raw.split('\0');
    let mut changes = Vec::new();
    while let (Some(heading), Some(path)) = (parts.next(), parts.next()) {
        let ids: Vec<&str> = heading.split(' ').skip(2).take(2).collect();
        if let (true, &[before, after]) = (is_source(path), ids.as_slice()) {
            changes.push((path.to_owned(), before.to_owned(), after.to_owned()));
        }
    }
    if changes.len() > 200 || changes.iter().all(|(_, before, _)| is_none(before)) {
        return Ok(Vec::new());
    }
    let ids = changes.iter().flat_map(|(_, before, after)| [before, after]);
    let mut blobs = blobs(repository, ids.filter(|id| !is_none(id)))?.into_iter();
    let mut next = |id: &str| if is_none(id) { None } else { blobs.next().flatten() };
    let files = changes.into_iter().map(|(path, before, after)| {
        let before = next(&before);
        CommitFile { path, before, after: next(&after) }
    });
    Ok(files.collect())
}

fn is_source(path: &str) -> bool {
    let suffix = Path::new(path).extension();
    suffix.is_some_and(|suffix| SUFFIXES.iter().any(|known| suffix == *known))
}

fn is_none(id: &str) -> bool {
    id.bytes().all(|byte| byte == b'0')
}

/// The texts of objects, in their order; `None` of those that are too large or no text.
fn blobs<'i>(
    repository: &Path,
    ids: impl Iterator<Item = &'i String>,
) -> Result<Vec<Option<String>>> {
    let scratch = Scratch::new("commits")?;
    let list: String = ids.map(|id| format!("{id}\n")).collect();
    let program = Program::git(repository).args(["cat-file", "--batch"]);
    let mut rest = program.input(&list, scratch.path())?.output()?.stdout;
    let mut texts = Vec::new();
    while let Some(end) = rest.iter().position(|byte| *byte == b'\n') {
        let heading = String::from_utf8_lossy(&rest[..end]).into_owned();
        let size = heading.rsplit(' ').next().and_then(|size| size.parse::<usize>().ok());
        let Some(size) = size.filter(|_| heading.contains(" blob ")) else {
            texts.push(None);
            rest.drain(..=end);
            continue;
        };
        let bytes = rest[end + 1..end + 1 + size].to_vec();
        texts.push(String::from_utf8(bytes).ok().filter(|text| text.len() <= LARGEST));
        rest.drain(..end + 2 + size);
    }
    Ok(texts)
}
