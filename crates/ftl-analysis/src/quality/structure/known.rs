//! The rules that are known: those of frameworks, which are built in, and those of the house.
//!
//! A file is read when an idiom asks for one of its rules, and a rule is compiled when an idiom names it: a
//! workspace without idioms pays for none of this.

use std::sync::{Arc, OnceLock};

use ftl_model::{Idiom, IdiomKind};

use super::definition::{Definition, RuleKind};
use super::language::Language;
use super::rule::Structure;
use super::{RuleCard, examples};

/// The built-in files, by framework.
const BUILT_IN: [(&str, &str); 5] = [
    ("django", include_str!("rules/django.yml")),
    ("fastapi", include_str!("rules/fastapi.yml")),
    ("fasthtml", include_str!("rules/fasthtml.yml")),
    ("flask", include_str!("rules/flask.yml")),
    ("litestar", include_str!("rules/litestar.yml")),
];

/// The built-in rules and those of the house.
#[derive(Clone, Default)]
pub struct Rules {
    house: Arc<Vec<RuleFile>>,
}

struct RuleFile {
    path: String,
    text: String,
    rules: OnceLock<Result<Vec<Definition>, String>>,
}

impl std::fmt::Debug for Rules {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let paths = self.house.iter().map(|file| &file.path);
        f.debug_list().entries(paths).finish()
    }
}

impl RuleFile {
    fn rules(&self) -> Result<&[Definition], String> {
        let read = self.rules.get_or_init(|| Definition::read(&self.text));
        match read {
            Ok(rules) => Ok(rules),
            Err(why) => Err(format!("the rule file `{}`: {why}", self.path)),
        }
    }
}

/// The built-in rules of one framework.
fn built_in(framework: &str) -> &'static [Definition] {
    static READ: [OnceLock<Vec<Definition>>; BUILT_IN.len()] =
        [const { OnceLock::new() }; BUILT_IN.len()];
    let Some(index) = BUILT_IN.iter().position(|(name, _)| *name == framework) else {
        return &[];
    };
    READ[index].get_or_init(|| {
        let mut rules =
            Definition::read(BUILT_IN[index].1).expect("because a test reads every built-in file");
        for rule in &mut rules {
            rule.framework = Some(framework.to_owned());
        }
        rules
    })
}

impl Rules {
    /// The built-in rules and those of these files, paths and texts; nothing is read yet.
    #[must_use]
    pub fn with(files: Vec<(String, String)>) -> Self {
        let file = |(path, text)| RuleFile { path, text, rules: OnceLock::new() };
        Self { house: Arc::new(files.into_iter().map(file).collect()) }
    }

    /// Reads and compiles every rule of the house.
    ///
    /// # Errors
    ///
    /// In one line, the first that cannot be used.
    pub fn check(&self) -> Result<(), String> {
        let mut names = std::collections::HashSet::new();
        for file in self.house.iter() {
            for rule in file.rules()? {
                let named =
                    |why: String| format!("the rule `{}` in `{}`: {why}", rule.id, file.path);
                Structure::of_definition(rule).map_err(named)?;
                if !names.insert(&rule.id) {
                    return Err(named("there are two of this name".to_owned()));
                }
            }
        }
        Ok(())
    }

    /// All rules with their examples judged: the house's, then the built-in ones.
    #[must_use]
    pub fn cards(&self) -> Vec<RuleCard> {
        let house = self.house.iter().flat_map(|file| {
            let rules = file.rules().unwrap_or_default().iter();
            rules.map(|rule| card(rule, Some(&file.path)))
        });
        let built_in = BUILT_IN
            .iter()
            .flat_map(|(framework, _)| built_in(framework).iter().map(|rule| card(rule, None)));
        house.chain(built_in).collect()
    }

    /// The structure that decides an idiom, or why none does.
    ///
    /// # Errors
    ///
    /// Why its pattern or its rule cannot be used.
    pub(in crate::quality) fn structure_of(
        &self,
        idiom: &Idiom,
        kind: IdiomKind,
        framework: Option<&str>,
    ) -> Result<Result<Structure, String>, String> {
        let filled = |text: &Option<String>| {
            text.as_deref().map(str::trim).filter(|text| !text.is_empty()).map(str::to_owned)
        };
        if let Some(name) = filled(&idiom.rule) {
            return match self.named(&name)? {
                Some(rule) => Structure::of_definition(rule)
                    .map(Ok)
                    .map_err(|why| format!("the rule `{name}` does not compile: {why}")),
                None => Ok(Err(format!("the rule `{name}` is not known"))),
            };
        }
        if let Some(pattern) = filled(&idiom.pattern) {
            let Some(language) = filled(&idiom.language) else {
                return Err(format!("the pattern `{pattern}` needs the attribute `language`"));
            };
            let languages = Language::named(&language);
            if languages.is_empty() {
                return Ok(Err(format!("no structural pattern reads `{language}`")));
            }
            return Structure::of_pattern(&pattern, languages)
                .map(Ok)
                .map_err(|why| format!("the pattern `{pattern}` does not compile: {why}"));
        }
        let text = filled(&idiom.text).unwrap_or_default();
        match self.said(&text, kind, framework)? {
            Some(rule) => Structure::of_definition(rule)
                .map(Ok)
                .map_err(|why| format!("the rule `{}` does not compile: {why}", rule.id)),
            None => Ok(Err("no rule decides this text".to_owned())),
        }
    }

