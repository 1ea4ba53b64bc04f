//! Tries, in few examples: how many there are, who makes them, and which task comes first.

use std::num::NonZeroUsize;
use std::time::Duration;

use crate::ending::{Again, Ending};
use crate::explore::{AGAIN, BLOCKED, FRESH, Graph, OUTAGE};
use crate::schedule::{Facts, Next, Schedule, Task, WaitsFor};

#[test]
fn tries_are_bounded() {
    for (again, runs) in [(Again::Never, 1), (Again::Attempt, 3), (Again::FreshBase, 3)] {
        let mut schedule = Graph::empty(1).schedule(1, 3).unwrap();
        let mut attempts = Vec::new();
        while let Next::Start(started) = schedule.next(Facts::default()) {
            attempts.push(started.attempt());
            schedule.end(started, Ending::Blocked(again), Duration::ZERO);
        }
        assert_eq!(attempts, (1..=runs).collect::<Vec<u32>>(), "{again:?}");
    }
}

#[test]
fn another_agent_makes_the_attempt_after_a_block_and_has_its_own_outages() {
    let agents = vec![7, 8];
    let tasks = [Task { agents, attempts: 4, ..Task::default() }];
    let mut schedule = Schedule::new(&tasks, NonZeroUsize::MIN).unwrap();
    let mut rungs = Vec::new();
    for ending in [FRESH, AGAIN, OUTAGE, AGAIN, AGAIN, BLOCKED] {
        let now = Duration::from_secs(if rungs.len() > 2 { 60 } else { 0 });
        let Next::Start(started) = schedule.next(Facts { now, ..Facts::default() }) else {
            panic!("{rungs:?}");
        };
        rungs.push(started.rung());
        schedule.end(started, ending, now);
        if ending == OUTAGE {
            let until = Some(Duration::from_secs(60));
            assert_eq!(schedule.waiting(now), [(0, WaitsFor::Agent { until, rung: 1 })]);
        }
    }
    assert_eq!(rungs, [0, 0, 1, 1, 2, 3]);
}

#[test]
fn tasks_that_collided_take_turns() {
    let mut schedule = Graph::empty(3).schedule(3, 1).unwrap();
    let start = |schedule: &mut Schedule| match schedule.next(Facts::default()) {
        Next::Start(started) => Some(started),
        _ => None,
    };
    let [first, second, third] = [0, 1, 2].map(|_| start(&mut schedule).unwrap());
    schedule.end(first, Ending::Complete, Duration::ZERO);
    schedule.end(second, FRESH, Duration::ZERO);
    schedule.end(third, FRESH, Duration::ZERO);
    schedule.collided(1, 2);
    let again = start(&mut schedule).unwrap();
    assert_eq!((again.task(), start(&mut schedule)), (1, None));
    schedule.end(again, Ending::Complete, Duration::ZERO);
    assert_eq!(start(&mut schedule).map(|started| started.task()), Some(2));
}

#[test]
fn a_task_that_goes_first_starts_alone_whatever_its_number() {
    let mut graph = Graph::empty(3);
    graph.overlap(0, 2);
    let mut schedule = graph.schedule(3, 1).unwrap();
    let facts = Facts { first: Some(2), ..Facts::default() };
    let Next::Start(started) = schedule.next(facts) else {
        panic!("the task starts");
    };
    assert_eq!(started.task(), 2);
    assert_eq!(schedule.next(facts), Next::Wait { until: None });
    schedule.end(started, Ending::Complete, Duration::ZERO);
    assert!(matches!(schedule.next(facts), Next::Start(started) if started.task() == 0));
}

#[test]
fn an_interrupt_starts_and_skips_nothing_more() {
    let mut graph = Graph::empty(3);
    graph.depends[1].push(0);
    let mut schedule = graph.schedule(1, 1).unwrap();
    let Next::Start(started) = schedule.next(Facts::default()) else {
        panic!("the first task starts");
    };
    schedule.end(started, BLOCKED, Duration::ZERO);
    let facts = Facts { interrupted: true, ..Facts::default() };
    assert_eq!(schedule.next(facts), Next::Finished { waiting: vec![1, 2], limit: None });
}
