//! Lines of source files that an output points at, and whether they are the project's own.

use regex::Captures;

use crate::constants::{ConstPattern, ConstPatterns};

/// A file, and the line in it where the output says which.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct SourceLine {
    pub(super) path: String,
    pub(super) line: Option<u32>,
}

/// Files of languages, their libraries and runners: no code of the project.
static FOREIGN: ConstPatterns = ConstPatterns::new(&[
    r"(?:^|/)(?:site-packages|dist-packages|node_modules|\.?venv|\.tox|\.nox|\.cargo|\.rustup|\.yarn|\.gem|gems|\.rbenv|\.pyenv|\.nvm|\.m2|\.gradle|\.deno|jsr\.io|deno\.land)/",
    r"^/(?:usr/(?:lib|lib64|share|include|bin|local/(?:lib|share|go|cargo|include|bin|Cellar))|opt/(?:homebrew|hostedtoolcache|python|conda)|lib|lib64|nix|rustc|System|Library|snap|proc|dev)/",
    r"/(?:lib/python\d|pkg/mod/|go/src/|rustlib/|library/(?:std|core|alloc|test)/src/|vendor/(?:bundle|phpunit|composer|symfony|\w+/\w+/src)/)",
    r"^(?:node:|internal/|bun:|deno:|ext:|native:|wasm:|webpack:|https?:|jar:|java\.base|jdk\.|vendor/)",
    r"^<|[<>*?\x00]|^(?:runtime|testing|src/runtime|src/testing)/\w+\.go$|^_testmain\.go$|^(?:testing|runtime|panic)\.go$|^Test\.(?:More|pm)",
]);

/// A place as most tools write it: `a/b.py:3`, `a.ts(3,5)`, `"a.py", line 3`.
static PLACE: ConstPattern = ConstPattern::new(
    r#"(?:^|[\s("'`\[❯@])((?:file://)?(?:[A-Za-z]:)?[^\s"'`()\[\]:,<>]*[^\s"'`()\[\]:,<>/]\.\w+)(?:(?:["']?,? line |:)(\d+)|\((\d+)(?:,\d+)?\):)"#,
);

static CODE: ConstPattern = ConstPattern::new(r"^[\s│]*[>❱]?\s*\d* ?[|│:] |^\s*\d+\| ");

impl SourceLine {
    /// The line in a file, if it is the project's own.
    pub(super) fn new(path: &str, line: &str) -> Option<Self> {
        let line = line.parse().ok().filter(|line| *line > 0)?;
        Some(Self { line: Some(line), ..Self::file(path)? })
    }

    /// The file, if it is the project's own.
    pub(super) fn file(path: &str) -> Option<Self> {
        let path = path.strip_prefix("file://").unwrap_or(path);
        let mut path = path.strip_prefix("./").unwrap_or(path);
        while let Some(rest) = path.strip_prefix("./") {
            path = rest;
        }
        let is_own = !path.is_empty() && path.len() < 1_000 && !FOREIGN.is_match(path);
        is_own.then(|| Self { path: path.to_owned(), line: None })
    }

    /// The same, where a pattern's first two groups are the file and the line.
    pub(super) fn captured(pattern: &ConstPattern, line: &str) -> Option<Self> {
        let parts = pattern.captures(line)?;
        Self::new(parts.get(1)?.as_str(), parts.get(2)?.as_str())
    }

    /// The first frame `at …` in the project's own code.
    pub(super) fn framed(lines: &[&str]) -> Option<Self> {
        lines.iter().filter(|line| is_frame(line)).find_map(|line| Self::within(line))
    }

    /// The first place in the project's own code that a line of output names.
    pub(super) fn within(text: &str) -> Option<Self> {
        let line = |parts: &Captures<'_>| {
            Self::new(&parts[1], parts.get(2).or_else(|| parts.get(3))?.as_str())
        };
        PLACE.captures_iter(text).find_map(|parts| line(&parts))
    }

    /// The same, of a line that is not the source which runners show.
    pub(super) fn beside_code(text: &str) -> Option<Self> {
        if CODE.is_match(text) { None } else { Self::within(text) }
    }
}

/// Whether a line is a frame as the runners of JavaScript, Java and Rust write them.
pub(super) fn is_frame(line: &str) -> bool {
    line.trim_start().starts_with("at ")
}

#[cfg(test)]
mod tests {
    use super::SourceLine;

    #[test]
    fn places_in_the_projects_own_code_are_found_and_others_are_not() {
        for (text, path, line) in [
            ("    at Object.toBe (a.test.js:1:54)", "a.test.js", 1),
            ("    at file:///srv/p/a.mjs:4:5", "/srv/p/a.mjs", 4),
            (" ❯ vt/sum.test.ts:3:39", "vt/sum.test.ts", 3),
            ("  File \"/srv/p/a.py\", line 7, in f", "/srv/p/a.py", 7),
            ("\t/srv/project/shop_test.go:8 +0x25", "/srv/project/shop_test.go", 8),
            ("./src/a.ts(3,5): error", "src/a.ts", 3),
            (" --> crates/a/src/lib.rs:5:5", "crates/a/src/lib.rs", 5),
        ] {
            let found = SourceLine::within(text).unwrap_or_else(|| panic!("{text}"));
            assert_eq!((found.path.as_str(), found.line), (path, Some(line)), "{text}");
        }
        for text in [
            "at Runtime (node_modules/jest-runtime/build/index.js:1:2)",
            "at node:internal/modules/cjs/loader:1:2",
            "\t/usr/local/go/src/testing/testing.go:2195 +0xea",
            "File \"/srv/venv/lib/python3.13/site-packages/a.py\", line 3",
            "File \"<frozen importlib._bootstrap>\", line 3",
            "/rustc/5980/library/std/src/panicking.rs:689:5",
            "took 3:4 or http://a.example:80",
        ] {
            assert_eq!(SourceLine::within(text), None, "{text}");
        }
    }
}
