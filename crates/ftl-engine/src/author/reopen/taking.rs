//! Strays that belong to the task after all: out of quarantine, into the tree and the delta.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use ftl_model::{DeltaPath, WorkspaceId};
use ftl_store::{Layout, Lock, OsFiles, Run, Runs, Waiting};
use ftl_tree::{Apart, PathState, Settings, Taking, Tree};
use ftl_xml::Document;

use super::ReopenError;
use crate::project::{WorkspaceFile, display_path, lexical, typed_path};
use crate::run::before;
use crate::run::originals;
use crate::text::one_line;

/// What is to be taken, looked up and judged: nothing is written yet.
pub(super) struct Plan {
    strays: Vec<Stray>,
    _lock: Option<Handed>,
}

struct Stray {
    /// From the root, or from the repository's top.
    path: DeltaPath,
    is_above: bool,
    from: PathBuf,
    apart: Apart,
    is_link: bool,
    /// What is in the tree in its quarantined.
    seen: PathState,
}

/// The lock of the root: no builder may capture the tree while files are taken in. It is given back as it
/// was found.
struct Handed(Option<Lock>);

impl Drop for Handed {
    fn drop(&mut self) {
        if let Some(lock) = self.0.take() {
            lock.hand_on();
        }
    }
}

/// Finds what is to be taken, and refuses what must not be.
pub(super) fn look(
    workspace: &WorkspaceFile,
    record: &Document<'_>,
    typed: &[String],
    scope: &Settings,
) -> Result<Plan, ReopenError> {
    if typed.is_empty() {
        return Ok(Plan { strays: Vec::new(), _lock: None });
    }
    let (layout, id) = (&workspace.layout, workspace.id());
    let top = Tree::top_of(layout.root(), scope.watch)?;
    let lock = Lock::root(layout, &top, "", Waiting::Refuse)?;
    let quarantines = quarantines(layout, id, layout.root(), scope)?;
    // Where the root is the whole repository, nothing is above it.
    let above = match top == layout.root() {
        true => Vec::new(),
        false => self::quarantines(layout, id, &top, scope)?,
    };
    let mut strays: BTreeMap<String, Stray> = BTreeMap::new();
    for word in typed {
        // As it is typed here, else as a result names it.
        let here = typed_path(layout.root(), word);
        let shown = lexical(&layout.root().join(word));
        let shown = shown.strip_prefix(&top).ok().and_then(Path::to_str).map(str::to_owned);
        let word = word.trim_end_matches('/').to_owned();
        let names = [here, word];
        let found = names.iter().find_map(|name| find(&quarantines, name).transpose());
        let from_top = [Some(typed_path(&top, &names[1])), shown];
        let mut from_top = from_top.iter().flatten();
        let found = found.or_else(|| from_top.find_map(|name| find(&above, name).transpose()));
        let Some((quarantined, name, kept)) = found.transpose()? else {
            return Err(not_apart(record, &quarantines, &names[0]));
        };
        let paths = match kept {
            PathState::Dir { .. } => quarantined.apart.below(&name)?,
            PathState::File { .. } | PathState::Link { .. } => vec![name],
            _ => return Err(untakable(&name, "is neither a file nor a link")),
        };
        for path in paths {
            strays.insert(quarantined.name(&path), stray(quarantined, &path)?);
        }
    }
    Ok(Plan { strays: strays.into_values().collect(), _lock: Some(Handed(Some(lock))) })
}

/// A directory of things that a request's comparison set apart.
struct Quarantined {
    run: Run,
    request: u32,
    dir: PathBuf,
    apart: Apart,
    /// The directory from which its paths go: the root, or the repository's top.
    base: PathBuf,
    is_above: bool,
    tree: Rc<Tree>,
}

impl Quarantined {
    /// The name of one of its paths in the whole quarantine.
    fn name(&self, path: &str) -> String {
        if self.is_above { format!("{}/{path}", originals::ABOVE) } else { path.to_owned() }
    }
}

/// All of them whose paths go from `base`, the latest first.
fn quarantines(
    layout: &Layout,
    id: &WorkspaceId,
    base: &Path,
    scope: &Settings,
) -> Result<Vec<Quarantined>, ReopenError> {
    let tree = Rc::new(Tree::open(base, &[], scope.clone())?);
    let is_above = base != layout.root();
    let mut quarantines = Vec::new();
    for run in Runs::new(&OsFiles, layout, id).all()? {
        let mut requests = originals::requests(&run);
        requests.reverse();
        for request in requests {
            let mut dir = run.quarantine().join(request.to_string());
            if is_above {
                dir.push(originals::ABOVE);
            }
            if let Some(apart) = tree.apart(&dir)? {
                let (run, base, tree) = (run.clone(), base.to_owned(), Rc::clone(&tree));
                quarantines.push(Quarantined { run, request, dir, apart, base, is_above, tree });
            }
        }
    }
    Ok(quarantines)
}

type FoundStray<'p> = (&'p Quarantined, String, PathState);

fn find<'p>(
    quarantines: &'p [Quarantined],
    name: &str,
) -> Result<Option<FoundStray<'p>>, ReopenError> {
    let Ok(path) = DeltaPath::parse(name) else {
        return Ok(None);
    };
    for quarantined in quarantines {
        let kept = quarantined.apart.kept(path.as_str())?;
        if !kept.is_nothing() {
            return Ok(Some((quarantined, path.to_string(), kept)));
        }
    }
    Ok(None)
}

