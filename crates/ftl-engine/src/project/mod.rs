//! A project as ftl finds it: its root, the task files in it, and the sources that they speak of.
//!
//! * [`find`], [`names`] and [`display_path`] say where a project is and what its tasks are called.
//! * [`WorkspaceFile`] is the task file that a person means by a path, an ID or a number.
//! * [`read_workspace_file`], [`ProjectFiles`] and the like read files, each with a bound.
//!
//! Nothing here writes, takes a lock, or waits for a pipe.

mod committed;
mod files;
mod find;
mod lookup_error;
mod test_command;
pub(crate) mod verify_files;
pub(crate) mod verify_program;
pub mod walk;
mod workspace_file;

pub(crate) use committed::committed;
pub use files::{ProjectFiles, read_below, read_workspace_file};
pub(crate) use files::{normalised, obstacle, read_tests, status_ahead, tests};
pub use find::{
    FindError, display_path, distrust, find, lexical, names, projects_below, relative,
    shown_command, state_directory, typed_command, typed_path,
};
pub use ftl_store::{Layout, read_regular};
pub use ftl_tree::{Repository, TreeError, branch_of, changed_since, repository_of};
pub use lookup_error::LookupError;
pub use test_command::test_command;
pub(crate) use workspace_file::is_meant;
pub use workspace_file::{WorkspaceFile, read};
