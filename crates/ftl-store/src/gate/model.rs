//! The protocol of landings that are verified together, as a small machine of which every state is visited: a leader, its
//! followers, and the next process that wants the tree, in every interleaving, with kills and with blocks anywhere.
//!
//! It is about the order of the steps. That each step does what it says is for the tests of those who take it.

use std::collections::{BTreeSet, VecDeque};

const FOLLOWERS: usize = 2;
const CRASHES: u8 = 2;
/// The places of the leader and of the next process that wants the tree.
const LEADER: usize = FOLLOWERS;
const NEXT: usize = FOLLOWERS + 1;

/// A mistake in the protocol, to see that the search would find it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Bug {
    /// The next holder of the tree does not wait for followers of a leader that died.
    NextDoesNotWait,
    /// The leader undoes what landed while a follower still seals.
    LeaderDoesNotWait,
    /// The leader lets followers seal before all agree.
    NoVote,
    /// A follower waits for a leader that has left.
    BlindFollower,
    /// What stays without the rest is not marked.
    NoMark,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Violation {
    /// A record says that work is in the project that is not.
    SealedWithoutWork,
    /// Work is in the project that no record has.
    WorkWithoutSeal,
    /// What a task was verified with is undone, and nothing says so.
    Unmarked,
    /// The same where nothing was killed.
    MarkedWithoutKill,
    /// Processes wait for ever.
    Stuck,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum ProtocolStep {
    /// A follower judges its work; the next process waits for the tree.
    Begin,
    /// A follower waits for the leader's word; the leader for the followers' votes.
    Vote,
    /// The record is written.
    Seal,
    /// The leader gives up its place; a follower that does not seal does, too.
    Leave,
    /// The holder of the tree waits for followers.
    Await,
    /// Undoes or forgets what landed, and gives up the tree.
    Settle,
    /// Has ended, or was killed.
    Gone,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
struct Part {
    is_landed: bool,
    has_agreed: bool,
    may_seal: bool,
    is_sealed: bool,
    is_marked: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct World {
    steps: [ProtocolStep; FOLLOWERS + 2],
    /// Of the followers and the leader.
    parts: [Part; FOLLOWERS + 1],
    /// Whether the leader is there to say something.
    is_led: bool,
    holder: Option<usize>,
    crashes: u8,
}

impl World {
    fn at_start() -> Self {
        let landed = Part { is_landed: true, ..Part::default() };
        Self {
            steps: [ProtocolStep::Begin; FOLLOWERS + 2],
            parts: [landed; FOLLOWERS + 1],
            is_led: true,
            holder: Some(LEADER),
            crashes: CRASHES,
        }
    }

    fn are_followers_gone(&self) -> bool {
        self.steps[..FOLLOWERS].iter().all(|step| *step == ProtocolStep::Gone)
    }

    /// What `me` can do next, one of which may be a block.
    fn next_of(self, me: usize, bug: Option<Bug>) -> Result<Vec<Self>, Violation> {
        let has = |this| bug == Some(this);
        let to = |step| {
            let mut world = self;
            world.steps[me] = step;
            world
        };
        Ok(match (self.steps[me], me) {
            (ProtocolStep::Gone, _) => Vec::new(),
            (ProtocolStep::Begin, NEXT) if self.holder.is_some() => Vec::new(),
            (ProtocolStep::Begin, NEXT) => {
                vec![World { holder: Some(NEXT), ..to(ProtocolStep::Await) }]
            }
            // The command passed and the work is judged, or not.
            (ProtocolStep::Begin, LEADER) => vec![to(ProtocolStep::Vote), to(ProtocolStep::Leave)],
            (ProtocolStep::Begin, _) => {
                let mut agreed = to(ProtocolStep::Vote);
                agreed.parts[me].has_agreed = true;
                vec![agreed, to(ProtocolStep::Leave)]
            }
            (ProtocolStep::Vote, LEADER) => {
                let votes = || self.parts[..FOLLOWERS].iter().zip(&self.steps);
                let is_missing =
                    votes().any(|(part, step)| !part.has_agreed && *step != ProtocolStep::Gone);
                let agree =
                    votes().all(|(part, step)| part.has_agreed && *step != ProtocolStep::Gone);
                let mut seals = to(ProtocolStep::Seal);
                seals.parts.iter_mut().for_each(|part| part.may_seal = true);
                match () {
                    () if agree || has(Bug::NoVote) => vec![seals],
                    () if is_missing => Vec::new(),
                    () => vec![to(ProtocolStep::Leave)],
                }
            }
            (ProtocolStep::Vote, _) if self.parts[me].may_seal => vec![to(ProtocolStep::Seal)],
            (ProtocolStep::Vote, _) if self.is_led || has(Bug::BlindFollower) => Vec::new(),
            (ProtocolStep::Vote, _) => vec![to(ProtocolStep::Leave)],
            (ProtocolStep::Seal, _) => {
                let mut sealed =
                    to(if me == LEADER { ProtocolStep::Leave } else { ProtocolStep::Gone });
                sealed.parts[me].is_sealed = true;
                if !self.parts[me].is_landed {
                    return Err(Violation::SealedWithoutWork);
                }
                vec![sealed]
            }
            (ProtocolStep::Leave, LEADER) => {
                vec![World { is_led: false, ..to(ProtocolStep::Await) }]
            }
            (ProtocolStep::Leave, _) => vec![to(ProtocolStep::Gone)],
            (ProtocolStep::Await, _) => {
                let is_hasty = match me {
                    LEADER => has(Bug::LeaderDoesNotWait),
                    _ => has(Bug::NextDoesNotWait),
                };
                let is_over = self.are_followers_gone() || is_hasty;
                Vec::from_iter(is_over.then(|| to(ProtocolStep::Settle)))
            }
            (ProtocolStep::Settle, _) => {
                let mut settled = World { holder: None, ..to(ProtocolStep::Gone) };
                let undoes = self.parts.iter().any(|part| part.is_landed && !part.is_sealed);
                for part in &mut settled.parts {
                    part.is_marked |= part.is_sealed && undoes && !has(Bug::NoMark);
                    part.is_landed &= part.is_sealed;
                }
                vec![settled]
            }
        })
    }

    fn next(self, bug: Option<Bug>) -> Result<Vec<Self>, Violation> {
        let mut next = Vec::new();
        for me in 0..self.steps.len() {
            next.extend(self.next_of(me, bug)?);
        }
        if next.is_empty() {
            self.check_end()?;
        }
        // The next one is only killed by what would be another next one.
        for me in (0..NEXT).filter(|me| self.crashes > 0 && self.steps[*me] != ProtocolStep::Gone) {
            let mut crashed = World { crashes: self.crashes - 1, ..self };
            crashed.steps[me] = ProtocolStep::Gone;
            if me == LEADER {
                crashed.is_led = false;
                crashed.holder = self.holder.filter(|holder| *holder != LEADER);
            }
            next.push(crashed);
        }
        Ok(next)
    }

    fn check_end(&self) -> Result<(), Violation> {
        if self.steps.iter().any(|step| *step != ProtocolStep::Gone) {
            return Err(Violation::Stuck);
        }
        let is_split = self.parts.iter().any(|part| part.is_sealed)
            && self.parts.iter().any(|part| !part.is_sealed);
        for part in &self.parts {
            match (part.is_sealed, part.is_landed) {
                (true, false) => return Err(Violation::SealedWithoutWork),
                (false, true) => return Err(Violation::WorkWithoutSeal),
                (true, true) if is_split && !part.is_marked => return Err(Violation::Unmarked),
                _ => {}
            }
        }
        if is_split && self.crashes == CRASHES {
            return Err(Violation::MarkedWithoutKill);
        }
        Ok(())
    }
}

/// Visits every world, nearest first: how many there are, or the first violation.
fn explore(bug: Option<Bug>) -> Result<usize, Violation> {
    let mut seen = BTreeSet::from([World::at_start()]);
    let mut queue = VecDeque::from([World::at_start()]);
    while let Some(world) = queue.pop_front() {
        for next in world.next(bug)? {
            if seen.insert(next) {
                queue.push_back(next);
            }
        }
    }
    Ok(seen.len())
}

#[test]
fn a_record_always_says_what_is_in_the_project_and_no_process_waits_for_ever() {
    let worlds = explore(None).unwrap();
    assert!(worlds > 400, "only {worlds} worlds");
}

#[test]
fn each_mistake_in_the_protocol_would_be_found() {
    for (bug, violation) in [
        (Bug::NextDoesNotWait, Violation::SealedWithoutWork),
        (Bug::LeaderDoesNotWait, Violation::SealedWithoutWork),
        (Bug::NoVote, Violation::MarkedWithoutKill),
        (Bug::BlindFollower, Violation::Stuck),
        (Bug::NoMark, Violation::Unmarked),
    ] {
        assert_eq!(explore(Some(bug)), Err(violation), "{bug:?}");
    }
}
