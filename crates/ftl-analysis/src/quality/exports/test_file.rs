//! Which files hold tests, by the conventions of the languages' own runners. No other file imports from them.

/// Whether a path names a test file: pytest's, jest's and vitest's, go test's, cargo's.
pub(in crate::quality) fn is_test_file(path: &str) -> bool {
    let (directory, name) = path.rsplit_once('/').unwrap_or(("", path));
    let (stem, ending) = name.rsplit_once('.').unwrap_or((name, ""));
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

#[cfg(test)]
mod tests {
    use super::is_test_file;

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
        }
        for path in ["tests/helper.py", "testing.py", "src/latest.ts", "src/a.go", "src/test_a.rs"]
        {
            assert!(!is_test_file(path), "{path}");
        }
    }
}
