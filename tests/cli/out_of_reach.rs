//! The store is out of every implementer's reach: whatever an agent does to `.ftl`, no task, no verdict and no
//! record is lost, and no build is decided by it.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use ftl_testkit::program::Program;

use super::during_requests::with_pipes;
use super::project;
use crate::support::task;
use crate::support::{FTL, Finished, Project};

const A: &str = "001_a_active.xml";
const WORK: &str = "echo work >> notes.txt";

/// In which kinds of trees everything has to work.
const WORLDS: [&str; 3] = ["plain", "git", "git that ignores .ftl"];

fn store(world: &str) -> Project {
    let project = project(&[]);
    project.write("ftl.toml", "[scope]\nscratch = [\"*.tmp\"]\n");
    let ignored = if world == "git that ignores .ftl" { ".ftl/\n" } else { "x\n" };
    project.write(".gitignore", ignored);
    if world != "plain" {
        project.commit();
    }
    project.add("001_a", task());
    project.add("002_o", task().verify("false"));
    project.write(".ftl/workspace/000_r_blocked.xml", "<workspace status=\"blocked\"/>");
    project.write(".ftl/exploration.json", "{\"pattern\": {\"confidence\": 0.5}}");
    project.write(".ftl/runs/000_r/1/outputs/verify-1.log", "failed\n");
    project.write("in/.ftl/workspace/001_in_active.xml", task().active());
    project.write("in/.ftl/.gitignore", "/runs/\n/locks/\n");
    project.write(".ftl/.gitignore", "# mine\n");
    // So that the build finds what it would make for itself.
    fs::create_dir_all(project.path().join(".ftl/locks")).unwrap();
    // Closed, as a build leaves them.
    let mut dir = project.path().join(".ftl/runs");
    for name in ["000_r", "1", "outputs"] {
        fs::set_permissions(&dir, fs::Permissions::from_mode(0o700)).unwrap();
        dir.push(name);
    }
    fs::set_permissions(&dir, fs::Permissions::from_mode(0o700)).unwrap();
    let log = dir.join("verify-1.log");
    fs::set_permissions(log, fs::Permissions::from_mode(0o600)).unwrap();
    project
}

/// Everything but what the build of 001 makes: paths, modes and bytes.
fn picture(project: &Project) -> BTreeMap<String, (u32, Vec<u8>)> {
    let mut picture = BTreeMap::new();
    look(project.path(), Path::new(""), &mut picture);
    let own = [".ftl/runs/001_a", ".ftl/locks", ".ftl/workspace/001_a", "notes.txt", ".git/"];
    picture.retain(|path, _| !own.iter().any(|own| path.starts_with(own)));
    picture
}

fn look(root: &Path, dir: &Path, picture: &mut BTreeMap<String, (u32, Vec<u8>)>) {
    for entry in fs::read_dir(root.join(dir)).unwrap().map(Result::unwrap) {
        let path = dir.join(entry.file_name());
        let found = entry.metadata().unwrap();
        let bytes = if found.is_file() { fs::read(root.join(&path)).unwrap() } else { Vec::new() };
        let mode = found.permissions().mode();
        picture.insert(path.to_str().unwrap().to_owned(), (mode, bytes));
        if found.is_dir() {
            look(root, &path, picture);
        }
    }
}

fn build(project: &Project, agent: &str) -> Finished {
    let agent = format!("{WORK}\n{agent}");
    project.build(&["001", "--agent", &agent])
}

fn build_in_the_tree(project: &Project, agent: &str) -> Finished {
    let agent = format!("{WORK}\n{agent}");
    let words = ["build", "001", "--isolate", "copy", "--format", "json", "--agent"];
    project.ftl(words.into_iter().chain([agent.as_str()]))
}

/// Builds with an agent that does this too, and sees that it is found and undone.
fn assert_undone(world: &str, havoc: &str, strays: &[&str]) {
    let project = store(world);
    let before = picture(&project);
    let text = project.read(format!(".ftl/workspace/{A}"));
    let finished = build(&project, havoc);
    let name = format!("{world}: {havoc}: {finished:#?}");
    assert_eq!(finished.code, Some(0), "{name}");
    let said = finished.json();
    let found: Vec<&str> =
        said["strays"].as_array().unwrap().iter().map(|stray| stray.as_str().unwrap()).collect();
    for stray in strays {
        assert!(found.contains(stray), "{stray}: {name}");
    }
    assert_eq!(picture(&project), before, "{name}");
    assert!(project.path().join(".ftl/locks").is_dir(), "{name}");
    let names = project.workspaces();
    let own: Vec<&String> = names.iter().filter(|name| name.starts_with("001")).collect();
    assert_eq!(own, ["001_a_complete.xml"], "{name}");
    let record = project.read(".ftl/workspace/001_a_complete.xml");
    let head = String::from_utf8(text).unwrap();
    let head = &head[..head.find("<delivered").unwrap()];
    let record = String::from_utf8(record).unwrap();
    assert!(record.contains(&head[head.find("<implementation").unwrap()..]), "{name}");
    let journal = project.text(".ftl/runs/001_a/1/journal.jsonl");
    for event in ["workspace_read", "implemented", "sealed"] {
        assert!(journal.contains(&format!("\"type\":\"{event}\"")), "{event}: {name}");
    }
}

