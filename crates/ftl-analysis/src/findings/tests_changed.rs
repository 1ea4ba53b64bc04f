//! Changed files that decide what the verify checks: an implementer who edits them can make any test
//! pass. By name alone; what changed in them is not read.

/// Files that say how tests are run, by name.
const CONFIGURATIONS: [&str; 12] = [
    "conftest.py",
    "pytest.ini",
    ".pytest.ini",
    "pytest.toml",
    "tox.ini",
    "noxfile.py",
    "setup.cfg",
    "pyproject.toml",
    "package.json",
    "nextest.toml",
    "phpunit.xml",
    ".rspec",
];

/// Beginnings of such names, whatever language the file is in.
const CONFIGURATION_STEMS: [&str; 6] = [
    "jest.config.",
    "vitest.config.",
    "vite.config.",
    "playwright.config.",
    "karma.conf.",
    ".mocharc.",
];

/// Those of the `changed` paths that decide what the verify checks: the test that the task names,
/// and files that say how tests are run. Paths are normalised, below the root.
pub fn changed_tests<'a>(
    verify_source: Option<&str>,
    changed: impl IntoIterator<Item = &'a str>,
) -> Vec<&'a str> {
    let decides = |path: &&str| verify_source == Some(*path) || is_configuration(path);
    changed.into_iter().filter(decides).collect()
}

fn is_configuration(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    CONFIGURATIONS.contains(&name) || CONFIGURATION_STEMS.iter().any(|stem| name.starts_with(stem))
}

#[cfg(test)]
mod tests {
    use super::changed_tests;

    #[test]
    fn the_named_test_and_configurations_decide() {
        let changed = [
            "src/a.py",
            "tests/test_a.py",
            "tests/test_b.py",
            "tests/conftest.py",
            "web/jest.config.mjs",
            "package.json",
            "my.package.json",
        ];
        assert_eq!(
            changed_tests(Some("tests/test_a.py"), changed),
            ["tests/test_a.py", "tests/conftest.py", "web/jest.config.mjs", "package.json"]
        );
        assert_eq!(changed_tests(None, ["tests/test_a.py"]), [""; 0]);
    }
}
