"""Takes the small programs out of CPython's own tests: `snippets.py DIRECTORY`.

Each doctest example, and each string that a test hands to a function, becomes a separate file;
none is known to be valid.
"""

import ast
import doctest
import pathlib
import sys
import sysconfig
import textwrap

TESTS = """
    test_syntax test_grammar test_fstring test_exceptions test_named_expressions test_patma
    test_generators test_coroutines test_scope test_future test_type_comments test_positional_only_arg
    test_unpack_ex test_string_literals test_compile test_ast test_global test_genexps test_listcomps
    test_decorators test_super test_keywordonlyarg test_except_star test_with test_eof test_source_encoding
    test_parser test_unparse test_codeop test_flufl test_annotations test_type_annotations
    test_dictcomps test_setcomps test_lambda test_peg_generator test_tokenize test_symtable
""".split()


def examples(source):
    try:
        yield from (it.source for it in doctest.DocTestParser().get_examples(source))
    except ValueError:
        return


def arguments(tree):
    for call in (it for it in ast.walk(tree) if isinstance(it, ast.Call)):
        for argument in call.args:
            inner = ast.walk(argument) if isinstance(argument, (ast.Tuple, ast.List)) else [argument]
            yield from (it.value for it in inner if isinstance(it, ast.Constant))


def snippets(path):
    tree = ast.parse(path.read_bytes())
    strings = [it.value for it in ast.walk(tree) if isinstance(it, ast.Constant)]
    texts = [text for text in strings if isinstance(text, str) and ">>> " in text]
    found = [source for text in texts for source in examples(text)]
    found += [text for text in arguments(tree) if isinstance(text, str) and len(text) > 2]
    return dict.fromkeys(textwrap.dedent(it) for it in found)


def main():
    target = pathlib.Path(sys.argv[1])
    home = pathlib.Path(sysconfig.get_path("stdlib"), "test")
    for path in (home / f"{name}.py" for name in TESTS):
        if not path.is_file():
            continue
        folder = target / path.stem
        folder.mkdir(parents=True, exist_ok=True)
        for number, text in enumerate(snippets(path)):
            try:
                (folder / f"{number:04}.py").write_bytes(text.encode())
            except UnicodeEncodeError:
                continue


main()
