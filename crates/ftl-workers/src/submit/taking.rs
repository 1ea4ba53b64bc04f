//! A result at the coordinator: checked for everything that the engine does not look at, and written where it reads.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use ftl_engine::performer::{Call, DONE, Done, DoneFile, FILES, MAX_DONE};
use ftl_model::{DeltaPath, Digest};
use thiserror::Error;
use tokio::fs::File;
use tokio::io::AsyncWriteExt;

use super::printing::Printing;
use crate::access::ServerError;
use crate::git::{BaseError, file_error};
use crate::protocol::{
    Content, End, Header, MAX_FILE, MAX_FILES, MAX_LOG, MAX_OUTCOME, MAX_REPLY, Outcome, Request,
    ResultName, Taken, VERSION, Work, read, version,
};
use crate::server::{FetchError, Scope, Server, json};

/// Why a result is not taken.
#[derive(Debug, Error)]
pub(super) enum TakeError {
    /// Another worker may have a better one.
    #[error("{0}")]
    Unusable(String),
    #[error("{0}")]
    Refused(String),
    /// What was printed is not the beginning of its output.
    #[error("it has another output")]
    Other,
    #[error("withdrawn")]
    Withdrawn(Vec<Taken>),
    #[error(transparent)]
    Server(#[from] ServerError),
    #[error(transparent)]
    File(#[from] BaseError),
}

impl From<FetchError> for TakeError {
    fn from(error: FetchError) -> Self {
        match error {
            FetchError::Server(error) => error.into(),
            FetchError::Write(source) => file_error(Path::new("files of a result"))(source).into(),
            error => Self::Unusable(error.to_string()),
        }
    }
}

/// A result that is on the server.
pub(super) struct Taking<'t> {
    pub(super) server: &'t Server,
    pub(super) request: &'t Request,
    pub(super) name: &'t ResultName,
}

impl Taking<'_> {
    fn scope(&self) -> Scope {
        Scope::of_result(&self.request.id, &self.name.worker)
    }

    /// The outcome, of this version and request.
    pub(super) async fn outcome(&self) -> Result<Outcome, TakeError> {
        let object = Content::Object(self.name.sha256);
        let bytes = self.server.bytes(&self.scope(), &object, MAX_OUTCOME).await?;
        let header: Header = read(&bytes, MAX_OUTCOME).map_err(TakeError::Unusable)?;
        if header.v != VERSION {
            return Err(TakeError::Refused(format!(
                "the result of the worker `{}` is of version {} from ftl {}, and this ftl {} reads results of version {VERSION}",
                header.worker.unwrap_or_default(),
                header.v,
                header.ftl,
                version()
            )));
        }
        let outcome: Outcome = read(&bytes, MAX_OUTCOME).map_err(TakeError::Unusable)?;
        if outcome.id != self.request.id {
            return Err(TakeError::Unusable("it is of another request".to_owned()));
        }
        Ok(outcome)
    }

    /// Writes the files of a result, the rest of its output, and last how it ended.
    pub(super) async fn take(
        &self,
        outcome: &Outcome,
        (dir, call): (&Path, &Call),
        printing: &mut Printing,
    ) -> Result<(), TakeError> {
        let work = match &outcome.end {
            End::Done(work) => work,
            End::Refused(reason) => return Err(TakeError::Refused(reason.clone())),
            End::Withdrawn(workers) => return Err(TakeError::Withdrawn(workers.clone())),
        };
        let done = Done { worker: outcome.worker.clone(), ..work.done.clone() };
        let done = json(&done);
        if done.len() as u64 > MAX_DONE {
            return Err(TakeError::Unusable("it lists too much".to_owned()));
        }
        self.files(work, &dir.join(FILES)).await?;
        if let Some(reply) = &work.reply {
            let bytes = self.server.bytes(&self.scope(), reply, MAX_REPLY).await?;
            fs::write(&call.reply, bytes).map_err(file_error(&call.reply))?;
        }
        let log = self.server.bytes(&self.scope(), &work.log, MAX_LOG).await?;
        if !printing.rest(&log) {
            return Err(TakeError::Other);
        }
        let path = dir.join(DONE);
        fs::write(&path, done).map_err(file_error(&path))?;
        Ok(())
    }

