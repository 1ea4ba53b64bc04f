//! How much is looked at, and what counts as a change in it.

use std::path::PathBuf;

use super::workplaces::Placed;
use super::world::{Project, World, delta, strays};
use crate::{Changes, Extent, Settings};

/// What a script changes in a workplace.
fn changes(project: Project, script: &str) -> (Placed, Changes) {
    changes_with(project, Settings::default(), script)
}

fn changes_with(project: Project, settings: Settings, script: &str) -> (Placed, Changes) {
    let at = Placed::ready(project, settings);
    at.work(script);
    let changes = at.changes();
    (at, changes)
}

/// That these are the strays of a script, and that the next refresh undoes them.
#[track_caller]
fn assert_found(at: &mut Placed, script: &str, expected: &[&str]) {
    let project = at.project.picture();
    at.work(script);
    let mut found = strays(&at.tree, &at.changes());
    found.sort_by(|a, b| a[1..].cmp(&b[1..]));
    assert_eq!(found, expected, "{script}");
    assert_eq!(at.project.picture(), project, "{script}");
    at.refresh();
    assert_eq!(strays(&at.tree, &at.changes()), [""; 0], "{script}");
}

#[test]
fn paths_above_the_root_are_watched_and_kept_in_the_workplace() {
    for world in [World::Below, World::BelowAttributes] {
        let mut at = Placed::ready(Project::new(world), Settings::default());
        assert_found(
            &mut at,
            "echo x >>../lib/above.txt; echo x >../new.txt; chmod 700 ../lib ..; mkdir -p ../a/b",
            &["~..", "+../a", "+../a/b", "~../lib", "~../lib/above.txt", "+../new.txt"],
        );
        at.is_equal("above");
    }
}

#[test]
fn the_root_alone_is_watched_where_that_is_asked_for() {
    for world in [World::Below, World::BelowAttributes] {
        let project = Project::new(world);
        project.sh("echo '*.above' >../.gitignore");
        let settings = Settings { watch: Extent::Root, ..Settings::default() };
        let (at, changes) = changes_with(
            project,
            settings,
            "echo x >../new.txt; echo x >>src/b.py; echo x >x.above; echo x >x.log",
        );
        assert_eq!(at.tree.top(), at.project.root);
        assert_eq!(strays(&at.tree, &changes), ["~src/b.py"], "{world:?}");
    }
}

#[test]
fn the_top_is_that_of_the_repository() {
    for world in World::ALL {
        let project = Project::new(world);
        let top = if world.is_below() { project.root.parent().unwrap() } else { &project.root };
        assert_eq!(project.tree().top(), top, "{world:?}");
    }
}

/// A project that its repository ignores is not part of it.
#[test]
fn a_repository_that_ignores_the_root_is_not_its_own() {
    let project = Project::new(World::Plain);
    project.sh("cd ..; git init -q; echo top >.gitignore");
    assert!(!project.tree().has_git());
    assert_eq!(project.tree().top(), project.root);
}

#[test]
fn rules_of_the_user_that_come_later_hide_nothing() {
    let project = Project::new(World::Git);
    project
        .sh("git config core.excludesFile \"$OUTSIDE/ignore\"; echo '*.mine' >\"$OUTSIDE/ignore\"");
    let (at, changes) =
        changes(project, "echo x >a.mine; echo hidden >>\"$OUTSIDE/ignore\"; echo x >hidden");
    assert_eq!(strays(&at.tree, &changes), ["+hidden"]);
}

#[test]
fn rules_that_go_bring_nothing_to_light() {
    let project = Project::new(World::Git);
    project.sh("echo kept >kept.log");
    let (at, changes) =
        changes(project, "rm .gitignore; echo x >>build/o; echo x >new.log; echo x >>kept.log");
    assert_eq!(strays(&at.tree, &changes), ["-.gitignore", "~kept.log"]);
}

