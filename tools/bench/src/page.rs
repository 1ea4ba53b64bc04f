//! The frame of docs/benchmarks.md: parts between marks, each with the machine that it was measured
//! on.
//!
//! What a part says is rendered where it is measured.

use std::fmt::Write as _;

/// A whole part with its marks: what `measured` renders, under the lines that describe the machine.
pub(crate) fn part(name: &str, machine: &[(&str, String)], measured: &str) -> String {
    let (heading, rest) = measured.split_once('\n').unwrap_or((measured, ""));
    let mut part = format!("{}\n{heading}\n\n", opening(name));
    for (what, value) in machine {
        writeln!(part, "- {what}: {value}").expect("because a string takes all that is written");
    }
    write!(part, "\n{}\n{}\n", rest.trim(), closing(name))
        .expect("because a string takes all that is written");
    part
}

/// `page` with the part called `name` replaced, or with it added at the end.
pub(crate) fn replace(page: &str, name: &str, part: &str) -> String {
    let found = page
        .split_once(&opening(name))
        .and_then(|(before, rest)| Some((before, rest.split_once(&closing(name))?.1)));
    match found {
        Some((before, after)) => match after.trim_start() {
            "" => format!("{before}{part}"),
            after => format!("{before}{part}\n{after}"),
        },
        None => format!("{}\n\n{part}", page.trim_end()),
    }
}

/// `yes`, or a miss that can't be overlooked.
pub(crate) fn reached(good: bool) -> &'static str {
    if good { "yes" } else { "**no**" }
}

fn opening(name: &str) -> String {
    format!("<!-- part {name} -->")
}

fn closing(name: &str) -> String {
    format!("<!-- end {name} -->")
}

#[cfg(test)]
mod tests {
    use super::{part, replace};

    #[test]
    fn a_part_is_added_and_then_replaced_in_its_place() {
        let machine = [("cores", "2".to_owned())];
        let one = part("one", &machine, "## One\n\nfirst figures\n");
        let two = part("two", &machine, "## Two\n\nothers\n");
        let page = replace(&replace("# Page\n", "one", &one), "two", &two);
        assert_eq!(page, format!("# Page\n\n{one}\n{two}"));

        let again = part("one", &machine, "## One\n\nsecond figures\n");
        assert_eq!(replace(&page, "one", &again), format!("# Page\n\n{again}\n{two}"));
    }
}
