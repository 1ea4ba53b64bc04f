//! The machine, explored in full.

use std::thread;
use std::time::Instant;

use ftl_engine::machine::explore::{Bound, Found, explore};
use ftl_engine::machine::graph::BOUND;
use ftl_engine::machine::{BlockKind, StateName};

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
fn the_diagram_shows_every_arrow() {
    let all = explore(Bound {
        budget: 12,
        files: (1, 2),
    });
    let drawn = explore(BOUND);
    let missing: Vec<_> = all.arrows.difference(&drawn.arrows).collect();
    assert!(missing.is_empty(), "{missing:?}");
}

fn assert_everything_was_reached(found: &Found) {
    for state in StateName::ALL {
        assert!(found.entered.contains(&state), "{state} was never entered");
    }
    for kind in BlockKind::ALL {
        assert!(found.kinds.contains(&kind), "{kind} was never reached");
    }
}
