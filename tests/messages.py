"""The messages in the code that tell a user what to do, so that tests can look whether each is followed somewhere."""

import ast
import re
from pathlib import Path

import benchmill

PACKAGE = Path(benchmill.__file__).parent


def naming(place, named):
    """Where an error is raised to its text as a regular expression, of a module or a folder; only texts that `named` takes."""
    path = PACKAGE / place
    found = {}
    for module in sorted(path.rglob("*.py")) if path.is_dir() else [path]:
        for node in ast.walk(ast.parse(module.read_text("utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in ("UserError", "Incomplete"):
                found_here, *remedy = [_expression(argument) for argument in node.args[:2]]
                if named(" ".join([_plain(found_here), *map(_plain, remedy)])):
                    found[f"{module.relative_to(PACKAGE)}: {_plain(found_here)}"] = found_here
    return found


def not_said(found, said):
    """The texts that none of the messages has."""
    return sorted(where for where, text in found.items() if not any(re.match(text, message) for message in said))


def _expression(node):
    if isinstance(node, ast.Constant):
        return re.escape(str(node.value))
    if isinstance(node, ast.JoinedStr):
        return "".join(_expression(part) if isinstance(part, ast.Constant) else ".*" for part in node.values)
    if isinstance(node, ast.BinOp):
        return _expression(node.left) + _expression(node.right)
    return ".*"


def _plain(expression):
    return re.sub(r"\\(.)", r"\1", expression)
