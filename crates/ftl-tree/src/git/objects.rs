//! What git's objects hold. Contents are read as git prints them: one may be larger than memory.

use std::collections::BTreeSet;
use std::io::{self, BufRead, BufReader, Read};

use ftl_process::StartError;

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
    /// Those of `take`, and when git cannot be started or its answer cannot be read.
    pub(crate) fn each_content(
        &self,
        objects: &[&str],
        take: &mut TakeContent<'_>,
    ) -> Result<(), TreeError> {
        let probe = self.probe(&["cat-file", "--batch"], lines(objects));
        probe.stream(|answer| each_answer(answer, objects.len(), take))?.1
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

/// Takes the answers of `git cat-file --batch` about that many objects. One that git did not give, as it was cut off,
/// is `None`; one that cannot be read is an error, since what follows would pass for the answer about another object.
fn each_answer(
    answer: &mut dyn Read,
    count: usize,
    take: &mut TakeContent<'_>,
) -> Result<(), TreeError> {
    let mut answer = BufReader::with_capacity(1 << 16, answer);
    for number in 0..count {
        let Some(size) = size(&mut answer).map_err(unread)? else {
            take(number, None)?;
            continue;
        };
        let mut content = (&mut answer).take(size);
        take(number, Some(Content { size, bytes: &mut content }))?;
        // Its rest, and the line end.
        io::copy(&mut content, &mut io::sink()).map_err(unread)?;
        answer.read_until(b'\n', &mut Vec::new()).map_err(unread)?;
    }
    Ok(())
}

/// An answer of git's that cannot be read.
pub(crate) fn unread(source: io::Error) -> TreeError {
    StartError::Watch { program: "git".to_owned(), source }.into()
}

/// The size that the next header names.
fn size(answer: &mut dyn BufRead) -> io::Result<Option<u64>> {
    let mut head = Vec::new();
    answer.read_until(b'\n', &mut head)?;
    let head = head.strip_suffix(b"\n");
    let size = head.and_then(|head| head.rsplit(|&byte| byte == b' ').next());
    Ok(size.and_then(number))
}

fn number(text: &[u8]) -> Option<u64> {
    std::str::from_utf8(text).ok()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use std::io::{self, Read};

    use super::{each_answer, unread};
    use crate::TreeError;

    const ANSWER: &[u8] = b"aa blob 4\none\n\nbb missing\ncc blob 4\ntwo\n\n";

    /// Gives three bytes at a time, and fails one read.
    struct FailingOnce {
        bytes: &'static [u8],
        reads_before: usize,
    }

    impl Read for FailingOnce {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            let before = self.reads_before;
            self.reads_before = before.wrapping_sub(1);
            match before {
                0 => Err(io::Error::from_raw_os_error(5)),
                _ => self.bytes.read(&mut buffer[..3]),
            }
        }
    }

    /// What is handed over when the read of that number fails, and whether that is said.
    fn taken(reads_before: usize) -> (Vec<Option<String>>, Result<(), TreeError>) {
        let mut taken = Vec::new();
        let mut answer = FailingOnce { bytes: ANSWER, reads_before };
        let result = each_answer(&mut answer, 3, &mut |_, content| {
            let text = content.map(|content| io::read_to_string(content.bytes));
            taken.push(text.transpose().map_err(unread)?);
            Ok(())
        });
        (taken, result)
    }

    #[test]
    fn an_answer_that_cannot_be_read_is_not_taken_for_the_one_about_the_next_object() {
        let reads = ANSWER.len().div_ceil(3);
        let whole = [Some("one\n".to_owned()), None, Some("two\n".to_owned())];
        for reads_before in 0..reads {
            let (taken, result) = taken(reads_before);
            assert!(result.is_err(), "{reads_before}: {taken:?}");
        }
        let (taken, result) = taken(reads + 1);
        assert!(result.is_ok() && taken == whole, "{taken:?}");
    }
}
