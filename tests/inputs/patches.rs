//! Every form of unified diff that people hand in, and ones that must change nothing.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use crate::support::{Finished, Project, entries};

/// Files below a directory by their paths below it; none when there is no such directory.
fn files(directory: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut found = BTreeMap::new();
    let mut waiting = vec![directory.to_path_buf()];
    while let Some(next) = waiting.pop() {
        for entry in fs::read_dir(&next).into_iter().flatten() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                if !path.ends_with(".git") && !path.ends_with(".ftl") {
                    waiting.push(path);
                }
            } else {
                let below = path.strip_prefix(directory).unwrap().to_path_buf();
                found.insert(below, fs::read(&path).unwrap());
            }
        }
    }
    found
}

/// A project with the files of `before/` and a task whose delta is every file of the case.
fn project(case: &Path) -> Project {
    let project = Project::empty();
    let before = files(&case.join("before"));
    let mut delta: Vec<_> = before.keys().cloned().collect();
    delta.extend(files(&case.join("after")).into_keys());
    delta.sort();
    delta.dedup();
    for (path, bytes) in before {
        project.write(path, bytes);
    }
    let delta: String =
        delta.iter().map(|path| format!("<delta>{}</delta>", path.display())).collect();
    project.write(
        ".ftl/workspace/001_patch_active.xml",
        format!(
            "<workspace id=\"001-patch\" status=\"active\"><implementation>{delta}\
             <verify>true</verify><budget>9</budget></implementation><delivered/></workspace>"
        ),
    );
    project
}

fn apply(project: &Project, case: &Path) -> Finished {
    let patch = case.join("change.patch");
    let patch = patch.to_str().unwrap();
    project.ftl(["build", "001", "--patch", patch, "--format", "json"])
}

fn cases(kind: &str) -> Vec<PathBuf> {
    let cases = entries(&format!("tests/fixtures/patches/{kind}"));
    assert!(cases.len() > 5, "{cases:?}");
    cases
}

#[test]
fn a_patch_that_applies_gives_the_tree_it_promises() {
    for case in cases("applied") {
        for with_git in [true, false] {
            let project = project(&case);
            if with_git {
                project.commit();
            }
            let finished = apply(&project, &case);
            assert_eq!(finished.json()["outcome"], "complete", "{case:?}: {finished:#?}");
            assert_eq!(files(project.path()), files(&case.join("after")), "{case:?}");
        }
    }
}

#[test]
fn a_patch_that_does_not_apply_blocks_and_changes_nothing() {
    for case in cases("refused") {
        for with_git in [true, false] {
            let project = project(&case);
            if with_git {
                project.commit();
            }
            let finished = apply(&project, &case);
            let said = finished.json();
            assert_eq!(said["block"]["kind"], "implement_failed", "{case:?}: {finished:#?}");
            assert_eq!(files(project.path()), files(&case.join("before")), "{case:?}");
        }
    }
}
