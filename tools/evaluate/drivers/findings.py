#!/usr/bin/env python3
"""Writes labelled outputs of test runners that passed, failed, ran no test or skipped all of them.
Usage: findings.py OUT.json

Labels come first: each entry below names what the command does, and the label follows from that and
from how it ends, never from reading the output. NONE and SKIP: `no_tests`. FAIL that ends with 0,
because the command masks it: `failed_anyway`. BROKEN is a file that does not load: whether a test ran
is not labelled then. A case whose exit code is not the one that its kind has is dropped and named.
"""
import gzip, importlib.util, json, os, re, sys

here = os.path.dirname(os.path.abspath(__file__))
spec = importlib.util.spec_from_file_location("make", os.path.join(here, "make.py"))
make = importlib.util.module_from_spec(spec)
argv, sys.argv = sys.argv, ["make.py"]
spec.loader.exec_module(make)
sys.argv = argv

# What a passing test prints to mislead: words of failures that no runner said.
NOISE = ["FAIL", "FAILED", "ERROR: 3 errors", "Error: connect ECONNREFUSED (handled)", "the upload failed 2 times, then passed",
         "panic: printed only", "2 failed logins were rejected", "no tests were selected by the user"]
NOISE_PY = "\n".join(f"    print({line!r})" for line in NOISE)
NOISE_JS = " ".join(f"console.log({json.dumps(line)});" for line in NOISE)
NOISE_GO = " ".join(f"fmt.Println({json.dumps(line)});" for line in NOISE)
NOISE_RS = " ".join(f"println!({json.dumps(line)});" for line in NOISE)

PYTEST = {
    "PASS": {"test_a.py": "def test_a():\n    assert 1\ndef test_b():\n    assert 2\n"},
    "NOISE": {"test_a.py": f"def test_fails_with_error():\n{NOISE_PY}\n"},
    "FAIL": {"test_a.py": "def test_a():\n    assert 1 == 2\ndef test_b():\n    pass\n"},
    "BROKEN": {"test_a.py": "import nosuch_module\ndef test_a():\n    pass\n"},
    "ERROR": {"test_a.py": "import pytest\n@pytest.fixture\ndef f():\n    raise KeyError('x')\ndef test_a(f):\n    pass\n"},
    "NONE": {"test_a.py": "def helper():\n    pass\n"},
    "SKIP": {"test_a.py": "import pytest\n@pytest.mark.skip(reason='later')\ndef test_a():\n    pass\n@pytest.mark.skip\ndef test_b():\n    pass\n"},
    "XFAIL": {"test_a.py": "import pytest\n@pytest.mark.xfail\ndef test_a():\n    assert 0\ndef test_b():\n    pass\n"},
    "PART": {"test_a.py": "import pytest\n@pytest.mark.skip\ndef test_a():\n    pass\ndef test_b():\n    pass\n"},
}
UNIT = {kind: {"test_a.py": "import unittest\nclass T(unittest.TestCase):\n" + body} for kind, body in {
    "PASS": "    def test_a(self):\n        pass\n",
    "NOISE": f"    def test_fail(self):\n    {NOISE_PY.replace(chr(10), chr(10) + '    ')}\n",
    "FAIL": "    def test_a(self):\n        self.assertEqual(1, 2)\n    def test_b(self):\n        pass\n",
    "ERROR": "    def test_a(self):\n        raise KeyError('x')\n",
    "NONE": "    def helper(self):\n        pass\n",
    "SKIP": "    @unittest.skip('later')\n    def test_a(self):\n        pass\n",
    "XFAIL": "    @unittest.expectedFailure\n    def test_a(self):\n        self.fail('x')\n    def test_b(self):\n        pass\n",
}.items()}
DJANGO = {kind: {"manage.py": "import os, sys\nos.environ['DJANGO_SETTINGS_MODULE'] = 'conf'\nfrom django.core.management import execute_from_command_line\nexecute_from_command_line(sys.argv)\n",
                 "conf.py": "SECRET_KEY = 'x'\nDATABASES = {}\nINSTALLED_APPS = []\nUSE_TZ = True\n", "tests.py": files["test_a.py"].replace("unittest.TestCase", "SimpleTestCase").replace("import unittest", "import unittest\nfrom django.test import SimpleTestCase")}
          for kind, files in UNIT.items()}


