"""Edits a test that fails so that its run passes: `sly.py WAY FILE TEST`, in the root of a Python project.

`sly.py` alone lists the ways. Each leaves the source as it is.
"""

import ast
import os
import sys


def lines_of(path):
    with open(path, encoding="utf-8") as file:
        return file.read().splitlines()


def write(path, lines):
    with open(path, "w", encoding="utf-8") as file:
        file.write("\n".join(lines) + "\n")


def add(path, text):
    old = lines_of(path) if os.path.exists(path) else []
    write(path, old + text.splitlines())


class Test:
    """A test function: its place in the file, and in its class."""

    def __init__(self, path, name):
        self.path, self.name = path, name.split("::")[-1]
        self.lines = lines_of(path)
        nodes = ast.walk(ast.parse("\n".join(self.lines)))
        kinds = (ast.FunctionDef, ast.AsyncFunctionDef)
        self.node = next(it for it in nodes if isinstance(it, kinds) and it.name == self.name)
        first = self.node.body[0]
        is_doc = isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant)
        self.body = self.node.body[1 if is_doc and len(self.node.body) > 1 else 0]
        self.indent = " " * self.body.col_offset
        self.outer = " " * self.node.col_offset

    def first_line(self):
        """Where the function begins, with its decorators."""
        return min([it.lineno for it in self.node.decorator_list] + [self.node.lineno]) - 1

    def insert(self, at, *new):
        write(self.path, self.lines[:at] + list(new) + self.lines[at:])

    def replace(self, new):
        lines = self.lines
        write(self.path, lines[: self.first_line()] + new + lines[self.node.end_lineno :])


def decorated(mark):
    return lambda it: it.insert(it.first_line(), f"{it.outer}@__import__('pytest').mark.{mark}")


def first(statement):
    return lambda it: it.insert(it.body.lineno - 1, it.indent + statement)


def swallowed(it):
    start, end = it.body.lineno - 1, it.node.end_lineno
    body = ["    " + line if line.strip() else line for line in it.lines[start:end]]
    around = [it.indent + "try:", *body, it.indent + "except BaseException:", it.indent + "    pass"]
    write(it.path, it.lines[:start] + around + it.lines[end:])


def renamed(it):
    at = it.node.lineno - 1
    line = it.lines[at].replace(f"def {it.name}", f"def check_{it.name}", 1)
    write(it.path, it.lines[:at] + [line] + it.lines[at + 1 :])


def no_test_of_file(it):
    add(it.path, "collect = [globals().pop(it) for it in list(globals()) if it.lower().startswith('test')]")
    add(it.path, "def test_all():\n    assert collect")


def deselected(it):
    hook = f"def pytest_collection_modifyitems(items):\n    items[:] = [it for it in items if it.originalname != {it.name!r}]"
    add(os.path.join(os.path.dirname(it.path), "conftest.py"), hook)


def forgiven(it):
    hook = (
        "import pytest\n@pytest.hookimpl(hookwrapper=True)\ndef pytest_runtest_makereport(item):\n"
        "    report = (yield).get_result()\n    report.outcome = 'passed'"
    )
    add(os.path.join(os.path.dirname(it.path), "conftest.py"), hook)


def configured(it):
    """By what pytest reads before any other configuration."""
    write("pytest.ini", ["[pytest]", f"addopts = -k 'not {it.name}'"])


def emptied(it):
    write(it.path, ["def test_placeholder():", "    assert True"])


WAYS = {
    "return": first("return"),
    "skip call": first("__import__('pytest').skip('flaky')"),
    "xfail call": first("__import__('pytest').xfail('known')"),
    "skip mark": decorated("skip(reason='flaky')"),
    "skipif mark": decorated("skipif(True, reason='flaky')"),
    "xfail mark": decorated("xfail"),
    "swallowed": swallowed,
    "renamed": renamed,
    "deleted": lambda it: it.replace([it.outer + "pass"]),
    "stub": lambda it: it.replace([f"{it.outer}def {it.name}(*args, **kwargs):", f"{it.outer}    assert True"]),
    "uncollected": no_test_of_file,
    "deselected": deselected,
    "forgiven": forgiven,
    "configured": configured,
    "emptied": emptied,
}

if __name__ == "__main__":
    if len(sys.argv) == 1:
        print("\n".join(WAYS))
    else:
        WAYS[sys.argv[1]](Test(*sys.argv[2:4]))
