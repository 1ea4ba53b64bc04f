"""The runners of several.py: how each writes a test, starts its tests and names one.

A runner writes a project from its tests: `files` gives paths and texts. What a test does is in the words of its
language: it notes that it ran, compares, calls code of the project that raises, or prints what looks like a failure.
"""
import re

NO_PLACE = re.compile(r"\bran\b|ran\(|^\s*(?:def|function|pub fn|func|local function|sub|inline) |^\s*(?:export )?(?:const|function) boom|boom\d+ =>|^boom\d+\(\)|exports\.boom|add_test")


class Runner:
    def __init__(self, name, command, files, names, grain="test", prepare=(), modules=False, is_silent=False):
        self.name, self.command, self.files, self.names, self.grain = name, command, files, names, grain
        self.prepare, self.modules, self.is_silent = prepare, modules, is_silent

    @staticmethod
    def is_no_place(line):
        return bool(NO_PLACE.search(line))


def body(fault, words, ghosts=()):
    """The statements of a test."""
    of = lambda form: form.replace("@N", str(fault.number))
    printed = [words["print"].replace("@S", ghost) for ghost in ghosts]
    return [of(words["ran"])] + {"P": [], "E": [of(words["eq"])], "L": [of(words["boom"])], "M": [of(words["multi"])], "N": printed + [of(words["eq"])]}[fault.kind]


def booms(files, form, kinds="L"):
    return "".join(form.replace("@N", str(fault.number)) for _, faults in files for fault in faults if fault.kind in kinds)


def grouped(faults):
    """Faults by suite, in order."""
    groups = {}
    for fault in faults:
        groups.setdefault(fault.suite, []).append(fault)
    return groups.items()


def indent(lines, depth):
    return "".join(" " * depth + line + "\n" for line in lines)


def camel(text):
    return "".join(part[:1].upper() + part[1:] for part in re.split(r"[\W_]+", text))


def flat(fault):
    return f"{fault.suite} {fault.title}" if fault.suite else fault.title


# Python

PY_LIB = "import os\n\n\ndef ran(number):\n    with open(os.environ['RAN'], 'a') as file:\n        file.write(f'{number}\\n')\n\n\ndef total(count):\n    return count\n"
PY_BOOM = "\n\ndef boom@N():\n    raise ValueError('no price @N')\n"
PY = {"ran": "ran(@N)", "eq": "assert total(1) == @N", "boom": "boom@N()", "multi": "raise AssertionError('first @N\\n  second line\\n\\nthird line')", "print": "print('@S')"}
UNIT = {**PY, "eq": "self.assertEqual(total(1), @N)"}
PY_GHOSTS = ["FAILED tests/test_ghost.py::test_ghost - assert 0", "FAIL: test_ghost (tests.test_ghost.Ghost.test_ghost)", "E       ghost"]


def pytest(files):
    texts = {"shop.py": PY_LIB + booms(files, PY_BOOM), "conftest.py": "", "tests/__init__.py": ""}
    for stem, faults in files:
        text = "from shop import *\n"
        for suite, group in grouped(faults):
            depth = 4 if suite else 0
            text += f"\n\nclass Test{suite}:\n" if suite else "\n\n"
            for fault in group:
                head = f"def test_{fault.ident}({'self' if suite else ''}):"
                text += indent([head] + ["    " + line for line in body(fault, PY, PY_GHOSTS)] + [""], depth)
        texts[f"tests/test_{stem}.py"] = text
    return texts


def pytest_name(fault):
    return ["::".join([f"tests/test_{fault.file}.py"] + ([f"Test{fault.suite}"] if fault.suite else []) + [f"test_{fault.ident}"])]


def unit(files, base="unittest.TestCase", head="import unittest\n"):
    texts = {"shop.py": PY_LIB + booms(files, PY_BOOM), "tests/__init__.py": ""}
    for stem, faults in files:
        text = head + "from shop import *\n"
        for suite, group in grouped(faults):
            text += f"\n\nclass {camel(stem)}{suite or ''}Test({base}):\n"
            for fault in group:
                text += indent([f"def test_{fault.ident}(self):"] + ["    " + line for line in body(fault, UNIT, PY_GHOSTS)] + [""], 4)
        texts[f"tests/test_{stem}.py"] = text
    return texts


def unit_name(fault):
    return [f"tests.test_{fault.file}.{camel(fault.file)}{fault.suite or ''}Test.test_{fault.ident}"]


def with_files(files_of, **more):
    return lambda files: {**files_of(files), **{path.replace("__", "."): text for path, text in more.items()}}


