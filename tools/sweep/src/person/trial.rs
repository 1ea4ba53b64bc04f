//! One interruption, what a person does, the builds that go on, and what must hold in the end.
//!
//! The person's project is listed once they have acted. From then on nothing of it may differ, but for
//! what the implementer does to the delta, unless it was reported together with a command that brings it back.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::Output;

use ftl_testkit::Result;
use ftl_testkit::sweep::build::{Build, BuiltAgain, TASK};
use ftl_testkit::sweep::isolation::Isolation;
use ftl_testkit::sweep::listing::{self, Listing};
use ftl_testkit::sweep::sandbox::Sandbox;
use ftl_testkit::sweep::{Trial, TrialOutcome};

use super::action::Action;
use super::reported;
use super::step::{self, Signal, TrialStep};
use super::way::Way;
use crate::record;

/// How a shell and `timeout` pass on that a program was killed.
const KILLED: i32 = 137;

/// What a person's lines hold.
const MARKS: [&str; 2] = ["PERSON", "BEFORE"];

/// Everything about one trial.
#[derive(Debug)]
pub(super) struct PersonTrial<'a> {
    pub(super) build: Build<'a>,
    pub(super) step: TrialStep,
    pub(super) signal: Signal,
    pub(super) action: &'static Action,
    pub(super) way: Way,
    /// At which sync or rename the build that goes on is killed in its turn, if it is.
    pub(super) again: Option<usize>,
}

/// What was found.
#[derive(Debug, Default)]
struct Findings {
    /// Whether a reported command brought something back.
    brought_back: bool,
    /// Whether the agent had written when the build was interrupted.
    agent_had_written: bool,
    /// What does not hold.
    broken: Vec<String>,
    /// Everything that was printed.
    said: String,
}

impl Findings {
    /// Keeps what a build printed.
    fn keep(&mut self, output: &Output) {
        for bytes in [&output.stderr, &output.stdout] {
            self.said.push_str(&String::from_utf8_lossy(bytes));
        }
    }
}

impl Trial for PersonTrial<'_> {
    fn row(&self) -> Vec<&'static str> {
        self.build.row()
    }

    fn group(&self) -> &'static str {
        match self.step {
            TrialStep::Call(_) | TrialStep::Stopped(_) => "at a call",
            TrialStep::Place(_) | TrialStep::Beside(_) => "in a request",
        }
    }

    fn describe(&self) -> String {
        format!(
            "{}: {} {}; `{}`; {:?}{}",
            self.build.describe(),
            self.signal.name(),
            self.step.describe(),
            self.action.name,
            self.way,
            self.again.map_or_else(String::new, |at| format!("; killed again at step {at}"))
        )
    }

    /// Interrupts, acts, goes on, looks.
    fn run(&self, sandbox: &mut Sandbox) -> Result<TrialOutcome> {
        self.build.lay_out(sandbox)?;
        let sandbox = &*sandbox;
        let first = self.listing(sandbox)?;
        let mut found = Findings::default();
        let (output, during) = self.interrupt(sandbox)?;
        let code = output.status.code();
        found.keep(&output);
        // An agent may outlive a killed ftl for a moment, and write on.
        if matches!(self.step, TrialStep::Call(_)) {
            sandbox.settle();
        }
        let (person, met) = match during {
            Some(listing) => (listing, None),
            None => {
                let met = self.listing(sandbox)?;
                // What can't be done where the build stopped is left: a file may be away just then.
                sandbox.program("sh").args(["-c", self.action.script]).output()?;
                (self.listing(sandbox)?, Some(met))
            }
        };
        let again = self.go_on(sandbox, &mut found)?;
        found.agent_had_written = met.as_ref().is_some_and(|met| *met != first);
        let person = match met {
            Some(met) => without_halves(person, &met, &first, &self.listing(sandbox)?),
            None => person,
        };
        match again.no_record {
            Some(said) => found.broken.push(format!("no record, and no way on: {said}")),
            None => self.look(sandbox, &person, &mut found)?,
        }
        if !found.broken.is_empty() {
            found.broken.push(found.said.replace('\n', "\n        "));
        }
        let counts = vec![
            1,
            usize::from(code.is_none_or(|code| code == KILLED)),
            usize::from(matches!(code, Some(129 | 130 | 143))),
            usize::from(again.asked),
            usize::from(found.brought_back),
            again.builds,
        ];
        Ok(TrialOutcome { counts, broken: found.broken })
    }
}