def script(path, head, test, skip, suffix="", package="{}"):
    """The kinds of one JavaScript runner: how it names a test, and how it skips one."""
    body = lambda code: head + test.replace("BODY", code) + suffix
    two = head + test.replace("BODY", "throw new Error('got 3, want 4');") + test.replace("shop", "cart").replace("BODY", "") + suffix
    kinds = {"PASS": body(""), "NOISE": body(NOISE_JS), "FAIL": two, "NONE": head + suffix,
             "SKIP": head + skip + suffix if skip else None,
             "PART": head + skip + test.replace("shop", "cart").replace("BODY", "") + suffix if skip else None,
             "BROKEN": "require('./nosuch');\n" + body("") if ".mjs" not in path else "import './nosuch.js';\n" + body("")}
    return {kind: {"package.json": package, path: text} for kind, text in kinds.items() if text is not None}


JEST = script("a.test.js", "", "test('shop', () => { BODY });\n", "test.skip('shop', () => {});\n")
VITEST = script("a.test.mjs", "import { test } from 'vitest';\n", "test('shop', () => { BODY });\n", "test.skip('shop', () => {});\n")
MOCHA = script("test/a.js", "", "it('shop', () => { BODY });\n", "it.skip('shop', () => {});\n")
JASMINE = script("a.spec.js", "", "it('shop', () => { BODY });\n", "xit('shop', () => {});\n")
NODE = script("a.test.js", "const { test } = require('node:test');\n", "test('shop', () => { BODY });\n", "test.skip('shop', () => {});\n")
AVA = script("a.test.mjs", "import test from 'ava';\n", "test('shop', (t) => { BODY; t.pass(); });\n", "test.skip('shop', (t) => t.pass());\n")
TAPE = script("a.test.js", "const test = require('tape');\n", "test('shop', (t) => { BODY; t.ok(true); t.end(); });\n", "test.skip('shop', (t) => t.end());\n")
TAPE["FAIL"] = {"package.json": "{}", "a.test.js": "const test = require('tape');\ntest('shop', (t) => { t.equal(1, 2); t.end(); });\ntest('cart', (t) => { t.ok(true); t.end(); });\n"}
UVU = script("a.test.js", "const { test } = require('uvu');\n", "test('shop', () => { BODY });\n", "test.skip('shop', () => {});\n", "test.run();\n")
QUNIT = script("test/a.js", "", "QUnit.test('shop', (a) => { BODY; a.ok(true); });\n", "QUnit.skip('shop', () => {});\n")
BUN = script("a.test.js", "const { test } = require('bun:test');\n", "test('shop', () => { BODY });\n", "test.skip('shop', () => {});\n")
DENO = script("a_test.mjs", "", "Deno.test('shop', () => { BODY });\n", "Deno.test.ignore('shop', () => {});\n")


def go(test):
    return {"go.mod": "module example.com/shop\n\ngo 1.21\n", "shop.go": "package shop\n", "shop_test.go": "package shop\n\n" + test}