    /// The rule of this name.
    fn named(&self, name: &str) -> Result<Option<&Definition>, String> {
        for file in self.house.iter() {
            if let Some(rule) = file.rules()?.iter().find(|rule| rule.id == name) {
                return Ok(Some(rule));
            }
        }
        let framework = name.split('.').next().unwrap_or_default();
        Ok(built_in(framework).iter().find(|rule| rule.id == name))
    }

    /// The rule whose text this is: of the house, of the framework, or, without one, of the only framework that
    /// has it.
    fn said(
        &self,
        text: &str,
        kind: IdiomKind,
        framework: Option<&str>,
    ) -> Result<Option<&Definition>, String> {
        let text = registry_form(text);
        if text.is_empty() {
            return Ok(None);
        }
        let framework = framework
            .map(|name| name.trim().to_lowercase())
            .filter(|name| !name.is_empty() && name != "none");
        let says = |rule: &&Definition| {
            let is_kind = match kind {
                IdiomKind::Required => rule.kind == RuleKind::Required,
                IdiomKind::Forbidden => rule.kind == RuleKind::Forbidden,
            };
            is_kind && rule.texts.iter().any(|it| registry_form(it) == text)
        };
        for file in self.house.iter() {
            let fits = |rule: &&Definition| {
                says(rule) && (rule.framework.is_none() || rule.framework == framework)
            };
            if let Some(rule) = file.rules()?.iter().find(fits) {
                return Ok(Some(rule));
            }
        }
        if let Some(framework) = framework {
            return Ok(built_in(&framework).iter().find(says));
        }
        let mut found =
            BUILT_IN.iter().filter_map(|(framework, _)| built_in(framework).iter().find(says));
        let first = found.next();
        Ok(first.filter(|_| found.next().is_none()))
    }
}

/// The text of an idiom without what varies between writers: letter case, blanks, text in parentheses,
/// a leading `use` and its like, a final dot.
pub(super) fn registry_form(text: &str) -> String {
    let mut depth = 0_usize;
    let mut plain = String::new();
    for character in text.chars() {
        match character {
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            _ if depth == 0 => plain.extend(character.to_lowercase()),
            _ => {}
        }
    }
    let words: Vec<&str> = plain.split_whitespace().collect();
    let lead = words
        .iter()
        .take_while(|word| matches!(**word, "use" | "using" | "always" | "prefer" | "the"))
        .count();
    let text = words[lead..].join(" ");
    text.trim_end_matches(['.', ' ']).to_owned()
}

fn card(rule: &Definition, file: Option<&str>) -> RuleCard {
    let (examples, wrong) = examples::judge(rule);
    RuleCard {
        id: rule.id.clone(),
        framework: rule.framework.clone(),
        kind: match rule.kind {
            RuleKind::Required => IdiomKind::Required,
            RuleKind::Forbidden => IdiomKind::Forbidden,
        }
        .as_str()
        .to_owned(),
        texts: rule.texts.clone(),
        languages: rule.languages.clone(),
        why: rule.why.clone(),
        repair: rule.repair.clone(),
        partial: rule.partial,
        is_warning: rule.severity == super::definition::Severity::Warning,
        file: file.map(str::to_owned),
        examples,
        wrong,
    }
}

#[cfg(test)]
mod tests {
    use super::{BUILT_IN, Rules, built_in, registry_form};
    use crate::quality::framework_idioms;
    use ftl_model::IdiomKind;

    #[test]
    fn every_built_in_rule_compiles_and_is_right_about_its_own_examples() {
        for card in Rules::default().cards() {
            assert_eq!(card.wrong, [""; 0], "{}", card.id);
            assert!(card.examples > 2, "{}", card.id);
            assert!(card.why.is_some() && card.repair.is_some(), "{}", card.id);
        }
    }

    #[test]
    fn every_text_of_the_registry_has_a_rule_with_its_framework_and_alone() {
        let rules = Rules::default();
        for (framework, _) in BUILT_IN {
            let idioms = framework_idioms(framework).unwrap();
            let all = [
                (IdiomKind::Required, &idioms.required),
                (IdiomKind::Forbidden, &idioms.forbidden),
            ];
            let mut count = 0;
            for (kind, idiom) in
                all.into_iter().flat_map(|(kind, list)| list.iter().map(move |it| (kind, it)))
            {
                let text = idiom.text.as_deref().unwrap();
                let with = rules.said(text, kind, Some(framework)).unwrap().unwrap();
                let alone = rules.said(text, kind, None).unwrap().unwrap();
                assert_eq!(with.id, alone.id, "{text}");
                assert!(rules.said(text, kind, Some("homegrown")).unwrap().is_none());
                count += 1;
            }
            assert_eq!(count, built_in(framework).len(), "{framework}");
        }
    }

    #[test]
    fn a_text_is_known_without_what_varies() {
        for (text, form) in [
            ("Use @rt decorator.", "@rt decorator"),
            ("Raw SQL without ORM (unless justified)", "raw sql without orm"),
            ("Direct Response() with HTML body", "direct response with html body"),
            ("Always use the Div (a (b))", "div"),
        ] {
            assert_eq!(registry_form(text), form);
        }
    }
}
