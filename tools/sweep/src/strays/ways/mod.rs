//! The ways, as data: a name, what an agent does, and what must come of it.
//!
//! Scripts run in the root with `set -e`, after the work that the task asks for. `$G` is git's own
//! directory, `$OUT` an empty one that must stay empty. What is written is `STRAY`, so that it
//! shows whether it is kept.

mod content;
mod git;
mod ignored;
mod later;
mod names;
mod shape;
mod store;

use ftl_testkit::sweep::isolation::Isolation;
use serde_json::Value;

use super::world::World;

/// What the task asks for, done before anything else.
pub(super) const WORK: &str = "[ \"$FTL_PHASE\" != implement ] || echo 'a = 2' > src/a.py";

/// What must come of a way.
#[derive(Clone, Copy, Debug)]
pub(super) enum Expected {
    /// Block `delta_insufficient` that names these.
    Strays(&'static [&'static str]),
    /// A block of this kind that names these.
    Block(&'static str, &'static [&'static str]),
    /// Complete, and a warning says that something of git's was moved.
    Moved,
    /// Complete; these may stay.
    Scratch(&'static [&'static str]),
    /// Complete, and there is nothing to find.
    Nothing,
    /// Complete or blocked: it may have been prevented, or found.
    Either,
    /// The build ends without a record, and the task stays active.
    Refused,
}

use Expected::{Block, Either, Moved, Nothing, Refused, Scratch, Strays};

/// What a warning calls the moved files.
const MOVABLE: [&str; 6] = ["HEAD", "branch", "index", "refs/", "stash", "tag"];

/// A way to stray.
#[derive(Debug)]
pub(super) struct Way {
    pub(super) name: &'static str,
    pub(super) script: &'static str,
    in_git: Option<Expected>,
    in_plain: Option<Expected>,
    /// What else comes of it on an overlay.
    isolated: Option<Expected>,
    /// The only kinds of projects in which it can be gone, unless empty.
    only: &'static [World],
    /// Paths that may differ afterwards.
    pub(super) passed: &'static [&'static str],
    /// Whether git's own directory can't be had again.
    pub(super) git_gone: bool,
    /// Whether it would write after the build's end.
    pub(super) is_late: bool,
    /// Whether the script itself writes to `$OUT`.
    pub(super) writes_outside: bool,
}

const fn differing(
    name: &'static str,
    script: &'static str,
    in_git: Option<Expected>,
    in_plain: Option<Expected>,
) -> Way {
    Way {
        name,
        script,
        in_git,
        in_plain,
        isolated: None,
        only: &[],
        passed: &[],
        git_gone: false,
        is_late: false,
        writes_outside: false,
    }
}

/// A way in every project, with the same end.
const fn way(name: &'static str, script: &'static str, expected: Expected) -> Way {
    differing(name, script, Some(expected), Some(expected))
}

/// A way that needs git.
const fn git(name: &'static str, script: &'static str, expected: Expected) -> Way {
    differing(name, script, Some(expected), None)
}

/// A way that needs a project without git.
const fn plain(name: &'static str, script: &'static str, expected: Expected) -> Way {
    differing(name, script, None, Some(expected))
}

impl Way {
    const fn isolated(self, expected: Expected) -> Self {
        Self { isolated: Some(expected), ..self }
    }

    const fn only(self, only: &'static [World]) -> Self {
        Self { only, ..self }
    }

    const fn passing(self, passed: &'static [&'static str]) -> Self {
        Self { passed, ..self }
    }

    const fn without_git(self) -> Self {
        Self { git_gone: true, ..self }
    }

    const fn late(self) -> Self {
        Self { is_late: true, ..self }
    }

    const fn outside(self) -> Self {
        Self { writes_outside: true, ..self }
    }

    /// What must come of it in a project; nothing where it can't be gone.
    pub(super) fn expected(&self, world: World, level: Isolation) -> Option<Expected> {
        if !self.only.is_empty() && !self.only.contains(&world) {
            return None;
        }
        let isolated = self.isolated.filter(|_| level == Isolation::Overlay);
        let in_the_tree = match world {
            World::Plain => self.in_plain,
            World::Clean
            | World::Dirty
            | World::Staged
            | World::Unborn
            | World::Below
            | World::Worktree => self.in_git,
        };
        in_the_tree.map(|expected| isolated.unwrap_or(expected))
    }
}

/// All of them.
pub(super) fn all() -> impl Iterator<Item = &'static Way> {
    [content::WAYS, shape::WAYS, names::WAYS, ignored::WAYS, git::WAYS, store::WAYS, later::WAYS]
        .into_iter()
        .flatten()
}

impl Expected {
    /// What of it is not so in a build's result.
    pub(super) fn broken_by(&self, said: &Value) -> Vec<String> {
        let mut broken = Vec::new();
        let kind = said["block"]["kind"].as_str();
        let outcome = said["outcome"].as_str().unwrap_or("nothing");
        let is = |expected: &str| {
            (kind.unwrap_or(outcome) != expected).then(|| format!("it is not {expected}"))
        };
        let texts = |key: &str| -> Vec<String> {
            let all = said[key].as_array().into_iter().flatten();
            all.map(|one| one.as_str().map_or_else(|| one.to_string(), str::to_owned)).collect()
        };
        match self {
            Strays(paths) | Block(_, paths) => {
                let kind = match self {
                    Block(kind, _) => kind,
                    _ => "delta_insufficient",
                };
                broken.extend(is(kind));
                let strays = texts("strays");
                let unnamed =
                    paths.iter().filter(|path| !strays.iter().any(|stray| names(stray, path)));
                broken.extend(unnamed.map(|path| format!("`{path}` is not named")));
            }
            Moved => {
                broken.extend(is("complete"));
                let warnings = texts("warnings").join("\n");
                let said = MOVABLE.iter().any(|word| warnings.contains(word));
                broken.extend((!said).then(|| "no warning says what was moved".to_owned()));
            }
            Scratch(_) | Nothing => {
                broken.extend(is("complete"));
                broken.extend((!texts("strays").is_empty()).then(|| "it has strays".to_owned()));
            }
            Either if ["complete", "blocked"].contains(&outcome) => {}
            Refused => broken.extend(is("failed")),
            Either => broken.push("it has no record".to_owned()),
        }
        broken
    }
}

/// Whether a stray is named by a path. Git's own directory may lie elsewhere.
fn names(stray: &str, path: &str) -> bool {
    match path.strip_prefix(".git/") {
        Some(inner) => stray.ends_with(&format!("/{inner}")),
        None => stray.trim_end_matches('/') == path,
    }
}
