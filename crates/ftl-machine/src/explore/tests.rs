//! The machine, explored in full.

use std::collections::BTreeSet;
use std::sync::Mutex;
use std::thread;
use std::time::Instant;

use fastrand::Rng;

use super::drawing::BOUND;
use super::events::possible;
use super::plan_case::PlanCase;
use super::search::{Bound, Exploration, explore, explore_group, groups};
use crate::{BlockKind, Event, Next, State, StateName, Verdict};

#[test]
fn every_plan_within_the_bound_keeps_every_promise() {
    let began = Instant::now();
    let found = explored_by_threads(Bound { budget: 12, files: (1, 4) });
    println!(
        "explored {} plans: {} states, {} transitions, {} ends, {} arrows, {} violations in {:.2?}",
        found.plans,
        found.states,
        found.transitions,
        found.ends,
        found.arrows.len(),
        found.violations.len(),
        began.elapsed(),
    );
    assert_eq!(found.violations, Vec::<String>::new());
    assert_everything_was_reached(&found);
}

/// As `explore`, with a thread for each core.
fn explored_by_threads(bound: Bound) -> Exploration {
    let left = Mutex::new(groups(bound));
    let work = || {
        let mut found = Exploration::default();
        loop {
            let Some(group) = left.lock().unwrap().pop() else {
                return found;
            };
            found = found.merge(explore_group(group));
        }
    };
    thread::scope(|scope| {
        let cores = thread::available_parallelism().map_or(1, usize::from);
        let threads: Vec<_> = (0..cores).map(|_| scope.spawn(work)).collect();
        let found = threads.into_iter().map(|thread| thread.join().unwrap());
        found.fold(Exploration::default(), Exploration::merge)
    })
}

/// What recovery promises: a crash may end a run after any line of its journal, and a run
/// that folds the lines that are left and performs the rest comes to the verdict of the whole run.
#[test]
fn going_on_from_any_prefix_of_a_journal_leads_to_the_same_end() {
    let cases = groups(Bound { budget: 12, files: (1, 3) }).concat();
    let (mut walks, mut prefixes, mut rng) = (0, 0, Rng::with_seed(7));
    let mut names = BTreeSet::new();
    for case in cases.iter().cycle().take(5 * cases.len()) {
        let walk = Walk::by_chance(case, &mut rng);
        let end = walk.states.last().unwrap();
        for cut in 0..walk.states.len() {
            let folded = fold(case, &walk.journal[..cut]);
            assert_eq!(folded, walk.states[cut], "after {:?}", &walk.journal[..cut]);
            let resumed = go_on(case, folded, &walk.choices[cut..]);
            assert_eq!(verdict(&resumed), verdict(end), "cut after line {cut}");
            prefixes += 1;
        }
        names.extend(walk.events().map(|event| event.name()));
        walks += 1;
    }
    println!("{walks} runs went on from {prefixes} prefixes");
    assert_eq!(walks, 5 * cases.len());
    assert!(prefixes > 4 * walks, "only {prefixes} prefixes");
    let arrows = explore(BOUND).arrows;
    let never = arrows.iter().find(|arrow| !names.contains(arrow.event));
    assert_eq!(never, None, "no journal held such an event");
}

/// One run, with the events picked by chance.
struct Walk {
    /// Every state on the way; one more than there are lines.
    states: Vec<State>,
    /// Which of the possible events arrived in each state.
    choices: Vec<usize>,
    /// The events as a journal stores them.
    journal: Vec<String>,
}

impl Walk {
    fn by_chance(case: &PlanCase, rng: &mut Rng) -> Self {
        let mut walk =
            Self { states: vec![case.start()], choices: Vec::new(), journal: Vec::new() };
        loop {
            let state = walk.states.last().unwrap();
            let mut events = possible(case, state);
            if events.is_empty() {
                return walk;
            }
            // Most readings and plans are refused, and the run ends there: seven in eight are the
            // good one, which comes first.
            let begins = state.log().states.len() < 3 && rng.u8(..8) != 0;
            let choice = if begins { 0 } else { rng.usize(..events.len()) };
            let event = events.swap_remove(choice);
            walk.choices.push(choice);
            walk.journal.push(serde_json::to_string(&event).unwrap());
            walk.states.push(state.clone().apply(event).unwrap());
        }
    }

    fn events(&self) -> impl Iterator<Item = Event> {
        self.journal.iter().map(|line| parse(line))
    }
}

fn parse(line: &str) -> Event {
    serde_json::from_str(line).unwrap()
}

/// The state that a journal leads to, read by a process that has nothing else.
fn fold(case: &PlanCase, journal: &[String]) -> State {
    let apply = |state: State, line: &String| state.apply(parse(line)).unwrap();
    journal.iter().fold(case.start(), apply)
}

/// The end that a run comes to when the world goes on to answer as it did.
fn go_on(case: &PlanCase, mut state: State, choices: &[usize]) -> State {
    for choice in choices {
        let event = possible(case, &state).swap_remove(*choice);
        state = state.apply(event).unwrap();
    }
    state
}

fn verdict(end: &State) -> Box<Verdict> {
    match end.next() {
        Next::Finished(verdict) => verdict,
        Next::Perform(effect) => panic!("the run has not ended: {effect:?}"),
    }
}

#[test]
fn an_event_out_of_turn_is_refused_and_named() {
    let cases = groups(Bound { budget: 6, files: (1, 1) }).concat();
    let (mut accepted, mut refused, mut rng) = (0, 0, Rng::with_seed(11));
    for case in &cases {
        let walk = Walk::by_chance(case, &mut rng);
        for state in &walk.states {
            let awaited: BTreeSet<&str> = possible(case, state).iter().map(Event::name).collect();
            for event in walk.events() {
                let name = event.name();
                match state.clone().apply(event) {
                    Ok(_) => {
                        assert!(awaited.contains(name), "{name} in {}", state.name());
                        accepted += 1;
                    }
                    Err(illegal) => {
                        assert_eq!((illegal.state, illegal.event), (state.name(), name));
                        refused += 1;
                    }
                }
            }
        }
    }
    println!("{accepted} events accepted, {refused} refused");
    assert!(accepted > 500 && refused > 1_000, "{accepted}, {refused}");
}

#[test]
fn an_event_has_the_name_that_journals_store() {
    let cases = groups(Bound { budget: 12, files: (1, 1) }).concat();
    let mut names = BTreeSet::new();
    let mut rng = Rng::with_seed(13);
    for case in cases.iter().cycle().take(5 * cases.len()) {
        let walk = Walk::by_chance(case, &mut rng);
        for (event, line) in walk.events().zip(&walk.journal) {
            let stored: serde_json::Value = serde_json::from_str(line).unwrap();
            assert_eq!(stored["type"], event.name());
            names.insert(event.name());
        }
    }
    assert_eq!(names.len(), 18, "{names:?}");
}

#[test]
fn the_diagram_shows_every_arrow() {
    let all = explore(Bound { budget: 12, files: (1, 2) });
    let drawn = explore(BOUND);
    let missing: Vec<_> = all.arrows.difference(&drawn.arrows).collect();
    assert!(missing.is_empty(), "{missing:?}");
}

fn assert_everything_was_reached(found: &Exploration) {
    for state in StateName::ALL {
        assert!(found.entered.contains(&state), "{state} was never entered");
    }
    for kind in BlockKind::ALL {
        assert!(found.kinds.contains(&kind), "{kind} was never reached");
    }
}
