use std::collections::{BTreeMap, BTreeSet};
use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Path, PathBuf};

use ftl_process::{Environment, How, Probe, ProbeOutput, StartError};

use super::{RelPath, ScopeError};

/// Settings that keep git from running anything of the repository's, and from guessing by less
/// than it knows. Filters have names, so those are added as they are found.
const SAFE: [&str; 7] = [
    "core.hooksPath=/dev/null",
    "core.fsmonitor=false",
    "core.untrackedCache=keep",
    "core.ignoreStat=false",
    "core.trustctime=true",
    "core.checkStat=default",
    "submodule.recurse=false",
];

/// Variables that say where git's own configuration is. Every other `GIT_…` is taken away: in a
/// hook, they point at a repository that need not be the root's.
const KEPT: [&str; 5] = [
    "GIT_CEILING_DIRECTORIES",
    "GIT_CONFIG_GLOBAL",
    "GIT_CONFIG_NOSYSTEM",
    "GIT_CONFIG_SYSTEM",
    "GIT_DISCOVERY_ACROSS_FILESYSTEM",
];

/// Keeps a name that begins with `:` from being taken for more than a name.
const HERE: &[u8] = b"./";

/// Git, asked from the root.
#[derive(Debug)]
pub(super) struct Git {
    root: PathBuf,
    top: PathBuf,
    /// Where hooks and configuration are, also when `.git` is a file that points elsewhere.
    pub(super) common_dir: PathBuf,
    settings: Vec<OsString>,
    /// Whether the configuration converts line ends, or names a file of attributes.
    converts: bool,
}

/// What the index says of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Tracked {
    pub(super) object: String,
    /// Git looks at the file itself: not when it was told to assume something, nor amid a merge.
    pub(super) plain: bool,
}

/// Whether there is a repository around the root.
#[derive(Debug)]
pub(super) enum Found {
    /// None.
    No,
    /// There is something, but git refuses it.
    Refused {
        /// Why.
        reason: String,
        /// Git's own directory, as far as it can be told without git.
        dir: Option<PathBuf>,
    },
    /// One that git takes.
    Yes(Git),
}

impl Git {
    pub(super) fn find(root: &Path) -> Result<Found, ScopeError> {
        let mut candidates = root.ancestors().map(|dir| dir.join(".git"));
        let Some(dir) = candidates.find(|git| git.symlink_metadata().is_ok()) else {
            return Ok(Found::No);
        };
        let refused = |reason| Found::Refused {
            reason,
            dir: Some(dir.clone()).filter(|dir| dir.is_dir()),
        };
        let mut git = Self {
            root: root.to_path_buf(),
            top: root.to_path_buf(),
            common_dir: root.join(".git"),
            settings: SAFE.iter().map(OsString::from).collect(),
            converts: false,
        };
        let asked = [
            "rev-parse",
            "--show-toplevel",
            "--git-common-dir",
            "--show-prefix",
        ];
        let answer = match git.ask(&asked, Vec::new()) {
            Ok(answer) => answer,
            Err(StartError::MissingProgram { .. }) => {
                return Ok(refused("git is not installed".to_owned()));
            }
            Err(error) => return Err(error.into()),
        };
        let mut lines = answer.stdout.split(|&byte| byte == b'\n');
        let (Some(top), Some(common), Some(prefix), true) = (
            lines.next(),
            lines.next(),
            lines.next(),
            answer.how.success(),
        ) else {
            return Ok(refused(first_line(&answer.stderr)));
        };
        git.top = PathBuf::from(OsStr::from_bytes(top));
        git.common_dir = root.join(OsStr::from_bytes(common));
        let ignores_root = !prefix.is_empty() && git.ignores_root()?;
        if ignores_root {
            return Ok(Found::No);
        }
        git.read_configuration()?;
        Ok(Found::Yes(git))
    }

    /// A project in a directory that some outer repository ignores is not that repository's.
    fn ignores_root(&self) -> Result<bool, ScopeError> {
        let path = self.root.as_os_str().as_bytes().to_vec();
        let answer = self.ask(&["check-ignore", "-z", "--stdin", "--no-index"], path)?;
        Ok(answer.how.success())
    }

