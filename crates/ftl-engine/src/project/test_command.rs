//! The command that runs a project's own tests, by the files in its directory. None of them is run.

use std::path::Path;

use ftl_process::Environment;
use serde_json::Value;

use super::files::read_below;
use super::verify_program::{missing, similar};

/// Bytes of a manifest that are read.
const LONGEST: u64 = 1 << 20;

const PYTEST: &str = "pytest -q";

/// A file, a text in it, and the command that both speak for; the first that fits counts.
const SIGNS: [(&str, &str, &str); 12] = [
    ("pytest.ini", "", PYTEST),
    ("conftest.py", "", PYTEST),
    ("tests/conftest.py", "", PYTEST),
    ("pyproject.toml", "[tool.pytest", PYTEST),
    ("setup.cfg", "[tool:pytest]", PYTEST),
    ("tox.ini", "[pytest]", PYTEST),
    ("manage.py", "django", "python3 manage.py test"),
    ("Cargo.toml", "", "cargo test"),
    ("go.mod", "", "go test ./..."),
    ("pyproject.toml", "pytest", PYTEST),
    ("Makefile", "\ntest:", "make test"),
    ("justfile", "\ntest:", "just test"),
];

/// The command that runs the tests of the project in `dir`, with the project's own program where `env` has none of
/// that name.
#[must_use]
pub fn test_command(dir: &Path, env: &Environment) -> Option<String> {
    let text = |name: &str| read_below(name, dir, LONGEST).ok();
    // A manifest begins with a line, too.
    let says =
        |name: &str, said: &str| text(name).is_some_and(|text| format!("\n{text}").contains(said));
    let sign = SIGNS.iter().find(|(name, said, _)| says(name, said));
    let command = match sign {
        Some((_, _, command)) => (*command).to_owned(),
        None => text("package.json").and_then(|manifest| npm_test(&manifest))?,
    };
    let own = missing(&command, env, dir).ok().flatten();
    let own = own.and_then(|name| Some((similar(&name, env, dir)?, name)));
    Some(match own {
        Some((own, name)) => command.replacen(&name, &own, 1),
        None => command,
    })
}

/// `npm test`, where the manifest's script is not the one that `npm init` writes, which only fails.
fn npm_test(manifest: &str) -> Option<String> {
    let manifest: Value = serde_json::from_str(manifest).ok()?;
    let script = manifest["scripts"]["test"].as_str()?;
    (!script.contains("no test specified")).then(|| "npm test".to_owned())
}

#[cfg(test)]
mod tests {
    use ftl_process::Environment;

    use super::test_command;

    #[test]
    fn the_files_of_a_project_say_how_it_is_tested() {
        let env = Environment::inherit().set("PATH", "/nonexistent");
        for (name, text, expected) in [
            ("conftest.py", "", Some("pytest -q")),
            ("pyproject.toml", "[tool.pytest.ini_options]\n", Some("pytest -q")),
            ("pyproject.toml", "[project]\n", None),
            ("manage.py", "import django\n", Some("python3 manage.py test")),
            ("Cargo.toml", "[package]\n", Some("cargo test")),
            ("go.mod", "module a\n", Some("go test ./...")),
            ("Makefile", "test: build\n", Some("make test")),
            ("Makefile", "build:\n", None),
            ("package.json", r#"{"scripts": {"test": "vitest run"}}"#, Some("npm test")),
            (
                "package.json",
                r#"{"scripts": {"test": "echo \"Error: no test specified\" && exit 1"}}"#,
                None,
            ),
            ("README.md", "cargo test\n", None),
        ] {
            let project = tempfile::tempdir().unwrap();
            std::fs::write(project.path().join(name), text).unwrap();
            let found = test_command(project.path(), &env);
            assert_eq!(found.as_deref(), expected, "{name}: {text}");
        }
    }
}
