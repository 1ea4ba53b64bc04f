//! Standard output and standard error: what goes where, and whether it may have colours.
//!
//! Results go to standard output, everything else to standard error, so that a pipe carries nothing but
//! the result. What the texts say is made in `render/` and `failure/`.

use std::env;
use std::fmt::Display;
use std::io::{self, ErrorKind, IsTerminal, Write};

use ftl_text::escape_json;
use miette::{Diagnostic, GraphicalReportHandler, GraphicalTheme};
use serde::Serialize;

use crate::failure::Failure;

/// Columns of a diagnostic.
const WIDTH: usize = 100;

/// Writes the result. A reader who closes the pipe early, such as `head`, is not a failure.
pub(crate) fn result(text: &str) -> Result<(), Failure> {
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

/// Writes a value as JSON, indented by two, with its keys sorted and nothing in it that hides: the result of `--format json`.
pub(crate) fn json(value: &impl Serialize) -> Result<(), Failure> {
    let value = serde_json::to_value(value).expect("because every key is a string");
    result(&escape_json(format!("{value:#}\n")))
}

/// Writes a line to standard error. Where that is closed, there is nobody to be told.
pub(crate) fn message(line: &str) {
    drop(writeln!(io::stderr().lock(), "{line}"));
}

/// Writes a warning to standard error.
pub(crate) fn warn(warning: &dyn Display) {
    message(&format!("warning: {warning}"));
}

/// Writes a diagnostic to standard error.
pub(crate) fn diagnose(diagnostic: &dyn Diagnostic) {
    let theme = if colour(&io::stderr()) {
        GraphicalTheme::unicode()
    } else {
        GraphicalTheme::unicode_nocolor()
    };
    let handler = GraphicalReportHandler::new_themed(theme)
        .with_width(WIDTH)
        .with_links(false)
        .with_show_related_as_nested(true);
    let mut text = String::new();
    match handler.render_report(&mut text, diagnostic) {
        Ok(()) => message(text.trim_end()),
        Err(_) => message(&format!("error: {diagnostic}")),
    }
}

/// Whether a stream gets colours: as `NO_COLOR` and `CLICOLOR_FORCE` say, else on a terminal.
pub(crate) fn colour(stream: &impl IsTerminal) -> bool {
    let set = |name| env::var_os(name).is_some_and(|value| !value.is_empty());
    let forced =
        || set("CLICOLOR_FORCE") && env::var_os("CLICOLOR_FORCE").is_some_and(|v| v != "0");
    !set("NO_COLOR") && (forced() || stream.is_terminal())
}
