//! The ways, as data: a name, what an agent does, and what must come of it.
//!
//! Scripts run in the root with `set -e`, after the work that the task asks for. `$G` is git's own
//! directory, `$OUT` an empty one that must stay empty. What is written is `STRAY`, so that it
//! shows whether it is kept.

use ftl_testkit::Result;
use ftl_testkit::sweep::isolation::Isolation;
use serde::Deserialize;
use serde_json::Value;

use super::world::World;

/// What the task asks for, done before anything else.
pub(super) const WORK: &str = "[ \"$FTL_PHASE\" != implement ] || echo 'a = 2' > src/a.py";

/// What must come of a way.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Expected {
    /// Block `delta_insufficient` that names these.
    Strays(Vec<String>),
    /// A block of this kind that names these.
    Block(String, Vec<String>),
    /// Complete, and a warning says that something of git's was moved.
    Moved,
    /// Complete; these may stay.
    Scratch(Vec<String>),
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
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Way {
    pub(super) name: String,
    pub(super) script: String,
    expect: Expected,
    /// What else comes of it where there is no git.
    without_git: Option<Expected>,
    /// What else comes of it on an overlay.
    isolated: Option<Expected>,
    /// The kinds of projects in which it can be gone, or groups of them; all, if there is none.
    #[serde(default)]
    only: Vec<String>,
    /// Paths that may differ afterwards.
    #[serde(default)]
    pub(super) passing: Vec<String>,
    /// Whether git's own directory can't be had again.
    #[serde(default)]
    pub(super) git_is_gone: bool,
    /// Whether it would write after the build's end.
    #[serde(default)]
    pub(super) is_late: bool,
    /// Whether the script itself writes to `$OUT`.
    #[serde(default)]
    pub(super) writes_outside: bool,
}

impl Way {
    /// What must come of it in a project; nothing where it can't be gone.
    pub(super) fn expected(&self, world: World, level: Isolation) -> Option<&Expected> {
        if !self.only.is_empty() && !self.only.iter().any(|name| world.is_in(name)) {
            return None;
        }
        let isolated = self.isolated.as_ref().filter(|_| level == Isolation::Overlay);
        let without_git = self.without_git.as_ref().filter(|_| world == World::Plain);
        Some(isolated.or(without_git).unwrap_or(&self.expect))
    }
}

/// A file of ways.
#[derive(Deserialize)]
struct Ways {
    way: Vec<Way>,
}

/// All of them.
pub(super) fn all() -> Result<Vec<Way>> {
    let mut all = Vec::new();
    for text in [
        include_str!("content.toml"),
        include_str!("git.toml"),
        include_str!("ignored.toml"),
        include_str!("later.toml"),
        include_str!("names.toml"),
        include_str!("shape.toml"),
        include_str!("store.toml"),
    ] {
        all.extend(toml::from_str::<Ways>(text)?.way);
    }
    Ok(all)
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
                    Block(kind, _) => kind.as_str(),
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

#[cfg(test)]
mod tests {
    use super::super::world::World;

    #[test]
    fn every_way_can_be_gone_in_the_projects_that_it_names() {
        let ways = super::all().unwrap();
        assert!(ways.len() > 200);
        for way in &ways {
            let is_known = |name: &String| World::ALL.iter().any(|world| world.is_in(name));
            assert!(way.only.iter().all(is_known), "{way:?}");
        }
    }
}