impl PersonTrial<'_> {
    /// The build that is interrupted. Where the person acts during it, their project is listed then, while
    /// everybody waits.
    fn interrupt(&self, sandbox: &Sandbox) -> Result<(Output, Option<Listing>)> {
        let acts = format!("( {} )\necho acted > ../acted; read on < ../on", self.action.script);
        let build = || self.step.interrupt(&self.build, sandbox, self.signal, &acts);
        if !self.step.is_during() {
            return Ok((build()?, None));
        }
        let shell = |script: &str| sandbox.program("sh").args(["-c", script]).run();
        shell("rm -f ../acted ../on; mkfifo ../acted ../on")?;
        std::thread::scope(|scope| {
            let build = scope.spawn(|| build().map_err(|error| error.to_string()));
            shell("timeout 200 sh -c 'read acted < ../acted'")?;
            let person = self.listing(sandbox)?;
            shell("timeout 200 sh -c 'echo on > ../on'")?;
            let output = build.join().map_err(|_| "a thread panicked")??;
            Ok((output, Some(person)))
        })
    }

    /// Builds until there is a record. A build that asks may touch nothing.
    fn go_on(&self, sandbox: &Sandbox, found: &mut Findings) -> Result<BuiltAgain> {
        let answers = self.way.answers();
        if let Some(at) = self.again.filter(|_| sandbox.root().join(TASK).exists()) {
            found.keep(&step::killed_again(&self.build, sandbox, answers.first, at)?);
        }
        self.build.go_on(sandbox, answers, |options| {
            let before = self.listing(sandbox)?;
            let output = self.build.run(sandbox, options)?;
            found.keep(&output);
            if String::from_utf8_lossy(&output.stderr).contains("build::whose_work") {
                let touched = listing::differences(&before, &self.listing(sandbox)?).into_iter();
                found.broken.extend(touched.map(|one| format!("a question touched {one}")));
            }
            Ok(output)
        })
    }

    /// Everything that must hold in the end.
    fn look(&self, sandbox: &Sandbox, person: &Listing, found: &mut Findings) -> Result {
        let tasks = sandbox.root().join(".ftl/workspace");
        // What the person changes, too, is tried again beside other tasks.
        let runs = 1..=(if self.build.scenario.beside.is_empty() { 1 } else { 3 });
        for task in self.build.scenario.tasks() {
            found.broken.extend(record::read(&tasks, task, runs.clone())?.err());
        }
        let left = sandbox.temporaries().into_iter();
        found.broken.extend(left.filter(|left| !self.is_reopened_again(left)));
        found.broken.extend(sandbox.running());
        let now = self.listing(sandbox)?;
        let differing = self.differing(sandbox, person, &now)?;
        if differing.is_empty() {
            return Ok(());
        }
        for label in &differing {
            if !reported::names(&found.said, label.trim_start_matches("git: ")) {
                found.broken.push(format!("not reported: {label}"));
            }
        }
        let is_there =
            |path: &str| sandbox.root().join(path).symlink_metadata().is_ok_and(|at| !at.is_dir());
        let (mut then, mut away) = (now, differing);
        for command in reported::commands(&found.said) {
            self.follow(sandbox, &command, found)?;
            let differed = self.differing(sandbox, person, &then)?;
            then = self.listing(sandbox)?;
            let differing = self.differing(sandbox, person, &then)?;
            let others =
                differing.difference(&differed).filter(|label| is_wider(person, &then, label));
            found
                .broken
                .extend(others.map(|label| format!("`{command}` changed the mode of `{label}`")));
            // Each brings something else back, and the last may bring an older version of it.
            away = &away & &differing;
        }
        found.brought_back = true;
        // With what a person misses among the strays, others of the implementer's are taken in.
        if !away.is_empty()
            && let Some(command) = reported::taking(&found.said, is_there)
        {
            self.follow(sandbox, &command, found)?;
            then = self.listing(sandbox)?;
            away = &self.differing(sandbox, person, &then)? & &away;
        }
        for label in away {
            if !self.is_forgiven(sandbox, &label, (person, &then), found)? {
                let (only, seen) = (alone(person, &label), alone(&then, &label));
                let shown = listing::differences(&only, &seen).join("; ");
                found.broken.push(format!("not brought back: {shown}"));
            }
        }
        Ok(())
    }

    /// Whether a temporary file is of a blocked task that a killed command was about to try again: only the next
    /// `ftl reopen` writes it again.
    fn is_reopened_again(&self, left: &str) -> bool {
        !self.build.scenario.beside.is_empty() && left.contains("_blocked.tmp")
    }

    /// Runs a reported command.
    fn follow(&self, sandbox: &Sandbox, command: &str, found: &mut Findings) -> Result {
        let ran = sandbox.program("sh").args(["-c", command]).output()?;
        let said = String::from_utf8_lossy(&ran.stderr);
        // What the person has there is not overwritten by what is taken in.
        if !ran.status.success() && !said.contains("reopen::changed_since") {
            found.broken.push(format!("`{command}` failed: {said}"));
        }
        Ok(())
    }

    /// Whether what was reported need not be brought back: nothing that the person wrote is gone, and
    /// no program could tell whose work it was, or the person said that it is the implementer's.
    fn is_forgiven(
        &self,
        sandbox: &Sandbox,
        label: &str,
        (person, then): (&Listing, &Listing),
        found: &Findings,
    ) -> Result<bool> {
        // Of a file that the agent removed, and that the person removes or changes, nothing shows that it was back if
        // ftl was killed just as it noted that.
        let is_noting = matches!(&self.step, TrialStep::Call(call) if call.name == "write");
        let is_put_back = is_noting && found.agent_had_written;
        let is_put_back = is_put_back && removes(self.build.scenario.agent, label);
        if !self.way.gives_up() && !self.step.is_during() && !is_put_back {
            return Ok(false);
        }
        let theirs = person.get(label).map_or("", String::as_str);
        if label.starts_with("git: ") {
            return holds_objects(sandbox, label == "git: index", theirs);
        }
        // An agent may delete a file of the delta while the person edits it: nothing saw those bytes.
        let is_own = self.build.scenario.own.contains(&label);
        if self.step.is_during() && is_own && !then.contains_key(label) {
            return Ok(true);
        }
        // Nor what it deletes elsewhere, where it is not isolated.
        let is_seen = self.build.isolation != Isolation::Off;
        if self.step.is_during() && !is_seen && removes(self.build.scenario.agent, label) {
            return Ok(true);
        }
        let now = then.get(label).map_or("", String::as_str);
        Ok(!theirs.lines().any(|line| is_persons(line) && !now.contains(content(line))))
    }

    /// Where something of the person's is not as they left it. The delta may have more in it, and of what its
    /// implementer deleted a diff has the lines.
    fn differing(
        &self,
        sandbox: &Sandbox,
        person: &Listing,
        now: &Listing,
    ) -> Result<BTreeSet<String>> {
        let labels: BTreeSet<&String> = person.keys().chain(now.keys()).collect();
        let mut differing = BTreeSet::new();
        for label in labels {
            let (then, now) = (person.get(label), now.get(label));
            let differs = match (then, now) {
                _ if !self.build.scenario.own.contains(&label.as_str()) => then != now,
                (None, _) => false,
                (Some(then), None) if is_in_diffs(sandbox, then)? => false,
                (Some(then), now) => {
                    let now = now.map_or("", String::as_str);
                    then.lines().any(|line| is_persons(line) && !now.contains(line))
                }
            };
            if differs {
                differing.insert(label.clone());
            }
        }
        Ok(differing)
    }

    fn listing(&self, sandbox: &Sandbox) -> Result<Listing> {
        let mut listing = self.build.listing(sandbox, &[])?;
        // What a kill left of a copy is ftl's, which removes it when it goes on.
        listing.retain(|label, _| !label.ends_with(".ftl-new") && !label.ends_with(".ftl-old"));
        Ok(listing)
    }
}

