//! A small project in each kind of tree, with clean, changed, untracked and ignored files, and a git
//! that no configuration of the machine reaches.

use std::collections::BTreeMap;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use ftl_model::DeltaPath;
use ftl_process::{Command, Environment};
use tempfile::TempDir;

use crate::{Changes, Settings, Tree};
use ftl_model::Change;

/// What every project holds: path, content, permission bits.
const FILES: [(&str, &str, u32); 6] = [
    (".gitignore", "build/\n*.log\n", 0o644),
    ("docs/guide.md", "a guide\n", 0o644),
    ("dirty.txt", "committed\n", 0o644),
    ("run.sh", "#!/bin/sh\n", 0o755),
    ("src/a.py", "a = 1\n", 0o644),
    ("src/b.py", "b = 1\n", 0o644),
];

pub(super) const DELTA: [&str; 2] = ["src/a.py", "pkg/new/mod.py"];

/// The kinds of trees in which everything has to work.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum World {
    Plain,
    Git,
    /// The root is a directory of the repository.
    Below,
    /// Attributes, so that clean files are not taken on trust.
    Attributes,
    /// Both.
    BelowAttributes,
    /// The root is a worktree of another repository.
    Linked,
}

impl World {
    pub(super) const ALL: [Self; 6] = [
        Self::Plain,
        Self::Git,
        Self::Below,
        Self::Attributes,
        Self::BelowAttributes,
        Self::Linked,
    ];

    pub(super) fn has_git(self) -> bool {
        self != Self::Plain
    }

    pub(super) fn is_below(self) -> bool {
        matches!(self, Self::Below | Self::BelowAttributes)
    }
}

/// A tree with clean, dirty and untracked files, in a separate directory.
#[derive(Debug)]
pub(super) struct Project {
    dir: TempDir,
    pub(super) root: PathBuf,
    /// The top of what is watched.
    top: PathBuf,
    git_dir: Option<PathBuf>,
}

impl Project {
    pub(super) fn new(world: World) -> Self {
        let dir = tempfile::tempdir().unwrap();
        let top = dir.path().canonicalize().unwrap().join("top");
        let root = if world.is_below() { top.join("inner project") } else { top.clone() };
        std::fs::create_dir_all(&root).unwrap();
        std::fs::create_dir(dir.path().join("home")).unwrap();
        let git_dir = match world {
            World::Plain => None,
            World::Linked => Some(top.with_file_name("main").join(".git")),
            _ => Some(top.join(".git")),
        };
        let project = Self { dir, root, top: top.clone(), git_dir };
        for (path, content, permissions) in FILES {
            project.write(path, content);
            let permissions = PermissionsExt::from_mode(permissions);
            std::fs::set_permissions(project.root.join(path), permissions).unwrap();
        }
        project.sh("ln -s docs/guide.md link; chmod 755 docs src");
        if world.is_below() {
            project.sh("mkdir ../lib; echo above >../lib/above.txt; chmod 755 ..");
        }
        if world.has_git() {
            project.commit_all(&top, world);
        }
        if world == World::Linked {
            project.sh("mv ../top ../main; cd ../main; git worktree add -q ../top -b other");
        }
        project.sh("chmod 755 .");
        project.write("dirty.txt", "not committed\n");
        project.sh(
            "echo new >untracked.txt; mkdir -p notes build .ftl/runs .ftl/workspace .ftl/locks; \
             echo '*' >.ftl/.gitignore; echo task >.ftl/workspace/002_o_active.xml; \
             chmod 600 .ftl/workspace/002_o_active.xml; : >.ftl/locks/root; \
             echo n >notes/n; echo o >build/o",
        );
        project
    }

    /// Settings of the repository win over those of the user who runs the tests.
    fn commit_all(&self, top: &Path, world: World) {
        if matches!(world, World::Attributes | World::BelowAttributes) {
            self.write(".gitattributes", "* text=auto\n");
            self.write("crlf.txt", "one\r\ntwo\r\n");
        }
        self.sh(&format!(
            "cd '{}' && git init -q && git config core.excludesFile /dev/null && \
             git config core.autocrlf false && git config core.fileMode true && \
             git config core.safecrlf false && git add -A && git commit -qm first",
            top.display()
        ));
    }

