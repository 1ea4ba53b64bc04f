//! The delta as the rules see it: what each actor makes of it, in memory. No file is written here.

use std::collections::BTreeSet;

use crate::oracle::expected::Phase;
use crate::oracle::scenario::{
    Edit, Exit, FixCommand, Implementer, Needs, Outside, Patch, Scenario, TestFile, Transform,
    Tree, Turn, Utilized, VerifyRun, failure_name,
};
use crate::oracle::text::{File, Language, Text};

use super::{Predicted, Stop};

/// How one request to an implementer, or one fix, went.
#[derive(Debug, Default)]
pub(super) struct Work {
    pub(super) failed: bool,
    pub(super) strayed: bool,
    pub(super) needs_more: bool,
    pub(super) no_change: bool,
}

/// The delta in the tree, and how far the scripted actors have come.
pub(super) struct World<'a> {
    scenario: &'a Scenario,
    /// What `touched` and new occurrences are reckoned against.
    pub(super) base: Vec<Option<File>>,
    pub(super) now: Vec<Option<File>>,
    /// What the project has again after a block; `None` while nothing was written in a workplace.
    project: Option<Vec<Option<File>>>,
    /// A verify wrote into the delta after it had landed.
    has_written_landed: bool,
    /// The delta when it was last checked for syntax.
    checked: Vec<Option<File>>,
    /// Once touched, a file stays so.
    touched: Vec<bool>,
    /// After the last request or fix the test file was not as in the project.
    changed_test: bool,
    pub(super) phases: Vec<Phase>,
    requests: usize,
    pub(super) verify_runs: usize,
    check_runs: Vec<usize>,
    pub(super) transformed: Option<usize>,
    /// Names that replies claim and prior knowledge holds.
    pub(super) utilized: BTreeSet<String>,
}

impl<'a> World<'a> {
    pub(super) fn new(scenario: &'a Scenario) -> Self {
        let now: Vec<_> =
            scenario.delta.iter().map(|file| file.start.clone().map(File::of)).collect();
        let base = match scenario.implementer {
            Implementer::Agent(_) | Implementer::Patches(_) => now.clone(),
            // The tree is compared with HEAD; without git all of it is new.
            Implementer::Tree(_) => {
                scenario.delta.iter().map(|file| file.committed.clone().map(File::of)).collect()
            }
        };
        let is_tree = matches!(scenario.implementer, Implementer::Tree(_));
        Self {
            scenario,
            base,
            project: (!is_tree).then(|| now.clone()),
            has_written_landed: false,
            checked: now.clone(),
            touched: vec![false; now.len()],
            changed_test: false,
            now,
            phases: Vec::new(),
            requests: 0,
            verify_runs: 0,
            check_runs: vec![0; scenario.checks.len()],
            transformed: None,
            utilized: BTreeSet::new(),
        }
    }

    pub(super) fn language(&self, file: usize) -> Language {
        Language::of(self.scenario.delta[file].path)
    }

    pub(super) fn note_touched(&mut self) {
        for (file, touched) in self.touched.iter_mut().enumerate() {
            *touched |= self.now[file] != self.base[file] || self.transformed == Some(file);
        }
    }

    pub(super) fn touched_count(&self) -> usize {
        self.touched.iter().filter(|touched| **touched).count()
    }

    pub(super) fn note_checked(&mut self) {
        self.checked = self.now.clone();
    }

    /// Looks at the test file when a request or a fix is over.
    pub(super) fn note_changed_test(&mut self) {
        self.changed_test = self.differs_from_project(0);
    }

    /// Whether the command runs with the test file as it was, before it decides.
    pub(super) fn has_changed_test(&self) -> bool {
        self.changed_test && self.differs_from_project(0)
    }

    /// Of a test file that was there, where the work is in a workplace.
    fn differs_from_project(&self, file: usize) -> bool {
        let start = &self.scenario.delta[file].start;
        let is_test = self.scenario.verify_source == Some(TestFile::InDelta);
        let is_tree = matches!(self.scenario.implementer, Implementer::Tree(_));
        let old = start.clone().map(File::of);
        let is_tried = self.scenario.mask.is_none();
        is_test && !is_tree && is_tried && old.is_some() && self.now[file] != old
    }

    /// Paths of the touched files; None when one of them is as it was in the end.
    pub(super) fn touched_paths(&self) -> Option<BTreeSet<String>> {
        let touched = (0..self.now.len()).filter(|file| self.touched[*file]);
        touched
            .map(|file| {
                let path = self.scenario.delta[file].path.to_owned();
                (self.now[file] != self.base[file]).then_some(path)
            })
            .collect()
    }

    /// Touched files that exist and have a checker.
    pub(super) fn judged_files(&self) -> Vec<usize> {
        let judged = |file: &usize| {
            self.touched[*file] && self.language(*file).is_checked() && self.now[*file].is_some()
        };
        (0..self.now.len()).filter(judged).collect()
    }

    /// Those of them that do not parse.
    pub(super) fn broken_files(&self) -> Vec<usize> {
        let broken = |file: &usize| self.now[*file].as_ref().is_some_and(|now| now.text.broken);
        self.judged_files().into_iter().filter(broken).collect()
    }

    /// By bytes: a mode alone does not count.
    pub(super) fn differs_from_checked(&self) -> bool {
        let text = |file: &Option<File>| file.as_ref().map(|file| file.text.clone());
        self.now.iter().zip(&self.checked).any(|(now, checked)| text(now) != text(checked))
    }

    pub(super) fn request(&mut self, phase: Phase) -> Predicted<Work> {
        let work = self.ask(phase)?;
        self.note_changed_test();
        Ok(work)
    }

