//! A second opinion on every build.
//!
//! The rules of a build are stated here once more, without a type or a line of the program's own:
//! `draw` makes up a task with everybody's behaviour in it, `predict` says how it must end, `world`
//! makes it real, and `observed` reads what the program made of it. Where the rules leave an end
//! open, `predict` says so and the scenario is dropped.

mod actors;
mod choices;
mod comparison;
mod draw;
mod examples;
mod expected;
mod found;
mod known;
mod observed;
mod predict;
mod programs;
mod scenario;
mod text;
mod world;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use choices::Choices;
use expected::{BlockKind, Expected, State};
use predict::predict;
use programs::Programs;
use scenario::{Exit, Implementer, Scenario, Turn};
use text::Language;
use world::World;

/// A scenario whose end is certain.
struct Certain {
    choices: Choices,
    scenario: Scenario,
    expected: Expected,
}

/// The first such scenario that a seed draws.
fn certain(seed: u64) -> Certain {
    let attempts = (0..).map(|attempt| draw::scenario(Choices::from_seed(seed ^ attempt << 32)));
    attempts
        .filter_map(|(scenario, choices)| {
            predict(&scenario).ok().map(|expected| Certain { choices, scenario, expected })
        })
        .next()
        .expect("because few scenarios are unclear")
}

/// Every state, and every way to end.
fn reachable() -> impl Iterator<Item = &'static str> {
    let names = State::ALL.map(State::name).into_iter().chain(BlockKind::ALL.map(BlockKind::name));
    names.chain(["blocked", "complete", "failed", "planned"])
}

/// How often something was reached.
type ReachTally = BTreeMap<String, usize>;

fn tally(expected: impl IntoIterator<Item = Expected>) -> ReachTally {
    let mut tally = ReachTally::new();
    for end in expected {
        *tally.entry(end.outcome.name().to_owned()).or_default() += 1;
        if let expected::Outcome::Blocked(kind) = end.outcome {
            *tally.entry(kind.name().to_owned()).or_default() += 1;
        }
        for state in end.states.into_iter().collect::<BTreeSet<_>>() {
            *tally.entry(state.name().to_owned()).or_default() += 1;
        }
    }
    tally
}

#[test]
fn two_thousand_scenarios_reach_every_state_and_every_kind_of_block() {
    let tally = tally((0..2000).map(|seed| certain(seed).expected));
    let unlisted = tally.keys().find(|name| !reachable().any(|it| it == *name));
    assert_eq!(unlisted, None);
    for name in reachable() {
        assert!(tally.get(name).is_some_and(|count| *count >= 10), "{name}: {tally:?}");
    }
}

#[test]
fn few_scenarios_are_dropped_as_unclear() {
    let mut why = ReachTally::new();
    for seed in 0..2000 {
        if let Err(unclear) = predict(&draw::scenario(Choices::from_seed(seed)).0) {
            *why.entry(unclear.0.to_owned()).or_default() += 1;
        }
    }
    assert!(why.values().sum::<usize>() < 500, "{why:?}");
}

/// Scenarios whose agent is asked at least once, and ends that first time.
fn agents() -> impl Iterator<Item = (Scenario, Turn)> {
    (0..200).map(|seed| certain(seed).scenario).filter_map(|scenario| match &scenario.implementer {
        Implementer::Agent(turns) if turns[0].exit != Exit::Hang && !scenario.git => {
            let turn = turns[0].clone();
            Some((scenario, turn))
        }
        Implementer::Agent(_) | Implementer::Patches(_) | Implementer::Tree(_) => None,
    })
}

#[test]
fn an_agents_script_does_what_its_turn_says() {
    let programs = Programs::gather();
    let (mut turns, mut replies) = (0, 0);
    for (scenario, turn) in agents().filter(|(_, turn)| turn.transform.is_none()) {
        let home = tempfile::tempdir().unwrap();
        let world = World::lay_out(&scenario, home.path(), &programs);
        let script = world.scratch.join("agent.sh").display().to_string();
        let reply = home.path().join("reply").display().to_string();
        let variables = [("FTL_PHASE", "implement"), ("FTL_REPLY", reply.as_str())];
        let output = programs.run(&world.root, &variables, &["sh".to_owned(), script]);
        assert_eq!(output.status.success(), turn.exit == Exit::Success, "{turn:?} {output:?}");
        let reply: serde_json::Value = match fs::read_to_string(&reply) {
            Ok(reply) => serde_json::from_str(&reply).unwrap(),
            Err(_) => serde_json::json!({}),
        };
        assert_eq!(reply.get("no_change").is_some(), turn.no_change, "{turn:?}");
        assert_eq!(reply.get("needs").is_some(), turn.needs.is_some(), "{turn:?}");
        turns += 1;
        replies += usize::from(reply != serde_json::json!({}));
        for (file, text) in &turn.edits {
            let path = scenario.delta[*file].path;
            let found = fs::read_to_string(world.root.join(path)).ok();
            let wanted = text.as_ref().map(|text| text.render(Language::of(path)));
            assert_eq!(found, wanted, "{path} after {turn:?}");
        }
    }
    assert!(turns > 50 && replies > 10, "{replies} of {turns} turns replied");
}
