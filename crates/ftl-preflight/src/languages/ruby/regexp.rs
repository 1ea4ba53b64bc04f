//! What Onigmo, Ruby's engine of regular expressions, refuses for certain: parentheses and brackets
//! that do not match, nothing to repeat, and ranges from later to earlier.

/// The first error of a pattern and its byte offset. `is_extended`: with blanks and comments.
pub(super) fn error(pattern: &str, is_extended: bool) -> Option<(usize, &'static str)> {
    let mut open: Vec<usize> = Vec::new();
    let mut can_repeat = false;
    let mut characters = pattern.char_indices().peekable();
    while let Some((at, character)) = characters.next() {
        let rest = &pattern[at..];
        match character {
            '\\' => {
                characters.next();
                can_repeat = true;
            }
            '[' => {
                let length = match class(rest) {
                    Ok(length) => length,
                    Err((within, message)) => return Some((at + within, message)),
                };
                while characters.next_if(|&(next, _)| next < at + length).is_some() {}
                can_repeat = true;
            }
            '(' if rest.starts_with("(?#") => {
                let end = rest.find(')').map_or(pattern.len(), |it| at + it + 1);
                while characters.next_if(|&(next, _)| next < end).is_some() {}
            }
            '(' => {
                // From here on blanks and comments may begin or end to count.
                if changes_extended(rest) {
                    return None;
                }
                if characters.next_if(|&(_, it)| it == '?').is_some() {
                    // A condition, `(?(1)…)`, has parentheses, too.
                    characters.next_if(|&(_, it)| it != '(');
                }
                open.push(at);
                can_repeat = false;
            }
            ')' => {
                if open.pop().is_none() {
                    return Some((at, "unmatched close parenthesis in a regular expression"));
                }
                can_repeat = true;
            }
            '|' => can_repeat = false,
            '*' | '+' | '?' if !can_repeat => {
                return Some((at, "a regular expression repeats nothing"));
            }
            '#' if is_extended => while characters.next_if(|&(_, it)| it != '\n').is_some() {},
            _ if is_extended && character.is_ascii_whitespace() => {}
            _ => can_repeat = true,
        }
    }
    open.last().map(|&at| (at, "unmatched parenthesis in a regular expression"))
}

/// Whether a group sets or clears the option `x`.
fn changes_extended(group: &str) -> bool {
    let options = group.strip_prefix("(?").unwrap_or_default();
    let options: String =
        options.chars().take_while(|it| it.is_ascii_alphabetic() || *it == '-').collect();
    options.contains('x')
}

/// The length of a class in brackets, which may hold others.
fn class(text: &str) -> Result<usize, (usize, &'static str)> {
    let (mut depth, mut last, mut from) = (0_usize, None::<char>, None::<char>);
    // Where the members of the innermost class begin.
    let mut members = 0;
    let mut characters = text.char_indices();
    while let Some((at, character)) = characters.next() {
        let begins = at == members;
        let simple = match character {
            '\\' => {
                characters.next();
                None
            }
            '[' => {
                depth += 1;
                members = at + 1;
                None
            }
            // The first one in a class belongs to it.
            ']' if begins && text[at + 1..].contains(']') => Some(character),
            ']' => {
                depth -= 1;
                if depth == 0 {
                    return Ok(at + 1);
                }
                None
            }
            '-' if last.is_some() => {
                from = last.take();
                continue;
            }
            '^' if begins => {
                members = at + 1;
                None
            }
            _ => Some(character),
        };
        if let (Some(from), Some(to)) = (from.take(), simple)
            && from > to
        {
            return Err((at, "an empty range in a regular expression"));
        }
        last = simple;
    }
    Err((0, "a bracket of a regular expression is not closed"))
}

#[cfg(test)]
mod tests {
    use super::error;

    #[test]
    fn patterns_that_onigmo_accepts_are_no_errors() {
        let refused = [
            (r"a)", 1),
            (r"(a", 0),
            (r"?a", 0),
            (r"a|*", 2),
            (r"(+)", 1),
            (r"[9-0]", 3),
            (r"[a", 0),
            (r"((a)", 0),
        ];
        for (pattern, at) in refused {
            assert_eq!(error(pattern, false).map(|it| it.0), Some(at), "{pattern}");
        }
        let accepted = [
            r"\A(?:a|b)*+\z",
            r"[^\]\[()]+",
            r"[[:alpha:]_-]",
            r"(?<n>\d+)\k<n>",
            r"(?=a)(?!b)(?<!c)",
            r"a{2,}?",
            r"[a-z&&[^aeiou]]",
            r"(?#(note)x",
            r"(a)?(?(1)b|)",
            r"\(",
            r"{",
            r"[]a]",
            r"[^]a]",
            r"[^\[]+(?:\[(.*)\])",
            r"[\w-]",
            r"(?i)a",
            r"[+-9]",
            r"(?mx: a # ( \n)",
        ];
        for pattern in accepted {
            assert_eq!(error(pattern, false), None, "{pattern}");
        }
        assert_eq!(error("a # (\n *", true), None);
    }
}
