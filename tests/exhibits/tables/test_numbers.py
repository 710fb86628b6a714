"""Numbers under names, for the text of a paper."""

import math
import re
import shutil
import subprocess

import pyarrow as pa
import pytest

from benchmill.core import schema
from benchmill.exhibits.tables import build, numbers, write
from benchmill.indicators.summary import summary
from benchmill.text import labels
from tests.costs.making import solver_runs
from tests.page import synthetic


@pytest.fixture(scope="module")
def found():
    return numbers.build("my-study", synthetic.tables(n_problems=4), synthetic.reports())


def test_headline_numbers(found):
    by_key = {n.key: n for n in found}
    assert by_key["my-study/trials/found"].text == "3\u202f837"
    assert by_key["my-study/trials/missing"].value == 3
    assert by_key["my-study/algorithms"].value == 8
    assert by_key["my-study/trials/DE/found"].value == 477
    assert by_key["my-study/irregularities/repaired"].value == 2
    measures = synthetic.tables(n_problems=4)["profile_measures"].to_pylist()
    for row in measures:
        if row["algorithm"] == "CMA-ES" and row["variant"] == "dolan_more":
            assert by_key["my-study/profile/ert/dolan_more/all/CMA-ES/auc"].value == row["auc"]
    assert "my-study/profile/ert/dolan_more_by_dimension/dimension-10/CMA-ES/rho_1" in by_key
    assert "my-study/tests/ert/target-1e-07/friedman/p" in by_key


def test_names_are_unique_listed_and_safe(found):
    keys = [n.key for n in found]
    assert len(set(keys)) == len(keys)
    assert all(re.fullmatch(r"[A-Za-z0-9._+/-]+", key) for key in keys)
    source = numbers.render(found)
    for item in found:
        assert source.count(f"%   {item.key}  --  ") == (0 if item.single else 1)
        assert source.count(f"benchmill@{item.key}\\endcsname{{") == 1


def test_hostile_names_stay_apart_and_tame():
    tables = synthetic.tables(synthetic.HOSTILE, n_problems=2, measure="ert")
    found = numbers.build("s", tables, synthetic.reports(synthetic.HOSTILE))
    aucs = [n for n in found if n.key.startswith("s/profile/ert/dolan_more/all/") and n.key.endswith("/auc")]
    assert len(aucs) == len(synthetic.HOSTILE)
    source = numbers.render(found)
    assert source.count(r"\input") == source.count(r"\input of this file") == 1


def test_targets_that_differ_late_keep_different_names():
    a, b = 63.09573444801933, 63.0957
    assert labels.short(a) != labels.short(b)
    assert labels.short(1e-8) == "1e-08"


def test_what_a_source_does_not_say_is_unknown_not_zero():
    reports = synthetic.reports()
    reports[0]["trials"]["expected"] = None
    reports[0]["trials"]["missing"] = None
    by_key = {n.key: n.text for n in numbers.build("s", {}, reports)}
    assert by_key["s/trials/expected"] == by_key["s/trials/missing"] == "unknown"
    assert by_key["s/trials/found"] == "3\u202f837"


def test_every_number_has_a_documented_name(found):
    patterns = [re.sub(r"<[a-z]+>", "[^/]+", re.escape(name).replace(r"\-", "-")) for name in numbers.NAMES]
    used = set()
    for item in found:
        own = [name for name, p in zip(numbers.NAMES, patterns, strict=True) if re.fullmatch(p, item.key.split("/", 1)[1])]
        assert own, item.key
        used |= set(own)
    rest = set(numbers.NAMES) - used
    # those of solver runs and of a margin, and sentences, need a study that has them
    assert {name for name in rest if not name.startswith("summary/") and "/as_good/" not in name} <= {
        "headline", "control", "caveat", "fragility", "findings",
        "ecdf/<aggregation>/<curve>/<algorithm>/solved", "ecdf/<aggregation>/<curve>/<algorithm>/area",
        "indicators/<measure>/<problem>/<group>/<algorithm>/median", "contradictions",
        "profile/<measure>/<variant>/<group>/<algorithm>/wins"
    }  # fmt: skip