/// The person's listing without files that were half restored when the kill came (`met`) and that equal their
/// first state again: no work is lost.
fn without_halves(mut person: Listing, met: &Listing, first: &Listing, now: &Listing) -> Listing {
    let labels: BTreeSet<&String> = met.keys().chain(first.keys()).collect();
    for label in labels {
        let is_untouched = person.get(label) == met.get(label);
        let is_back = now.get(label) == first.get(label);
        match first.get(label) {
            _ if !is_untouched || !is_back => None,
            Some(entry) => person.insert(label.clone(), entry.clone()),
            None => person.remove(label),
        };
    }
    person
}

/// Whether diffs that runs keep have every line of a person's as one that is removed.
fn is_in_diffs(sandbox: &Sandbox, entry: &str) -> Result<bool> {
    let script = "cat .ftl/runs/*/*/diffs/*.diff 2>/dev/null || :";
    let diffs = sandbox.program("sh").args(["-c", script]).output()?.stdout;
    let diffs = String::from_utf8_lossy(&diffs);
    let removed: BTreeSet<&str> = diffs.lines().filter_map(|line| line.strip_prefix('-')).collect();
    Ok(entry.lines().filter(|line| is_persons(line)).all(|line| removed.contains(content(line))))
}

/// Whether a directory got another mode, but for what its owner may do.
fn is_wider(person: &Listing, then: &Listing, label: &str) -> bool {
    let mode = |listing: &Listing| {
        let (mode, kind) = listing.get(label)?.split_once(' ')?;
        let mode = u32::from_str_radix(mode, 8).ok()?;
        (kind == "directory").then_some(mode | 0o700)
    };
    mode(person).zip(mode(then)).is_some_and(|(before, after)| before != after)
}

