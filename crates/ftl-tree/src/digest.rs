//! The digest of a file that is read piece by piece.

use std::io::{self, Read};

use ftl_model::{Digest, Digester};

/// The digest of all that a reader gives, which is never held as a whole.
pub(crate) fn digest_of(content: &mut dyn Read) -> io::Result<Digest> {
    let mut digester = Digester::default();
    let mut buffer = [0; 1 << 14];
    loop {
        match content.read(&mut buffer) {
            Ok(0) => return Ok(digester.finish()),
            Ok(count) => digester.update(&buffer[..count]),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
}
