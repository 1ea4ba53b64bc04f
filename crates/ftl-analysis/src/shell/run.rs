//! The state of a simulated script.

use std::collections::HashMap;

use super::syntax::{Command, Options, Script};

/// What the commands other than the failing one do.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Others {
    Succeed,
    DenyQuestions,
    Fail,
}

/// A script that is being simulated.
pub(super) struct Run<'a> {
    pub(super) target: &'a Command,
    pub(super) others: Others,
    pub(super) was_reached: bool,
    /// The target fails now. It is over in the second round of a loop over things to test.
    pub(super) fails_now: bool,
    pub(super) options: Options,
    pub(super) functions: HashMap<&'a str, &'a Command>,
    pub(super) variables: HashMap<String, i32>,
    pub(super) exit_trap: Option<Script>,
    pub(super) error_trap: Option<Script>,
    pub(super) last: i32,
    /// Of the last pipeline: `PIPESTATUS`.
    pub(super) pipe: Vec<i32>,
    pub(super) background: i32,
    /// The script, or a function, has ended.
    pub(super) ended: Option<i32>,
    pub(super) breaks: bool,
    pub(super) calls: usize,
}

impl<'a> Run<'a> {
    pub(super) fn new(target: &'a Command, fails_now: bool, others: Others) -> Self {
        Self {
            target,
            others,
            was_reached: false,
            fails_now,
            options: Options::default(),
            functions: HashMap::new(),
            variables: HashMap::new(),
            exit_trap: None,
            error_trap: None,
            last: 0,
            pipe: Vec::new(),
            background: 0,
            ended: None,
            breaks: false,
            calls: 0,
        }
    }
}
