//! Whether the shell can read the commands of a task, whether their exit codes tell the truth, and whether
//! there is the program that the verify begins with.
//!
//! No command is run: `sh -n` only parses.

use std::path::Path;
use std::time::Duration;

use ftl_process::{Environment, How, Probe};
use ftl_text::{one_line, quote};
use ftl_xml::{Document, ElementRef, Findings};

use super::{filled, implementations};
use crate::project::{normalised, verify_files, verify_program};
use ftl_analysis::findings::{MaskedExit, masked_exit};

/// How long the shell may take to read a command: milliseconds, unless the machine is overloaded.
const LIMIT: Duration = Duration::from_secs(10);

/// How many commands the shell is asked about: each is a process, and a document has room for tens of
/// thousands.
const MOST_COMMANDS: usize = 100;

/// Whether the shell can read the commands, and whether their exit codes tell the truth.
pub(super) fn check(
    document: &Document<'_>,
    root: &Path,
    env: &Environment,
    findings: &mut Findings,
) {
    // Only the first `verify` is ever run; every `preflight` is.
    if let Some(element) = implementations(document, "verify").next() {
        program(element, root, env, findings);
        files(document, element, root, findings);
    }
    let verify = implementations(document, "verify").take(1);
    let mut commands = verify.chain(implementations(document, "preflight"));
    for element in commands.by_ref().take(MOST_COMMANDS) {
        command(element, findings);
    }
    if let Some(element) = commands.next() {
        findings.warning(
            element.text_place(),
            "workspace::many_commands",
            format!("the shell was not asked about this command and those below: {MOST_COMMANDS} were enough"),
            "put the checks into a script, and name that",
        );
    }
}

fn program(element: ElementRef<'_, '_>, root: &Path, env: &Environment, findings: &mut Findings) {
    let text = filled(element).unwrap_or_default();
    let name = match verify_program::missing(&text, env, root) {
        Ok(Some(name)) => name,
        Ok(None) => return,
        Err(error) => {
            findings.warning(
                element.text_place(),
                "workspace::verify_program",
                format!(
                    "whether the verify's program is on the PATH is unknown: {error}: {}",
                    error.source
                ),
                "see to it that the file can be looked at, or take its directory off the PATH",
            );
            return;
        }
    };
    let near = verify_program::similar(&name, env, root);
    findings.error(
        element.text_place(),
        "workspace::verify_program",
        format!("the verify begins with `{}`, which is not on the PATH", quote(&name)),
        match near {
            Some(near) => format!("did you mean `{}`?", quote(&near)),
            None => "install it, or name a program by its path".to_owned(),
        },
    );
}

/// Warns of a file that the verify names and that is not there, where one of nearly the same name is.
fn files(
    document: &Document<'_>,
    element: ElementRef<'_, '_>,
    root: &Path,
    findings: &mut Findings,
) {
    let delta = implementations(document, "delta").filter_map(filled);
    let delta: Vec<String> = delta.map(|path| normalised(&path)).collect();
    let will_be = |path: &str| delta.contains(&normalised(path));
    let text = filled(element).unwrap_or_default();
    if let Some(meant) = verify_files::corrected(&text, root, &will_be) {
        findings.warning(
            element.text_place(),
            "workspace::verify_file",
            "the verify names a file that is not there",
            format!("did you mean `{}`?", one_line(&meant)),
        );
    }
}

/// How the verify of a task file hides the exit code of what it runs; `None` where it does not, and of a file
/// that is not readable as a task.
#[must_use]
pub fn masked_verify(source: &[u8]) -> Option<MaskedExit> {
    let document = ftl_xml::read(source).ok()?;
    let verify = implementations(&document, "verify").next()?;
    masked_exit(&filled(verify)?)
}

fn command(element: ElementRef<'_, '_>, findings: &mut Findings) {
    let Some(text) = filled(element) else {
        return;
    };
    let place = element.text_place();
    if let Some(why) = refused_by_shell(&text) {
        findings.error(
            place,
            "workspace::shell_syntax",
            format!("the shell cannot read the command: {}", quote(&why)),
            "try it with `sh -n`: quotes and brackets must be closed",
        );
    } else if let Some(masked) = masked_exit(&text) {
        findings.warning(
            place,
            "workspace::masked_exit",
            one_line(&masked.reason()),
            format!("write `{}`", one_line(&masked.instead)),
        );
    }
}

/// What `sh -n` has against the command; `None` also where the shell could not be asked.
fn refused_by_shell(command: &str) -> Option<String> {
    let mut shell = Probe::new("sh", ["-n"]);
    shell.input = command.as_bytes().to_vec();
    shell.limit = LIMIT;
    let answer = shell.run().ok()?;
    match answer.how {
        // A shell that was ended from outside has said nothing about the command.
        How::Exit(0) | How::Signal(_) => None,
        How::Exit(_) => {
            let said = String::from_utf8_lossy(&answer.stderr);
            let line = said.lines().next().unwrap_or("it gives no reason").trim();
            // Some shells name themselves first, which helps no reader.
            Some(line.strip_prefix("sh: ").unwrap_or(line).to_owned())
        }
    }
}