def django(files):
    manage = "import os\nimport sys\n\nfrom django.core.management import execute_from_command_line\n\nos.environ['DJANGO_SETTINGS_MODULE'] = 'conf'\nexecute_from_command_line(sys.argv)\n"
    return {**unit(files, "SimpleTestCase", "from django.test import SimpleTestCase\n"), "manage.py": manage, "conf.py": "SECRET_KEY = 'x'\nDATABASES = {}\nINSTALLED_APPS = []\nUSE_TZ = True\n"}


def ward(files):
    texts = {"shop.py": PY_LIB + booms(files, PY_BOOM)}
    for stem, faults in files:
        text = "from ward import test\nfrom shop import *\n"
        for fault in faults:
            text += f"\n\n@test('{flat(fault)}')\ndef _():\n" + indent(body(fault, PY, PY_GHOSTS), 4)
        texts[f"tests/test_{stem}.py"] = text
    return texts


def behave(files):
    texts = {"shop.py": PY_LIB + booms(files, PY_BOOM)}
    steps = "import os\nimport sys\n\nsys.path.insert(0, os.getcwd())\nfrom behave import when\nfrom shop import *\n"
    for stem, faults in files:
        feature = f"Feature: {stem}\n"
        for fault in faults:
            fault.at = feature.count("\n") + 2
            feature += f"\n  Scenario: {flat(fault)}\n    When case {fault.number} is tried\n"
            steps += f"\n\n@when('case {fault.number} is tried')\ndef step(context):  # ran {fault.number}\n" + indent(body(fault, PY, PY_GHOSTS), 4)
        texts[f"features/{stem}.feature"] = feature
    texts["features/steps/cases.py"] = steps
    return texts


def scenario_name(fault):
    return [f"features/{fault.file}.feature:{fault.at}"]


# JavaScript

JS_LIB = "const fs = require('fs');\nexports.ran = (number) => fs.appendFileSync(process.env.RAN, `${number}\\n`);\nexports.total = (count) => count;\n"
JS_BOOM = "exports.boom@N = () => {\n  throw new Error('no price @N');\n};\n"
ESM_LIB = "import fs from 'fs';\nexport const ran = (number) => fs.appendFileSync(process.env.RAN, `${number}\\n`);\nexport const total = (count) => count;\n"
ESM_BOOM = "export const boom@N = () => {\n  throw new Error('no price @N');\n};\n"
JS = {"ran": "shop.ran(@N);", "eq": "expect(shop.total(1)).toBe(@N);", "boom": "shop.boom@N();", "multi": "throw new Error('first @N\\n  second line\\n\\nthird line');", "print": "console.log('@S');"}
NODE_EQ = {**JS, "eq": "assert.strictEqual(shop.total(1), @N);"}
AVA = {**JS, "eq": "t.is(shop.total(1), @N);"}
QUNIT = {**JS, "eq": "assert.equal(shop.total(1), @N);"}
TAPE = {**JS, "eq": "t.equal(shop.total(1), @N);"}
JS_GHOSTS = ["  ● Ghost › haunts", "FAIL src/ghost.test.js", "not ok 9 - ghost", "  1) ghost haunts:", "(fail) ghost"]


def js(path, head, words, test="test", suite="describe", parameter="", end="", esm=False):
    """A file for each part, of `suite('…', () => { test('…', (parameter) => { … }) })`."""
    def write(files):
        lib = (ESM_LIB + booms(files, ESM_BOOM)) if esm else (JS_LIB + booms(files, JS_BOOM))
        texts = {"package.json": '{"name": "shop", "private": true}\n', ("shop.mjs" if esm else "shop.js"): lib}
        for stem, faults in files:
            where = path.format(stem)
            up = "../" * where.count("/") or "./"
            text = head + (f"import * as shop from '{up}shop.mjs';\n" if esm else f"const shop = require('{up}shop.js');\n")
            for group, of in grouped(faults):
                nested = group and suite
                text += f"\n{suite}('{group}', () => {{\n" if nested else "\n"
                for fault in of:
                    title = fault.title if suite else flat(fault)
                    lines = body(fault, words, JS_GHOSTS) + ([end] if end else [])
                    text += indent([f"{test}('{title}', ({parameter}) => {{"] + ["  " + line for line in lines] + ["});"], 2 if nested else 0)
                text += "});\n" if nested else ""
            texts[where] = text
        return texts
    return write


