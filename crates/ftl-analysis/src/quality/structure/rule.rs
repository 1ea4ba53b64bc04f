//! A structural rule, ready to be looked for in files.

use globset::{GlobBuilder, GlobSet, GlobSetBuilder};

use super::definition::{Definition, Severity};
use super::language::Language;
use super::matcher::Matcher;
use super::tree::{CachedTree, Trees};
use crate::quality::FileText;
use crate::test_code::is_test_file;

/// What decides an idiom by structure.
pub(in crate::quality) struct Structure {
    id: Option<String>,
    find: Matcher,
    guard: Option<Matcher>,
    files: Option<GlobSet>,
    ignores: Option<GlobSet>,
    in_tests: bool,
    is_warning: bool,
    advice: Option<String>,
}

/// What was found in one text.
#[derive(Default)]
pub(in crate::quality) struct FoundNode {
    /// Where, in bytes.
    pub(in crate::quality) ranges: Vec<(usize, usize)>,
    /// Whether the rule reads this file.
    pub(in crate::quality) applies: bool,
    /// Why what was not found may be there.
    pub(in crate::quality) unread: Option<String>,
}

impl Structure {
    /// A pattern that an idiom carries itself.
    ///
    /// # Errors
    ///
    /// In one line, why it cannot be used.
    pub(super) fn of_pattern(source: &str, languages: &[Language]) -> Result<Self, String> {
        Ok(Self {
            id: None,
            find: Matcher::pattern(source, languages)?,
            guard: None,
            files: None,
            ignores: None,
            in_tests: true,
            is_warning: false,
            advice: None,
        })
    }

    /// A rule of a file.
    ///
    /// # Errors
    ///
    /// In one line, why it cannot be used.
    pub(super) fn of_definition(rule: &Definition) -> Result<Self, String> {
        let languages = rule.languages();
        let guard = rule.guard();
        let advice: Vec<&str> = [&rule.why, &rule.repair]
            .into_iter()
            .filter_map(|words| words.as_deref().map(str::trim))
            .collect();
        Ok(Self {
            id: Some(rule.id.clone()),
            find: Matcher::rule(&rule.find(), &languages)?,
            guard: guard.map(|guard| Matcher::rule(&guard, &languages)).transpose()?,
            files: globs(&rule.files)?,
            ignores: globs(&rule.ignores)?,
            in_tests: rule.in_tests,
            is_warning: rule.severity == Severity::Warning,
            advice: (!advice.is_empty()).then(|| advice.join("; ")),
        })
    }

    /// Looks for it in one text of a file of the delta.
    pub(in crate::quality) fn in_file(
        &self,
        trees: &Trees,
        index: usize,
        file: &FileText<'_>,
        is_before: bool,
    ) -> FoundNode {
        let Some(entry) = self.entry(trees, index, file, is_before) else {
            return FoundNode::default();
        };
        let tree = match entry.get() {
            Some(Ok(tree)) => tree,
            Some(Err(why)) => return FoundNode::unread(format!("`{}` {why}", file.path)),
            None => return FoundNode::default(),
        };
        let is_in = self.files.as_ref().is_none_or(|it| it.is_match(file.path));
        FoundNode {
            ranges: match is_in {
                true => self.find.find(tree),
                false => Vec::new(),
            },
            applies: true,
            unread: (!tree.is_whole).then(|| format!("`{}` does not parse", file.path)),
        }
    }

    /// Whether its guard is in a file as it is.
    pub(in crate::quality) fn is_guarded(
        &self,
        trees: &Trees,
        index: usize,
        file: &FileText<'_>,
    ) -> bool {
        let entry = self.entry(trees, index, file, false);
        let tree = entry.as_ref().and_then(|entry| entry.get()?.as_ref().ok());
        let guard = self.guard.as_ref();
        tree.is_some_and(|tree| guard.is_none_or(|guard| guard.is_in(tree)))
    }

    /// A text of a file that the rule reads, as a tree.
    fn entry(
        &self,
        trees: &Trees,
        index: usize,
        file: &FileText<'_>,
        is_before: bool,
    ) -> Option<CachedTree> {
        let text = if is_before { file.before } else { file.after }?;
        let language = Language::of_path(file.path).filter(|it| self.find.reads(*it))?;
        let ignores = self.ignores.as_ref();
        let is_out = ignores.is_some_and(|it| it.is_match(file.path));
        let is_read = !is_out && (self.in_tests || !is_of_tests(file.path));
        is_read.then(|| trees.tree((index, is_before), language, text))
    }

    /// The name of the rule; none for a pattern that an idiom carries.
    pub(in crate::quality) fn id(&self) -> Option<&str> {
        self.id.as_deref()
    }

    pub(in crate::quality) fn has_guard(&self) -> bool {
        self.guard.is_some()
    }

    /// Whether it is a rule of a file, which may have nothing to say of a delta.
    pub(in crate::quality) fn is_of_rule(&self) -> bool {
        self.id.is_some()
    }

    pub(in crate::quality) fn is_warning(&self) -> bool {
        self.is_warning
    }

    /// Why the rule is kept, and how code is brought to keep it.
    pub(in crate::quality) fn advice(&self) -> Option<String> {
        self.advice.clone()
    }
}

impl FoundNode {
    fn unread(why: String) -> Self {
        Self { applies: true, unread: Some(why), ..Self::default() }
    }
}

/// Whether a file holds tests, or is beside them.
fn is_of_tests(path: &str) -> bool {
    let directories = path.rsplit_once('/').map_or("", |(directory, _)| directory);
    is_test_file(path) || directories.split('/').any(|part| part == "tests")
}

fn globs(sources: &[String]) -> Result<Option<GlobSet>, String> {
    if sources.is_empty() {
        return Ok(None);
    }
    let mut set = GlobSetBuilder::new();
    for source in sources {
        let glob = GlobBuilder::new(source).literal_separator(true).build();
        set.add(glob.map_err(|error| error.to_string())?);
    }
    set.build().map(Some).map_err(|error| error.to_string())
}
