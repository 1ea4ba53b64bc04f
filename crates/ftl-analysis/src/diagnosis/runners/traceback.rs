/// Between two tracebacks, that the exception above led to the one below.
const CHAINED: [&str; 2] = [
    "The above exception was the direct cause of the following exception:",
    "During handling of the above exception, another exception occurred:",
];

/// The last line of each Python traceback. Of a chain, the exception that ended it comes first.
pub(super) fn last_lines(lines: &[&str]) -> Vec<String> {
    let mut chains: Vec<Vec<&str>> = Vec::new();
    let mut is_chained = false;
    let mut rest = lines;
    while let Some((line, below)) = rest.split_first() {
        rest = below;
        if CHAINED.contains(&line.trim_start()) {
            is_chained = true;
        } else if line.trim_start() == "Traceback (most recent call last):" {
            let Some(last) = below.iter().position(|other| ends_frames(other, line)) else {
                break;
            };
            match chains.last_mut() {
                Some(chain) if is_chained => chain.push(below[last]),
                _ => chains.push(vec![below[last]]),
            }
            is_chained = false;
            rest = &below[last + 1..];
        }
    }
    let latest_first = chains.iter().flat_map(|chain| chain.iter().rev());
    latest_first.map(|line| (*line).to_owned()).collect()
}

/// Frames are indented deeper than the heading; the exception is not.
fn ends_frames(line: &str, heading: &str) -> bool {
    !line.is_empty() && indent(line) <= indent(heading)
}

fn indent(line: &str) -> usize {
    line.len() - line.trim_start().len()
}
