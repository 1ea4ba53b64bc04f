//! One interruption, what a person does, the builds that go on, and what must hold in the end.
//!
//! The person's project is listed once they have acted. From then on nothing of it may differ, but for
//! what the implementer does to the delta, unless it was reported together with a command that brings it back.

use std::collections::BTreeSet;
use std::fs;
use std::path::PathBuf;
use std::process::Output;

use ftl_testkit::Result;

use super::action::Action;
use super::reported;
use super::scenario::{Scenario, TASK};
use super::setting::Setting;
use super::step::{self, Signal, TrialStep};
use super::way::Way;
use crate::isolation::Isolation;
use crate::listing::{self, Listing, Passed, ProjectPlace};
use crate::sandbox::Sandbox;

/// So many builds may come after an interruption. One that asks and one that is answered are enough.
const BUILDS: usize = 5;

/// How a shell and `timeout` pass on that a program was killed.
const KILLED: i32 = 137;

/// What a person's lines hold.
const MARKS: [&str; 2] = ["PERSON", "BEFORE"];

/// Everything about one trial.
#[derive(Debug)]
pub(super) struct Trial {
    pub(super) ftl: PathBuf,
    pub(super) scenario: &'static Scenario,
    pub(super) isolation: Isolation,
    pub(super) setting: Setting,
    pub(super) step: TrialStep,
    pub(super) signal: Signal,
    pub(super) action: &'static Action,
    pub(super) way: Way,
    /// At which sync or rename the build that goes on is killed in its turn, if it is.
    pub(super) again: Option<usize>,
}

/// How a trial went.
#[derive(Debug, Default)]
pub(super) struct TrialOutcome {
    pub(super) killed: bool,
    pub(super) interrupted: bool,
    /// Whether ftl asked whose work it is.
    pub(super) asked: bool,
    /// Whether a reported command brought something back.
    pub(super) brought_back: bool,
    /// Builds after the interruption.
    pub(super) builds: usize,
    /// What does not hold.
    pub(super) broken: Vec<String>,
    /// Everything that was printed.
    said: String,
}

impl Trial {
    /// What happens in it.
    pub(super) fn describe(&self) -> String {
        format!(
            "{} ({}{}): {} {}; `{}`; {:?}{}",
            self.scenario.name,
            self.isolation.name(),
            self.setting.name(),
            self.signal.name(),
            self.step.describe(),
            self.action.name,
            self.way,
            self.again.map_or_else(String::new, |at| format!("; killed again at step {at}"))
        )
    }

    /// Interrupts, acts, goes on, looks.
    pub(super) fn run(&self, sandbox: &Sandbox) -> Result<TrialOutcome> {
        self.setting.prepare(sandbox)?;
        self.scenario.lay_out(sandbox)?;
        self.setting.finish(sandbox)?;
        let first = self.listing(sandbox)?;
        drop(fs::remove_dir_all(sandbox.beside("bin")));
        fs::create_dir(sandbox.beside("bin"))?;
        std::os::unix::fs::symlink(&self.ftl, sandbox.beside("bin/ftl"))?;
        let mut found = TrialOutcome::default();
        let mut person = None;
        let output = self.interrupt(sandbox, &mut person)?;
        let code = output.status.code();
        found.killed = code.is_none_or(|code| code == KILLED);
        found.interrupted = matches!(code, Some(129 | 130 | 143));
        hear(&mut found, &output);
        let (person, met) = match person {
            Some(listing) => (listing, None),
            None => {
                let met = self.listing(sandbox)?;
                self.act(sandbox)?;
                (self.listing(sandbox)?, Some(met))
            }
        };
        self.go_on(sandbox, &mut found)?;
        let person = match met {
            Some(met) => without_halves(person, &met, &first, &self.listing(sandbox)?),
            None => person,
        };
        self.look(sandbox, &person, &mut found)?;
        sandbox.end_processes()?;
        if !found.broken.is_empty() {
            let said: String = found.said.replace('\n', "\n        ");
            found.broken.push(said);
        }
        Ok(found)
    }

