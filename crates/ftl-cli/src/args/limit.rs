//! Time limits as people write them, on the command line and in `ftl.toml`.
//!
//! Deliberately few forms: no fractions, no sums such as `1h30m`, no limit of zero.

use std::time::Duration;

/// A time limit: seconds, or a number with `s`, `m` or `h`.
///
/// # Errors
///
/// What the text should have been.
pub(crate) fn parse(text: &str) -> Result<Duration, String> {
    let (digits, seconds) = match text.char_indices().last() {
        Some((at, 's')) => (&text[..at], 1),
        Some((at, 'm')) => (&text[..at], 60),
        Some((at, 'h')) => (&text[..at], 60 * 60),
        Some(_) | None => (text, 1),
    };
    let plain = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    let number = plain.then(|| digits.parse::<u64>().ok()).flatten();
    number
        .filter(|&number| number > 0)
        .and_then(|number| number.checked_mul(seconds))
        .map(Duration::from_secs)
        .ok_or_else(|| "a time limit is a number of seconds, or like `90s`, `10m`, `1h`".to_owned())
}

#[cfg(test)]
mod tests {
    use super::parse;

    #[test]
    fn limits_are_seconds_or_carry_a_unit() {
        for (text, seconds) in [("90", 90), ("90s", 90), ("10m", 600), ("1h", 3600)] {
            assert_eq!(parse(text).unwrap().as_secs(), seconds, "{text}");
        }
    }

    #[test]
    fn what_is_no_limit_is_refused() {
        let huge = format!("{}h", u64::MAX);
        for text in ["", "0", "0m", "m", "-1", "+1", "1.5h", "1d", "1 m", "10M", "١", &huge] {
            assert!(parse(text).is_err(), "{text}");
        }
    }
}
