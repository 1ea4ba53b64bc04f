//! Patches against everything that they could reach, and in every form that git writes.

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};

use ftl_testkit::program::Program;

use super::project;
use crate::support::{FTL, Finished, Project, task};

/// What is changed, and how.
type PatchStep = (&'static str, fn(&Project));

/// A repository with a few files, and a task for the delta.
fn repository(delta: &[&str]) -> Project {
    project(&[])
        .file("a.py", "a = 1\n")
        .file("old.py", "o = 1\n")
        .file(".gitignore", ".ftl/\n")
        .committed()
        .task("001_t", task().delta(delta).budget(20))
        .task("002_o", task().delta(&["o"]).budget(20))
}

fn build(project: &Project, patch: &[u8]) -> Finished {
    let outside = Project::empty();
    outside.write("x.diff", patch);
    let patch = outside.path().join("x.diff");
    let patch = patch.to_str().unwrap();
    project.build(&["001", "--patch", patch])
}

fn git(project: &Project, words: &[&str]) -> Vec<u8> {
    let output = Program::git(project.path()).args(words).output().unwrap();
    assert!(output.status.success(), "{words:?} {output:?}");
    output.stdout
}

/// The diff that git writes of what `change` does to a repository, which is then taken back.
fn diff(project: &Project, options: &[&str], change: impl FnOnce(&Project)) -> Vec<u8> {
    change(project);
    git(project, &["add", "--all"]);
    let words = [&["diff", "--cached"], options].concat();
    let diff = git(project, &words);
    git(project, &["reset", "--quiet", "--hard"]);
    git(project, &["clean", "-fdq"]);
    assert!(!diff.is_empty());
    diff
}

/// Patches that reach `path`, in every form and spelling; `%` is replaced by the path in a header.
fn reaching(path: &str) -> Vec<String> {
    let forms = [
        // A new file, an empty one, and one without a header of git's.
        "diff --git a/% b/%\nnew file mode 100644\n--- /dev/null\n+++ b/%\n@@ -0,0 +1 @@\n+x\n",
        "diff --git a/% b/%\nnew file mode 100644\nindex 0000000..e69de29\n",
        "--- /dev/null\n+++ b/%\n@@ -0,0 +1 @@\n+x\n",
        // A change, a mode, a removal.
        "diff --git a/% b/%\n--- a/%\n+++ b/%\n@@ -1 +1 @@\n-before\n+x\n",
        "diff --git a/% b/%\nold mode 100644\nnew mode 100755\n",
        "diff --git a/% b/%\ndeleted file mode 100644\n--- a/%\n+++ /dev/null\n@@ -1 +0,0 @@\n-before\n",
        // From and to other places.
        "diff --git a/old.py b/%\nsimilarity index 100%%\nrename from old.py\nrename to ^\n",
        "diff --git a/old.py b/%\nsimilarity index 100%%\ncopy from old.py\ncopy to ^\n",
        "diff --git a/% b/new.py\nsimilarity index 100%%\nrename from ^\nrename to new.py\n",
        // Binary: the bytes are `x` and a line end.
        "diff --git a/% b/%\nnew file mode 100644\nindex 0000000000000000000000000000000000000000..\
         587be6b4c3f93f93c489c0111bba5596147a26cb\nGIT binary patch\nliteral 2\nJcmb=H&&L1&0RSP?0a^e6\n\n\
         literal 0\nHcmV?d00001\n\n",
    ];
    let octal =
        |path: &str| -> String { path.bytes().map(|byte| format!("\\{byte:03o}")).collect() };
    let mut all = Vec::new();
    for form in forms {
        let plain = form.replace("%%", "\u{0}").replace(['%', '^'], path);
        all.push(plain.replace('\u{0}', "%"));
        let quote = |side: &str| format!("\"{side}/{}\"", octal(path));
        let quoted = form.replace("%%", "\u{0}");
        let quoted = quoted.replace("a/%", &quote("a")).replace("b/%", &quote("b"));
        let quoted = quoted.replace('^', &format!("\"{}\"", octal(path)));
        all.push(quoted.replace('\u{0}', "%"));
    }
    all
}

#[test]
fn no_patch_writes_into_the_store_or_git_by_any_spelling() {
    let paths = [
        (".ftl/seen.txt", usize::MAX),
        (".ftl/workspace/003_p_active.xml", 2),
        (".FTL/seen.txt", 6),
        ("in/.ftl/seen.txt", 6),
        ("./.ftl/seen.txt", 6),
        (".git/hooks/post-checkout", 2),
        (".git/seen.txt", usize::MAX),
    ];
    let mut tried = 0;
    for (path, forms) in paths {
        for patch in reaching(path).into_iter().take(forms) {
            let project = repository(&["a.py", "old.py", "new.py"]);
            for seen in [".ftl/seen.txt", ".FTL/seen.txt", "in/.ftl/seen.txt", ".git/seen.txt"] {
                project.write(seen, "before\n");
            }
            let seen = path.trim_start_matches("./");
            let before = fs::read(project.path().join(seen)).ok();
            let mode = |project: &Project| {
                let found = fs::metadata(project.path().join(seen)).ok()?;
                Some(found.permissions().mode())
            };
            let bits = mode(&project);
            let said = build(&project, patch.as_bytes());
            let kind = said.json()["block"]["kind"].clone();
            assert_eq!(kind, "implement_failed", "{patch}\n{said:#?}");
            assert_eq!(fs::read(project.path().join(seen)).ok(), before, "{patch}");
            assert_eq!(mode(&project), bits, "{patch}");
            assert_eq!(project.read("old.py"), b"o = 1\n", "{patch}");
            tried += 1;
        }
    }
    assert_eq!(tried, 2 * 20 + 2 * 2 + 3 * 6);
}

/// A repository with more kinds of files.
fn many_kinds(delta: &[&str]) -> Project {
    let project = repository(delta);
    project.write("run.sh", "true\n");
    project.write("d/e.py", "e = 1\n");
    project.write("f", "f\n");
    git(&project, &["add", "--all"]);
    git(&project, &["commit", "--quiet", "--message", "more"]);
    project
}

const WHOLE: [&str; 4] = ["--binary", "-M", "-C", "--find-copies-harder"];

#[test]
fn every_form_of_change_arrives() {
    let delta = ["a.py", "b.py", "old.py", "new.py", "bin", "run.sh", "d/e.py", "in/to/g"];
    let steps: [PatchStep; 8] = [
        ("changed", |project| project.write("a.py", "a = 2\n")),
        ("renamed", |project| {
            let at = |name: &str| project.path().join(name);
            fs::rename(at("old.py"), at("new.py")).unwrap();
        }),
        ("copied", |project| {
            project.write("b.py", project.read("a.py"));
            project.write("a.py", "a = 3\n");
        }),
        ("binary", |project| project.write("bin", [0, 159, 146, 150, 0])),
        ("executable", |project| {
            let path = project.path().join("run.sh");
            fs::set_permissions(path, fs::Permissions::from_mode(0o755)).unwrap();
        }),
        ("removed", |project| {
            fs::remove_file(project.path().join("d/e.py")).unwrap();
        }),
        ("in new directories", |project| project.write("in/to/g", "g\n")),
        ("empty", |project| project.write("b.py", "")),
    ];
    for (what, change) in steps {
        let project = many_kinds(&delta);
        let patch = diff(&project, &WHOLE, change);
        build(&project, &patch).ends(0);
        if what == "copied" {
            // Of a copy and a change of its source, git does not know the way back.
            assert_eq!(project.read("a.py"), b"a = 3\n");
            assert_eq!(project.read("b.py"), b"a = 1\n");
        } else {
            assert_is_there(&project, &patch, what);
        }
    }
}

#[test]
fn a_directory_comes_where_a_file_was_and_is_a_stray() {
    let steps: [PatchStep; 2] = [
        ("f/g", |project| {
            fs::remove_file(project.path().join("f")).unwrap();
            project.write("f/g", "g\n");
        }),
        ("d", |project| {
            fs::remove_dir_all(project.path().join("d")).unwrap();
            project.write("d", "d\n");
        }),
    ];
    for (path, change) in steps {
        let project = many_kinds(&["a.py"]);
        let patch = diff(&project, &WHOLE, |project| {
            change(project);
            project.write("a.py", "a = 2\n");
        });
        let said = build(&project, &patch).ends(0);
        let strays = said.json()["strays"].clone();
        assert!(strays.as_array().unwrap().contains(&path.into()), "{said:#?}");
        let bytes = if path == "d" { b"d\n" } else { b"g\n" };
        assert_eq!(project.read(format!(".ftl/runs/001_t/1/quarantine/1/{path}")), bytes);
        assert_eq!(project.read("a.py"), b"a = 2\n", "{said:#?}");
        assert_eq!(project.read("f"), b"f\n", "{said:#?}");
        assert_eq!(project.read("d/e.py"), b"e = 1\n", "{said:#?}");
    }
}

/// Git finds the patch in the tree: it applies backwards.
fn assert_is_there(project: &Project, patch: &[u8], what: &str) {
    let outside = Project::empty();
    outside.write("x.diff", patch);
    let path = outside.path().join("x.diff");
    let words = ["apply", "--check", "--reverse", path.to_str().unwrap()];
    assert!(Program::git(project.path()).args(words).succeeds(), "{what}");
    let left = git(project, &["status", "--porcelain", "--untracked-files=all"]);
    let left = String::from_utf8(left).unwrap();
    assert!(!left.contains(".ftl-new"), "{what} {left}");
}

#[test]
fn no_filter_of_the_repository_runs() {
    let project = repository(&["a.py"]);
    project.write(".gitattributes", "*.py filter=evil\n");
    let patch = diff(&project, &["--", "a.py"], |project| project.write("a.py", "a = 2\n"));
    project.write(".gitattributes", "*.py filter=evil\n");
    let ran = format!("sh -c ': >{}/ran; cat'", project.path().display());
    for key in ["filter.evil.clean", "filter.evil.smudge"] {
        git(&project, &["config", key, &ran]);
    }
    git(&project, &["config", "filter.evil.required", "true"]);
    build(&project, &patch).ends(0);
    assert_eq!(project.read("a.py"), b"a = 2\n");
    assert!(!project.path().join("ran").exists());
}

#[test]
fn attributes_say_how_lines_end() {
    let project = repository(&["a.py"]);
    project.write(".gitattributes", "*.py text eol=crlf\n");
    project.write("a.py", "a = 1\r\nb = 1\r\n");
    git(&project, &["add", "--all"]);
    git(&project, &["commit", "--quiet", "--message", "ends"]);
    let patch = diff(&project, &[], |project| {
        project.write("a.py", "a = 2\r\nb = 1\r\n");
    });
    assert!(!patch.contains(&b'\r'));
    git(&project, &["checkout", "--", "."]);
    build(&project, &patch).ends(0);
    assert_eq!(project.read("a.py"), b"a = 2\r\nb = 1\r\n");
}

#[test]
fn strays_of_a_patch_are_strays_as_ever() {
    for configuration in ["", "[scope]\nstrays = \"block\"\n"] {
        let project = repository(&["a.py"]);
        let patch = diff(&project, &[], |project| {
            project.write("a.py", "a = 2\n");
            project.write("old.py", "o = 2\n");
            project.write("new.py", "n = 1\n");
        });
        project.write("ftl.toml", configuration);
        let is_blocked = !configuration.is_empty();
        let said = build(&project, &patch).ends(if is_blocked { 3 } else { 0 });
        let result = said.json();
        assert_eq!(result["strays"], serde_json::json!(["new.py", "old.py"]), "{said:#?}");
        let left = "left out of the project: new.py, old.py";
        if is_blocked {
            assert_eq!(result["block"]["kind"], "delta_insufficient", "{said:#?}");
        } else {
            assert!(said.warnings().contains(left), "{said:#?}");
        }
        let a: &[u8] = if is_blocked { b"a = 1\n" } else { b"a = 2\n" };
        assert_eq!(project.read("a.py"), a, "{said:#?}");
        assert_eq!(project.read("old.py"), b"o = 1\n");
        assert!(!project.path().join("new.py").exists());
        let kept = |path| project.read(format!(".ftl/runs/001_t/1/quarantine/1/{path}"));
        assert_eq!(kept("old.py"), b"o = 2\n");
        assert_eq!(kept("new.py"), b"n = 1\n");
    }
}

#[test]
fn a_path_through_a_link_is_refused_and_nothing_is_written() {
    let outside = Project::empty();
    outside.write("x.py", "x = 1\n");
    let change = |path: &str| {
        format!(
            "--- a/a.py\n+++ b/a.py\n@@ -1 +1 @@\n-a = 1\n+a = 2\n--- a/{path}\n+++ b/{path}\n@@ -1 +1 @@\n-x = 1\n+x = 2\n"
        )
    };
    let create = "--- /dev/null\n+++ b/out/new.py\n@@ -0,0 +1 @@\n+n\n".to_owned();
    for patch in [change("out/x.py"), change("file.py"), create] {
        let project = repository(&["a.py"]);
        symlink(outside.path(), project.path().join("out")).unwrap();
        symlink(outside.path().join("x.py"), project.path().join("file.py")).unwrap();
        let said = build(&project, patch.as_bytes());
        let kind = said.json()["block"]["kind"].clone();
        assert_eq!(kind, "implement_failed", "{patch} {said:#?}");
        assert_eq!(outside.read("x.py"), b"x = 1\n");
        assert!(!outside.path().join("new.py").exists());
        assert_eq!(project.read("a.py"), b"a = 1\n", "{patch}");
    }
}

#[test]
fn a_file_keeps_its_permissions() {
    let project = repository(&["a.py"]);
    let path = project.path().join("a.py");
    fs::set_permissions(&path, fs::Permissions::from_mode(0o640)).unwrap();
    let patch = b"--- a/a.py\n+++ b/a.py\n@@ -1 +1 @@\n-a = 1\n+a = 2\n";
    build(&project, patch).ends(0);
    assert_eq!(fs::metadata(path).unwrap().permissions().mode() & 0o777, 0o640);
}

/// A full disk is no mistake of the patch: the build stops, and goes on once there is room.
#[test]
fn a_patch_for_which_there_is_no_room_is_no_verdict() {
    let project = repository(&["small/a.txt"]);
    let old = "x".repeat(4000);
    let lines = "y\n".repeat(4000);
    project.write("target/small.txt", format!("{old}\n"));
    let patch = format!(
        "--- a/small/a.txt\n+++ b/small/a.txt\n@@ -1 +1,4001 @@\n {old}\n{}",
        lines.replace('y', "+y")
    );
    project.write("target/fix.patch", patch);
    let mounted = "mount -t tmpfs -o size=8k small small && cp target/small.txt small/a.txt || exit 77\n\
                   build() { \"$FTL\" build 001 --format json --patch target/fix.patch; }\n\
                   build && exit 1\n\
                   cmp target/small.txt small/a.txt || exit 1\n\
                   mount -o remount,size=1m small && build >/dev/null && wc -l <small/a.txt";
    let script = format!("mkdir small; exec unshare -m sh -c '{mounted}'");
    let shell = Program::new("sh", project.path()).without_cargo();
    let said = Finished::of(shell.env("FTL", FTL).args(["-c", &script]));
    if matches!(said.code, Some(77) | Some(127)) || said.stderr.contains("unshare failed") {
        #[expect(clippy::print_stderr, reason = "a test without its tool says so")]
        {
            eprintln!("skipped: needs the right to mount");
        }
        return;
    }
    assert_eq!(said.code, Some(0), "{said:#?}");
    assert!(said.stdout.contains("\"outcome\": \"failed\""), "{said:#?}");
    assert!(said.stdout.ends_with("4001\n"), "{said:#?}");
}

#[test]
fn a_patch_of_a_file_of_git_that_exists_is_refused_as_any_other() {
    let project = project(&["001_a_active.xml"]);
    project.commit();
    let head = "--- a/notes.txt\n+++ b/notes.txt\n@@ -1 +1 @@\n-before\n+after\n";
    for name in [".git/config", "./.git/config", ".GIT/config", "sub/.git/config"] {
        let patch =
            format!("{head}--- a/{name}\n+++ b/{name}\n@@ -1 +1,2 @@\n [core]\n+\tpager = id\n");
        project.write("x.patch", patch);
        let finished = project.build(&["001", "--patch", "x.patch", "--restart"]).ends(3);
        assert_eq!(finished.json()["block"]["kind"], "implement_failed", "{name}");
        assert_eq!(project.read("notes.txt"), b"before\n");
        project.ftl(["reopen", "001"]).ends(0);
    }
}
