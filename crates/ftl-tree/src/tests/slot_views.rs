//! Views over slots, mounted: what a process in one sees, and where its writes go. Each runs as this user, and
//! again in a user namespace where this user is root.
//!
//! The first process of a view is this program again, see [`a_view_is_entered_by_this_program`].

#![expect(clippy::print_stdout, reason = "a test says why it is skipped")]

use std::collections::BTreeSet;
use std::ffi::{OsStr, OsString};
use std::path::PathBuf;

use ftl_process::{Command, Environment, Layer, View, find_program};

use super::slots::Slotted;
use super::world::{Project, World};
use crate::slot::SlotView;
use crate::{OverlayLayer, Settings, TakenOver};

/// The word after which this program gets what makes it the first process of a view.
const ENTER: &str = "enter-view";

#[test]
fn a_view_is_entered_by_this_program() {
    let words: Vec<OsString> =
        std::env::args_os().skip_while(|word| word != ENTER).skip(1).collect();
    if !words.is_empty() {
        std::process::exit(View::enter(words).into());
    }
}

/// A slot, and the view that is mounted over it.
struct Viewed {
    at: Slotted,
    user_namespace: bool,
    view: SlotView,
}

impl Viewed {
    fn new(at: Slotted, user_namespace: bool) -> Option<Self> {
        let view = at.slot.make_view(&at.tree, &at.place()).unwrap();
        let viewed = Self { at, user_namespace, view };
        match viewed.mounts().probe() {
            Ok(()) => Some(viewed.again()),
            Err(reason) => {
                println!("skipped: needs overlays in namespaces: {reason}");
                None
            }
        }
    }

    /// With empty layers.
    fn again(mut self) -> Self {
        self.view = self.at.slot.make_view(&self.at.tree, &self.at.place()).unwrap();
        self
    }

    fn mounts(&self) -> View {
        let layer = |layer: OverlayLayer| Layer {
            over: layer.over,
            lower: layer.lower,
            upper: layer.upper,
            work: layer.work,
        };
        let test = "tests::slot_views::a_view_is_entered_by_this_program";
        View {
            unshare: find_program(OsStr::new("unshare")).unwrap(),
            program: std::env::current_exe().unwrap(),
            words: ["--exact", test, "--nocapture", "--", ENTER].map(OsString::from).into(),
            user_namespace: self.user_namespace,
            layers: self.view.all_layers().into_iter().map(layer).collect(),
            shared: self.view.shared.clone(),
            pass: self.view.pass.clone(),
            report: self.at.place().join("report"),
            max_written: None,
        }
    }

    /// Runs a script in the view, whose last error is shown where it fails.
    #[track_caller]
    fn sh(&self, script: &str) {
        let env = Environment::inherit()
            .set("HOME", self.at.project.outside())
            .set("GIT_CONFIG_NOSYSTEM", "1")
            .set("GIT_AUTHOR_NAME", "t")
            .set("GIT_AUTHOR_EMAIL", "t@t")
            .set("GIT_COMMITTER_NAME", "t")
            .set("GIT_COMMITTER_EMAIL", "t@t");
        let command = Command::shell(format!("set -ex\n{script}"), []);
        let command = command.dir(self.at.tree.root()).env(env).within(self.mounts());
        let ended = command.run(|_| Ok(())).unwrap();
        let output = String::from_utf8_lossy(&ended.output.head).into_owned();
        assert!(ended.success(), "{output}");
    }

    /// Ends the request that worked in the view, as a run does.
    fn end(&self) {
        let copy = self.at.slot.tree(&self.at.tree).unwrap();
        let work = copy.written(&self.view.layers, None).unwrap();
        let landing = copy.landing(&work, &BTreeSet::new());
        assert_eq!(copy.touch_dropped(&self.view.layers, &landing).unwrap(), [""; 0]);
        let done = copy.take_over(&work, &landing, &self.at.place().join("plan")).unwrap();
        assert_eq!(done, TakenOver::default());
    }

    fn root(&self, path: &str) -> PathBuf {
        self.at.project.root.join(path)
    }

    fn root_text(&self, path: &str) -> String {
        std::fs::read_to_string(self.root(path)).unwrap()
    }
}

/// Runs a case in views of every way in.
fn in_views(world: World, prepare: &str, case: impl Fn(Viewed)) {
    let ways: &[bool] = if View::needs_user_namespace() { &[true] } else { &[false, true] };
    for &user_namespace in ways {
        let project = Project::new(world);
        project.sh(prepare);
        let mut at = Slotted::with(project, Settings::default());
        at.refresh();
        if let Some(viewed) = Viewed::new(at, user_namespace) {
            case(viewed);
        }
    }
}

const COMMIT: &str = "git add -A; git commit -qm all";

#[test]
fn a_view_shows_the_base_whatever_happens_in_the_tree() {
    for world in [World::Git, World::Linked, World::Below] {
        in_views(world, COMMIT, |viewed| {
            viewed.at.project.sh(
                "echo b = 9 > x; mv x src/b.py; echo in place >> docs/guide.md; rm dirty.txt; rm -r notes
                 echo new > new.txt; mv docs moved; mkdir docs; git add -A; git commit -qm later
                 git branch later; git tag after; git gc -q --prune=now",
            );
            viewed.sh(
                "test \"$(cat src/b.py)\" = 'b = 1'; test \"$(cat docs/guide.md)\" = 'a guide'
                 test -e dirty.txt -a -e notes/n -a ! -e new.txt -a ! -e moved
                 test \"$(ls docs)\" = guide.md
                 test -z \"$(git status --porcelain)\"; ! git rev-parse -q --verify later
                 test \"$(git log --format=%s | head -1)\" = all; git fsck --no-dangling
                 git show HEAD:./src/b.py | grep -q 'b = 1'",
            );
        });
    }
}