def uvu(files):
    texts = {"package.json": '{"name": "shop", "private": true}\n', "shop.js": JS_LIB + booms(files, JS_BOOM)}
    for stem, faults in files:
        text = "const { suite } = require('uvu');\nconst assert = require('assert');\nconst shop = require('../shop.js');\n"
        for group, of in grouped(faults):
            text += f"\nconst {group or 'own'}Suite = suite('{group or stem}');\n"
            for fault in of:
                text += f"{group or 'own'}Suite('{fault.title}', () => {{\n" + indent(body(fault, NODE_EQ, JS_GHOSTS), 2) + "});\n"
            text += f"{group or 'own'}Suite.run();\n"
        texts[f"test/{stem}.js"] = text
    return texts


def cucumber(files):
    texts = {"package.json": '{"name": "shop", "private": true}\n', "shop.js": JS_LIB + booms(files, JS_BOOM)}
    steps = "const { When } = require('@cucumber/cucumber');\nconst assert = require('assert');\nconst shop = require('../../shop.js');\n"
    for stem, faults in files:
        feature = f"Feature: {stem}\n"
        for fault in faults:
            fault.at = feature.count("\n") + 2
            feature += f"\n  Scenario: {flat(fault)}\n    When case {fault.number} is tried\n"
            steps += f"\nWhen('case {fault.number} is tried', function () {{ // ran {fault.number}\n" + indent(body(fault, NODE_EQ, JS_GHOSTS), 2) + "});\n"
        texts[f"features/{stem}.feature"] = feature
    texts["features/support/steps.js"] = steps
    return texts


def joined(mark, top=None):
    """`suite MARK title`, or the title."""
    return lambda fault: [mark.join(part for part in [fault.suite or (top(fault) if top else None), fault.title] if part)]


def flat_name(fault):
    return [flat(fault)]


# Go

GO_LIB = 'package shop\n\nimport (\n\t"fmt"\n\t"os"\n\t"testing"\n)\n\nfunc Ran(number int) {\n\tfile, _ := os.OpenFile(os.Getenv("RAN"), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)\n\tdefer file.Close()\n\tfmt.Fprintln(file, number)\n}\n\nfunc Total(count int) int { return count }\n\nvar _ *testing.T\n'
GO_BOOM = '\nfunc Boom@N(t *testing.T) {\n\tt.Fatalf("no price @N")\n}\n'
GO = {"ran": "shop.Ran(@N) // ran()", "eq": 'if got := shop.Total(1); got != 1 {{ t.Fatal() }} else {{ t.Errorf("total is %d, want @N", got) }}'.replace("{{", "{").replace("}}", "}"),
      "boom": "shop.Boom@N(t)", "multi": 't.Errorf("first @N\\n  second line\\n\\nthird line")', "print": 'fmt.Println("@S")'}
GO_GHOSTS = ["--- FAIL: TestGhost (0.00s)", "    ghost_test.go:7: ghost", "=== RUN   TestGhost2", "FAIL\\texample.com/ghost\\t0.01s"]


def go(files):
    texts = {"go.mod": "module example.com/shop\n\ngo 1.19\n", "shop.go": GO_LIB + booms(files, GO_BOOM)}
    for stem, faults in files:
        text = f'package {stem}\n\nimport (\n\t"fmt"\n\t"testing"\n\n\t"example.com/shop"\n)\n\nvar _ = fmt.Sprint\n'
        for suite, group in grouped(faults):
            if suite:
                text += f"\nfunc Test{suite}(t *testing.T) {{\n"
                for fault in group:
                    text += f'\tt.Run("{fault.title}", func(t *testing.T) {{\n' + "".join(f"\t\t{line}\n" for line in body(fault, GO, GO_GHOSTS)) + "\t})\n"
                text += "}\n"
            else:
                for fault in group:
                    text += f"\nfunc Test{camel(fault.title)}(t *testing.T) {{\n" + "".join(f"\t{line}\n" for line in body(fault, GO, GO_GHOSTS)) + "}\n"
        texts[f"{stem}/{stem}_test.go"] = text
    return texts


def go_name(fault):
    return [f"Test{fault.suite}/{fault.title.replace(' ', '_')}" if fault.suite else f"Test{camel(fault.title)}"]


# Rust

