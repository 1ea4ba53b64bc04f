//! Locks that may not keep others away.

use std::fmt;
use std::path::PathBuf;

use super::network::NetworkFileSystem;

/// Why a [`Lock`](crate::Lock) guards less than it should.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LockWarning {
    /// The lock may not be known to other machines. On NFS none was asked for, since that may hang for
    /// ever when the server's lock service does not answer.
    Network(PathBuf, NetworkFileSystem),
    /// The file system has no locks.
    Unsupported(PathBuf),
}

impl fmt::Display for LockWarning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (path, what, so) = match self {
            Self::Network(path, network) => {
                let so = if network.may_hang {
                    "nothing keeps a second builder away"
                } else {
                    "builders on other machines may not be kept away"
                };
                (path, format!("a network file system ({})", network.name), so)
            }
            Self::Unsupported(path) => (
                path,
                "a file system without locks".to_owned(),
                "nothing keeps a second builder away",
            ),
        };
        write!(f, "`{}` is on {what}: {so}", path.display())
    }
}
