//! Which files are about tests, by the conventions of the languages' own runners.

/// Files that say how tests are run, by name.
const CONFIGURATIONS: [&str; 26] = [
    "conftest.py",
    "pytest.ini",
    ".pytest.ini",
    "pytest.toml",
    ".pytest.toml",
    "tox.ini",
    "noxfile.py",
    "nextest.toml",
    "phpunit.xml",
    "phpunit.xml.dist",
    ".rspec",
    "Rakefile",
    ".taprc",
    ".nycrc",
    ".npmrc",
    "build.rs",
    "Makefile",
    "makefile",
    "GNUmakefile",
    "justfile",
    "Justfile",
    ".justfile",
    "Taskfile.yml",
    "Taskfile.yaml",
    "CTestTestfile.cmake",
    "karma.conf.js",
];

/// Beginnings of such names, in every language.
const CONFIGURATION_STEMS: [&str; 9] = [
    "jest.config.",
    "jest.setup.",
    "vitest.config.",
    "vitest.workspace.",
    "playwright.config.",
    "karma.conf.",
    "ava.config.",
    "cypress.config.",
    ".mocharc.",
];

/// Such files by the end of their path.
const CONFIGURATION_PATHS: [&str; 2] = [".cargo/config.toml", ".cargo/config"];

/// Directories with tests, their data and their snapshots.
const DIRECTORIES: [&str; 10] = [
    "tests",
    "test",
    "__tests__",
    "spec",
    "testdata",
    "__snapshots__",
    "__mocks__",
    "__fixtures__",
    "e2e",
    "goldens",
];

/// Endings of snapshots.
const SNAPSHOTS: [&str; 5] = ["snap", "ambr", "golden", "approved", "verified"];

/// Endings of code in whose names the first or last word says that it is a test.
const CODE: [&str; 34] = [
    "rb", "java", "kt", "kts", "scala", "groovy", "php", "cs", "fs", "vb", "swift", "c", "cc",
    "cpp", "cxx", "h", "hpp", "m", "mm", "ex", "exs", "erl", "clj", "dart", "lua", "pl", "sh",
    "bash", "hs", "ml", "zig", "cr", "jl", "r",
];

/// Whether a path names a test file: pytest's, jest's and vitest's, go test's, cargo's. No other file imports from it.
#[must_use]
pub fn is_test_file(path: &str) -> bool {
    let (directory, stem, ending) = parts(path);
    let is_in = |wanted: &str| directory.split('/').any(|part| part == wanted);
    match ending {
        "py" | "pyi" => stem.starts_with("test_") || stem.ends_with("_test") || stem == "conftest",
        "go" => stem.ends_with("_test"),
        "rs" => is_in("tests") || matches!(stem, "tests" | "test"),
        "js" | "jsx" | "mjs" | "cjs" | "ts" | "tsx" | "mts" | "cts" => {
            stem.ends_with(".test") || stem.ends_with(".spec") || is_in("__tests__")
        }
        _ => false,
    }
}

/// Whether a file is about tests alone: a test, its data, its helpers, or how tests are run.
#[must_use]
pub fn is_about_tests(path: &str) -> bool {
    let (directory, stem, ending) = parts(path);
    is_test_file(path)
        || directory.split('/').any(|part| DIRECTORIES.contains(&part))
        || is_test_configuration(path)
        || SNAPSHOTS.contains(&ending)
        || says_test(stem, ending)
}

/// Whether a file says how tests are run, and a runner finds it by its name.
#[must_use]
pub fn is_test_configuration(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    CONFIGURATIONS.contains(&name)
        || CONFIGURATION_STEMS.iter().any(|stem| name.starts_with(stem))
        || CONFIGURATION_PATHS.iter().any(|end| {
            path.strip_suffix(end).is_some_and(|rest| rest.is_empty() || rest.ends_with('/'))
        })
}

fn says_test(stem: &str, ending: &str) -> bool {
    let is_word = |word: &str| matches!(word, "test" | "tests");
    match ending {
        "py" | "js" | "jsx" | "mjs" | "cjs" | "ts" | "tsx" | "mts" | "cts" => {
            let last = stem.rsplit(['-', '_', '.']).next().unwrap_or(stem);
            is_word(last) || stem.starts_with("test-")
        }
        "rs" => stem.ends_with("_test") || stem.ends_with("_tests"),
        "bats" | "t" => true,
        _ if CODE.contains(&ending) => {
            let is_test = |word: &str| is_word(word) || word == "spec";
            let words = words(stem);
            [words.first(), words.last()].into_iter().flatten().any(|word| is_test(word))
        }
        _ => false,
    }
}

/// The words of `HTTPServerTest`, `http_server-test`, in lower case.
fn words(stem: &str) -> Vec<String> {
    let mut words: Vec<String> = vec![String::new()];
    let mut was_lower = false;
    for at in stem.chars() {
        if !at.is_alphanumeric() || (at.is_uppercase() && was_lower) {
            words.push(String::new());
        }
        was_lower = at.is_lowercase() || at.is_numeric();
        if let Some(last) = words.last_mut().filter(|_| at.is_alphanumeric()) {
            last.extend(at.to_lowercase());
        }
    }
    words.retain(|word| !word.is_empty());
    words
}

fn parts(path: &str) -> (&str, &str, &str) {
    let (directory, name) = path.rsplit_once('/').unwrap_or(("", path));
    let (stem, ending) = name.rsplit_once('.').unwrap_or((name, ""));
    (directory, stem, ending)
}

#[cfg(test)]
mod tests {
    use super::{is_about_tests, is_test_file};

    #[test]
    fn test_files_are_recognised_by_name() {
        for path in [
            "tests/test_a.py",
            "a_test.py",
            "conftest.py",
            "src/a.test.ts",
            "src/a.spec.jsx",
            "src/__tests__/a.js",
            "a_test.go",
            "tests/a.rs",
            "src/tests.rs",
        ] {
            assert!(is_test_file(path), "{path}");
            assert!(is_about_tests(path), "{path}");
        }
        for path in ["tests/helper.py", "testing.py", "src/latest.ts", "src/a.go", "src/test_a.rs"]
        {
            assert!(!is_test_file(path), "{path}");
        }
    }

    #[test]
    fn data_helpers_and_configurations_are_about_tests() {
        for path in [
            "tests/helper.py",
            "tests/__init__.py",
            "a/testdata/in.json",
            "src/__snapshots__/a.test.ts.snap",
            "web/jest.config.mjs",
            "Makefile",
            "build.rs",
            ".cargo/config.toml",
            "a/.npmrc",
            "spec/models/user.rb",
            "lib/user_spec.rb",
            "src/UserTest.java",
            "src/HTTPServerTests.swift",
            "app/tests.py",
            "test.js",
            "run-tests.sh",
            "a.bats",
        ] {
            assert!(is_about_tests(path), "{path}");
        }
        for path in [
            "src/contest.py",
            "src/latest.ts",
            "src/Contest.java",
            "src/spectrum.rb",
            "openapi.spec.json",
            "package.json",
            "src/a.rs",
            "docs/testing.md",
            "attest.go",
            "my.Makefile",
        ] {
            assert!(!is_about_tests(path), "{path}");
        }
    }
}
