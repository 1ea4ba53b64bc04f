//! What the planner shows of a source file, by rules made for Python and applied to every text: the
//! lines shown, the names they export, the file's imports.
//!
//! These are not a parser's answers but string operations. The description of the plan format gives
//! them by Python's methods (`str.strip`, `str.split`, `str.isidentifier`), so these are followed
//! to the letter, and `tests/plan_oracle.py`, a second reading of that description, has to come to
//! the same bytes. Where a rule looks odd (`a == b` exports `a`), it is odd there too.

use std::borrow::Cow;

use ftl_model::CodeContext;

/// Lines shown of a file when no target is given.
const WINDOW: usize = 60;
/// Lines shown of the beginning of a file when a target is given.
const HEAD: usize = 15;
/// Lines shown before a target.
const LEAD: i64 = 5;
/// Lines shown behind a target.
const TRAIL: i64 = 10;
/// Lines of a file in which imports are looked for.
const IMPORT_REACH: usize = 30;

/// Which lines of a file a code context shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Window {
    /// The first 60.
    Beginning,
    /// The first 15.
    Head,
    /// The first 15, and those around a target from one line to another.
    Around(i64, i64),
}

impl Window {
    /// The window of a target `a-b`; a target without `-` shows the head alone.
    ///
    /// `None` when `a` and `b` are not two integers.
    pub fn of_target(target: &str) -> Option<Self> {
        let Some((start, end)) = target.split_once('-') else {
            return Some(Self::Head);
        };
        let line = |text: &str| crate::lower::integer(text);
        Some(Self::Around(line(start)?, line(end)?))
    }
}

/// The code context of a file: `path` as it is to be written, `text` the whole file.
pub fn code_context(path: &str, text: &str, window: Window) -> CodeContext {
    let text = unix_lines(text);
    let lines: Vec<&str> = text.split('\n').collect();
    let (shown, ranges) = show(&lines, window);
    let imports: Vec<&str> = lines
        .iter()
        .take(IMPORT_REACH)
        .filter(|line| line.starts_with("import ") || line.starts_with("from "))
        .map(|line| strip(line))
        .collect();
    CodeContext {
        path: Some(path.to_owned()),
        lines: Some(ranges),
        exports: exports(shown.iter().map(AsRef::as_ref)).join(", "),
        content: shown.join("\n"),
        imports: imports.join("\n"),
    }
}

/// Line ends as a text file is read in Python, and as XML keeps them: LF.
fn unix_lines(text: &str) -> Cow<'_, str> {
    if text.contains('\r') {
        Cow::Owned(text.replace("\r\n", "\n").replace('\r', "\n"))
    } else {
        Cow::Borrowed(text)
    }
}

fn show<'a>(lines: &[&'a str], window: Window) -> (Vec<Cow<'a, str>>, String) {
    let borrowed = |lines: &[&'a str]| lines.iter().map(|&line| Cow::Borrowed(line)).collect();
    let total = lines.len();
    let head = total.min(HEAD);
    match window {
        Window::Beginning => {
            let count = total.min(WINDOW);
            (borrowed(&lines[..count]), format!("1-{count}"))
        }
        Window::Head => (borrowed(&lines[..head]), format!("1-{head}")),
        Window::Around(first, last) => {
            let bound = |n: usize| i64::try_from(n).unwrap_or(i64::MAX);
            // A target may be any two integers, also backwards or beyond the file. The slice is
            // then empty, and the range that is printed says what was asked for.
            let start = first.saturating_sub(LEAD).max(bound(head));
            let end = last.saturating_add(TRAIL).min(bound(total));
            let mut shown: Vec<Cow<'a, str>> = borrowed(&lines[..head]);
            if start > bound(head) {
                let omitted = format!("# ... lines {}-{} omitted ...", head + 1, start - 1);
                shown.push(Cow::Owned(omitted));
            }
            shown.extend(borrowed(slice(lines, start, end)) as Vec<_>);
            (shown, format!("1-{head},{}-{end}", start.saturating_add(1)))
        }
    }
}

/// `lines[start..end]`, empty where the range is.
fn slice<'l, 'a>(lines: &'l [&'a str], start: i64, end: i64) -> &'l [&'a str] {
    let start = usize::try_from(start).unwrap_or(0).min(lines.len());
    let end = usize::try_from(end).unwrap_or(0).min(lines.len());
    lines.get(start..end).unwrap_or_default()
}

