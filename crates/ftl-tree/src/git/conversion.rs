//! Files that git calls clean although their bytes are not those of their object.
//!
//! With `text=auto`, `ident`, `working-tree-encoding` or `core.autocrlf`, git compares what it would
//! store, not what is on the disk. Such a file cannot be put back from its object byte by byte, so it
//! has to be copied. Whether anything could convert at all is answered cheaply, from settings and the
//! existence of attribute files; only then every clean file is hashed.

use std::collections::BTreeSet;
use std::os::unix::ffi::OsStringExt;
use std::path::{Path, PathBuf};

use super::Git;
use crate::{RelPath, TreeError};

impl Git {
    /// Whether anything could make the bytes of a clean file differ from its object's: a setting, or
    /// a file of attributes in any place where gitattributes(5) says that git looks. Such a file below
    /// the base was met by the walk, which `has_attributes` says.
    pub(crate) fn may_convert(&self, has_attributes: bool) -> bool {
        let home = |path: &str| Some(PathBuf::from(std::env::var_os("HOME")?).join(path));
        let xdg = std::env::var_os("XDG_CONFIG_HOME")
            .map(|dir| PathBuf::from(dir).join("git/attributes"));
        let elsewhere = [
            Some(self.common_dir.join("info/attributes")),
            xdg.or_else(|| home(".config/git/attributes")),
            Some(PathBuf::from("/etc/gitattributes")),
        ];
        let below_top = |dir: &&Path| dir.starts_with(&self.top) && **dir != *self.base;
        let mut above = self.base.ancestors().filter(below_top);
        has_attributes
            || self.converts
            || elsewhere.iter().flatten().any(|file| file.exists())
            || above.any(|dir| dir.join(".gitattributes").exists())
    }

    /// Which of these files hold other bytes than the objects named with them: a file that git
    /// calls clean may do so where attributes convert it.
    pub(crate) fn converted<'p>(
        &self,
        files: &[(&'p RelPath, &str)],
    ) -> Result<BTreeSet<&'p RelPath>, TreeError> {
        // git-hash-object(1) reads these paths from the repository's top, wherever it runs.
        let above = self.base.strip_prefix(&self.top).unwrap_or(Path::new(""));
        let from_top = |path: &RelPath| above.join(path.as_path()).into_os_string().into_vec();
        // `--stdin-paths` reads one path a line, and unquotes one that begins with a quotation mark.
        // Such names cannot be asked about, and count as converted: they are copied.
        let is_ambiguous = |path: &RelPath| {
            let path = from_top(path);
            path.contains(&b'\n') || path.starts_with(b"\"")
        };
        let (ambiguous, files): (Vec<_>, Vec<_>) =
            files.iter().partition(|(path, _)| is_ambiguous(path));
        let mut input = Vec::new();
        for (path, _) in &files {
            input.extend_from_slice(&from_top(path));
            input.push(b'\n');
        }
        let hashes = self.tell(&["hash-object", "--no-filters", "--stdin-paths"], input)?;
        let mut hashes = hashes.split(|&byte| byte == b'\n');
        let differing =
            files.into_iter().filter(|(_, object)| hashes.next() != Some(object.as_bytes()));
        let differing: BTreeSet<_> = differing.map(|(path, _)| path).collect();
        Ok(ambiguous.into_iter().map(|(path, _)| path).chain(differing).collect())
    }
}
