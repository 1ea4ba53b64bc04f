//! The program under test on every scenario, against the second opinion.

use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};

use ftl_testkit::parallel;
use ftl_testkit::random::{SEED, cases};
use tempfile::TempDir;

use super::choices::Choices;
use super::expected::{Expected, Outcome};
use super::observed::{Differences, Observed};
use super::predict::predict;
use super::programs::Programs;
use super::scenario::{AgentNamed, Ending, Exit, Implementer, ReadTests, Scenario};
use super::world::World;
use super::{Certain, ReachTally, certain, draw, reachable, tally};

/// Two for each of two cores, since a build waits a lot.
const THREADS: usize = 4;
/// Scenarios of a test run. Each is a whole build, so 2,000 of them take minutes.
const SHORT: u64 = 150;
/// From this many scenarios on, all that can be reached must be.
const MANY: u64 = 2000;
/// Disagreements after which no more are looked for.
const ENOUGH: usize = 8;

/// The first seed, which another run may continue from.
fn first_seed() -> u64 {
    std::env::var(SEED).map_or(0, |text| text.parse().expect("the seed is a number"))
}

#[test]
#[expect(clippy::print_stderr, reason = "the summary shows what was reached")]
fn the_program_and_the_second_opinion_agree() {
    let (count, first) = (cases(SHORT), first_seed());
    let programs = Programs::gather();
    let found = AtomicUsize::new(0);
    let seeds: Vec<u64> = (first..first + count).collect();
    let ends = parallel::map(
        THREADS,
        &seeds,
        || Ok(()),
        |(), seed| {
            let Certain { choices, scenario, expected } = certain(*seed);
            if found.load(Ordering::Relaxed) >= ENOUGH || (scenario.git && !programs.has_git()) {
                return Ok(None);
            }
            if let Some(difference) = differences(&scenario, &expected, &programs).first() {
                found.fetch_add(1, Ordering::Relaxed);
                eprintln!("seed {seed}: {}", narrowed(&choices, difference, &programs));
            }
            Ok(Some(expected))
        },
    );
    let tally = tally(ends.unwrap().into_iter().flatten());
    eprintln!("{count} scenarios from seed {first}: {tally:?}");
    assert_eq!(found.into_inner(), 0, "disagreements");
    if count >= MANY {
        everything_was_reached(&tally);
    }
}

fn everything_was_reached(tally: &ReachTally) {
    for name in reachable() {
        assert!(tally.contains_key(name), "{name} was never reached: {tally:?}");
    }
}

fn differences(scenario: &Scenario, expected: &Expected, programs: &Programs) -> Differences {
    let home = in_memory();
    run(scenario, expected, home.path(), programs).1
}

/// A directory where syncing costs nothing, if the machine has one.
fn in_memory() -> TempDir {
    tempfile::tempdir_in("/dev/shm").unwrap_or_else(|_| tempfile::tempdir().unwrap())
}

/// Builds the scenario in `home`, and returns the result and where that is not as expected.
fn run(
    scenario: &Scenario,
    expected: &Expected,
    home: &Path,
    programs: &Programs,
) -> (Observed, Differences) {
    let world = World::lay_out(scenario, home, programs);
    let build = |line: &[String]| {
        let output = programs.run(&world.root, &[], line);
        Observed::new(&output, &world.scratch.display().to_string())
    };
    let mut line = line(scenario, &world);
    let observed = build(&line);
    let mut differences = observed.differences(expected, scenario.dry_run);
    differences.extend(world.differences(scenario, expected));
    if scenario.built_again && expected.record.is_final() && differences.is_empty() {
        line[2] = format!(".ftl/workspace/{}", expected.record.file_name());
        let refused = Expected { outcome: Outcome::Failed, ..expected.clone() };
        let again = build(&line).differences(&refused, false);
        differences.extend(again.into_iter().map(|difference| format!("again, {difference}")));
        differences.extend(world.differences(scenario, expected));
    }
    (observed, differences)
}

/// The smallest scenario with a difference of the same sort, as text; its directory is kept.
fn narrowed(choices: &Choices, difference: &str, programs: &Programs) -> String {
    let sort = |difference: &str| difference.split(':').next().map(str::to_owned);
    let smallest = choices.shrunk(|choices| {
        let (scenario, _) = draw::scenario(choices.repeated());
        predict(&scenario).is_ok_and(|end| {
            let differences = differences(&scenario, &end, programs);
            differences.first().is_some_and(|first| sort(first) == sort(difference))
        })
    });
    let (scenario, _) = draw::scenario(smallest);
    let expected = predict(&scenario).unwrap_or_else(|unclear| panic!("{}", unclear.0));
    let home = tempfile::tempdir().unwrap().keep();
    let (observed, found) = run(&scenario, &expected, &home, programs);
    format!(
        "{scenario:#?}\nexpected: {expected}\nfound: {found:#?}\nkept in {}\n{}",
        home.display(),
        observed.said(),
    )
}

/// The command line that the scenario amounts to.
fn line(scenario: &Scenario, world: &World) -> Vec<String> {
    let workspace = world.workspace(scenario.file_name);
    let argument = workspace.strip_prefix(&world.root).unwrap().display().to_string();
    let mut line: Vec<String> = [env!("CARGO_BIN_EXE_ftl"), "build", &argument, "--format", "json"]
        .map(str::to_owned)
        .to_vec();
    let mut add = |words: &[&str]| line.extend(words.iter().map(|word| (*word).to_owned()));
    match &scenario.implementer {
        Implementer::Agent(turns) => {
            match scenario.agent_named {
                AgentNamed::ByFlag => add(&["--agent", &world.agent()]),
                AgentNamed::InConfiguration => add(&["--agent", "scripted"]),
                AgentNamed::AsDefault => {}
            }
            if turns.iter().any(|turn| turn.exit == Exit::Hang) {
                add(&["--agent-timeout", "1s"]);
            }
        }
        Implementer::Patches(patches) => {
            for place in 0..patches.len() {
                add(&["--patch", &world.patch(place).display().to_string()]);
            }
        }
        Implementer::Tree(tree) => {
            add(&["--no-change"]);
            if tree.named || tree.base_head {
                add(&["--tree"]);
            }
            if tree.base_head {
                add(&["--base", "HEAD"]);
            }
            if tree.strict_scope {
                add(&["--strict-scope"]);
            }
        }
    }
    match scenario.read_tests {
        Some(ReadTests::Auto) => add(&["--read-tests", "auto"]),
        Some(ReadTests::Always) => add(&["--read-tests", "always"]),
        Some(ReadTests::Never) => add(&["--read-tests", "never"]),
        None => {}
    }
    if let Some(name) = scenario.allow_removed {
        add(&["--allow-removed", name]);
    }
    if scenario.verify.iter().any(|run| run.ending == Ending::Hang) {
        add(&["--verify-timeout", "1s"]);
    }
    if scenario.baseline {
        add(&["--baseline"]);
    }
    if scenario.dry_run {
        add(&["--dry-run"]);
    }
    line
}
