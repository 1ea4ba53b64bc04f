//! Standard output and standard error: what goes where, and whether it may have colours.
//!
//! Results go to standard output, everything else to standard error, so that a pipe carries nothing but
//! the result. What the texts say is made in `render/` and `failure/`.

use std::env;
use std::fmt::Display;
use std::io::{self, BufRead as _, ErrorKind, IsTerminal, Write};
use std::path::Path;
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};

use ftl_engine::result::{Action, Actions};
use ftl_text::redact::RedactionCounts;
use ftl_text::{Redactor, escape_json, one_line};
use miette::{Diagnostic, GraphicalReportHandler, GraphicalTheme};
use serde::Serialize;

use crate::failure::Failure;

/// Columns of a diagnostic.
const WIDTH: usize = 100;

/// What leaves here without its secrets: everything but [`document`].
static REDACTOR: Mutex<Option<Redactor>> = Mutex::new(None);

/// Knows the secrets of the environment, until a configuration adds to them or exempts some.
pub(crate) fn redactor() -> Redactor {
    let mut redactor = REDACTOR.lock().unwrap_or_else(PoisonError::into_inner);
    redactor.get_or_insert_with(|| secrets_of(env::vars_os(), &[])).clone()
}

/// Leaves these secrets out from now on.
pub(crate) fn hide(redactor: &Redactor) {
    *REDACTOR.lock().unwrap_or_else(PoisonError::into_inner) = Some(redactor.clone());
}

/// The secrets among variables, but for what `off` names.
pub(crate) fn secrets_of(
    variables: impl IntoIterator<Item = (std::ffi::OsString, std::ffi::OsString)>,
    off: &[String],
) -> Redactor {
    let variables: Vec<(String, Vec<u8>)> = variables
        .into_iter()
        .map(|(name, value)| (name.to_string_lossy().into_owned(), value.into_encoded_bytes()))
        .collect();
    Redactor::new(variables.iter().map(|(name, value)| (name.as_str(), value.as_slice())), off)
}

/// Writes the result. A reader who closes the pipe early, such as `head`, is not a failure.
pub(crate) fn result(text: &str) -> Result<(), Failure> {
    print(&redactor().text(text))
}

/// What was done, where it is printed as one object at the end.
static ACTIONS: Mutex<Option<Actions>> = Mutex::new(None);

fn actions() -> MutexGuard<'static, Option<Actions>> {
    ACTIONS.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Collects what is done from now on: standard output is for a program.
pub(crate) fn collect() {
    *actions() = Some(Actions { v: 1, ..Actions::default() });
}

/// Writes what was done as JSON, where it was collected and is something.
pub(crate) fn finish() -> Result<(), Failure> {
    match actions().take() {
        Some(done) if !done.actions.is_empty() => json(&done),
        Some(_) | None => Ok(()),
    }
}

/// Writes what a command did, and to what: `Created: PATH`.
pub(crate) fn did(action: &str, target: impl Display) -> Result<(), Failure> {
    match &mut *actions() {
        Some(done) => {
            let (action, target) = (action.to_lowercase(), target.to_string());
            done.actions.push(Action { action, target });
            Ok(())
        }
        None => result(&format!("{action}: {target}\n")),
    }
}

/// Writes what changed by a command, on standard error.
pub(crate) fn note(line: &str) {
    match &mut *actions() {
        Some(done) => done.notes.push(line.to_owned()),
        None => message(line),
    }
}

/// Writes a line of a listing of what is done then: on standard output, as it is no result of a program.
pub(crate) fn note_or_line(line: &str) -> Result<(), Failure> {
    match &mut *actions() {
        Some(done) => {
            done.notes.push(line.to_owned());
            Ok(())
        }
        None => result(&format!("{line}\n")),
    }
}

/// Writes a result that may be long: on a terminal by `$PAGER`, as git does, else by `less`; one screen is printed at once.
pub(crate) fn paged(text: &str) -> Result<(), Failure> {
    let text = redactor().text(text);
    if !io::stdout().is_terminal() || text.is_empty() {
        return print(&text);
    }
    let set = env::var("PAGER").ok();
    let pager = set.as_deref().unwrap_or("less");
    if pager.is_empty() || pager == "cat" || !ftl_process::page(pager, text.as_bytes()) {
        return print(&text);
    }
    Ok(())
}

/// A path as standard output shows it: as it is for programs, escaped on a terminal.
pub(crate) fn path(path: &Path) -> String {
    let text = path.display().to_string();
    if io::stdout().is_terminal() { one_line(&text) } else { text }
}

fn print(text: &str) -> Result<(), Failure> {
    let mut out = io::stdout().lock();
    let written = out.write_all(text.as_bytes()).and_then(|()| out.flush());
    match written {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => Err(Failure::failed(
            "output::write",
            format!("cannot write to standard output: {error}"),
        )),
        Ok(()) | Err(_) => Ok(()),
    }
}

