//! What git's objects hold. Contents are read as git prints them: one may be larger than memory.

use std::collections::BTreeSet;
use std::io::{self, BufRead, BufReader, Read};

use super::Git;
use crate::TreeError;

/// The content of an object. Fewer bytes than `size` mean that git broke off.
pub(crate) struct Content<'a> {
    pub(crate) size: u64,
    pub(crate) bytes: &'a mut dyn Read,
}

/// Takes the content of the object of this number; `None` where it cannot be had.
pub(crate) type TakeContent<'t> =
    dyn FnMut(usize, Option<Content<'_>>) -> Result<(), TreeError> + 't;

impl Git {
    /// Hands over the content of each object, in order; `None` where it cannot be had, also because the
    /// repository is broken by now. What is not read of a content is passed over.
    ///
    /// `--batch` answers `NAME TYPE SIZE`, a line end, SIZE bytes and a line end, or `NAME missing`.
    ///
    /// # Errors
    /// Those of `take`, and when git cannot be started.
    pub(crate) fn each_content(
        &self,
        objects: &[&str],
        take: &mut TakeContent<'_>,
    ) -> Result<(), TreeError> {
        let probe = self.probe(&["cat-file", "--batch"], lines(objects));
        let read_all = |answer: &mut dyn Read| {
            let mut answer = BufReader::with_capacity(1 << 16, answer);
            for number in 0..objects.len() {
                let Some(size) = size(&mut answer) else {
                    take(number, None)?;
                    continue;
                };
                let mut content = (&mut answer).take(size);
                take(number, Some(Content { size, bytes: &mut content }))?;
                // Its rest, and the line end; a broken answer ends here for all that follow.
                let _ = io::copy(&mut content, &mut io::sink());
                let _ = answer.read_until(b'\n', &mut Vec::new());
            }
            Ok(())
        };
        probe.stream(read_all)?.1
    }

    /// Those of these objects that are not there. All, where the repository is broken.
    pub(crate) fn missing<'o>(&self, objects: &[&'o str]) -> Result<BTreeSet<&'o str>, TreeError> {
        let args = ["cat-file", "--batch-check=%(objectsize)"];
        let answer = self.ask(&args, lines(objects))?.stdout;
        let mut sizes = answer.split(|&byte| byte == b'\n');
        let is_there = |line: Option<&[u8]>| line.is_some_and(|line| number(line).is_some());
        let missing = objects.iter().filter(|_| !is_there(sizes.next()));
        Ok(missing.copied().collect())
    }
}

fn lines(objects: &[&str]) -> Vec<u8> {
    let lines = objects.iter().flat_map(|object| [object, "\n"]);
    lines.collect::<String>().into_bytes()
}

/// The size that the next header names.
fn size(answer: &mut dyn BufRead) -> Option<u64> {
    let mut head = Vec::new();
    answer.read_until(b'\n', &mut head).ok()?;
    let head = head.strip_suffix(b"\n")?;
    number(head.rsplit(|&byte| byte == b' ').next()?)
}

fn number(text: &[u8]) -> Option<u64> {
    std::str::from_utf8(text).ok()?.parse().ok()
}