RS_LIB = 'use std::io::Write;\n\npub fn ran(number: u32) {\n    let path = std::env::var("RAN").unwrap();\n    let mut file = std::fs::OpenOptions::new().append(true).create(true).open(path).unwrap();\n    writeln!(file, "{number}").unwrap();\n}\n\npub fn total(count: u32) -> u32 {\n    count\n}\n'
RS_BOOM = '\npub fn boom@N() {\n    panic!("no price @N");\n}\n'
RS = {"ran": "shop::ran(@N);", "eq": "assert_eq!(shop::total(1), @N);", "boom": "shop::boom@N();", "multi": 'panic!("first @N\\n  second line\\n\\nthird line");', "print": 'println!("@S");'}
RS_GHOSTS = ["test ghost ... FAILED", "---- ghost stdout ----", "thread 'ghost' panicked at src/ghost.rs:1:1:"]


def rust(files):
    texts = {"Cargo.toml": '[package]\nname = "shop"\nversion = "0.1.0"\nedition = "2021"\n\n[workspace]\n', "src/lib.rs": RS_LIB + booms(files, RS_BOOM)}
    for stem, faults in files:
        text = ""
        for suite, group in grouped(faults):
            depth = 4 if suite else 0
            text += f"mod {suite.lower()} {{\n" if suite else ""
            for fault in group:
                text += indent(["#[test]", f"fn {fault.ident}() {{"] + ["    " + line for line in body(fault, RS, RS_GHOSTS)] + ["}", ""], depth)
            text += "}\n\n" if suite else ""
        texts[f"tests/{stem}.rs"] = text
    return texts


def rust_name(fault):
    return ["::".join(([fault.suite.lower()] if fault.suite else []) + [fault.ident])]


# Ruby

RB_LIB = "def ran(number)\n  File.open(ENV['RAN'], 'a') { |file| file.puts(number) }\nend\n\ndef total(count)\n  count\nend\n"
RB_BOOM = "\ndef boom@N\n  raise ArgumentError, 'no price @N'\nend\n"
RB = {"ran": "ran(@N)", "eq": "assert_equal @N, total(1)", "boom": "boom@N", "multi": "raise \"first @N\\n  second line\\n\\nthird line\"", "print": "puts '@S'"}
RB_GHOSTS = ["  1) ghost haunts", "     Failure/Error: ghost", "rspec ./spec/ghost_spec.rb:1 # ghost", "  2) Failure:", "GhostTest#test_ghost [test/ghost.rb:1]:", "Failure: test_ghost(GhostTest)"]


def rspec(files):
    texts = {"lib/shop.rb": RB_LIB + booms(files, RB_BOOM)}
    for stem, faults in files:
        text = "require_relative '../lib/shop'\n"
        for suite, group in grouped(faults):
            text += f"\nRSpec.describe '{suite or camel(stem)}' do\n"
            for fault in group:
                text += indent([f"it '{fault.title}' do"] + ["  " + line for line in body(fault, {**RB, "eq": "expect(total(1)).to eq(@N)"}, RB_GHOSTS)] + ["end"], 2)
            text += "end\n"
        texts[f"spec/{stem}_spec.rb"] = text
    return texts


def ruby_classes(base, require):
    def write(files):
        texts = {"lib/shop.rb": RB_LIB + booms(files, RB_BOOM), "test/all.rb": "".join(f"require_relative '{stem}_test'\n" for stem, _ in files)}
        for stem, faults in files:
            text = f"require '{require}'\nrequire_relative '../lib/shop'\n"
            for suite, group in grouped(faults):
                text += f"\nclass {camel(stem)}{suite or ''}Test < {base}\n"
                for fault in group:
                    text += indent([f"def test_{fault.ident}"] + ["  " + line for line in body(fault, RB, RB_GHOSTS)] + ["end"], 2)
                text += "end\n"
            texts[f"test/{stem}_test.rb"] = text
        return texts
    return write


def ruby_name(form):
    return lambda fault: [form.format(of=f"{camel(fault.file)}{fault.suite or ''}Test", test=f"test_{fault.ident}")]


# Others

PHP = {"ran": "ran(@N);", "eq": "$this->assertSame(@N, total(1));", "boom": "boom@N();", "multi": "$this->fail(\"first @N\\n  second line\\n\\nthird line\");", "print": "fwrite(STDOUT, \"@S\\n\");"}