    fn read_configuration(&mut self) -> Result<(), ScopeError> {
        let pattern = r"^(filter\..*|core\.(autocrlf|attributesfile))$";
        let answer = self.ask(&["config", "-z", "--get-regexp", pattern], Vec::new())?;
        for setting in answer.stdout.split(|&byte| byte == 0) {
            let key = setting
                .split(|&byte| byte == b'\n')
                .next()
                .unwrap_or_default();
            match key.strip_prefix(b"filter.").and_then(driver) {
                Some(driver) => self.disable_filter(driver),
                None => self.converts |= !key.is_empty() && !setting.ends_with(b"\nfalse"),
            }
        }
        Ok(())
    }

    fn disable_filter(&mut self, driver: &[u8]) {
        for value in ["clean=", "smudge=", "process=", "required=false"] {
            let parts = [b"filter.", driver, b".", value.as_bytes()].concat();
            let setting = OsString::from_vec(parts);
            if !self.settings.contains(&setting) {
                self.settings.push(setting);
            }
        }
    }

    fn ask<S: AsRef<OsStr>>(&self, args: &[S], input: Vec<u8>) -> Result<ProbeOutput, StartError> {
        let settings = self
            .settings
            .iter()
            .flat_map(|setting| [OsStr::new("-c"), setting]);
        let args = args.iter().map(AsRef::as_ref);
        let fixed = std::iter::once(OsStr::new("--no-pager"));
        let mut probe = Probe::new("git", fixed.chain(settings).chain(args));
        probe.dir = Some(self.root.clone());
        probe.env = environment();
        probe.input = input;
        probe.limit = std::time::Duration::from_secs(600);
        probe.run()
    }

    fn tell<S: AsRef<OsStr>>(&self, args: &[S], input: Vec<u8>) -> Result<Vec<u8>, ScopeError> {
        let answer = self.ask(args, input)?;
        if answer.how.success() {
            return Ok(answer.stdout);
        }
        Err(refusal(args, &answer))
    }

    /// Every file below the root that git tracks.
    pub(super) fn tracked(&self) -> Result<BTreeMap<RelPath, Tracked>, ScopeError> {
        let listed = self.tell(&["ls-files", "-z", "-s", "-v"], Vec::new())?;
        let mut tracked = BTreeMap::new();
        for line in records(&listed) {
            let Some((head, path)) = split_once(line, b'\t') else {
                continue;
            };
            let mut fields = head.split(|&byte| byte == b' ').skip(1);
            let (Some(mode), Some(object)) = (fields.next(), fields.next()) else {
                continue;
            };
            let file = Tracked {
                object: String::from_utf8_lossy(object).into_owned(),
                plain: head.first() == Some(&b'H') && mode.starts_with(b"100"),
            };
            tracked.insert(RelPath::new(path), file);
        }
        Ok(tracked)
    }

    /// The tracked files below the root that may differ from the index.
    pub(super) fn dirty(&self) -> Result<BTreeSet<RelPath>, ScopeError> {
        let args = [
            "diff-files",
            "-z",
            "--name-only",
            "--relative",
            "--no-renames",
            "--no-ext-diff",
            "--no-textconv",
            "--ignore-submodules=all",
        ];
        let listed = self.tell(&args, Vec::new())?;
        Ok(records(&listed).map(RelPath::new).collect())
    }

