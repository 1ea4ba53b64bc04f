//! Words for a shell.

/// A word as the shell reads it. Names in braces that are `variables` become variables of the shell, expanded
/// within double quotes.
pub(crate) fn quoted(word: &str, variables: &[(&str, &str)]) -> String {
    if variables.iter().any(|(name, _)| word.contains(name)) {
        let mut text = String::new();
        for c in word.chars() {
            if matches!(c, '"' | '\\' | '$' | '`') {
                text.push('\\');
            }
            text.push(c);
        }
        for (name, variable) in variables {
            text = text.replace(name, variable);
        }
        return format!("\"{text}\"");
    }
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_./=:,@%+".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        return word.to_owned();
    }
    format!("'{}'", word.replace('\'', "'\\''"))
}

#[cfg(test)]
mod tests {
    use super::quoted;

    #[test]
    fn a_word_is_one_word_to_the_shell_and_only_what_is_named_is_a_variable() {
        let variables = [("{reply}", "$FTL_REPLY")];
        for (word, expected) in [
            ("--json", "--json"),
            ("", "''"),
            ("it's $HOME", r"'it'\''s $HOME'"),
            ("Edit(/{reply})", "\"Edit(/$FTL_REPLY)\""),
            ("$(rm) {reply}", "\"\\$(rm) $FTL_REPLY\""),
        ] {
            assert_eq!(quoted(word, &variables), expected);
        }
    }
}
