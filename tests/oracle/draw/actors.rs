//! The behaviour of agents, patches, the tree and the verify command.

use crate::oracle::scenario::{
    Delta, Edit, Ending, Exit, Hunk, Implementer, Needs, Outside, Patch, Scratch, Transform, Tree,
    Trouble, Turn, Utilized, VerifyRun,
};
use crate::oracle::text::Text;

use super::{Drawing, Focus};

impl Drawing {
    /// An implementer, and the delta as its first piece of work leaves it.
    pub(super) fn implementer(&mut self, delta: &mut [Delta]) -> (Implementer, Vec<Option<Text>>) {
        if self.git {
            self.committed(delta);
        }
        match self.weighted(&[(60, 0), (20, 1), (20, 2)]) {
            0 => {
                let turns = self.turns(delta);
                let first = after(delta, &turns[0].edits);
                (Implementer::Agent(turns), first)
            }
            1 => {
                let patches = self.patches(delta);
                let edits: Vec<Edit> =
                    patches[0].hunks.iter().map(|hunk| (hunk.file, hunk.to.clone())).collect();
                (Implementer::Patches(patches), after(delta, &edits))
            }
            _ => {
                let tree = self.tree(delta);
                (Implementer::Tree(tree), current(delta))
            }
        }
    }

    fn committed(&mut self, delta: &mut [Delta]) {
        for file in delta {
            file.ignored = self.chance(8);
            if !file.ignored {
                file.committed = match self.below(10) {
                    0..6 => file.start.clone(),
                    6..9 => Some(self.first_text(file.path)),
                    _ => None,
                };
            }
        }
    }

    fn tree(&mut self, delta: &mut [Delta]) -> Tree {
        let broken = self.odds(Focus::Preflight, 20, 2);
        for file in delta {
            if self.chance(60) {
                file.start = Some(self.next_text(file.committed.as_ref(), broken));
            }
        }
        Tree {
            named: self.chance(50),
            base_head: self.chance(if self.git { 30 } else { 2 }),
            strict_scope: self.git && self.chance(40),
            outside_differs: self.git && self.chance(30),
        }
    }

    /// New texts for some files; `now` is brought up to date with them.
    fn edits(&mut self, now: &mut [Option<Text>], share: usize, broken: usize) -> Vec<Edit> {
        let mut edits = Vec::new();
        let certain = self.below(now.len());
        for (file, now) in now.iter_mut().enumerate() {
            if file != certain && !self.chance(share) {
                continue;
            }
            let deleted = now.is_some() && self.chance(5);
            *now = (!deleted).then(|| self.next_text(now.as_ref(), broken));
            edits.push((file, now.clone()));
        }
        edits
    }

    fn turns(&mut self, delta: &[Delta]) -> Vec<Turn> {
        let mut now = current(delta);
        let broken = self.odds(Focus::Preflight, 40, 3);
        let mut first = Turn::default();
        if !self.chance(self.odds(Focus::Implement, 15, 3)) {
            first.edits = match self.moved(delta, &mut now) {
                Some(edits) => edits,
                None => self.edits(&mut now, 75, broken),
            };
        }
        self.trouble(&mut first, self.odds(Focus::Implement, 60, 2));
        if self.chance(self.odds(Focus::Implement, 10, 1)) {
            let kinds = [Transform::Executable, Transform::Directory, Transform::Link];
            first.transform = Some((self.below(delta.len()), self.pick(&kinds)));
        }
        let mut turns = vec![first];
        for _ in 0..self.below(5) {
            let mut turn = Turn::default();
            if !self.chance(10) {
                turn.edits = self.edits(&mut now, 45, self.odds(Focus::Preflight, 35, 10));
            }
            self.trouble(&mut turn, 12);
            turns.push(turn);
        }
        turns
    }

    /// Names that leave one root-level Python file for another.
    fn moved(&mut self, delta: &[Delta], now: &mut [Option<Text>]) -> Option<Vec<Edit>> {
        let place = |path: &str| delta.iter().position(|file| file.path == path);
        let (giver, taker) = (place("four.py")?, place("five.py")?);
        let old = now[giver].clone()?;
        if !self.chance(self.odds(Focus::Quality, 60, 0)) {
            return None;
        }
        let module = self.chance(60).then_some("five");
        let given = self.given_away(&old, module);
        let taken = self.taking(now[taker].as_ref(), &old.names);
        now[giver] = Some(given.clone());
        now[taker] = Some(taken.clone());
        Some(vec![(giver, Some(given)), (taker, Some(taken))])
    }