    pub(super) fn write(&self, path: &str, content: &str) {
        let path = self.root.join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, content).unwrap();
    }

    /// Runs a script in the root as another process would.
    pub(super) fn sh(&self, script: &str) {
        self.sh_in(&self.root, script);
    }

    /// The same in another directory.
    #[track_caller]
    pub(super) fn sh_in(&self, dir: &Path, script: &str) {
        let script = format!("set -e\n{script}");
        let ended = Command::shell(script, []).dir(dir).env(self.env()).run(|_| Ok(())).unwrap();
        assert!(ended.success(), "{ended:?}");
    }

    /// No configuration of the machine, and an identity.
    pub(super) fn env(&self) -> Environment {
        Environment::inherit()
            .set("HOME", self.dir.path().join("home"))
            .set("OUTSIDE", self.outside())
            .set("GIT_CONFIG_NOSYSTEM", "1")
            .set("GIT_CONFIG_GLOBAL", "/dev/null")
            .set("GIT_AUTHOR_NAME", "t")
            .set("GIT_AUTHOR_EMAIL", "t@t")
            .set("GIT_COMMITTER_NAME", "t")
            .set("GIT_COMMITTER_EMAIL", "t@t")
    }

    /// A directory that nothing of ours may write to.
    pub(super) fn outside(&self) -> PathBuf {
        self.dir.path().join("home")
    }

    /// A directory of ftl's own.
    pub(super) fn run_dir(&self, name: &str) -> PathBuf {
        self.root.join(".ftl/runs").join(name)
    }

    pub(super) fn tree(&self) -> Tree {
        self.tree_with(Settings::default())
    }

    pub(super) fn tree_with(&self, settings: Settings) -> Tree {
        Tree::open(&self.root, &delta(), settings).unwrap()
    }

    /// All that can be seen of the tree: kind and mode, and content or target.
    pub(super) fn picture(&self) -> BTreeMap<String, (String, Vec<u8>)> {
        let mut picture = BTreeMap::new();
        let git = self.git_dir.as_deref();
        add(&mut picture, &self.top, "", git);
        for name in git
            .iter()
            .flat_map(|git| ["hooks", "config", "info/exclude"].map(|name| git.join(name)))
        {
            add(&mut picture, &name, &name.display().to_string(), None);
        }
        picture
    }
}

pub(super) fn add(
    picture: &mut BTreeMap<String, (String, Vec<u8>)>,
    path: &Path,
    label: &str,
    but: Option<&Path>,
) {
    let Ok(metadata) = path.symlink_metadata() else {
        return;
    };
    let mode = format!("{:o}", metadata.permissions().mode());
    let content = if metadata.is_symlink() {
        std::fs::read_link(path).unwrap().into_os_string().into_encoded_bytes()
    } else if metadata.is_file() {
        std::fs::read(path).unwrap()
    } else {
        Vec::new()
    };
    picture.insert(label.to_owned(), (mode, content));
    if metadata.is_dir() {
        for entry in std::fs::read_dir(path).unwrap().map(Result::unwrap) {
            let name = entry.file_name().to_string_lossy().into_owned();
            let is_own = [".ftl/runs", ".ftl/locks"].iter().any(|own| entry.path().ends_with(own));
            if !is_own && Some(&*entry.path()) != but {
                add(picture, &entry.path(), &format!("{label}/{name}"), but);
            }
        }
    }
}

pub(super) fn delta() -> Vec<DeltaPath> {
    DELTA.iter().map(|path| DeltaPath::parse(path).unwrap()).collect()
}

/// `+created`, `~modified`, `-deleted`.
pub(super) fn strays(tree: &Tree, changes: &Changes) -> Vec<String> {
    let mark = |change| match change {
        Change::Created => '+',
        Change::Modified => '~',
        Change::Deleted => '-',
    };
    let strays = changes.strays.iter();
    strays.map(|stray| format!("{}{}", mark(stray.change), tree.shown(&stray.path))).collect()
}
