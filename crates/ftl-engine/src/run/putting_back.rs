//! What a request left outside the delta: moved away, put back, and reported.

use std::path::Path;

use ftl_machine::event::Work;
use ftl_model::DeltaPath;
use ftl_store::ensure_private_dir;
use ftl_tree::{Changes, DeltaReset, GitPutBack, Paths, PutBack, RelPath, Snapshot, Strays, Tree};

use super::Fault;
use super::originals;
use super::output::shown;
use super::recorder::{Note, Recorder};
use super::site::{Site, files};
use crate::text::{listed, shell_word};

/// Strays in an event, and their bytes.
const MAX_STRAYS: (usize, usize) = (1000, 1 << 16);

/// Puts the tree outside the delta and the repository back, unless strays are only reported, and warns of
/// what the user should know.
pub(super) fn put_back(
    site: &Site<'_>,
    tree: &Tree,
    request: u32,
    snapshot: &Snapshot,
    changes: &Changes,
    recorder: &mut Recorder<'_>,
    work: &mut Work,
) -> Result<(), Fault> {
    let git = &changes.git;
    if work.strays.is_empty() && git.is_empty() {
        return Ok(tree.let_go(snapshot)?);
    }
    if site.settings.tree.strays == Strays::Report {
        if !git.is_empty() {
            let moved = listed(&git.described());
            work.warnings.push(format!("the implementer changed {moved}, which is left so"));
        }
        return Ok(tree.let_go(snapshot)?);
    }
    // After a crash in between, the plan answers whose work the rest is.
    tree.plan_put_back(snapshot, changes)?;
    ensure_private_dir(files(), &site.run.quarantine())?;
    recorder.note(&Note::PuttingBack { request })?;
    let dir = site.run.quarantine().join(request.to_string());
    let mut done = PutBack::default();
    if !work.strays.is_empty() {
        done = tree.quarantine(snapshot, &dir)?;
        originals::keep(site, tree, request, &work.strays)?;
    }
    if !done.moved.is_empty() {
        work.quarantine = Some(shown(site, &dir));
    }
    done.git = tree.put_back_git(snapshot, git, &dir)?;
    work.warnings.extend(lost_text(tree, &done));
    let changes = git_text(&done.git);
    work.warnings.extend(changes.map(|changes| format!("the implementer {changes}")));
    Ok(())
}

/// What was moved in the repository, and how to see the commits.
fn git_text(done: &GitPutBack) -> Option<String> {
    if done.moved.is_empty() {
        return None;
    }
    let mut text = format!("changed {}", listed(&done.moved));
    if done.lost.is_empty() {
        text.push_str(", which is put back");
    } else {
        text.push_str(", of which could not be put back: ");
        text.push_str(&listed(&done.lost));
    }
    if let Some(kept) = &done.kept {
        text.push_str(&format!("; {}", shows_commits(kept)));
    }
    Some(text)
}

/// The command that shows what ftl's own references below this one lead to.
pub(super) fn shows_commits(own: &str) -> String {
    let own = shell_word(own);
    format!("`git log --oneline --glob={own} --not --branches` shows the commits")
}

/// The first ten of what was put back, and how many more there are.
fn counted(tree: &Tree, paths: &Paths) -> String {
    first_ten(tree, paths.iter(), paths.len())
}

fn first_ten<'p>(tree: &Tree, paths: impl Iterator<Item = &'p RelPath>, count: usize) -> String {
    const SHOWN: usize = 10;
    let shown: Vec<String> = paths.take(SHOWN).map(|at| tree.shown(at)).collect();
    let shown = listed(&shown);
    match count.checked_sub(SHOWN) {
        None | Some(0) => shown,
        Some(more) => format!("{shown} and {more} more"),
    }
}

/// What the user should know of changed files that git ignores.
pub(super) fn ignored_text(tree: &Tree, changes: &Changes) -> Vec<String> {
    let mut parts = Vec::new();
    let shown = |paths: &[RelPath]| first_ten(tree, paths.iter(), paths.len());
    if !changes.ignored.is_empty() {
        parts.push(format!(
            "changed, and not put back: git ignores it, and it is too large for a copy \
             (`scope.max_backup`): {}",
            shown(&changes.ignored)
        ));
    }
    let ignored = changes.ignored_strays(tree);
    if !ignored.is_empty() {
        parts.push(format!(
            "git ignores {}, but it was there before the request; `[scope] scratch` names files that every \
             task may change",
            shown(&ignored)
        ));
    }
    parts
}