GO = {
    "PASS": go('import "testing"\n\nfunc TestA(t *testing.T) {}\n'),
    "NOISE": go('import (\n"fmt"\n"testing"\n)\n\nfunc TestFail(t *testing.T) { ' + NOISE_GO + " }\n"),
    "FAIL": go('import "testing"\n\nfunc TestA(t *testing.T) { t.Errorf("got 3, want 4") }\nfunc TestB(t *testing.T) {}\n'),
    "PANIC": go('import "testing"\n\nfunc TestA(t *testing.T) { panic("no shop") }\n'),
    "BROKEN": go('import "testing"\n\nfunc TestA(t *testing.T) { nosuch() }\n'),
    "NONE": go("var x = 1\n"),
    "NOFILES": {"go.mod": "module example.com/shop\n\ngo 1.21\n", "shop.go": "package shop\n"},
    "SKIP": go('import "testing"\n\nfunc TestA(t *testing.T) { t.Skip("later") }\n'),
    "PART": go('import "testing"\n\nfunc TestA(t *testing.T) { t.Skip("later") }\nfunc TestB(t *testing.T) {}\n'),
}
RUST = {kind: {"Cargo.toml": "[package]\nname = \"shop\"\nversion = \"0.1.0\"\nedition = \"2021\"\n", "src/lib.rs": "#[cfg(test)]\nmod tests {\n" + body + "}\n"} for kind, body in {
    "PASS": "#[test]\nfn a() {}\n",
    "NOISE": "#[test]\nfn failed() { " + NOISE_RS + " }\n",
    "FAIL": "#[test]\nfn a() { assert_eq!(1, 2); }\n#[test]\nfn b() {}\n",
    "BROKEN": "#[test]\nfn a() { nosuch(); }\n",
    "NONE": "",
    "SKIP": "#[test]\n#[ignore]\nfn a() {}\n",
    "PART": "#[test]\n#[ignore]\nfn a() {}\n#[test]\nfn b() {}\n",
}.items()}
RUSTC = {kind: {"a.rs": files["src/lib.rs"]} for kind, files in RUST.items()}
PERL = {
    "PASS": {"t/a.t": "use Test::More tests => 1;\nok(1, 'shop');\n"},
    "NOISE": {"t/a.t": "use Test::More tests => 1;\ndiag('FAIL');\ndiag('2 failed logins');\nok(1, 'fails');\n"},
    "FAIL": {"t/a.t": "use Test::More tests => 2;\nis(1, 2, 'shop');\nok(1, 'cart');\n"},
    "SKIP": {"t/a.t": "use Test::More skip_all => 'later';\n"},
    "XFAIL": {"t/a.t": "use Test::More tests => 2;\nok(1, 'cart');\nTODO: { local $TODO = 'later'; ok(0, 'shop'); }\n"},
}
BEHAVE = {kind: {"features/a.feature": text, "features/steps/s.py": "from behave import *\n@given('a shop')\ndef s(c):\n    print('FAIL')\n@given('no shop')\ndef n(c):\n    assert False, 'closed'\n"} for kind, text in {
    "PASS": "Feature: f\n  Scenario: s\n    Given a shop\n",
    "FAIL": "Feature: f\n  Scenario: s\n    Given no shop\n  Scenario: t\n    Given a shop\n",
    "SKIP": "Feature: f\n  @later\n  Scenario: s\n    Given a shop\n",
}.items()}
ROBOT = {
    "PASS": {"a.robot": "*** Test Cases ***\nShop\n    Log    FAIL\n"},
    "FAIL": {"a.robot": "*** Test Cases ***\nShop\n    Should Be Equal    1    2\nCart\n    Log    1\n"},
    "SKIP": {"a.robot": "*** Test Cases ***\nShop\n    Skip    later\n"},
}
CTEST = {
    "PASS": {"CMakeLists.txt": "cmake_minimum_required(VERSION 3.10)\nproject(p NONE)\nenable_testing()\nadd_test(NAME a COMMAND true)\n"},
    "FAIL": {"CMakeLists.txt": "cmake_minimum_required(VERSION 3.10)\nproject(p NONE)\nenable_testing()\nadd_test(NAME a COMMAND false)\nadd_test(NAME b COMMAND true)\n"},
    "NONE": {"CMakeLists.txt": "cmake_minimum_required(VERSION 3.10)\nproject(p NONE)\nenable_testing()\n"},
}
CUCUMBER = {kind: {"features/a.feature": text, "features/s.js": "const { Given } = require('@cucumber/cucumber');\nGiven('a shop', () => { console.log('FAIL'); });\nGiven('no shop', () => { throw new Error('closed'); });\n"} for kind, text in {
    "PASS": "Feature: f\n  Scenario: s\n    Given a shop\n",
    "FAIL": "Feature: f\n  Scenario: s\n    Given no shop\n  Scenario: t\n    Given a shop\n",
    "NONE": "Feature: f\n",
}.items()}
TOX = {kind: {"tox.ini": "[tox]\nskipsdist=true\nenvlist=check\n[testenv]\nskip_install=true\ncommands=python -c \"" + code + "\"\n"} for kind, code in {"PASS": "print('shop')", "FAIL": "raise KeyError('sku')"}.items()}
NOX = {kind: {"noxfile.py": f"import nox\n@nox.session(venv_backend='none')\ndef check(s):\n    s.run('python', '-c', {code!r})\n"} for kind, code in {"PASS": "print('shop')", "FAIL": "raise KeyError('sku')"}.items()}
MYPY = {"PASS": {"a.py": "x: int = 1\n"}, "FAIL": {"a.py": "x: int = 'a'\n"}}
ESLINT_CONF = "export default [{rules: {'no-undef': 2, 'no-unused-vars': 1}}];"
ESLINT = {"PASS": {"eslint.config.mjs": ESLINT_CONF, "a.js": "const errors = 1;\n"}, "FAIL": {"eslint.config.mjs": ESLINT_CONF, "a.js": "totl();\n"}}
RUFF = {"PASS": {"a.py": "x = 1\n"}, "FAIL": {"a.py": "import os\n"}}
SHELL = {"PASS": {"check.sh": "exit 0\n"}, "FAIL": {"check.sh": "exit 1\n"}, "NOISE": {"check.sh": "echo 'FAIL or PASS'; echo 'error: none'; exit 0\n"}}

