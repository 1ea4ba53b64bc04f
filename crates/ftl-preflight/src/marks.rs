//! Files that are something else than their name says: in another format, or templates that a tool
//! renders before the language's front end reads them.
//!
//! One rule serves every language: a file that fails *and* has such marks is unchecked, since no
//! front end reads it as it is. A mark in the middle of a file that is broken elsewhere says nothing
//! (a string of Python may hold a template), so it has to be where the file begins or where it fails.

use std::path::Path;

use crate::{Diagnostic, Language, Reason};

/// What else files of a suffix are, by their first bytes.
const FORMATS: &[(&[u8], &[Language], &str)] = &[
    // Translations of Qt Linguist (`.ts`), tilesets of Tiled (`.tsx`).
    (b"<?xml", &[Language::TypeScript, Language::Tsx], "XML"),
    (b"<!DOCTYPE TS", &[Language::TypeScript], "XML"),
    // Scripts of Adobe's programs, in the dialect ExtendScript.
    (b"#target", &[Language::JavaScript, Language::Jsx], "ExtendScript"),
    (b"#include", &[Language::JavaScript, Language::Jsx], "ExtendScript"),
    (b"#pragma", &[Language::Rust], "RenderScript"),
    // Jekyll renders every file that begins so.
    (b"---\n", &[Language::JavaScript, Language::Json, Language::Xml], "a page with front matter"),
    (b"#!/usr/bin/env python2", &[Language::Python], "Python 2"),
    (b"#!/usr/bin/python2", &[Language::Python], "Python 2"),
];

/// Bytes in which git, too, looks for a NUL to tell binary files from text.
const START: usize = 8000;

/// Lines between a template's mark and the place where the parser stumbles, at most.
const NEAR: usize = 1;

/// Why a file that was refused is unchecked instead, if its content says so.
pub(crate) fn reason(
    path: &Path,
    language: Language,
    bytes: &[u8],
    found: &[Diagnostic],
) -> Option<Reason> {
    let of_language = FORMATS.iter().filter(|(_, languages, _)| languages.contains(&language));
    let text = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes).trim_ascii_start();
    let format = of_language.into_iter().find(|(start, ..)| text.starts_with(start));
    if let Some((.., name)) = format {
        return Some(Reason::OtherFormat(name));
    }
    if is_binary(&bytes[..bytes.len().min(START)]) {
        return Some(Reason::OtherFormat("binary data"));
    }
    let failing_line = found.first()?.line;
    is_template(path, language, &String::from_utf8_lossy(bytes), failing_line)
        .then_some(Reason::Template)
}

/// Whether there is a NUL and what no text has beside it: one stray NUL is an error of syntax, and
/// UTF-16 is text.
fn is_binary(start: &[u8]) -> bool {
    let is_control = |byte: &u8| matches!(byte, 1..=8 | 14..=26 | 28..=31);
    let is_utf16 = start.starts_with(b"\xFF\xFE") || start.starts_with(b"\xFE\xFF");
    start.contains(&0) && !is_utf16 && start.iter().any(is_control)
}

fn is_template(path: &Path, language: Language, text: &str, failing_line: usize) -> bool {
    // Generators (cookiecutter, copier, Helm's starters) name directories by their variables.
    let is_generated = path.to_string_lossy().contains("{{");
    text.lines().zip(1_usize..).any(|(line, number)| {
        let Some(at) = mark(line, language) else { return false };
        let is_first = text.trim_start().starts_with(&line[at..]);
        let is_near = number.abs_diff(failing_line) <= NEAR;
        // YAML fails far behind the mark, where the indentation no longer fits. In quotes, playbooks
        // have marks that are YAML.
        let is_bare = line[..at].matches(['"', '\'']).count() % 2 == 0;
        is_near || is_first || is_generated || (language == Language::Yaml && is_bare)
    })
}

/// The first mark of a template in a line: `{% … %}`, `{# … #}`, `{{ … }}` (Jinja, Go, Handlebars),
/// `<% … %>` (ERB, EJS), and in JSON `${…}` (Terraform, shells).
fn mark(line: &str, language: Language) -> Option<usize> {
    let closed = |open: &str, close: &str| {
        line.find(open).filter(|&at| line[at + open.len()..].contains(close))
    };
    let is_json = matches!(language, Language::Json | Language::Json5 | Language::Jsonc);
    let marks = [
        closed("{%", "%}"),
        closed("{#", "#}"),
        line.find("<%").filter(|&at| !line[at + 2..].starts_with(char::is_alphanumeric)),
        line.match_indices("{{").map(|(at, _)| at).find(|&at| is_expression(line, at)),
        if is_json { closed("${", "}") } else { None },
    ];
    marks.into_iter().flatten().min()
}

/// Whether `{{` begins what a template fills in: neither GitHub's `${{`, which is text to YAML, nor an
/// object in an attribute of JSX (`style={{ flex: 1 }}`).
fn is_expression(line: &str, at: usize) -> bool {
    let content = &line[at + 2..];
    // Trimmed on the left, or a comment: may go on over lines.
    if content.starts_with(['-', '~']) || content.starts_with("/*") {
        return true;
    }
    let Some((content, _)) = content.split_once("}}") else { return false };
    let content = content.trim_start_matches([' ', '#', '/', '^', '&', '>', '{']);
    let word = content.trim_start_matches(|it: char| it.is_alphanumeric() || "_.$".contains(it));
    let is_named = word.len() < content.len() && !content.starts_with("...");
    is_named && !line[..at].ends_with('$') && !word.trim_start().starts_with([':', ','])
}

#[cfg(test)]
mod tests {
    use super::mark;
    use crate::Language;

    #[test]
    fn marks_of_templates_are_distinguished_from_code() {
        let marks = [
            "import {{ cookiecutter.name }}",
            "{%- if cookiecutter.use == 'y' %}",
            "  <%= name %>",
            "{{- range .Values.hosts }}",
            "{{#each items}}",
            "name: {{ .Values.name | quote }}",
        ];
        for line in marks {
            assert!(mark(line, Language::Python).is_some(), "{line}");
        }
        let code = [
            "runs-on: ${{ matrix.os }}",
            "<View style={{ flex: 1 }} />",
            "<View style={{ ...props.style, a }} />",
            "f\"{{}}\"",
            "x = a % {b}",
            "if (a <b) {{",
            "`${name}`",
        ];
        for line in code {
            assert_eq!(mark(line, Language::Jsx), None, "{line}");
        }
        assert_eq!(mark("{\"memory\": ${memory}}", Language::Json), Some(11));
    }
}
