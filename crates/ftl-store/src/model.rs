//! The protocol of locks and seal as a small machine, of which every state is visited: builders that
//! go through the same tasks in every interleaving, and crash or fail wherever they like.
//!
//! It is about the order of the steps. That each step does what it says is for the tests beside it.

use std::collections::{BTreeSet, VecDeque};

const BUILDERS: usize = 4;
const TASKS: usize = 2;
const CRASHES: u8 = 2;

/// A mistake in the protocol, to see that the search would find it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Bug {
    /// No builder checks whether the task is locked.
    NoLock,
    /// Having got the lock, a builder believes what it saw before.
    NoSecondLook,
    /// A builder deletes the lock file when it is done or fails.
    LockFileDeleted,
    /// The tree is not locked.
    NoRootLock,
    /// The tree stays locked from one task to the next.
    RootKept,
    /// A finished content under an unfinished name is worked on like any other.
    NoUnfinishedSealRule,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Violation {
    /// Two builders are at work on a task.
    TwoInTask,
    /// Two builders are at work in the tree.
    TwoInTree,
    /// A task was sealed again, or renamed when it no longer had the name.
    SealedTwice,
    /// No builder can continue, and something is left to do.
    Stuck,
}

/// What a builder does next.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum BuilderStep {
    /// Look whether the task is active, and open its lock file.
    Open,
    /// Lock what was opened, wait for it, or leave the task to its holder.
    Lock,
    /// Look again.
    Look,
    /// Lock the tree, or wait for it.
    Root,
    /// Capture the tree, implement, verify.
    Work,
    /// Rename the new content over the task file.
    SealContent,
    /// Rename the task file.
    SealName,
    /// Give the locks back, and turn to the next task.
    Release,
    /// Nothing: no task is left.
    Ended,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Builder {
    step: BuilderStep,
    task: usize,
    /// Which of the lock files that the name stood for it has opened.
    opened: u8,
    has_task: bool,
    has_root: bool,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
struct Task {
    /// How many lock files were deleted.
    lock_file: u8,
    content_is_new: bool,
    name_is_new: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct World {
    builders: [Builder; BUILDERS],
    tasks: [Task; TASKS],
    crashes: u8,
}

impl Builder {
    const fn at_start() -> Self {
        Self { step: BuilderStep::Open, task: 0, opened: 0, has_task: false, has_root: false }
    }

    fn turn_to_next(&mut self) {
        self.task += 1;
        self.has_task = false;
        self.step = if self.task < TASKS { BuilderStep::Open } else { BuilderStep::Ended };
    }

    fn is_at_work(&self) -> bool {
        matches!(self.step, BuilderStep::Work | BuilderStep::SealContent)
    }

    fn is_in_task(&self) -> bool {
        self.is_at_work() || self.step == BuilderStep::SealName
    }
}

impl World {
    const START: Self = Self {
        builders: [Builder::at_start(); BUILDERS],
        tasks: [Task { lock_file: 0, content_is_new: false, name_is_new: false }; TASKS],
        crashes: CRASHES,
    };

    fn others(&self, me: usize) -> impl Iterator<Item = &Builder> {
        let others = self.builders.iter().enumerate();
        others.filter_map(move |(at, builder)| (at != me).then_some(builder))
    }

    /// The world after builder `me` took its step; `None` while it has to wait.
    fn step(mut self, me: usize, bug: Option<Bug>) -> Result<Option<Self>, Violation> {
        let has = |this| bug == Some(this);
        let locked = self.is_task_locked(me);
        let root_locked = self.others(me).any(|other| other.has_root);
        let builder = &mut self.builders[me];
        let Some(task) = self.tasks.get_mut(builder.task) else {
            return Ok(None);
        };
        match builder.step {
            BuilderStep::Open if task.name_is_new => builder.turn_to_next(),
            BuilderStep::Open => {
                builder.opened = task.lock_file;
                builder.step = BuilderStep::Lock;
            }
            BuilderStep::Lock if locked && !has(Bug::NoLock) => return Ok(None),
            BuilderStep::Lock => {
                builder.has_task = true;
                builder.step = BuilderStep::Look;
            }
            BuilderStep::Look if task.name_is_new && !has(Bug::NoSecondLook) => {
                builder.step = BuilderStep::Release;
            }
            BuilderStep::Look if task.content_is_new && !has(Bug::NoUnfinishedSealRule) => {
                builder.step = BuilderStep::SealName;
            }
            BuilderStep::Look => builder.step = BuilderStep::Root,
            BuilderStep::Root if root_locked && !has(Bug::NoRootLock) => return Ok(None),
            BuilderStep::Root => {
                builder.has_root = true;
                builder.step = BuilderStep::Work;
            }
            BuilderStep::Work => builder.step = BuilderStep::SealContent,
            BuilderStep::SealContent if task.content_is_new => return Err(Violation::SealedTwice),
            BuilderStep::SealContent => {
                task.content_is_new = true;
                builder.step = BuilderStep::SealName;
            }
            BuilderStep::SealName if task.name_is_new => return Err(Violation::SealedTwice),
            BuilderStep::SealName => {
                task.name_is_new = true;
                builder.step = BuilderStep::Release;
            }
            BuilderStep::Release => {
                task.lock_file += u8::from(has(Bug::LockFileDeleted));
                builder.turn_to_next();
                builder.has_root &= has(Bug::RootKept) && builder.step != BuilderStep::Ended;
            }
            BuilderStep::Ended => return Ok(None),
        }
        Ok(Some(self))
    }

    /// Whether another builder has locked the file that `me` opened.
    fn is_task_locked(&self, me: usize) -> bool {
        let mine = &self.builders[me];
        self.others(me)
            .any(|other| other.has_task && (other.task, other.opened) == (mine.task, mine.opened))
    }

    /// Every world that can come next.
    fn next(&self, bug: Option<Bug>) -> Result<Vec<Self>, Violation> {
        let mut next = Vec::new();
        for me in 0..BUILDERS {
            next.extend(self.step(me, bug)?);
            if self.builders[me].step == BuilderStep::Lock && self.is_task_locked(me) {
                let mut refused = *self;
                refused.builders[me].turn_to_next();
                next.push(refused);
            }
        }
        let ended = |builder: &Builder| builder.step == BuilderStep::Ended;
        let left = self.tasks.iter().any(|task| !task.name_is_new);
        if next.is_empty() && (left || !self.builders.iter().all(ended)) {
            return Err(Violation::Stuck);
        }
        if self.crashes > 0 {
            for me in (0..BUILDERS).filter(|me| !ended(&self.builders[*me])) {
                let mut crashed = *self;
                crashed.crashes -= 1;
                let builder = std::mem::replace(&mut crashed.builders[me], Builder::at_start());
                if builder.has_task && bug == Some(Bug::LockFileDeleted) {
                    crashed.tasks[builder.task].lock_file += 1;
                }
                next.push(crashed);
            }
        }
        Ok(next)
    }

    fn check(&self) -> Result<(), Violation> {
        for (me, builder) in self.builders.iter().enumerate() {
            let same_task = |other: &Builder| other.is_in_task() && other.task == builder.task;
            if builder.is_in_task() && self.others(me).any(same_task) {
                return Err(Violation::TwoInTask);
            }
            if builder.is_at_work() && self.others(me).any(Builder::is_at_work) {
                return Err(Violation::TwoInTree);
            }
        }
        Ok(())
    }
}

/// Visits every world, nearest first: how many there are, or the first violation.
fn explore(bug: Option<Bug>) -> Result<usize, Violation> {
    let mut seen = BTreeSet::from([World::START]);
    let mut queue = VecDeque::from([World::START]);
    while let Some(world) = queue.pop_front() {
        world.check()?;
        for next in world.next(bug)? {
            if seen.insert(next) {
                queue.push_back(next);
            }
        }
    }
    Ok(seen.len())
}

#[test]
fn in_no_interleaving_do_builders_meet_seal_twice_or_wait_for_ever() {
    let worlds = explore(None).unwrap();
    assert!(worlds > 100_000, "only {worlds} worlds");
}

#[test]
fn each_mistake_in_the_protocol_would_be_found() {
    let cases = [
        (Bug::NoLock, Violation::TwoInTask),
        (Bug::NoSecondLook, Violation::SealedTwice),
        (Bug::LockFileDeleted, Violation::TwoInTask),
        (Bug::NoRootLock, Violation::TwoInTree),
        (Bug::RootKept, Violation::Stuck),
        (Bug::NoUnfinishedSealRule, Violation::SealedTwice),
    ];
    for (bug, violation) in cases {
        assert_eq!(explore(Some(bug)), Err(violation), "{bug:?}");
    }
}
