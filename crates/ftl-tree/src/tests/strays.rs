//! What shell commands do to a workplace, found and undone by the next refresh: each case in every kind of tree.
//!
//! A case is a script, so that the copy is changed by real programs (`mv`, `chmod`, `git stash`) and
//! not by the code under test.

use super::workplaces::Placed;
use super::world::{Project, World, delta, strays};
use crate::Settings;
use ftl_model::Change;

struct Case {
    script: &'static str,
    /// As [`strays`] writes them.
    strays: &'static [&'static str],
    needs_git: bool,
}

const fn case(script: &'static str, strays: &'static [&'static str]) -> Case {
    Case { script, strays, needs_git: false }
}

const fn git(script: &'static str, strays: &'static [&'static str]) -> Case {
    Case { script, strays, needs_git: true }
}

const CASES: &[Case] = &[
    case(":", &[]),
    case("echo x >>src/a.py; mkdir -p pkg/new; echo 1 >pkg/new/mod.py", &[]),
    case("touch src/b.py link docs", &[]),
    case("cp -p src/b.py t; mv t src/b.py", &[]),
    case("chmod 600 src/b.py; chmod 644 src/b.py", &[]),
    case("mkdir -p target src/__pycache__ node_modules/m; echo 1 >target/x", &[]),
    case("echo x >new.txt", &["+new.txt"]),
    case("mkdir -p x/y; echo 1 >x/y/z", &["+x", "+x/y", "+x/y/z"]),
    case("mkdir empty", &["+empty"]),
    case("mkdir -p scratch/target scratch/d/target; echo 1 >scratch/target/y", &[]),
    case(
        "mkdir -p pkg/new; echo 1 >pkg/new/other.py; echo 1 >pkg/q",
        &["+pkg/new/other.py", "+pkg/q"],
    ),
    case("echo x >>src/b.py", &["~src/b.py"]),
    case(
        "cp -p src/b.py /tmp/$$; printf B | dd conv=notrunc of=src/b.py 2>/dev/null; touch -r /tmp/$$ src/b.py; rm /tmp/$$",
        &["~src/b.py"],
    ),
    case("echo x >>dirty.txt; echo x >>untracked.txt", &["~dirty.txt", "~untracked.txt"]),
    case("rm docs/guide.md", &["-docs/guide.md"]),
    case("rm -r docs notes", &["-docs", "-docs/guide.md", "-notes", "-notes/n"]),
    case("rm dirty.txt untracked.txt link", &["-dirty.txt", "-link", "-untracked.txt"]),
    case("chmod +x src/b.py; chmod -x run.sh", &["~run.sh", "~src/b.py"]),
    case("chmod 700 docs", &["~docs"]),
    case("chmod 000 docs dirty.txt", &["~dirty.txt", "~docs"]),
    case("mv src/b.py src/c.py", &["-src/b.py", "+src/c.py"]),
    case("mv docs manual", &["-docs", "-docs/guide.md", "+manual", "+manual/guide.md"]),
    case("ln -sfn src/b.py link", &["~link"]),
    case("ln -s /etc passwords", &["+passwords"]),
    case("ln src/b.py twin; echo x >>twin", &["~src/b.py", "+twin"]),
    case("rm src/b.py; ln -s /etc/passwd src/b.py", &["~src/b.py"]),
    case(
        "rm src/b.py; mkdir -p src/b.py/d; echo 1 >src/b.py/d/x",
        &["~src/b.py", "+src/b.py/d", "+src/b.py/d/x"],
    ),
    case("rm -r docs; echo 1 >docs", &["~docs", "-docs/guide.md"]),
    case("rm link; mkdir link; echo 1 >link/x", &["~link", "+link/x"]),
    case(
        "rm -r docs; ln -s \"$OUTSIDE\" docs; echo 1 >docs/guide.md",
        &["~docs", "-docs/guide.md"],
    ),
    case("mkfifo pipe", &["+pipe"]),
    case("chmod 700 .", &["~."]),
    // What git keeps is private to the copy.
    case(
        "mkdir -p src/.git/hooks; echo x >src/.git/config; echo x >src/.git/hooks/pre-commit",
        &[],
    ),
    case(
        "git init -q docs; git init -q vendor/lib; echo 1 >vendor/lib/x",
        &["+vendor", "+vendor/lib", "+vendor/lib/x"],
    ),
    case(
        "echo x >>.ftl/workspace/002_o_active.xml; echo x >.ftl/workspace/003_p_active.xml",
        &["~.ftl/workspace/002_o_active.xml", "+.ftl/workspace/003_p_active.xml"],
    ),
    case(
        "mv .ftl/workspace/002_o_active.xml .ftl/workspace/002_o_complete.xml; mkdir -p .ftl/locks; : >.ftl/locks/x",
        &["-.ftl/workspace/002_o_active.xml", "+.ftl/workspace/002_o_complete.xml"],
    ),
    case(
        "chmod 644 .ftl/workspace/002_o_active.xml; echo x >.ftl/.gitignore; mkdir .ftl/target",
        &["~.ftl/.gitignore", "+.ftl/target", "~.ftl/workspace/002_o_active.xml"],
    ),
    case(
        "mkdir -p in/.ftl/target; echo '*' >in/.ftl/.gitignore; echo 1 >in/.ftl/target/x",
        &["+in", "+in/.ftl", "+in/.ftl/.gitignore", "+in/.ftl/target", "+in/.ftl/target/x"],
    ),
    case("printf 1 >\"$(printf 'we\\nird')\"; printf 1 >'a \"b\"'", &["+a \"b\"", "+we\nird"]),
    case(
        "rm -r src/b.py run.sh; mkdir -p deep/er; echo 1 >deep/er/x; chmod 500 deep/er",
        &["+deep", "+deep/er", "+deep/er/x", "-run.sh", "-src/b.py"],
    ),
    git("echo 1 >build/x; mkdir -p docs/build; echo 1 >docs/build/x; echo 1 >x.log", &[]),
    git("echo 1 >$(git rev-parse --git-path hooks)/pre-commit; git config alias.x y", &[]),
    git("echo x >>src/b.py; git add -A; git commit -qm second", &["~src/b.py"]),
    git("git update-index --assume-unchanged src/b.py; echo x >>src/b.py", &["~src/b.py"]),
    git("git checkout -q -- dirty.txt", &["~dirty.txt"]),
    git("git stash -q -u", &["~dirty.txt", "-notes", "-notes/n", "-untracked.txt"]),
    git("git clean -fdxq .ftl/workspace", &["-.ftl/workspace", "-.ftl/workspace/002_o_active.xml"]),
    git("rm -rf docs/build; git rm -qf docs/guide.md", &["-docs", "-docs/guide.md"]),
    git("echo hidden >>.gitignore; echo 1 >hidden", &["~.gitignore", "+hidden"]),
    git("echo '*' >src/.gitignore; echo 1 >src/hidden", &["+src/.gitignore", "+src/hidden"]),
    git("echo hidden >>$(git rev-parse --git-path info/exclude); echo 1 >hidden", &["+hidden"]),
    git("git update-server-info; git gc -q", &[]),
    git(
        "rm -r $(git rev-parse --git-path refs) $(git rev-parse --git-path hooks); echo x >>untracked.txt",
        &["~untracked.txt"],
    ),
    git(
        "mkdir -p own/lib; echo '*' >own/.gitignore; echo 1 >own/lib/x",
        &["+own", "+own/.gitignore", "+own/lib", "+own/lib/x"],
    ),
    git("rm .gitignore", &["-.gitignore"]),
];

#[test]
fn strays_without_git_are_found_and_undone() {
    find_all(World::Plain);
}

#[test]
fn strays_in_a_repository_are_found_and_undone() {
    find_all(World::Git);
}

#[test]
fn strays_in_a_part_of_a_repository_are_found_and_undone() {
    find_all(World::Below);
}

#[test]
fn strays_where_git_converts_files_are_found_and_undone() {
    find_all(World::Attributes);
}

#[test]
fn strays_in_a_part_where_git_converts_files_are_found_and_undone() {
    find_all(World::BelowAttributes);
}

#[test]
fn strays_in_a_linked_worktree_are_found_and_undone() {
    find_all(World::Linked);
}

fn find_all(world: World) {
    let mut at = Placed::ready(Project::new(world), Settings::default());
    let picture = at.project.picture();
    for case in CASES.iter().filter(|case| world.has_git() || !case.needs_git) {
        let name = format!("{world:?}: {}", case.script);
        at.work(case.script);
        let found = strays(&at.tree, &at.changes());
        let mut found: Vec<&str> = found.iter().map(String::as_str).collect();
        found.sort_by_key(|stray| &stray[1..]);
        assert_eq!(found, case.strays, "{name}");
        assert_eq!(at.project.picture(), picture, "{name}");
        at.refresh();
        let after = at.changes();
        assert_eq!(strays(&at.tree, &after), [""; 0], "{name}");
        assert!(!after.touch_delta(), "{name}");
        if let World::Plain = world {
            at.work("rm -rf target scratch src/__pycache__ node_modules src/.git docs/.git");
            at.is_equal(&name);
        }
    }
}

#[test]
fn the_delta_is_compared_with_its_former_state() {
    for (script, expected) in [
        (":", None),
        ("touch src/a.py", None),
        ("echo x >>src/a.py", Some(Change::Modified)),
        ("chmod +x src/a.py", Some(Change::Modified)),
        ("rm src/a.py", Some(Change::Deleted)),
        ("rm -r src/a.py; mkdir src/a.py", Some(Change::Modified)),
        ("ln -sf b.py src/a.py", Some(Change::Modified)),
    ] {
        let mut at = Placed::ready(Project::new(World::Plain), Settings::default());
        let before = at.before();
        at.work(script);
        let changes = at.place.changes(&at.tree, &before, &[]).unwrap();
        assert_eq!(changes.delta[&delta()[0]].change, expected, "{script}");
        assert_eq!(changes.delta[&delta()[1]].change, None, "{script}");
        assert_eq!(changes.touch_delta(), expected.is_some(), "{script}");
        assert_eq!(changes.are_none(), expected.is_none(), "{script}");
        at.refresh();
        assert!(at.changes().are_none(), "{script}");
    }
}

#[test]
fn configured_scratch_is_no_stray() {
    let settings =
        Settings { scratch: vec![".agent/".to_owned(), "*.tmp".to_owned()], ..Settings::default() };
    let at = Placed::ready(Project::new(World::Plain), settings);
    at.work("mkdir -p docs/.agent; echo 1 >docs/.agent/log; echo 1 >src/x.tmp; echo 1 >src/x.tmpl");
    assert_eq!(strays(&at.tree, &at.changes()), ["+src/x.tmpl"]);
}

#[test]
fn a_delta_file_is_not_written_through_a_link_that_leads_out() {
    for world in World::ALL {
        let at = Placed::ready(Project::new(world), Settings::default());
        at.work("rm -r docs src; ln -s \"$OUTSIDE\" docs; ln -s \"$OUTSIDE\" src");
        std::fs::write(at.project.outside().join("a.py"), "not ours").unwrap();
        let changes = at.changes();
        assert!(changes.delta[&delta()[0]].now.is_odd(), "{world:?}");
        let copy = at.copy();
        assert_eq!(copy.read(&delta()[0]).unwrap(), None);
        copy.write(&delta()[0], b"x", None).unwrap_err();
        let _ = copy.remove(&delta()[0]);
        let outside = std::fs::read_dir(at.project.outside()).unwrap().count();
        assert_eq!(outside, 1, "{world:?}");
        assert_eq!(std::fs::read(at.project.outside().join("a.py")).unwrap(), b"not ours");
    }
}
