//! How a workplace is placed, and what is mounted for one that covers the root.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

/// How a workplace is placed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Placement {
    /// Mounted at the root's own path; dependencies are below private layers.
    Layered,
    /// Mounted at the root's own path; the system has no layers.
    Bound,
    /// At the copy's own path.
    OwnPath,
}

/// A private layer over a directory of the project.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Layer {
    /// The directory: absolute, without links. It is seen below the layer.
    pub over: PathBuf,
    /// Takes what is written.
    pub upper: PathBuf,
    /// For overlayfs alone.
    pub work: PathBuf,
}

/// What is mounted for a workplace that covers the root. All paths are absolute, without links.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Mounts {
    /// Directories, each with the path that it is mounted over.
    pub binds: Vec<(PathBuf, PathBuf)>,
    /// Layers over dependencies.
    pub layers: Vec<Layer>,
    /// Directories that can also be read at a second path, since the first is covered: git's objects.
    pub shared: Vec<(PathBuf, PathBuf)>,
    /// What is the project's own, to be read.
    pub readable: Vec<PathBuf>,
    /// Pipes and sockets of the project.
    pub pass: Vec<PathBuf>,
}