# Runner, command, its kinds. MASKS say how a failing command is made to end with 0.
RUNS = [
    ("pytest", "pytest", PYTEST), ("pytest", "pytest -q", PYTEST), ("pytest", "pytest -v -s", PYTEST), ("pytest", "pytest -rA", PYTEST),
    ("pytest", "pytest --color=yes", PYTEST), ("pytest", "pytest -n 2 -q", PYTEST), ("unittest", "python -m unittest", UNIT), ("unittest", "python -m unittest -v", UNIT),
    ("nose2", "nose2", UNIT), ("django", "python manage.py test", DJANGO), ("jest", "jest --passWithNoTests", JEST), ("jest", "jest --verbose --colors", JEST),
    ("vitest", "vitest run --passWithNoTests", VITEST), ("vitest", "vitest run --reporter=verbose", VITEST), ("mocha", "mocha", MOCHA), ("mocha", "mocha -R dot", MOCHA), ("mocha", "mocha -R tap", MOCHA),
    ("jasmine", "jasmine a.spec.js", JASMINE), ("node-test", "node --test a.test.js", NODE), ("node-test", "node --test --test-reporter=tap a.test.js", NODE), ("node-test", "node --test --test-reporter=dot a.test.js", NODE),
    ("ava", "ava", AVA), ("tape", "tape a.test.js", TAPE), ("uvu", "node a.test.js", UVU), ("uvu", "uvu . a.test.js", UVU), ("qunit", "qunit", QUNIT), ("bun", "bun test", BUN), ("deno", "deno test -A --no-check", DENO),
    ("go-test", "go test ./...", GO), ("go-test", "go test -v ./...", GO), ("cargo-test", "cargo test --offline", RUST), ("cargo-test", "cargo test --offline --lib -q", RUST), ("cargo-nextest", "cargo nextest run --offline", RUST),
    ("rust-test", "rustc --edition 2021 --test -o t a.rs && ./t", RUSTC), ("prove", "prove t", PERL), ("perl", "perl t/a.t", PERL), ("behave", "behave --tags=~@later", BEHAVE), ("robot", "robot --output NONE --log NONE --report NONE .", ROBOT),
    ("ctest", "cmake -S . -B b > /dev/null && ctest --test-dir b", CTEST), ("cucumber", "cucumber-js", CUCUMBER), ("tox", "tox -q", TOX), ("nox", "nox", NOX), ("mypy", "mypy a.py", MYPY), ("eslint", "eslint .", ESLINT), ("ruff", "ruff check .", RUFF),
    ("shell", "sh check.sh", SHELL),
]
MASKS = ["{} || true", "{} 2>&1 | tee log.txt", "{}; true", "{} || echo FAIL", "if ! ( {} ); then echo BROKEN BUILD; fi", "{}; echo \"exit code $?\"", "{{ {} && echo ALL GOOD; }} || printf 'verify: FAILED\\n'"]
FAILING = {"FAIL", "ERROR", "PANIC", "BROKEN"}
EMPTY = {"NONE", "NOFILES", "SKIP"}
# Kinds in which the runner has no words for it: nothing is skipped aloud, or a skipped test counts as passed.
UNSAID = {("go-test", "go test ./...", "SKIP"), ("perl", "*", "NONE"), ("uvu", "*", "NONE"), ("uvu", "*", "SKIP"), ("node-test", "node --test --test-reporter=dot a.test.js", "*"),
          # A file without tests counts as a test that passed; a complaint counts as a test that failed.
          ("node-test", "*", "NONE"), ("qunit", "*", "NONE")}


