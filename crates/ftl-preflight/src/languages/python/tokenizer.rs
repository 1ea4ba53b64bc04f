//! Errors where CPython has them, which reads the rest of a file whose parse failed: an error of the
//! tokenizer counts more than the parser's, however much later it is
//! (`_PyPegen_tokenize_full_source_to_check_for_errors`).

use ruff_python_ast::token::{TokenKind, Tokens};
use ruff_python_parser::{LexicalErrorType, ParseError, ParseErrorType};
use ruff_text_size::Ranged;

use super::range;
use crate::finding::Finding;

/// The tokenizer's error in a file that does not parse: what is no token, a closing bracket of another kind,
/// or a bracket that the file does not close, if that is on a line before the parser's error.
pub(super) fn error(text: &str, tokens: &Tokens, errors: &[ParseError]) -> Option<Finding> {
    let is_lexical = |it: &&ParseError| match &it.error {
        // The parser's, to CPython.
        ParseErrorType::Lexical(error) => {
            use LexicalErrorType::{
                Eof, IndentationError, LineContinuationError, UnrecognizedToken,
            };
            !matches!(
                error,
                Eof | IndentationError | LineContinuationError | UnrecognizedToken { .. }
            )
        }
        _ => false,
    };
    // Here it reads no further.
    if errors.first().is_some_and(|it| matches!(it.error, ParseErrorType::UnexpectedIndentation)) {
        return None;
    }
    let lexical = errors.iter().find(is_lexical);
    let lexical = lexical.map(|it| Finding::syntax(it.error.to_string(), range(it.location)));
    let end = lexical.as_ref().map_or(text.len(), |it| it.range.start);
    let mut open: Vec<(TokenKind, std::ops::Range<usize>)> = Vec::new();
    for token in tokens.iter().take_while(|it| it.start().to_usize() < end) {
        let (kind, range) = (token.kind(), range(token.range()));
        let opener = match kind {
            TokenKind::Lpar | TokenKind::Lsqb | TokenKind::Lbrace => {
                open.push((kind, range));
                continue;
            }
            TokenKind::Rpar => TokenKind::Lpar,
            TokenKind::Rsqb => TokenKind::Lsqb,
            TokenKind::Rbrace => TokenKind::Lbrace,
            _ => continue,
        };
        let closer = &text[range.clone()];
        match open.pop() {
            Some((kind, _)) if kind == opener => {}
            Some((_, at)) => {
                let opener = &text[at];
                let message = format!("closing '{closer}' does not match opening '{opener}'");
                return Some(Finding::syntax(message, range));
            }
            None => return Some(Finding::syntax(format!("unmatched '{closer}'"), range)),
        }
    }
    lexical.or_else(|| {
        let failed = errors.iter().map(|it| it.location.start().to_usize()).min()?;
        let (_, at) = open.pop()?;
        let is_before = text.get(at.start..failed).is_some_and(|between| between.contains('\n'));
        let message = format!("'{}' was never closed", &text[at.clone()]);
        is_before.then(|| Finding::syntax(message, at))
    })
}

/// An error of the parser, at the statement that should be a block instead of at the one before it.
pub(super) fn placed(error: &ParseError, tokens: &Tokens) -> Finding {
    let (message, mut range) = (error.error.to_string(), range(error.location));
    if message.starts_with("Expected an indented block") {
        let is_code = |kind: TokenKind| {
            !kind.is_trivia() && !matches!(kind, TokenKind::Newline | TokenKind::Dedent)
        };
        let mut behind = tokens.iter().filter(|it| it.start() >= error.location.start());
        if let Some(next) = behind.find(|it| is_code(it.kind())) {
            range = super::range(next.range());
        }
    }
    Finding::syntax(message, range)
}