    /// The build that is interrupted. Where the person acts during the request, their project is listed then.
    fn interrupt(&self, sandbox: &Sandbox, person: &mut Option<Listing>) -> Result<Output> {
        let kill = match self.signal {
            Signal::None => "echo go > ../go".to_owned(),
            signal => format!("kill -{} $build", signal.name()),
        };
        match &self.step {
            TrialStep::Call(point) => {
                let signal = format!("signal={}", self.signal.name());
                let at = format!("inject={}:{signal}:when={}", point.name, point.number);
                let faults = ["-e".to_owned(), at];
                step::traced(&self.ftl, self.scenario, self.isolation, sandbox, &faults)
            }
            TrialStep::Place(place) => {
                step::met(&self.ftl, self.scenario, self.isolation, sandbox, place, &kill)
            }
            TrialStep::Beside(place) => {
                let script = format!("{}\n{kill}", self.acts_and_waits());
                self.listed_during(sandbox, person, || {
                    step::met(&self.ftl, self.scenario, self.isolation, sandbox, place, &script)
                })
            }
            TrialStep::Stopped(point) => {
                let script = self.acts_and_waits();
                self.listed_during(sandbox, person, || {
                    step::stopped(&self.ftl, self.scenario, self.isolation, sandbox, point, &script)
                })
            }
        }
    }

    /// The person acts, and waits until their project is listed.
    fn acts_and_waits(&self) -> String {
        format!("( {} )\necho acted > ../acted; read on < ../on", self.action.script)
    }

    /// Lists the project once the person has acted, while everybody waits.
    fn listed_during(
        &self,
        sandbox: &Sandbox,
        person: &mut Option<Listing>,
        build: impl FnOnce() -> Result<Output> + Send,
    ) -> Result<Output> {
        let pipes = ["../acted", "../on"];
        drop(pipes.map(|pipe| fs::remove_file(sandbox.root().join(pipe))));
        step::program(sandbox, "mkfifo").args(pipes).run()?;
        std::thread::scope(|scope| {
            let build = scope.spawn(|| build().map_err(|error| error.to_string()));
            let wait = "timeout 200 sh -c 'read acted < ../acted'";
            step::program(sandbox, "sh").args(["-c", wait]).run()?;
            *person = Some(self.listing(sandbox)?);
            let go = "timeout 200 sh -c 'echo on > ../on'";
            step::program(sandbox, "sh").args(["-c", go]).run()?;
            Ok(build.join().map_err(|_| "a thread panicked")??)
        })
    }

    /// What can't be done where the build stopped is left: a file may be away just then.
    fn act(&self, sandbox: &Sandbox) -> Result {
        let acting = step::program(sandbox, "sh").args(["-c", self.action.script]);
        acting.output()?;
        Ok(())
    }

    /// Builds until there is a record, as a person would who reads the messages.
    fn go_on(&self, sandbox: &Sandbox, found: &mut TrialOutcome) -> Result {
        let mut options = self.way.first().to_vec();
        if let Some(at) = self.again.filter(|_| sandbox.root().join(TASK).exists()) {
            let build = (&*self.ftl, self.scenario, self.isolation);
            hear(found, &step::killed_again(build, sandbox, &options, at)?);
        }
        while sandbox.root().join(TASK).exists() {
            if found.builds == BUILDS {
                found.broken.push("no record, and no way on".to_owned());
                return Ok(());
            }
            let before = self.listing(sandbox)?;
            let output = step::built(&self.ftl, self.scenario, self.isolation, sandbox, &options)?;
            found.builds += 1;
            hear(found, &output);
            let said = String::from_utf8_lossy(&output.stderr).into_owned();
            if said.contains("build::whose_work") {
                found.asked = true;
                let after = self.listing(sandbox)?;
                let touched = listing::differences(&before, &after);
                found
                    .broken
                    .extend(touched.into_iter().map(|one| format!("a question touched {one}")));
                options = self.way.once_asked().to_vec();
            } else if said.contains("`--restart`") {
                options = [&["--restart"], self.way.once_asked()].concat();
                options.dedup();
            }
        }
        Ok(())
    }

