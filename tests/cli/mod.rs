//! The command line: what is asked for, how, and what is said.

mod agents;
mod below_root;
mod build;
mod bystanders;
mod choosing;
mod ci_formats;
mod cleaning;
mod code_hosts;
mod committing;
mod completing;
mod configuration;
mod contradicted;
mod cost;
mod crashes;
mod creating;
mod doctor;
mod drawing;
mod dropping;
mod during_requests;
mod edited_between;
mod end_checks;
mod everyday;
mod evidence;
mod experiments;
mod failing_tests;
mod first_steps;
mod full_disks;
mod guide;
mod hooks;
mod hostile_clone;
mod idioms;
mod ignored_files;
mod initializing;
mod interrupts;
mod isolated_commits;
mod isolation;
mod jobs;
mod jobs_gate;
mod jobs_landing;
mod jobs_shown;
mod jobs_stopped;
mod jobs_together;
mod knowledge;
mod known_changes;
mod linked_stores;
mod live;
mod manual;
mod mcp;
mod memory;
mod new;
mod newcomer;
mod odd_names;
mod out_of_reach;
mod pages;
mod patching;
mod permissions;
mod plain_user;
mod planning;
mod preflight;
mod programs;
mod public_face;
mod recording;
mod refusals;
mod releases;
mod reopening;
mod report;
mod repositories;
mod saved_during_a_build;
mod schemas;
mod scope;
mod sealing;
mod secrets;
mod setup;
mod several;
mod showing;
mod stale_products;
mod status;
mod stories;
mod submodules;
mod terminal;
mod text;
mod text_ways;
mod tree_written;
mod troubleshooting;
mod validating;
#[cfg(feature = "workers")]
mod workers;

use crate::support::{Finished, Project, task};

/// A project with one file, and a task for each name.
fn project(names: &[&str]) -> Project {
    let project = Project::empty().file("notes.txt", "before\n");
    for name in names {
        project.write(format!(".ftl/workspace/{name}"), task().active());
    }
    project
}

/// Every file of the project with its bytes, what ftl keeps for itself aside.
fn bytes(project: &Project) -> Vec<(String, Vec<u8>)> {
    let mut files: Vec<(String, Vec<u8>)> = project
        .workspaces()
        .into_iter()
        .map(|name| format!(".ftl/workspace/{name}"))
        .chain(["notes.txt".to_owned()])
        .filter(|path| project.path().join(path).is_file())
        .map(|path| (path.clone(), project.read(&path)))
        .collect();
    files.sort();
    files
}

/// That ftl refused, with this code, and said it on both streams.
fn assert_refused(finished: &Finished, exit: i32, code: &str, about: &str) {
    assert_eq!(finished.code, Some(exit), "{finished:#?}");
    let said = finished.json();
    assert_eq!(said["v"], 1, "{finished:#?}");
    assert_eq!(said["outcome"], "failed", "{finished:#?}");
    assert_eq!(said["error"]["code"], code, "{finished:#?}");
    assert!(said["error"].to_string().contains(about), "{about}: {finished:#?}");
    assert!(finished.stderr.contains(code), "{finished:#?}");
}