#[test]
fn a_write_in_a_view_stays_there() {
    for world in [World::Git, World::Linked] {
        in_views(world, COMMIT, |viewed| {
            let before = viewed.at.project.picture();
            viewed.sh(
                "echo mine > src/a.py; rm src/b.py; echo n > made.txt; git add -A; git commit -qm mine
                 git checkout -qb own; git gc -q; git log -1 --format=%s | grep -q mine",
            );
            // Its layers stay, for another command in the same view.
            viewed.sh("test \"$(cat src/a.py)\" = mine; test ! -e src/b.py; git status");
            assert_eq!(viewed.at.project.picture(), before, "{world:?}");
            let copy = viewed.at.slot.tree(&viewed.at.tree).unwrap();
            let work = copy.written(&viewed.view.layers, None).unwrap();
            let (own, references) = (work.references().join(" "), "heads/own");
            assert!(own.contains(references), "{own}");
        });
    }
}

const DEPENDENCIES: &str = "mkdir -p node_modules/x .venv/bin vendor/y target/debug dist
    echo x > node_modules/x/i; echo p > .venv/bin/p; echo y > vendor/y/z; echo t > target/debug/t
    echo d > dist/d; echo secret > .env; printf 'vendor\\ndist\\n.env\\nnode_modules\\n.venv\\ntarget\\n' > .gitignore
    git add -A; git commit -qm all";

#[test]
fn dependencies_are_those_of_the_tree_below_a_private_layer() {
    in_views(World::Git, DEPENDENCIES, |viewed| {
        viewed.sh(
            "cat node_modules/x/i .venv/bin/p vendor/y/z .env; echo mine > node_modules/x/i
             echo more > vendor/more; test \"$(cat node_modules/x/i)\" = mine; test -z \"$(git status --porcelain)\"",
        );
        assert_eq!(viewed.root_text("node_modules/x/i"), "x\n");
        assert!(!viewed.root("vendor/more").exists());
        viewed.end();
        let next = viewed.again();
        next.sh("test \"$(cat node_modules/x/i)\" = x; test ! -e vendor/more");
    });
}

#[test]
fn build_outputs_are_kept_from_task_to_task_and_never_come_into_the_tree() {
    in_views(World::Git, DEPENDENCIES, |viewed| {
        viewed.sh("cat target/debug/t dist/d; echo mine > target/debug/t; echo n > target/new
             rm -r dist; mkdir dist; echo again > dist/e");
        viewed.end();
        assert_eq!(viewed.root_text("target/debug/t"), "t\n");
        assert!(viewed.root("dist/d").exists() && !viewed.root("target/new").exists());
        viewed.at.project.sh("echo root > target/debug/t; echo b = 3 > src/b.py");
        let mut viewed = viewed.again();
        viewed.at.refresh();
        viewed.sh(
            "test \"$(cat target/debug/t)\" = mine; test -e target/new -a -e dist/e -a ! -e dist/d
             test \"$(cat .env)\" = secret; test \"$(cat src/b.py)\" = 'b = 3'",
        );
    });
}

/// What was built from a version that was dropped must not pass for current.
#[test]
fn a_path_whose_version_was_dropped_is_newer_than_what_was_built_from_it() {
    in_views(World::Git, DEPENDENCIES, |viewed| {
        viewed.sh("echo built > target/b");
        viewed.end();
        let viewed = viewed.again();
        viewed.sh("echo b = 5 > src/b.py; rm docs/guide.md; chmod 700 run.sh");
        viewed.end();
        let mut viewed = viewed.again();
        viewed.at.refresh();
        viewed.sh(
            "test src/b.py -nt target/b; test docs/guide.md -nt target/b; test run.sh -nt target/b
             test target/b -nt src/a.py; test \"$(cat src/b.py)\" = 'b = 1'",
        );
    });
}

#[test]
fn submodules_and_repositories_within_are_seen_clean() {
    let prepare = "git init -q ../lib; cd ../lib; echo l > l; git add l; git commit -qm lib; cd -
        git -c protocol.file.allow=always submodule -q add ../lib sub; git add -A; git commit -qm sub
        git init -q within; echo w > within/w; git -C within add w; git -C within commit -qm w";
    in_views(World::Git, prepare, |viewed| {
        viewed.at.project.sh(
            "echo 2 > sub/l; git -C sub commit -qam two; echo 2 > within/w; git -C within commit -qam two",
        );
        viewed.sh(
            "test \"$(git status --porcelain)\" = '?? within/'; test -z \"$(git -C sub status --porcelain)\"
             test -z \"$(git -C within status --porcelain)\"; test \"$(git -C sub log --format=%s)\" = lib
             test \"$(git -C within log --format=%s)\" = w; echo 3 > within/w; git -C within commit -qam three
             echo 3 > sub/l; git -C sub commit -qam three",
        );
        viewed
            .at
            .project
            .sh("git -C within log --format=%s | grep -q two; ! git -C sub log | grep three");
    });
}

#[test]
fn pipes_and_sockets_of_the_tree_are_reached() {
    in_views(World::Git, "mkfifo meet", |viewed| {
        viewed
            .at
            .project
            .sh("(timeout 20 cat meet > \"$OUTSIDE/received\") > \"$OUTSIDE/log\" 2>&1 &");
        viewed.sh("echo through > meet");
        let received = viewed.at.project.outside().join("received");
        // The reader ends when the writer has.
        viewed.at.project.sh("while [ ! -s \"$OUTSIDE/received\" ]; do :; done");
        assert_eq!(std::fs::read_to_string(received).unwrap(), "through\n");
    });
}