/// A case of each rule; the sweep of strays goes through many more.
const HAVOC: &[(&str, &[&str])] = &[
    (
        "sed 's/\"active\"/\"complete\"/' .ftl/workspace/001_a_active.xml >.ftl/workspace/001_a_complete.xml",
        &[".ftl/workspace/001_a_complete.xml"],
    ),
    (
        "sed -i 's/\"active\"/\"complete\"/; s#</workspace>#<run/></workspace>#' .ftl/workspace/001_a_active.xml",
        &[".ftl/workspace/001_a_active.xml"],
    ),
    (
        "mv .ftl/workspace/002_o_active.xml .ftl/workspace/002_o_complete.xml",
        &[".ftl/workspace/002_o_active.xml", ".ftl/workspace/002_o_complete.xml"],
    ),
    (
        "sed -i s/false/true/ .ftl/workspace/002_o_active.xml; chmod 600 .ftl/workspace/000_r_blocked.xml",
        &[".ftl/workspace/000_r_blocked.xml", ".ftl/workspace/002_o_active.xml"],
    ),
    (
        "cp .ftl/workspace/002_o_active.xml .ftl/workspace/003_p_active.xml",
        &[".ftl/workspace/003_p_active.xml"],
    ),
    ("echo x >in/.ftl/workspace/001_in_active.xml", &["in/.ftl/workspace/001_in_active.xml"]),
    (
        "echo '{}' >.ftl/exploration.json; echo x >.ftl/.gitignore; echo passed >.ftl/runs/000_r/1/outputs/verify-1.log; \
         printf '[agent]\\ndefault = \"x\"\\n' >ftl.toml",
        // No workplace has the runs of other tasks.
        &[".ftl/.gitignore", ".ftl/exploration.json", "ftl.toml"],
    ),
    ("[ ! -e .git ] || git clean -fdxq; rm -rf .ftl", &[".ftl/workspace/001_a_active.xml"]),
    (
        // The stash has the work too.
        "[ ! -e .git ] || { git add -f .ftl; git stash -q -u; echo work >>notes.txt; }; \
         rm -rf .ftl/workspace .ftl/locks",
        &[".ftl/workspace/001_a_active.xml"],
    ),
    ("mv .ftl elsewhere", &[".ftl/workspace/001_a_active.xml"]),
    ("rm -rf .ftl; ln -s /tmp .ftl", &[".ftl/workspace/001_a_active.xml"]),
    ("rm -rf .ftl; echo file >.ftl", &[".ftl/workspace/001_a_active.xml"]),
    ("chmod 000 .ftl/workspace", &[".ftl/workspace"]),
];

#[test]
fn changes_by_an_agent_in_the_store_are_strays_and_undone() {
    for (turn, (havoc, strays)) in HAVOC.iter().enumerate() {
        assert_undone(WORLDS[turn % WORLDS.len()], havoc, strays);
    }
}

#[test]
fn a_sparse_checkout_takes_no_task_with_it() {
    let project = store("git");
    Program::git(project.path()).args(["add", "-f", ".ftl"]).run().unwrap();
    Program::git(project.path()).args(["commit", "-qm", "tasks"]).run().unwrap();
    let before = picture(&project);
    let finished = build(&project, "git sparse-checkout set in; echo work > notes.txt").ends(0);
    assert_eq!(picture(&project), before, "{finished:#?}");
    assert!(project.workspaces().contains(&"001_a_complete.xml".to_owned()));
}

/// What an agent does to its run directory decides nothing, and is reported.
#[test]
fn of_the_runs_own_directory_only_the_reply_is_the_agents() {
    for havoc in [
        "echo '{}' >$RUN/journal.jsonl",
        "rm -rf $RUN",
        "rm -rf $RUN; ln -s \"$OUT\" $RUN",
        "rm -rf $RUN/outputs $RUN/diffs $RUN/quarantine $RUN/journal.jsonl; \
         for name in outputs diffs quarantine journal.jsonl; do ln -s \"$OUT\" $RUN/$name; done",
        "rm -rf $RUN/requests; ln -s \"$OUT\" $RUN/requests",
        "mkdir -p $RUN/ended",
    ] {
        let project = store("plain");
        let outside = Project::empty();
        let out = outside.path().display();
        let agent =
            format!("OUT='{out}'; RUN=$(dirname $(dirname $(dirname \"$FTL_REQUEST\"))); {havoc}");
        let finished = build(&project, &agent);
        let name = format!("{havoc}: {finished:#?}");
        assert_eq!(finished.code, Some(0), "{name}");
        assert_eq!(finished.json()["outcome"], "complete", "{name}");
        assert_eq!(fs::read_dir(outside.path()).unwrap().count(), 0, "{name}");
        let journal = project.text(".ftl/runs/001_a/1/journal.jsonl");
        assert!(journal.contains("\"type\":\"sealed\""), "{name}");
    }
}

