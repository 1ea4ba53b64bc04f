#!/usr/bin/env python3
"""Says what is at places of Python files, by CPython's tokenizer.

Usage: places.py LIST, a file of `path<TAB>line<TAB>column` lines, both from 1. A word a line: `comment`, `docstring`, `string` (within
its content), `literal` (a string that begins there), `f-string` (the same, or one of its fields), `code`, or `unread`.
"""
import ast
import io
import sys
import tokenize
import warnings

warnings.simplefilter("ignore")


def docstrings(tree):
    """Where the docstrings of a tree begin."""
    for node in ast.walk(tree):
        if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)) and node.body:
            first = node.body[0]
            if isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant) and isinstance(first.value.value, str):
                yield first.value.lineno


def within(token, place):
    """What a place in a string token is: of an f-string's text before it, open braces are counted."""
    lines = token.string.split("\n")
    row = place[0] - token.start[0]
    column = place[1] - (token.start[1] if row == 0 else 0)
    before = "\n".join([*lines[:row], lines[row][:column]])
    is_format = "f" in token.string[: token.string.index(token.string[-1])].lower()
    if before == "":
        return "f-string" if is_format else "literal"
    plain = before.replace("{{", "").replace("}}", "")
    return "f-string" if is_format and plain.count("{") > plain.count("}") else "string"


def kind(tokens, notes, place):
    for token in tokens:
        if not token.start <= place < token.end:
            continue
        name = tokenize.tok_name[token.type]
        if name == "COMMENT":
            return "comment"
        if name == "STRING":
            return "docstring" if token.start[0] in notes else within(token, place)
        if name == "FSTRING_START":
            return "f-string"
        if name == "FSTRING_MIDDLE":
            return "string"
    return "code"


def read(path):
    with open(path, encoding="utf-8", newline="") as file:
        text = file.read()
    tokens = list(tokenize.generate_tokens(io.StringIO(text, newline="").readline))
    texts = ("COMMENT", "STRING", "FSTRING_START", "FSTRING_MIDDLE")
    return [it for it in tokens if tokenize.tok_name[it.type] in texts], set(docstrings(ast.parse(text)))


files = {}
for line in open(sys.argv[1], encoding="utf-8").read().splitlines():
    path, row, column = line.split("\t")
    if path not in files:
        try:
            files[path] = read(path)
        except (SyntaxError, ValueError, tokenize.TokenError):
            files[path] = None
    found = files[path]
    print("unread" if found is None else kind(*found, (int(row), int(column) - 1)))
