//! What one structure comes to over the delta's files.
//!
//! Reading a file into a tree costs more than all else, so files are looked at on every core, those of before only if
//! something was found, and a guard is searched for only if nothing was.

use std::sync::OnceLock;

use ftl_model::{Idiom, IdiomKind, IdiomStatus};

use super::judgement::{Judgement, forbidden, names, required, undecidable};
use super::occurrence::{Search, occurrences};
use crate::each::in_each;
use crate::pattern::GivenUp;
use crate::quality::FileText;
use crate::quality::structure::{FoundNode, Structure, Trees};

/// A structure, searched for in syntax trees.
struct Nodes<'a> {
    structure: &'a Structure,
    files: &'a [FileText<'a>],
    trees: &'a Trees,
    now: Vec<FoundNode>,
    before: OnceLock<Vec<FoundNode>>,
}

impl<'a> Nodes<'a> {
    fn found(structure: &'a Structure, files: &'a [FileText<'a>], trees: &'a Trees) -> Self {
        Self {
            structure,
            files,
            trees,
            now: look(structure, files, trees, false),
            before: OnceLock::new(),
        }
    }

    /// Whether what the rule speaks of is there at all.
    fn says_something(&self) -> bool {
        if !self.structure.has_guard() {
            return self.now.iter().any(|look| look.applies) || !self.structure.is_of_rule();
        }
        let is_guarded =
            |index: usize| self.structure.is_guarded(self.trees, index, &self.files[index]);
        in_each(self.files.len(), is_guarded).contains(&true)
    }
}

fn look(
    structure: &Structure,
    files: &[FileText<'_>],
    trees: &Trees,
    is_before: bool,
) -> Vec<FoundNode> {
    in_each(files.len(), |index| structure.in_file(trees, index, &files[index], is_before))
}

impl Search for Nodes<'_> {
    fn ranges(&self, index: usize, is_before: bool) -> Result<Vec<(usize, usize)>, GivenUp> {
        let looks = match is_before {
            false => &self.now,
            true => self.before.get_or_init(|| look(self.structure, self.files, self.trees, true)),
        };
        Ok(looks[index].ranges.clone())
    }

    fn is_known_by_first_line(&self) -> bool {
        true
    }
}

/// What one structure comes to in new texts, comments that allow places aside.
#[cfg(feature = "structural")]
pub(in crate::quality) fn judge_structure(
    structure: &Structure,
    kind: IdiomKind,
    files: &[FileText<'_>],
) -> IdiomStatus {
    let trees = Trees::default();
    let idiom = Idiom::default();
    structural(structure, kind, &idiom, files, &trees).0
}

/// What a structure comes to. What is not found in a file that was not read whole may be there.
pub(super) fn structural(
    structure: &Structure,
    kind: IdiomKind,
    idiom: &Idiom,
    files: &[FileText<'_>],
    trees: &Trees,
) -> Judgement {
    let nodes = Nodes::found(structure, files, trees);
    let found = match occurrences(&nodes, files) {
        Ok(found) => found,
        Err(given_up) => return undecidable(given_up.to_string()),
    };
    let judgement = match kind {
        IdiomKind::Required => required(&found),
        IdiomKind::Forbidden => forbidden(&found, &names(idiom, structure.id()), files),
    };
    let is_found = match kind {
        IdiomKind::Required => judgement.0 == IdiomStatus::Satisfied,
        IdiomKind::Forbidden => judgement.0 == IdiomStatus::Violated,
    };
    let unread = nodes.now.iter().find_map(|look| look.unread.clone());
    if let (false, Some(why)) = (is_found, unread) {
        let note = format!("{why}, so that what was not found may still be there");
        return (IdiomStatus::Undecidable, judgement.1, Some(note));
    }
    if kind == IdiomKind::Required && !is_found && !nodes.says_something() {
        let note = "nothing in the delta's files is what it speaks of".to_owned();
        return (IdiomStatus::NotApplicable, Vec::new(), Some(note));
    }
    advised(judgement, structure)
}

/// With why the rule is kept and how, where it was broken.
fn advised((status, places, note): Judgement, structure: &Structure) -> Judgement {
    let advice = structure.advice().filter(|_| status == IdiomStatus::Violated);
    let words: Vec<String> = note.into_iter().chain(advice).collect();
    (status, places, (!words.is_empty()).then(|| words.join("; ")))
}
