//! The commit of a complete task, after its seal and under the lock of the tree.
//!
//! What keeps a commit from being made is a warning: the record is sealed. Hooks may change files after the verify
//! passed, whether they then let the commit pass or not, so that the verify is due again.

use std::collections::BTreeMap;
use std::path::Path;

use ftl_model::Digest;
use ftl_store::read_regular;
use ftl_tree::{Commit, CommitError, Committed};

use super::world::World;
use crate::check_ledger::{HookChange, Ledger};
use crate::result::{BuildResult, CommitResult, OutcomeWord};
use crate::text::{brief, listed, now_exactly, one_line};

/// Bytes of a file that are compared.
const COMPARED: u64 = 1 << 30;

/// Commits the files of the task and its record, where the settings ask for it.
pub(super) fn commit(world: &World<'_>, result: &mut BuildResult) {
    let site = &world.site;
    let Some(branch) = &site.settings.commit else {
        return;
    };
    if result.outcome != OutcomeWord::Complete {
        return;
    }
    let files = result.files.iter().map(|file| file.path.to_string());
    let files: Vec<String> = files.chain(result.allowed.iter().cloned()).collect();
    let before = digests(site.root(), &files);
    let records = [world.source.path.as_path(), Path::new(&result.workspace)];
    let records = records.into_iter().filter_map(Path::file_name);
    let records = records.filter_map(|name| {
        let path = site.layout.workspace_dir().join(name);
        Some(path.strip_prefix(site.root()).ok()?.to_string_lossy().into_owned())
    });
    let made = Commit {
        root: site.root(),
        paths: &files.iter().cloned().chain(records).collect::<Vec<String>>(),
        message: &site.secrets.hide(&message(world, result)),
        branch,
        scratch: site.run.dir(),
        limit: site.settings.verify_limit,
    }
    .make();
    let mut changed = changed(&before, &digests(site.root(), &files));
    match made {
        Ok(None) => {}
        Ok(Some(committed)) => {
            changed.extend(committed.differing.iter().cloned());
            report(committed, branch, result);
        }
        Err(error) => result.warnings.push(refusal(&error, |text| site.secrets.hide(text))),
    }
    changed.sort();
    changed.dedup();
    if !changed.is_empty() {
        result.warnings.push(verify_is_due(world, &changed));
    }
}

/// The objective, whose first paragraph is the subject, and the trailer.
fn message(world: &World<'_>, result: &BuildResult) -> String {
    let objective = world.brief().workspace.objective.lines().map(str::trim);
    let objective = objective.collect::<Vec<&str>>().join("\n");
    let subject = if objective.trim().is_empty() { result.id.as_str() } else { objective.trim() };
    format!("{subject}\n\nFtl-Task: {}\n", result.id)
}

fn report(committed: Committed, branch: &str, result: &mut BuildResult) {
    if let Some(error) = committed.index_error {
        result.warnings.push(format!(
            "`{}` is committed, but git's index still has the files from before: {}; `git reset` updates it",
            committed.id,
            one_line(&error)
        ));
    }
    let branch = branch.strip_prefix("refs/heads/").unwrap_or(branch);
    result.commit = Some(CommitResult { id: committed.id, branch: branch.to_owned() });
}

fn refusal(error: &CommitError, hide: impl Fn(&str) -> String) -> String {
    let why = brief(&one_line(&hide(&error.to_string())));
    format!("no commit was made: {why}")
}

/// The bytes of each file; nothing of one that is not there.
fn digests(root: &Path, files: &[String]) -> BTreeMap<String, Digest> {
    let digest = |file: &String| {
        let bytes = read_regular(&root.join(file), COMPARED).ok()?;
        Some((file.clone(), Digest::of(&bytes)))
    };
    files.iter().filter_map(digest).collect()
}

fn changed(before: &BTreeMap<String, Digest>, after: &BTreeMap<String, Digest>) -> Vec<String> {
    let all = before.keys().chain(after.keys());
    all.filter(|file| before.get(*file) != after.get(*file)).cloned().collect()
}

/// Keeps that the verify is due again; the warning that says so.
fn verify_is_due(world: &World<'_>, changed: &[String]) -> String {
    let kept = Ledger::keep_change(
        world.site.layout,
        HookChange {
            task: super::id_of(&world.source.path).map(|id| id.to_string()).unwrap_or_default(),
            run: world.site.run.number(),
            at: now_exactly(),
            verify: world.brief().verify.clone(),
        },
    );
    let files = listed(changed);
    let kept =
        kept.err().map_or_else(String::new, |error| format!(" (which can't be kept: {error})"));
    format!("a hook of the commit changed {files} after the verify, which is due again{kept}")
}
