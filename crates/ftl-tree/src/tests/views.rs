//! Workplaces mounted over their projects: what a process sees, and where its writes go. Each case runs as this user, and
//! again in a user namespace where this user is root; with private layers over dependencies, and without.
//!
//! The first process of a view is this program again, see [`a_view_is_entered_by_this_program`].

#![expect(clippy::print_stdout, reason = "a test says why it is skipped")]

use std::ffi::{OsStr, OsString};
use std::path::PathBuf;

use ftl_process::{Command, Layer, View, find_program};

use super::workplaces::{DEPENDENCIES, Placed};
use super::world::{Project, World, strays};
use crate::Settings;
use crate::workplace::Placement;

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

/// A workplace, and the way in.
struct Viewed {
    at: Placed,
    user_namespace: bool,
}

impl Viewed {
    fn view(&self) -> View {
        let mounts = self.at.place.mounts(&self.at.tree).unwrap();
        let layers = mounts.layers.into_iter();
        let test = "tests::views::a_view_is_entered_by_this_program";
        View {
            unshare: find_program(OsStr::new("unshare")).unwrap(),
            program: std::env::current_exe().unwrap(),
            words: ["--exact", test, "--nocapture", "--", ENTER].map(OsString::from).into(),
            user_namespace: self.user_namespace,
            binds: mounts.binds,
            layers: layers
                .map(|at| Layer { over: at.over, upper: at.upper, work: at.work })
                .collect(),
            shared: mounts.shared,
            readable: mounts.readable,
            pass: mounts.pass,
            report: self.at.place.dir().join("report"),
        }
    }

    /// Runs a script in the view, whose last error is shown where it fails.
    #[track_caller]
    fn sh(&self, script: &str) {
        let command = Command::shell(format!("set -ex\n{script}"), []);
        let command = command.dir(self.at.tree.root()).env(self.at.project.env());
        let ended = command.within(self.view()).run(|_| Ok(())).unwrap();
        let output = String::from_utf8_lossy(&ended.output.head).into_owned();
        assert!(ended.success(), "{output}");
    }

    fn root_text(&self, path: &str) -> String {
        std::fs::read_to_string(self.at.project.root.join(path)).unwrap()
    }
}

/// Runs a case in views of every way in.
fn in_views(world: World, prepare: &str, case: impl Fn(Viewed)) {
    let ways: &[bool] = if View::needs_user_namespace() { &[true] } else { &[false, true] };
    for &user_namespace in ways {
        for placement in [Placement::Layered, Placement::Bound] {
            let project = Project::new(world);
            project.sh(prepare);
            let mut at = Placed::with(project, Settings::default(), placement);
            at.refresh();
            let viewed = Viewed { at, user_namespace };
            match viewed.view().probe() {
                Ok(()) => case(viewed),
                Err(reason) => println!("skipped: needs mounts in namespaces: {reason}"),
            }
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
fn a_write_in_a_view_stays_in_the_workplace() {
    for world in [World::Git, World::Linked] {
        in_views(world, COMMIT, |viewed| {
            let before = viewed.at.project.picture();
            viewed.sh(
                "echo mine > src/a.py; rm src/b.py; echo n > made.txt; git add -A; git commit -qm mine
                 git checkout -qb own; git gc -q; git log -1 --format=%s | grep -q mine",
            );
            viewed.sh("test \"$(cat src/a.py)\" = mine; test ! -e src/b.py; git status");
            assert_eq!(viewed.at.project.picture(), before, "{world:?}");
            let changes = viewed.at.changes();
            let found = strays(&viewed.at.tree, &changes);
            assert_eq!(found, ["+made.txt", "-src/b.py"], "{world:?}");
            assert!(changes.has_moved_references && changes.touch_delta(), "{world:?}");
            let kept = viewed.at.place.keep_commits(&viewed.at.tree, "refs/ftl/run").unwrap();
            assert!(kept.contains(&"heads/own".to_owned()), "{world:?}: {kept:?}");
        });
    }
}

#[test]
fn dependencies_that_are_written_in_a_view_stay_those_of_the_tree() {
    in_views(World::Git, DEPENDENCIES, |mut viewed| {
        viewed.sh(
            "cat node_modules/x/i .venv/bin/p vendor/y/z .env; echo mine > node_modules/x/i
             echo more > vendor/more; test \"$(cat node_modules/x/i)\" = mine; test -z \"$(git status --porcelain)\"
             echo mine > target/debug/t",
        );
        assert_eq!(viewed.root_text("node_modules/x/i"), "x\n");
        assert_eq!(viewed.root_text("target/debug/t"), "t\n");
        assert!(!viewed.at.project.root.join("vendor/more").exists());
        let changed = match viewed.at.place.placement() {
            Placement::Layered => "node_modules/x/i",
            Placement::Bound | Placement::OwnPath => "node_modules",
        };
        assert_eq!(viewed.at.changes().dependencies, [changed, "vendor/more"]);
        viewed.at.refresh();
        viewed.sh("test \"$(cat node_modules/x/i)\" = x; test ! -e vendor/more
             test \"$(cat target/debug/t)\" = mine");
    });
}

#[test]
fn a_large_ignored_file_is_read_where_it_is() {
    let prepare = "echo data > .gitignore; mkdir data; head -c 70000000 /dev/zero > data/large";
    in_views(World::Git, prepare, |viewed| {
        let is_layered = viewed.at.place.placement() == Placement::Layered;
        viewed.sh("test $(wc -c < data/large) = 70000000; (echo more > data/more) || :");
        assert!(!viewed.at.project.root.join("data/more").exists());
        let expected: &[&str] = if is_layered { &["data/more"] } else { &[] };
        assert_eq!(viewed.at.changes().dependencies, expected);
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
        let received: PathBuf = viewed.at.project.outside().join("received");
        // The reader ends when the writer has.
        viewed.at.project.sh("while [ ! -s \"$OUTSIDE/received\" ]; do :; done");
        assert_eq!(std::fs::read_to_string(received).unwrap(), "through\n");
    });
}
