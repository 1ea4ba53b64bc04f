//! The machine, explored in full.

#![allow(clippy::unwrap_used, reason = "a test may panic")]
#![allow(clippy::print_stdout, reason = "counts are for whoever reads the run")]

use std::thread;
use std::time::Instant;

use ftl_machine::explore::{Bound, Case, Exploration, explore, groups, possible};
use ftl_machine::graph::BOUND;
use ftl_machine::{BlockKind, Event, State, StateName};

#[test]
fn every_plan_within_the_bound_keeps_every_promise() {
    let began = Instant::now();
    let few = thread::spawn(|| {
        explore(Bound {
            budget: 12,
            files: (1, 3),
        })
    });
    let found = explore(Bound {
        budget: 12,
        files: (4, 4),
    })
    .merge(few.join().unwrap());
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

#[test]
fn going_on_from_any_prefix_of_a_journal_leads_to_the_same_end() {
    let cases = groups(Bound {
        budget: 12,
        files: (1, 3),
    })
    .concat();
    let (mut walks, mut prefixes, mut seed) = (0, 0, 7_u64);
    for case in cases.iter().cycle().take(3 * cases.len()) {
        let (states, lines) = walk(case, &mut seed);
        for begin in 0..states.len() {
            let mut state = case.start();
            for line in &lines[..begin] {
                state = state.apply(serde_json::from_str(line).unwrap()).unwrap();
            }
            assert_eq!(state, states[begin], "after {:?}", &lines[..begin]);
            prefixes += 1;
        }
        walks += 1;
    }
    println!("{walks} runs went on from {prefixes} prefixes");
}

/// One run by chance: every state on the way, and its journal.
fn walk(case: &Case, seed: &mut u64) -> (Vec<State>, Vec<String>) {
    let mut states = vec![case.start()];
    let mut lines = Vec::new();
    loop {
        let state = states.last().unwrap();
        let events = possible(case, state);
        if events.is_empty() {
            return (states, lines);
        }
        *seed = seed
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        let event = &events[usize::try_from(*seed >> 33).unwrap() % events.len()];
        lines.push(serde_json::to_string(event).unwrap());
        states.push(state.clone().apply(event.clone()).unwrap());
    }
}

#[test]
fn an_event_out_of_turn_is_refused_and_named() {
    let cases = groups(Bound {
        budget: 6,
        files: (1, 1),
    })
    .concat();
    let mut seed = 11;
    for case in &cases {
        let (states, lines) = walk(case, &mut seed);
        for state in &states {
            for line in &lines {
                let event: Event = serde_json::from_str(line).unwrap();
                let awaited = possible(case, state)
                    .iter()
                    .any(|may| may.name() == event.name());
                let name = event.name();
                if let Err(illegal) = state.clone().apply(event) {
                    assert_eq!(illegal.event, name);
                } else {
                    assert!(awaited, "{name} was taken in {}", state.name());
                }
            }
        }
    }
}

#[test]
fn the_diagram_shows_every_arrow() {
    let all = explore(Bound {
        budget: 12,
        files: (1, 2),
    });
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
