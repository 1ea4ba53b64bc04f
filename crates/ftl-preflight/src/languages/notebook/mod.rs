//! Jupyter notebooks: JSON, and in it the cells with Python code, as IPython reads them.
//!
//! A line of magic (`%`), of the shell (`!`) or of help (`?`) is part of IPython's grammar. A cell that begins with
//! `%%` goes to a magic command, which may take any text, so that nothing in it is an error.

#[cfg(feature = "toolchain")]
mod ipython;

use std::ops::Range;

use serde::Deserialize;
use serde_json::value::RawValue;

#[cfg(feature = "toolchain")]
pub(crate) use self::ipython::FRONT_END;
use super::{json, python};
use crate::Reason;
use crate::finding::{Finding, Outcome, Setting};

#[derive(Deserialize)]
struct Notebook<'t> {
    #[serde(borrow)]
    cells: Vec<Cell<'t>>,
    #[serde(default)]
    metadata: Metadata,
}

#[derive(Deserialize)]
struct Cell<'t> {
    cell_type: String,
    #[serde(borrow)]
    source: &'t RawValue,
}

/// The text of a cell: lines with their ends, or all of them in one.
#[derive(Deserialize)]
#[serde(untagged)]
enum Source {
    Lines(Vec<String>),
    Whole(String),
}

#[derive(Default, Deserialize)]
struct Metadata {
    #[serde(default)]
    kernelspec: Kernel,
    #[serde(default)]
    language_info: Info,
}

#[derive(Default, Deserialize)]
struct Kernel {
    language: Option<String>,
}

#[derive(Default, Deserialize)]
struct Info {
    name: Option<String>,
}

/// A notebook of format 4. Cells of other languages than Python leave it unchecked.
pub(crate) fn check(text: &str, setting: &Setting<'_>) -> Outcome {
    match json::check(text, setting) {
        Outcome::Valid => {}
        other => return other,
    }
    let Ok(notebook) = serde_json::from_str::<Notebook<'_>>(text) else {
        return Outcome::Unchecked(Reason::UnknownLanguage);
    };
    let Metadata { kernelspec, language_info } = notebook.metadata;
    let language = kernelspec.language.or(language_info.name).unwrap_or("python".to_owned());
    if !matches!(&*language.to_ascii_lowercase(), "python" | "ipython" | "python3") {
        return Outcome::Unchecked(Reason::UnknownLanguage);
    }
    let mut findings = Vec::new();
    for cell in notebook.cells.iter().filter(|cell| cell.cell_type == "code") {
        let Ok(source) = serde_json::from_str::<Source>(cell.source.get()) else {
            return Outcome::Unchecked(Reason::UnknownLanguage);
        };
        let code = match source {
            Source::Lines(lines) => lines.concat(),
            Source::Whole(code) => code,
        };
        if !is_python(&code) {
            continue;
        }
        match python::check_cell(&dedented(&code), setting) {
            Outcome::Valid => {}
            Outcome::Invalid(found) => {
                let position = CellPosition { text, raw: cell.source.get(), code: &code };
                findings.extend(found.into_iter().map(|it| position.of(it)));
            }
            unchecked @ Outcome::Unchecked(_) => return unchecked,
        }
    }
    Outcome::of(findings)
}

/// Whether a cell is not for a magic command, and not copied with the prompts of a session.
fn is_python(code: &str) -> bool {
    let start = code.trim_start();
    !["%%", ">>>", "In ["].iter().any(|it| start.starts_with(it))
}

/// A cell without the indentation of its first line, which IPython removes from every line.
fn dedented(code: &str) -> String {
    let first = code.lines().find(|line| !line.trim().is_empty()).unwrap_or_default();
    let indent = &first[..first.len() - first.trim_start_matches([' ', '\t']).len()];
    if indent.is_empty() {
        return code.to_owned();
    }
    let lines = code.split_inclusive('\n');
    lines.map(|line| line.strip_prefix(indent).unwrap_or(line)).collect()
}

/// Where a cell is.
struct CellPosition<'a> {
    text: &'a str,
    /// Its JSON, a part of the text.
    raw: &'a str,
    code: &'a str,
}

impl CellPosition<'_> {
    /// A finding of the cell, in the text.
    fn of(&self, found: Finding) -> Finding {
        let removed = self.code.len() - dedented(self.code).len();
        // Only a cell that is indented as a whole is not known exactly.
        let Range { start, end } = if removed > 0 { 0..0 } else { found.range.clone() };
        Finding { range: self.offset(start)..self.offset(end), ..found }
    }

    /// The offset in the text of an offset in the code.
    fn offset(&self, wanted: usize) -> usize {
        let base = self.raw.as_ptr() as usize - self.text.as_ptr() as usize;
        let (mut decoded, mut is_in_string) = (0, false);
        let mut characters = self.raw.char_indices();
        while let Some((at, character)) = characters.next() {
            match character {
                '"' => is_in_string = !is_in_string,
                _ if !is_in_string => {}
                _ if decoded >= wanted => return base + at,
                '\\' => {
                    let is_number = characters.next().is_some_and(|(_, it)| it == 'u');
                    decoded +=
                        if is_number { utf8_length(self.raw.get(at + 2..at + 6)) } else { 1 };
                    if is_number {
                        characters.nth(3);
                    }
                }
                it => decoded += it.len_utf8(),
            }
        }
        base + self.raw.trim_end_matches(['"', ']', ' ', '\n', '\r', '\t']).len()
    }
}

/// Bytes of the character of an escape; of the second half of a pair, none.
fn utf8_length(digits: Option<&str>) -> usize {
    match digits.and_then(|it| u32::from_str_radix(it, 16).ok()).unwrap_or(0) {
        0..0x80 => 1,
        0x80..0x800 => 2,
        0xD800..0xDC00 => 4,
        0xDC00..0xE000 => 0,
        _ => 3,
    }
}
