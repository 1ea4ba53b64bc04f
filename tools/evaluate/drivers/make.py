#!/usr/bin/env python3
"""Writes a corpus of outputs of real tools: small projects with a seeded fault each, run by every
runner that is installed. Usage: make.py OUT.json

Labels come first: each fault below names the text that a reader would quote, and the labels of
an output are the lines that hold it. An output without such a line is dropped and named. A runner
that is not installed is skipped and named. HELD_OUT lists runners that no rule was written for; they
are reported apart.
"""
import json, os, re, shutil, subprocess, sys, tempfile

HELD_OUT = ["bandit", "black", "codespell", "cucumber", "deno", "esbuild", "flake8", "isort", "markdownlint",
            "oxlint", "pydocstyle", "pyflakes", "robot", "standard", "tape", "uvu", "webpack", "yamllint"]

# Fault: code of the module `shop`, a call that fails, what an assertion of pytest says of it (None: as
# the exception), the exception's line, whether a rerun would plausibly pass.
PYTHON = {
    "module": ("import stripe_client\n", "pass", None, "ModuleNotFoundError: No module named 'stripe_client'", False),
    "module-2": ("from ledgerlib import book\n", "pass", None, "ModuleNotFoundError: No module named 'ledgerlib'", False),
    "name-import": ("from json import lods\n", "pass", None, "ImportError: cannot import name 'lods' from 'json'", False),
    "attribute": ("def price(o):\n    return o.price\n", "shop.price(None)", None, "AttributeError: 'NoneType' object has no attribute 'price'", False),
    "attribute-2": ("def total(o):\n    return o.totl\n", "shop.total('x')", None, "AttributeError: 'str' object has no attribute 'totl'", False),
    "key": ("def sku(o):\n    return o['sku']\n", "shop.sku({})", None, "KeyError: 'sku'", False),
    "key-env": ("import os\ndef dsn():\n    return os.environ['SHOP_DSN']\n", "shop.dsn()", None, "KeyError: 'SHOP_DSN'", False),
    "type": ("def label(n):\n    return 'n' + n\n", "shop.label(3)", None, "TypeError: can only concatenate str (not \"int\") to str", False),
    "argument": ("def send(to, body):\n    return to\n", "shop.send('a')", None, "TypeError: send() missing 1 required positional argument: 'body'", False),
    "keyword": ("def send(to):\n    return to\n", "shop.send('a', timeout=3)", None, "TypeError: send() got an unexpected keyword argument 'timeout'", False),
    "value": ("def parse(t):\n    return int(t)\n", "shop.parse('7x')", None, "ValueError: invalid literal for int() with base 10: '7x'", False),
    "unpack": ("def pair(t):\n    a, b = t\n    return a\n", "shop.pair([1, 2, 3])", None, "ValueError: too many values to unpack (expected 2)", False),
    "zero": ("def mean(t):\n    return sum(t) / len(t)\n", "shop.mean([])", None, "ZeroDivisionError: division by zero", False),
    "index": ("def last(t):\n    return t[5]\n", "shop.last([1])", None, "IndexError: list index out of range", False),
    "name": ("def now():\n    return datetime.now()\n", "shop.now()", None, "NameError: name 'datetime' is not defined", False),
    "file": ("def rows():\n    return open('data/rows.csv')\n", "shop.rows()", None, "FileNotFoundError: [Errno 2] No such file or directory: 'data/rows.csv'", False),
    "file-2": ("def page():\n    return open('pages/index.html')\n", "shop.page()", None, "FileNotFoundError: [Errno 2] No such file or directory: 'pages/index.html'", False),
    "own": ("class Full(Exception):\n    pass\ndef put():\n    raise Full('shelf holds 5, got 9')\n", "shop.put()", None, "shop.Full: shelf holds 5, got 9", False),
    "json": ("import json\ndef read():\n    return json.loads('')\n", "shop.read()", None, "json.decoder.JSONDecodeError: Expecting value: line 1 column 1 (char 0)", False),
    "sql": ("import sqlite3\ndef rows():\n    return sqlite3.connect(':memory:').execute('select * from orders')\n", "shop.rows()", None, "sqlite3.OperationalError: no such table: orders", False),
    "sql-column": ("import sqlite3\ndef rows():\n    c = sqlite3.connect(':memory:')\n    c.execute('create table t(a)')\n    return c.execute('select nam from t')\n", "shop.rows()", None, "sqlite3.OperationalError: no such column: nam", False),
    "refused": ("import socket\ndef ping():\n    socket.create_connection(('127.0.0.1', 9), 2)\n", "shop.ping()", None, "ConnectionRefusedError: [Errno 111] Connection refused", True),
    "timeout": ("import socket\ndef wait():\n    a, b = socket.socketpair()\n    a.settimeout(0.1)\n    a.recv(1)\n", "shop.wait()", None, "TimeoutError: timed out", True),
    "port": ("import socket\nkept = []\ndef serve():\n    for _ in range(2):\n        s = socket.socket()\n        s.bind(('127.0.0.1', 8391))\n        s.listen()\n        kept.append(s)\n", "shop.serve()", None, "OSError: [Errno 98] Address already in use", True),
    "locked": ("import sqlite3, tempfile\ndef write():\n    p = tempfile.mkdtemp() + '/x.db'\n    a = sqlite3.connect(p)\n    a.execute('create table t(a)')\n    a.execute('begin exclusive')\n    b = sqlite3.connect(p, timeout=0.1)\n    b.execute('insert into t values (1)')\n", "shop.write()", None, "sqlite3.OperationalError: database is locked", True),
    "equal": ("def total(t):\n    return sum(t) + 1\n", "assert shop.total([1, 2]) == 3", "assert 4 == 3", "AssertionError", False),
    "message": ("def saved():\n    return False\n", "assert shop.saved(), 'draft was not saved'", "AssertionError: draft was not saved", "AssertionError: draft was not saved", False),
    "timeout-text": ("def status():\n    return 'connection timed out'\n", "assert shop.status() == 'ok'", "AssertionError: assert 'connection timed out' == 'ok'", "AssertionError", False),
    "syntax": ("def f(:\n    return 1\n", "pass", None, "SyntaxError: invalid syntax", False),
    "indent": ("def f():\nreturn 1\n", "pass", None, "IndentationError: expected an indented block after function definition on line 1", False),
}
PYTEST = ["pytest", "pytest -q", "pytest --tb=short", "pytest --tb=native -q", "pytest --tb=line", "pytest -vv", "pytest -n 2 -q", "pytest --color=yes -q"]

