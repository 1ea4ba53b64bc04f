//! The idioms that are known of frameworks, in the words that the format's Python implementation
//! writes into task files.

use ftl_model::{Idiom, Idioms};

/// A framework, with what its code is expected to do and to avoid.
struct Framework {
    name: &'static str,
    required: &'static [&'static str],
    forbidden: &'static [&'static str],
}

const FRAMEWORKS: &[Framework] = &[
    Framework {
        name: "fasthtml",
        required: &["@rt decorator for routes", "Return component trees (Div, P, etc.)"],
        forbidden: &["Raw HTML strings with f-strings", "Direct Response() with HTML body"],
    },
    Framework {
        name: "fastapi",
        required: &["@app.get/@app.post decorators", "Return Pydantic models for JSON"],
        forbidden: &["Sync operations in async endpoints", "Raw dict returns without schema"],
    },
    Framework { name: "flask", required: &["@app.route decorator"], forbidden: &[] },
    Framework {
        name: "django",
        required: &["URL patterns in urls.py", "View functions or class-based views"],
        forbidden: &["Raw SQL without ORM (unless justified)"],
    },
    Framework {
        name: "litestar",
        required: &["@get/@post decorators", "Return typed responses"],
        forbidden: &["Sync blocking in async handlers"],
    },
];

/// The idioms of the framework of exactly this name; `None` for one that is not known.
#[must_use]
pub fn framework_idioms(name: &str) -> Option<Idioms> {
    let framework = FRAMEWORKS.iter().find(|known| known.name == name)?;
    let prose = |texts: &[&str]| texts.iter().copied().map(Idiom::prose).collect();
    Some(Idioms {
        framework: Some(framework.name.to_owned()),
        required: prose(framework.required),
        forbidden: prose(framework.forbidden),
    })
}

/// The frameworks that a file names: a Python file by what it imports, a manifest by what it requires.
#[must_use]
pub fn frameworks_named(path: &str, text: &str) -> Vec<&'static str> {
    let name = path.rsplit('/').next().unwrap_or(path);
    let is_manifest = (name.starts_with("requirements") && name.ends_with(".txt"))
        || matches!(name, "pyproject.toml" | "Pipfile" | "setup.cfg" | "setup.py");
    let is_source = name.ends_with(".py") && name != "setup.py";
    let mut named = [false; FRAMEWORKS.len()];
    let mut note = |name: &str| {
        for (is_named, framework) in named.iter_mut().zip(FRAMEWORKS) {
            *is_named |= framework.name == name;
        }
    };
    for line in text.lines() {
        match (is_source, is_manifest) {
            (true, _) => imported(line).into_iter().for_each(&mut note),
            (_, true) => required(line)
                .for_each(|package| note(package.strip_prefix("python-").unwrap_or(&package))),
            _ => break,
        }
    }
    let known = FRAMEWORKS.iter().zip(named).filter(|(_, is_named)| *is_named);
    known.map(|(framework, _)| framework.name).collect()
}

/// The top module that a line imports.
fn imported(line: &str) -> Option<&str> {
    let line = line.trim_start();
    let rest = line.strip_prefix("from ").or_else(|| line.strip_prefix("import "))?;
    let end = rest.find(|c: char| !(c.is_alphanumeric() || c == '_'));
    Some(&rest[..end.unwrap_or(rest.len())])
}

/// The words of a manifest's line that may be names of packages, in lower case; none of a comment.
fn required(line: &str) -> impl Iterator<Item = String> {
    let code = line.split('#').next().unwrap_or_default();
    let is_part = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_' | '.');
    code.split(move |c| !is_part(c)).map(str::to_lowercase)
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::{FRAMEWORKS, framework_idioms, frameworks_named};
    use crate::quality::{Rules, check_rules};

    #[test]
    fn no_framework_is_listed_twice_and_none_contradicts_itself() {
        let mut names = HashSet::new();
        for framework in FRAMEWORKS {
            assert!(names.insert(framework.name));
            let idioms = framework_idioms(framework.name).unwrap();
            assert!(!idioms.required.is_empty(), "{}", framework.name);
            check_rules(&idioms, &Rules::default()).unwrap();
        }
    }

    #[test]
    fn names_are_matched_exactly() {
        assert_eq!(framework_idioms("Flask"), None);
        assert_eq!(framework_idioms("none"), None);
        let flask = framework_idioms("flask").unwrap();
        assert_eq!(flask.required[0].text.as_deref(), Some("@app.route decorator"));
        assert!(flask.forbidden.is_empty());
    }

    #[test]
    fn a_framework_is_known_by_imports_and_by_what_a_manifest_requires() {
        for (path, text, named) in [
            ("app.py", "from fasthtml.common import *\n", &["fasthtml"][..]),
            ("app.py", "import flask\nimport flask_login\n", &["flask"]),
            ("app.py", "import flask_login\n# import django\n", &[]),
            ("requirements.txt", "Django>=5\n# flask\n", &["django"]),
            ("requirements-dev.txt", "python-fasthtml==0.12\n", &["fasthtml"]),
            (
                "pyproject.toml",
                "dependencies = [\"litestar[standard]>=2\", \"flask-login\"]\n",
                &["litestar"],
            ),
            ("README.md", "import flask\n", &[]),
        ] {
            assert_eq!(frameworks_named(path, text), named, "{path} {text}");
        }
    }
}