/// Writes a value as JSON, indented by two, with its keys sorted, and nothing in it that hides or is
/// secret: the result of `--format json`.
pub(crate) fn json(value: &impl Serialize) -> Result<(), Failure> {
    print(&json_text(value))
}

/// The text that [`json`] writes.
pub(crate) fn json_text(value: &impl Serialize) -> String {
    let mut value = serde_json::to_value(value).expect("because every key is a string");
    redactor().json(&mut value, &mut RedactionCounts::new());
    escape_json(format!("{value:#}\n"))
}

/// Writes what a document of the user's says, as [`json`] does, but with all its values as they are:
/// every program that reads it gets the same.
pub(crate) fn document(value: &impl Serialize) -> Result<(), Failure> {
    let value = serde_json::to_value(value).expect("because every key is a string");
    print(&escape_json(format!("{value:#}\n")))
}

/// Writes a line to standard error. Where that is closed, the line is lost.
pub(crate) fn message(line: &str) {
    // By one call, so that nothing else that is printed comes into it.
    let line = format!("{}\n", redactor().text(line));
    drop(io::stderr().lock().write_all(line.as_bytes()));
}

/// Writes a warning to standard error, on a line: it may quote what others wrote.
pub(crate) fn warn(warning: &dyn Display) {
    if let Some(done) = &mut *actions() {
        done.warnings.push(one_line(&warning.to_string()));
    }
    message(&format!("warning: {}", one_line(&warning.to_string())));
}

/// Writes a diagnostic to standard error.
pub(crate) fn diagnose(diagnostic: &dyn Diagnostic) {
    message(&drawn(diagnostic));
}

/// A diagnostic as standard error shows it.
pub(crate) fn drawn(diagnostic: &dyn Diagnostic) -> String {
    let theme = if colour(&io::stderr()) {
        GraphicalTheme::unicode()
    } else {
        GraphicalTheme::unicode_nocolor()
    };
    let handler = GraphicalReportHandler::new_themed(theme)
        .with_wrap_lines(false)
        .with_links(false)
        .with_show_related_as_nested(true);
    let mut text = String::new();
    match handler.render_report(&mut text, diagnostic) {
        Ok(()) => text.trim_end().split('\n').map(wrapped).collect::<Vec<_>>().join("\n"),
        Err(_) => format!("error: {diagnostic}"),
    }
}

/// A line of a diagnostic in lines of [`WIDTH`] columns: messages and help alone, and never within backticks, so that a
/// command can be copied.
fn wrapped(line: &str) -> String {
    let plain = ftl_text::terminal_text(line.as_bytes());
    let next = match plain.trim_start() {
        text if text.starts_with("× ") || text.starts_with("⚠ ") => "  │ ",
        text if text.starts_with("help: ") => "        ",
        _ if plain.starts_with("        ") => "        ",
        _ if plain.starts_with("  │ ") => "  │ ",
        _ => return line.to_owned(),
    };
    let (mut lines, mut columns, mut is_quoted) = (String::new(), 0, false);
    for word in line.split_inclusive(' ') {
        let width = ftl_text::terminal_text(word.as_bytes()).chars().count();
        if columns > next.len() && columns + width > WIDTH && !is_quoted {
            lines.truncate(lines.trim_end().len());
            lines.push('\n');
            lines.push_str(next);
            columns = next.chars().count();
        }
        lines.push_str(word);
        columns += width;
        is_quoted ^= word.matches('`').count() % 2 == 1;
    }
    lines
}

/// Asks a person at a terminal, where no is the default; `None` where there is none.
pub(crate) fn agreed(question: &str) -> Result<Option<bool>, Failure> {
    if !(io::stdin().is_terminal() && io::stderr().is_terminal()) {
        return Ok(None);
    }
    let failed = |error: io::Error| Failure::failed("output::write", error.to_string());
    write!(io::stderr(), "{question} [y/N] ").map_err(failed)?;
    let mut answer = String::new();
    io::stdin().lock().read_line(&mut answer).map_err(failed)?;
    Ok(Some(matches!(answer.trim(), "y" | "Y" | "yes")))
}

/// Whether `--color` asks for colours, or for none.
static COLOR: OnceLock<bool> = OnceLock::new();

/// Uses colours, or none, from now on.
pub(crate) fn set_colour(color: bool) {
    let _ = COLOR.set(color);
}

/// Whether a stream gets colours: as `--color` says, then as `NO_COLOR` and `CLICOLOR_FORCE` do, else on a
/// terminal.
pub(crate) fn colour(stream: &impl IsTerminal) -> bool {
    if let Some(&color) = COLOR.get() {
        return color;
    }
    let set = |name| env::var_os(name).is_some_and(|value| !value.is_empty());
    let forced =
        || set("CLICOLOR_FORCE") && env::var_os("CLICOLOR_FORCE").is_some_and(|v| v != "0");
    !set("NO_COLOR") && (forced() || stream.is_terminal())
}