    async fn files(&self, work: &Work, to: &Path) -> Result<(), TakeError> {
        fs::create_dir_all(to).map_err(file_error(to))?;
        if let Some(why) = overlap(&work.done.files) {
            return Err(TakeError::Unusable(why.to_owned()));
        }
        let mut room = MAX_FILES;
        let wanted: BTreeSet<_> = work.done.files.iter().filter_map(|file| file.sha256).collect();
        for digest in wanted {
            let name = digest.to_string();
            let lacking = || TakeError::Unusable("it lacks the bytes of a file".to_owned());
            let content = work.contents.get(&name).ok_or_else(lacking)?;
            let held = match content {
                Content::Text(text) => Digest::of(text.as_bytes()),
                Content::Object(held) => *held,
            };
            if held != digest {
                return Err(FetchError::Damaged.into());
            }
            let path = to.join(&name);
            let mut file = File::create(&path).await.map_err(file_error(&path))?;
            let most = room.min(MAX_FILE);
            room -= self.server.fetch(&self.scope(), content, most, &mut file).await?;
            file.flush().await.map_err(file_error(&path))?;
        }
        Ok(())
    }

    /// Removes all that the result has on the server.
    pub(super) async fn remove(&self, outcome: Option<&Outcome>) {
        let scope = self.scope();
        if let Some(Outcome { end: End::Done(work), .. }) = outcome {
            for content in work.objects() {
                self.server.delete(&scope, content).await;
            }
        }
        self.server.delete_object(&scope, self.name.sha256).await;
    }
}

/// Why files can't all be laid into a workplace. There `a//b` is `a/b`.
fn overlap(files: &[DoneFile]) -> Option<&'static str> {
    let laid = |file: &DoneFile| Some((DeltaPath::parse(&file.path).ok()?, file.sha256.is_some()));
    let mut all: Vec<(DeltaPath, bool)> = files.iter().filter_map(laid).collect();
    // What is below a directory follows it.
    all.sort_by(|a, b| a.0.as_path().cmp(b.0.as_path()));
    if all.windows(2).any(|two| two[0].0 == two[1].0) {
        return Some("it lists a file twice");
    }
    all.retain(|file| file.1);
    let is_dir = |two: &[(DeltaPath, bool)]| two[1].0.as_path().starts_with(two[0].0.as_path());
    all.windows(2).any(is_dir).then_some("it lists a file that is a directory too")
}

#[cfg(test)]
mod tests {
    use ftl_engine::performer::DoneFile;
    use ftl_model::Digest;

    use super::overlap;

    #[test]
    fn paths_are_compared_as_they_are_laid() {
        let made = |path: &str| DoneFile {
            path: path.to_owned(),
            mode: Some(0o644),
            sha256: Some(Digest::of(b"")),
        };
        let gone = |path: &str| DoneFile { mode: None, sha256: None, ..made(path) };
        for (files, why) in [
            (vec![made("a"), made("b/c"), made("a.b")], None),
            (vec![made("src/a"), made("src//a")], Some("twice")),
            (vec![made("src/a"), gone("./src/a")], Some("twice")),
            (vec![made("a"), made("a.b"), made("a/b")], Some("directory")),
            (vec![gone("a"), made("a/b")], None),
            (vec![made("a"), gone("a/b")], None),
        ] {
            let found = overlap(&files);
            assert_eq!(found.is_some(), why.is_some(), "{files:?}");
            assert!(found.unwrap_or_default().contains(why.unwrap_or_default()), "{files:?}");
        }
    }
}
