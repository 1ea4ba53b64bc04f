//! The workers that are alive.

use futures_util::StreamExt;

use crate::access::{Access, ServerError};
use crate::protocol::Presence;
use crate::server::{Server, answer};

/// Asks the server which workers are alive, by name.
///
/// # Errors
/// When the server cannot be asked.
pub fn workers(access: &Access) -> Result<Vec<Presence>, ServerError> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let runtime = runtime.map_err(answer("be asked"))?;
    runtime.block_on(async {
        alive(&Server::connect(access, "ftl workers", Box::new(|_| ())).await?).await
    })
}

/// Whether the server can be used, where it answers.
///
/// # Errors
/// When it refuses this client, or is none.
pub fn reach(access: &Access) -> Result<(), ServerError> {
    match workers(access) {
        Err(error) if !error.is_transient() => Err(error),
        _ => Ok(()),
    }
}

pub(crate) async fn alive(server: &Server) -> Result<Vec<Presence>, ServerError> {
    let mut keys = server.workers.keys().await.map_err(answer("list workers"))?;
    let mut all: Vec<Presence> = Vec::new();
    while let Some(key) = keys.next().await {
        let key = key.map_err(answer("list workers"))?;
        all.extend(server.value(&server.workers, &key).await?.and_then(Result::ok));
    }
    all.sort_by(|a, b| a.name.cmp(&b.name));
    Ok(all)
}