/// A line of a listing without the mode that the first one begins with.
fn content(line: &str) -> &str {
    let mode = line.split_once(' ');
    let is_mode = |mode: &str| mode.bytes().all(|byte| byte.is_ascii_digit());
    mode.filter(|(mode, _)| is_mode(mode)).map_or(line, |(_, rest)| rest)
}

/// Whether a script removes a path, or a directory above it.
fn removes(script: &str, path: &str) -> bool {
    let commands =
        script.split(['\n', ';']).filter_map(|command| command.trim().strip_prefix("rm "));
    let mut names = commands.flat_map(str::split_whitespace);
    names.any(|name| Path::new(path).starts_with(name))
}

/// What a listing says of one path.
fn alone(listing: &Listing, label: &str) -> Listing {
    let entry = listing.get_key_value(label).into_iter();
    entry.map(|(label, seen)| (label.clone(), seen.clone())).collect()
}

fn is_persons(text: &str) -> bool {
    MARKS.iter().any(|mark| text.contains(mark))
}

/// Whether every object that git named is still there; of commits, whether a reference leads to it. A branch
/// or an index may be another again, as long as what was in it can be had.
fn holds_objects(sandbox: &Sandbox, staged: bool, said: &str) -> Result<bool> {
    let is_object = |word: &&str| word.len() == 40 && word.bytes().all(|at| at.is_ascii_hexdigit());
    for object in said.split_whitespace().filter(is_object) {
        let asked: &[&str] = match staged {
            true => &["cat-file", "-e"],
            false => &["for-each-ref", "--contains"],
        };
        let answer = sandbox.program("git").args(asked).args([object]).output()?;
        if !answer.status.success() || (!staged && answer.stdout.is_empty()) {
            return Ok(false);
        }
    }
    Ok(true)
}
