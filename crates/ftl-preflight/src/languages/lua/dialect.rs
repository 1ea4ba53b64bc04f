//! The languages that are called Lua.

/// A version of the language.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Dialect {
    Lua54,
    Lua51,
    /// Lua 5.1 with `goto`, `\x` and `\z`, and numbers of C.
    Jit,
}

impl Dialect {
    /// The newest first: most files are valid in it.
    pub(super) const ALL: [Self; 3] = [Self::Lua54, Self::Lua51, Self::Jit];

    pub(super) fn has_goto(self) -> bool {
        self != Self::Lua51
    }

    /// `//`, `&`, `|`, `~`, `<<`, `>>`, and `<const>`.
    pub(super) fn is_newest(self) -> bool {
        self == Self::Lua54
    }
}
