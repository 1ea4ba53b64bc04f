//! Git as both sides use it: a repository that is ftl's, without the user's configuration, and trees as their raw
//! bytes.

use std::ffi::OsString;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use ftl_process::{How, Probe};
use thiserror::Error;

/// Turns off every conversion: what is stored are the bytes of the files, and what is written the stored bytes. Of
/// all places for attributes this one wins.
const ATTRIBUTES: &str = "* -text -eol -ident -filter -working-tree-encoding\n";

/// How long one call may take.
const LIMIT: Duration = Duration::from_secs(600);

/// Why a base could not be made, sent or checked out.
#[derive(Debug, Error)]
pub enum BaseError {
    /// Git failed.
    #[error("`git {command}` failed: {said}")]
    Git {
        /// Its first words.
        command: String,
        /// Its words.
        said: String,
    },
    /// A file could not be read or written.
    #[error("cannot use `{}`: {source}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// Untracked files look like secrets.
    #[error("untracked files look like secrets, and are not sent to workers: {}", paths.join(", "))]
    Secrets {
        /// The files, from the top of the tree.
        paths: Vec<String>,
    },
}

/// Bases that a repository keeps at least. As many slots may use one each.
const KEPT: usize = 256;

/// The reference of a base in a repository and in its bundles.
pub(crate) fn reference_of(commit: &str) -> String {
    format!("{BASES}/{commit}")
}

const BASES: &str = "refs/ftl/base";

pub(crate) fn file_error(path: &Path) -> impl FnOnce(std::io::Error) -> BaseError {
    move |source| BaseError::File { path: path.to_owned(), source }
}

/// Git with its own directory.
#[derive(Clone, Debug)]
pub(crate) struct Git {
    dir: PathBuf,
    work_tree: Option<PathBuf>,
    index: Option<PathBuf>,
}

impl Git {
    /// The bare repository in `dir`, which is made where it is missing.
    pub(crate) fn bare(dir: &Path) -> Result<Self, BaseError> {
        let git = Self { dir: dir.to_owned(), work_tree: None, index: None };
        if !dir.join("HEAD").is_file() {
            fs::create_dir_all(dir).map_err(file_error(dir))?;
            git.run(["init", "--quiet", "--bare", "--template="])?;
        }
        git.without_conversions()?;
        Ok(git)
    }

    /// The repository of a working tree, which is made where it is missing and borrows the objects of another one.
    pub(crate) fn checkout(tree: &Path, lender: &Self) -> Result<Self, BaseError> {
        let dir = tree.join(".git");
        let git = Self { dir: dir.clone(), work_tree: Some(tree.to_owned()), index: None };
        if !dir.join("HEAD").is_file() {
            fs::create_dir_all(&dir).map_err(file_error(&dir))?;
            git.run(["init", "--quiet", "--template="])?;
        }
        let alternates = dir.join("objects/info/alternates");
        fs::create_dir_all(dir.join("objects/info")).map_err(file_error(&alternates))?;
        let text = format!("{}\n", lender.dir.join("objects").display());
        fs::write(&alternates, text).map_err(file_error(&alternates))?;
        git.without_conversions()?;
        Ok(git)
    }

    fn without_conversions(&self) -> Result<(), BaseError> {
        let info = self.dir.join("info");
        let path = info.join("attributes");
        if fs::read_to_string(&path).is_ok_and(|text| text == ATTRIBUTES) {
            return Ok(());
        }
        fs::create_dir_all(&info).map_err(file_error(&info))?;
        fs::write(&path, ATTRIBUTES).map_err(file_error(&path))
    }

    /// The same repository with files of `tree`, and an index beside it.
    pub(crate) fn over(&self, tree: &Path, index: &str) -> Self {
        Self {
            dir: self.dir.clone(),
            work_tree: Some(tree.to_owned()),
            index: Some(self.dir.join(index)),
        }
    }