#[test]
fn an_ignored_file_that_was_there_is_watched_and_a_new_one_is_scratch() {
    let project = Project::new(World::Git);
    project
        .sh("echo '.env*' >>.gitignore; echo logs >>.gitignore; echo S=1 >.env; echo S=1 >.env.b
         mkdir -p logs/d; ln -s o logs/l; echo 1 >logs/d/deep");
    let mut at = Placed::ready(project, Settings::default());
    for (script, expected) in [
        ("echo S=2 >.env; echo 1 >>logs/d/deep", &["~.env", "~logs/d/deep"][..]),
        ("printf X | dd conv=notrunc of=.env 2>/dev/null; touch -d @0 .env", &["~.env"]),
        ("rm .env.b", &["-.env.b"]),
        ("rm -r logs", &["-logs", "-logs/d", "-logs/d/deep", "-logs/l"]),
        ("rm -r logs; echo >logs", &["~logs", "-logs/d", "-logs/d/deep", "-logs/l"]),
        (
            "echo S=3 >.env.c; echo >logs/new; mkdir logs/more; echo >logs/more/new; echo >build/n",
            &[],
        ),
    ] {
        assert_found(&mut at, script, expected);
        at.work("rm -f build/n");
        at.is_equal(script);
    }
}

#[test]
fn ignored_files_are_copied_up_to_a_bound_and_small_ones_first() {
    let project = Project::new(World::Git);
    project.sh("printf '.env\\ndata\\n' >>.gitignore; echo S=1 >.env; mkdir data
         head -c 2000 /dev/zero >data/large");
    let settings = Settings { max_backup: 1000, ..Settings::default() };
    let (at, changes) = changes_with(project, settings, "echo S=2 >.env");
    assert_eq!(strays(&at.tree, &changes), ["~.env"]);
    assert_eq!(changes.dependencies, [""; 0]);
    at.work("rm -f data/more; echo >data/more");
    assert_eq!(at.changes().dependencies, ["data"]);
}

/// The delta is looked at for itself, wherever it is.
#[test]
fn a_delta_file_makes_no_scratch_of_the_directories_around_it() {
    let project = Project::new(World::Git);
    project.sh("echo pkg/ >>.gitignore; mkdir -p pkg/new; echo 1 >pkg/new/other");
    let (at, touched) = changes(project, "echo 1 >pkg/new/mod.py");
    assert!(touched.delta[&delta()[1]].change.is_some());
    assert_eq!(strays(&at.tree, &touched), [""; 0]);
    at.work("echo 2 >pkg/new/other; echo 1 >pkg/new/third");
    assert_eq!(strays(&at.tree, &at.changes()), ["~pkg/new/other"]);
}

#[test]
fn allowed_files_are_work_and_no_strays() {
    for world in World::ALL {
        let settings = Settings {
            allow: ["*.lock", "snap/", "ftl.toml", "**/config", "linked"]
                .map(str::to_owned)
                .to_vec(),
            ..Settings::default()
        };
        let (at, changes) = changes_with(
            Project::new(world),
            settings,
            "echo 1 >a.lock; mkdir -p x/snap/deep other; echo 1 >x/snap/deep/y; echo 1 >other/z; \
             echo 1 >other/b.lock; echo '[verify]' >ftl.toml; ln -s a.lock linked; \
             if [ -d ../lib ]; then echo 1 >../lib/c.lock; fi",
        );
        let allowed: Vec<&str> = changes.allowed.iter().map(|path| path.as_str()).collect();
        assert_eq!(allowed, ["a.lock", "other/b.lock", "x/snap/deep/y"], "{world:?}");
        // No task can name what is above the root.
        let above = if world.is_below() { &["+../lib/c.lock"][..] } else { &[] };
        let strayed = [&["+ftl.toml", "+linked", "+other", "+other/z"], above].concat();
        let mut found = strays(&at.tree, &changes);
        found.sort_by_key(|path| path.starts_with("+.."));
        assert_eq!(found, strayed, "{world:?}");
        let work: Vec<&str> = changes.work().map(|path| path.as_str()).collect();
        assert_eq!(work, allowed, "{world:?}");
    }
}

#[test]
fn submodules_and_repositories_within_belong_to_the_copy() {
    let project = Project::new(World::Git);
    project.sh(
        "git init -q ../sub; cd ../sub; echo 1 >x; git add x; git commit -qm x; cd ../top; \
         git -c protocol.file.allow=always submodule --quiet add ../sub lib/sub; git add -A; git commit -qm sub; \
         git init -q nested; echo 1 >nested/y; git -C nested add y; git -C nested commit -qm y",
    );
    let mut at = Placed::ready(project, Settings::default());
    at.is_equal("at first");
    at.work(
        "test -z \"$(git -C lib/sub status --porcelain)\"; test -z \"$(git -C nested status --porcelain)\"
         test \"$(git -C nested log --format=%s)\" = y; git -C nested fsck --no-dangling",
    );
    // What git keeps is private; what is beside it counts.
    assert_found(
        &mut at,
        "echo x >.git/modules/lib/sub/hooks/post-checkout; git -C lib/sub config a.b c; \
         echo x >nested/.git/hooks/pre-commit; git -C nested config a.b c; \
         echo '*' >>nested/.git/info/exclude; echo 1 >nested/hidden; echo 2 >lib/sub/x; \
         git -C lib/sub commit -qam two; git -C nested gc -q",
        &["~lib/sub/x", "+nested/hidden"],
    );
    at.is_equal("after a refresh");
    at.project.sh("test -z \"$(git -C nested config a.b)\"; git -C nested fsck --no-dangling");
}

#[test]
fn a_repository_that_is_planted_is_no_part_of_the_work() {
    let mut at = Placed::ready(Project::new(World::Plain), Settings::default());
    assert_found(
        &mut at,
        "git init -q; git config core.fsmonitor evil; echo '*' >.gitignore; echo x >hidden",
        &["~.gitignore", "+hidden"],
    );
    assert!(!at.in_copy(".git").exists());
    assert!(!at.copy().has_git());
}

#[test]
fn a_worktrees_link_that_becomes_a_repository_is_made_again() {
    let mut at = Placed::ready(Project::new(World::Linked), Settings::default());
    let link = std::fs::read(at.in_copy(".git")).unwrap();
    assert_found(&mut at, "rm .git; git init -q; echo x >>src/b.py", &["~src/b.py"]);
    assert_eq!(std::fs::read(at.in_copy(".git")).unwrap(), link);
    at.work("test \"$(git log --format=%s)\" = first");
}

#[test]
fn a_file_that_keeps_its_size_and_time_is_found_by_its_change_time() {
    let project = Project::new(World::Git);
    project.write("big.bin", "0123456789");
    let settings = Settings { max_backup: 9, ..Settings::default() };
    let (at, changes) = changes_with(
        project,
        settings,
        "touch -r big.bin ref; printf X | dd conv=notrunc of=big.bin 2>/dev/null; touch -r ref big.bin; rm ref",
    );
    assert_eq!(strays(&at.tree, &changes), ["~big.bin"]);
}

#[test]
fn the_configuration_is_watched_though_git_ignores_it() {
    let project = Project::new(World::Git);
    project.sh("echo ftl.toml >>.gitignore");
    let mut at = Placed::ready(project, Settings::default());
    assert_found(&mut at, "echo '[verify]' >ftl.toml", &["+ftl.toml"]);
    at.project.sh("echo '[scope]' >ftl.toml");
    at.refresh();
    assert_found(&mut at, "echo '[verify]' >ftl.toml", &["~ftl.toml"]);
}

#[test]
fn a_git_that_git_refuses_counts_as_none_with_a_warning() {
    let project = Project::new(World::Git);
    project.sh("rm .git/HEAD");
    let (at, changes) = changes(project, "echo x >>src/b.py; echo x >.git/hooks/pre-commit");
    assert!(!at.tree.has_git());
    assert_eq!(at.tree.warnings().len(), 1, "{:?}", at.tree.warnings());
    assert_eq!(strays(&at.tree, &changes), ["~src/b.py"]);
}

/// A file of rules that is none: a link that gives bytes for ever, a pipe without a writer.
#[test]
fn odd_files_of_rules_hide_nothing_and_never_block() {
    let project = Project::new(World::Git);
    project.sh("rm .gitignore; ln -s /dev/zero .gitignore; mkfifo src/.gitignore; \
         rm .git/info/exclude; ln -s /dev/zero .git/info/exclude");
    let (at, changes) = changes(project, "echo x >x.log");
    assert_eq!(strays(&at.tree, &changes), ["+x.log"]);
}

#[test]
fn very_much_that_is_new_is_counted_and_not_listed() {
    let at = Placed::ready(Project::new(World::Plain), Settings::default());
    at.work("mkdir new; cd new; seq 1 1500 | xargs touch");
    let changes = at.changes();
    assert!(changes.strays.len() <= 1001, "{}", changes.strays.len());
    assert_eq!(changes.strays.len() as u64 + changes.more_strays, 1501);
    assert!(!changes.are_none());
}

#[test]
fn a_directory_that_is_left_out_is_neither_copied_nor_found() {
    let project = Project::new(World::Git);
    project.sh("mkdir own; echo 1 >own/file");
    let mut at = Placed::with(project, Settings::default(), crate::workplace::Placement::OwnPath);
    let own: PathBuf = at.tree.root().join("own");
    at.tree.leave_out(&own);
    at.refresh();
    assert!(!at.in_copy("own").exists());
    at.work("mkdir own; echo 2 >own/file; echo x >stray");
    assert_eq!(strays(&at.tree, &at.changes()), ["+stray"]);
}
