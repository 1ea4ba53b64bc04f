//! The environment of a child: ours, or a clean one with a few variables passed on, and changes to
//! it.
//!
//! Ours is read when a command starts, not when it is described.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;

/// The environment variables that a child gets.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Environment {
    pass: Option<BTreeSet<OsString>>,
    changes: BTreeMap<OsString, Option<OsString>>,
}

impl Environment {
    /// All of ours.
    #[must_use]
    pub fn inherit() -> Self {
        Self::default()
    }

    /// Only the named ones of ours.
    #[must_use]
    pub fn clean<I>(pass: I) -> Self
    where
        I: IntoIterator,
        I::Item: Into<OsString>,
    {
        Self { pass: Some(pass.into_iter().map(Into::into).collect()), changes: BTreeMap::new() }
    }

    /// Sets a variable, overriding ours.
    #[must_use]
    pub fn set(mut self, name: impl Into<OsString>, value: impl Into<OsString>) -> Self {
        self.changes.insert(name.into(), Some(value.into()));
        self
    }

    /// Removes a variable, whether it is passed on or not.
    #[must_use]
    pub fn remove(mut self, name: impl Into<OsString>) -> Self {
        self.changes.insert(name.into(), None);
        self
    }

    /// The variables themselves, from our own at this moment.
    #[must_use]
    pub fn resolve(&self) -> BTreeMap<OsString, OsString> {
        let mut all: BTreeMap<_, _> = std::env::vars_os()
            .filter(|(name, _)| self.pass.as_ref().is_none_or(|pass| pass.contains(name)))
            .collect();
        for (name, change) in &self.changes {
            match change {
                Some(value) => all.insert(name.clone(), value.clone()),
                None => all.remove(name),
            };
        }
        all
    }

    pub(crate) fn apply(&self, command: &mut std::process::Command) {
        if self.pass.is_some() {
            command.env_clear().envs(self.resolve());
            return;
        }
        for (name, change) in &self.changes {
            match change {
                Some(value) => command.env(name, value),
                None => command.env_remove(name),
            };
        }
    }
}