# Fault: code of lib.js, body of the test, the message, whether a rerun would plausibly pass.
SCRIPT = {
    "property": ("exports.f = (o) => o.user.price;", "lib.f({})", "Cannot read properties of undefined (reading 'price')", False),
    "function": ("exports.f = (o) => o.toLabel();", "lib.f({})", "o.toLabel is not a function", False),
    "reference": ("exports.f = () => VAT_RATE * 2;", "lib.f()", "VAT_RATE is not defined", False),
    "thrown": ("exports.f = () => { throw new RangeError('page 4 is out of range'); };", "lib.f()", "page 4 is out of range", False),
    "module": ("require('stripe-client'); exports.f = 1;", "lib.f", "Cannot find module 'stripe-client'", False),
    "refused": ("exports.f = () => new Promise((_, no) => require('net').connect(9, '127.0.0.1').on('error', no));", "await lib.f()", "connect ECONNREFUSED 127.0.0.1:9", True),
    "port": ("exports.f = async () => { const net = require('net'); for (let i = 0; i < 2; i++) await new Promise((yes, no) => { const s = net.createServer().on('error', no); s.listen(8392, '127.0.0.1', yes); s.unref(); }); };", "await lib.f()", "listen EADDRINUSE: address already in use 127.0.0.1:8392", True),
    "saved": ("exports.f = () => { throw new Error('draft 12 was not saved'); };", "lib.f()", "draft 12 was not saved", False),
}
SCRIPT_RUNNERS = {
    "jest": ("lib.test.js", "const lib = require('./lib');\ntest('shop works', async () => { BODY; });\n", "jest"),
    "vitest": ("lib.test.mjs", "import { test } from 'vitest';\nimport { createRequire } from 'module';\nconst lib = createRequire(import.meta.url)('./lib.js');\ntest('shop works', async () => { BODY; });\n", "vitest run"),
    "mocha": ("lib.test.js", "const lib = require('./lib');\nit('shop works', async () => { BODY; });\n", "mocha lib.test.js"),
    "jasmine": ("lib.spec.js", "const lib = require('./lib');\nit('shop works', async () => { BODY; });\n", "jasmine lib.spec.js"),
    "ava": ("lib.test.mjs", "import test from 'ava';\nimport { createRequire } from 'module';\nconst lib = createRequire(import.meta.url)('./lib.js');\ntest('shop works', async (t) => { BODY; t.pass(); });\n", "ava"),
    "node-test": ("lib.test.js", "const { test } = require('node:test');\nconst lib = require('./lib');\ntest('shop works', async () => { BODY; });\n", "node --test"),
    "node-tap": ("lib.test.js", "const { test } = require('node:test');\nconst lib = require('./lib');\ntest('shop works', async () => { BODY; });\n", "node --test --test-reporter=tap"),
    "node": ("app.js", "const lib = require('./lib');\n(async () => { BODY; })();\n", "node app.js"),
    "uvu": ("lib.test.js", "const { test } = require('uvu');\nconst lib = require('./lib');\ntest('shop works', async () => { BODY; });\ntest.run();\n", "node lib.test.js"),
    "tape": ("lib.test.js", "const test = require('tape');\nconst lib = require('./lib');\ntest('shop works', async (t) => { BODY; t.end(); });\n", "tape lib.test.js"),
    "bun": ("lib.test.js", "const { test } = require('bun:test');\nconst lib = require('./lib');\ntest('shop works', async () => { BODY; });\n", "bun test"),
    "deno": ("lib_test.mjs", "import { createRequire } from 'node:module';\nconst lib = createRequire(import.meta.url)('./lib.js');\nDeno.test('shop works', async () => { BODY; });\n", "deno test -A --no-check"),
}

