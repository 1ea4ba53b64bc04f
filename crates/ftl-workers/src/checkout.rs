//! A worker's copy of a project: the bases that it has, and a checkout for each slot.

use std::fs;
use std::path::{Path, PathBuf};

use crate::base::{TravelError, hold, object_of, reference_of};
use crate::git::{BaseError, Git, file_error};
use crate::server::Server;

/// The bases of a project, in `DIR/PROJECT/base.git`.
#[derive(Clone, Debug)]
pub(crate) struct Bases {
    dir: PathBuf,
}

impl Bases {
    pub(crate) fn of(dir: &Path, project: &str) -> Self {
        Self { dir: dir.join(crate::server::part(project)) }
    }

    fn repository(&self) -> PathBuf {
        self.dir.join("base.git")
    }

    fn has(&self, commit: &str) -> Result<bool, BaseError> {
        let git = Git::bare(&self.repository())?;
        Ok(git
            .run([
                "rev-parse",
                "--verify",
                "--quiet",
                &format!("{}^{{commit}}", reference_of(commit)),
            ])
            .is_ok())
    }

    /// Gets a base from the server, with those that it needs, unless this worker has it.
    pub(crate) async fn obtain(&self, server: &Server, commit: &str) -> Result<(), TravelError> {
        let mut needed = vec![commit.to_owned()];
        while let Some(next) = needed.last().cloned() {
            if self.has(&next)? {
                needed.pop();
                continue;
            }
            let name = object_of(&next);
            let missing = || BaseError::Missing { commit: next.clone() };
            let earlier = server.description(&name).await.ok_or_else(missing)?;
            if !earlier.is_empty() && !self.has(&earlier)? && !needed.contains(&earlier) {
                needed.push(earlier);
                continue;
            }
            let bundle = server.get_object(&name).await?;
            self.take_in(&next, &bundle)?;
            needed.pop();
        }
        Ok(())
    }

    fn take_in(&self, commit: &str, bundle: &[u8]) -> Result<(), BaseError> {
        let _held = hold(&self.repository())?;
        let git = Git::bare(&self.repository())?;
        let path = self.dir.join(format!("bundle-{commit}"));
        fs::write(&path, bundle).map_err(file_error(&path))?;
        let reference = reference_of(commit);
        let fetched = git.run([
            "fetch",
            "--quiet",
            "--no-tags",
            "--no-auto-gc",
            &path.to_string_lossy(),
            &format!("+{reference}:{reference}"),
        ]);
        drop(fs::remove_file(&path));
        fetched.map(drop)
    }

    /// Makes a slot's checkout equal to a base, but for files that git ignores there.
    pub(crate) fn check_out(&self, slot: u32, commit: &str) -> Result<PathBuf, BaseError> {
        let tree = self.dir.join(format!("slot-{slot}"));
        fs::create_dir_all(&tree).map_err(file_error(&tree))?;
        let git = Git::checkout(&tree, &Git::bare(&self.repository())?)?;
        drop(fs::remove_file(tree.join(".git/index.lock")));
        git.run(["checkout", "--quiet", "--force", "--detach", commit])?;
        git.run(["clean", "--quiet", "-ffd"])?;
        Ok(tree)
    }
}
