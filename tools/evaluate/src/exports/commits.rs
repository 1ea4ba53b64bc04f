//! `cargo xtask evaluate exports commits DIRECTORY`: what is said of exports in real commits that restructure code, beside what
//! the languages' own front ends find at the import paths of the changed files before and after.
//!
//! `DIRECTORY/OWNER/NAME` are clones of the public repositories in `corpus/refactorings.tsv`. A task is made of each commit: its
//! delta are the changed files, and it lists all that they export. A name is lost to an importer if the front end finds
//! it public at an import path before, and not there after.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Component, Path, PathBuf};

use ftl_analysis::quality::{Before, FileText, export_names, judge_exports, reads_exports};
use ftl_model::{CodeContext, ExportStatus};
use ftl_testkit::page::table;
use ftl_testkit::program::Program;
use ftl_testkit::scratch::Scratch;
use ftl_testkit::{Result, root};

use super::references::Said;
use super::{LANGUAGES, compare};
use crate::cache::Cache;
use crate::commit_files::{CommitFile, files};

/// Repository, commit, language.
const LIST: &str = "tools/evaluate/corpus/refactorings.tsv";

/// Names of a commit at import paths.
type Names = BTreeSet<(String, String)>;

/// What is said of one commit.
#[derive(Default)]
struct Judged {
    listed: usize,
    lost: Names,
    warnings: Vec<String>,
}

/// The commits of a language.
#[derive(Default)]
struct CommitTally {
    commits: usize,
    listed: usize,
    blocked: usize,
    right: usize,
    wrong: Vec<String>,
    /// Names of files that the front end does not read.
    unknown: usize,
    warned: usize,
    missed: Vec<String>,
}

/// Judges the commits, prints what differs, and writes the part of lab/evaluation.md.
pub(super) fn run(directory: &str) -> Result {
    let cache = Cache::open()?;
    let mut tallies: BTreeMap<String, CommitTally> = BTreeMap::new();
    for row in fs::read_to_string(root().join(LIST))?.lines() {
        let [name, commit, language] = row.split('\t').collect::<Vec<_>>()[..] else {
            return Err(format!("{LIST} has the line `{row}`").into());
        };
        let repository = Path::new(directory).join(name);
        let tally = tallies.entry(language.to_owned()).or_default();
        let about = format!("{name} {}", &commit[..10]);
        tally.take(&about, &repository, commit, language, &cache)?;
    }
    let rows: Vec<Vec<String>> = tallies.iter().map(|(name, tally)| tally.row(name)).collect();
    for (language, tally) in &tallies {
        tally.wrong.iter().for_each(|line| println!("{language}: wrongly lost: {line}"));
        tally.missed.iter().for_each(|line| println!("{language}: not reported: {line}"));
        println!("{}", tally.row(language).join("  "));
    }
    crate::page::replace("refactored", &section(&rows, &tallies))
}

impl CommitTally {
    fn take(
        &mut self,
        about: &str,
        repository: &Path,
        commit: &str,
        language: &str,
        cache: &Cache,
    ) -> Result {
        let mut changed = files(repository, commit)?;
        changed.retain(|file| reads_exports(&file.path) && language_of(&file.path) == language);
        let judged = compare::deep(|| judged(repository, commit, &changed));
        let (gone, unread) = gone(repository, commit, &changed, language, cache)?;
        self.commits += 1;
        self.listed += judged.listed;
        self.blocked += usize::from(!judged.lost.is_empty());
        self.right += judged.lost.intersection(&gone).count();
        let shown = |(path, name): &(String, String)| format!("{about}: `{name}` of {path}");
        judged.lost.intersection(&gone).map(shown).for_each(|line| println!("lost: {line}"));
        let (unknown, wrong): (Vec<_>, Vec<_>) =
            judged.lost.difference(&gone).partition(|(path, _)| unread.contains(path));
        self.unknown += unknown.len();
        self.wrong.extend(wrong.into_iter().map(shown));
        for it in gone.difference(&judged.lost) {
            let word = format!("`{}`", it.1);
            match judged.warnings.iter().any(|warning| warning.contains(&word)) {
                true => self.warned += 1,
                false => self.missed.push(shown(it)),
            }
        }
        Ok(())
    }

    fn row(&self, language: &str) -> Vec<String> {
        let counts = [
            self.commits,
            self.listed,
            self.blocked,
            self.right,
            self.wrong.len(),
            self.unknown,
            self.warned,
            self.missed.len(),
        ];
        std::iter::once(language.to_owned()).chain(counts.map(|it| it.to_string())).collect()
    }
}

