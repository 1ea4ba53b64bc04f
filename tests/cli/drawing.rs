//! Screens of a terminal as drawings for the documentation.

use std::fmt::Write as _;
use std::fs;

use ftl_testkit::root;
use vt100::{Color, Screen};

/// Pixels of a character.
const CELL: (f64, f64) = (8.4, 19.0);
const EDGE: f64 = 12.0;
const FONT: &str =
    "font-family=\"ui-monospace, Menlo, Consolas, 'DejaVu Sans Mono', monospace\" font-size=\"14\"";

/// A screen as SVG: `text` is what it shows, line by line, and the screen says in which colours.
pub(super) fn svg(screen: &Screen, text: &str, columns: u16) -> String {
    let title = format!("A build at {columns} columns");
    let body = format!("<g {FONT}>\n{}</g>\n", words(screen, text));
    framed(&title, columns, text.lines().count(), &body)
}

/// A picture that goes from one drawing to another, and to and fro; still, it is the last.
pub(super) fn moving(title: &str, columns: u16, [first, last]: &[Drawing; 2]) -> String {
    let lines = first.lines.max(last.lines);
    let body = format!(
        "<style>.first{{opacity:0;animation:first 9s infinite}}.last{{animation:last 9s infinite}}\n\
         @keyframes first{{0%,39%{{opacity:1}}40%,100%{{opacity:0}}}}\n\
         @keyframes last{{0%,39%{{opacity:0}}40%,100%{{opacity:1}}}}\n\
         @media (prefers-reduced-motion:reduce){{.first,.last{{animation:none}}}}</style>\n\
         <g class=\"first\" {FONT}>\n{}</g>\n<g class=\"last\" {FONT}>\n{}</g>\n",
        first.words, last.words,
    );
    framed(title, columns, lines, &body)
}

/// What a screen shows, to be put into a picture.
pub(super) struct Drawing {
    words: String,
    lines: usize,
}

impl Drawing {
    /// As [`svg`] takes them.
    pub(super) fn of(screen: &Screen, text: &str) -> Self {
        Self { words: words(screen, text), lines: text.lines().count() }
    }
}

/// Writes a picture of the docs if it differs, and says whether it did.
pub(super) fn redrawn(name: &str, picture: &str) -> bool {
    let path = root().join("docs/screens").join(name);
    let is_stale = fs::read_to_string(&path).unwrap_or_default() != picture;
    if is_stale {
        fs::write(&path, picture).unwrap();
    }
    is_stale
}

fn framed(title: &str, columns: u16, lines: usize, body: &str) -> String {
    let width = f64::from(columns) * CELL.0 + 2.0 * EDGE;
    let rows = u16::try_from(lines).unwrap();
    let height = f64::from(rows) * CELL.1 + 2.0 * EDGE;
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width:.0}\" height=\"{height:.0}\" \
         viewBox=\"0 0 {width:.0} {height:.0}\" role=\"img\" aria-label=\"{title}\">\n\
         <rect width=\"100%\" height=\"100%\" rx=\"6\" fill=\"#16181d\"/>\n{body}</svg>\n"
    )
}

/// Every word of the text at its place.
fn words(screen: &Screen, text: &str) -> String {
    let mut svg = String::new();
    for (row, line) in (0..).zip(text.lines()) {
        let y = EDGE + CELL.1 * (f64::from(row) + 0.75);
        for (column, part, colour) in runs(screen, row, line) {
            let (x, long) = (
                EDGE + CELL.0 * f64::from(column),
                CELL.0 * f64::from(u16::try_from(part.chars().count()).unwrap()),
            );
            let part = part.replace('&', "&amp;").replace('<', "&lt;");
            writeln!(
                svg,
                "<text x=\"{x:.1}\" y=\"{y:.1}\" textLength=\"{long:.1}\" fill=\"{colour}\">{part}</text>"
            )
            .unwrap();
        }
    }
    svg
}

/// The words of a line, in parts of one colour, each with the column where it begins.
fn runs(screen: &Screen, row: u16, line: &str) -> Vec<(u16, String, &'static str)> {
    let mut runs: Vec<(u16, String, &'static str)> = Vec::new();
    for (column, char) in (0..).zip(line.chars()) {
        let colour =
            screen.cell(row, column).map_or("#d7dae0", |cell| match (cell.fgcolor(), cell.dim()) {
                (Color::Idx(1 | 9), _) => "#f07178",
                (Color::Idx(2 | 10), _) => "#a5d46a",
                (Color::Idx(3 | 11), _) => "#ffcb6b",
                (Color::Idx(4 | 6 | 12 | 14), _) => "#82aaff",
                (_, true) => "#8b919e",
                _ => "#d7dae0",
            });
        match runs.last_mut() {
            // Readers of SVG take several blanks for one, so that each word has its own place.
            Some((_, part, last)) if *last == colour && char != ' ' && part != " " => {
                part.push(char);
            }
            _ => runs.push((column, char.to_string(), colour)),
        }
    }
    runs.retain(|(_, part, _)| !part.trim().is_empty());
    runs
}