/// The strays that an event names, and how many others there are.
pub(super) fn strays_of(tree: &Tree, changes: &Changes) -> (Vec<String>, u64) {
    let mut bytes = 0;
    let paths = changes.strays.iter().map(|at| tree.shown(&at.path));
    let named: Vec<String> = paths
        .take(MAX_STRAYS.0)
        .take_while(|path| {
            bytes += path.len();
            bytes <= MAX_STRAYS.1 || bytes == path.len()
        })
        .collect();
    let more = (changes.strays.len() - named.len()) as u64 + changes.more_strays;
    (named, more)
}

/// What another process changed in between.
fn left_text(tree: &Tree, done: &PutBack) -> Option<String> {
    let mut left = done.git.left.clone();
    if !done.left.is_empty() {
        left.push(counted(tree, &done.left));
    }
    (!left.is_empty()).then(|| format!("left as it is, since it changed later: {}", listed(&left)))
}

/// What was put back, where it is, and how to get it again.
pub(super) fn put_back_text(
    site: &Site<'_>,
    tree: &Tree,
    done: &PutBack,
    dir: &Path,
) -> Option<String> {
    let restored = done.restored.iter().filter(|path| !done.moved.contains(path));
    let restored: Vec<String> = restored.map(|path| tree.shown(path)).collect();
    let mut parts = Vec::new();
    if !done.moved.is_empty() {
        let dir = shown(site, dir);
        parts.push(format!(
            "moved to `{dir}`: {}; `cp -a {} .` brings it back",
            counted(tree, &done.moved),
            shell_word(&format!("{dir}/."))
        ));
    }
    if !restored.is_empty() {
        parts.push(format!("restored: {}", listed(&restored)));
    }
    parts.extend(git_text(&done.git));
    parts.extend(lost_text(tree, done));
    parts.extend(left_text(tree, done));
    (!parts.is_empty())
        .then(|| format!("what the interrupted request wrote is {}", parts.join("; ")))
}

fn lost_text(tree: &Tree, done: &PutBack) -> Option<String> {
    let why = done.refused.as_ref().map_or_else(String::new, |why| format!(" ({why})"));
    (!done.lost.is_empty())
        .then(|| format!("could not be put back: {}{why}", counted(tree, &done.lost)))
}

/// What was put back, where the work is, and the command that brings it back, unless that would replace another version.
pub(super) fn reset_text(site: &Site<'_>, done: &DeltaReset, lead: &str, returns: bool) -> String {
    let dir = site.run.dir().join("blocked");
    let diff = shown(site, &site.run.diff());
    let rest = match returns {
        true => brings_back(site, done, &dir),
        false => format!("what was written is in `{}`", shown(site, &dir)),
    };
    format!("{lead}: {}; the diff is `{diff}`, and {rest}", reset_paths(done))
}

/// What changed `when`, and was put back, where its versions are, and the command that brings them back.
pub(super) fn kept_text(
    site: &Site<'_>,
    when: &str,
    done: &DeltaReset,
    dir: &Path,
) -> Option<String> {
    if done.is_empty() {
        return None;
    }
    let (paths, rest) = (reset_paths(done), brings_back(site, done, dir));
    let dir = if done.kept.is_empty() {
        String::new()
    } else {
        format!("the changed version is in `{}`, and ", shown(site, dir))
    };
    Some(format!("changed {when}, and put back as it was: {paths}; {dir}{rest}"))
}

fn reset_paths(done: &DeltaReset) -> String {
    let paths = done.kept.iter().chain(&done.deleted);
    listed(&paths.map(ToString::to_string).collect::<Vec<_>>())
}

/// What was put back earlier, where it had been deleted.
pub(super) fn undeleted_text(deleted: &[DeltaPath]) -> String {
    let paths: Vec<String> = deleted.iter().map(ToString::to_string).collect();
    let them = if paths.len() == 1 { "it" } else { "them" };
    let paths = listed(&paths);
    format!("deleted, and put back earlier: {paths}; `{}` deletes {them} again", deletion(deleted))
}

fn deletion(paths: &[DeltaPath]) -> String {
    let words: Vec<String> = paths.iter().map(|path| shell_word(&format!("./{path}"))).collect();
    format!("rm {}", words.join(" "))
}

fn brings_back(site: &Site<'_>, DeltaReset { kept, deleted }: &DeltaReset, dir: &Path) -> String {
    let mut commands = Vec::new();
    if !kept.is_empty() {
        commands.push(format!("cp -a {} .", shell_word(&format!("{}/.", shown(site, dir)))));
    }
    if !deleted.is_empty() {
        commands.push(deletion(deleted));
    }
    let them = if kept.len() + deleted.len() == 1 { "it" } else { "them" };
    format!("`{}` brings {them} back", commands.join(" && "))
}
