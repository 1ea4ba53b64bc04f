//! The checkers that give verdicts, by name.

use std::fmt;
use std::str::FromStr;

/// Who gives a verdict.
///
/// ```
/// use ftl_preflight::{Checker, CheckerName, Options};
///
/// let name: CheckerName = "embedded".parse()?;
/// let checker = Checker::new(Options::default().with_checker(name));
/// # Ok::<(), ftl_preflight::UnknownChecker>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "lowercase"))]
#[non_exhaustive]
pub enum CheckerName {
    /// A parser inside this process.
    Embedded,
    /// The language's own front end, asked only to parse.
    #[cfg(feature = "toolchain")]
    Toolchain,
    /// A parser inside this process, and the front end on what that refuses. A report names
    /// the one of the two that had the last word.
    #[cfg(feature = "toolchain")]
    Hybrid,
    /// The language's customary command and its exit code. It may leave files behind, and
    /// refuses valid files that it sees without their project.
    #[cfg(feature = "toolchain")]
    Literal,
}

impl Default for CheckerName {
    /// The hybrid when there are front ends to ask, else the parser alone.
    fn default() -> Self {
        #[cfg(feature = "toolchain")]
        return Self::Hybrid;
        #[cfg(not(feature = "toolchain"))]
        Self::Embedded
    }
}

impl CheckerName {
    /// Every checker of this build.
    ///
    /// ```
    /// use ftl_preflight::CheckerName;
    ///
    /// assert!(CheckerName::all().contains(&CheckerName::Embedded));
    /// ```
    #[must_use]
    pub fn all() -> &'static [Self] {
        #[cfg(feature = "toolchain")]
        return &[Self::Embedded, Self::Toolchain, Self::Hybrid, Self::Literal];
        #[cfg(not(feature = "toolchain"))]
        &[Self::Embedded]
    }

    /// The name as it is written in JSON and on a command line.
    ///
    /// ```
    /// assert_eq!(ftl_preflight::CheckerName::Embedded.as_str(), "embedded");
    /// ```
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Embedded => "embedded",
            #[cfg(feature = "toolchain")]
            Self::Toolchain => "toolchain",
            #[cfg(feature = "toolchain")]
            Self::Hybrid => "hybrid",
            #[cfg(feature = "toolchain")]
            Self::Literal => "literal",
        }
    }
}

/// No checker has this name.
///
/// ```
/// let error = "guess".parse::<ftl_preflight::CheckerName>().unwrap_err();
/// assert_eq!(error.to_string(), "unknown checker `guess`");
/// ```
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("unknown checker `{0}`")]
#[non_exhaustive]
pub struct UnknownChecker(pub String);

impl FromStr for CheckerName {
    type Err = UnknownChecker;

    fn from_str(name: &str) -> Result<Self, Self::Err> {
        let mut all = Self::all().iter().copied();
        all.find(|checker| checker.as_str() == name).ok_or_else(|| UnknownChecker(name.to_owned()))
    }
}

impl fmt::Display for CheckerName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::CheckerName;

    /// Lists variants, and fails to compile when one of the enum is missing from the list.
    macro_rules! every_variant {
        ($($variant:ident),+ $(,)?) => {{
            let _is_listed = |checker| match checker {
                $(CheckerName::$variant => (),)+
            };
            vec![$(CheckerName::$variant),+]
        }};
    }

    #[test]
    fn every_checker_of_the_build_is_listed() {
        #[cfg(feature = "toolchain")]
        let variants = every_variant![Embedded, Toolchain, Hybrid, Literal];
        #[cfg(not(feature = "toolchain"))]
        let variants = every_variant![Embedded];
        assert_eq!(CheckerName::all(), variants);
    }

    #[test]
    fn a_checker_is_found_by_the_name_it_shows() {
        for checker in CheckerName::all() {
            assert_eq!(checker.to_string().parse(), Ok(*checker));
        }
        assert!("guess".parse::<CheckerName>().is_err());
    }
}
