//! Files that ftl finds by their names, with something behind the name that never ends, or nearly so.

use super::{Bomb, Limits, SMALL};

/// A file that is looked for, and a command that looks for it.
struct Looked {
    path: &'static str,
    words: &'static [&'static str],
}

const fn looked(path: &'static str, words: &'static [&'static str]) -> Looked {
    Looked { path, words }
}

const PREFLIGHT: &[&str] = &["preflight", "--checker", "embedded", "."];
const BUILD: &[&str] = &["build", "001", "--agent", "echo a = 2 >src/a.py"];
const NEW: &[&str] = &["new", "an objective", "--delta", "src/b.py", "--verify", "true"];

const LOOKED: &[Looked] = &[
    looked("package.json", PREFLIGHT),
    looked("Cargo.toml", PREFLIGHT),
    looked(".gitignore", PREFLIGHT),
    looked(".ignore", PREFLIGHT),
    looked(".git/info/exclude", PREFLIGHT),
    looked(".git/info/exclude", BUILD),
    looked(".gitignore", BUILD),
    looked("ftl.toml", PREFLIGHT),
    looked("ftl.toml", BUILD),
    looked(".ftl/exploration.json", &["workspace", "create", "--plan", "plan.json"]),
    looked("plan.json", &["workspace", "create", "--plan", "plan.json"]),
    looked("src/b.py", PREFLIGHT),
    looked("src/b.py", &["preflight", "src/b.py"]),
    looked("src/b.py", NEW),
    looked("src/a.py", &["build", "001"]),
    looked("src/a.py", &["build", "001", "--dry-run"]),
    looked(".ftl/workspace/002_u_active.xml", &["status"]),
    looked(".ftl/workspace/002_u_active.xml", &["build", "002"]),
    looked(
        ".ftl/workspace/002_u_active.xml",
        &["workspace", "parse", ".ftl/workspace/002_u_active.xml"],
    ),
    looked(
        ".ftl/workspace/002_u_active.xml",
        &["workspace", "validate", ".ftl/workspace/002_u_active.xml"],
    ),
    looked("x.diff", &["build", "001", "--patch", "x.diff"]),
    looked(".ftl/.gitignore", BUILD),
    looked(".ftl/locks/001_t", &["status"]),
    looked(".ftl/runs/001_t/1/journal", BUILD),
];

/// The delta is read to its end, since its digest goes into the record.
fn limits(file: &Looked, form: &str) -> Limits {
    match (file.path, file.words[0], form) {
        ("src/a.py", "build", FIVE_GIGABYTES) => Limits::new(120, 100),
        _ => SMALL,
    }
}

const FIVE_GIGABYTES: &str = "5 GB of nothing";

/// What can lie there, by name, and the shell that puts it there.
const FORMS: &[(&str, &str)] = &[
    ("a link to /dev/zero", "ln -s /dev/zero \"$F\""),
    ("a pipe", "mkfifo \"$F\""),
    (FIVE_GIGABYTES, "truncate -s 5G \"$F\""),
];

const PLAN: &str = r#"echo '{"tasks": [{"seq": "007", "slug": "x", "delta": ["src/a.py"], "verify": "true"}]}' >plan.json; echo 'let a' >x.js; echo 'fn f() {}' >x.rs; git init -q"#;

/// Each file in each form.
pub(super) fn bombs() -> Vec<Bomb> {
    let bomb = |file: &Looked, (form, shell): (&str, &str)| Bomb {
        name: format!("{} is {form}, `ftl {}`", file.path, file.words.join(" ")),
        make: format!(
            "{PLAN}; F={}; mkdir -p \"$(dirname \"$F\")\"; rm -f \"$F\"; {shell}",
            file.path
        ),
        words: file.words.to_vec(),
        limits: limits(file, form),
        // Digests of so much take a debug build longer than a change should wait.
        is_large: matches!((file.path, form), ("src/a.py", FIVE_GIGABYTES)),
    };
    let each = LOOKED.iter();
    each.flat_map(|file| FORMS.iter().map(move |form| bomb(file, *form))).collect()
}
