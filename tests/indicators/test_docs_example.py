"""The example of docs/indicators.md runs, and its comments are true."""

import ast
import re
from pathlib import Path

import numpy as np
import pytest

PAGE = Path(__file__).parents[2] / "docs/indicators.md"


def test_every_comment_of_the_example_is_what_the_line_gives():
    code = re.search(r"```python\n(.*?)```", PAGE.read_text("utf-8"), re.DOTALL).group(1)
    names: dict[str, object] = {}
    checked = 0
    lines = code.splitlines()
    for node in ast.parse(code).body:
        if not isinstance(node, ast.Expr):
            exec(compile(ast.Module([node], []), PAGE.name, "exec"), names)
            continue
        value = eval(compile(ast.Expression(node.value), PAGE.name, "eval"), names)
        comment = re.search(r"  # (.*)", lines[node.end_lineno - 1])
        if comment and (said := re.match(r"([0-9.]+(?:, [0-9.]+)*)(?::|$)", comment.group(1))):
            wanted = [float(number) for number in said.group(1).split(", ")]
            found = np.concatenate([np.atleast_1d(part) for part in (value if isinstance(value, tuple) else (value,))])
            assert found.tolist() == pytest.approx(wanted, abs=5e-4)
            checked += 1
    assert checked >= 6
    assert names["y"][-1] == pytest.approx(0.7)
    assert value == "mass"
    assert names["low"][0] < 1105.714 < names["high"][0]
    # E[T~] of a run that starts with a failure: its budget, then what ERT says
    assert names["restarted"][names["trial"] == 1].mean() == pytest.approx(1000 + 7740 / 7, rel=0.1)
