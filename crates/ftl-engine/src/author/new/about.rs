//! The lines of a file that a task is about: the definition that its objective names.
//!
//! Only these are shown in the task file, where they are known. The implementer has the file itself; its first lines are a
//! licence as often as not, and stay in the record for ever.

/// Lines that are shown of a definition.
const LONGEST: usize = 6;
/// Letters of a name that is no mere word.
const SHORTEST: usize = 3;

/// The first and the last line of the definition that the objective names among these exports, from 1.
pub(super) fn definition(
    text: &str,
    objective: &str,
    exports: &[String],
) -> Option<(usize, usize)> {
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    let words: Vec<&str> = objective.split(|c| !is_part(c)).collect();
    let names = exports.iter().map(|name| name.trim_end_matches("()"));
    let named = names.filter(|name| name.len() >= SHORTEST && words.contains(name));
    let has_name = |line: &str, name: &str| line.split(|c| !is_part(c)).any(|word| word == name);
    let lines: Vec<&str> = text.lines().collect();
    // The longest name says most.
    let name = named.max_by_key(|name| name.len())?;
    let first = lines.iter().position(|line| !is_comment(line) && has_name(line, name))?;
    let indent = |line: &str| line.len() - line.trim_start().len();
    let goes_on = |line: &&&str| {
        let is_closing = line.trim_start().starts_with(['}', ')', ']']);
        line.trim().is_empty() || is_closing || indent(line) > indent(lines[first])
    };
    let mut length = 1 + lines[first + 1..].iter().take_while(goes_on).count();
    length = length.min(LONGEST);
    while length > 1 && lines[first + length - 1].trim().is_empty() {
        length -= 1;
    }
    Some((first + 1, first + length))
}

fn is_comment(line: &str) -> bool {
    let marks = ["#", "//", "/*", "*", "--", ";", "<!--"];
    marks.iter().any(|mark| line.trim_start().starts_with(mark))
}

#[cfg(test)]
mod tests {
    use super::definition;

    #[test]
    fn a_task_is_about_the_definition_that_its_objective_names() {
        let python = "# total: a licence\n\nimport os\n\n\ndef total(prices):\n    return sum(prices)\n\n\ndef other():\n    pass\n";
        let go = "package x\n\nfunc Total(a int) int {\n\treturn a\n}\n\nfunc Other() {}\n";
        let long = format!("def total():\n{}", "    x = 1\n".repeat(20));
        for (text, objective, exports, expected) in [
            (python, "Take a discount off the total", "total()", Some((6, 7))),
            (python, "Take a discount", "total()", None),
            (python, "Mend `other`", "other()", Some((10, 11))),
            (go, "Total counts twice", "Total()", Some((3, 5))),
            (long.as_str(), "total", "total()", Some((1, 6))),
            ("x = 1\n", "x", "x", None),
            ("", "total", "total()", None),
        ] {
            assert_eq!(definition(text, objective, &[exports.to_owned()]), expected, "{objective}");
        }
    }
}
