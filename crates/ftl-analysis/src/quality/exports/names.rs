//! The exports of one file, as a new task lists them.

use super::delta::Delta;
use super::neighbours::neighbours;
use super::package::unimportable;
use super::readers::reader_for;

/// The public names that a file gives to others, sorted, `()` behind those that can be called; `None`
/// where its language is not known or it cannot be read. A file that no other code imports has none. What it takes from other files counts as well: the text
/// of one that it passes on as a whole is asked of `others`, by its path.
///
/// It recurses as deeply as the text nests, but for Python and Go; `is_shallow` says of a path and a text whether
/// it may.
pub fn export_names(
    path: &str,
    text: &str,
    others: &dyn Fn(&str) -> Option<String>,
    is_shallow: &dyn Fn(&str, &str) -> bool,
) -> Option<Vec<String>> {
    let module = is_shallow(path, text).then(|| reader_for(path)?(path, text)).flatten()?;
    let around = neighbours(&[(path, &module)], &[path], others, is_shallow);
    if unimportable(path).is_some() || module.is_program {
        return Some(Vec::new());
    }
    let delta = Delta::of_modules(path, module, &around);
    let written = delta.public(path).into_iter().map(|name| {
        let is_callable = delta.is_callable(path, &name);
        format!("{name}{}", if is_callable { "()" } else { "" })
    });
    Some(written.collect())
}