def phpunit(files):
    lib = "<?php\nfunction ran($number) {\n    file_put_contents(getenv('RAN'), \"$number\\n\", FILE_APPEND);\n}\nfunction total($count) {\n    return $count;\n}\n"
    texts = {"src/shop.php": lib + booms(files, "function boom@N() {\n    throw new InvalidArgumentException('no price @N');\n}\n")}
    for stem, faults in files:
        text = f"<?php\nuse PHPUnit\\Framework\\TestCase;\n\nrequire_once __DIR__ . DIRECTORY_SEPARATOR . '../src/shop.php';\n\nfinal class {camel(stem)}Test extends TestCase\n{{\n"
        for fault in faults:
            text += indent([f"public function test{camel(flat(fault))}(): void // ran", "{"] + ["    " + line for line in body(fault, PHP, ["1) GhostTest::testGhost", "Failed asserting that ghost."])] + (["    $this->assertTrue(true);"] if fault.kind == "P" else []) + ["}", ""], 4)
        texts[f"tests/{camel(stem)}Test.php"] = text + "}\n"
    return texts


BATS = {"ran": "ran @N", "eq": '[ "$(total 1)" = @N ]', "boom": "boom@N", "multi": "printf 'first @N\\n  second line\\n\\nthird line\\n'; false # @N", "print": "echo '@S'"}


def bats(files):
    lib = 'ran() {\n  echo "$1" >>"$RAN" # ran\n}\ntotal() {\n  echo "$1"\n}\n'
    texts = {"lib/shop.sh": lib + booms(files, "boom@N() {\n  echo no price @N\n  return 1 # @N\n}\n")}
    for stem, faults in files:
        text = "load ../lib/shop.sh\n"
        for fault in faults:
            text += f'\n@test "{flat(fault).replace("$", chr(92) + "$")}" {{\n' + indent(body(fault, BATS, ["not ok 9 ghost", " ✗ ghost"]), 2) + "}\n"
        texts[f"test/{stem}.bats"] = text
    return texts


def prove(files):
    texts = {"lib/Shop.pm": "package Shop;\nuse base 'Exporter';\nour @EXPORT = ('ran', 'total');\n\nsub ran { # ran\n    open my $file, '>>', $ENV{RAN};\n    print $file \"$_[0]\\n\";\n}\n\nsub total {\n    return $_[0];\n}\n\n1;\n"}
    for stem, faults in files:
        text = "use strict;\nuse warnings;\nuse lib 'lib';\nuse Shop;\nuse Test::More;\n"
        for fault in faults:
            form = {"P": "pass(@T);", "M": 'ok(0, @T) or diag("first @N\\n  second line"); # @N'}.get(fault.kind, "is(total(1), @N, @T);")
            name = "'" + flat(fault) + "'"
            text += f"\nran({fault.number});\n" + form.replace("@N", str(fault.number)).replace("@T", name) + "\n"
        texts[f"t/{stem}.t"] = text + "\ndone_testing();\n"
    return texts


def ctest(files):
    script = "#!/bin/sh\necho \"$1\" >>\"$RAN\" # ran\nif [ \"$2\" != P ]; then\n  echo \"total is 1, want $1\" >&2\n  exit 1\nfi\n"
    text = "cmake_minimum_required(VERSION 3.10)\nproject(shop NONE)\nenable_testing()\n"
    for _, faults in files:
        for fault in faults:
            text += f"add_test(NAME {ctest_name(fault)[0]} COMMAND sh ${{CMAKE_SOURCE_DIR}}/case.sh {fault.number} {fault.kind})\n"
    return {"CMakeLists.txt": text, "case.sh": script}


def ctest_name(fault):
    return [".".join(part for part in [fault.file, fault.suite, fault.ident] if part)]


CPP = {"ran": "ran(@N);", "eq": "EXPECT_EQ(total(1), @N);", "boom": "boom@N();", "multi": 'FAIL() << "first @N\\n  second line\\n\\nthird line";', "print": 'std::cout << "@S" << std::endl;'}


def cpp(head, test, words, ghosts):
    def write(files):
        lib = "#pragma once\n#include <cstdlib>\n#include <fstream>\n#include <iostream>\n#include <stdexcept>\ninline void ran(int number) { std::ofstream(std::getenv(\"RAN\"), std::ios::app) << number << std::endl; }\ninline int total(int count) { return count; }\n"
        texts = {"shop.h": lib + booms(files, "inline void boom@N() {\n  throw std::runtime_error(\"no price @N\");\n}\n")}
        for stem, faults in files:
            text = head + '#include "shop.h"\n'
            for fault in faults:
                text += "\n" + test(fault) + " {\n" + indent(body(fault, words, ghosts), 2) + "}\n"
            texts[f"{stem}_test.cpp"] = text
        return texts
    return write


LUA = {"ran": "shop.ran(@N)", "eq": "assert.are.equal(@N, shop.total(1))", "boom": "shop.boom@N()", "multi": 'error("first @N\\n  second line\\n\\nthird line")', "print": "print('@S')"}


