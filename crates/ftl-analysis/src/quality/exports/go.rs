//! The names that a Go file declares at the top, read from its tokens.
//!
//! A Go package spans the files of a directory, which have one import path. Only names with a capital letter
//! are public (Go specification, "Exported identifiers").

use super::module::{Binding, Module};

/// A token: an identifier, a literal, or one character of anything else.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Token<'t> {
    text: &'t str,
    kind: TokenKind,
    /// Whether a line break before it ends a statement.
    is_first: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum TokenKind {
    Name,
    Literal,
    Other,
}

/// The names at the top of a file.
pub(super) fn module(_: &str, text: &str) -> Option<Module> {
    let tokens = tokens(text);
    let mut module = Module::default();
    let mut at = 0;
    let mut depth = 0_usize;
    while let Some(token) = tokens.get(at) {
        let starts = depth == 0 && (token.is_first || at == 0 || tokens[at - 1].text == ";");
        match token.text {
            "func" if starts => function(&tokens[at + 1..], &mut module),
            "type" | "var" | "const" if starts => {
                let keyword = token.text;
                at += 1;
                if tokens.get(at).is_some_and(|token| token.text == "(") {
                    at = group(&tokens, at + 1, keyword, &mut module);
                } else {
                    names(&tokens[at..], keyword, &mut module);
                }
                continue;
            }
            "(" | "[" | "{" => depth += 1,
            ")" | "]" | "}" => depth = depth.saturating_sub(1),
            _ => {}
        }
        at += 1;
    }
    module.is_program = tokens
        .first()
        .zip(tokens.get(1))
        .is_some_and(|(first, name)| (first.text, name.text) == ("package", "main"));
    let public = module.names.keys().filter(|name| is_exported(name));
    module.declared = Some(public.cloned().collect());
    Some(module)
}

fn is_exported(name: &str) -> bool {
    name.starts_with(char::is_uppercase)
}

