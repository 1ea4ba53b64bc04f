//! Idioms judged over the delta: what each comes to, and where.
//!
//! Old and new occurrences differ in weight. Forbidden code that was there before is not this task's
//! doing, and is only a warning; required code counts wherever it is. What no rule decides is
//! undecidable and said so; policy, not this module, decides what that leads to.

use ftl_model::{Idiom, IdiomKind, Idioms};

use super::judgement::{ALLOWED, COMMENT, Judgement, forbidden, names, required, undecidable};
use super::occurrence::{Search, occurrences};
use super::rule::Rule;
use super::structural::structural;
use crate::pattern::{Deadline, GivenUp, Pattern};
use crate::quality::FileText;
use crate::quality::structure::{Rules, Trees};
use ftl_model::{IdiomSeverity, IdiomStatus, IdiomVerdict};

/// Judges every idiom over the delta's files: the required ones, then the forbidden ones, in the
/// order of the document.
///
/// A required idiom is kept when it is found at least once in the files as they are. A forbidden one
/// is broken by an occurrence that was not there before, unless a comment allows it. An idiom that
/// no rule decides is undecidable, never kept in silence.
pub fn judge_idioms(idioms: &Idioms, files: &[FileText<'_>], rules: &Rules) -> Vec<IdiomVerdict> {
    let bench = Bench {
        files,
        rules,
        framework: idioms.framework.as_deref(),
        trees: Trees::default(),
        deadline: Deadline::of_a_phase(),
    };
    let required = idioms.required.iter().map(|it| (it, IdiomKind::Required));
    let forbidden = idioms.forbidden.iter().map(|it| (it, IdiomKind::Forbidden));
    required.chain(forbidden).map(|(idiom, kind)| bench.judge(idiom, kind)).collect()
}

/// What the verdicts hold that blocks nothing but should be known: idioms that nothing decided,
/// forbidden code that was there before, places that a comment allows.
pub fn idiom_warnings(verdicts: &[IdiomVerdict]) -> Vec<String> {
    let mut warnings = Vec::new();
    for verdict in verdicts {
        let idiom = format!("{} idiom `{}`", verdict.kind, verdict.text);
        match verdict.verdict {
            IdiomStatus::Undecidable => {
                let why = verdict.note.as_deref().unwrap_or("no rule decides this text");
                warnings.push(format!("{idiom} is undecided: {why}"));
            }
            IdiomStatus::Satisfied | IdiomStatus::Violated
                if verdict.kind == IdiomKind::Forbidden =>
            {
                warnings.extend(old_places(verdict, &idiom));
                // Of a violation the note may be the rule's advice alone.
                let note = verdict.note.iter().filter(|note| {
                    verdict.verdict == IdiomStatus::Satisfied || is_about_comments(note)
                });
                warnings.extend(note.map(|note| format!("{idiom}: {note}")));
            }
            IdiomStatus::Satisfied | IdiomStatus::Violated | IdiomStatus::NotApplicable => {}
        }
    }
    warnings
}

/// Whether a note begins with what comments allow.
fn is_about_comments(note: &str) -> bool {
    note.starts_with(ALLOWED) || note.starts_with(COMMENT)
}

fn old_places(verdict: &IdiomVerdict, idiom: &str) -> Option<String> {
    let old: Vec<String> = verdict
        .places
        .iter()
        .filter(|place| !place.new)
        .map(|place| format!("{}:{}:{}", place.path, place.line, place.column))
        .collect();
    (!old.is_empty()).then(|| format!("{idiom} was broken before: {}", old.join(", ")))
}

/// What all idioms of one delta are judged on.
struct Bench<'a> {
    files: &'a [FileText<'a>],
    rules: &'a Rules,
    framework: Option<&'a str>,
    trees: Trees,
    deadline: Deadline,
}

impl Bench<'_> {
    fn judge(&self, idiom: &Idiom, kind: IdiomKind) -> IdiomVerdict {
        let late = self.deadline.check().map_err(|late| late.to_string());
        let rule = late.and_then(|()| Rule::of(idiom, kind, self.framework, self.rules));
        let mut decided_by = idiom.rule.clone();
        let mut severity = None;
        let (verdict, places, note) = match rule {
            Err(why) | Ok(Rule::None(why)) => undecidable(why),
            Ok(Rule::Regex(pattern)) => self.textual(&pattern, kind, idiom),
            Ok(Rule::Structure(structure)) => {
                decided_by = structure.id().map(str::to_owned).or(decided_by);
                severity = structure.is_warning().then_some(IdiomSeverity::Warning);
                structural(&structure, kind, idiom, self.files, &self.trees)
            }
        };
        IdiomVerdict {
            kind,
            text: idiom.text.clone().unwrap_or_default(),
            rule: decided_by,
            verdict,
            places,
            note,
            severity,
        }
    }

    fn textual(&self, pattern: &Pattern, kind: IdiomKind, idiom: &Idiom) -> Judgement {
        let texts = Texts { pattern, files: self.files, deadline: &self.deadline };
        match occurrences(&texts, self.files) {
            Err(given_up) => undecidable(given_up.to_string()),
            Ok(found) if kind == IdiomKind::Required => required(&found),
            Ok(found) => forbidden(&found, &names(idiom, None), self.files),
        }
    }
}

/// A pattern, searched for in whole texts.
pub(super) struct Texts<'a> {
    pub(super) pattern: &'a Pattern,
    pub(super) files: &'a [FileText<'a>],
    pub(super) deadline: &'a Deadline,
}

impl Search for Texts<'_> {
    fn ranges(&self, index: usize, is_before: bool) -> Result<Vec<(usize, usize)>, GivenUp> {
        let file = &self.files[index];
        let text = if is_before { file.before } else { file.after };
        self.pattern.find_all(text.unwrap_or_default(), self.deadline)
    }

    fn is_known_by_first_line(&self) -> bool {
        false
    }
}
