//! The settings of the first process of a view, as words of its command line.

use std::ffi::{OsStr, OsString};
use std::path::PathBuf;

use super::Layer;

/// Everything but the command.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Inside {
    pub(super) report: PathBuf,
    pub(super) dir: PathBuf,
    /// Whether a hang-up ends the command.
    pub(super) hangs_up: bool,
    pub(super) binds: Vec<(PathBuf, PathBuf)>,
    pub(super) layers: Vec<Layer>,
    pub(super) shared: Vec<(PathBuf, PathBuf)>,
    pub(super) readable: Vec<PathBuf>,
    pub(super) pass: Vec<PathBuf>,
}

const END: &str = "--";

impl Inside {
    pub(super) fn into_words(self) -> Vec<OsString> {
        let mut words: Vec<OsString> = vec!["report".into(), self.report.into()];
        words.extend(["dir".into(), self.dir.into()]);
        if self.hangs_up {
            words.push("hangs-up".into());
        }
        for layer in self.layers {
            let paths = [layer.over, layer.upper, layer.work].map(OsString::from);
            words.push("layer".into());
            words.extend(paths);
        }
        for (from, over) in self.binds {
            words.extend(["bind".into(), from.into(), over.into()]);
        }
        for path in self.readable {
            words.extend(["read".into(), path.into()]);
        }
        for (path, second) in self.shared {
            words.extend(["share".into(), path.into(), second.into()]);
        }
        for path in self.pass {
            words.extend(["pass".into(), path.into()]);
        }
        words.push(END.into());
        words
    }

    /// The words back, with the command that follows; `None` of what [`into_words`](Self::into_words) never
    /// gives.
    pub(super) fn parse(words: Vec<OsString>) -> Option<(Self, Vec<OsString>)> {
        let mut inside = Self::default();
        let mut words = words.into_iter();
        while let Some(word) = words.next() {
            let mut path = || words.next().map(PathBuf::from);
            match word.to_str()? {
                "report" => inside.report = path()?,
                "dir" => inside.dir = path()?,
                "hangs-up" => inside.hangs_up = true,
                "layer" => {
                    inside.layers.push(Layer { over: path()?, upper: path()?, work: path()? })
                }
                "bind" => inside.binds.push((path()?, path()?)),
                "read" => inside.readable.push(path()?),
                "share" => inside.shared.push((path()?, path()?)),
                "pass" => inside.pass.push(path()?),
                END => {
                    let command: Vec<OsString> = words.collect();
                    return (!command.is_empty()).then_some((inside, command));
                }
                _ => return None,
            }
        }
        None
    }
}

/// A name that can stand in one line.
pub(super) fn in_one_line(text: &OsStr) -> String {
    let text = text.to_string_lossy();
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_survive_the_command_line() {
        let layer = |name: &str| Layer {
            over: format!("/{name} x").into(),
            upper: "--".into(),
            work: "/w".into(),
        };
        for hangs_up in [false, true] {
            let settings = || Inside {
                report: "/r".into(),
                dir: "pass".into(),
                hangs_up,
                binds: vec![("layer".into(), "/b".into())],
                layers: vec![layer("a"), layer("b")],
                readable: vec!["bind".into()],
                shared: vec![("share".into(), "/s".into())],
                pass: vec!["layer".into()],
            };
            let mut words = settings().into_words();
            let command: Vec<OsString> = ["sh", "--", "-c"].map(OsString::from).into();
            words.extend(command.iter().cloned());
            assert_eq!(Inside::parse(words), Some((settings(), command)));
        }
        assert_eq!(Inside::parse(vec!["--".into()]), None);
    }
}
