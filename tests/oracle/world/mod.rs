//! A scenario made real: a project directory, and the scripts of everybody who acts in it.

mod diff;
mod document;
mod script;

use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

use super::programs::Programs;
use super::scenario::{AgentNamed, BadPath, Delta, FileName, Fix, Implementer, Scenario, TestFile};
use super::text::{Language, Text};

/// A file outside the delta, which must not change.
pub(super) const OUTSIDE: &str = "outside.txt";
pub(super) const OUTSIDE_TEXT: &str = "keep me\n";
/// A path outside the delta that a stray creates.
pub(super) const STRAY: &str = "stray.txt";
/// A hook that a stray sets.
pub(super) const HOOK: &str = ".git/hooks/pre-commit";
/// The path of the readable test file.
const TEST_FILE: &str = "tests/check.txt";

/// A directory that holds the project and, beside it, what must lie outside.
pub(super) struct World {
    pub(super) root: PathBuf,
    /// Scripts, their counters, patches.
    pub(super) scratch: PathBuf,
}

impl World {
    pub(super) fn lay_out(scenario: &Scenario, home: &Path, programs: &Programs) -> Self {
        let world = Self { root: home.join("root"), scratch: home.join("scratch") };
        create_dir(&world.root.join(".ftl/workspace"));
        create_dir(&world.scratch);
        world.write_surroundings(scenario);
        if scenario.git {
            world.commit(scenario, programs);
        }
        for file in &scenario.delta {
            world.write_delta(file, file.start.as_ref());
        }
        if matches!(scenario.implementer, Implementer::Tree(tree) if tree.outside_differs) {
            write(&world.root.join(OUTSIDE), "changed manually\n");
        }
        script::write_all(scenario, &world.scratch);
        world.write_patches(scenario);
        if scenario.file_name != FileName::Missing {
            let document = document::render(scenario, &world.scratch);
            write(&world.workspace(scenario.file_name), document);
        }
        world
    }

    /// The agent's command line.
    pub(super) fn agent(&self) -> String {
        format!("{} \"$@\"", script::command(&self.scratch, "agent.sh"))
    }

    /// The task file's name and bytes as they were laid out.
    pub(super) fn original(&self, scenario: &Scenario) -> Option<(String, Vec<u8>)> {
        let path = self.workspace(scenario.file_name);
        let name = path.file_name().expect("because it is a file").to_string_lossy();
        (scenario.file_name != FileName::Missing)
            .then(|| (name.into_owned(), document::render(scenario, &self.scratch)))
    }

    /// The task file as it is named on the command line.
    pub(super) fn workspace(&self, name: FileName) -> PathBuf {
        self.workspaces().join(match name {
            FileName::Active | FileName::Missing => "001_case_active.xml",
            FileName::AlreadyComplete => "001_case_complete.xml",
            FileName::AlreadyBlocked => "001_case_blocked.xml",
            FileName::NoStatus => "001_case.xml",
        })
    }

    pub(super) fn workspaces(&self) -> PathBuf {
        self.root.join(".ftl/workspace")
    }

    pub(super) fn patch(&self, place: usize) -> PathBuf {
        self.scratch.join(format!("{place}.diff"))
    }

    fn write_surroundings(&self, scenario: &Scenario) {
        write(&self.root.join(OUTSIDE), OUTSIDE_TEXT);
        let configuration = self.configuration(scenario);
        if !configuration.is_empty() {
            write(&self.root.join("ftl.toml"), configuration);
        }
        match scenario.bad_path {
            Some(BadPath::LinkOut) => link(&self.scratch, &self.root.join("out")),
            Some(BadPath::Directory) => create_dir(&self.root.join("folder")),
            Some(_) | None => {}
        }
        if let Some(kind) = scenario.verify_source {
            self.write_test_file(kind);
        }
    }

    fn configuration(&self, scenario: &Scenario) -> String {
        let mut lines = String::new();
        if scenario.undecided_blocks {
            lines.push_str("[quality]\nundecided = \"block\"\n");
        }
        if let Some(untrusted) = &scenario.untrusted {
            let names: Vec<_> = untrusted.iter().map(|it| it.name()).collect();
            lines.push_str(&format!("[verify]\nuntrusted = {names:?}\n"));
        }
        // Whether the experiment that decides can be made depends on the system.
        if scenario.mask.is_some() {
            let section = if scenario.untrusted.is_some() { "" } else { "[verify]\n" };
            lines.push_str(&format!("{section}evidence = \"none\"\n"));
        }
        if !scenario.drops_strays {
            lines.push_str("[scope]\nstrays = \"block\"\n");
        }
        if scenario.agent_named == AgentNamed::AsDefault {
            lines.push_str("[agent]\ndefault = \"scripted\"\n");
        }
        if scenario.agent_named != AgentNamed::ByFlag {
            let command = self.agent();
            lines.push_str(&format!("[agent.scripted]\ncommand = '''{command}'''\n"));
        }
        lines
    }

    fn write_test_file(&self, kind: TestFile) {
        let path = self.root.join(TEST_FILE);
        match kind {
            TestFile::Readable => write(&path, "expect little\n"),
            TestFile::InDelta | TestFile::Absent => {}
            TestFile::Directory => create_dir(&path),
            TestFile::NotUtf8 => write(&path, [b'a', 0xff, 0xfe, b'\n']),
            TestFile::TooLarge => write(&path, vec![b'x'; 1024 * 1024 + 1]),
            TestFile::Outside => write(&self.root.join("../check.txt"), "expect little\n"),
            TestFile::LinkOut => {
                write(&self.scratch.join("check.txt"), "expect little\n");
                link(&self.scratch.join("check.txt"), &path);
            }
        }
    }

    fn commit(&self, scenario: &Scenario, programs: &Programs) {
        let ignored = scenario.delta.iter().filter(|file| file.ignored);
        let mut ignore = String::from("ignored.log\n");
        for file in ignored {
            ignore.push_str(&format!("/{}\n", file.path));
        }
        write(&self.root.join(".gitignore"), ignore);
        for file in &scenario.delta {
            self.write_delta(file, file.committed.as_ref());
        }
        programs.git(&self.root, &["init", "-q", "--template="]);
        programs.git(&self.root, &["add", "-A", "--", ".", ":!.ftl"]);
        programs.git(&self.root, &["commit", "-q", "-m", "start"]);
    }

    fn write_delta(&self, file: &Delta, text: Option<&Text>) {
        let path = self.root.join(file.path);
        match text {
            Some(text) => write(&path, text.render(Language::of(file.path))),
            None if path.exists() => fs::remove_file(&path).expect("because it was just written"),
            None => {}
        }
    }

    fn write_patches(&self, scenario: &Scenario) {
        if let Implementer::Patches(patches) = &scenario.implementer {
            for (place, patch) in patches.iter().enumerate() {
                write(&self.patch(place), diff::render(scenario, patch));
            }
        }
        let needs_scripts = scenario.failures.iter().enumerate();
        for (place, failure) in needs_scripts {
            if let Fix::Command(command) = &failure.fix {
                script::write_fix(scenario, command, &self.scratch, place);
            }
        }
    }
}

fn create_dir(path: &Path) {
    fs::create_dir_all(path).expect("because a temporary directory can be written");
}

fn write(path: &Path, text: impl AsRef<[u8]>) {
    create_dir(path.parent().expect("because it is in a directory"));
    fs::write(path, text).expect("because a temporary directory can be written");
}

fn link(target: &Path, path: &Path) {
    create_dir(path.parent().expect("because it is in a directory"));
    symlink(target, path).expect("because a temporary directory can be written");
}
