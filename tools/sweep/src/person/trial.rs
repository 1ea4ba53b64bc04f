//! One interruption, what a person does, the builds that go on, and what must hold in the end.
//!
//! The person's project is listed once they have acted. From then on nothing of it may differ but the delta, and of that
//! only what the implementer does to it.

use std::collections::BTreeSet;
use std::process::Output;

use ftl_testkit::Result;
use ftl_testkit::sweep::build::{Build, BuiltAgain, TASK};
use ftl_testkit::sweep::listing::{self, Listing};
use ftl_testkit::sweep::sandbox::Sandbox;
use ftl_testkit::sweep::{Trial, TrialOutcome};

use super::action::Action;
use super::step::{self, Signal, TrialStep};
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
    /// The options of the build that goes on.
    pub(super) options: &'static [&'static str],
    /// At which sync or rename the build that goes on is killed in its turn, if it is.
    pub(super) again: Option<usize>,
}

/// What was found.
#[derive(Debug, Default)]
struct Findings {
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
            self.options,
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
        let person = match during {
            Some(listing) => listing,
            None => {
                // No request has its work in the project, and what is not the delta never has.
                let met = self.listing(sandbox)?;
                let is_alone = self.build.scenario.beside.is_empty();
                let in_request = is_alone && matches!(self.step, TrialStep::Place(_));
                let differing = self.differing(sandbox, &first, &met, in_request)?;
                found.broken.extend(shown("when interrupted", &first, &met, &differing));
                sandbox.program("sh").args(["-c", self.action.script]).output()?;
                self.listing(sandbox)?
            }
        };
        let again = self.go_on(sandbox, &mut found)?;
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

    /// Builds until there is a record.
    fn go_on(&self, sandbox: &Sandbox, found: &mut Findings) -> Result<BuiltAgain> {
        if let Some(at) = self.again.filter(|_| sandbox.root().join(TASK).exists()) {
            found.keep(&step::killed_again(&self.build, sandbox, self.options, at)?);
        }
        self.build.go_on(sandbox, self.options, |options| {
            let output = self.build.run(sandbox, options)?;
            found.keep(&output);
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
        if matches!(self.step, TrialStep::Place("amid" | "after")) {
            let script = "ls -d .ftl/runs/*/*/interrupted/* >/dev/null";
            let is_kept = sandbox.program("sh").args(["-c", script]).succeeds();
            found
                .broken
                .extend((!is_kept).then(|| "the interrupted request's work is lost".to_owned()));
        }
        // What the person saved while a verify ran may be put back by a block, which names how to have it again.
        let commands: BTreeSet<&str> =
            found.said.split('`').filter(|part| part.starts_with("cp -a ")).collect();
        for command in commands {
            sandbox.program("sh").args(["-c", command]).run()?;
        }
        let now = self.build.listing(sandbox)?;
        let differing = self.differing(sandbox, person, &now, false)?;
        found.broken.extend(shown("in the end", person, &now, &differing));
        Ok(())
    }

    /// Whether a temporary file is of a blocked task that a killed command was about to try again: only the next
    /// `ftl reopen` writes it again.
    fn is_reopened_again(&self, left: &str) -> bool {
        !self.build.scenario.beside.is_empty() && left.contains("_blocked.tmp")
    }

    /// Where something of the person's is not as they left it. Unless `all` must be, the delta may have more in it, and
    /// of what its implementer deleted a diff has the lines.
    fn differing(
        &self,
        sandbox: &Sandbox,
        person: &Listing,
        now: &Listing,
        all: bool,
    ) -> Result<BTreeSet<String>> {
        let labels: BTreeSet<&String> = person.keys().chain(now.keys()).collect();
        let mut differing = BTreeSet::new();
        for label in labels {
            let (then, now) = (person.get(label), now.get(label));
            let is_own = self.build.scenario.own.contains(&label.as_str());
            let differs = match (then, now) {
                _ if all || !is_own => then != now,
                (None, _) => false,
                (Some(then), None) if is_in_diffs(sandbox, then)? => false,
                (Some(then), now) => {
                    let now = now.map_or("", String::as_str);
                    then.lines().any(|line| is_persons(line) && !now.contains(content(line)))
                }
            };
            if differs {
                differing.insert(label.clone());
            }
        }
        Ok(differing)
    }

    /// The project without copies that are about to land, which the next build removes.
    fn listing(&self, sandbox: &Sandbox) -> Result<Listing> {
        let mut listing = self.build.listing(sandbox)?;
        listing.retain(|label, _| !label.ends_with(".ftl-new") && !label.ends_with(".ftl-old"));
        Ok(listing)
    }
}

/// What differs, in lines.
fn shown(when: &str, then: &Listing, now: &Listing, labels: &BTreeSet<String>) -> Vec<String> {
    let only = |listing: &Listing| {
        let mut listing = listing.clone();
        listing.retain(|label, _| labels.contains(label));
        listing
    };
    let differences = listing::differences(&only(then), &only(now)).into_iter();
    differences.map(|one| format!("{when}: {one}")).collect()
}

/// Whether diffs that runs keep have every line of a person's as one that is removed.
fn is_in_diffs(sandbox: &Sandbox, entry: &str) -> Result<bool> {
    let script = "cat .ftl/runs/*/*/diffs/*.diff 2>/dev/null || :";
    let diffs = sandbox.program("sh").args(["-c", script]).output()?.stdout;
    let diffs = String::from_utf8_lossy(&diffs);
    let removed: BTreeSet<&str> = diffs.lines().filter_map(|line| line.strip_prefix('-')).collect();
    Ok(entry.lines().filter(|line| is_persons(line)).all(|line| removed.contains(content(line))))
}

/// A line of a listing without the mode that the first one begins with.
fn content(line: &str) -> &str {
    let mode = line.split_once(' ');
    let is_mode = |mode: &str| mode.bytes().all(|byte| byte.is_ascii_digit());
    mode.filter(|(mode, _)| is_mode(mode)).map_or(line, |(_, rest)| rest)
}

fn is_persons(text: &str) -> bool {
    MARKS.iter().any(|mark| text.contains(mark))
}