    fn trouble(&mut self, turn: &mut Turn, chance: usize) {
        if self.chance(20) {
            let kinds = if self.git {
                vec![
                    Scratch::PythonCache,
                    Scratch::NodeModules,
                    Scratch::Ignored,
                    Scratch::GitNoise,
                ]
            } else {
                vec![Scratch::PythonCache, Scratch::NodeModules]
            };
            turn.scratch = Some(self.pick(&kinds));
        }
        turn.no_change = self.chance(10);
        let claims = [Utilized::FirstFailure, Utilized::Invented];
        turn.utilized = claims.into_iter().filter(|_| self.chance(20)).collect();
        if self.chance(10) {
            turn.needs = Some(Needs::InsideDelta);
        }
        if !self.chance(chance) {
            return;
        }
        match self.below(10) {
            0..4 => turn.outside = Some(self.outside()),
            4..6 => turn.needs = Some(Needs::OutsideDelta),
            6 => turn.no_change = true,
            _ => turn.exit = self.exit(),
        }
    }

    fn outside(&mut self) -> Outside {
        let kinds =
            [Outside::Create, Outside::Change, Outside::Delete, Outside::Mode, Outside::Hook];
        self.pick(if self.git { &kinds } else { &kinds[..4] })
    }

    fn exit(&mut self) -> Exit {
        self.weighted(&[
            (12, Exit::Code(1)),
            (4, Exit::Code(126)),
            (4, Exit::Code(127)),
            (4, Exit::Signal),
            (1, Exit::Hang),
        ])
    }

    fn patches(&mut self, delta: &[Delta]) -> Vec<Patch> {
        let mut now = current(delta);
        let broken = self.odds(Focus::Preflight, 40, 3);
        let count = self.weighted(&[(50, 1), (30, 2), (20, 3)]);
        let mut patches = Vec::new();
        for _ in 0..count {
            patches.push(self.patch(delta, &mut now, broken));
        }
        patches
    }

    fn patch(&mut self, delta: &[Delta], now: &mut [Option<Text>], broken: usize) -> Patch {
        let before = now.to_vec();
        let mut hunks: Vec<Hunk> = self
            .edits(now, 60, broken)
            .into_iter()
            .map(|(file, to)| Hunk { file, from: before[file].clone(), to })
            .collect();
        if self.chance(self.odds(Focus::Implement, 15, 4)) {
            // Made for a file that never existed.
            hunks.truncate(1);
            hunks[0].from = Some(self.next_text(None, 0));
        }
        let nested = hunks.iter().any(|hunk| delta[hunk.file].path.contains('/'));
        Patch {
            hunks,
            prefixes: nested || self.chance(80),
            strays: self.chance(self.odds(Focus::Implement, 12, 1)),
        }
    }

    /// A patch that fits the delta where it reads like `now`.
    pub(super) fn fix_patch(&mut self, delta: &[Delta], now: &[Option<Text>]) -> Patch {
        self.patch(delta, &mut now.to_vec(), 8)
    }

    /// A command's edits of the delta where it reads like `now`.
    pub(super) fn fix_edits(&mut self, now: &[Option<Text>]) -> Vec<Edit> {
        self.edits(&mut now.to_vec(), 30, 8)
    }

    pub(super) fn verify(&mut self, now: &[Option<Text>]) -> Vec<VerifyRun> {
        let failing = self.weighted(&if self.focus == Focus::Verify {
            [(10, 0), (40, 1), (30, 2), (20, 3)]
        } else {
            [(84, 0), (10, 1), (4, 2), (2, 3)]
        });
        let mut runs = Vec::new();
        for _ in 0..failing {
            runs.push(self.failing_run());
        }
        if runs.is_empty() || self.chance(70) {
            runs.push(VerifyRun { ending: Ending::Pass, ..self.failing_run() });
        }
        for run in &mut runs {
            run.litters = self.chance(10);
            if self.chance(self.odds(Focus::Quality, 10, 2)) {
                let file = self.below(now.len());
                let text = self.next_text(now[file].as_ref(), 10);
                run.edits.push((file, (!self.chance(10)).then_some(text)));
            }
        }
        runs
    }

    fn failing_run(&mut self) -> VerifyRun {
        let troubles = match self.below(20) {
            0 => Vec::new(),
            1 | 2 => vec![Trouble::Refused, Trouble::Assertion],
            3..9 => vec![self.pick(&Trouble::ALL[..3])],
            _ => vec![self.pick(&Trouble::ALL[3..])],
        };
        let ending = self.weighted(&[(230, Ending::Fail), (19, Ending::Signal), (1, Ending::Hang)]);
        VerifyRun {
            ending,
            troubles: if ending == Ending::Hang { Vec::new() } else { troubles },
            to_stderr: self.chance(40),
            edits: Vec::new(),
            litters: false,
        }
    }
}

fn after(delta: &[Delta], edits: &[Edit]) -> Vec<Option<Text>> {
    let mut now = current(delta);
    for (file, text) in edits {
        now[*file].clone_from(text);
    }
    now
}

fn current(delta: &[Delta]) -> Vec<Option<Text>> {
    delta.iter().map(|file| file.start.clone()).collect()
}