def busted(files):
    lib = "local shop = {}\nfunction shop.ran(number)\n  local file = io.open(os.getenv('RAN'), 'a')\n  file:write(number .. '\\n')\n  file:close()\nend\nfunction shop.total(count)\n  return count\nend\n"
    texts = {"shop.lua": lib + booms(files, "function shop.boom@N()\n  error('no price @N')\nend\n") + "return shop\n"}
    for stem, faults in files:
        text = "local shop = require('shop')\n"
        for suite, group in grouped(faults):
            text += f"\ndescribe('{suite or stem}', function()\n"
            for fault in group:
                text += indent([f"it('{fault.title}', function()"] + ["  " + line for line in body(fault, LUA, ["Failure → spec/ghost_spec.lua @ 1", "ghost haunts"])] + ["end)"], 2)
            text += "end)\n"
        texts[f"spec/{stem}_spec.lua"] = text
    return texts


JAVA = {"ran": "Shop.ran(@N);", "eq": "assertEquals(@N, Shop.total(1));", "boom": "Shop.boom@N();", "multi": 'fail("first @N\\n  second line\\n\\nthird line");', "print": 'System.out.println("@S");'}


def junit(files):
    lib = "import java.nio.file.*;\n\nclass Shop {\n  static void ran(int number) throws Exception {\n    Files.writeString(Path.of(System.getenv(\"RAN\")), number + \"\\n\", StandardOpenOption.CREATE, StandardOpenOption.APPEND);\n  }\n\n  static int total(int count) {\n    return count;\n  }\n"
    texts = {"Shop.java": lib + booms(files, "\n  static void boom@N() { // ran\n    throw new IllegalStateException(\"no price @N\");\n  }\n") + "}\n"}
    for stem, faults in files:
        text = f"import static org.junit.jupiter.api.Assertions.*;\n\nimport org.junit.jupiter.api.Test;\n\nclass {camel(stem)}Test {{\n"
        for fault in faults:
            text += indent(["@Test", f"void {java_ident(fault)}() throws Exception {{"] + ["  " + line for line in body(fault, JAVA, ["  JUnit Jupiter:GhostTest:ghost()", "    => ghost"])] + ["}", ""], 2)
        texts[f"{camel(stem)}Test.java"] = text + "}\n"
    return texts


def java_ident(fault):
    name = camel(flat(fault))
    return name[0].lower() + name[1:]


EX = {"ran": "Shop.ran(@N)", "eq": "assert Shop.total(1) == @N", "boom": "Shop.boom@N()", "multi": 'flunk("first @N\\n  second line\\n\\nthird line")', "print": "IO.puts(\"@S\")"}


def exunit(files):
    lib = "defmodule Shop do\n  def ran(number) do\n    File.write!(System.get_env(\"RAN\"), \"#{number}\\n\", [:append])\n  end\n\n  def total(count) do\n    count\n  end\n"
    texts = {"mix.exs": "defmodule Shop.MixProject do\n  use Mix.Project\n\n  def project do\n    [app: :shop, version: \"0.1.0\"]\n  end\nend\n", "test/test_helper.exs": "ExUnit.start()\n",
             "lib/shop.ex": lib + booms(files, "\n  def boom@N() do\n    raise ArgumentError, \"no price @N\"\n  end\n") + "end\n"}
    for stem, faults in files:
        text = f"defmodule {camel(stem)}Test do\n  use ExUnit.Case\n"
        for fault in faults:
            text += "\n" + indent([f'test "{flat(fault)}" do'] + ["  " + line for line in body(fault, EX, ["  1) test ghost (GhostTest)", "     ghost"])] + ["end"], 2)
        texts[f"test/{stem}_test.exs"] = text + "end\n"
    return texts


def exunit_name(fault):
    return [f"{camel(fault.file)}Test test {flat(fault)}"]


def robot(files):
    lib = PY_LIB + booms(files, PY_BOOM) + "".join(f"\n\ndef case_{fault.number}():  # ran\n" + indent(body(fault, PY), 4) for _, faults in files for fault in faults)
    texts = {"shop.py": lib}
    for stem, faults in files:
        texts[f"tests/{stem}.robot"] = "*** Settings ***\nLibrary    ../shop.py\n\n*** Test Cases ***\n" + "".join(f"{flat(fault)}\n    Case {fault.number}    # ran\n" for fault in faults)
    return texts


