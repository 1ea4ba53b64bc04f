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
        required: &[
            "@rt decorator for routes",
            "Return component trees (Div, P, etc.)",
        ],
        forbidden: &[
            "Raw HTML strings with f-strings",
            "Direct Response() with HTML body",
        ],
    },
    Framework {
        name: "fastapi",
        required: &[
            "@app.get/@app.post decorators",
            "Return Pydantic models for JSON",
        ],
        forbidden: &[
            "Sync operations in async endpoints",
            "Raw dict returns without schema",
        ],
    },
    Framework {
        name: "flask",
        required: &["@app.route decorator"],
        forbidden: &[],
    },
    Framework {
        name: "django",
        required: &[
            "URL patterns in urls.py",
            "View functions or class-based views",
        ],
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

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::{FRAMEWORKS, framework_idioms};
    use crate::quality::check_rules;

    #[test]
    fn no_framework_is_listed_twice_and_none_contradicts_itself() {
        let mut names = HashSet::new();
        for framework in FRAMEWORKS {
            assert!(names.insert(framework.name));
            let idioms = framework_idioms(framework.name).unwrap();
            assert!(!idioms.required.is_empty(), "{}", framework.name);
            check_rules(&idioms).unwrap();
        }
    }

    #[test]
    fn names_are_matched_exactly() {
        assert_eq!(framework_idioms("Flask"), None);
        assert_eq!(framework_idioms("none"), None);
        let flask = framework_idioms("flask").unwrap();
        assert_eq!(
            flask.required[0].text.as_deref(),
            Some("@app.route decorator")
        );
        assert!(flask.forbidden.is_empty());
    }
}