#[test]
fn quarantine_is_not_written_through_a_link() {
    for name in ["quarantine", "quarantine/1"] {
        let project = store("plain");
        let outside = Project::empty();
        let out = outside.path().display();
        let agent = format!(
            "D=$(dirname $(dirname $(dirname \"$FTL_REQUEST\"))); mkdir -p $D/quarantine; \
             rm -rf $D/{name}; ln -s '{out}' $D/{name}; echo key >authorized_keys"
        );
        let finished = build_in_the_tree(&project, &agent).ends(0);
        assert_eq!(fs::read_dir(outside.path()).unwrap().count(), 0, "{finished:#?}");
        let kept = project.read(".ftl/runs/001_a/1/quarantine/1/authorized_keys");
        assert_eq!(kept, b"key\n");
    }
}

#[test]
fn an_implementer_makes_no_tasks_with_ftl_itself() {
    for command in [
        "new x --delta y --verify true",
        "workspace complete .ftl/workspace/002_o_active.xml --delivered x",
        "build 002",
    ] {
        let project = store("plain");
        let before = picture(&project);
        let agent = format!("'{FTL}' {command} 2>$OUT/said; echo $? >>$OUT/said");
        build(&project, &agent).ends(0);
        let said = project.text(project.outside("said"));
        assert!(said.contains("usage::in_request") && said.ends_with("2\n"), "{said}");
        assert_eq!(picture(&project), before, "{command}");
    }
}

#[test]
fn a_task_that_a_person_edits_during_its_build_is_not_overwritten() {
    let project = with_pipes(&[]);
    project.add("001_a", task().verify("echo &gt;$OUT/started; read go &lt;$OUT/go"));
    let finished = project.script("\"$FTL\" build 001 --format json --agent 'echo work >>notes.txt' & read line <$OUT/started; \
         echo '<!-- mine -->' >>.ftl/workspace/001_a_active.xml; echo >$OUT/go; wait $!",
    );
    super::assert_refused(&finished, 1, "build::task_edited", "001_a/1/record.xml");
    assert!(project.text(".ftl/workspace/001_a_active.xml").ends_with("<!-- mine -->\n"));
    let record = project.text(".ftl/runs/001_a/1/record.xml");
    assert!(record.contains("status=\"complete\""), "{record}");
    let again = project.build(&["001", "--agent", "true"]);
    super::assert_refused(&again, 1, "build::changed", "the workspace");

    // The command in the message takes the record.
    let help = finished.json()["error"]["help"].as_str().unwrap().to_owned();
    let command = help.split('`').find(|part| part.starts_with("cp ")).unwrap();
    project.script(command).ends(0);
    project.ftl(["build", "001", "--agent", "true"]).ends(0);
    assert_eq!(project.workspaces(), ["001_a_complete.xml"]);
}

#[test]
fn an_agent_that_deletes_everything_and_kills_its_build_takes_no_task_with_it() {
    let agent =
        "[ -e $OUT/again ] || { echo >$OUT/again; rm -rf .ftl; kill -9 $(cat $OUT/pid); sleep 9; }";
    let project = project(&[A, "002_o_active.xml"]);
    let build = format!(
        "echo $$ >$OUT/pid; exec \"$FTL\" build 001 --isolate copy --agent '{WORK}\n{agent}'"
    );
    assert_eq!(project.script(&build).code, None);
    assert_eq!(project.workspaces(), [A, "002_o_active.xml"]);
    project.script(&build).ends(0);
    assert_eq!(project.read("notes.txt"), b"before\nwork\n");
    assert_eq!(project.workspaces(), ["001_a_complete.xml", "002_o_active.xml"]);
}

#[test]
fn a_workplace_whose_root_was_replaced_decides_nothing() {
    let outside = project(&[]);
    for git in [false, true] {
        let root = outside.path().join(format!("root-{git}"));
        let text = task().active();
        outside.write(root.join(".ftl/workspace/001_a_active.xml"), text);
        outside.write(root.join("notes.txt"), "before\n");
        outside.write(root.join("other.txt"), "other\n");
        if git {
            Program::git(&root).args(["init", "-q"]).run().unwrap();
        }
        let agent = "echo work >> notes.txt; here=$(pwd); cd ..; mv \"$here\" \"$here-moved\"; \
                     mkdir \"$here\"; cp -r \"$here-moved/notes.txt\" \"$here\"; echo x > \"$here/other.txt\"";
        let words = ["build", "001", "--isolate", "copy", "--agent", agent];
        let finished = Finished::of(Program::new(FTL, &root).without_cargo().args(words));
        assert_eq!(fs::read(root.join("other.txt")).unwrap(), b"other\n", "{finished:#?}");
        assert!(root.join(".ftl/workspace").is_dir(), "{finished:#?}");
    }
}
