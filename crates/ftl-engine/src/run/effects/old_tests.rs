//! The tests as they were: before VERIFY the command runs with the work landed, and the tests of the project in it.
//!
//! The landing has two steps then, of one plan: the sources come first, and files that are about tests wait, or come with
//! the part that defines tests as it was. VERIFY's landing is the second step. So nothing is written twice, and a crash
//! in between is undone like any other.

use ftl_analysis::test_code::{
    AsItWas, as_it_was, is_about_tests, is_in_module, is_script_of, is_test_configuration,
    may_have_tests, word_for,
};
use ftl_machine::Event;
use ftl_machine::event::{OldTests, Verification};
use ftl_model::{DeltaPath, RunFailure};
use ftl_tree::{DeltaContent, Landing, PathState, SavedFiles, Tree};

use super::verifying::{Ran, set_up};
use crate::result::Doing;
use crate::run::commands::output;
use crate::run::journal::recorder::Recorder;
use crate::run::session::brief::Brief;
use crate::run::site::Site;
use crate::run::work::written;
use crate::run::world::World;
use crate::run::{Fault, landing};

/// Bytes of a source whose part about tests is looked for.
pub(super) const LARGEST: u64 = 4 << 20;

/// Files of the work that were in the project, and in which what defines tests is not as it was.
pub(in crate::run) fn changed(
    site: &Site<'_>,
    brief: &Brief,
    base: &SavedFiles,
    work: &SavedFiles,
) -> Result<Vec<String>, Fault> {
    let decides = Decides::new(site, brief);
    let mut found = Vec::new();
    for (path, state) in work.states() {
        let was = base.state(&path);
        if was.is_nothing() || was == state {
            continue;
        }
        let saved = |files: &SavedFiles| match files.len(&path) {
            Some(len) if len <= LARGEST => Ok(files.read(&path)?),
            _ => Ok(None),
        };
        let old = decides.text(&path, || saved(base))?;
        let new = decides.text(&path, || saved(work))?;
        if decides.as_it_was(&path, old.as_deref(), new.as_deref()).is_some() {
            found.push(path.to_string());
        }
    }
    Ok(found)
}

/// Files of the work that were not in the project, and say how tests are run.
pub(in crate::run) fn new_configuration(base: &SavedFiles, work: &SavedFiles) -> Vec<String> {
    let is_new = |(path, state): &(DeltaPath, PathState)| {
        base.state(path).is_nothing() && !state.is_nothing() && is_test_configuration(path.as_str())
    };
    work.states().into_iter().filter(is_new).map(|(path, _)| path.to_string()).collect()
}

/// Lands the work with the tests as they were, and runs the verify command.
pub(in crate::run) fn run(
    world: &mut World<'_>,
    command: &str,
    recorder: &mut Recorder<'_>,
) -> Result<Event, Fault> {
    let site = world.site;
    let decides = Decides::new(site, world.brief());
    let mut held = Held::default();
    let mut holds = |tree: &Tree, landing: &mut Landing, work: &SavedFiles| {
        held = decides.hold(tree, landing, work)?;
        Ok(())
    };
    if let Some(conflicts) = landing::land_first(world, &mut holds, recorder)? {
        return Ok(Event::LandingConflicted(Box::new(conflicts)));
    }
    if held.paths.is_empty() {
        return Ok(Event::OldTestsTried(Box::default()));
    }
    let log = output::next_log(site, "old-tests")?;
    recorder.begins(Doing::OldTests, command);
    let watch = landing::watch(world)?;
    if let Some((_, why)) = set_up(world, recorder)? {
        recorder.reporter().warning(&why);
    }
    let ran = Ran::in_project(site, command, log, recorder)?;
    let left = written::since(world, &watch, "the verify with the tests as they were")?;
    let mut old = outcome(ran.verification(site, command), &held, &removable(world));
    old.written = left.written;
    old.warnings.extend(left.warning);
    Ok(Event::OldTestsTried(Box::new(old)))
}

/// Names that the task allows to be removed.
pub(super) fn removable(world: &World<'_>) -> Vec<String> {
    let own = &world.brief().workspace.allow_removed;
    let all = world.site.settings.quality.allow_removed.iter().chain(own);
    let plain = |name: &String| {
        let name = name.rsplit(':').next().unwrap_or(name);
        name.trim_end_matches("()").trim_end_matches('*').to_owned()
    };
    all.map(plain).filter(|name| !name.is_empty()).collect()
}

/// What waits for the second step of a landing.
#[derive(Debug, Default)]
pub(super) struct Held {
    /// Files that were there.
    pub(super) paths: Vec<String>,
    /// Tests that are new, whether they wait or not.
    pub(super) new: Vec<String>,
}

/// What decides, for one task.
pub(super) struct Decides<'a> {
    site: &'a Site<'a>,
    pub(super) command: &'a str,
    source: Option<&'a str>,
}

impl<'a> Decides<'a> {
    pub(super) fn new(site: &'a Site<'_>, brief: &'a Brief) -> Self {
        Self { site, command: &brief.verify, source: brief.verify_source.as_deref() }
    }

    pub(super) fn as_it_was(
        &self,
        path: &DeltaPath,
        old: Option<&str>,
        new: Option<&str>,
    ) -> Option<AsItWas> {
        let path = path.as_str();
        if self.source == Some(path) || is_script_of(self.command, path) {
            return Some(AsItWas::Whole);
        }
        as_it_was(path, old, new)
    }

