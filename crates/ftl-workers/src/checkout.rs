//! A worker's copy of a project: the bases that it has, and a checkout for each slot.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use async_nats::{Request as Asked, RequestErrorKind};
use ftl_model::Digest;
use thiserror::Error;
use tokio::fs::File;
use tokio::io::AsyncWriteExt;

use crate::access::ServerError;
use crate::base::hold;
use crate::git::{BaseError, Git, file_error, reference_of};
use crate::protocol::{BaseAnswer, BaseWanted, Content, MAX_BUNDLE, MAX_VALUE, Request, read};
use crate::server::{FetchError, Scope, Server, answer, json};

/// How long an answer is waited for until the coordinator is asked again: it, or the server, may be killed after it
/// has read the question.
const ASKED: Duration = Duration::from_secs(10);
/// Questions until no coordinator answers. One that makes a large bundle has it ready for a later one.
const MOST_ASKED: usize = 60;
/// Bases of which the coordinator hears that this worker has them.
const LISTED: usize = 64;

/// Why a base cannot be had.
#[derive(Debug, Error)]
pub(crate) enum ObtainError {
    /// No coordinator waits for the request now.
    #[error("no coordinator answers")]
    Unanswered,
    #[error("the coordinator cannot send the base: {0}")]
    Coordinator(String),
    #[error(transparent)]
    Server(#[from] ServerError),
    #[error("the base cannot be read: {0}")]
    Fetch(#[from] FetchError),
    #[error(transparent)]
    Base(#[from] BaseError),
}

/// The bases of a project, in `DIR/PROJECT/base.git`.
#[derive(Clone, Debug)]
pub(crate) struct Bases {
    dir: PathBuf,
}

impl Bases {
    pub(crate) fn of(dir: &Path, project: &str) -> Self {
        Self { dir: dir.join("projects").join(crate::server::part(project)) }
    }

    fn repository(&self) -> PathBuf {
        self.dir.join("base.git")
    }

    /// Gets a request's base from its coordinator, unless this worker has it.
    async fn obtain(&self, server: &Server, request: &Request) -> Result<(), ObtainError> {
        let commit = &request.base.commit;
        let mut have = Git::bare(&self.repository())?.kept()?;
        if have.contains(commit) {
            return Ok(());
        }
        have.drain(..have.len().saturating_sub(LISTED));
        let digest = ask(server, &request.id, &BaseWanted { have }).await?;
        let path = self.dir.join(format!("bundle-{commit}"));
        let fetched = async {
            let mut file = File::create(&path).await?;
            let scope = Scope::of_bases(&request.project);
            server.fetch(&scope, &Content::Object(digest), MAX_BUNDLE, &mut file).await?;
            file.flush().await?;
            Ok::<(), FetchError>(())
        };
        let taken = match fetched.await {
            Ok(()) => {
                let (bases, commit, path) = (self.clone(), commit.clone(), path.clone());
                blocking(move || bases.take_in(&commit, &path)).await.map_err(ObtainError::from)
            }
            Err(error) => {
                // The coordinator stores it again where it is asked again and there is none.
                if error.is_of_object() {
                    server.delete_object(&Scope::of_bases(&request.project), digest).await;
                }
                Err(error.into())
            }
        };
        drop(fs::remove_file(&path));
        taken
    }

    /// Obtains a request's base, and makes a slot's checkout equal to it.
    pub(crate) async fn tree(
        &self,
        server: &Server,
        slot: u32,
        request: &Request,
    ) -> Result<PathBuf, ObtainError> {
        self.obtain(server, request).await?;
        let (bases, commit) = (self.clone(), request.base.commit.clone());
        Ok(blocking(move || bases.check_out(slot, &commit)).await?)
    }

    fn take_in(&self, commit: &str, bundle: &Path) -> Result<(), BaseError> {
        let _held = hold(&self.repository())?;
        let git = Git::bare(&self.repository())?;
        let reference = reference_of(commit);
        // The bundle's reference may name anything; the commit is what was asked for.
        let words = ["fetch", "--quiet", "--no-tags", "--no-auto-gc", "--no-write-fetch-head"];
        git.run(words.into_iter().chain([&*bundle.to_string_lossy(), &*reference]))?;
        git.keep(commit)
    }

    /// Makes a slot's checkout equal to a base, but for files that git ignores there.
    fn check_out(&self, slot: u32, commit: &str) -> Result<PathBuf, BaseError> {
        let tree = self.dir.join(format!("slot-{slot}"));
        fs::create_dir_all(&tree).map_err(file_error(&tree))?;
        let git = Git::checkout(&tree, &Git::bare(&self.repository())?)?;
        drop(fs::remove_file(tree.join(".git/index.lock")));
        git.run(["checkout", "--quiet", "--force", "--detach", commit])?;
        git.run(["clean", "--quiet", "-ffd"])?;
        Ok(tree)
    }
}

/// Asks a request's coordinator for a bundle of its base.
async fn ask(server: &Server, id: &str, wanted: &BaseWanted) -> Result<Digest, ObtainError> {
    for _ in 0..MOST_ASKED {
        let asked = Asked::new().payload(json(wanted).into()).timeout(Some(ASKED));
        let said = match server.client.send_request(format!("ftl.base.{id}"), asked).await {
            Err(error) if error.kind() == RequestErrorKind::TimedOut => continue,
            Err(error) if error.kind() == RequestErrorKind::NoResponders => break,
            said => said.map_err(answer("ask for a base"))?,
        };
        let said = read(&said.payload, MAX_VALUE).map_err(answer("ask for a base"))?;
        return match said {
            BaseAnswer::Bundle(digest) => Ok(digest),
            BaseAnswer::Failed(why) => Err(ObtainError::Coordinator(why)),
        };
    }
    Err(ObtainError::Unanswered)
}

/// Runs what waits for git or for a lock on a thread where that keeps nothing else.
pub(crate) async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, BaseError> + Send + 'static,
) -> Result<T, BaseError> {
    tokio::task::spawn_blocking(work).await.expect("because no work on git panics")
}
