//! Files on which our verdict and a front end's differ, grouped by the messages of both.
//!
//! Counting them is the tally's.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use ftl_testkit::Result;

use super::checkers::Checked;
use super::rows::FileRow;
use super::tally::Outcome;
use super::verdict::Verdict;

/// One file of the tuning part.
#[derive(Debug, Clone)]
pub(crate) struct Disagreement {
    pub(crate) outcome: Outcome,
    pub(crate) label: String,
    pub(crate) path: String,
    /// Line and message of the side that refuses; where both do, of ours.
    pub(crate) ours: (usize, String),
    pub(crate) theirs: (usize, String),
}

/// What is shown of the tuning part, and the counts of both parts.
#[derive(Default)]
pub(crate) struct Compared {
    pub(crate) disagreements: Vec<Disagreement>,
    /// Files with findings whose places contradict one another or the file.
    pub(crate) misplaced: Vec<PathBuf>,
}

impl Compared {
    /// Compares our verdicts on files with theirs.
    pub(crate) fn add(&mut self, rows: &[FileRow], ours: &[Checked], theirs: &[Verdict]) {
        for ((row, ours), theirs) in rows.iter().zip(ours).zip(theirs) {
            if row.is_held_out {
                continue;
            }
            if ours.misplaced > 0 {
                self.misplaced.push(row.path.clone());
            }
            let ours = &ours.verdict;
            let outcome = Outcome::of(ours, theirs);
            if outcome != Outcome::Agree
                && (outcome != Outcome::None || ours.status != theirs.status)
            {
                self.disagreements.push(Disagreement {
                    outcome,
                    label: row.label.clone(),
                    path: row.path.display().to_string(),
                    ours: (ours.line, ours.message.clone()),
                    theirs: (theirs.line, theirs.message.clone()),
                });
            }
        }
    }
}

/// Disagreements of one kind with like messages.
pub(crate) struct Group<'a> {
    pub(crate) outcome: Outcome,
    pub(crate) count: usize,
    pub(crate) example: &'a Disagreement,
}

impl Disagreement {
    /// What the one who is right in the reference's eyes says, or we say without reason.
    pub(crate) fn said(&self) -> &str {
        match self.outcome {
            Outcome::FalseAccept => &self.theirs.1,
            Outcome::FalseReject | Outcome::OtherLine | Outcome::Agree | Outcome::None => {
                &self.ours.1
            }
        }
    }
}

/// The groups, the largest first within each kind.
pub(crate) fn grouped(all: &[Disagreement]) -> Vec<Group<'_>> {
    let mut groups: BTreeMap<(Outcome, String), Vec<&Disagreement>> = BTreeMap::new();
    for one in all {
        groups.entry((one.outcome, shape(one.said()))).or_default().push(one);
    }
    let mut groups: Vec<_> = groups
        .into_iter()
        .map(|((outcome, _), members)| Group {
            outcome,
            count: members.len(),
            example: members
                .iter()
                .copied()
                .min_by_key(|it| it.label.len())
                .expect("because no group is empty"),
        })
        .collect();
    groups.sort_by_key(|group| (group.outcome, usize::MAX - group.count));
    groups
}

/// Writes every disagreement of a language's tuning part, and the files with misplaced findings, below
/// `directory`, for people to look into.
pub(crate) fn write(compared: &Compared, language: &str, directory: &Path) -> Result {
    let line = |it: &Disagreement| {
        let (ours, theirs) = (&it.ours, &it.theirs);
        let Disagreement { outcome, label, path, .. } = it;
        format!(
            "{outcome:?}\t{}\t{}\t{}\t{}\t{label}\t{path}\n",
            ours.0, ours.1, theirs.0, theirs.1
        )
    };
    let misplaced =
        compared.misplaced.iter().map(|path| format!("Misplaced\t{}\n", path.display()));
    let text: String = compared.disagreements.iter().map(line).chain(misplaced).collect();
    let directory = directory.join("disagreements");
    fs::create_dir_all(&directory)?;
    Ok(fs::write(directory.join(language), text)?)
}

/// A message without what it quotes and counts.
fn shape(message: &str) -> String {
    let mut shape = String::new();
    let mut quote = None;
    for character in message.chars() {
        match quote {
            Some(open) if open == character => quote = None,
            Some(_) => {}
            None if "'`\"\u{201c}\u{201d}".contains(character) => quote = Some(character),
            None if character.is_ascii_digit() => {}
            None => shape.push(character),
        }
    }
    shape.truncate(shape.floor_char_boundary(60));
    shape
}

#[cfg(test)]
mod tests {
    use super::shape;

    #[test]
    fn messages_that_differ_in_what_they_quote_are_of_one_shape() {
        assert_eq!(
            shape("expected `;`, found `a` (3:4)"),
            shape("expected `)`, found `bc` (15:1)")
        );
        assert_ne!(shape("expected `;`"), shape("unexpected `;`"));
    }
}
