//! Time limits as people write them, on the command line and in `ftl.toml`.
//!
//! Deliberately few forms: no fractions, no sums such as `1h30m`, no limit of zero.

use std::time::Duration;

/// A time limit: seconds, or a number with `s`, `m` or `h`.
///
/// # Errors
///
/// What the text should have been.
pub(crate) fn parse_limit(text: &str) -> Result<Duration, String> {
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

/// A number of things, at least one.
///
/// # Errors
///
/// What the text should have been.
pub(crate) fn parse_count(text: &str) -> Result<usize, String> {
    let number = text.parse().ok().filter(|&number| number > 0);
    number.ok_or_else(|| "this must be a number, at least 1".to_owned())
}

/// An amount of US dollars.
///
/// # Errors
///
/// What the text should have been.
pub(crate) fn parse_cost(text: &str) -> Result<f64, String> {
    let number = text.parse().ok().filter(|number: &f64| number.is_finite() && *number > 0.0);
    number.ok_or_else(|| "this must be an amount of US dollars, like `2.50`".to_owned())
}

#[cfg(test)]
mod tests {
    use super::{parse_cost, parse_count, parse_limit};

    #[test]
    fn counts_and_costs_are_more_than_nothing() {
        assert_eq!((parse_count("3"), parse_cost("2.50")), (Ok(3), Ok(2.5)));
        for text in ["", "0", "-1", "x", "NaN", "inf"] {
            assert!(parse_count(text).is_err() && parse_cost(text).is_err(), "{text}");
        }
    }

    #[test]
    fn limits_are_seconds_or_carry_a_unit() {
        for (text, seconds) in [("90", 90), ("90s", 90), ("10m", 600), ("1h", 3600)] {
            assert_eq!(parse_limit(text).unwrap().as_secs(), seconds, "{text}");
        }
    }

    #[test]
    fn texts_that_are_no_limit_are_refused() {
        let huge = format!("{}h", u64::MAX);
        for text in ["", "0", "0m", "m", "-1", "+1", "1.5h", "1d", "1 m", "10M", "١", &huge] {
            assert!(parse_limit(text).is_err(), "{text}");
        }
    }
}
