//! The behaviour of agents, patches, the tree and the verify command.

use crate::oracle::random::Random;
use crate::oracle::scenario::{
    Delta, Edit, Ending, Exit, Hunk, Implementer, Needs, Outside, Patch, Scratch, Transform, Tree,
    Trouble, Turn, Utilized, VerifyRun,
};
use crate::oracle::text::Text;

use super::Focus;
use super::texts::Texts;

/// An implementer, and the delta as its first piece of work leaves it.
pub(super) fn implementer(
    random: &mut Random,
    texts: &mut Texts,
    focus: Focus,
    git: bool,
    delta: &mut [Delta],
) -> (Implementer, Vec<Option<Text>>) {
    if git {
        committed(random, texts, delta);
    }
    match random.weighted(&[(60, 0), (20, 1), (20, 2)]) {
        0 => {
            let turns = turns(random, texts, focus, git, delta);
            let first = after(delta, &turns[0].edits);
            (Implementer::Agent(turns), first)
        }
        1 => {
            let patches = patches(random, texts, focus, delta);
            let edits: Vec<Edit> =
                patches[0].hunks.iter().map(|hunk| (hunk.file, hunk.to.clone())).collect();
            (Implementer::Patches(patches), after(delta, &edits))
        }
        _ => {
            let tree = tree(random, texts, focus, git, delta);
            (Implementer::Tree(tree), current(delta))
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

fn committed(random: &mut Random, texts: &mut Texts, delta: &mut [Delta]) {
    for file in delta {
        file.ignored = random.chance(8);
        if !file.ignored {
            file.committed = match random.below(10) {
                0..6 => file.start.clone(),
                6..9 => Some(texts.first(random, file.path)),
                _ => None,
            };
        }
    }
}

fn tree(
    random: &mut Random,
    texts: &mut Texts,
    focus: Focus,
    git: bool,
    delta: &mut [Delta],
) -> Tree {
    let broken = focus.odds(Focus::Preflight, 20, 2);
    for file in delta {
        if random.chance(60) {
            file.start = Some(texts.next(random, file.committed.as_ref(), broken));
        }
    }
    Tree {
        named: random.chance(50),
        base_head: random.chance(if git { 30 } else { 2 }),
        strict_scope: git && random.chance(40),
        outside_differs: git && random.chance(30),
    }
}

fn current(delta: &[Delta]) -> Vec<Option<Text>> {
    delta.iter().map(|file| file.start.clone()).collect()
}

/// New texts for some files; `now` is brought up to date with them.
fn edits(
    random: &mut Random,
    texts: &mut Texts,
    now: &mut [Option<Text>],
    share: usize,
    broken: usize,
) -> Vec<Edit> {
    let mut edits = Vec::new();
    let certain = random.below(now.len());
    for (file, now) in now.iter_mut().enumerate() {
        if file != certain && !random.chance(share) {
            continue;
        }
        let deleted = now.is_some() && random.chance(5);
        *now = (!deleted).then(|| texts.next(random, now.as_ref(), broken));
        edits.push((file, now.clone()));
    }
    edits
}

fn turns(
    random: &mut Random,
    texts: &mut Texts,
    focus: Focus,
    git: bool,
    delta: &[Delta],
) -> Vec<Turn> {
    let mut now = current(delta);
    let broken = focus.odds(Focus::Preflight, 40, 3);
    let mut first = Turn::default();
    if !random.chance(focus.odds(Focus::Implement, 15, 3)) {
        first.edits = match moved(random, texts, focus, delta, &mut now) {
            Some(edits) => edits,
            None => edits(random, texts, &mut now, 75, broken),
        };
    }
    trouble(random, &mut first, focus.odds(Focus::Implement, 60, 2), git);
    if random.chance(focus.odds(Focus::Implement, 10, 1)) {
        let kinds = [Transform::Executable, Transform::Directory, Transform::Link];
        first.transform = Some((random.below(delta.len()), random.pick(&kinds)));
    }
    let mut turns = vec![first];
    for _ in 0..random.below(5) {
        let mut turn = Turn::default();
        if !random.chance(10) {
            turn.edits = edits(random, texts, &mut now, 45, focus.odds(Focus::Preflight, 35, 10));
        }
        trouble(random, &mut turn, 12, git);
        turns.push(turn);
    }
    turns
}

/// Names that leave one root-level Python file for another.
fn moved(
    random: &mut Random,
    texts: &mut Texts,
    focus: Focus,
    delta: &[Delta],
    now: &mut [Option<Text>],
) -> Option<Vec<Edit>> {
    let place = |path: &str| delta.iter().position(|file| file.path == path);
    let (giver, taker) = (place("four.py")?, place("five.py")?);
    let old = now[giver].clone()?;
    if !random.chance(focus.odds(Focus::Quality, 60, 0)) {
        return None;
    }
    let module = random.chance(60).then_some("five");
    let given = texts.given_away(&old, module);
    let taken = texts.taking(now[taker].as_ref(), &old.names);
    now[giver] = Some(given.clone());
    now[taker] = Some(taken.clone());
    Some(vec![(giver, Some(given)), (taker, Some(taken))])
}

fn trouble(random: &mut Random, turn: &mut Turn, chance: usize, git: bool) {
    if random.chance(20) {
        let kinds = if git {
            vec![Scratch::PythonCache, Scratch::NodeModules, Scratch::Ignored, Scratch::GitNoise]
        } else {
            vec![Scratch::PythonCache, Scratch::NodeModules]
        };
        turn.scratch = Some(random.pick(&kinds));
    }
    turn.no_change = random.chance(10);
    let claims = [Utilized::FirstFailure, Utilized::Invented];
    turn.utilized = claims.into_iter().filter(|_| random.chance(20)).collect();
    if random.chance(10) {
        turn.needs = Some(Needs::InsideDelta);
    }
    if !random.chance(chance) {
        return;
    }
    match random.below(10) {
        0..4 => turn.outside = Some(outside(random, git)),
        4..6 => turn.needs = Some(Needs::OutsideDelta),
        6 => turn.no_change = true,
        _ => turn.exit = exit(random),
    }
}

fn outside(random: &mut Random, git: bool) -> Outside {
    let kinds = [Outside::Create, Outside::Change, Outside::Delete, Outside::Mode, Outside::Hook];
    random.pick(if git { &kinds } else { &kinds[..4] })
}

fn exit(random: &mut Random) -> Exit {
    random.weighted(&[
        (12, Exit::Code(1)),
        (4, Exit::Code(126)),
        (4, Exit::Code(127)),
        (4, Exit::Signal),
        (1, Exit::Hang),
    ])
}

fn patches(random: &mut Random, texts: &mut Texts, focus: Focus, delta: &[Delta]) -> Vec<Patch> {
    let mut now = current(delta);
    let broken = focus.odds(Focus::Preflight, 40, 3);
    let count = random.weighted(&[(50, 1), (30, 2), (20, 3)]);
    let mut patches = Vec::new();
    for _ in 0..count {
        patches.push(patch(random, texts, focus, delta, &mut now, broken));
    }
    patches
}

fn patch(
    random: &mut Random,
    texts: &mut Texts,
    focus: Focus,
    delta: &[Delta],
    now: &mut [Option<Text>],
    broken: usize,
) -> Patch {
    let before = now.to_vec();
    let mut hunks: Vec<Hunk> = edits(random, texts, now, 60, broken)
        .into_iter()
        .map(|(file, to)| Hunk { file, from: before[file].clone(), to })
        .collect();
    if random.chance(focus.odds(Focus::Implement, 15, 4)) {
        // Made for a file that never existed.
        hunks.truncate(1);
        hunks[0].from = Some(texts.next(random, None, 0));
    }
    let nested = hunks.iter().any(|hunk| delta[hunk.file].path.contains('/'));
    Patch {
        hunks,
        prefixes: nested || random.chance(80),
        strays: random.chance(focus.odds(Focus::Implement, 12, 1)),
    }
}

/// A patch that fits the delta where it reads like `now`.
pub(super) fn fix_patch(
    random: &mut Random,
    texts: &mut Texts,
    delta: &[Delta],
    now: &[Option<Text>],
) -> Patch {
    patch(random, texts, Focus::Verify, delta, &mut now.to_vec(), 8)
}

/// A command's edits of the delta where it reads like `now`.
pub(super) fn fix_edits(random: &mut Random, texts: &mut Texts, now: &[Option<Text>]) -> Vec<Edit> {
    edits(random, texts, &mut now.to_vec(), 30, 8)
}

pub(super) fn verify(
    random: &mut Random,
    texts: &mut Texts,
    focus: Focus,
    now: &[Option<Text>],
) -> Vec<VerifyRun> {
    let failing = random.weighted(&if focus == Focus::Verify {
        [(10, 0), (40, 1), (30, 2), (20, 3)]
    } else {
        [(84, 0), (10, 1), (4, 2), (2, 3)]
    });
    let mut runs = Vec::new();
    for _ in 0..failing {
        runs.push(failing_run(random));
    }
    if runs.is_empty() || random.chance(70) {
        runs.push(VerifyRun { ending: Ending::Pass, ..failing_run(random) });
    }
    for run in &mut runs {
        run.litters = random.chance(10);
        if random.chance(focus.odds(Focus::Quality, 10, 2)) {
            let file = random.below(now.len());
            let text = texts.next(random, now[file].as_ref(), 10);
            run.edits.push((file, (!random.chance(10)).then_some(text)));
        }
    }
    runs
}

fn failing_run(random: &mut Random) -> VerifyRun {
    let troubles = match random.below(20) {
        0 => Vec::new(),
        1 | 2 => vec![Trouble::Refused, Trouble::Assertion],
        3..9 => vec![random.pick(&Trouble::ALL[..3])],
        _ => vec![random.pick(&Trouble::ALL[3..])],
    };
    let ending = random.weighted(&[(230, Ending::Fail), (19, Ending::Signal), (1, Ending::Hang)]);
    VerifyRun {
        ending,
        troubles: if ending == Ending::Hang { Vec::new() } else { troubles },
        to_stderr: random.chance(40),
        edits: Vec::new(),
        litters: false,
    }
}
