//! What the tools may spend.
//!
//! The machine charges a run when a request has ended, whatever was said here. A call that the budget does
//! not hold is refused before it does anything, so that the task can still be verified.

use std::collections::BTreeSet;

use ftl_model::DeltaPath;

use super::Refusal;
use super::calls::Tool;
use crate::meter::Address;

/// Who pays for a call.
#[derive(Debug)]
pub(super) enum Purse {
    /// Nobody: mends and fixes have a price of their own.
    Free,
    /// Each file that is changed costs one.
    Files {
        /// How many may be changed.
        most: i64,
        /// Those that were.
        changed: BTreeSet<DeltaPath>,
    },
    /// Each call costs one, and is counted here.
    Calls {
        /// How many are left.
        left: i64,
    },
    /// Each call costs one, and the build counts.
    Build(Address),
}

impl Purse {
    pub(super) fn files(most: i64) -> Self {
        Self::Files { most, changed: BTreeSet::new() }
    }

    /// Pays for a call that is about to be made. `changes` is the file that it will change.
    pub(super) fn pay(&mut self, tool: Tool, changes: Option<&DeltaPath>) -> Result<(), Refusal> {
        if !tool.is_work() {
            return Ok(());
        }
        match self {
            Self::Free => Ok(()),
            Self::Files { most, changed } => {
                let Some(path) = changes.filter(|path| !changed.contains(path)) else {
                    return Ok(());
                };
                if i64::try_from(changed.len()).unwrap_or(i64::MAX) >= *most {
                    return Err(Refusal::new(format!(
                        "the budget is spent: it holds changes of {most} files, and one call for the \
                         verify; {ENDING}"
                    )));
                }
                changed.insert(path.clone());
                Ok(())
            }
            Self::Calls { left } => {
                if *left < 1 {
                    return Err(spent());
                }
                *left -= 1;
                Ok(())
            }
            Self::Build(address) => match address.charge(tool.as_str()) {
                Ok(true) => Ok(()),
                Ok(false) => Err(spent()),
                Err(error) => Err(Refusal::new(format!(
                    "the build that counts the calls cannot be asked: {error}"
                ))),
            },
        }
    }

    /// What is left, in words.
    pub(super) fn told(&self) -> Option<String> {
        match self {
            Self::Free => None,
            Self::Files { most, changed } => Some(format!(
                "The budget holds changes of {most} files; {} changed so far. Reading and checking are free.",
                changed.len()
            )),
            Self::Calls { left } => Some(format!("The budget holds {left} more calls.")),
            Self::Build(address) => Some(format!(
                "The budget holds {} calls: each call of `read`, `search`, `edit`, `write`, `preflight` \
                 and `verify` costs one.",
                address.most
            )),
        }
    }
}

const ENDING: &str = "end with `done`, or say with `needs` or `no_change` how it stands";

fn spent() -> Refusal {
    Refusal::new(format!(
        "the budget is spent: no call is left but the one for the verify; {ENDING}"
    ))
}