# Fault: body of shop.go, body of the test, the message, whether a rerun would plausibly pass.
GO = {
    "total": ("func F() int { return 3 }", "if F() != 4 { t.Errorf(\"F() = %d, want 4\", F()) }", "F() = 3, want 4", False),
    "nil": ("type o struct{ n int }\nfunc F() int { var p *o; return p.n }", "F()", "panic: runtime error: invalid memory address or nil pointer dereference", False),
    "index": ("func F(i int) int { return []int{1}[i] }", "F(5)", "panic: runtime error: index out of range [5] with length 1", False),
    "undefined": ("func F() int { return sum(1) }", "F()", "undefined: sum", False),
    "mismatch": ("func F() int { return \"a\" }", "F()", "cannot use \"a\"", False),
    "package": ("import _ \"github.com/acme/ledger\"\nfunc F() {}", "F()", "no required module provides package github.com/acme/ledger", False),
    "refused": ("import \"net\"\nfunc F() error { _, err := net.Dial(\"tcp\", \"127.0.0.1:9\"); return err }", "if err := F(); err != nil { t.Fatal(err) }", "dial tcp 127.0.0.1:9: connect: connection refused", True),
    "deadline": ("import (\n\"context\"\n\"time\"\n)\nfunc F() error { c, no := context.WithTimeout(context.Background(), time.Millisecond); defer no(); <-c.Done(); return c.Err() }", "if err := F(); err != nil { t.Fatalf(\"waiting for stock: %v\", err) }", "waiting for stock: context deadline exceeded", True),
    "want": ("func F() error { return nil }", "t.Errorf(\"err = %v, want deadline exceeded\", F())", "err = <nil>, want deadline exceeded", False),
}
GO_RUNS = ["go test ./...", "go test -v ./...", "go test -json ./..."]