    /// Writes a bundle of a commit for a repository that has others. `git bundle` would leave out only what those
    /// have in common with its ancestors, and it has none.
    pub(crate) fn bundle<'c>(
        &self,
        commit: &str,
        without: impl Iterator<Item = &'c str>,
        to: &Path,
    ) -> Result<(), BaseError> {
        let (mut header, mut wanted) = ("# v2 git bundle\n".to_owned(), format!("{commit}\n"));
        for had in without {
            header.push_str(&format!("-{had}\n"));
            wanted.push_str(&format!("^{had}\n"));
        }
        header.push_str(&format!("{commit} {}\n\n", reference_of(commit)));
        // As for a shallow repository: the trees of commits without a common ancestor are compared.
        let words = ["pack-objects", "--quiet", "--revs", "--thin", "--shallow", "--stdout"];
        let words: Vec<&str> = words.into_iter().chain(["--delta-base-offset"]).collect();
        let mut file = fs::File::create(to).map_err(file_error(to))?;
        file.write_all(header.as_bytes()).map_err(file_error(to))?;
        let failed = |said: String| BaseError::Git { command: "pack-objects".to_owned(), said };
        let packing = self.probe(&words, wanted.into_bytes());
        let packed = packing.stream(|pack| io::copy(pack, &mut file));
        let (how, written) = packed.map_err(|error| failed(ftl_text::with_causes(&error)))?;
        written.map_err(file_error(to))?;
        match how {
            How::Exit(0) => Ok(()),
            how => Err(failed(format!("it ended with {how:?}"))),
        }
    }

    /// The bases, the newest last. Nothing packs the references, so each is a file with a time.
    pub(crate) fn kept(&self) -> Result<Vec<String>, BaseError> {
        let dir = self.dir.join(BASES);
        let entries = match fs::read_dir(&dir) {
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Vec::new()),
            entries => entries.map_err(file_error(&dir))?,
        };
        let mut all: Vec<_> = entries
            .flatten()
            .filter_map(|it| Some((it.metadata().ok()?.modified().ok()?, it.file_name())))
            .collect();
        all.sort();
        Ok(all.into_iter().map(|(_, name)| name.to_string_lossy().into_owned()).collect())
    }

    /// Keeps a base, and of twice [`KEPT`] the newer half.
    pub(crate) fn keep(&self, commit: &str) -> Result<(), BaseError> {
        self.run(["update-ref", &reference_of(commit), commit])?;
        let kept = self.kept()?;
        if kept.len() < 2 * KEPT {
            return Ok(());
        }
        for old in &kept[..KEPT] {
            self.run(["update-ref", "-d", &reference_of(old)])?;
        }
        self.run(["repack", "-a", "-d", "--quiet"])?;
        self.run(["prune", "--expire=now"]).map(drop)
    }

    pub(crate) fn run<'a>(
        &self,
        words: impl IntoIterator<Item = &'a str>,
    ) -> Result<String, BaseError> {
        self.feed(words, Vec::new())
    }

    /// What git prints that reads `input`.
    pub(crate) fn feed<'a>(
        &self,
        words: impl IntoIterator<Item = &'a str>,
        input: Vec<u8>,
    ) -> Result<String, BaseError> {
        let printed = self.bytes(words, input)?;
        Ok(String::from_utf8_lossy(&printed).trim_end().to_owned())
    }

    pub(crate) fn bytes<'a>(
        &self,
        words: impl IntoIterator<Item = &'a str>,
        input: Vec<u8>,
    ) -> Result<Vec<u8>, BaseError> {
        let words: Vec<&str> = words.into_iter().collect();
        asked(&self.probe(&words, input), &words)
    }

    fn probe(&self, words: &[&str], input: Vec<u8>) -> Probe {
        let settings = [
            "core.autocrlf=false",
            "core.hooksPath=/dev/null",
            "core.fsmonitor=false",
            "gc.auto=0",
        ];
        let args = settings.iter().flat_map(|setting| ["-c", setting]).chain(words.iter().copied());
        let mut probe = Probe::new("git", args.map(OsString::from));
        probe.env = [
            "GIT_WORK_TREE",
            "GIT_INDEX_FILE",
            "GIT_OBJECT_DIRECTORY",
            "GIT_ALTERNATE_OBJECT_DIRECTORIES",
            "GIT_NAMESPACE",
        ]
        .iter()
        .fold(probe.env, |env, name| env.remove(*name))
        .set("GIT_DIR", &self.dir)
        .set("GIT_CONFIG_GLOBAL", "/dev/null")
        .set("GIT_CONFIG_NOSYSTEM", "1");
        if let Some(tree) = &self.work_tree {
            probe.env = probe.env.set("GIT_WORK_TREE", tree);
            probe.dir = Some(tree.clone());
        }
        if let Some(index) = &self.index {
            probe.env = probe.env.set("GIT_INDEX_FILE", index);
        }
        // The same tree is the same commit, wherever and whenever it is made.
        for who in ["AUTHOR", "COMMITTER"] {
            probe.env = probe
                .env
                .set(format!("GIT_{who}_NAME"), "ftl")
                .set(format!("GIT_{who}_EMAIL"), "ftl")
                .set(format!("GIT_{who}_DATE"), "@0 +0000");
        }
        probe.input = input;
        probe.limit = LIMIT;
        probe
    }
}

/// Asks the user's own repository, with its configuration, what its files are.
pub(crate) fn of_user(dir: &Path, words: &[&str]) -> Result<Vec<u8>, BaseError> {
    let words = ["-c", "core.fsmonitor=false"].iter().chain(words).copied();
    let words: Vec<&str> = words.collect();
    let mut probe = Probe::new("git", words.iter().map(OsString::from));
    probe.dir = Some(dir.to_owned());
    probe.limit = LIMIT;
    asked(&probe, &words)
}

fn asked(probe: &Probe, words: &[&str]) -> Result<Vec<u8>, BaseError> {
    let command = words.iter().take(2).copied().collect::<Vec<_>>().join(" ");
    let failed = |said: String| BaseError::Git { command: command.clone(), said };
    let output = probe.run().map_err(|error| failed(ftl_text::with_causes(&error)))?;
    if output.how == How::Exit(0) {
        return Ok(output.stdout);
    }
    let said = String::from_utf8_lossy(&output.stderr);
    Err(failed(ftl_text::one_line(said.trim())))
}
