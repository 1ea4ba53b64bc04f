//! Texts of files, drawn so that no two are equal. Where they are written, `actors` decides.

use std::collections::BTreeSet;

use crate::oracle::text::{Language, Text};

use super::Drawing;

pub(super) const MARKS: [&str; 3] = ["mark_alpha", "mark_beta", "mark_gamma"];
pub(super) const NAMES: [&str; 4] = ["load", "store", "LIMIT", "merge"];

impl Drawing {
    /// A text that no other one equals.
    fn fresh(&mut self) -> Text {
        self.serial += 1;
        Text::plain(self.serial)
    }

    /// What a file reads before anybody touches it.
    pub(super) fn first_text(&mut self, path: &str) -> Text {
        let mut text = self.fresh();
        for mark in MARKS {
            if self.chance(35) {
                text.marks.insert(mark, 1 + self.below(2));
            }
        }
        if Language::of(path).has_names() {
            text.names = NAMES.into_iter().filter(|_| self.chance(60)).collect();
        }
        text.broken = self.chance(3);
        text
    }

    /// A change of `old`: mostly the same marks and names, and in `broken` of a hundred
    /// cases something that does not parse.
    pub(super) fn next_text(&mut self, old: Option<&Text>, broken: usize) -> Text {
        let mut text = self.fresh();
        if let Some(old) = old {
            let kept = old.marks.iter().filter(|_| self.chance(93));
            text.marks = kept.map(|(mark, count)| (*mark, *count)).collect();
            text.names = old.names.iter().copied().filter(|_| self.chance(93)).collect();
        }
        if self.chance(15) {
            *text.marks.entry(self.pick(&MARKS)).or_default() += 1;
        }
        text.broken = self.chance(broken);
        text
    }

    /// `old` with its names given away, and imported again from `module` if so wished.
    pub(super) fn given_away(&mut self, old: &Text, module: Option<&str>) -> Text {
        let mut text = self.fresh();
        text.marks.clone_from(&old.marks);
        if let Some(module) = module {
            text.imports = old.names.iter().map(|name| (*name, module.to_owned())).collect();
        }
        text
    }

    /// `old`, if any, with `names` defined in it too.
    pub(super) fn taking(&mut self, old: Option<&Text>, names: &BTreeSet<&'static str>) -> Text {
        let mut text = self.fresh();
        if let Some(old) = old {
            text.marks.clone_from(&old.marks);
            text.names.clone_from(&old.names);
        }
        text.names.extend(names);
        text
    }
}
