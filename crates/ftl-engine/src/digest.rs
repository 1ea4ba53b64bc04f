//! Digests that bind what was decided to the very bytes that it was decided on.

use std::io::{self, Read};

use sha2::{Digest as _, Sha256};

/// The sha256 of bytes, in lower-case hexadecimal.
pub(crate) fn sha256(bytes: &[u8]) -> String {
    hexadecimal(&Sha256::digest(bytes))
}

/// The sha256 of all that a reader gives, which is never held as a whole.
pub(crate) fn sha256_of(content: &mut dyn Read) -> io::Result<String> {
    let mut hash = Sha256::new();
    let mut buffer = [0; 1 << 14];
    loop {
        match content.read(&mut buffer) {
            Ok(0) => return Ok(hexadecimal(&hash.finalize())),
            Ok(count) => hash.update(&buffer[..count]),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
}

/// Two lower-case digits a byte.
pub(crate) fn hexadecimal(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    let digits =
        |byte: &u8| [byte >> 4, byte & 15].map(|half| char::from(DIGITS[usize::from(half)]));
    bytes.iter().flat_map(digits).collect()
}

#[cfg(test)]
mod tests {
    use super::{sha256, sha256_of};

    #[test]
    fn both_ways_give_the_published_digest() {
        let abc = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
        assert_eq!(sha256(b"abc"), abc);
        assert_eq!(sha256_of(&mut &b"abc"[..]).unwrap(), abc);
    }
}
