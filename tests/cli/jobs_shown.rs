//! `ftl build --jobs N`: what is shown while tasks are built, and printed of them.

use serde_json::{Value, json};

use super::isolation::{possible, with_pipes};
use super::jobs::{add, of};
use super::terminal::Terminal;

#[test]
fn a_result_is_printed_whole_above_the_rows_of_the_other_tasks() {
    if !possible() {
        return;
    }
    let (project, outside) = with_pipes();
    add(&project, 1, 'a', &of(&["a.txt"], "true"));
    add(&project, 2, 'b', &of(&["b.txt"], "true"));
    project.commit();
    let dir = outside.path().display();
    let agent = format!(
        "case $1 in a.txt) read go < {dir}/go;; *) read go < {dir}/started;; esac; echo agent >> $1"
    );
    let words = ["build", "--all", "--jobs", "2", "--check", "never", "--agent", &agent];
    let terminal = Terminal::start(&project, &words, 100, &[]);
    terminal.when(|text| text.contains("001 IMPLEMENT") && text.contains("002 IMPLEMENT"));
    std::fs::write(outside.path().join("go"), "go\n").unwrap();
    let text = terminal.when(|text| {
        text.contains("✓ 001 a  ") && text.contains("002 IMPLEMENT") && text.contains("[1/2]")
    });
    assert!(!text.contains("001 IMPLEMENT"), "{text}");
    std::fs::write(outside.path().join("started"), "go\n").unwrap();
    let (code, screen, _) = terminal.end();
    assert_eq!(code, Some(0), "{screen}");
    for (number, slug) in [("001", 'a'), ("002", 'b')] {
        assert!(screen.contains(&format!("✓ {number} {slug}  ")), "{screen}");
        assert!(!screen.contains(&format!("{number} IMPLEMENT")), "{screen}");
    }
}

#[test]
fn events_of_several_tasks_name_them_and_end_with_the_counts() {
    for jobs in ["1", "2"] {
        if !possible() {
            return;
        }
        let (project, _) = with_pipes();
        add(&project, 1, 'a', &of(&["a.txt"], "echo error: never; false"));
        add(&project, 2, 'b', &of(&["b.txt"], "true").attributes("depends=\"001\""));
        add(&project, 3, 'c', &of(&["c.txt"], "true"));
        project.commit();
        let words = ["build", "--all", "--jobs", jobs, "--events", "-", "--agent"];
        let finished = project.ftl([&words[..], &["echo agent >> $1"]].concat());
        assert_eq!(finished.code, Some(3), "{finished:#?}");
        let lines = finished.stdout.lines();
        let lines: Vec<Value> = lines.map(|line| serde_json::from_str(line).unwrap()).collect();
        for line in &lines {
            super::schemas::assert_fits("event", line);
        }
        let (last, others) = lines.split_last().unwrap();
        assert!(others.iter().all(|line| line["task"].is_string()), "{others:#?}");
        assert_eq!(
            (&last["type"], &last["outcome"], &last["counts"]["skipped"]),
            (&json!("ended"), &json!("blocked"), &json!(1)),
            "{last:#}"
        );
        let left: Vec<&Value> = others.iter().filter(|line| line["type"] == "left").collect();
        assert_eq!((left.len(), &left[0]["task"]), (1, &json!("002_b")), "{left:#?}");
    }
}

#[test]
fn tries_and_diagnostics_name_their_tasks() {
    if !possible() {
        return;
    }
    let (project, outside) = with_pipes();
    project.write("a.txt", "before\n");
    // Both tasks replace it, and the second lands while the agent of the first waits.
    project.write("allowed.lock", "before\n");
    project.write("ftl.toml", "[scope]\nallow = ['allowed.lock']\n");
    add(&project, 1, 'a', &of(&["a.txt"], "true"));
    add(&project, 2, 'b', &of(&["b.txt"], "true"));
    project.commit();
    let dir = outside.path().display();
    let finished = project.script(&format!(
            "\"$FTL\" build 1 2 --jobs 2 --check never --agent '[ $1 = a.txt ] || read line < {dir}/started; \
             for path; do echo agent >> $path; done; echo $1 > allowed.lock; \
             [ $1 = b.txt ] || [ -e {dir}/again ] || \
             {{ echo > {dir}/again; echo > {dir}/started; read go < {dir}/go; }}' & \
             until [ -e .ftl/workspace/002_b_complete.xml ]; do sleep 0.05; done; \
             echo > {dir}/go; wait $!"
        ));
    assert_eq!(finished.code, Some(0), "{finished:#?}");
    let printed = "001 attempt 1: blocked (land_conflict): ";
    assert!(finished.stderr.contains(printed), "{finished:#?}");
    let names = |line: &str| line.starts_with("001 ") || line.starts_with("002 ");
    assert!(finished.stderr.lines().all(names), "{finished:#?}");
}