/// Binds a function's name; a method is its type's, and `init` cannot be referred to.
fn function(rest: &[Token<'_>], module: &mut Module) {
    if rest.first().is_some_and(|token| token.text == "(") {
        module.members.extend(method(&rest[1..]));
    } else if let Some(name) = rest.first()
        && name.kind == TokenKind::Name
        && !matches!(name.text, "_" | "init")
    {
        module.bind(name.text, Binding::Callable);
        if let Some(list) = parameters(&rest[1..]) {
            module.parameters.add(name.text, &list);
        }
    }
}

/// `Type.Method` of `r *Type[T]) Method(`, where both are exported.
fn method(rest: &[Token<'_>]) -> Option<String> {
    let end = rest.iter().position(|token| token.text == ")")?;
    let receiver = rest[..end].split(|token| token.text == "[").next()?.last()?;
    let name = rest.get(end + 1)?;
    let is_public = is_exported(receiver.text) && is_exported(name.text);
    is_public.then(|| format!("{}.{}", receiver.text, name.text))
}

/// The text between a function's first round brackets, behind those of its types.
fn parameters(rest: &[Token<'_>]) -> Option<String> {
    let first = rest.iter().position(|token| token.text == "(")?;
    let mut depth = 0_usize;
    let mut list = String::new();
    let mut is_word = false;
    for token in &rest[first..] {
        match token.text {
            "(" | "[" | "{" => depth += 1,
            ")" | "]" | "}" => depth -= 1,
            _ => {}
        }
        let is_name = token.kind != TokenKind::Other;
        if is_word && (is_name || matches!(token.text, "*" | "[" | "<")) || list.ends_with(',') {
            list.push(' ');
        }
        list.push_str(token.text);
        is_word = is_name;
        if depth == 0 {
            return Some(list);
        }
    }
    None
}

/// Binds the names of each declaration between brackets, and gives the place behind them.
fn group(tokens: &[Token<'_>], from: usize, keyword: &str, module: &mut Module) -> usize {
    let mut depth = 1_usize;
    let mut at = from;
    while let Some(token) = tokens.get(at) {
        match token.text {
            "(" | "[" | "{" => depth += 1,
            ")" | "]" | "}" => depth -= 1,
            _ if depth == 1 && (at == from || token.is_first || tokens[at - 1].text == ";") => {
                names(&tokens[at..], keyword, module);
            }
            _ => {}
        }
        at += 1;
        if depth == 0 {
            break;
        }
    }
    at
}

/// Binds `a, b` of `a, b = …`; of a type one name.
fn names(tokens: &[Token<'_>], keyword: &str, module: &mut Module) {
    let mut tokens = tokens.iter();
    while let Some(token) = tokens.next()
        && token.kind == TokenKind::Name
    {
        if token.text != "_" {
            module.bind(token.text, Binding::Value);
        }
        let goes_on = tokens.next().is_some_and(|token| token.text == ",");
        if keyword == "type" || !goes_on {
            return;
        }
    }
}

/// The tokens of a file. A line break ends a statement behind a name, a literal or a closing bracket
/// (Go specification, "Semicolons"); `++`, `--` and keywords do not occur at the top.
fn tokens(text: &str) -> Vec<Token<'_>> {
    let mut tokens: Vec<Token<'_>> = Vec::new();
    let mut rest = text;
    let mut has_break = false;
    while let Some(first) = rest.chars().next() {
        let (kind, length) = match first {
            _ if first.is_whitespace() => {
                has_break |= first == '\n';
                rest = &rest[first.len_utf8()..];
                continue;
            }
            '/' if rest.starts_with("//") || rest.starts_with("/*") => {
                let length = comment(rest);
                has_break |= rest[..length].contains('\n');
                rest = &rest[length..];
                continue;
            }
            '"' | '\'' => (TokenKind::Literal, quoted(rest, first)),
            '`' => {
                let end = rest[1..].find('`').map_or(rest.len(), |at| at + 2);
                (TokenKind::Literal, end)
            }
            _ if first == '_' || first.is_alphabetic() => (TokenKind::Name, word(rest)),
            _ if first.is_numeric() => (TokenKind::Literal, number(rest)),
            _ => (TokenKind::Other, first.len_utf8()),
        };
        let ends = tokens.last().is_none_or(|last: &Token<'_>| {
            last.kind != TokenKind::Other || matches!(last.text, ")" | "]" | "}")
        });
        tokens.push(Token { text: &rest[..length], kind, is_first: has_break && ends });
        has_break = false;
        rest = &rest[length..];
    }
    tokens
}

/// The length of a comment. A line's ends before its line break, which still counts.
fn comment(rest: &str) -> usize {
    if rest.starts_with("//") {
        return rest.find('\n').unwrap_or(rest.len());
    }
    rest[2..].find("*/").map_or(rest.len(), |at| at + 4)
}

/// The length of a string or rune; one that is not closed ends with its line.
fn quoted(rest: &str, quote: char) -> usize {
    let mut escaped = false;
    for (at, character) in rest.char_indices().skip(1) {
        match character {
            '\n' => return at,
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            _ if character == quote => return at + 1,
            _ => {}
        }
    }
    rest.len()
}

/// The length of a number: `1.`, `0x1p-2`.
fn number(rest: &str) -> usize {
    let is_exponent = |at: usize| at > 0 && rest[..at].ends_with(['e', 'E', 'p', 'P']);
    let end = rest.char_indices().find(|(at, c)| {
        !(c.is_alphanumeric()
            || matches!(c, '_' | '.')
            || matches!(c, '+' | '-') && is_exponent(*at))
    });
    end.map_or(rest.len(), |(at, _)| at)
}

fn word(rest: &str) -> usize {
    rest.find(|c: char| c != '_' && !c.is_alphanumeric()).unwrap_or(rest.len())
}
