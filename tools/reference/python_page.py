"""docs/api/python.md, from the docstrings of the package, whose sources are read and not run."""

import ast
import os
import re

from .markdown import code, prose

BEGINNING = """# Python

The names that `import hetc` has. [From Python](../python.md) shows how they are used; `help(hetc.cholesky)` says the same as this page,
and `help()` of an algorithm says what it takes. Made by `tools/api` from the docstrings of [python/hetc](../../python/hetc).
"""


def homes(package):
    """The public names by module, as __init__.py has them."""
    with open(os.path.join(package, "__init__.py"), encoding="utf-8") as file:
        for statement in ast.parse(file.read()).body:
            if isinstance(statement, ast.Assign) and statement.targets[0].id == "_HOMES":
                return ast.literal_eval(statement.value)
    raise LookupError("python/hetc/__init__.py has no _HOMES")


def docstring(node):
    """The text of a function or class; of a class also that of a descriptor, __doc__ = Documentation(text)."""
    text = ast.get_docstring(node)
    for statement in node.body if not text else []:
        if isinstance(statement, ast.Assign) and getattr(statement.targets[0], "id", "") == "__doc__":
            text = " ".join(ast.literal_eval(statement.value.args[0]).split())
    return text or ""


def call_of(name, function):
    arguments = function.args
    if arguments.args and arguments.args[0].arg == "self":
        arguments.args = arguments.args[1:]
    return f"{name}({ast.unparse(arguments)})"


def stubs(package):
    """The classes of __init__.pyi by name: what is public of them."""
    with open(os.path.join(package, "__init__.pyi"), encoding="utf-8") as file:
        return {node.name: node for node in ast.parse(file.read()).body if isinstance(node, ast.ClassDef)}


def class_text(node, stub):
    lines = [prose(docstring(node)) + "\n"]
    functions = {member.name: member for member in node.body if isinstance(member, ast.FunctionDef)}
    for member in stub.body:
        if isinstance(member, ast.AnnAssign):
            lines.append(f"- `{member.target.id}`: {prose(f'`{ast.unparse(member.annotation)}`')}")
        elif isinstance(member, ast.FunctionDef) and member.name in functions:
            function = functions[member.name]
            said = ast.get_docstring(function)
            if said or member.name == "__init__":
                name = {"__init__": node.name, "__call__": "f"}.get(member.name, member.name)
                lines.append(f"- `{call_of(name, function)}`" + (": " + prose(" ".join(said.split())) if said else ""))
    return "\n".join(lines) + "\n"


def page(source):
    package = os.path.join(source, "python", "hetc")
    found, public = {}, stubs(package)
    for module, names in homes(package).items():
        with open(os.path.join(package, module + ".py"), encoding="utf-8") as file:
            found.update({node.name: node for node in ast.parse(file.read()).body
                          if isinstance(node, (ast.FunctionDef, ast.ClassDef)) and node.name in names})
    parts = [BEGINNING]
    functions = sorted(name for name, node in found.items() if isinstance(node, ast.FunctionDef))
    classes = sorted(name for name in found if name not in functions)
    parts.append("## Functions\n")
    for name in functions:
        text = " ".join(docstring(found[name]).split())
        parts.append(f"### {name}\n\n{code(call_of('hetc.' + name, found[name]), 'python')}\n{prose(text)}\n")
    parts.append("## Classes and exceptions\n")
    for name in classes:
        bases = ", ".join(ast.unparse(base) for base in found[name].bases)
        head = f"### {name}\n\n" + (f"An exception, a `{bases}`. " if bases.endswith("Error") else "")
        parts.append(head + class_text(found[name], public[name]))
    parts.append("`hetc.__version__` is the version, as `hetc --version` prints it.\n")
    return re.sub(r"\n{3,}", "\n\n", "\n".join(parts))
