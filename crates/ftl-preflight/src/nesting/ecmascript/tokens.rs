//! An upper bound on tokens, from the bytes alone.

/// The most tokens that text can be made of, however it is read.
pub(crate) fn tokens(text: &str) -> usize {
    /// Bytes that are counted in one go, in bytes again: the compiler keeps many of them in a register.
    const SHARE: usize = 128;
    let bytes = text.as_bytes();
    let Some((&first, rest)) = bytes.split_first() else {
        return 0;
    };
    let shares = bytes.chunks(SHARE).zip(rest.chunks(SHARE));
    let count = |(before, now): (&[u8], &[u8])| -> u8 {
        before.iter().zip(now).map(|(&before, &now)| u8::from(begins_token(before, now))).sum()
    };
    usize::from(begins_token(b' ', first)) + shares.map(|it| usize::from(count(it))).sum::<usize>()
}

/// Whether a byte after another may be the first of a token. Without branches (`&` and `|`, not `&&` and
/// `||`), so that many bytes are looked at in one go.
fn begins_token(before: u8, byte: u8) -> bool {
    let is_word = |byte: u8| {
        byte.is_ascii_alphabetic() | byte.is_ascii_digit() | (byte == b'_') | (byte == b'$')
    };
    let is_blank = (byte == b' ') | (byte == b'\t') | (byte == b'\n') | (byte == b'\r');
    !(is_word(before) & is_word(byte) | is_blank)
}

#[cfg(test)]
mod tests {
    use super::tokens;

    #[test]
    fn the_count_of_tokens_is_an_upper_bound() {
        let cases = [("", 0), ("a", 1), ("if (a1) b_$c", 5), ("=>", 2), ("typeof\u{a0}typeof", 4)];
        for (text, least) in cases {
            assert_eq!(tokens(text), least, "{text:?}");
            assert_eq!(tokens(&format!("{text};").repeat(99)), 99 * (least + 1), "{text:?}");
        }
    }
}
