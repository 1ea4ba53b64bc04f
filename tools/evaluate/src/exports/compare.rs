//! Files one by one: what ftl reads in them, and what a front end does.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use ftl_analysis::quality::{export_names, given_names};

use super::known;
use super::references::Said;

/// Stack for parsers that recurse as deeply as a file nests.
const STACK: usize = 512 << 20;
/// Names of a difference that are shown.
const SHOWN: usize = 5;

/// What came out.
#[derive(Debug, Default)]
pub(super) struct ExportTally {
    /// Files with the same names, given and public.
    pub(super) alike: usize,
    /// Names that the front end gives, in all files.
    pub(super) names: usize,
    /// A file, what only one side has, and why that may be.
    pub(super) differing: Vec<(String, Option<&'static str>)>,
    /// Files that the front end does not read, with its words.
    pub(super) unread: Vec<String>,
    /// Files that ftl does not read.
    pub(super) left: usize,
}

impl ExportTally {
    /// Files that both read.
    pub(super) fn compared(&self) -> usize {
        self.alike + self.differing.len()
    }

    /// Files that differ without a known reason.
    pub(super) fn unexplained(&self) -> usize {
        self.differing.iter().filter(|(_, reason)| reason.is_none()).count()
    }

    /// The lines of the terminal.
    pub(super) fn lines(&self, name: &str) -> Vec<String> {
        let words = |reason: Option<&str>| reason.map_or(String::new(), |why| format!(" ({why})"));
        let differing = self.differing.iter();
        let mut lines: Vec<String> =
            differing.map(|(line, reason)| format!("{line}{}", words(*reason))).collect();
        lines.push(format!(
            "{name:12} {} of {} files alike, {} names; not read by the front end: {}, by ftl: {}",
            self.alike,
            self.compared(),
            self.names,
            self.unread.len(),
            self.left
        ));
        lines
    }
}

/// Compares files with what was said of them. They are shown by their paths below `home`.
pub(super) fn compare(said: &[Said], home: &Path) -> ExportTally {
    deep(|| {
        let mut tally = ExportTally::default();
        said.iter().for_each(|one| tally.take(one, home));
        tally
    })
}

/// Runs what parses on a stack that is deep enough.
pub(super) fn deep<T: Send>(of: impl FnOnce() -> T + Send) -> T {
    std::thread::scope(|scope| {
        std::thread::Builder::new()
            .stack_size(STACK)
            .spawn_scoped(scope, of)
            .expect("because a thread more can be had")
            .join()
            .expect("because no file ends the thread")
    })
}

impl ExportTally {
    fn take(&mut self, said: &Said, home: &Path) {
        let shown = from_home(&said.path, home);
        let Some((given, public)) = &said.names else {
            self.unread.push(shown);
            return;
        };
        let text = fs::read_to_string(&said.path).unwrap_or_default();
        let text = text.strip_prefix('\u{feff}').unwrap_or(&text);
        let listed = export_names(&said.path, text, &|_| None, &|_, _| true);
        let read = given_names(&said.path, text).zip(listed);
        let Some((ours, ours_public)) = read else {
            self.left += 1;
            return;
        };
        let ours: BTreeSet<String> = ours.into_iter().collect();
        let ours_public: BTreeSet<String> =
            ours_public.iter().map(|name| name.trim_end_matches("()").to_owned()).collect();
        self.names += given.len();
        let words: Vec<String> = [("given", &ours, given), ("public", &ours_public, public)]
            .into_iter()
            .filter(|(_, ours, theirs)| ours != theirs)
            .map(|(what, ours, theirs)| {
                let more: Vec<_> = ours.difference(theirs).take(SHOWN).collect();
                let less: Vec<_> = theirs.difference(ours).take(SHOWN).collect();
                format!("{what}: only ftl {more:?}, only the front end {less:?}")
            })
            .collect();
        if words.is_empty() {
            self.alike += 1;
        } else {
            let reason = known::reason(&said.path);
            self.differing.push((format!("{shown}: {}", words.join("; ")), reason));
        }
    }
}

/// A path below the home.
fn from_home(path: &str, home: &Path) -> String {
    let path = Path::new(path);
    path.strip_prefix(home).unwrap_or(path).to_string_lossy().into_owned()
}