    /// Which of these paths git would not let in, were they new.
    pub(super) fn ignored<'p>(
        &self,
        paths: impl Iterator<Item = &'p RelPath>,
    ) -> Result<BTreeSet<RelPath>, ScopeError> {
        let args = ["check-ignore", "-z", "--stdin", "--no-index"];
        let answer = self.ask(&args, join(paths))?;
        match answer.how {
            How::Exit(0 | 1) => {
                let paths = records(&answer.stdout);
                Ok(paths
                    .map(|path| RelPath::new(path.strip_prefix(HERE).unwrap_or(path)))
                    .collect())
            }
            How::Exit(_) | How::Signal(_) => Err(refusal(&args, &answer)),
        }
    }

    /// The contents of objects, in order; `None` for those that are not there.
    pub(super) fn contents(&self, objects: &[&str]) -> Result<Vec<Option<Vec<u8>>>, ScopeError> {
        let input = objects
            .iter()
            .flat_map(|object| [object, "\n"])
            .collect::<String>();
        let mut answer = &self.tell(&["cat-file", "--batch"], input.into_bytes())?[..];
        let mut contents = Vec::with_capacity(objects.len());
        for _ in objects {
            let (head, rest) = split_once(answer, b'\n').unwrap_or((answer, &[]));
            let size = head.rsplit(|&byte| byte == b' ').next().unwrap_or_default();
            let size = std::str::from_utf8(size)
                .ok()
                .and_then(|size| size.parse::<usize>().ok());
            let content = size.and_then(|size| rest.split_at_checked(size));
            contents.push(content.map(|(content, _)| content.to_vec()));
            answer = match content {
                Some((_, after)) => after.strip_prefix(b"\n").unwrap_or(after),
                None => rest,
            };
        }
        Ok(contents)
    }

    /// Which of these files hold other bytes than the objects named with them: a file that git
    /// calls clean may do so where attributes convert it.
    pub(super) fn converted<'p>(
        &self,
        files: &[(&'p RelPath, &str)],
    ) -> Result<BTreeSet<&'p RelPath>, ScopeError> {
        let odd = |path: &RelPath| path.bytes().contains(&b'\n') || path.bytes().starts_with(b"\"");
        let (unsayable, files): (Vec<_>, Vec<_>) = files.iter().partition(|(path, _)| odd(path));
        let mut input = Vec::new();
        for (path, _) in &files {
            input.extend_from_slice(path.bytes());
            input.push(b'\n');
        }
        let hashes = self.tell(&["hash-object", "--no-filters", "--stdin-paths"], input)?;
        let mut hashes = hashes.split(|&byte| byte == b'\n');
        let differing = files
            .into_iter()
            .filter(|(_, object)| hashes.next() != Some(object.as_bytes()));
        let differing: BTreeSet<_> = differing.map(|(path, _)| path).collect();
        Ok(unsayable
            .into_iter()
            .map(|(path, _)| path)
            .chain(differing)
            .collect())
    }

    /// Whether anything could make the bytes of a clean file differ from its object's.
    pub(super) fn may_convert(&self, has_attributes: bool) -> bool {
        let home = |path: &str| Some(PathBuf::from(std::env::var_os("HOME")?).join(path));
        let xdg = std::env::var_os("XDG_CONFIG_HOME")
            .map(|dir| PathBuf::from(dir).join("git/attributes"));
        let elsewhere = [
            Some(self.common_dir.join("info/attributes")),
            xdg.or_else(|| home(".config/git/attributes")),
            Some(PathBuf::from("/etc/gitattributes")),
        ];
        let below_top = |dir: &&Path| dir.starts_with(&self.top) && **dir != *self.root;
        let mut above = self.root.ancestors().filter(below_top);
        has_attributes
            || self.converts
            || elsewhere.iter().flatten().any(|file| file.exists())
            || above.any(|dir| dir.join(".gitattributes").exists())
    }

    /// The commit that a revision names.
    pub(super) fn resolve(&self, revision: &str) -> Result<Option<String>, ScopeError> {
        let commit = format!("{revision}^{{commit}}");
        let args = [
            "rev-parse",
            "--verify",
            "--quiet",
            "--end-of-options",
            &commit,
        ];
        let answer = self.ask(&args, Vec::new())?;
        let found = answer.how.success().then(|| first_line(&answer.stdout));
        Ok(found.filter(|object| !object.is_empty()))
    }

    /// The files of a commit at these paths, with the permission bits that git gave them.
    pub(super) fn files_at(
        &self,
        commit: &str,
        paths: &[RelPath],
    ) -> Result<BTreeMap<RelPath, (String, u32)>, ScopeError> {
        let mut args: Vec<&OsStr> = ["ls-tree", "-z", commit, "--"].map(OsStr::new).to_vec();
        let paths: Vec<PathBuf> = paths
            .iter()
            .map(|path| Path::new(".").join(path.as_path()))
            .collect();
        args.extend(paths.iter().map(|path| path.as_os_str()));
        let listed = self.tell(&args, Vec::new())?;
        let mut files = BTreeMap::new();
        for line in records(&listed) {
            let Some((head, path)) = split_once(line, b'\t') else {
                continue;
            };
            let head = String::from_utf8_lossy(head);
            let mut fields = head.split(' ');
            let permissions = match fields.next() {
                Some("100644") => 0o644,
                Some("100755") => 0o755,
                Some(_) | None => continue,
            };
            if let Some(object) = fields.nth(1) {
                files.insert(RelPath::new(path), (object.to_owned(), permissions));
            }
        }
        Ok(files)
    }

    /// The files below the root that differ from a commit, or from nothing when there is none
    /// yet, and those that git neither tracks nor ignores.
    pub(super) fn differing(&self, commit: Option<&str>) -> Result<BTreeSet<RelPath>, ScopeError> {
        let tracked = match commit {
            Some(commit) => self.tell(
                &[
                    "diff",
                    "-z",
                    "--name-only",
                    "--relative",
                    "--no-renames",
                    "--no-ext-diff",
                    "--no-textconv",
                    "--ignore-submodules=all",
                    commit,
                    "--",
                ],
                Vec::new(),
            )?,
            None => self.tell(&["ls-files", "-z"], Vec::new())?,
        };
        let others = self.tell(&["ls-files", "-z", "-o", "--exclude-standard"], Vec::new())?;
        Ok(records(&tracked)
            .chain(records(&others))
            .map(RelPath::new)
            .collect())
    }
}

