#!/usr/bin/env python3
"""The names that Python files give, as CPython itself sees them.

Usage: python.py LIST, a file of paths. A line of JSON a file: `given`, the names that may be bound at module level when its
import has ended, and `public`, those of them that others may rely on; or `unread` with the reason.

CPython's parser reads the file, its compiler says what is bound: the bytecode of the module is followed along every
jump and every handler, and a name counts that is bound on any way to the end. Parts for scripts and type checkers are taken out.
Public are the names of `__all__` that the file binds; without one that can be read, those without a leading underscore
that the file does not only import.
"""
import ast
import os
import dis
import json
import symtable
import sys
import warnings

warnings.simplefilter("ignore")
sys.setrecursionlimit(20_000)

JUMPS = set(dis.hasjrel) | set(dis.hasjabs)
ALWAYS = {"JUMP_FORWARD", "JUMP_BACKWARD", "JUMP_BACKWARD_NO_INTERRUPT", "JUMP_ABSOLUTE", "JUMP"}
ENDS = {"RAISE_VARARGS", "RERAISE"}
RETURNS = {"RETURN_VALUE", "RETURN_CONST"}


def is_never_true_on_import(test):
    if isinstance(test, ast.Constant):
        return test.value is False
    if isinstance(test, ast.Compare) and len(test.ops) == 1 and isinstance(test.ops[0], ast.Eq):
        sides = [test.left, test.comparators[0]]
        names = [side.id for side in sides if isinstance(side, ast.Name)]
        texts = [side.value for side in sides if isinstance(side, ast.Constant)]
        return names == ["__name__"] and texts == ["__main__"]
    name = test.id if isinstance(test, ast.Name) else getattr(test, "attr", None)
    return name == "TYPE_CHECKING"


class Imported(ast.NodeTransformer):
    """Every condition is open, as who imports sees it; bodies of functions and classes do not matter."""

    def visit_If(self, node):
        if is_never_true_on_import(node.test):
            node.body = [ast.copy_location(ast.Pass(), node)]
        return self.opened(node)

    def opened(self, node):
        # Or the compiler leaves out what a constant decides.
        if isinstance(node.test, ast.Constant) or isinstance(node.test, ast.Name) and node.test.id == "__debug__":
            name = ast.copy_location(ast.Name("open", ast.Load()), node.test)
            node.test = name
        return self.generic_visit(node)

    visit_While = opened

    def visit_Try(self, node):
        if node.handlers:
            body, node.body = node.body, []
            self.generic_visit(node)
            node.body = body
            return node
        return self.generic_visit(node)

    def visit_Raise(self, node):
        # Who gets here imports nothing, but what a branch binds before counts as in any other branch.
        return ast.copy_location(ast.Pass(), node)

    def visit_Module(self, node):
        if ast.get_docstring(node) is not None:
            del node.body[0]
        return self.generic_visit(node)

    def leave(self, node):
        return node

    visit_FunctionDef = visit_AsyncFunctionDef = visit_ClassDef = visit_Lambda = leave


def bound_at_the_end(code):
    """The names that may be bound where a module's code returns."""
    steps = list(dis.get_instructions(code))
    at = {step.offset: number for number, step in enumerate(steps)}
    table = [(e.start, e.end, e.target) for e in dis._parse_exception_table(code)]
    before, found, left = {0: frozenset()}, set(), [0]

    def reach(number, names):
        if number < len(steps) and (number not in before or not names <= before[number]):
            before[number] = before.get(number, frozenset()) | names
            left.append(number)

    handlers = {}
    for start, end, target in table:
        for number, step in enumerate(steps):
            if start <= step.offset < end:
                handlers.setdefault(number, []).append(at[target])
    while left:
        number = left.pop()
        step, names = steps[number], before[number]
        is_deletion = step.opname in ("DELETE_NAME", "DELETE_GLOBAL")
        for handler in handlers.get(number, []):
            # To delete a name fails only if there is none.
            reach(handler, names - {step.argval} if is_deletion else names)
        if step.opname in ("STORE_NAME", "STORE_GLOBAL"):
            names = names | {step.argval}
        elif is_deletion:
            names = names - {step.argval}
        if step.opname in RETURNS:
            found |= names
        elif step.opcode in JUMPS:
            reach(at[step.argval], names)
            if step.opname not in ALWAYS:
                reach(number + 1, names)
        elif step.opname not in ENDS:
            reach(number + 1, names)
    return found