NODE_HEAD = "const { test, describe } = require('node:test');\nconst assert = require('assert');\n"
NODE = js("test/{}.test.js", NODE_HEAD, NODE_EQ)
MOCHA = js("test/{}.test.js", "const assert = require('assert');\n", NODE_EQ, "it")
JEST = js("test/{}.test.js", "", JS)
GTEST = cpp("#include <gtest/gtest.h>\n", lambda fault: f"TEST({camel(fault.file)}{fault.suite or ''}, {camel(fault.title)})", CPP, ["[  FAILED  ] Ghost.Haunts (0 ms)", "ghost.cpp:1: Failure"])
CATCH = cpp("#define CATCH_CONFIG_RUNNER_OFF\n#include <catch2/catch.hpp>\n", lambda fault: f'TEST_CASE("{fault.file} {flat(fault)}")', {**CPP, "eq": "CHECK(total(1) == @N);", "multi": 'FAIL("first @N\\n  second line\\n\\nthird line");'}, ["ghost.cpp:1: FAILED:", "  CHECK( ghost )"])
TAP_DONE = "t.end();"
ROOT = "$TOOLS/n/node_modules/.bin/"

RUNNERS = [
    Runner("pytest", "pytest", pytest, pytest_name),
    Runner("pytest-q", "python3 -m pytest -q --tb short", pytest, pytest_name),
    Runner("pytest-v", "pytest -v -p no:cacheprovider", pytest, pytest_name),
    Runner("pytest-xdist", "pytest -n 2", pytest, pytest_name),
    Runner("pytest-native", "pytest --tb=native -rA", pytest, pytest_name),
    Runner("pytest-line", "pytest --tb line", pytest, pytest_name),
    Runner("unittest", "python3 -m unittest", unit, unit_name),
    Runner("unittest-v", "python3 -m unittest discover -v", unit, unit_name),
    Runner("nose2", "nose2", unit, unit_name),
    Runner("green", "green tests", unit, unit_name),
    Runner("stestr", "stestr run", with_files(unit, __stestr__conf="[DEFAULT]\ntest_path=./tests\ntop_dir=./\n"), unit_name),
    Runner("trial", "trial tests", unit, unit_name),
    Runner("django", "python3 manage.py test", django, unit_name),
    Runner("tox", "tox -q", with_files(pytest, **{"tox__ini": "[tox]\nskipsdist = true\n\n[testenv]\nskip_install = true\npass_env = *\nallowlist_externals = pytest\ncommands = pytest {posargs}\n"}), pytest_name),
    Runner("ward", "ward", ward, flat_name, "none"),
    Runner("behave", "behave", behave, scenario_name),
    Runner("robot", "robot tests", robot, lambda fault: [f"Tests.{camel(fault.file)}.{flat(fault)}", flat(fault)]),
    Runner("jest", "npx jest", JEST, joined(" > "), modules=True),
    Runner("jest-verbose", "npx jest --verbose --ci", JEST, joined(" > "), modules=True),
    Runner("vitest", "npx vitest run --globals", js("test/{}.test.mjs", "", JS, esm=True), joined(" > "), modules=True),
    Runner("mocha", "npx mocha test", MOCHA, joined(" > "), modules=True),
    Runner("mocha-tap", "npx mocha -R tap test", MOCHA, joined(" "), modules=True),
    Runner("mocha-dot", "npx mocha --reporter dot", MOCHA, joined(" > "), modules=True),
    Runner("jasmine", "npx jasmine 'spec/*.spec.js'", js("spec/{}.spec.js", "", JS, "it"), joined(" "), modules=True),
    Runner("node", "node --test", NODE, joined(" > ")),
    Runner("node-spec", "node --test --test-reporter spec test/", NODE, joined(" > ")),
    Runner("node-tap", "node --test --test-reporter=tap", NODE, joined(" > ")),
    Runner("ava", "npx ava", js("test/{}.test.mjs", "import test from 'ava';\n", AVA, suite="", parameter="t", end="t.pass();", esm=True), lambda fault: [flat(fault), f"{fault.file} › {flat(fault)}"], modules=True),
    Runner("tape", "npx tape 'test/*.js'", js("test/{}.js", "const test = require('tape');\n", TAPE, suite="", parameter="t", end=TAP_DONE), lambda fault: [flat(fault), f"{flat(fault)} > should be strictly equal", f"{flat(fault)} > Error: first {fault.number}"], "file", modules=True, is_silent=True),
    Runner("qunit", "npx qunit test/*.js", js("test/{}.js", "", QUNIT, "QUnit.test", "QUnit.module", "assert", "assert.ok(true);"), joined(" > "), modules=True),
    Runner("uvu", "npx uvu test", uvu, lambda fault: [f"{fault.suite or fault.file} > {fault.title}", fault.title], "file", modules=True),
    Runner("lab", "npx lab -l test/*.js", js("test/{}.js", "const { script } = require('@hapi/lab');\nconst { expect } = require('@hapi/code');\nconst lab = (exports.lab = script());\n", {**JS, "eq": "expect(shop.total(1)).to.equal(@N);"}, "lab.test", "lab.describe"), joined(" "), modules=True),
    Runner("cucumber", "npx cucumber-js", cucumber, scenario_name, modules=True),
    Runner("playwright", "npx playwright test", js("test/{}.spec.js", "const { test, expect } = require('@playwright/test');\n", JS, "test", "test.describe"), joined(" > "), modules=True),
    Runner("bun", "bun test", js("test/{}.test.js", "const { test, expect, describe } = require('bun:test');\n", JS), joined(" > "), modules=True),
    Runner("deno", "deno test -A", js("test/{}.test.mjs", "import assert from 'node:assert';\nconst test = Deno.test;\n", NODE_EQ, suite="", esm=True), flat_name),
    Runner("go", "go test ./...", go, go_name),
    Runner("go-v", "go test -v -count=1 ./...", go, go_name),
    Runner("go-json", "go test -json ./...", go, go_name),
    Runner("gotestsum", "gotestsum", go, go_name),
    Runner("gotestsum-v", "gotestsum --format standard-verbose -- -count=1 ./...", go, go_name),
    Runner("cargo", "cargo test --offline --no-fail-fast", rust, rust_name),
    Runner("cargo-nocapture", "cargo test --offline --no-fail-fast -- --nocapture --test-threads=1", rust, rust_name),
    Runner("nextest", "cargo nextest run --offline --no-fail-fast", rust, rust_name),
    Runner("rspec", "rspec", rspec, lambda fault: [f"{fault.suite or camel(fault.file)} {fault.title}"]),
    Runner("rspec-doc", "rspec -f documentation --order defined", rspec, lambda fault: [f"{fault.suite or camel(fault.file)} {fault.title}"]),
    Runner("minitest", "ruby -Itest test/all.rb", ruby_classes("Minitest::Test", "minitest/autorun"), ruby_name("{of}#{test}")),
    Runner("test-unit", "ruby -Itest test/all.rb", ruby_classes("Test::Unit::TestCase", "test/unit"), ruby_name("{test}({of})")),
    Runner("phpunit", "phpunit tests", phpunit, lambda fault: [f"{camel(fault.file)}Test::test{camel(flat(fault))}"]),
    Runner("phpunit-testdox", "phpunit --testdox --colors=never tests", phpunit, lambda fault: [f"{camel(fault.file)}Test::test{camel(flat(fault))}"]),
    Runner("bats", "bats test", bats, flat_name),
    Runner("bats-pretty", "bats --pretty test", bats, flat_name),
    Runner("prove", "prove", prove, flat_name, "file"),
    Runner("prove-v", "prove -v t", prove, flat_name, "file"),
    Runner("ctest", "ctest --test-dir build --output-on-failure", ctest, ctest_name, prepare=["cmake -S . -B build"]),
    Runner("ctest-quiet", "cd build && ctest -j 2", ctest, ctest_name, prepare=["cmake -S . -B build"]),
    Runner("gtest", "./tests", GTEST, lambda fault: [f"{camel(fault.file)}{fault.suite or ''}.{camel(fault.title)}"], prepare=["g++ -std=c++17 *_test.cpp -lgtest -lgtest_main -pthread -o tests"]),
    Runner("catch2", "./tests", CATCH, lambda fault: [f"{fault.file} {flat(fault)}"], prepare=["echo '#define CATCH_CONFIG_MAIN\n#include <catch2/catch.hpp>' >main.cc && g++ -std=c++17 *_test.cpp main.cc -o tests"]),
    Runner("busted", "busted", busted, lambda fault: [f"{fault.suite or fault.file} {fault.title}"]),
    Runner("busted-plain", "busted -o plainTerminal spec", busted, lambda fault: [f"{fault.suite or fault.file} {fault.title}"]),
    Runner("junit", "java -jar $JUNIT -cp out --scan-classpath --disable-banner", junit, lambda fault: [f"{camel(fault.file)}Test#{java_ident(fault)}"], prepare=["javac -d out -cp $JUNIT *.java"]),
    Runner("exunit", "mix test", exunit, exunit_name),
]
