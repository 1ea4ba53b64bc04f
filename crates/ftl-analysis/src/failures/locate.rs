//! From the paths that an output prints to paths of the project's tree.

use std::collections::HashSet;
use std::path::{Component, Path, PathBuf};

use super::FoundFailure;
use crate::shell;

/// Directories in which the packages of the JVM's languages are.
const JVM_ROOTS: &str =
    " src/test/java/ src/main/java/ src/test/kotlin/ src/main/kotlin/ src/ test/";

/// Gives each failure a path of the tree, or none: `exists` says whether a path below the root is a file.
///
/// Outputs write paths below the directory of a package, of the runner, or of the machine on which they ran. A path is
/// taken as it is where the tree has it; else the longest end of it that the tree has, a Go file below the end of
/// its package's path. Files that the tree has not are no code of the project.
///
/// A failure of Go in a test file that its package has not was printed by a test, and is left out.
pub fn locate(found: &mut Vec<FoundFailure>, exists: impl Fn(&str) -> bool) {
    let mut foreign = HashSet::new();
    for (at, each) in found.iter_mut().enumerate() {
        // A runner may name a test's file as the machine does.
        let below = each.origin.as_deref().filter(|it| it.starts_with('/')).map(ends);
        if let Some(origin) = below.and_then(|mut ends| ends.find(|end| exists(end))) {
            each.origin = Some(origin);
        }
        let Some(path) = each.failure.path.take() else { continue };
        let package = each.origin.as_deref().filter(|_| path.ends_with(".go"));
        let longest = match package {
            Some(package) if !path.starts_with('/') => format!("{package}/{path}"),
            _ => path,
        };
        let is_of_jvm =
            [".java", ".kt", ".scala", ".groovy"].iter().any(|ending| longest.ends_with(ending));
        let roots = if is_of_jvm { JVM_ROOTS } else { "" };
        each.failure.path = ends(&longest)
            .flat_map(|end| roots.split(' ').map(move |root| format!("{root}{end}")))
            .find(|end| exists(end));
        if each.failure.path.is_none() {
            each.failure.line = None;
            foreign.extend(longest.ends_with("_test.go").then_some(at));
        }
    }
    let located = found.iter().filter(|it| it.failure.path.is_some());
    let located: HashSet<Option<String>> = located.map(|it| it.origin.clone()).collect();
    let mut at = 0..;
    found.retain(|it| {
        !at.next().is_some_and(|at| foreign.contains(&at)) || !located.contains(&it.origin)
    });
}

/// The path itself without `.` and `..`, then without its first directory, and so on.
fn ends(path: &str) -> impl Iterator<Item = String> {
    let path = normalised(path);
    let parts: Vec<String> = path
        .iter()
        .map(|part| part.to_string_lossy().into_owned())
        .filter(|part| part != "/")
        .collect();
    (0..parts.len()).map(move |from| parts[from..].join("/"))
}

fn normalised(path: &str) -> PathBuf {
    let mut whole = PathBuf::new();
    for part in Path::new(path).components() {
        match part {
            Component::ParentDir => drop(whole.pop()),
            Component::CurDir => {}
            other => whole.push(other),
        }
    }
    whole
}

/// The directory that `command` changes to before all else: `cd web && npm test`.
#[must_use]
pub fn directory_of(command: &str) -> Option<String> {
    let script = shell::parse(command)?;
    let first = &script.lists.first()?.first;
    let [command] = first.commands.as_slice() else { return None };
    let words = command.texts();
    let ["cd", directory] = words.as_slice() else { return None };
    let directory = normalised(directory);
    let text = directory.to_str()?.trim_end_matches('/');
    let is_below = !text.is_empty() && directory.is_relative() && !text.contains(['$', '~', '*']);
    is_below.then(|| text.to_owned())
}

#[cfg(test)]
mod tests {
    use ftl_model::RunFailure;

    use super::{directory_of, locate};
    use crate::failures::FoundFailure;

    #[test]
    fn a_path_is_the_longest_end_that_the_tree_has() {
        let tree = ["cart/cart_test.go", "cart_test.go", "tests/test_a.py", "web/a.test.ts"];
        for (path, origin, expected) in [
            ("cart_test.go", Some("example.com/shop/cart"), Some("cart/cart_test.go")),
            ("cart_test.go", Some("example.com/shop"), Some("cart_test.go")),
            ("/srv/project/tests/test_a.py", None, Some("tests/test_a.py")),
            ("web/../web/a.test.ts", None, Some("web/a.test.ts")),
            ("lib/std.py", None, None),
        ] {
            let failure =
                RunFailure { path: Some(path.to_owned()), line: Some(3), ..RunFailure::default() };
            let origin = origin.map(str::to_owned);
            let mut found = vec![FoundFailure { failure, origin, ..FoundFailure::default() }];
            locate(&mut found, |path| tree.contains(&path));
            let line = expected.map(|_| 3);
            assert_eq!(found[0].failure.path.as_deref(), expected, "{path}");
            assert_eq!(found[0].failure.line, line, "{path}");
        }
    }

    #[test]
    fn a_command_may_change_the_directory_first() {
        for (command, directory) in [
            ("cd web && npm test", Some("web")),
            ("cd ./shop/; python manage.py test", Some("shop")),
            ("npm test", None),
            ("cd /srv && npm test", None),
            ("cd \"$HOME\" && npm test", None),
            ("cd ..; make", None),
        ] {
            assert_eq!(directory_of(command).as_deref(), directory, "{command}");
        }
    }
}
