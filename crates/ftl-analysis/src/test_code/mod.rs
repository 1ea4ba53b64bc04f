//! What of a change is about tests: which files, and of files that are sources as well, which part.
//!
//! By names and by form alone. Whether a changed test is a weaker one is not read from its text: the tests as they were
//! are run instead.

mod names;
mod package_json;
mod paths;
mod rust_items;
mod sections;

pub use names::changed_tests;
pub use paths::{is_about_tests, is_test_configuration, is_test_file};

/// A file that a task changed, with what defines tests as it was.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AsItWas {
    /// The file is about tests alone: all of it as it was.
    Whole,
    /// The file is a source as well: its new text with the old part that defines tests.
    Part(String),
}

/// How a file that was there is to be while the tests as they were are run; `None` where nothing that defines tests
/// changed in it. `new` is `None` for a file that is gone, and texts that are no UTF-8 are given as `None` too.
#[must_use]
pub fn as_it_was(path: &str, old: Option<&str>, new: Option<&str>) -> Option<AsItWas> {
    if is_about_tests(path) {
        return Some(AsItWas::Whole);
    }
    let (old, new) = (old?, new?);
    let part = match file_name(path) {
        "package.json" => package_json::with_old_tests(old, new),
        "Cargo.toml" => sections::with_old(old, new, &sections::CARGO),
        "pyproject.toml" | "setup.cfg" => sections::with_old(old, new, &sections::PYTHON),
        _ if path.ends_with(".rs") => rust_items::with_old_tests(old, new),
        _ => None,
    };
    part.map(AsItWas::Part)
}

/// Whether a file may be a source of which a part defines tests, so that its text decides.
#[must_use]
pub fn may_have_tests(path: &str) -> bool {
    let files = ["package.json", "Cargo.toml", "pyproject.toml", "setup.cfg"];
    !is_about_tests(path) && (files.contains(&file_name(path)) || path.ends_with(".rs"))
}

fn file_name(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

/// Whether a command names a script that decides: a shell script, or a program without an ending that it starts.
#[must_use]
pub fn is_script_of(command: &str, path: &str) -> bool {
    let is_script = matches!(file_name(path).rsplit_once('.'), None | Some((_, "sh" | "bash")));
    is_script && words(command).any(|word| word == path)
}

/// The word by which a command names this path, or a directory above it, as a path.
#[must_use]
pub fn word_for<'c>(command: &'c str, path: &str) -> Option<&'c str> {
    let is_above = |word: &&str| {
        let rest = path.strip_prefix(word);
        !word.is_empty() && rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
    };
    words(command).find(|word| is_above(word) || is_in_module(word, path))
}

/// Whether a name of Python's, such as a test's, is of the module at this path.
#[must_use]
pub fn is_in_module(name: &str, path: &str) -> bool {
    let Some(module) = path.strip_suffix(".py").map(|module| module.replace('/', ".")) else {
        return false;
    };
    name.strip_prefix(&module).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
}

/// The words of a command as paths: without quotes, `./`, Go's `/...`, and what follows `::`.
fn words(command: &str) -> impl Iterator<Item = &str> {
    let separators = |at: char| at.is_whitespace() || "'\"`;&|()=".contains(at);
    command.split(separators).map(|word| {
        let word = word.split("::").next().unwrap_or(word);
        let word = word.trim_start_matches("./");
        word.trim_end_matches("/...").trim_end_matches('/')
    })
}

#[cfg(test)]
mod tests {
    use super::{AsItWas, as_it_was, is_script_of, word_for};

    #[test]
    fn a_test_file_is_kept_whole_and_a_source_not_at_all() {
        assert_eq!(as_it_was("tests/test_a.py", Some("a"), Some("b")), Some(AsItWas::Whole));
        assert_eq!(as_it_was("tests/data.bin", None, None), Some(AsItWas::Whole));
        assert_eq!(as_it_was("src/a.py", Some("a"), Some("b")), None);
        assert_eq!(as_it_was("package.json", Some("{}"), None), None);
    }

    #[test]
    fn a_command_names_paths_scripts_and_directories() {
        let names = |command, path| word_for(command, path).is_some();
        assert!(names("pytest tests/unit -q", "tests/unit/test_a.py"));
        assert!(names("pytest 'tests/test_a.py::test_b'", "tests/test_a.py"));
        assert!(names("go test ./b/...", "b/b_test.go"));
        assert!(names("python -m unittest tests.test_a.T", "tests/test_a.py"));
        assert!(!names("python -m unittest tests.test_a", "tests/test_ab.py"));
        assert!(!names("pytest tests/uni", "tests/unit/test_a.py"));
        assert!(!names("pytest", "tests/unit/test_a.py"));
        assert!(is_script_of("sh ./ci/run.sh --fast", "ci/run.sh"));
        assert!(is_script_of("./check", "check"));
        assert!(!is_script_of("python3 a.py", "a.py"));
        assert!(!is_script_of("sh other.sh", "ci/run.sh"));
    }
}