/// The names that lines define at module level: `f()` of a function, bare names of classes and
/// variables.
pub fn exports<'a>(lines: impl IntoIterator<Item = &'a str>) -> Vec<String> {
    lines.into_iter().filter_map(export).collect()
}

fn export(line: &str) -> Option<String> {
    let until = |text: &'_ str, end: char| text.split(end).next().unwrap_or_default().to_owned();
    if line.starts_with("def ") {
        // `str.replace` replaces everywhere, so it does here.
        let name = until(line, '(').replace("def ", "");
        return Some(format!("{}()", strip(&name)));
    }
    if line.starts_with("class ") {
        let name = until(&until(line, '('), ':').replace("class ", "");
        return Some(strip(&name).to_owned());
    }
    // Module level only. A tab does not count as indentation here.
    if line.starts_with([' ', '#']) {
        return None;
    }
    let (name, _) = line.split_once('=')?;
    let name = strip(name);
    is_identifier(name).then(|| name.to_owned())
}

/// Python's `str.strip`: Unicode white space, and four separators that Python counts as such.
pub(crate) fn strip(text: &str) -> &str {
    text.trim_matches(|c: char| c.is_whitespace() || matches!(c, '\u{1C}'..='\u{1F}'))
}

fn is_identifier(name: &str) -> bool {
    let mut chars = name.chars();
    chars.next().is_some_and(|c| c == '_' || unicode_ident::is_xid_start(c))
        && chars.all(unicode_ident::is_xid_continue)
}

#[cfg(test)]
mod tests {
    use super::{Window, code_context, exports};

    fn numbered(count: usize) -> String {
        let lines: Vec<String> = (1..=count).map(|n| format!("line {n}")).collect();
        lines.join("\n")
    }

    #[test]
    fn windows_are_reckoned_in_lines() {
        let cases = [
            (3, Window::Beginning, "1-3", 3),
            (60, Window::Beginning, "1-60", 60),
            (61, Window::Beginning, "1-60", 60),
            (3, Window::Head, "1-3", 3),
            (40, Window::Head, "1-15", 15),
            (200, Window::Around(45, 80), "1-15,41-90", 15 + 1 + 50),
            (200, Window::Around(18, 19), "1-15,16-29", 15 + 14),
            (50, Window::Around(45, 80), "1-15,41-50", 15 + 1 + 10),
            (50, Window::Around(90, 95), "1-15,86-50", 15 + 1),
            (5, Window::Around(1, 2), "1-5,6-5", 5),
            (200, Window::Around(i64::MIN, i64::MAX), "1-15,16-200", 200),
        ];
        for (count, window, lines, shown) in cases {
            let context = code_context("a.py", &numbered(count), window);
            assert_eq!(context.lines.as_deref(), Some(lines), "{window:?}");
            assert_eq!(context.content.split('\n').count(), shown, "{window:?}");
        }
    }

    #[test]
    fn the_gap_before_a_target_is_named() {
        let context = code_context("a.py", &numbered(200), Window::Around(45, 80));
        let gap = "line 15\n# ... lines 16-39 omitted ...\nline 41\n";
        assert!(context.content.contains(gap), "{}", context.content);
    }

    #[test]
    fn a_target_is_two_integers_or_none() {
        for (target, window) in [
            ("45-80", Some(Window::Around(45, 80))),
            (" 45 - 80 ", Some(Window::Around(45, 80))),
            ("", Some(Window::Head)),
            ("whole", Some(Window::Head)),
            ("a-b", None),
            ("1-2-3", None),
            ("-5", None),
        ] {
            assert_eq!(Window::of_target(target), window, "{target}");
        }
    }

    #[test]
    fn exports_are_functions_classes_and_plain_variables() {
        let lines = [
            "def f(a, b):",
            "def  spaced (x):",
            "    def method(self):",
            "async def g():",
            "class A:",
            "class B(A):",
            "LIMIT = 3",
            "größe=1",
            "x == 1",
            "a.b = 1",
            "a, b = 1, 2",
            "typed: int = 3",
            "# c = 1",
            " d = 1",
            "if x == 1:",
        ];
        let expected = ["f()", "spaced()", "A", "B", "LIMIT", "größe", "x"];
        assert_eq!(exports(lines), expected);
    }

    #[test]
    fn imports_are_those_near_the_beginning() {
        let text =
            format!("import os\r\nfrom a import b  \r\n import c\n{}import late", "\n".repeat(40));
        let context = code_context("a.py", &text, Window::Beginning);
        assert_eq!(context.imports, "import os\nfrom a import b");
    }
}
