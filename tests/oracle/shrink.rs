//! Smaller scenarios: what can be left out of one while it still fails. What failing means, the
//! caller says.

use super::scenario::{AgentNamed, Edit, Fix, Hunk, Implementer, Patch, Scenario, Turn};

/// A smaller scenario for which `fails` still holds: nothing more can be left out of it.
pub(super) fn shrink(scenario: &Scenario, fails: impl Fn(&Scenario) -> bool) -> Scenario {
    let mut smallest = scenario.clone();
    while let Some(smaller) = simpler(&smallest).into_iter().find(|smaller| fails(smaller)) {
        smallest = smaller;
    }
    smallest
}

/// The scenario with one thing less, in every way that there is.
fn simpler(scenario: &Scenario) -> Vec<Scenario> {
    let mut all = Vec::new();
    let mut change = |applies: bool, change: &dyn Fn(&mut Scenario)| {
        if applies {
            let mut smaller = scenario.clone();
            change(&mut smaller);
            all.push(smaller);
        }
    };
    change(scenario.git, &without_git);
    change(scenario.verify_source.is_some(), &|it| it.verify_source = None);
    change(scenario.read_tests.is_some(), &|it| it.read_tests = None);
    change(scenario.allow_removed.is_some(), &|it| it.allow_removed = None);
    change(scenario.undecided_blocks, &|it| it.undecided_blocks = false);
    change(scenario.confidence.attribute.is_some(), &|it| it.confidence.attribute = None);
    change(scenario.confidence.element.is_some(), &|it| it.confidence.element = None);
    change(scenario.strays_stay, &|it| it.strays_stay = false);
    change(scenario.agent_named != AgentNamed::ByFlag, &|it| {
        it.agent_named = AgentNamed::ByFlag;
    });
    change(scenario.padded, &|it| it.padded = false);
    change(scenario.framework.is_some(), &|it| it.framework = None);
    change(scenario.mask.is_some(), &|it| it.mask = None);
    change(scenario.untrusted.is_some(), &|it| it.untrusted = None);
    change(scenario.baseline, &|it| it.baseline = false);
    change(scenario.built_again, &|it| it.built_again = false);
    change(scenario.dry_run, &|it| it.dry_run = false);
    change(scenario.bad_path.is_some(), &|it| it.bad_path = None);
    change(scenario.budget != Some(12), &|it| it.budget = Some(12));
    for place in 0..scenario.failures.len() {
        change(true, &|it| {
            it.failures.remove(place);
        });
        change(scenario.failures[place].flaky, &|it| it.failures[place].flaky = false);
    }
    for place in 0..scenario.checks.len() {
        change(true, &|it| {
            it.checks.remove(place);
        });
    }
    for place in 0..scenario.contexts.len() {
        change(true, &|it| {
            it.contexts.remove(place);
        });
    }
    for place in 0..scenario.idioms.len() {
        change(true, &|it| {
            it.idioms.remove(place);
        });
    }
    for place in 0..scenario.verify.len() {
        let run = &scenario.verify[place];
        change(scenario.verify.len() > 1, &|it| drop(it.verify.remove(place)));
        change(run.litters, &|it| it.verify[place].litters = false);
        change(!run.edits.is_empty(), &|it| it.verify[place].edits.clear());
    }
    for implementer in simpler_implementers(&scenario.implementer) {
        change(true, &|it| it.implementer = implementer.clone());
    }
    for place in 0..scenario.delta.len() {
        change(scenario.delta[place].start.is_some(), &|it| it.delta[place].start = None);
    }
    for place in 0..scenario.delta.len() {
        change(scenario.delta.len() > 1, &|it| without_file(it, place));
    }
    all
}

fn without_git(scenario: &mut Scenario) {
    scenario.git = false;
    for file in &mut scenario.delta {
        file.committed = None;
        file.ignored = false;
    }
}