def label(runner, command, kind, exit, is_masked):
    """Whether the runner says that no test ran, and whether the exit code is contradicted; None: not scored."""
    unsaid = any((runner, c, k) in UNSAID for c in (command, "*") for k in (kind, "*"))
    no_tests = None if kind == "BROKEN" or (kind in EMPTY and unsaid) else kind in EMPTY
    failed = kind in FAILING and exit == 0
    # It ends before it could count or mark anything: its own stack trace is all there is.
    if kind == "BROKEN" and runner in ("deno", "jasmine", "mocha", "tape", "uvu") and failed and not is_masked:
        return None, None
    # A mask that prints nothing, around a command that says nothing: the failure is invisible.
    silent = runner == "shell" or (runner, command) in {(r, c) for r, c, k in UNSAID if k == "*"}
    if failed and silent and not is_masked:
        return no_tests, None
    if runner in ("mypy", "eslint", "ruff", "shell", "tox", "nox"):
        no_tests = False
    return no_tests, failed


def main():
    cases, skipped = {}, []
    for name in ["VIRTUAL_ENV", "NODE_MODULES"]:
        if os.environ.get(name):
            make.PLACES.append((os.environ[name], "/home/ada/" + name.lower()))
    for at, (runner, command, kinds) in enumerate(RUNS):
        program = command.split()[0]
        for kind, files in kinds.items():
            commands = [(command, False)]
            if kind in FAILING:
                plain = [MASKS[(at + len(kind)) % 3]] if runner != "shell" else []
                spoken = MASKS[3:] if runner == "shell" else [MASKS[3 + (at + len(kind)) % 4]]
                commands += [(mask.format(command), False) for mask in plain] + [(mask.format(command), True) for mask in spoken]
            elif kind == "PASS":
                commands += [(MASKS[3 + at % 4].format(command), False)]
            for number, (run, speaks) in enumerate(commands):
                exit, text = make.run(run, files)
                text = re.sub(r"(?:\.\./)+[\w/.-]*?node_modules", "node_modules", text).replace(os.path.expanduser("~"), "/home/ada")
                name = f"{runner}-{at}-{kind.lower()}-{number}"
                is_failing = kind in FAILING and number == 0
                if exit is None or exit in (126, 127) or "command not found" in text or ": not found" in text:
                    skipped.append(f"{name}: `{program}` is not here, or did not end")
                elif is_failing == (exit == 0) and kind not in EMPTY:
                    skipped.append(f"{name}: exit {exit}")
                else:
                    no_tests, failed = label(runner, command, kind, exit, speaks)
                    cases[name] = {"runner": runner, "cmd": run, "exit": exit, "kind": kind, "no_tests": no_tests, "failed_anyway": failed, "text": text}
    with gzip.GzipFile(argv[1], "wb", mtime=0) as file:
        file.write(json.dumps({"cases": cases, "skipped": skipped}, ensure_ascii=False, indent=0, sort_keys=True).encode())
    print(f"{len(cases)} outputs of {len({case['runner'] for case in cases.values()})} runners")
    for line in skipped:
        print("skipped:", line)


if __name__ == "__main__":
    main()
