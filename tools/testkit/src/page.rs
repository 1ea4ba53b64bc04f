//! Pages of the docs: their fenced blocks, their tables, and parts that are measured by themselves.

/// The content of the fenced blocks of a language, in order.
pub fn blocks(page: &str, language: &str) -> Vec<String> {
    let opening = format!("```{language}\n");
    let blocks = page.split(opening.as_str()).skip(1);
    blocks.map(|rest| rest.split("```").next().unwrap_or_default().to_owned()).collect()
}

/// A table of Markdown.
#[must_use]
pub fn table(heads: &[&str], rows: impl AsRef<[Vec<String>]>) -> String {
    let line = |cells: &[String]| format!("| {} |\n", cells.join(" | "));
    let heads: Vec<String> = heads.iter().map(ToString::to_string).collect();
    let rule = format!("|{}\n", " --- |".repeat(heads.len()));
    line(&heads) + &rule + &rows.as_ref().iter().map(|row| line(row)).collect::<String>()
}

/// A page with the part of a name between its marks, in its place or at the end.
#[must_use]
pub fn with_part(page: &str, name: &str, part: &str) -> String {
    let (opening, closing) = (format!("<!-- part {name} -->\n"), format!("<!-- end {name} -->\n"));
    let part = format!("{opening}{}\n{closing}", part.trim());
    let found = page
        .split_once(&opening)
        .and_then(|(before, rest)| Some((before, rest.split_once(&closing)?.1)));
    match found {
        Some((before, after)) => format!("{before}{part}{after}"),
        None => format!("{}\n\n{part}", page.trim_end()),
    }
}

#[cfg(test)]
mod tests {
    use super::with_part;

    #[test]
    fn a_part_is_added_and_then_replaced_in_its_place() {
        let one = "<!-- part one -->\n## One\n<!-- end one -->\n";
        let two = "<!-- part two -->\n## Two\n<!-- end two -->\n";
        let page = with_part(&with_part("# Page\n", "one", "## One\n"), "two", "## Two");
        assert_eq!(page, format!("# Page\n\n{one}\n{two}"));
        let again = with_part(&page, "one", "## Again");
        assert_eq!(again, page.replace("## One", "## Again"));
    }
}