    /// A file as text; `None` for what is no text, and where its text does not matter.
    pub(super) fn text(
        &self,
        path: &DeltaPath,
        read: impl FnOnce() -> Result<Option<Vec<u8>>, Fault>,
    ) -> Result<Option<String>, Fault> {
        if self.source == Some(path.as_str()) || !may_have_tests(path.as_str()) {
            return Ok(None);
        }
        Ok(read()?.and_then(|bytes| String::from_utf8(bytes).ok()))
    }

    /// Holds back what is about tests. A new test waits too: beside the old ones it may not even compile. One that the
    /// command names alone comes at once, since nothing could run without it.
    fn hold(&self, tree: &Tree, landing: &mut Landing, work: &SavedFiles) -> Result<Held, Fault> {
        let mut held = Held::default();
        let paths: Vec<DeltaPath> = landing.paths().cloned().collect();
        for path in &paths {
            if !landing.replaces(path) {
                if is_test_configuration(path.as_str()) {
                    held.paths.push(path.to_string());
                    landing.hold(path);
                } else if is_about_tests(path.as_str()) {
                    held.new.push(path.to_string());
                    if !self.is_asked_for(path) {
                        landing.hold(path);
                    }
                }
                continue;
            }
            let old = self.text(path, || match tree.read_up_to(path, LARGEST)? {
                Some(DeltaContent::Bytes(bytes)) => Ok(Some(bytes)),
                Some(DeltaContent::TooLarge(_)) | None => Ok(None),
            })?;
            let new = self.text(path, || Ok(landing.bytes(work, path)?))?;
            match self.as_it_was(path, old.as_deref(), new.as_deref()) {
                Some(AsItWas::Whole) => landing.hold(path),
                Some(AsItWas::Part(text)) => landing.put_first(path, text.into_bytes()),
                None => continue,
            }
            held.paths.push(path.to_string());
        }
        Ok(held)
    }

    /// Whether the command names a new file, or a directory that comes with it.
    fn is_asked_for(&self, path: &DeltaPath) -> bool {
        let word = word_for(self.command, path.as_str());
        word.is_some_and(|word| !self.site.root().join(word).exists())
    }
}

/// What the run says of the tests that were there.
pub(super) fn outcome(verification: Verification, held: &Held, removable: &[String]) -> OldTests {
    let is_new = |failure: &RunFailure| {
        held.new.iter().any(|path| {
            let test = failure.test.as_deref().unwrap_or_default();
            let is_of_file = failure.path.as_ref() == Some(path) || test.starts_with(path.as_str());
            is_of_file || is_in_module(test, path)
        })
    };
    let names_removed = |failure: &RunFailure| {
        let texts = [&failure.test, &Some(failure.message.clone()), &failure.detail];
        let texts: Vec<&String> = texts.into_iter().flatten().collect();
        removable.iter().any(|name| texts.iter().any(|text| has_word(text, name)))
    };
    let all = verification.failures;
    let counted: Vec<RunFailure> =
        all.iter().filter(|it| !is_new(it) && !names_removed(it)).cloned().collect();
    let is_excused = counted.is_empty() && !all.is_empty() && verification.more_failures == 0;
    let passed = verification.passed || is_excused;
    OldTests {
        paths: held.paths.clone(),
        passed: Some(passed),
        failures: if passed { Vec::new() } else { counted },
        ran: verification.ran,
        error: verification.error.filter(|_| !passed),
        duration_ms: verification.duration_ms,
        summary: verification.summary,
        log: verification.log,
        written: Vec::new(),
        // Findings of this run are the verify's own, which are reported with it.
        warnings: Vec::new(),
    }
}

/// Whether a text has a name, not as a part of a longer one.
fn has_word(text: &str, name: &str) -> bool {
    let is_part = |at: Option<char>| at.is_some_and(|at| at.is_alphanumeric() || at == '_');
    text.match_indices(name).any(|(at, _)| {
        !is_part(text[..at].chars().next_back()) && !is_part(text[at + name.len()..].chars().next())
    })
}

#[cfg(test)]
mod tests {
    use ftl_machine::event::Verification;
    use ftl_model::RunFailure;

    use super::{Held, has_word, outcome};

    fn failure(test: &str, path: Option<&str>, message: &str) -> RunFailure {
        RunFailure {
            test: Some(test.into()),
            path: path.map(Into::into),
            message: message.into(),
            ..RunFailure::default()
        }
    }

    #[test]
    fn new_tests_and_those_of_removed_names_do_not_count() {
        let held = Held { paths: vec!["t.py".into()], new: vec!["tests/new.py".into()] };
        let run = |failures: &[RunFailure]| {
            let failures = failures.to_vec();
            let verification = Verification { failures, ..Verification::default() };
            outcome(verification, &held, &["gone".to_owned()])
        };
        let new = failure("tests/new.py::a", None, "E");
        let removed = failure("t.py::b", Some("t.py"), "no attribute 'gone'");
        let old = failure("t.py::c", Some("t.py"), "no attribute 'gone_too'");
        assert_eq!(run(&[new.clone(), removed.clone()]).passed, Some(true));
        let failed = run(&[new, removed, old.clone()]);
        assert_eq!((failed.passed, failed.failures), (Some(false), vec![old]));
        assert_eq!(run(&[]).passed, Some(false));
    }

    #[test]
    fn a_name_is_a_whole_word() {
        assert!(has_word("has no attribute 'old_digest'", "old_digest"));
        assert!(!has_word("very_old_digest", "old_digest"));
    }
}