def test_numbers_of_solver_runs():
    costs, trials = solver_runs({"A": [10.0, 90.0, None], "B": [30.0, "error", "absent"], "G": [1.0, 1.0, 1.0]}, limit=100.0)
    made = summary([costs], [trials], shift=10.0, not_competing=("G",))
    found = {item.key.removeprefix("s/summary/time/"): item for item in numbers.build("s", made)}
    assert (found["limit/instances"].text, found["limit/left_out"].text) == ("2", "1")
    assert (found["limit/A/solved"].text, found["limit/B/error"].text, found["limit/B/missing"].text) == ("2", "1", "1")
    # of the two instances: 20 * 100 and 40 * 110 under the root, less 10
    first, second = 2000**0.5 - 10, 4400**0.5 - 10
    assert found["limit/A/sgm"].value == pytest.approx(first)
    assert found["limit/B/sgm_ratio"].text == f"{second / first:.3f}"
    assert (found["limit/B/par2"].value, found["x2/B/mean"].value) == (pytest.approx(115), pytest.approx(115))
    assert (found["limit/A/rank"].value, found["limit/B/rank"].value) == (1, 2)
    assert "limit/G/rank" not in found
    assert found[f"limit/{labels.file_name('virtual best')}/solved"].text == "2"
    assert found["all_solved/A/sgm"].value == pytest.approx(10)
    names = "|".join(re.sub(r"<[a-z]+>", "[^/]+", name) for name in numbers.NAMES)
    assert all(re.fullmatch(f"summary/time/(?:{names})|(?:{names})", f"summary/time/{key}") for key in found)
    assert numbers.render(list(found.values()))


TEX_TRICKS = [
    r"\input{/etc/passwd}",
    r"\write18{touch made}",
    "^^5cinput{/etc/passwd}",
    "100 % a # b ~ c",
    "$x^2_3$",
    "}{\\def\\x",
    "é ß 漢 😀 \u202eab",
]


def test_nothing_in_a_name_runs_in_tex(tmp_path):
    """Names in numbers, tables and captions, compiled as a paper would, and with programs allowed."""
    if not shutil.which("pdflatex"):
        pytest.skip("needs pdflatex")
    made = numbers.build("s", synthetic.tables(TEX_TRICKS, n_problems=2, measure="ert"), synthetic.reports(TEX_TRICKS))
    numbers.write(made, tmp_path / "numbers.tex")
    data = {**synthetic.tables(TEX_TRICKS, n_problems=2, measure="ert"), "ingest": synthetic.reports(TEX_TRICKS)}
    names = [n.key for n in made if n.key.endswith("/auc")]
    body = [r"\documentclass{article}\usepackage[T1]{fontenc}\usepackage{textcomp,amsmath,booktabs,longtable}\begin{document}"]
    body += [r"\input{numbers.tex}", *(rf"\benchmill{{{name}}}" for name in names)]
    for kind in ("inventory", "ert", "profile_measures"):
        table = build(kind, data, {"measure": {"name": "ert"}, "profile": {"name": "dolan_more"}})
        write(table, tmp_path / f"{kind}.tex")
        body += [rf"\input{{{kind}.tex}}"]
    (tmp_path / "t.tex").write_text("\n".join([*body, r"\end{document}"]), "utf-8")
    command = ["pdflatex", "-shell-escape", "-interaction=nonstopmode", "-halt-on-error", "-recorder", "t.tex"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, check=False)
    assert done.returncode == 0, done.stdout.decode("latin-1")[-2000:]
    assert not (tmp_path / "made").exists()
    assert "passwd" not in (tmp_path / "t.fls").read_text()


def test_primary_statements_have_a_name_in_either_order_of_the_pair():
    row = {
        "analysis": "primary",
        "measure": "ert",
        "family": "all pairs",
        "family_size": 1,
        "population": "problems like these",
        "criterion": "net share of wins",
        "method": "net_wins",
        "algorithm_a": "Ours",
        "algorithm_b": "X",
        "effect": 0.5,
        "effect_low": 0.125,
        "effect_high": 0.75,
        "p": 0.01,
        "p_adjusted": 0.02,
        "alpha": 0.05,
        "significant": True,
        "n_clusters": 9,
        "n_cells": 9,
        "text": "",
    }
    rows = [row, row | {"analysis": "secondary", "target": 1.0, "effect": -1.0}]
    table = schema.table("verdicts", {c: [r.get(c) for r in rows] for c in schema.TABLES["verdicts"].names})
    found = {number.key: number.value for number in numbers.build("s", {"verdicts": table})}
    assert found == {
        "s/Ours/X/effect": 0.5,
        "s/Ours/X/effect_low": 0.125,
        "s/Ours/X/effect_high": 0.75,
        "s/Ours/X/p_adjusted": 0.02,
        "s/X/Ours/effect": -0.5,
        "s/X/Ours/effect_low": -0.75,
        "s/X/Ours/effect_high": -0.125,
        "s/X/Ours/p_adjusted": 0.02,
    }


