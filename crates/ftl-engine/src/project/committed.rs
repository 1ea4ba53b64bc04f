//! Files as the last commit has them: the current ones may be edited already.

use std::collections::BTreeMap;
use std::path::Path;

use ftl_model::DeltaPath;
use ftl_tree::{Settings, Tree};

/// The texts of the last commit; none without git, or where git cannot be asked.
pub(crate) fn committed(root: &Path, paths: &[DeltaPath]) -> BTreeMap<DeltaPath, String> {
    let tree = Tree::open(root, paths, Settings::default());
    let base = tree.and_then(|tree| tree.base(None));
    let files = base.map(|base| base.files).unwrap_or_default().into_iter();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).ok();
    files.filter_map(|(path, file)| Some((path, text(file.bytes?)?))).collect()
}
