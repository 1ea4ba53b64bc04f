//! Tokens, in no more kinds than the grammar distinguishes.
//!
//! Specification: "Keywords", "Operators and punctuation", "Semicolons". Operators that may stand
//! in the same places share a kind, and so do runes and numbers, which are literals of a type
//! without fields.

/// What a token is. Operators that the grammar treats alike share a kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum TokenKind {
    End,
    Name,
    /// A number or a rune.
    Number,
    String,
    /// A semicolon, written or inserted at the end of a line.
    Semicolon,
    Comma,
    Colon,
    Dot,
    Ellipsis,
    OpenParen,
    CloseParen,
    OpenBracket,
    CloseBracket,
    OpenBrace,
    CloseBrace,
    Assign,
    Define,
    /// `+=` and the like.
    AssignOperation,
    IncrementOrDecrement,
    Arrow,
    Star,
    And,
    Tilde,
    Not,
    /// `+`, `-` and `^`, which have one operand or two.
    Sign,
    Pipe,
    /// A binary operator that is nothing else.
    Binary,
    Break,
    Case,
    Chan,
    Const,
    Continue,
    Default,
    Defer,
    Else,
    Fallthrough,
    For,
    Func,
    Go,
    Goto,
    If,
    Import,
    Interface,
    Map,
    Package,
    Range,
    Return,
    Select,
    Struct,
    Switch,
    Type,
    Var,
}

impl TokenKind {
    pub(super) fn of_word(word: &str) -> Self {
        match word {
            "break" => Self::Break,
            "case" => Self::Case,
            "chan" => Self::Chan,
            "const" => Self::Const,
            "continue" => Self::Continue,
            "default" => Self::Default,
            "defer" => Self::Defer,
            "else" => Self::Else,
            "fallthrough" => Self::Fallthrough,
            "for" => Self::For,
            "func" => Self::Func,
            "go" => Self::Go,
            "goto" => Self::Goto,
            "if" => Self::If,
            "import" => Self::Import,
            "interface" => Self::Interface,
            "map" => Self::Map,
            "package" => Self::Package,
            "range" => Self::Range,
            "return" => Self::Return,
            "select" => Self::Select,
            "struct" => Self::Struct,
            "switch" => Self::Switch,
            "type" => Self::Type,
            "var" => Self::Var,
            _ => Self::Name,
        }
    }

    /// Whether a line's end after this token ends the statement: the first rule of "Semicolons".
    pub(super) fn ends_statement(self) -> bool {
        matches!(
            self,
            Self::Name
                | Self::Number
                | Self::String
                | Self::Break
                | Self::Continue
                | Self::Fallthrough
                | Self::Return
                | Self::IncrementOrDecrement
                | Self::CloseParen
                | Self::CloseBracket
                | Self::CloseBrace
        )
    }

    pub(super) fn is_binary(self) -> bool {
        matches!(self, Self::Binary | Self::Star | Self::And | Self::Sign | Self::Pipe)
    }
}

/// A token and its bytes.
#[derive(Debug, Clone, Copy)]
pub(super) struct Token {
    pub(super) kind: TokenKind,
    pub(super) start: usize,
    pub(super) end: usize,
}