fn environment() -> Environment {
    let foreign = std::env::vars_os().map(|(name, _)| name).filter(|name| {
        name.as_bytes().starts_with(b"GIT_") && KEPT.iter().all(|kept| *kept != name.as_os_str())
    });
    let env = foreign.fold(Environment::inherit(), Environment::remove);
    env.set("GIT_OPTIONAL_LOCKS", "0")
        .set("GIT_TERMINAL_PROMPT", "0")
        .set("GIT_NO_LAZY_FETCH", "1")
        .set("GIT_NO_REPLACE_OBJECTS", "1")
        .set("LC_ALL", "C")
}

fn refusal<S: AsRef<OsStr>>(args: &[S], answer: &ProbeOutput) -> ScopeError {
    let command = args
        .first()
        .map(|arg| arg.as_ref().to_string_lossy().into_owned());
    ScopeError::Git {
        command: command.unwrap_or_default(),
        message: first_line(&answer.stderr),
    }
}

/// `DRIVER` of `DRIVER.clean`; drivers may hold dots.
fn driver(key: &[u8]) -> Option<&[u8]> {
    let dot = key.iter().rposition(|&byte| byte == b'.')?;
    Some(&key[..dot])
}

fn first_line(text: &[u8]) -> String {
    let text = String::from_utf8_lossy(text);
    text.lines()
        .next()
        .unwrap_or_default()
        .trim_start_matches("fatal: ")
        .to_owned()
}

fn records(listed: &[u8]) -> impl Iterator<Item = &[u8]> {
    listed
        .split(|&byte| byte == 0)
        .filter(|record| !record.is_empty())
}

fn split_once(bytes: &[u8], at: u8) -> Option<(&[u8], &[u8])> {
    let place = bytes.iter().position(|&byte| byte == at)?;
    Some((&bytes[..place], &bytes[place + 1..]))
}

fn join<'p>(paths: impl Iterator<Item = &'p RelPath>) -> Vec<u8> {
    let mut joined = Vec::new();
    for path in paths {
        joined.extend_from_slice(HERE);
        joined.extend_from_slice(path.bytes());
        joined.push(0);
    }
    joined
}