def texts(value):
    """The strings of lists and tuples that hold nothing else, and of sums of them; None of anything else."""
    if isinstance(value, (ast.List, ast.Tuple)):
        strings = [item.value for item in value.elts if isinstance(item, ast.Constant)]
        plain = len(strings) == len(value.elts) and all(isinstance(it, str) for it in strings)
        return strings if plain else None
    if isinstance(value, ast.BinOp) and isinstance(value.op, ast.Add):
        left, right = texts(value.left), texts(value.right)
        return None if left is None or right is None else left + right
    return None


def is_all(node):
    return isinstance(node, ast.Name) and node.id == "__all__"


class Declared(ast.NodeVisitor):
    """`__all__`, where every statement that makes it can be read without running it."""

    def __init__(self):
        self.names, self.is_known, self.counted = None, True, set()

    def take(self, value, *, fresh):
        names = texts(value) if value is not None else None
        if names is None:
            self.is_known = False
        elif fresh and self.names is None:
            self.names = names
        else:
            # One of several, by a branch: all of them count.
            self.names = (self.names or []) + names

    def visit_Assign(self, node):
        if any(is_all(target) for target in node.targets):
            self.counted |= {id(target) for target in node.targets}
            self.take(node.value, fresh=True)
        self.generic_visit(node)

    def visit_AnnAssign(self, node):
        if is_all(node.target) and node.value is not None:
            self.counted.add(id(node.target))
            self.take(node.value, fresh=True)
        self.generic_visit(node)

    def visit_AugAssign(self, node):
        if is_all(node.target):
            self.counted.add(id(node.target))
            self.take(node.value if isinstance(node.op, ast.Add) else None, fresh=False)
        self.generic_visit(node)

    def visit_Expr(self, node):
        call = node.value
        if isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute) and is_all(call.func.value):
            self.counted.add(id(call.func.value))
            value = call.args[0] if len(call.args) == 1 else None
            if call.func.attr == "append" and value is not None:
                value = ast.List([value], ast.Load())
            if call.func.attr == "remove" and isinstance(value, ast.Constant) and value.value in (self.names or []):
                self.names.remove(value.value)
            else:
                self.take(value if call.func.attr in ("append", "extend") else None, fresh=False)
        self.generic_visit(node)

    def visit_Name(self, node):
        # Read, it changes nothing; anything else might.
        if is_all(node) and id(node) not in self.counted and not isinstance(node.ctx, ast.Load):
            self.is_known = False

    def leave(self, node):
        pass

    visit_FunctionDef = visit_AsyncFunctionDef = visit_ClassDef = visit_Lambda = leave


def passed_on(tree, path):
    """Names that the file of a package takes from its own modules, or imports `as` themselves, for others."""
    is_stub = path.endswith(".pyi")
    directories = path.split("/")[:-1]
    is_package = os.path.basename(path).startswith("__init__.py")
    names = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom):
            is_own = is_package and (node.level > 0 or (node.module or "").split(".")[0] in directories)
            names |= {it.asname or it.name for it in node.names if is_own}
        if isinstance(node, (ast.Import, ast.ImportFrom)) and (is_package or is_stub):
            names |= {it.name for it in node.names if it.asname == it.name}
    return names


def names(path):
    with open(path, "rb") as file:
        source = file.read()
    source.decode("utf-8")
    # What the compiler refuses is not read, whatever is taken out of it below.
    compile(ast.parse(source), path, "exec")
    tree = Imported().visit(ast.parse(source))
    given = bound_at_the_end(compile(tree, path, "exec"))
    given -= {"__annotate__", "__conditional_annotations__"}
    declared = Declared()
    declared.visit(tree)
    if declared.names is not None and declared.is_known:
        return given, given & set(declared.names)
    symbols = symtable.symtable(ast.unparse(tree), path, "exec").get_symbols()
    only_imported = {it.get_name() for it in symbols if it.is_imported() and not it.is_assigned() and not it.is_namespace()}
    only_imported -= passed_on(tree, path)
    return given, {name for name in given - only_imported if not name.startswith("_")}


for path in open(sys.argv[1]).read().splitlines():
    said = {"path": path}
    try:
        given, public = names(path)
        said |= {"given": sorted(given), "public": sorted(public)}
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        said["unread"] = f"{type(error).__name__}: {error}"
    print(json.dumps(said))
