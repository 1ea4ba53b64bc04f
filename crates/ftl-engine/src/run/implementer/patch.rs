//! Patches: git's own `apply` writes them. It knows renames, modes, binary files and ends of lines,
//! refuses to follow links and applies all of a patch or nothing, which no library that we know
//! does in full; git is needed anyway.
//!
//! Which patch a request gets is only a matter of counting here. That it stays within the delta, the
//! comparison finds, as with any implementer; only `.ftl`, which no comparison sees, is guarded here.

use std::path::{Path, PathBuf};
use std::time::Duration;

use ftl_process::{Capture, Command, Ended, Environment, How};
use ftl_store::write_out;

use super::Answer;
use crate::run::Fault;
use crate::run::recorder::Recorder;
use crate::run::site::files;
use crate::run::world::World;
use crate::text::one_line;

/// Git needs far less for any patch that a person would read.
const LIMIT: Duration = Duration::from_secs(600);

/// Applies the patch whose turn it is; when none is left, nothing changes.
pub(in crate::run) fn next(
    world: &World<'_>,
    patches: &[PathBuf],
    recorder: &mut Recorder<'_>,
) -> Result<Answer, Fault> {
    // `made.patches` counts this request already: the first one gets patch 0.
    let turn = usize::try_from(world.made.patches).unwrap_or(usize::MAX);
    let Some(path) = turn.checked_sub(1).and_then(|turn| patches.get(turn)) else {
        return Ok(Answer::default());
    };
    let bytes = std::fs::read(path).map_err(|source| Fault::Patch {
        path: path.clone(),
        source,
    })?;
    let name = format!("`{}`", path.display());
    apply(world, &bytes, &name, recorder)
}

/// Applies one unified diff, with or without prefixes, in whole or not at all.
pub(in crate::run) fn apply(
    world: &World<'_>,
    bytes: &[u8],
    name: &str,
    recorder: &mut Recorder<'_>,
) -> Result<Answer, Fault> {
    // A fix in a document is often indented or trimmed: git refuses a last line without an end.
    let mut bytes = bytes.to_vec();
    if bytes.last().is_some_and(|last| *last != b'\n') {
        bytes.push(b'\n');
    }
    let root = world.site.root();
    let patch = write_out(files(), &world.request_dir(), "patch.diff", &bytes)?.path;
    let strip = if has_prefixes(&bytes, root) {
        "-p1"
    } else {
        "-p0"
    };
    if let Some(path) = own_file(&bytes) {
        return Ok(Answer::failed(format!(
            "{name} reaches into ftl's own files: `{path}`"
        )));
    }
    let ended = world
        .site
        .run_child(&git_apply(root, strip, &patch), None, recorder)?;
    match ended.how {
        How::Exit(0) => Ok(Answer::default()),
        How::Exit(_) => Ok(Answer::failed(format!(
            "{name} does not apply: {}",
            reason(&ended)
        ))),
        How::Signal(signal) => Err(Fault::Applying { signal }),
    }
}

/// Git's first line: the rest repeats it for every hunk.
fn reason(ended: &Ended) -> String {
    let said = ended.stderr.as_ref().map(|said| said.head.as_slice());
    let said = String::from_utf8_lossy(said.unwrap_or_default());
    let mut lines = said.lines().filter(|line| !line.trim().is_empty());
    one_line(lines.next().unwrap_or("git gives no reason"))
}

/// It writes the tree, so it is noted like any implementer, and ended when ftl is killed meanwhile.
fn git_apply(root: &Path, strip: &str, patch: &Path) -> Command {
    let mut args: Vec<std::ffi::OsString> = Vec::new();
    for setting in [
        // The user's own configuration must not decide what a patch becomes.
        "core.hooksPath=/dev/null",
        "core.fsmonitor=false",
        "core.autocrlf=false",
        "apply.whitespace=nowarn",
    ] {
        args.extend(["-c".into(), setting.into()]);
    }
    args.extend([
        "apply".into(),
        strip.into(),
        "--whitespace=nowarn".into(),
        "--".into(),
        patch.into(),
    ]);
    // Below a repository's top, git would leave out what lies outside the directory it runs in.
    let above = root.parent().unwrap_or(root);
    let env = Environment::inherit()
        .set("GIT_CEILING_DIRECTORIES", above)
        .set("LC_ALL", "C")
        .remove("GIT_DIR");
    Command::new("git", args)
        .dir(root)
        .env(env)
        .time_limit(Some(LIMIT))
        .separate_stderr(Capture::default())
}

