//! Families of errors: whether an error may vanish when the same thing is run again.
//!
//! The table is data (`families.tsv`), so that a configuration can replace or add entries in the same
//! form. Patterns are matched against single error lines, never against a whole output: a log that
//! mentions a time-out is not a time-out. Where both kinds are found, the error is taken for
//! deterministic, since retrying what will fail again costs the budget, and not retrying costs one
//! hand-off.

use fancy_regex::{Regex, RegexBuilder};
use serde::{Deserialize, Serialize};
use thiserror::Error;

/// The families that ftl knows: one a line, kind, name and pattern between tabs.
const BUILT_IN: &str = include_str!("families.tsv");

/// Steps that a pattern with look-around may take on one line.
const BACKTRACK_LIMIT: usize = 100_000;

/// Bytes that a compiled pattern may take.
const SIZE_LIMIT: usize = 1 << 20;

/// Whether an error may vanish when the same thing is run again.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum FamilyKind {
    /// It may: a time-out, a connection, a race.
    Transient,
    /// It comes back every time.
    Deterministic,
}

/// A family of errors, recognised by a pattern on a single error line.
///
/// The names `syntax` and `import` have a fixed meaning, see [`Classification`].
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Family {
    /// Whether its errors may vanish.
    pub kind: FamilyKind,
    /// Name, for records.
    pub name: String,
    /// Regular expression, without regard to letter case; an empty one matches nothing.
    pub pattern: String,
}

/// A family whose pattern cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("the pattern of the error family `{name}` does not compile: {reason}")]
pub struct FamilyError {
    /// The family.
    pub name: String,
    /// What the engine says.
    pub reason: String,
}

/// What the families say of an error.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Classification {
    /// A transient family was found, and no deterministic one.
    pub transient_only: bool,
    /// A deterministic family was found.
    pub deterministic: bool,
    /// The family `syntax` or `import` was found.
    pub syntax_or_import: bool,
    /// Names of the families found, in the order in which they are known.
    pub families: Vec<String>,
}

/// The families of errors.
///
/// Patterns take milliseconds to compile, and most runs meet no error: the built-in ones are
/// compiled when an error is classified.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Families(Vec<Family>);

impl Default for Families {
    /// The built-in families.
    fn default() -> Self {
        Self(built_in().collect())
    }
}

impl Families {
    /// The built-in families and those of a configuration: one of a known name replaces it, others
    /// come after.
    ///
    /// # Errors
    ///
    /// The first family whose pattern does not compile, or is too large.
    pub fn from_config(configured: &[Family]) -> Result<Self, FamilyError> {
        let mut families: Vec<Family> = built_in().collect();
        for family in configured {
            compile(family)?;
            match families.iter_mut().find(|known| known.name == family.name) {
                Some(known) => *known = family.clone(),
                None => families.push(family.clone()),
            }
        }
        families.retain(|family| !family.pattern.is_empty());
        Ok(Self(families))
    }

    /// Which families the error `lines` belong to. A pattern that takes too long on a line does not
    /// count.
    pub fn classify<S: AsRef<str>>(&self, lines: &[S]) -> Classification {
        let speaks_of = |family: &&Family| {
            let regex = compile(family).expect("because tests or `from_config` compiled it before");
            let mut lines = lines.iter();
            lines.any(|line| regex.is_match(line.as_ref()).unwrap_or(false))
        };
        let found: Vec<&Family> = self.0.iter().filter(speaks_of).collect();
        let any = |kind| found.iter().any(|family| family.kind == kind);
        let deterministic = any(FamilyKind::Deterministic);
        Classification {
            transient_only: any(FamilyKind::Transient) && !deterministic,
            deterministic,
            syntax_or_import: found.iter().any(|family| names_source_error(family)),
            families: found.iter().map(|family| family.name.clone()).collect(),
        }
    }
}

fn names_source_error(family: &Family) -> bool {
    matches!(family.name.as_str(), "syntax" | "import")
}

fn compile(family: &Family) -> Result<Regex, FamilyError> {
    RegexBuilder::new(&family.pattern)
        .case_insensitive(true)
        .backtrack_limit(BACKTRACK_LIMIT)
        .delegate_size_limit(SIZE_LIMIT)
        .build()
        .map_err(|error| FamilyError { name: family.name.clone(), reason: error.to_string() })
}

fn built_in() -> impl Iterator<Item = Family> {
    BUILT_IN.lines().filter_map(|line| {
        let mut columns = line.splitn(3, '\t');
        let kind = match columns.next()? {
            "transient" => FamilyKind::Transient,
            _ => FamilyKind::Deterministic,
        };
        Some(Family { kind, name: columns.next()?.to_owned(), pattern: columns.next()?.to_owned() })
    })
}

#[cfg(test)]
mod tests {
    use super::{BUILT_IN, Families, Family, FamilyKind};
    use fancy_regex::Regex;

    fn family(kind: FamilyKind, name: &str, pattern: &str) -> Family {
        Family { kind, name: name.to_owned(), pattern: pattern.to_owned() }
    }

    #[test]
    fn every_built_in_family_has_a_kind_a_name_and_a_pattern_that_compiles() {
        for line in BUILT_IN.lines() {
            let columns: Vec<&str> = line.split('\t').collect();
            assert_eq!(columns.len(), 3, "{line}");
            assert!(Regex::new(columns[2]).is_ok(), "{line}");
            assert!(["transient", "deterministic"].contains(&columns[0]), "{line}");
        }
        assert_eq!(Families::default().0.len(), BUILT_IN.lines().count());
    }

    #[test]
    fn deterministic_wins_where_both_appear() {
        let lines = ["connection refused", "runtime error: nil pointer dereference"];
        let found = Families::default().classify(&lines);
        assert!(found.deterministic && !found.transient_only);
        assert_eq!(found.families, ["connection", "crash"]);
    }

    #[test]
    fn an_error_of_no_family_is_neither() {
        let found = Families::default().classify(&["the moon is in the wrong phase"]);
        assert_eq!(found, super::Classification::default());
    }

    #[test]
    fn a_configured_family_replaces_its_namesake_and_a_new_one_is_added() {
        let families = Families::from_config(&[
            family(FamilyKind::Transient, "assertion", "moon"),
            family(FamilyKind::Transient, "gpu", r"CUDA (?!version)"),
            family(FamilyKind::Transient, "lock", ""),
        ])
        .unwrap();
        assert!(families.classify(&["AssertionError: x", "Moon"]).transient_only);
        assert!(families.classify(&["cuda out of luck"]).transient_only);
        assert!(families.classify(&["CUDA version"]).families.is_empty());
        assert!(families.classify(&["database is locked"]).families.is_empty());
    }

    #[test]
    fn a_pattern_that_does_not_compile_names_its_family() {
        let error =
            Families::from_config(&[family(FamilyKind::Transient, "gpu", "(")]).unwrap_err();
        assert_eq!(error.name, "gpu");
        assert!(error.to_string().starts_with("the pattern of the error family `gpu`"));
        let huge = family(FamilyKind::Transient, "huge", "(?:a{1000}){1000}");
        assert!(Families::from_config(&[huge]).is_err());
    }
}
