"""Functions that anyone may call take few enough parameters to be read in one line of thought."""

import ast
from pathlib import Path

SOURCE = Path(__file__).parents[2] / "src/benchmill"
MOST = 8


def at_the_front_door(place, name):
    """Whether a person calls it in a notebook: with keywords that have defaults, as the axes-level functions of seaborn."""
    return (
        name == "compare_versions"
        or place.startswith("notebook/")
        or (place.startswith("exhibits/figures/") and name in ("plot", "profile_plot", "ecdf_plot"))
    )


def public_functions(path):
    """The functions and methods of a module that do not begin with an underscore, nor their classes."""
    bodies = [ast.parse(path.read_text("utf-8")).body]
    while bodies:
        for node in bodies.pop():
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                bodies.append(node.body)
            elif isinstance(node, ast.FunctionDef) and not node.name.startswith("_"):
                yield node


def number(function):
    """Parameters of a function, without `self`."""
    given = [argument.arg for argument in (*function.args.posonlyargs, *function.args.args, *function.args.kwonlyargs)]
    return len(given) - (given[:1] in (["self"], ["cls"]))


def test_no_public_function_takes_more_than_eight_parameters():
    found = {}
    for path in SOURCE.rglob("*.py"):
        place = path.relative_to(SOURCE).as_posix()
        inside = (function for function in public_functions(path) if not at_the_front_door(place, function.name))
        found |= {f"{place}: {function.name}": number(function) for function in inside}
    assert found["readers/__init__.py: ingest"] == 7
    assert {name: count for name, count in found.items() if count > MOST} == {}
