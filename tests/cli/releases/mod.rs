//! Real releases of real packages that lost public names: a build of the edit between two of them is blocked, whether
//! the task was written before the edit or after it.

use std::collections::BTreeSet;
use std::fs;

use ftl_testkit::root;

use crate::support::{Finished, Project};

/// A file of two releases, and what the first gave and the second does not.
struct Release {
    language: &'static str,
    /// Its path in its package.
    path: &'static str,
    /// Public names that are gone, as people write them.
    lost: &'static [&'static str],
    /// How many are gone in all.
    count: usize,
}

const RELEASES: [Release; 5] = [
    Release {
        language: "python",
        path: "src/markupsafe/_native.py",
        lost: &["soft_unicode()"],
        count: 1,
    },
    Release { language: "javascript", path: "lib/express.js", lost: &["query"], count: 1 },
    Release {
        language: "typescript",
        path: "src/immer.ts",
        lost: &["default", "enableAllPlugins", "enableES5", "setUseProxies"],
        count: 4,
    },
    Release {
        language: "go",
        path: "markdown.go",
        lost: &["MarkdownBasic()", "MarkdownCommon()", "MarkdownOptions()", "Options", "VERSION"],
        count: 36,
    },
    Release { language: "rust", path: "src/lib.rs", lost: &["fmt()", "write()"], count: 2 },
];

impl Release {
    fn text(&self, when: &str) -> String {
        let name = self.path.rsplit('/').next().unwrap();
        let home = root().join("tests/cli/releases").join(self.language);
        fs::read_to_string(home.join(when).join(format!("{name}.txt"))).unwrap()
    }

    /// A project with the first release committed, and the second beside it for an agent to copy.
    fn project(&self) -> Project {
        let project = Project::empty();
        project.write(".gitignore", "next\n");
        project.write(self.path, self.text("before"));
        project.commit();
        project.write("next", self.text("after"));
        project
    }

    fn task(&self, project: &Project) {
        let words = ["new", "Release", "--delta", self.path, "--verify", "true"];
        project.ftl(words).ends(0);
    }

    /// Checks that the build was blocked for these names and no others.
    fn is_lost(&self, blocked: &Finished) {
        assert_eq!(blocked.code, Some(3), "{}: {blocked:#?}", self.language);
        let result = blocked.json();
        assert_eq!(result["block"]["kind"], "exports_lost", "{result:#}");
        let exports = result["quality"]["exports"].as_array().unwrap();
        let lost = exports.iter().filter(|one| one["verdict"] == "lost");
        let lost: BTreeSet<&str> = lost.map(|one| one["name"].as_str().unwrap()).collect();
        let expected = BTreeSet::from_iter(self.lost.iter().copied());
        assert!(lost.is_superset(&expected), "{lost:?}");
        assert_eq!(lost.len(), self.count, "{lost:?}");
    }
}

#[test]
fn a_release_that_lost_a_name_is_blocked_when_the_task_came_first() {
    for release in &RELEASES {
        let project = release.project();
        release.task(&project);
        let copy = format!("cp next {}", release.path);
        release.is_lost(&project.build(&["1", "--agent", &copy]));
    }
}

#[test]
fn a_release_that_lost_a_name_is_blocked_when_the_edit_came_first() {
    for release in &RELEASES {
        let project = release.project();
        project.write(release.path, release.text("after"));
        release.task(&project);
        release.is_lost(&project.build(&["1", "--tree"]));
    }
}
