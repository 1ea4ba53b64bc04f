//! What of a file with `[sections]` defines tests: TOML and INI alike, by whole sections.

/// Of `Cargo.toml`. The targets and profiles of tests; dependencies are no part of it, since a lock file follows them.
pub(super) const CARGO: [&str; 4] = ["[[test]]", "[profile.test", "[lib]", "[[bin]]"];

/// Of `pyproject.toml` and `setup.cfg`.
pub(super) const PYTHON: [&str; 6] =
    ["[tool.pytest", "[tool.tox", "[tool.hatch.envs", "[tool.nox", "[tool:pytest]", "[tox"];

/// The new text with these sections as they were; `None` where they are equal.
pub(super) fn with_old(old: &str, new: &str, wanted: &[&str]) -> Option<String> {
    let of_tests = |text: &str| sections(text, wanted, true);
    let (then, now) = (of_tests(old), of_tests(new));
    if plain(&then) == plain(&now) {
        return None;
    }
    let rest = sections(new, wanted, false);
    let gap = if rest.is_empty() || rest.ends_with('\n') { "" } else { "\n" };
    Some(format!("{rest}{gap}{then}"))
}

/// The sections that begin with one of `wanted`, or all others.
fn sections(text: &str, wanted: &[&str], is_wanted: bool) -> String {
    let mut is_in = false;
    let mut found = String::new();
    for line in text.split_inclusive('\n') {
        if line.starts_with('[') {
            is_in = wanted.iter().any(|name| line.starts_with(name));
        }
        if is_in == is_wanted {
            found.push_str(line);
        }
    }
    if is_wanted && !found.is_empty() && !found.ends_with('\n') {
        found.push('\n');
    }
    found
}

/// The lines that say something.
fn plain(text: &str) -> Vec<&str> {
    let lines = text.lines().map(str::trim);
    lines.filter(|line| !line.is_empty() && !line.starts_with('#')).collect()
}

#[cfg(test)]
mod tests {
    use super::{PYTHON, with_old};

    #[test]
    fn a_section_of_tests_is_the_old_one() {
        let old = "[project]\nname = 'a'\n\n[tool.pytest.ini_options]\naddopts = '-q'\n";
        let new = "[project]\nname = 'b'\n[tool.pytest.ini_options]\naddopts = '-k none'\n\n[tool.ruff]\n";
        assert_eq!(
            with_old(old, new, &PYTHON).unwrap(),
            "[project]\nname = 'b'\n[tool.ruff]\n[tool.pytest.ini_options]\naddopts = '-q'\n"
        );
        assert_eq!(with_old(old, &old.replace("'a'", "'c'"), &PYTHON), None);
        assert!(with_old("[project]\n", new, &PYTHON).unwrap().ends_with("[tool.ruff]\n"));
    }
}
