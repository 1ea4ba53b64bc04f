//! The ways, as data: a name, what an agent does, and what must come of it.
//!
//! Scripts run in the workplace with `set -e`, after the work that the task asks for. `$G` is its git
//! directory, `$OUT` an empty one that must stay empty. What is written is `STRAY`, so that it
//! shows whether it is kept.

use ftl_testkit::Result;
use ftl_testkit::sweep::isolation::Isolation;
use serde::Deserialize;
use serde_json::Value;

use super::world::World;

/// What the task asks for, done before anything else.
pub(super) const WORK: &str = "G=$(git rev-parse --path-format=absolute --git-common-dir 2>/dev/null) || :\n\
    [ \"$FTL_PHASE\" != implement ] || echo 'a = 2' > src/a.py";

/// What must come of a way.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Expected {
    /// Complete without these, which are named.
    Strays(Vec<String>),
    /// A block of this kind that names these.
    Block(String, Vec<String>),
    /// Complete, and a warning says where the implementer's commits are.
    Kept,
    /// Complete, and there is nothing to find.
    Nothing,
    /// Complete or blocked: it may have been prevented, or found.
    Either,
}

use Expected::{Block, Either, Kept, Nothing, Strays};

/// A way to stray.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Way {
    pub(super) name: String,
    pub(super) script: String,
    expect: Expected,
    /// What else comes of it where there is no git.
    without_git: Option<Expected>,
    /// What else comes of it where the workplace is mounted.
    mounted: Option<Expected>,
    /// The kinds of projects in which it can be gone, or groups of them; all, if there is none.
    #[serde(default)]
    only: Vec<String>,
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
        let mounted = self.mounted.as_ref().filter(|_| level == Isolation::Bind);
        let without_git = self.without_git.as_ref().filter(|_| world == World::Plain);
        Some(mounted.or(without_git).unwrap_or(&self.expect))
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
                broken.extend(is(match self {
                    Block(kind, _) => kind,
                    _ => "complete",
                }));
                let strays = texts("strays");
                let unnamed =
                    paths.iter().filter(|path| !strays.iter().any(|stray| names(stray, path)));
                broken.extend(unnamed.map(|path| format!("`{path}` is not named")));
            }
            Kept => {
                broken.extend(is("complete"));
                let is_said = texts("warnings").join("\n").contains("refs/ftl/");
                broken.extend((!is_said).then(|| "no warning says what is kept".to_owned()));
            }
            Nothing => {
                broken.extend(is("complete"));
                broken.extend((!texts("strays").is_empty()).then(|| "it has strays".to_owned()));
            }
            Either if ["complete", "blocked"].contains(&outcome) => {}
            Either => broken.push("it has no record".to_owned()),
        }
        broken
    }
}

/// Whether a stray is named by a path.
fn names(stray: &str, path: &str) -> bool {
    stray.trim_end_matches('/') == path
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