/// Leaves a file out together with all that anybody does to it.
fn without_file(scenario: &mut Scenario, place: usize) {
    scenario.delta.remove(place);
    let moved = |file: usize| (file != place).then(|| file - usize::from(file > place));
    let edits = |edits: &mut Vec<Edit>| {
        let kept = std::mem::take(edits).into_iter();
        *edits = kept.filter_map(|(file, text)| Some((moved(file)?, text))).collect();
    };
    let patch = |patch: &mut Patch| {
        let kept = std::mem::take(&mut patch.hunks).into_iter();
        patch.hunks =
            kept.filter_map(|hunk| Some(Hunk { file: moved(hunk.file)?, ..hunk })).collect();
    };
    scenario.contexts.retain(|context| context.file != Some(place));
    for context in &mut scenario.contexts {
        context.file = context.file.and_then(moved);
    }
    scenario.verify.iter_mut().for_each(|run| edits(&mut run.edits));
    for check in &mut scenario.checks {
        let overwrites = check.overwrites.take();
        check.overwrites = overwrites.and_then(|(file, text)| Some((moved(file)?, text)));
    }
    match &mut scenario.implementer {
        Implementer::Agent(turns) => {
            for turn in turns {
                edits(&mut turn.edits);
                turn.transform = turn.transform.and_then(|(file, it)| Some((moved(file)?, it)));
            }
        }
        Implementer::Patches(patches) => patches.iter_mut().for_each(patch),
        Implementer::Tree(_) => {}
    }
    for failure in &mut scenario.failures {
        match &mut failure.fix {
            Fix::Command(command) => edits(&mut command.edits),
            Fix::Patch(fix) => patch(fix),
            Fix::Prose | Fix::Rerun | Fix::None(_) => {}
        }
    }
}

fn simpler_implementers(implementer: &Implementer) -> Vec<Implementer> {
    match implementer {
        Implementer::Agent(turns) => {
            let fewer = (!turns.is_empty()).then(|| turns[..turns.len() - 1].to_vec());
            let simpler = (0..turns.len()).flat_map(|place| {
                simpler_turns(&turns[place]).into_iter().map(move |turn| {
                    let mut turns = turns.clone();
                    turns[place] = turn;
                    turns
                })
            });
            fewer.into_iter().chain(simpler).map(Implementer::Agent).collect()
        }
        Implementer::Patches(patches) if patches.len() > 1 => {
            vec![Implementer::Patches(patches[..patches.len() - 1].to_vec())]
        }
        Implementer::Patches(_) | Implementer::Tree(_) => Vec::new(),
    }
}

fn simpler_turns(turn: &Turn) -> Vec<Turn> {
    let mut all = Vec::new();
    for place in 0..turn.edits.len() {
        let mut edits = turn.edits.clone();
        edits.remove(place);
        all.push(Turn { edits, ..turn.clone() });
    }
    if turn.scratch.is_some() {
        all.push(Turn { scratch: None, ..turn.clone() });
    }
    if turn.needs.is_some() {
        all.push(Turn { needs: None, ..turn.clone() });
    }
    if !turn.utilized.is_empty() {
        all.push(Turn { utilized: Vec::new(), ..turn.clone() });
    }
    if turn.no_change {
        all.push(Turn { no_change: false, ..turn.clone() });
    }
    if turn.transform.is_some() {
        all.push(Turn { transform: None, ..turn.clone() });
    }
    all
}

mod tests {
    use crate::oracle::certain;
    use crate::oracle::expected::{BlockKind, Outcome};
    use crate::oracle::predict::predict;

    use super::*;

    #[test]
    fn a_shrunk_scenario_still_fails_and_holds_little_else() {
        let limit = |scenario: &Scenario| {
            predict(scenario)
                .is_ok_and(|end| end.outcome == Outcome::Blocked(BlockKind::RetryLimit))
        };
        let mut shrunk = 0;
        for found in (0..200).map(|seed| certain(seed).0).filter(limit) {
            shrunk += 1;
            let smallest = shrink(&found, limit);
            assert!(limit(&smallest));
            assert!(smallest.checks.is_empty() && smallest.idioms.is_empty());
            assert!(!simpler(&smallest).iter().any(limit));
        }
        assert!(shrunk > 0);
    }
}
