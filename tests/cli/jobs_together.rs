//! `ftl build --jobs N` over many tasks that touch each other: the tree is what landed, and each verify that fails in the
//! end is reported.

use std::collections::BTreeSet;

use ftl_testkit::scratch::Scratch;

use super::isolation::possible;
use super::jobs::of;
use crate::support::{Project, has_tool};

const ROUNDS: u32 = 3;

/// Tasks of a round: a file, a second task with the same file, one that depends on the first, one that another one
/// breaks, that one, and one that fails. Gives the ID and the verify of each.
fn add_round(project: &Project, round: u32) -> Vec<(String, String)> {
    let delta = |letters: &[&str]| -> Vec<String> {
        letters.iter().map(|letter| format!("{letter}{round}.txt")).collect()
    };
    let tasks = [
        (delta(&["a"]), format!("grep -q agent a{round}.txt")),
        (delta(&["a", "b"]), format!("grep -q agent b{round}.txt")),
        (delta(&["c"]), format!("grep -q agent a{round}.txt c{round}.txt")),
        (
            delta(&["d"]),
            format!("grep -q agent d{round}.txt || exit 1; ! grep -q agent e{round}.txt"),
        ),
        (delta(&["e", "new/e"]), format!("grep -q agent new/e{round}.txt")),
        (delta(&["f"]), format!("echo error: never in f{round}.txt; false")),
    ];
    let first = round * 10;
    let added = tasks.into_iter().zip(first..).map(|((delta, verify), number)| {
        let depends =
            if number == first + 2 { format!("depends=\"{first:03}\"") } else { String::new() };
        let delta: Vec<&str> = delta.iter().map(String::as_str).collect();
        let id = format!("{number:03}_t");
        project.add(&id, of(&delta, &verify).attributes(depends));
        (id, verify)
    });
    added.collect()
}

/// The tasks that are complete, in the order of their seals.
fn landed(project: &Project) -> Vec<String> {
    let names = project.workspaces().into_iter();
    let mut landed: Vec<(String, String)> = names
        .filter_map(|name| {
            let id = name.strip_suffix("_complete.xml")?;
            let text = project.text(format!(".ftl/workspace/{name}"));
            let (_, at) = text.rsplit_once("sealed_at=\"").unwrap();
            Some((at.split('"').next().unwrap().to_owned(), id.to_owned()))
        })
        .collect();
    landed.sort();
    landed.into_iter().map(|(_, id)| id).collect()
}

#[test]
fn the_tree_is_what_landed_in_this_order_and_broken_tasks_are_reported() {
    if !possible() || !has_tool("diff", "diff", &["--version"]) {
        return;
    }
    let (project, outside) = (Project::empty(), Scratch::new("again").unwrap());
    let tasks: Vec<(String, String)> =
        (0..ROUNDS).flat_map(|round| add_round(&project, round)).collect();
    project.commit();
    let again = outside.path().join("again").display().to_string();
    project.git(&["clone", "--quiet", ".", &again]);
    let agent = "for path; do mkdir -p $(dirname $path); echo agent $FTL_WORKSPACE >> $path; done";
    let finished = project.build(&["--all", "--jobs", "4", "--agent", agent]).ends(3);
    let said = finished.json();

    let landed = landed(&project);
    for id in &landed {
        let runs = project.path().join(format!(".ftl/runs/{id}"));
        let last = std::fs::read_dir(&runs).unwrap().count();
        let diff = runs.join(format!("{last}/diffs/run.diff")).display().to_string();
        project.git(&["-C", &again, "apply", &diff]);
    }
    let different = project.script(&format!("diff -r -x .git -x .ftl . {again}"));
    assert_eq!((different.code, different.stdout), (Some(0), String::new()), "{said:#}");

    let checks = said["check"].as_array().unwrap().iter();
    let broken: BTreeSet<&str> = checks
        .filter(|check| check["exit"] != 0)
        .flat_map(|check| check["tasks"].as_array().unwrap())
        .map(|id| id.as_str().unwrap())
        .collect();
    let fails = |id: &&str| {
        let verify = tasks.iter().find(|task| task.0 == *id).map(|task| &task.1);
        project.script(verify.unwrap()).code != Some(0)
    };
    let failing: BTreeSet<&str> = landed.iter().map(String::as_str).filter(fails).collect();
    assert_eq!(broken, failing, "{said:#}");
    // All but those that fail, and of each pair the one that the other breaks where it landed second.
    assert!(landed.len() >= 4 * ROUNDS as usize, "{said:#}");
}