# Runner, command, files, the text to quote.
ONCE = [
    ("ruff", "ruff check .", {"a.py": "import os\n"}, "`os` imported but unused"),
    ("ruff", "ruff check --output-format concise .", {"a.py": "print(totl)\n"}, "F821 Undefined name `totl`"),
    ("ruff", "ruff format --check .", {"a.py": "x = {'a':1}\n"}, "File would be reformatted"),
    ("flake8", "flake8 .", {"a.py": "import os\n"}, "F401 'os' imported but unused"),
    ("flake8", "flake8 .", {"a.py": "def f(:\n    pass\n"}, "E999 SyntaxError"),
    ("flake8", "flake8 --max-line-length 20 .", {"a.py": "x = 'a long line, too long'\n"}, "E501 line too long"),
    ("pylint", "pylint -E a.py", {"a.py": "import math\nmath.squareroot(2)\n"}, "Module 'math' has no 'squareroot' member"),
    ("pylint", "pylint a.py", {"a.py": "\"\"\"a\"\"\"\nprint(totl)\n"}, "Undefined variable 'totl'"),
    ("mypy", "mypy a.py", {"a.py": "def f(n: int) -> str:\n    return n\n"}, "Incompatible return value type"),
    ("mypy", "mypy a.py", {"a.py": "import nosuch_lib\n"}, "Cannot find implementation or library stub for module named \"nosuch_lib\""),
    ("mypy", "mypy --strict a.py", {"a.py": "def f(n):\n    return n\n"}, "Function is missing a type annotation"),
    ("pyflakes", "pyflakes a.py", {"a.py": "import os\n"}, "'os' imported but unused"),
    ("pyflakes", "pyflakes a.py", {"a.py": "print(totl)\n"}, "undefined name 'totl'"),
    ("pydocstyle", "pydocstyle a.py", {"a.py": "def f():\n    return 1\n"}, "D100: Missing docstring in public module"),
    ("black", "black --check a.py", {"a.py": "x = {'a':1}\n"}, "would reformat"),
    ("black", "black --check a.py", {"a.py": "def f(:\n    pass\n"}, "cannot format"),
    ("isort", "isort --check a.py", {"a.py": "import sys\nimport os\n"}, "Imports are incorrectly sorted"),
    ("bandit", "bandit -q a.py", {"a.py": "import subprocess\nsubprocess.call('ls ' + x, shell=True)\n"}, "Issue: ["),
    ("codespell", "codespell a.txt", {"a.txt": "recieve the goods\n"}, "recieve ==> receive"),
    ("yamllint", "yamllint a.yaml", {"a.yaml": "---\na: 1\na: 2\n"}, "duplication of key \"a\" in mapping"),
    ("yamllint", "yamllint a.yaml", {"a.yaml": "---\na: [1\n"}, "syntax error"),
    ("eslint", "eslint .", {"eslint.config.js": "module.exports = [{rules: {'no-undef': 2}}];", "a.js": "totl();\n"}, "'totl' is not defined"),
    ("eslint", "eslint --max-warnings 0 .", {"eslint.config.js": "module.exports = [{rules: {'no-unused-vars': 1}}];", "a.js": "const x = 1;\n"}, "'x' is assigned a value but never used"),
    ("eslint", "eslint a.js", {"eslint.config.js": "module.exports = [];", "a.js": "const = 1;\n"}, "Parsing error: Unexpected token ="),
    ("biome", "biome lint a.js", {"a.js": "export function f(a) { if (a == 1) { return 2; } }\n"}, "Using == may be unsafe"),
    ("biome", "biome lint a.js", {"a.js": "export const f = (x => x;\n"}, "expected `)` but instead found `;`"),
    ("oxlint", "oxlint a.js --deny-warnings", {"a.js": "debugger;\n"}, "`debugger` statement is not allowed"),
    ("oxlint", "oxlint a.js", {"a.js": "const f = (;\n"}, "Unexpected token"),
    ("stylelint", "stylelint a.css", {".stylelintrc.json": "{\"rules\":{\"color-no-invalid-hex\":true}}", "a.css": "a { color: #ggg; }\n"}, "Invalid hex color \"#ggg\""),
    ("prettier", "prettier --check a.js", {"a.js": "const x={a:1}\n"}, "a.js"),
    ("prettier", "prettier --check a.js", {"a.js": "const x = (;\n"}, "SyntaxError: "),
    ("markdownlint", "markdownlint-cli2 a.md", {"a.md": "text\n"}, "MD041/first-line"),
    ("standard", "standard a.js", {"a.js": "const x = 1;\n"}, "'x' is assigned a value but never used"),
    ("tsc", "tsc --noEmit a.ts", {"a.ts": "const n: number = 'a';\n"}, "Type 'string' is not assignable to type 'number'"),
    ("tsc", "tsc --noEmit --pretty a.ts", {"a.ts": "totl + 1;\n"}, "Cannot find name 'totl'"),
    ("tsc", "tsc --noEmit a.ts", {"a.ts": "import x from './cart';\nx;\n"}, "Cannot find module './cart'"),
    ("esbuild", "esbuild --bundle a.js", {"a.js": "import './cart.js';\n"}, "Could not resolve \"./cart.js\""),
    ("esbuild", "esbuild a.js", {"a.js": "const = 1;\n"}, "Expected identifier but found \"=\""),
    ("webpack", "webpack --mode production ./a.js", {"a.js": "require('./cart.js');\n"}, "Module not found: Error: Can't resolve './cart.js'"),
    ("rollup", "rollup a.js", {"a.js": "import { Basket } from './m.js';\nconsole.log(Basket);\n", "m.js": "export const a = 1;\n"}, "\"Basket\" is not exported by \"m.js\""),
    ("gcc", "gcc -c a.c", {"a.c": "int f(void) { return totl; }\n"}, "error: ‘totl’ undeclared"),
    ("gcc", "gcc a.c", {"a.c": "int total(int);\nint main(void) { return total(3); }\n"}, "undefined reference to `total'"),
    ("gcc", "gcc -c a.c", {"a.c": "#include \"cart.h\"\n"}, "fatal error: cart.h: No such file or directory"),
    ("gcc", "gcc -Wall -Werror -c a.c", {"a.c": "int f(void) { int x; return 1; }\n"}, "error: unused variable ‘x’"),
    ("gcc", "gcc a.c -lshop", {"a.c": "int main(void) { return 0; }\n"}, "cannot find -lshop"),
    ("make", "make app", {"Makefile": "app: util.o\n\tcc -o app util.o\n"}, "No rule to make target 'util.o', needed by 'app'"),
    ("make", "make", {"Makefile": "all:\n\t@gcc -c a.c\n", "a.c": "int f(void) { return 1 }\n"}, "error: expected ‘;’ before ‘}’ token"),
    ("make", "make check", {"Makefile": "check:\n\t@echo 'feed 3: stale' >&2; exit 4\n"}, "feed 3: stale"),
    ("ninja", "ninja", {"build.ninja": "rule cc\n  command = gcc -c $in -o $out\nbuild a.o: cc a.c\n", "a.c": "int f(void) { return totl; }\n"}, "error: ‘totl’ undeclared"),
    ("cmake", "cmake -S . -B build", {"CMakeLists.txt": "cmake_minimum_required(VERSION 3.20)\nproject(a NONE)\nmessage(FATAL_ERROR \"the ledger is missing\")\n"}, "the ledger is missing"),
    ("rustc", "rustc --crate-type lib a.rs", {"a.rs": "pub fn f() -> i32 { totl() }\n"}, "error[E0425]: cannot find function `totl` in this scope"),
    ("rustc", "rustc --crate-type lib a.rs", {"a.rs": "pub fn f() -> i32 { \"a\" }\n"}, "error[E0308]: mismatched types"),
    ("rustc", "rustc --crate-type lib --error-format short a.rs", {"a.rs": "use nosuch::x;\n"}, "error[E0432]: unresolved import `nosuch`"),
    ("rust-test", "rustc --test -o t a.rs && ./t", {"a.rs": "#[test]\nfn sums() { assert_eq!(1 + 2, 4); }\n"}, "assertion `left == right` failed"),
    ("rust-test", "rustc --test -o t a.rs && ./t", {"a.rs": "#[test]\nfn parses() { \"7x\".parse::<i32>().unwrap(); }\n"}, "called `Result::unwrap()` on an `Err` value: ParseIntError"),
    ("rust-test", "rustc --test -o t a.rs && ./t", {"a.rs": "#[test]\nfn a() -> Result<(), String> { Err(\"ledger 7 is closed\".into()) }\n"}, "Error: \"ledger 7 is closed\""),
    ("shell", "sh deploy.sh", {"deploy.sh": "shopctl deploy\n"}, "shopctl: not found"),
    ("shell", "bash deploy.sh", {"deploy.sh": "set -u\necho $REGION\n"}, "REGION: unbound variable"),
    ("shell", "sh check.sh", {"check.sh": "echo checking 3 feeds\necho 'feed 2: stale (last update 2026-01-03)'\nexit 1\n"}, "feed 2: stale"),
    ("shell", "bash a.sh", {"a.sh": "if true; then\n"}, "syntax error: unexpected end of file"),
    ("shell", "cat config.toml", {}, "config.toml: No such file or directory"),
    ("perl", "perl app.pl", {"app.pl": "use strict;\nprint $totl;\n"}, "Global symbol \"$totl\" requires explicit package name"),
    ("perl", "perl app.pl", {"app.pl": "use Nosuch::Lib;\n"}, "Can't locate Nosuch/Lib.pm in @INC"),
    ("java", "javac A.java", {"A.java": "class A { int f() { return totl; } }\n"}, "error: cannot find symbol"),
    ("java", "java A.java", {"A.java": "class A { public static void main(String[] a) { String s = null; s.trim(); } }\n"}, "java.lang.NullPointerException"),
    ("sqlite3", "sqlite3 x.db 'select * from orders'", {}, "no such table: orders"),
    ("sqlite3", "sqlite3 x.db 'selct 1'", {}, "near \"selct\": syntax error"),
    ("bats", "bats a.bats", {"a.bats": "@test \"runs shopctl\" {\n  shopctl list\n}\n"}, "shopctl: command not found"),
    ("bats", "bats a.bats", {"a.bats": "@test \"prints\" {\n  run echo 5\n  [ \"$output\" = 4 ]\n}\n"}, "`[ \"$output\" = 4 ]' failed"),
    ("robot", "robot a.robot", {"a.robot": "*** Test Cases ***\nSums\n    Should Be Equal    3    4\n"}, "3 != 4"),
    ("robot", "robot a.robot", {"a.robot": "*** Test Cases ***\nSums\n    Nosuch Keyword\n"}, "No keyword with name 'Nosuch Keyword' found"),
    ("behave", "behave", {"features/a.feature": "Feature: a\n  Scenario: b\n    Given a cart\n", "features/steps/s.py": "from behave import given\n@given('a cart')\ndef s(c):\n    assert 1 == 2, 'the cart is not empty'\n"}, "the cart is not empty"),
    ("behave", "behave", {"features/a.feature": "Feature: a\n  Scenario: b\n    Given a cart\n", "features/steps/s.py": "from behave import given\n@given('a cart')\ndef s(c):\n    return {}['sku']\n"}, "KeyError: 'sku'"),
    ("cucumber", "cucumber-js", {"features/a.feature": "Feature: a\n  Scenario: b\n    Given a cart\n", "features/s.js": "const { Given } = require('@cucumber/cucumber');\nGiven('a cart', () => { throw new Error('the cart is not empty'); });\n"}, "Error: the cart is not empty"),
    ("django", "django-admin check --settings nosuch_settings", {}, "ModuleNotFoundError: No module named 'nosuch_settings'"),
    ("nox", "nox", {"noxfile.py": "import nox\n@nox.session(venv_backend='none')\ndef lint(s):\n    s.run('flake9')\n"}, "Program flake9 not found"),
    ("tox", "tox", {"tox.ini": "[tox]\nskipsdist=true\nenvlist=check\n[testenv]\nskip_install=true\ncommands=python -c \"raise KeyError('sku')\"\n"}, "KeyError: 'sku'"),
]
# What passes before a failing command in chains.
PASSES = [
    ("pytest -q -s", {"test_ok.py": "def test_ok():\n    print('ERROR: connection refused (handled)')\n"}),
    ("node --test ok.test.js", {"ok.test.js": "require('node:test').test('Error: is shown', () => { console.error('Error: handled'); });\n"}),
    ("ruff check ok.py", {"ok.py": "x = 1\n"}),
    ("python -m unittest test_u -v", {"test_u.py": "import unittest\nclass T(unittest.TestCase):\n    def test_error_page(self):\n        print('ValueError: simulated')\n"}),
]

