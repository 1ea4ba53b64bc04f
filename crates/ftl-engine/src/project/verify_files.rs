//! Files that a verify command names and that are not there.
//!
//! This is not a shell parser. Only words that can be nothing but relative paths are looked at.

use std::fs;
use std::path::Path;

use super::verify_program::{after_cd, distance};

/// The command with another file in place of one that is not there: a file beside it whose name is nearly the
/// same. `None` where no file is missing, or none is near. `will_be` says of a path from the root that the task may
/// make it.
pub(crate) fn corrected(
    command: &str,
    root: &Path,
    will_be: &dyn Fn(&str) -> bool,
) -> Option<String> {
    let (dir, after) = after_cd(command);
    let root = &root.join(dir);
    let from_root = |word: &str| match dir {
        "" => word.to_owned(),
        dir => format!("{}/{word}", dir.trim_end_matches('/')),
    };
    let mut said = command[..command.len() - after.len()].to_owned();
    let mut rest = after;
    let mut is_changed = false;
    while let Some(begin) = rest.find(is_of_path) {
        let (before, from) = rest.split_at(begin);
        let end = from.find(|c| !is_of_path(c)).unwrap_or(from.len());
        let (word, after) = from.split_at(end);
        let is_word = before.is_empty() || before.ends_with(|c: char| c.is_whitespace());
        let is_looked_for = is_word && !will_be(&from_root(word));
        let near = is_looked_for.then(|| similar(word, root)).flatten();
        is_changed |= near.is_some();
        said.push_str(before);
        said.push_str(near.as_deref().unwrap_or(word));
        rest = after;
    }
    said.push_str(rest);
    is_changed.then_some(said)
}

fn is_of_path(c: char) -> bool {
    c.is_ascii_alphanumeric() || "_.-/".contains(c)
}

/// The path of a file whose name is nearly that of one that is missing.
fn similar(word: &str, root: &Path) -> Option<String> {
    let (above, name) = word.rsplit_once('/').unwrap_or(("", word));
    let is_path = name.contains('.') && !word.starts_with(['-', '/', '.']);
    if !is_path || root.join(word).exists() {
        return None;
    }
    let entries = fs::read_dir(root.join(above)).ok()?;
    let names = entries.flatten().filter_map(|entry| {
        let is_file = entry.file_type().ok()?.is_file();
        entry.file_name().into_string().ok().filter(|_| is_file)
    });
    let near = names.filter_map(|found| Some((distance(name, &found)?, found))).min()?.1;
    Some(match above {
        "" => near,
        above => format!("{above}/{near}"),
    })
}

#[cfg(test)]
mod tests {
    use super::corrected;

    #[test]
    fn a_file_that_is_not_there_is_taken_for_one_that_is_nearly_called_so() {
        let project = tempfile::tempdir().unwrap();
        let root = project.path();
        std::fs::create_dir(root.join("tests")).unwrap();
        for path in ["test_prices.py", "tests/test_parse.py", "app.py"] {
            std::fs::write(root.join(path), "").unwrap();
        }
        for (command, expected) in [
            ("python3 tests_prices.py", Some("python3 test_prices.py")),
            (
                "pytest -q tests/test_prase.py::test_one",
                Some("pytest -q tests/test_parse.py::test_one"),
            ),
            ("cd tests && pytest test_prase.py", Some("cd tests && pytest test_parse.py")),
            ("python3 test_prices.py", None),
            ("python3 other.py", None),
            ("go test ./...", None),
            ("pytest -q --ignore=tests/test_prase.py", None),
            ("python3 -m pytest nowhere/test_parse.py", None),
            ("pip install numpy==1.2.3 && echo a.b", None),
        ] {
            let found = corrected(command, root, &|_| false);
            assert_eq!(found.as_deref(), expected, "{command}");
            let in_delta = |path: &str| matches!(path, "tests_prices.py" | "tests/test_prase.py");
            let found = corrected(command, root, &in_delta);
            assert_eq!(found, None, "{command}");
        }
    }
}
