"""Verdicts of Python's own readers: `front_ends.py MODE LIST`, one line of output a file.

LIST holds one path a line. A line of output is `valid`, `invalid`, or `unknown`, and after tabs the
line and the message of the first error.
"""

import json
import re
import sys
import tomllib
import warnings


def no_constant(name):
    raise json.JSONDecodeError(f"{name} is no JSON", "", 0)


def read_python(data):
    compile(data, "file", "exec", dont_inherit=True)


def read_json(data):
    json.loads(data.decode("utf-8-sig"), parse_constant=no_constant)


def read_toml(data):
    tomllib.loads(data.decode("utf-8-sig"))


def read_yaml(data):
    import yaml

    for _ in yaml.parse(data, Loader=yaml.SafeLoader):
        pass


READERS = {"python": read_python, "json": read_json, "toml": read_toml, "yaml": read_yaml}


def line_of(error, data):
    if isinstance(error, UnicodeDecodeError):
        return data.count(b"\n", 0, error.start) + 1
    mark = getattr(error, "problem_mark", None)
    if mark is not None:
        return mark.line + 1
    if getattr(error, "lineno", None):
        return error.lineno
    found = re.search(r"at line (\d+)", str(error))
    if found:
        return int(found.group(1))
    return len(data.splitlines()) if "end of document" in str(error) else 1


def verdict(read, data):
    try:
        read(data)
    except (MemoryError, RecursionError, OverflowError) as error:
        return f"unknown\t0\t{type(error).__name__}"
    except Exception as error:
        message = getattr(error, "msg", None) or getattr(error, "problem", None) or str(error)
        return f"invalid\t{line_of(error, data)}\t{' '.join(str(message).split())}"
    return "valid"


def main():
    warnings.simplefilter("ignore")
    sys.setrecursionlimit(5000)
    sys.stdout.reconfigure(encoding="utf-8", errors="replace")
    read = READERS[sys.argv[1]]
    with open(sys.argv[2], encoding="utf-8") as paths:
        for path in paths.read().splitlines():
            with open(path, "rb") as file:
                print(verdict(read, file.read()))


main()
