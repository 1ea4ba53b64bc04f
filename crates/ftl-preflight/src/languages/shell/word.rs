//! What a word may be, by its place and by its characters.

/// Where a word is.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum WordPlace {
    /// An assignment may be here.
    Assignable,
    /// An argument of a command that declares variables.
    Declared,
    Argument,
    /// On the right of `==` or `!=` in `[[ … ]]`.
    Pattern,
    /// On the right of `=~`.
    Expression,
}

/// Whether a word is a name.
pub(super) fn is_name(word: &str) -> bool {
    !word.starts_with(|it: char| it.is_ascii_digit())
        && !word.is_empty()
        && word.chars().all(|it| it.is_ascii_alphanumeric() || it == '_')
}

/// Whether `=` behind this makes an assignment.
pub(super) fn is_assignable(word: &str) -> bool {
    let word = word.strip_suffix('+').unwrap_or(word);
    let name = word.split('[').next().unwrap_or_default();
    is_name(name) && (name.len() == word.len() || word.ends_with(']'))
}
