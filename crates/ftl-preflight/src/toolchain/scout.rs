//! A disposable process that parses a file first, where an overflow of the stack could end this
//! one.
//!
//! The measure of JavaScript's nesting can be deceived (see `nesting/ecmascript.rs`), and an
//! overflow cannot be caught. The number of tokens is certain, though: a file with fewer tokens
//! than the stack has room for is safe whatever they nest like, so only larger files cost a
//! process.

use std::ffi::OsString;

use super::front_end::ended;
use super::process::Exit;
use crate::Reason;
use crate::finding::Setting;
use crate::nesting::{STACK_PER_TOKEN, ecmascript};

/// Stack that one token of nesting makes an optimised parser use, at most, in bytes.
const STACK_USED: usize = if cfg!(debug_assertions) { STACK_PER_TOKEN } else { 4 << 10 };

/// Parses a text whose nesting cannot be measured for certain in a disposable process, if one is
/// configured.
///
/// # Errors
///
/// The process crashed, took too long or failed.
pub(crate) fn survives(text: &str, setting: &Setting<'_>) -> Result<(), Reason> {
    let Some((program, words)) = &setting.options.scout else {
        return Ok(());
    };
    // The stack has room for `nesting` levels of an unoptimised build; an optimised one uses a sixth.
    let certain = setting.options.nesting * (STACK_PER_TOKEN / STACK_USED);
    if text.len() <= certain || ecmascript::tokens(text) <= certain {
        return Ok(());
    }
    let mut args: Vec<OsString> = words.iter().map(OsString::from).collect();
    args.push(setting.language.name().into());
    // Absolute, since the process runs in another directory and looks for manifests too.
    let path = std::path::absolute(setting.path).unwrap_or_else(|_| setting.path.to_owned());
    args.push(path.into_os_string());
    let failed =
        |why: String| Err(Reason::CheckerFailed(format!("the process that parses it first {why}")));
    let ended = ended(program.clone(), args, text.as_bytes(), setting)?;
    match ended.exit {
        Exit::Code(0) => Ok(()),
        Exit::TimedOut(limit) => failed(format!("was still parsing after {limit:?}")),
        Exit::Interrupted => failed("was interrupted".to_owned()),
        // SIGSEGV or SIGABRT: the guard page below the stack was hit.
        Exit::Signal(_) => Err(Reason::TooDeep),
        Exit::Code(code) => failed(format!("ended with {code}: {}", ended.errors.trim())),
    }
}