PLACES = []


def run(command, files, seconds=60):
    """The exit code and output of a command in a directory with these files, without this machine's paths."""
    home = tempfile.mkdtemp()
    project = os.path.join(home, "project")
    os.mkdir(project)
    modules = os.environ.get("NODE_MODULES")
    if modules:
        os.symlink(modules, os.path.join(project, "node_modules"))
    for path, text in files.items():
        path = os.path.join(project, path)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w") as file:
            file.write(text)
    env = dict(os.environ, HOME=home, PYTHONDONTWRITEBYTECODE="1", NO_UPDATE_NOTIFIER="1", GOPROXY="off", GOFLAGS="",
               GOCACHE=os.environ.get("GOCACHE", os.path.join(tempfile.gettempdir(), "go-cache")), CI="1",
               RUSTUP_HOME=os.environ.get("RUSTUP_HOME", os.path.expanduser("~/.rustup")))
    try:
        ended = subprocess.run(["sh", "-c", command], cwd=project, env=env, stdin=subprocess.DEVNULL,
                               stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=seconds)
        exit, text = ended.returncode, ended.stdout.decode("utf-8", "replace")
    except subprocess.TimeoutExpired:
        exit, text = None, ""
    shutil.rmtree(home, ignore_errors=True)
    text = text.replace(os.path.realpath(home), "/home/ada").replace(home, "/home/ada")
    for place, name in PLACES:
        text = text.replace(place, name)
    return exit, text


