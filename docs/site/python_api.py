# SPDX-License-Identifier: Apache-2.0
"""The Python package's reference: signatures from its sources and stubs, and its docstrings.

The sources are read, not imported: object stores and clusters need not be installed. Only the part
that is not Python is imported, because its docstrings are nowhere else.
"""

import ast
import importlib
import inspect
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

PACKAGE = "saltmill"
COMPILED = "_saltmill"
MODULES = ("fs", "dask")  # beside what the package itself has
WIDTH = 88  # of a signature in one line

Definition = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | ast.AnnAssign | ast.Assign


class Module:
    """What a file defines, by name; a function with overloads has several definitions."""

    def __init__(self, path: Path, compiled: Any = None) -> None:
        self.tree = ast.parse(path.read_text())
        self.compiled = compiled
        self.defined = definitions(self.tree.body)

    def names(self) -> list[str]:
        """Public functions and classes."""
        kinds = (ast.FunctionDef, ast.ClassDef)
        return [
            name
            for name, found in self.defined.items()
            if isinstance(found[0], kinds) and not name.startswith("_")
        ]


def definitions(body: list[ast.stmt]) -> dict[str, list[Definition]]:
    found: dict[str, list[Definition]] = {}
    for node in body:
        match node:
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
                found.setdefault(node.name, []).append(node)
            case ast.AnnAssign(target=ast.Name(id=name)) | ast.Assign(targets=[ast.Name(id=name)]):
                found.setdefault(name, []).append(node)
    return found


def decorated(node: Definition, name: str) -> bool:
    return any(ast.unparse(one) == name for one in getattr(node, "decorator_list", []))


def split(arguments: str) -> list[str]:
    """At the commas between arguments."""
    parts, depth = [""], 0
    for character in arguments:
        depth += (character in "([{") - (character in ")]}")
        if character == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += character
    return [part.strip() for part in parts if part.strip()]


def signature(node: ast.FunctionDef | ast.AsyncFunctionDef, *, bound: bool) -> str:
    arguments = split(ast.unparse(node.args))
    if bound and not decorated(node, "staticmethod"):
        arguments = arguments[1:]
    start = "async def " if isinstance(node, ast.AsyncFunctionDef) else "def "
    end = f" -> {ast.unparse(node.returns)}" if node.returns else ""
    line = f"{start}{node.name}({', '.join(arguments)}){end}"
    if len(line) <= WIDTH:
        return line
    inside = "".join(f"    {argument},\n" for argument in arguments)
    return f"{start}{node.name}(\n{inside}){end}"


def docstring(node: Definition, compiled: Any) -> str:
    """Of the source; of what was compiled, where the stubs have none."""
    if not isinstance(node, ast.AnnAssign | ast.Assign) and (said := ast.get_docstring(node)):
        return said
    return (inspect.getdoc(compiled) or "") if compiled is not None else ""


def fenced(lines: list[str]) -> str:
    return "```python\n" + "\n".join(lines) + "\n```"


def function(found: list[Definition], compiled: Any, *, bound: bool) -> Iterator[str]:
    shown = [node for node in found if decorated(node, "overload")] or found
    lines = []
    for node in shown:
        assert isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        lines += ["@classmethod"] if decorated(node, "classmethod") else []
        lines += ["@property"] if decorated(node, "property") else []
        lines.append(signature(node, bound=bound))
    yield fenced(lines)
    yield docstring(found[-1], compiled)


def attributes(node: ast.ClassDef) -> Iterator[str]:
    """Fields, with the string behind each."""
    for i, one in enumerate(node.body):
        if not isinstance(one, ast.AnnAssign) or ast.unparse(one.target).startswith("_"):
            continue
        behind = node.body[i + 1] if i + 1 < len(node.body) else None
        match behind:
            case ast.Expr(value=ast.Constant(value=str(said))):
                words = f": {' '.join(said.split())}"
            case _:
                words = ""
        kind = " ".join(ast.unparse(one.annotation).split())
        yield f"- `{ast.unparse(one.target)}: {kind}`{words}"


def class_(node: ast.ClassDef, compiled: Any) -> Iterator[str]:
    bases = ", ".join(ast.unparse(base) for base in node.bases)
    inside = definitions(node.body)
    lines = [f"class {node.name}({bases})" if bases else f"class {node.name}"]
    for made in inside.get("__new__", inside.get("__init__", [])):
        assert isinstance(made, ast.FunctionDef)
        made.name, made.returns = node.name, None
        lines.append(signature(made, bound=True).removeprefix("def "))
    yield fenced(lines)
    yield docstring(node, compiled)
    yield "\n".join(attributes(node))
    for name, found in inside.items():
        if isinstance(found[0], ast.FunctionDef | ast.AsyncFunctionDef) and name[0] != "_":
            yield f"#### {node.name}.{name}"
            yield from function(found, getattr(compiled, name, None), bound=True)


def entry(name: str, module: Module) -> Iterator[str]:
    found = module.defined[name]
    compiled = getattr(module.compiled, name, None)
    yield f"### {name}"
    match found[0]:
        case ast.ClassDef() as node:
            yield from class_(node, compiled)
        case ast.FunctionDef() | ast.AsyncFunctionDef():
            yield from function(found, compiled, bound=False)
        case node:
            yield fenced([ast.unparse(node)])


def origins(tree: ast.Module) -> dict[str, str]:
    """The module that each name is imported from; also what only a type checker imports."""
    return {
        alias.asname or alias.name: node.module
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and node.level == 1 and node.module
        for alias in node.names
    }


def home(folder: Path, name: str) -> str:
    """The module that defines what the package has; others may hand it on."""
    module = "__init__"
    while module != COMPILED:
        tree = ast.parse((folder / f"{module}.py").read_text())
        if name in definitions(tree.body):
            break
        module = origins(tree)[name]
    return module


def public(tree: ast.Module) -> list[str]:
    """What a user imports; errors last."""
    for node in tree.body:
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "__all__":
            names: list[str] = ast.literal_eval(node.value)
            return sorted(
                (name for name in names if not name.startswith("__")),
                key=lambda name: (name.endswith("Error"), name.casefold()),
            )
    raise ValueError("there is no __all__")


def compiled_part(package: Path) -> Any:
    sys.path.insert(0, str(package))
    try:
        return importlib.import_module(f"{PACKAGE}.{COMPILED}")
    finally:
        sys.path.remove(str(package))


def text(package: Path) -> Iterator[str]:
    folder = package / PACKAGE
    top = ast.parse((folder / "__init__.py").read_text())
    yield "# The Python package"
    yield "Signatures and docstrings. What to do with them: [Python](../docs/python.html)."
    yield f"## {PACKAGE}"
    yield ast.get_docstring(top) or ""
    modules: dict[str, Module] = {}
    for name in public(top):
        origin = home(folder, name)
        if origin not in modules:
            compiled = compiled_part(package) if origin == COMPILED else None
            path = folder / f"{origin}{'.pyi' if compiled else '.py'}"
            modules[origin] = Module(path, compiled)
        yield from entry(name, modules[origin])
    for name in MODULES:
        module = Module(folder / f"{name}.py")
        yield f"## {PACKAGE}.{name}"
        yield ast.get_docstring(module.tree) or ""
        for one in module.names():
            yield from entry(one, module)


def page(package: Path) -> str:
    return "\n\n".join(piece for piece in text(package) if piece) + "\n"
