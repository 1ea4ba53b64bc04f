//! Calls that no tool may obey: nothing is written, inside the project or out of it, and each says why.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::{MetadataExt, symlink};
use std::path::Path;

use serde_json::{Value, json};

use super::{Client, calculator};
use crate::support::Project;

/// Everything below a directory: what it is, its mode, and its bytes or where it leads.
fn picture(dir: &Path) -> BTreeMap<String, (u32, Vec<u8>)> {
    let mut all = BTreeMap::new();
    let mut dirs = vec![dir.to_owned()];
    while let Some(dir) = dirs.pop() {
        for entry in fs::read_dir(&dir).unwrap().map(Result::unwrap) {
            let path = entry.path();
            let found = path.symlink_metadata().unwrap();
            let bytes = match found.file_type() {
                kind if kind.is_file() => fs::read(&path).unwrap(),
                kind if kind.is_symlink() => {
                    fs::read_link(&path).unwrap().into_os_string().into_encoded_bytes()
                }
                _ => Vec::new(),
            };
            all.insert(path.display().to_string(), (found.mode(), bytes));
            if found.is_dir() {
                dirs.push(path);
            }
        }
    }
    all
}

/// A task whose files are behind links, pipes and directories, and a neighbour that is out of bounds.
fn trap() -> (Project, Project) {
    let (project, outside) = (calculator(), Project::empty());
    outside.write("secret.txt", "outside\n");
    project.write(".ftl/runs/000_x/1/journal", "journal\n");
    project.write(".git-not/config", "x\n");
    project.write("docs/blob.bin", [0xff, 0xfe, 0x00]);
    let project = project.pipes(&["pipe"]);
    let at = |path: &str| project.path().join(path);
    symlink(outside.path(), at("way-out")).unwrap();
    symlink(outside.path().join("secret.txt"), at("leak.txt")).unwrap();
    symlink("calc.py", at("inside-link.py")).unwrap();
    symlink("/dev/zero", at("zeros")).unwrap();
    fs::create_dir_all(at("d/e")).unwrap();
    let odd =
        ["way-out/made.py", "leak.txt", "pipe", "zeros", "inside-link.py", "calc.py/under.py"];
    let delta: String = odd.iter().map(|path| format!("<delta>{path}</delta>")).collect();
    let text = project.text(".ftl/workspace/001_add_active.xml");
    let text = text.replace("<delta>new/made.py</delta>", &delta);
    project.write(".ftl/workspace/001_add_active.xml", text);
    (project, outside)
}

/// Paths that no tool takes.
fn paths() -> Vec<String> {
    let mut paths: Vec<String> = [
        "",
        " ",
        ".",
        "./",
        "..",
        "../x",
        "../../etc/passwd",
        "docs/../../x",
        "docs/..",
        "/etc/passwd",
        "//etc/passwd",
        "/",
        "~/../x/..",
        "C:\\x",
        "..\\x",
        "docs\\notes.txt",
        "a\u{0}b",
        "calc.py\u{0}.txt",
        "a\nb.py",
        "a\rb.py",
        "\u{1b}[31mx.py",
        "a\u{7f}b",
        "a\u{85}b",
        "*.py",
        "calc.p?",
        "docs/",
        "docs/.",
        ".ftl",
        ".ftl/workspace/001_add_active.xml",
        ".FTL/workspace/x",
        ".git/config",
        ".GIT/hooks/pre-commit",
        ".g\u{200c}it/config",
        "x/.git/config",
        "./.ftl/runs/000_x/1/journal",
        "docs/../.ftl/x",
    ]
    .map(str::to_owned)
    .into();
    paths.push("../".repeat(400) + "etc/passwd");
    paths
}

/// Arguments of the wrong form.
fn malformed() -> Vec<(&'static str, Value)> {
    vec![
        ("read", json!({})),
        ("read", json!({"path": null})),
        ("read", json!({"path": 7})),
        ("read", json!({"path": ["calc.py"]})),
        ("read", json!({"path": {"x": 1}})),
        ("read", json!({"path": "calc.py", "from": -1})),
        ("read", json!({"path": "calc.py", "from": "2"})),
        ("read", json!({"path": "calc.py", "lines": 1e99})),
        ("read", json!({"path": "calc.py", "unknown": true})),
        ("write", json!({"path": "calc.py"})),
        ("write", json!({"path": "calc.py", "content": null})),
        ("write", json!({"path": "calc.py", "content": 1})),
        ("write", json!({"path": "calc.py", "content": ["x"]})),
        ("write", json!({"path": "calc.py", "content": "x", "mode": 511})),
        ("write", json!({"content": "x"})),
        ("edit", json!({"path": "calc.py", "old": "a - b"})),
        ("edit", json!({"path": "calc.py", "old": "", "new": "x"})),
        ("edit", json!({"path": "calc.py", "old": "a - b", "new": "a - b"})),
        ("edit", json!({"path": "calc.py", "old": "nowhere", "new": "x"})),
        ("edit", json!({"path": "calc.py", "old": "a", "new": "b"})),
        ("edit", json!({"path": "calc.py", "old": "a - b", "new": "x", "all": "yes"})),
        ("verify", json!({"command": "touch pwned"})),
        ("preflight", json!({"path": "calc.py"})),
        ("task", json!({"id": "002"})),
        ("done", json!({"summary": 1})),
        ("done", json!({"utilized": "minus"})),
        ("done", json!({"utilized": ["unknown"]})),
        ("done", json!({"summary": "x".repeat(70_000)})),
        ("no_change", json!({"reason": ["x"]})),
        ("needs", json!({})),
        ("needs", json!({"paths": []})),
        ("needs", json!({"paths": "x.py"})),
        ("needs", json!({"paths": ["calc.py"]})),
        ("needs", json!({"paths": ["../x"]})),
        ("needs", json!({"paths": vec!["x.py"; 101]})),
        ("search", json!({"pattern": ""})),
        ("search", json!({"pattern": "("})),
        ("search", json!({"pattern": "x".repeat(2000)})),
        ("search", json!({"pattern": "(a{1000}){1000}"})),
        ("search", json!({"pattern": "(?=a)"})),
    ]
}