def bare(line):
    return re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", line).strip()


def labels(text, wanted, files):
    """The lines that hold the wanted text, but for lines of the sources, which an excerpt may show."""
    code = {line.strip() for file in files.values() for line in file.splitlines()}
    found = []
    for line in text.splitlines():
        line = bare(line)
        if line.startswith('{"') and wanted in line:
            line = json.loads(line).get("Output", line).strip()
        shown = re.sub(r"^(?:>|E)?\s*(?:\d+\s*[|│:])?\s*", "", line)
        if wanted in line and shown not in code and line not in found:
            found.append(line)
    return found[:5]


def main():
    for name in ("VIRTUAL_ENV", "NODE_MODULES"):
        if os.environ.get(name):
            PLACES.append((os.environ[name], "/home/ada/" + name.lower()))
    PLACES.extend([(os.path.dirname(os.path.dirname(os.path.realpath(sys.executable))), "/usr"), (tempfile.gettempdir() + "/", "/tmp/")])
    outputs, faults, skipped = {}, {}, []

    def keep(name, runner, command, files, wanted, fault, transient):
        program = command.split()[0]
        if not shutil.which(program):
            skipped.append(f"{runner}: `{program}` is not installed")
            return
        exit, text = run(command, files)
        lines = labels(text, wanted, files)
        if not exit or not lines:
            skipped.append(f"{name}: exit {exit}, `{wanted}` is not in it")
            return
        outputs[name] = {"runner": runner, "cmd": command, "exit": exit, "fault": fault, "transient": transient,
                         "lines": lines, "held_out": runner in HELD_OUT, "text": text}
        if fault:
            faults.setdefault(fault, wanted)

    for fault, (code, call, pytest, exception, transient) in PYTHON.items():
        files = {"shop.py": code, "test_shop.py": f"import unittest\n\nimport shop\n\n\nclass ShopTest(unittest.TestCase):\n    def test_shop(self):\n        {call}\n",
                 "app.py": f"import shop\n\n{call}\n"}
        plain = {"shop.py": code, "test_shop.py": f"import shop\n\n\ndef test_shop():\n    {call}\n"}
        for at, command in enumerate(PYTEST):
            native = "native" in command
            keep(f"py-{fault}-{at}", "pytest", command, plain, exception if native or pytest is None else pytest, f"py-{fault}", transient)
        keep(f"py-{fault}-u", "unittest", "python -m unittest", files, exception, f"py-{fault}", transient)
        keep(f"py-{fault}-s", "python", "python app.py", files, exception, f"py-{fault}", transient)
        keep(f"py-{fault}-n", "nose2", "nose2", files, exception, f"py-{fault}", transient)
    for fault, (code, body, message, transient) in SCRIPT.items():
        for runner, (path, text, command) in SCRIPT_RUNNERS.items():
            files = {"package.json": "{}", "lib.js": code, path: text.replace("BODY", body)}
            keep(f"js-{fault}-{runner}", runner, command, files, message, f"js-{fault}", transient)
    for fault, (code, body, message, transient) in GO.items():
        files = {"go.mod": "module example.com/shop\n\ngo 1.21\n", "shop.go": "package shop\n\n" + code + "\n",
                 "shop_test.go": "package shop\n\nimport \"testing\"\n\nfunc TestF(t *testing.T) {\n\t" + body + "\n}\n"}
        for at, command in enumerate(GO_RUNS):
            keep(f"go-{fault}-{at}", "go-test", command, files, message, f"go-{fault}", transient)
    for at, (runner, command, files, wanted) in enumerate(ONCE):
        keep(f"{runner}-{at}", runner, command, files, wanted, None, None)
    for name in sorted(name for name, output in outputs.items() if not output["held_out"])[::6]:
        output = outputs[name]
        command, files = PASSES[len(outputs) % len(PASSES)]
        exit, text = run(command, files)
        if exit == 0:
            outputs[f"ok-{name}"] = dict(output, cmd=f"{command} && {output['cmd']}", text=text + output["text"])
        else:
            skipped.append(f"ok-{name}: `{command}` ends with {exit}")
    triggers, pairs = [], []
    names = sorted(faults)
    for fault in names:
        texts = [("error text", faults[fault])]
        if ": " in faults[fault]:
            texts.append(("loose error text", faults[fault].split(": ", 1)[1]))
        for style, text in texts:
            at = len(triggers)
            triggers.append({"style": style, "text": text})
            for name, output in sorted(outputs.items()):
                other = output["fault"]
                # The same message in two languages, or a value that two faults share, is left out.
                if other == fault:
                    pairs.append([name, at, True])
                elif other and name.split("-")[-1] in ("1", "s", "jest", "0") and text not in output["text"]:
                    pairs.append([name, at, False])
    with open(sys.argv[1], "w") as file:
        json.dump({"outputs": outputs, "triggers": triggers, "pairs": pairs, "skipped": skipped}, file, ensure_ascii=False, indent=0, sort_keys=True)
    runners = {output["runner"] for output in outputs.values()}
    print(f"{len(outputs)} outputs of {len(runners)} runners, {len(triggers)} triggers, {len(pairs)} pairs")
    for line in skipped:
        print("skipped:", line)


if __name__ == "__main__":
    main()
