//! Tasks that workers perform leave the records that the same tasks leave here.

use std::collections::BTreeMap;
use std::fs;

use ftl_testkit::program::Program;

use super::{Fleet, add, skip};
use crate::cli::isolation::possible;
use crate::support::Project;

/// For each task something else: one line, a repair, a known fix, a failing verify, no change, other files, an allowed
/// file, and an agent that fails.
const AGENT: &str = r#"echo "the agent at $1 in $FTL_ROOT"
case $1:$FTL_PHASE in
a.txt:*) echo agent >>$1 ;;
b.json:implement) echo '{"a": ' >$1 ;;
b.json:*) echo '{"a": 1}' >$1 ;;
c.txt:implement) echo wrong >$1 ;;
c.txt:*) echo right >$1 ;;
d.txt:*) echo agent >>$1 ;;
e.txt:*) echo '{"no_change": true, "summary": "nothing to do"}' >"$FTL_REPLY" ;;
f.txt:*) rm $1; mkdir -p new; printf '#!/bin/sh\n' >new/run; chmod +x new/run ;;
g.txt:*) echo agent >>$1; echo lock >lock.txt; echo '{"summary": "changed '$FTL_ROOT'/g.txt"}' >"$FTL_REPLY" ;;
h.txt:*) echo agent >>$1; echo "no idea" >&2; exit 3 ;;
esac"#;

fn tasks() -> Project {
    let project = Project::empty();
    let all: [(char, &[&str], &str, &str); 8] = [
        ('a', &["a.txt"], "grep -q agent a.txt", ""),
        ('b', &["b.json"], "grep -q 1 b.json", ""),
        (
            'c',
            &["c.txt"],
            "grep -q right c.txt || { echo error: all wrong; false; }",
            "<prior_knowledge><failure name=\"wrong\"><trigger>all wrong</trigger><fix>Write right</fix></failure></prior_knowledge>",
        ),
        ('d', &["d.txt"], "echo error: never; false", ""),
        ('e', &["e.txt"], "true", ""),
        ('f', &["f.txt", "new/run"], "test -x new/run", ""),
        ('g', &["g.txt"], "grep -q lock lock.txt", ""),
        ('h', &["h.txt"], "true", ""),
    ];
    for (number, (slug, delta, verify, knowledge)) in (1..).zip(all) {
        project.write(delta[0], "before\n");
        add(&project, number, slug, &super::of(delta, verify).rest(knowledge));
    }
    project.write("lock.txt", "");
    let agent = format!("[agent.script]\ncommand = '''{AGENT}'''\n");
    project.write("ftl.toml", format!("{agent}[scope]\nallow = ['lock.txt']\n"));
    project.commit();
    project
}

/// The records, without times and the names of workers.
fn records(project: &Project) -> BTreeMap<String, String> {
    let masked = |text: &str| {
        let mut parts = text.split('"').map(str::to_owned).collect::<Vec<_>>();
        for at in 1..parts.len() {
            if ["_at=", "_ms=", " worker="].iter().any(|name| parts[at - 1].ends_with(name)) {
                parts[at] = String::new();
            }
        }
        parts.join("\"").replace(" worker=\"\"", "")
    };
    let read = |name: String| {
        let text = String::from_utf8(project.read(format!(".ftl/workspace/{name}"))).unwrap();
        (name, masked(&text))
    };
    project.workspaces().into_iter().map(read).collect()
}

fn logs(project: &Project) -> BTreeMap<String, String> {
    let runs = fs::read_dir(project.path().join(".ftl/runs")).unwrap().flatten();
    let log = |run: fs::DirEntry| {
        let text = fs::read_to_string(run.path().join("1/requests/1/agent.log")).ok()?;
        Some((run.file_name().into_string().unwrap(), text))
    };
    let logs: BTreeMap<_, _> = runs.filter_map(log).collect();
    assert_eq!(logs.len(), 8);
    logs
}

#[test]
fn the_same_tasks_leave_the_same_records_here_and_at_workers() {
    if !possible() {
        return;
    }
    let project = tasks();
    let agent = fs::read_to_string(project.path().join("ftl.toml")).unwrap();
    let Some(fleet) = Fleet::start(&agent, 2) else {
        return skip();
    };
    let words = ["build", "--all", "--jobs", "4", "--agent", "script", "--format", "json"];
    let here = project.ftl(words);
    assert_eq!(here.code, Some(3), "{here:#?}");
    let (expected, said) = (records(&project), logs(&project));
    let git = |words: &[&str]| Program::git(project.path()).args(words).run().unwrap();
    git(&["reset", "--quiet", "--hard"]);
    git(&["clean", "--quiet", "-fdx"]);
    let there = fleet.build(&project, &[]);
    assert_eq!(there.code, Some(3), "{there:#?}");
    let found = records(&project);
    assert_eq!(found.keys().collect::<Vec<_>>(), expected.keys().collect::<Vec<_>>());
    for (name, expected) in expected {
        assert_eq!(found[&name], expected, "{name}");
    }
    assert_eq!(logs(&project), said);
}
