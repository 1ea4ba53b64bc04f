//! What decides an idiom, and whether a set of idioms can be used at all.
//!
//! A rule that cannot be used is found when the workspace is validated, before anything is written.

use std::collections::HashMap;

use ftl_model::{Idiom, IdiomKind, Idioms};

use crate::pattern::{Deadline, Dialect, Pattern};
use crate::quality::structure::{Rules, Structure};

/// What decides an idiom.
pub(super) enum Rule {
    /// A pattern over the whole text of a file, comments included; `^` and `$` mean lines.
    Regex(Pattern),
    /// A structure in the syntax trees of files.
    Structure(Box<Structure>),
    /// Nothing that is known here; why.
    None(String),
}

impl Rule {
    /// The rule that an idiom carries, names, or means by its text.
    ///
    /// # Errors
    ///
    /// Why its pattern or its rule cannot be used.
    pub(super) fn of(
        idiom: &Idiom,
        kind: IdiomKind,
        framework: Option<&str>,
        rules: &Rules,
    ) -> Result<Self, String> {
        if let Some(source) = filled(idiom.regex.as_ref()) {
            return Pattern::compile(source, Dialect::PythonLines)
                .map(Self::Regex)
                .map_err(|why| format!("the pattern `{source}` does not compile: {why}"));
        }
        Ok(match rules.structure_of(idiom, kind, framework)? {
            Ok(structure) => Self::Structure(Box::new(structure)),
            Err(why) => Self::None(why),
        })
    }
}

fn filled(text: Option<&String>) -> Option<&str> {
    text.map(String::as_str).filter(|text| !text.trim().is_empty())
}

/// Checks that every rule can be used, and that nothing is both required and forbidden.
///
/// # Errors
///
/// The first problem, in one line.
pub fn check_rules(idioms: &Idioms, rules: &Rules) -> Result<(), String> {
    let deadline = Deadline::of_a_phase();
    let framework = idioms.framework.as_deref();
    let required = idioms.required.iter().map(|it| (it, IdiomKind::Required));
    let forbidden = idioms.forbidden.iter().map(|it| (it, IdiomKind::Forbidden));
    for (idiom, kind) in required.chain(forbidden) {
        deadline.check().map_err(|late| late.to_string())?;
        let name = || idiom.text.as_deref().unwrap_or("without text").trim();
        Rule::of(idiom, kind, framework, rules)
            .map_err(|why| format!("the idiom `{}` has an invalid rule: {why}", name()))?;
    }
    let mut required = HashMap::new();
    for idiom in &idioms.required {
        required.extend(identities(idiom).map(|identity| (identity, idiom)));
    }
    let mut forbidden = idioms.forbidden.iter().flat_map(identities);
    match forbidden.find(|identity| required.contains_key(identity)) {
        Some(identity) => Err(format!("the idiom `{}` is both required and forbidden", identity.1)),
        None => Ok(()),
    }
}

/// What an idiom is: two that share any of these are the same.
fn identities(idiom: &Idiom) -> impl Iterator<Item = (&'static str, String)> {
    let text = filled(idiom.text.as_ref()).map(|text| ("text", normal_form(text)));
    let regex = filled(idiom.regex.as_ref()).map(|regex| ("regex", regex.to_owned()));
    let rule = filled(idiom.rule.as_ref()).map(|rule| ("rule", rule.trim().to_owned()));
    let pattern = filled(idiom.pattern.as_ref()).map(|pattern| ("pattern", pattern.to_owned()));
    [text, regex, rule, pattern].into_iter().flatten()
}

/// The text of an idiom without what varies between writers: letter case, blanks, a leading `use`,
/// a final dot.
pub(super) fn normal_form(text: &str) -> String {
    let words: Vec<String> = text.split_whitespace().map(str::to_lowercase).collect();
    let text = words.join(" ");
    let text = text.strip_prefix("use ").unwrap_or(&text);
    text.trim_end_matches('.').trim().to_owned()
}

#[cfg(test)]
mod tests {
    use super::{Rules, check_rules, normal_form};
    use ftl_model::{Idiom, Idioms};

    fn idioms(required: &[Idiom], forbidden: &[Idiom]) -> Idioms {
        Idioms { framework: None, required: required.to_vec(), forbidden: forbidden.to_vec() }
    }

    fn regex(text: &str, regex: &str) -> Idiom {
        Idiom { regex: Some(regex.to_owned()), ..Idiom::prose(text) }
    }

    #[test]
    fn a_pattern_that_does_not_compile_is_named() {
        let error = check_rules(&idioms(&[], &[regex("no print", "print(")]), &Rules::default())
            .unwrap_err();
        assert!(
            error.starts_with("the idiom `no print` has an invalid rule: the pattern `print(`"),
            "{error}"
        );
        assert!(
            check_rules(&idioms(&[regex("a", "(?<!x)a")], &[regex("b", "b")]), &Rules::default())
                .is_ok()
        );
    }

    #[test]
    fn the_same_idiom_cannot_be_required_and_forbidden() {
        for (required, forbidden) in [
            (Idiom::prose("Use the @rt decorator."), Idiom::prose("the @RT  decorator")),
            (regex("one", "rt"), regex("other", "rt")),
            (regex("log", "logging"), regex("Log", "print")),
        ] {
            let error =
                check_rules(&idioms(&[required], &[forbidden]), &Rules::default()).unwrap_err();
            assert!(error.ends_with("is both required and forbidden"), "{error}");
        }
        let different = idioms(&[Idiom::prose("a (one)")], &[Idiom::prose("a (two)")]);
        assert!(check_rules(&different, &Rules::default()).is_ok());
        let without_text = idioms(&[Idiom::default()], &[Idiom::default()]);
        assert!(check_rules(&without_text, &Rules::default()).is_ok());
    }

    #[test]
    fn a_normal_form_drops_what_varies() {
        assert_eq!(normal_form(" Use  @rt\n decorator. "), "@rt decorator");
        assert_eq!(normal_form("useful names"), "useful names");
    }
}