    /// Everything that must hold in the end.
    fn look(&self, sandbox: &Sandbox, person: &Listing, found: &mut TrialOutcome) -> Result {
        self.record(sandbox, found)?;
        let now = self.listing(sandbox)?;
        let differing = self.differing(person, &now);
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
        for command in reported::commands(&found.said) {
            self.follow(sandbox, &command, found)?;
        }
        let mut then = self.listing(sandbox)?;
        found.brought_back = true;
        let mut away = self.differing(person, &then);
        // With what a person misses among the strays, others of the implementer's are taken in.
        if !away.is_empty()
            && let Some(command) = reported::taking(&found.said, is_there)
        {
            self.follow(sandbox, &command, found)?;
            then = self.listing(sandbox)?;
            away = &self.differing(person, &then) & &away;
        }
        for label in away {
            if !self.is_forgiven(sandbox, &label, person, &then)? {
                let (only, seen) = (alone(person, &label), alone(&then, &label));
                let shown = listing::differences(&only, &seen).join("; ");
                found.broken.push(format!("not brought back: {shown}"));
            }
        }
        Ok(())
    }

    /// Runs a reported command.
    fn follow(&self, sandbox: &Sandbox, command: &str, found: &mut TrialOutcome) -> Result {
        let shell = step::program(sandbox, "sh").args(["-c", command]);
        let ran = shell.output()?;
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
        person: &Listing,
        then: &Listing,
    ) -> Result<bool> {
        if !(self.way.gives_up()
            || matches!(self.step, TrialStep::Beside(_) | TrialStep::Stopped(_)))
        {
            return Ok(false);
        }
        let theirs = person.get(label).map_or("", String::as_str);
        if label.starts_with("git: ") {
            return holds_objects(sandbox, label == "git: index", theirs);
        }
        let now = then.get(label).map_or("", String::as_str);
        Ok(!theirs.lines().any(|line| is_persons(line) && !now.contains(content(line))))
    }

    /// That the task has one file, with one record in it.
    fn record(&self, sandbox: &Sandbox, found: &mut TrialOutcome) -> Result {
        let names = sandbox.names(".ftl/workspace")?;
        let [name] = names.as_slice() else {
            found.broken.push(format!("the task's files are {names:?}"));
            return Ok(());
        };
        let record = sandbox.read(format!(".ftl/workspace/{name}"))?;
        if record.matches("<run ").count() != 1 || !record.trim_end().ends_with("</workspace>") {
            found.broken.push(format!("`{name}` is no record"));
        }
        found.broken.extend(sandbox.temporaries()?);
        found.broken.extend(sandbox.processes());
        Ok(())
    }

    /// Where something of the person's is not as they left it. The delta may have more in it.
    fn differing(&self, person: &Listing, now: &Listing) -> BTreeSet<String> {
        let labels: BTreeSet<&String> = person.keys().chain(now.keys()).collect();
        let differs = |label: &&String| {
            let (then, now) = (person.get(*label), now.get(*label));
            if self.scenario.own.contains(&label.as_str()) {
                let now = now.map_or("", String::as_str);
                let mut lines = then.map_or("", String::as_str).lines();
                return lines.any(|line| is_persons(line) && !now.contains(line));
            }
            then != now
        };
        labels.into_iter().filter(differs).cloned().collect()
    }

    fn listing(&self, sandbox: &Sandbox) -> Result<Listing> {
        let place = ProjectPlace {
            top: sandbox.root(),
            root: sandbox.root(),
            git_dir: self.scenario.git.then(|| sandbox.root().join(".git")),
        };
        let passed = Passed { paths: vec![".ftl".to_owned()], git: false };
        let mut listing = listing::of(&place, &passed)?;
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

/// A line of a listing without the mode that the first one begins with.
fn content(line: &str) -> &str {
    let mode = line.split_once(' ');
    let is_mode = |mode: &str| mode.bytes().all(|byte| byte.is_ascii_digit());
    mode.filter(|(mode, _)| is_mode(mode)).map_or(line, |(_, rest)| rest)
}

/// What a listing says of one path.
fn alone(listing: &Listing, label: &str) -> Listing {
    let entry = listing.get_key_value(label).into_iter();
    entry.map(|(label, seen)| (label.clone(), seen.clone())).collect()
}

fn is_persons(text: &str) -> bool {
    MARKS.iter().any(|mark| text.contains(mark))
}

/// Keeps what a build printed.
fn hear(found: &mut TrialOutcome, output: &Output) {
    for bytes in [&output.stderr, &output.stdout] {
        found.said.push_str(&String::from_utf8_lossy(bytes));
    }
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
        let answer = step::program(sandbox, "git").args(asked).args([object]).output()?;
        if !answer.status.success() || (!staged && answer.stdout.is_empty()) {
            return Ok(false);
        }
    }
    Ok(true)
}
