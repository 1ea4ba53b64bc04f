//! Structures, compiled for each language that they are looked for in.

use std::error::Error;

use ast_grep_config::{DeserializeEnv, RuleCore, SerializableRuleCore};
use ast_grep_core::matcher::Pattern;
use ast_grep_core::{AstGrep, Language as _};
use ast_grep_language::SupportLang;

use super::language::Language;
use super::tree::Tree;

/// Places in one text that are still worth listing.
const MAX_PLACES: usize = 20_000;

/// What is looked for.
pub(super) struct Matcher {
    forms: Vec<(Language, Form)>,
}

enum Form {
    Pattern(Box<Pattern>),
    Rule(Box<RuleCore>),
}

impl Language {
    /// The grammar's name for it.
    pub(super) fn grammar(self) -> SupportLang {
        match self {
            Self::Python => SupportLang::Python,
            Self::JavaScript => SupportLang::JavaScript,
            Self::TypeScript => SupportLang::TypeScript,
            Self::Tsx => SupportLang::Tsx,
            Self::Go => SupportLang::Go,
            Self::Rust => SupportLang::Rust,
        }
    }
}

impl Language {
    /// What may stand around a piece of its code.
    fn contexts(self) -> &'static [(&'static str, &'static str)] {
        match self {
            Self::Python => &[
                ("", ""),
                ("", "\ndef f(): pass\n"),
                ("", "\n    pass\n"),
                ("try:\n    pass\n", "\n    pass\n"),
                ("async def f():\n    ", "\n"),
            ],
            Self::JavaScript | Self::TypeScript | Self::Tsx => &[
                ("", ""),
                ("(", ")"),
                ("async function* f() { ", " }"),
                ("class A { ", " }"),
                ("", " class A {}"),
            ],
            Self::Go => &[("", ""), ("package p\n", "\n"), ("package p\nfunc f() {\n", "\n}\n")],
            Self::Rust => &[
                ("", ""),
                ("fn f() { ", " }"),
                ("fn f() { ", "; }"),
                ("", " fn f() {}"),
                ("struct S { ", " }"),
                ("type T = ", ";"),
            ],
        }
    }
}

impl Matcher {
    /// A pattern, such as `print($X)`.
    ///
    /// # Errors
    ///
    /// In one line, why it is none in any of the languages.
    pub(super) fn pattern(source: &str, languages: &[Language]) -> Result<Self, String> {
        let source = source.trim();
        let is_name = |c: char| c.is_ascii_uppercase() || c.is_ascii_digit() || "$_".contains(c);
        if source.starts_with('$') && source.chars().all(is_name) {
            return Err("it fits anything".to_owned());
        }
        let mut forms = Vec::new();
        let mut problem = "it has no language".to_owned();
        for language in languages {
            match Pattern::try_new(source, language.grammar()) {
                Ok(pattern) if pattern.has_error() || !parses(source, *language) => {
                    problem = "it does not parse".to_owned();
                }
                Ok(pattern) => forms.push((*language, Form::Pattern(Box::new(pattern)))),
                Err(error) => problem = causes(&error),
            }
        }
        match forms.is_empty() {
            true => Err(problem),
            false => Ok(Self { forms }),
        }
    }

    /// A rule of relations between nodes.
    ///
    /// # Errors
    ///
    /// In one line, why it does not compile in one of the languages.
    pub(super) fn rule(
        core: &SerializableRuleCore,
        languages: &[Language],
    ) -> Result<Self, String> {
        let compiled = languages.iter().map(|language| {
            let environment = DeserializeEnv::new(language.grammar());
            let rule = core.get_matcher(environment).map_err(|error| causes(&error))?;
            Ok((*language, Form::Rule(Box::new(rule))))
        });
        Ok(Self { forms: compiled.collect::<Result<_, String>>()? })
    }

    /// Whether it is looked for in files of this language.
    pub(super) fn reads(&self, language: Language) -> bool {
        self.forms.iter().any(|(known, _)| *known == language)
    }

    /// Byte ranges of what it finds, in order; nothing in a language that it does not read.
    pub(super) fn find(&self, tree: &Tree) -> Vec<(usize, usize)> {
        self.found(tree, MAX_PLACES)
    }

    /// Whether it finds anything.
    pub(super) fn is_in(&self, tree: &Tree) -> bool {
        !self.found(tree, 1).is_empty()
    }

    fn found(&self, tree: &Tree, most: usize) -> Vec<(usize, usize)> {
        let form = self.forms.iter().find(|(known, _)| *known == tree.language);
        match form {
            None => Vec::new(),
            Some((_, Form::Pattern(pattern))) => ranges(tree, pattern.as_ref(), most),
            Some((_, Form::Rule(rule))) => ranges(tree, rule.as_ref(), most),
        }
    }
}

fn ranges(tree: &Tree, matcher: &impl ast_grep_core::Matcher, most: usize) -> Vec<(usize, usize)> {
    let root = tree.root.root();
    let found = root.find_all(matcher).map(|found| found.range());
    found.map(|range| (range.start, range.end)).take(most).collect()
}

/// Whether the grammar reads a pattern whole, alone or where such code may stand. It goes on after an error,
/// and would look for a fragment.
fn parses(source: &str, language: Language) -> bool {
    let grammar = language.grammar();
    let readable = grammar.pre_process_pattern(source);
    language.contexts().iter().any(|(before, after)| {
        let code = format!("{before}{readable}{after}");
        AstGrep::try_new(&code, grammar).is_ok_and(|tree| !tree.root().get_inner_node().has_error())
    })
}

/// An error with what caused it.
fn causes(error: &dyn Error) -> String {
    let mut sentence = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        sentence.push_str(": ");
        sentence.push_str(&error.to_string());
        cause = error.source();
    }
    sentence.lines().collect::<Vec<_>>().join(" ")
}