    fn ask(&mut self, phase: Phase) -> Predicted<Work> {
        let scenario = self.scenario;
        let place = self.requests;
        self.requests += 1;
        match &scenario.implementer {
            Implementer::Agent(turns) => {
                self.phases.push(phase);
                match turns.get(place) {
                    Some(turn) => self.take_turn(turn, phase),
                    None => Ok(Work::default()),
                }
            }
            Implementer::Patches(patches) => match patches.get(place) {
                Some(patch) => self.apply_patch(patch),
                None => Ok(Work::default()),
            },
            Implementer::Tree(tree) => Ok(self.judge_tree(*tree, phase)),
        }
    }

    fn take_turn(&mut self, turn: &Turn, phase: Phase) -> Predicted<Work> {
        self.edit(&turn.edits);
        if turn.utilized.contains(&Utilized::FirstFailure) && !self.scenario.failures.is_empty() {
            self.utilized.insert(failure_name(0));
        }
        let mut failed = turn.exit != Exit::Success;
        if let Some((file, transform)) = turn.transform {
            if self.now[file].is_none() {
                return Err(Stop::Unclear("a transformation of a file that is not there"));
            }
            if phase != Phase::Implement {
                return Err(Stop::Unclear("whether a new mode alone is a change"));
            }
            match transform {
                Transform::Executable => {
                    self.now[file].as_mut().expect("because it was looked at").executable = true;
                }
                Transform::Directory | Transform::Link => {
                    failed = true;
                    self.transformed = Some(file);
                }
            }
        }
        Ok(Work {
            failed,
            strayed: self.strays(turn.outside),
            needs_more: turn.needs == Some(Needs::OutsideDelta),
            no_change: turn.no_change,
        })
    }

    fn judge_tree(&self, tree: Tree, phase: Phase) -> Work {
        Work {
            // There is no agent to apply prose.
            failed: phase == Phase::ApplyFix,
            strayed: tree.strict_scope && tree.outside_differs,
            needs_more: false,
            // Nothing differs from HEAD: taken as said.
            no_change: self.now == self.base,
        }
    }

    pub(super) fn apply_patch(&mut self, patch: &Patch) -> Predicted<Work> {
        if patch.hunks.is_empty() && !patch.strays {
            return Err(Stop::Unclear("whether an empty patch applies"));
        }
        let text = |file: &Option<File>| file.as_ref().map(|file| file.text.clone());
        let fits = |from: &Option<Text>, file: usize| *from == text(&self.now[file]);
        let fitting = patch.hunks.iter().filter(|hunk| fits(&hunk.from, hunk.file)).count();
        if fitting == patch.hunks.len() {
            let edits: Vec<Edit> =
                patch.hunks.iter().map(|hunk| (hunk.file, hunk.to.clone())).collect();
            self.edit(&edits);
            let strayed = patch.strays && !self.scenario.drops_strays;
            return Ok(Work { strayed, ..Work::default() });
        }
        if fitting > 0 || patch.strays {
            return Err(Stop::Unclear("how much of a patch is applied when a part fits"));
        }
        if patch.hunks.iter().any(|hunk| hunk.from.is_none()) {
            return Err(Stop::Unclear("whether a patch may create a file that is there"));
        }
        Ok(Work { failed: true, ..Work::default() })
    }

    pub(super) fn run_fix(&mut self, fix: &FixCommand) -> Work {
        self.edit(&fix.edits);
        let strayed = self.strays(fix.outside);
        Work { failed: fix.exit != 0, strayed, ..Work::default() }
    }

    /// Whether what a script does outside the delta blocks. Git's directory is the workplace's own.
    fn strays(&self, outside: Option<Outside>) -> bool {
        !self.scenario.drops_strays && outside.is_some_and(|kind| kind != Outside::Hook)
    }

    /// A fix writes in a workplace, also where the implementer is the project as it is.
    pub(super) fn begin_fix(&mut self) -> Predicted<()> {
        if self.has_written_landed {
            return Err(Stop::Unclear("how a fix meets what a verify wrote into the landed delta"));
        }
        self.project.get_or_insert_with(|| self.now.clone());
        Ok(())
    }

    /// The delta in the project, after a block or not.
    pub(super) fn end(&self, is_blocked: bool) -> Vec<Option<File>> {
        self.project.clone().filter(|_| is_blocked).unwrap_or_else(|| self.now.clone())
    }

    /// Whether the check passed.
    pub(super) fn run_check(&mut self, place: usize) -> bool {
        let scenario = self.scenario;
        let check = &scenario.checks[place];
        self.check_runs[place] += 1;
        if let (1, Some((file, text))) = (self.check_runs[place], &check.overwrites) {
            self.edit(&[(*file, Some(text.clone()))]);
        }
        check.failing_runs.is_some_and(|failing| self.check_runs[place] > failing)
    }

    pub(super) fn run_verify(&mut self) -> &'a VerifyRun {
        self.verify_runs += 1;
        let run = self.last_verify();
        let before = self.now.clone();
        self.edit(&run.edits);
        if let Some(project) = &mut self.project {
            for file in (0..before.len()).filter(|file| self.now[*file] != before[*file]) {
                // What changed after the landing stays as it is.
                project[file].clone_from(&self.now[file]);
                self.has_written_landed = true;
            }
        }
        run
    }

    pub(super) fn last_verify(&self) -> &'a VerifyRun {
        let runs = &self.scenario.verify;
        &runs[(self.verify_runs - 1).min(runs.len() - 1)]
    }

    fn edit(&mut self, edits: &[Edit]) {
        for (file, text) in edits {
            let executable = self.now[*file].as_ref().is_some_and(|old| old.executable);
            self.now[*file] = text.clone().map(|text| File { text, executable });
        }
    }
}
