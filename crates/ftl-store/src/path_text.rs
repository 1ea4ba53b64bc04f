//! Paths in JSON that ftl reads back: text where they are UTF-8, else a list of bytes. Serde's own form
//! refuses a path that is not UTF-8.

use std::ffi::OsString;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Deserializer, Serialize, Serializer};

#[derive(Serialize, Deserialize)]
#[serde(untagged)]
enum Text {
    Utf8(String),
    Bytes(Vec<u8>),
}

impl Text {
    fn of(path: &Path) -> Self {
        match path.to_str() {
            Some(text) => Self::Utf8(text.to_owned()),
            None => Self::Bytes(path.as_os_str().as_bytes().to_vec()),
        }
    }

    fn path(self) -> PathBuf {
        match self {
            Self::Utf8(text) => text.into(),
            Self::Bytes(bytes) => OsString::from_vec(bytes).into(),
        }
    }
}

/// A path as a value of JSON.
///
/// # Errors
/// When the writer fails.
pub fn serialize<S: Serializer>(path: &Path, to: S) -> Result<S::Ok, S::Error> {
    Text::of(path).serialize(to)
}

/// The path back.
///
/// # Errors
/// When the value is neither text nor a list of bytes.
pub fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<PathBuf, D::Error> {
    Ok(Text::deserialize(from)?.path())
}

/// A list of them.
pub mod list {
    use super::{Deserialize, Deserializer, PathBuf, Serializer, Text};

    /// A list of paths as a value of JSON.
    ///
    /// # Errors
    /// When the writer fails.
    pub fn serialize<S: Serializer>(paths: &[PathBuf], to: S) -> Result<S::Ok, S::Error> {
        to.collect_seq(paths.iter().map(|path| Text::of(path)))
    }

    /// The paths back.
    ///
    /// # Errors
    /// When the value is no list of paths.
    pub fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<PathBuf>, D::Error> {
        let texts = Vec::<Text>::deserialize(from)?;
        Ok(texts.into_iter().map(Text::path).collect())
    }
}

#[cfg(test)]
mod tests {
    use std::ffi::OsStr;

    use super::*;

    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    struct Stored {
        #[serde(with = "super")]
        one: PathBuf,
        #[serde(with = "super::list")]
        more: Vec<PathBuf>,
    }

    #[test]
    fn paths_come_back_as_they_were_whatever_their_bytes() {
        let odd = PathBuf::from(OsStr::from_bytes(b"/caf\xe9"));
        let stored = Stored { one: odd.clone(), more: vec!["/tmp".into(), odd] };
        let text = serde_json::to_string(&stored).unwrap();
        assert!(text.contains("\"/tmp\""), "{text}");
        assert_eq!(serde_json::from_str::<Stored>(&text).unwrap(), stored);
    }
}