/// A path of the diff that lies in `.ftl`, with or without a prefix. The store is outside the tree
/// that is compared, so nobody else would notice.
fn own_file(bytes: &[u8]) -> Option<String> {
    const NAMING: [&str; 6] = [
        "--- ",
        "+++ ",
        "rename from ",
        "rename to ",
        "copy from ",
        "copy to ",
    ];
    let text = String::from_utf8_lossy(bytes);
    let named = |line: &str| {
        NAMING
            .iter()
            .find_map(|word| line.strip_prefix(word))
            .map(path_of)
    };
    let own = |path: &String| {
        let parts = path
            .split('/')
            .filter(|part| !part.is_empty() && *part != ".");
        parts.take(2).any(|part| part.eq_ignore_ascii_case(".ftl"))
    };
    text.lines()
        .filter_map(named)
        .find(own)
        .map(|path| one_line(&path))
}

/// Whether the diff's paths carry a first component that is none of theirs, as git's `a/` and `b/`.
fn has_prefixes(bytes: &[u8], root: &Path) -> bool {
    let text = String::from_utf8_lossy(bytes);
    let mut lines = text.lines().peekable();
    while let Some(line) = lines.next() {
        let Some(old) = line.strip_prefix("--- ").map(path_of) else {
            continue;
        };
        let Some(new) = lines
            .peek()
            .and_then(|line| line.strip_prefix("+++ "))
            .map(path_of)
        else {
            continue;
        };
        return match (old.as_str(), new.as_str()) {
            ("/dev/null", only) | (only, "/dev/null") => is_prefixed(only),
            (old, new) if old == new => is_prefixed(old) && !root.join(old).exists(),
            (old, new) => rest(old) == rest(new),
        };
    }
    true
}

/// The path of a header line. What follows a tab is a time, which `diff -u` writes and git ignores.
fn path_of(rest: &str) -> String {
    rest.split('\t')
        .next()
        .unwrap_or(rest)
        .trim()
        .trim_matches('"')
        .to_owned()
}

fn rest(path: &str) -> Option<&str> {
    path.split_once('/').map(|(_, rest)| rest)
}

/// Git's prefixes, with those of `diff.mnemonicPrefix`: index, work tree, commit, object.
fn is_prefixed(path: &str) -> bool {
    ["a/", "b/", "i/", "w/", "c/", "o/"]
        .iter()
        .any(|prefix| path.starts_with(prefix))
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::{has_prefixes, own_file};

    #[test]
    fn a_diff_into_the_store_is_noticed() {
        let inside = "--- a/.ftl/runs/x\n+++ b/.ftl/runs/x\n@@ -1 +1 @@\n-a\n+b\n";
        assert_eq!(
            own_file(inside.as_bytes()).as_deref(),
            Some("a/.ftl/runs/x")
        );
        assert_eq!(own_file(b"rename to .FTL/x\n").as_deref(), Some(".FTL/x"));
        assert_eq!(own_file(b"--- a/src/x\n+++ b/src/x\n-- see .ftl/x\n"), None);
    }

    #[test]
    fn prefixes_are_told_from_directories() {
        let cases = [
            ("--- a/src/x.py\n+++ b/src/x.py\n", true),
            ("--- src/x.py\n+++ src/x.py\n", false),
            ("--- /dev/null\n+++ b/new.py\n", true),
            ("--- /dev/null\n+++ src/new.py\n", false),
            (
                "--- old/src/x.py\t2026-01-01\n+++ new/src/x.py\t2026-01-02\n",
                true,
            ),
            ("--- x.py\n+++ x.py\n", false),
            (
                "diff --git a/x b/x\nold mode 100644\nnew mode 100755\n",
                true,
            ),
        ];
        for (diff, expected) in cases {
            assert_eq!(
                has_prefixes(diff.as_bytes(), Path::new("/nowhere")),
                expected,
                "{diff}"
            );
        }
    }
}
