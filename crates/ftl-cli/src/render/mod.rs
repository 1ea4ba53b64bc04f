//! What people and programs see of a build, and of findings in files.

mod agent;
pub(crate) mod brief;
pub(crate) mod diagnostics;
pub(crate) mod diff;
pub(crate) mod events;
mod failures;
pub(crate) mod findings;
pub(crate) mod history;
pub(crate) mod live;
pub(crate) mod outcome;
pub(crate) mod progress;
mod quality;
pub(crate) mod report;
pub(crate) mod reporter;
pub(crate) mod several;
pub(crate) mod verbosity;

/// `34 ms`, `1.3 s`, `41 s`, `2 min 5 s`, `1 h 2 min`, from milliseconds.
pub(crate) fn duration(milliseconds: u64) -> String {
    let seconds = milliseconds / 1000;
    match seconds {
        0 => format!("{milliseconds} ms"),
        1..10 => format!("{}.{} s", seconds, milliseconds % 1000 / 100),
        10..60 => format!("{seconds} s"),
        60..3600 => format!("{} min {} s", seconds / 60, seconds % 60),
        _ => format!("{} h {} min", seconds / 3600, seconds % 3600 / 60),
    }
}

#[cfg(test)]
mod tests {
    use super::duration;

    #[test]
    fn a_duration_is_shown_in_units_that_fit() {
        let shown = [0, 340, 9_999, 41_200, 125_000, 3_720_000].map(duration);
        assert_eq!(shown, ["0 ms", "340 ms", "9.9 s", "41 s", "2 min 5 s", "1 h 2 min"]);
    }
}