/// What is said of a task that lists all exports of the changed files.
fn judged(repository: &Path, commit: &str, changed: &[CommitFile]) -> Judged {
    let others = |at: String| move |path: &str| text_at(repository, &at, path);
    let (before, after) = (others(format!("{commit}^")), others(commit.to_owned()));
    let listed = changed.iter().filter_map(|file| {
        let names = export_names(&file.path, file.before.as_deref()?, &before, &|_, _| true)?;
        Some(CodeContext {
            path: Some(file.path.clone()),
            exports: names.join(", "),
            ..CodeContext::default()
        })
    });
    let contexts: Vec<CodeContext> = listed.collect();
    let files: Vec<FileText<'_>> = changed
        .iter()
        .map(|it| FileText {
            path: &it.path,
            before: it.before.as_deref(),
            after: it.after.as_deref(),
        })
        .collect();
    let exports = judge_exports(&contexts, &files, Before::Known, &[], &after, &|_, _| true);
    let lost = exports.verdicts.iter().filter(|it| it.verdict == ExportStatus::Lost);
    let key = |path: &str, name: &str| (import_path(path), name.trim_end_matches("()").to_owned());
    Judged {
        listed: exports.verdicts.len(),
        lost: lost.map(|it| key(&it.path, &it.name)).collect(),
        warnings: exports.warnings,
    }
}

/// What was public at the import paths of the changed files, and is there no more; and the import paths of which that is not
/// known, since the front end does not read a file.
fn gone(
    repository: &Path,
    commit: &str,
    changed: &[CommitFile],
    language: &str,
    cache: &Cache,
) -> Result<(Names, BTreeSet<String>)> {
    let existed = changed.iter().filter(|file| file.before.is_some());
    let paths: BTreeSet<String> = existed.map(|file| import_path(&file.path)).collect();
    let before = Side::read(repository, &format!("{commit}^"), &paths, language, cache)?;
    let after = Side::read(repository, commit, &paths, language, cache)?;
    let mut gone = Names::new();
    let unread: BTreeSet<String> = before.unread.union(&after.unread).cloned().collect();
    for path in paths.difference(&unread) {
        let now = after.names(path, |names| &names.0, &mut BTreeSet::new());
        let was = before.names(path, |names| &names.1, &mut BTreeSet::new());
        gone.extend(was.difference(&now).map(|name| (path.clone(), name.clone())));
    }
    Ok((gone, unread))
}

/// What files give, and which of it is public.
type Given = (BTreeSet<String>, BTreeSet<String>);

/// What is at import paths at a commit.
#[derive(Default)]
struct Side {
    own: BTreeMap<String, Given>,
    /// Import paths of which everything is passed on.
    stars: BTreeMap<String, BTreeSet<String>>,
    unread: BTreeSet<String>,
}

impl Side {
    fn read(
        repository: &Path,
        at: &str,
        paths: &BTreeSet<String>,
        language: &str,
        cache: &Cache,
    ) -> Result<Self> {
        let mut side = Self::default();
        let scratch = Scratch::new("refactored")?;
        let listed = Program::git(repository).args(["ls-tree", "-r", "--name-only", at]).text()?;
        let of_language = |it: &&str| reads_exports(it) && language_of(it) == language;
        let files: Vec<&str> =
            listed.lines().filter(of_language).filter(|it| !is_test(it)).collect();
        let mut wanted = paths.clone();
        let mut written: BTreeSet<PathBuf> = BTreeSet::new();
        loop {
            let is_new = |it: &&&str| {
                wanted.contains(&import_path(it)) && !written.contains(&scratch.path().join(**it))
            };
            let new: Vec<&str> = files.iter().filter(is_new).copied().collect();
            if new.is_empty() {
                break;
            }
            for path in new {
                let whole = scratch.path().join(path);
                let text = text_at(repository, at, path).unwrap_or_default();
                let stars = text.lines().filter_map(|line| star(path, line));
                let stars: BTreeSet<String> = stars.collect();
                wanted.extend(stars.clone());
                side.stars.entry(import_path(path)).or_default().extend(stars);
                fs::create_dir_all(whole.parent().unwrap_or(scratch.path()))?;
                fs::write(&whole, text)?;
                written.insert(whole);
            }
        }
        if written.is_empty() {
            return Ok(side);
        }
        let written: Vec<PathBuf> = written.into_iter().collect();
        let of = LANGUAGES.iter().find(|it| it.name == language).ok_or("no such language")?;
        for Said { path, names } in (of.reference)(cache, &written)? {
            let path =
                import_path(&Path::new(&path).strip_prefix(scratch.path())?.to_string_lossy());
            match names {
                Some((given, public)) => {
                    let own = side.own.entry(path).or_default();
                    own.0.extend(given);
                    own.1.extend(public);
                }
                None => drop(side.unread.insert(path)),
            }
        }
        Ok(side)
    }