#[test]
fn no_path_leads_out_and_nothing_malformed_is_obeyed() {
    let (project, outside) = trap();
    let client = Client::of(&project, &[]);
    let before = (picture(project.path()), picture(outside.path()));
    let mut calls = malformed();
    let root = project.path().display().to_string();
    let own = ["", "../x", ".ftl/workspace/001_add_active.xml", ".git/config"];
    let beside = format!("{root}x/calc.py");
    let absolute = own.map(|rest| format!("{root}/{rest}"));
    let absolute = absolute.into_iter().chain([beside]);
    for path in paths().into_iter().chain(absolute) {
        calls.push(("read", json!({"path": path})));
        calls.push(("write", json!({"path": path, "content": "pwned"})));
        calls.push(("edit", json!({"path": path, "old": "a", "new": "pwned"})));
        calls.push(("needs", json!({"paths": [path]})));
        if !matches!(path.trim(), "" | "." | "./" | "docs/") {
            calls.push(("search", json!({"pattern": ".", "path": path})));
        }
    }
    for path in [
        "docs/notes.txt",
        "new.py",
        "ftl.toml",
        "way-out/secret.txt",
        "d/e/x.py",
        "calc.py.bak",
        "CALC.PY",
    ] {
        calls.push(("write", json!({"path": path, "content": "pwned"})));
        calls.push(("edit", json!({"path": path, "old": "a", "new": "pwned"})));
    }
    // In the delta, and still no regular files beneath the root.
    for path in
        ["way-out/made.py", "leak.txt", "pipe", "zeros", "inside-link.py", "calc.py/under.py"]
    {
        calls.push(("write", json!({"path": path, "content": "pwned"})));
        calls.push(("edit", json!({"path": path, "old": "a", "new": "pwned"})));
        calls.push(("read", json!({"path": path})));
    }
    for path in ["way-out", "leak.txt", "way-out/secret.txt", "pipe", "zeros", "none"] {
        calls.push(("search", json!({"pattern": ".", "path": path})));
    }
    for path in ["d", "none.py", "way-out/secret.txt", "docs/blob.bin"] {
        calls.push(("read", json!({"path": path})));
    }
    let large = "x".repeat((4 << 20) + 1);
    calls.push(("write", json!({"path": "calc.py", "content": large})));
    calls.push(("edit", json!({"path": "calc.py", "old": "a", "new": large, "all": true})));
    assert!(calls.len() > 200, "{}", calls.len());
    for (tool, arguments) in calls {
        let said = client.call(tool, arguments.clone());
        let shown = format!("{arguments:.200} {tool}: {:.300}", said.text);
        assert!(said.failed, "{shown}");
        assert!(said.text.starts_with("refused: ") && said.text.len() > 15, "{shown}");
        assert!(!said.text.contains("outside\n"), "{shown}");
    }
    for tool in ["", "bash", "READ", "read ", "shell", "task\u{0}"] {
        let error = client.try_call(tool, json!({"path": "calc.py"})).unwrap_err().to_string();
        assert!(error.contains("there is no such tool"), "{tool}: {error}");
    }
    assert_eq!((picture(project.path()), picture(outside.path())), before);
    // It still serves.
    assert!(client.good("read", json!({"path": "calc.py"})).contains("a - b"));
    assert_eq!(client.close(), Some(0));
}

#[test]
fn a_search_does_not_wait_for_ignore_files_that_are_pipes() {
    let project = calculator().pipes(&[".gitignore", "docs/.ignore", ".git/info/exclude"]);
    let client = Client::of(&project, &[]);
    let hits = client.good("search", json!({"pattern": "a - b"}));
    assert!(hits.starts_with("calc.py:2: "), "{hits}");
    assert_eq!(client.close(), Some(0));
}

#[test]
fn an_agents_tools_stay_below_the_root_while_directories_change_places() {
    let (project, outside) = (calculator(), Project::empty());
    outside.write("made.py", "outside\n");
    fs::create_dir_all(project.path().join("new")).unwrap();
    symlink(outside.path(), project.path().join("link")).unwrap();
    let client = Client::of(&project, &[]);
    let names = ["new", "link", "aside"].map(|name| project.path().join(name));
    let done = std::sync::atomic::AtomicBool::new(false);
    let relaxed = std::sync::atomic::Ordering::Relaxed;
    std::thread::scope(|scope| {
        scope.spawn(|| {
            let [at, link, aside] = &names;
            while !done.load(relaxed) {
                for (from, to) in [(at, aside), (link, at), (at, link), (aside, at)] {
                    // A write may just have made the directory again.
                    let _ = fs::rename(from, to);
                }
            }
        });
        let write = json!({"path": "new/made.py", "content": "pwned"});
        let tries = (0..150).map(|_| client.call("write", write.clone()));
        let written = tries.filter(|said| !said.failed).count();
        // A loaded machine may have shown the link to every one of them.
        while written == 0 && client.call("write", write.clone()).failed {}
        for _ in 0..50 {
            let said = client.call("read", json!({"path": "new/made.py"}));
            assert!(!said.text.contains("outside"), "{said:?}");
        }
        done.store(true, relaxed);
    });
    assert_eq!(outside.read("made.py"), b"outside\n");
    assert_eq!(fs::read_dir(outside.path()).unwrap().count(), 1);
}
