//! The work of a run: the workplace in which it is made, how it is placed and compared, and the files that keep it.

pub(crate) mod before;
pub(super) mod current_tree;
pub(super) mod deliveries;
pub(super) mod diff;
pub(super) mod held_workplace;
pub(super) mod last_pass;
pub(crate) mod last_work;
pub(super) mod placing;
pub(crate) mod quarantine;
pub(super) mod relocate;
pub(crate) mod work_files;
pub(crate) mod workplace;
pub(super) mod written;