    /// The names at an import path, with those that it passes on.
    fn names(
        &self,
        path: &str,
        of: fn(&Given) -> &BTreeSet<String>,
        seen: &mut BTreeSet<String>,
    ) -> BTreeSet<String> {
        let mut names = self.own.get(path).map(of).cloned().unwrap_or_default();
        for star in self.stars.get(path).into_iter().flatten() {
            if seen.insert(star.clone()) {
                names.extend(self.names(star, of, seen));
            }
        }
        names
    }
}

/// The import path of which a line passes on everything, where it is relative.
fn star(path: &str, line: &str) -> Option<String> {
    let line = line.trim();
    let dir = Path::new(path).parent()?;
    let target = match language_of(path) {
        "typescript" => {
            let rest = line.strip_prefix("export * from ")?.trim_end_matches(';');
            let target = rest.trim_matches(['\'', '"']);
            dir.join(target.strip_suffix(".js").unwrap_or(target))
        }
        "python" => {
            let target = line.strip_prefix("from .")?.strip_suffix(" import *")?;
            let ups = target.len() - target.trim_start_matches('.').len();
            dir.ancestors().nth(ups)?.join(target.trim_start_matches('.').replace('.', "/"))
        }
        _ => return None,
    };
    let mut parts: Vec<String> = Vec::new();
    for part in target.components() {
        match part {
            Component::ParentDir => drop(parts.pop()),
            Component::CurDir => {}
            other => parts.push(other.as_os_str().to_string_lossy().into_owned()),
        }
    }
    let whole = parts.join("/");
    Some(whole.strip_suffix("/index").unwrap_or(&whole).to_owned())
}

fn text_at(repository: &Path, at: &str, path: &str) -> Option<String> {
    let output = Program::git(repository).args(["show", &format!("{at}:{path}")]).output().ok()?;
    output.status.success().then(|| String::from_utf8(output.stdout).ok())?
}

fn language_of(path: &str) -> &'static str {
    match path.rsplit('.').next().unwrap_or_default() {
        "py" | "pyi" | "pyw" => "python",
        "go" => "go",
        "rs" => "rust",
        _ => "typescript",
    }
}

/// What another file of the language writes to import from this one.
fn import_path(path: &str) -> String {
    let (stem, inner) = match language_of(path) {
        "go" => return path.rsplit_once('/').map_or(String::new(), |(dir, _)| dir.to_owned()),
        "python" => (path, "/__init__"),
        "rust" => (path, "/mod"),
        _ => (path.strip_suffix(".d.ts").unwrap_or(path), "/index"),
    };
    let stem =
        stem.rsplit_once('.').filter(|(_, end)| !end.contains('/')).map_or(stem, |(stem, _)| stem);
    stem.strip_suffix(inner).unwrap_or(stem).to_owned()
}

/// No other code imports tests, and none can import `run-tests.py`.
fn is_test(path: &str) -> bool {
    if path.ends_with(".go") {
        return path.ends_with("_test.go");
    }
    let stem = import_path(path);
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    if path.ends_with(".py") && !stem.rsplit('/').next().unwrap_or_default().chars().all(is_word) {
        return true;
    }
    path.split('/').any(|part| {
        let part = part.to_ascii_lowercase();
        ["test", "tests", "__tests__", "testing", "docs", "examples"].contains(&part.as_str())
            || part.starts_with("test_")
            || part.contains(".test.")
            || part.contains(".spec.")
    })
}

fn section(rows: &[Vec<String>], tallies: &BTreeMap<String, CommitTally>) -> String {
    let heads = [
        "language",
        "commits",
        "names listed",
        "commits blocked",
        "names rightly lost",
        "wrongly lost",
        "not read by the front end",
        "gone, a warning",
        "gone, not reported",
    ];
    let lines = |of: fn(&CommitTally) -> &Vec<String>| -> Vec<String> {
        tallies.values().flat_map(|tally| of(tally).clone()).collect()
    };
    let list = |heading: &str, lines: Vec<String>| match lines.is_empty() {
        true => String::new(),
        false => format!("\n{heading}:\n\n{}", crate::page::verbatim(lines)),
    };
    format!(
        "{METHOD}{}{}{}",
        table(&heads, rows),
        list("Wrongly lost", lines(|it| &it.wrong)),
        list("Not reported", lines(|it| &it.missed))
    )
}

const METHOD: &str = "\
## Exports in real commits

`cargo xtask evaluate exports commits DIRECTORY` makes a task of each commit in `tools/evaluate/corpus/refactorings.tsv`: the delta are its files, and all their
exports are listed. `DIRECTORY/OWNER/NAME` are clones. The commits say that they refactor, rename, move, extract or split, change two or more files
of a language that existed, and are drawn evenly over a repository's history. What an importer sees is what the language's own front end finds at an import path:
public before, and not given after. The first run had 14 names wrongly lost, in two commits: what `export *` passes on of a file that passes it on by `export *`
itself, and names of `run-tests.py`, which no import can write. Both rules were corrected; the table is of the rules since.

";