fn stray(quarantined: &Quarantined, path: &str) -> Result<Stray, ReopenError> {
    let tree = &quarantined.tree;
    let path = DeltaPath::parse(path).map_err(|problem| untakable(path, &problem.to_string()))?;
    let (kept, seen) = (quarantined.apart.kept(path.as_str())?, tree.state(&path)?);
    let is_link = |state: &PathState| matches!(state, PathState::Link { .. });
    if let Some(obstacle) = crate::project::obstacle(&quarantined.base, &path)
        && !is_link(&seen)
    {
        return Err(untakable(path.as_str(), obstacle));
    }
    if !matches!(kept, PathState::File { .. } | PathState::Link { .. }) {
        return Err(untakable(path.as_str(), "is no longer there"));
    }
    let mut originals = originals::read(&quarantined.run, quarantined.request);
    let original = originals.remove(&quarantined.name(path.as_str()));
    // A link takes the place of nothing, a file that of the one that was put back.
    let may_go = !is_link(&kept)
        && matches!(seen, PathState::File { .. })
        && original.as_ref() == Some(&seen);
    if !seen.is_nothing() && seen != kept && !may_go {
        return Err(ReopenError::ChangedSince {
            path: path.to_string(),
            apart: quarantined.dir.join(path.as_path()),
        });
    }
    Ok(Stray {
        from: quarantined.dir.clone(),
        apart: tree
            .apart(&quarantined.dir)?
            .ok_or_else(|| untakable(path.as_str(), "is no longer there"))?,
        is_link: is_link(&kept),
        is_above: quarantined.is_above,
        path,
        // What is taken in already may have its original beside it still.
        seen: if seen == kept { original.unwrap_or_default() } else { seen },
    })
}

fn untakable(path: &str, why: &str) -> ReopenError {
    ReopenError::Untakable { path: one_line(path), why: why.to_owned() }
}

/// Nothing is kept of a path. Of one that the implementer deleted there is nothing to keep.
fn not_apart(record: &Document<'_>, quarantines: &[Quarantined], path: &str) -> ReopenError {
    let last = record.root().children_named("run").last();
    let strays = last.iter().flat_map(|run| run.children_named("stray"));
    let is_stray = strays.filter_map(|stray| stray.attribute("path")).any(|stray| stray == path);
    if is_stray {
        return untakable(
            path,
            "was deleted by the implementer, or left where it was: there is nothing in quarantine; add it \
             to the delta instead",
        );
    }
    let mut apart = Vec::new();
    for quarantined in quarantines {
        apart.extend(quarantined.apart.below(".").unwrap_or_default());
    }
    apart.sort();
    apart.dedup();
    ReopenError::NotApart { path: one_line(path), apart }
}

impl Plan {
    /// The files that belong into the delta: links do not, since a delta holds regular files below the root.
    pub(super) fn delta(&self) -> impl Iterator<Item = String> {
        let files = self.strays.iter().filter(|stray| !stray.is_link && !stray.is_above);
        files.map(|stray| stray.path.to_string())
    }

    /// Takes them in, and says what was done. `added` are all paths that come new into the delta: how they
    /// are now is kept first, since that is what the task will be measured by.
    pub(super) fn take(
        &self,
        workspace: &WorkspaceFile,
        added: &[String],
        scope: &Settings,
    ) -> Result<Vec<String>, ReopenError> {
        let layout = &workspace.layout;
        let added = added.iter().filter_map(|path| DeltaPath::parse(path).ok());
        let added: Vec<DeltaPath> = added.collect();
        if !added.is_empty() {
            before::keep_added(layout, workspace.id(), &added, scope)?;
        }
        if self.strays.is_empty() {
            return Ok(Vec::new());
        }
        let open = |base: &Path| Tree::open(base, &[], scope.clone());
        let tree = open(layout.root())?;
        let top = Tree::top_of(layout.root(), scope.watch)?;
        let above =
            self.strays.iter().any(|stray| stray.is_above).then(|| open(&top)).transpose()?;
        let mut done = Vec::new();
        for stray in &self.strays {
            let (path, from) = (&stray.path, display_path(&stray.from).display().to_string());
            let tree = above.as_ref().filter(|_| stray.is_above).unwrap_or(&tree);
            let taken = tree.take(&stray.apart, path, &stray.seen)?;
            let kind = match (stray.is_link, stray.is_above) {
                (true, _) => "; it is a link, so it is not in the delta",
                (false, true) => "; it is above the project's root, so it is not in the delta",
                (false, false) => "",
            };
            let base = if stray.is_above { &top } else { layout.root() };
            let path = display_path(&base.join(path.as_path())).display().to_string();
            done.push(match taken {
                Taking::Taken => format!("took `{path}` from `{from}`{kind}"),
                Taking::There => format!("`{path}` is in the tree already{kind}"),
                Taking::InTheWay => {
                    return Err(ReopenError::ChangedSince {
                        path,
                        apart: stray.from.join(stray.path.as_path()),
                    });
                }
            });
        }
        Ok(done)
    }
}