def test_equivalence_has_names_in_either_order_of_the_pair():
    row = {"analysis": "equivalence", "measure": "ert", "criterion": "ratio of costs", "algorithm_a": "Ours", "algorithm_b": "X"}
    row |= {"effect": 0.02, "effect_low": -0.01, "effect_high": 0.04, "p_adjusted": 0.03, "margin": 5.0}
    lacking = {**row, "algorithm_b": "Y", "effect": None, "effect_low": None, "effect_high": None, "p_adjusted": 1.0}
    table = pa.Table.from_pylist([{**row, "algorithm_a": None, "algorithm_b": None}, row, lacking])
    found = {number.key: number.value for number in numbers.build("s", {"verdicts": table})}
    for pair, ends in (("Ours/X", (0.02, -0.01, 0.04)), ("X/Ours", (-0.02, -0.04, 0.01))):
        values = [found.pop(f"s/{pair}/as_good/{name}") for name in ("effect", "effect_low", "effect_high")]
        assert values == pytest.approx([math.exp(end) for end in ends])
        assert (found.pop(f"s/{pair}/as_good/p_adjusted"), found.pop(f"s/{pair}/as_good/margin")) == (0.03, 5.0)
    # where no effect is known there is no number of it
    left = {"s/Ours/Y/as_good/p_adjusted": 1.0, "s/Y/Ours/as_good/p_adjusted": 1.0}
    assert found == left | {"s/Ours/Y/as_good/margin": 5.0, "s/Y/Ours/as_good/margin": 5.0}


def _pairs(n):
    """The primary analysis and one comparison of so many algorithms."""
    names = [f"a{i:02}" for i in range(n)]
    pairs = [(a, b) for i, a in enumerate(names) for b in names[i + 1 :]]
    verdicts = {
        "analysis": "primary",
        "measure": "ert",
        "family": "all pairs",
        "method": "net_wins",
        "effect": 0.25,
        "effect_low": 0.0,
        "effect_high": 0.5,
        "p": 0.01,
        "p_adjusted": 0.02,
        "margin": None,
    }
    comparisons = {"measure": "ert", "method": "wilcoxon", "correction": "holm", "p_adjusted": 0.5}
    tables = {}
    for name, row in (("verdicts", verdicts), ("comparisons", comparisons)):
        points = dict.fromkeys(("stratum", "dimension", "target", "at_budget"))
        tables[name] = pa.Table.from_pylist([{**row, **points, "algorithm_a": a, "algorithm_b": b} for a, b in pairs])
    return tables


@pytest.mark.parametrize("n", [25, 26])
def test_of_more_than_300_pairs_the_numbers_are_in_the_tables_alone(n, tmp_path):
    """25 algorithms are 300 pairs, 26 are 325."""
    made = numbers.build("s", _pairs(n))
    keys = {item.key for item in made}
    assert ("s/a00/a01/effect" in keys) == ("s/comparisons/ert/all/wilcoxon/a00/a01/p_adjusted" in keys) == (n == 25)
    numbers.write(made, tmp_path / "numbers.tex")
    if not shutil.which("pdflatex"):
        pytest.skip("needs pdflatex")
    body = [
        r"\documentclass{article}\begin{document}\input{numbers.tex}",
        # in a group, in a moving argument, in either order, and twice
        r"\section{\benchmill{s/a03/a17/effect}}{x\benchmill{s/a17/a03/effect_low}y} \benchmill{s/a17/a03/effect_low}z",
        r"\end{document}",
    ]
    (tmp_path / "t.tex").write_text("\n".join(body), "utf-8")
    command = ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "t.tex"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, check=False)
    if n == 26:
        assert b"There is no number called" in done.stdout
        return
    assert done.returncode == 0, done.stdout.decode("latin-1")[-2000:]
    shown = subprocess.run(["pdftotext", "t.pdf", "-"], cwd=tmp_path, capture_output=True, check=True).stdout.decode()
    assert "0.250" in shown
    assert "x\N{MINUS SIGN}0.500y \N{MINUS SIGN}0.500z" in shown


def test_a_study_with_a_control_has_its_primary_numbers_however_many_algorithms_there_are():
    tables = _pairs(26)
    mine = pa.compute.equal(tables["verdicts"]["algorithm_a"], "a00")
    keys = {item.key for item in numbers.build("s", {**tables, "verdicts": tables["verdicts"].filter(mine)})}
    assert "s/a00/a25/effect" in keys
    assert not any("wilcoxon" in key for key in keys)
