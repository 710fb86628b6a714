"""`benchmill compare`: exit codes, files, a history, and every command of the page for those who develop a solver."""

import json
import re
import shlex
from pathlib import Path

import jsonschema
import numpy as np
import pandas as pd
import pytest

from benchmill import cli
from benchmill.exhibits.figures import trend
from benchmill.versions import history
from benchmill.versions.sentences import ENTRY, SCHEMA
from tests.notebook.test_versions import frame

HERE = Path(__file__).parents[1]
READ = ["-o", "columns={algorithm: solver, cost: seconds, outcome: state, run: seed}", "-o", "time_limit=100"]
READ += ["-o", "outcomes={ok: solved, timeout: time_limit}"]


@pytest.fixture
def run(capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)

    def run(*arguments):
        code = cli.main(["compare", *map(str, arguments)])
        out, err = capsys.readouterr()
        return code, out, err

    return run


@pytest.fixture
def tables(tmp_path):
    rng = np.random.default_rng(0)
    base = rng.uniform(20, 40, 30)
    for name, factor in (("base", 1), ("same", rng.uniform(0.97, 1.03, 30)), ("slow", 1.2)):
        frame(base * factor).to_csv(tmp_path / f"{name}.csv", index=False)
    frame(np.full(30, 100.0)).to_csv(tmp_path / "none.csv", index=False)
    return tmp_path


def test_a_sweep_is_told_by_parameter(run, tmp_path):
    cells = [(f"p{p}", cuts, level) for p in range(12) for cuts in ("off", "on") for level in "ab"]
    rows = [(*cell, 1, (int(cell[0][1:]) + 1) * (2 if cell[1] == "off" else 1)) for cell in cells]
    pd.DataFrame(rows, columns=["problem", "cuts", "level", "seed", "seconds"]).to_csv(tmp_path / "sweep.csv", index=False)
    pd.read_csv(tmp_path / "sweep.csv").rename(columns={"problem": "what"}).to_csv(tmp_path / "models.csv", index=False)
    pd.read_csv(tmp_path / "sweep.csv").assign(state="timeout").to_csv(tmp_path / "ended.csv", index=False)
    columns = ["-o", "cost=seconds", "-o", "run=seed", "-o", "limit=100", "-o", "mean_shift=0"]
    code, out, err = run("sweep.csv", "--factors", "cuts,level", *columns)
    assert (code, err) == (0, "")
    found = [[cell.strip() for cell in line.strip("|").split("|")] for line in out.splitlines() if line.startswith("| ")][2:]
    assert [row[:3] + row[5:6] for row in found] == [
        ["cuts", "off", "24", "2.00"],
        ["cuts", "on", "24", "1.00"],
        ["level", "a", "24", "1.00"],
        ["level", "b", "24", "1.00"],
    ]
    for arguments, told in (
        (["sweep.csv", "--factors", "cut,level"], "there is no column 'cut'; did you mean 'cuts'?"),
        (["sweep.csv", "--factors", "cuts"], "row 2 has the parameters, the problem and the run of an earlier row"),
        (["models.csv", "--factors", "cuts,level"], "no column is called 'problem'; say which one it is (problem=...)"),
        # in a notebook it is a warning
        (["ended.csv", "--factors", "cuts,level"], "ended.csv: data: the column 'state' looks like `outcome`."),
        (["sweep.csv", "sweep.csv", "--factors", "cuts"], "it is of one table; expected `benchmill compare TABLE"),
        (["none.csv", "--factors", "cuts"], "none.csv: the table cannot be read (No such file or directory); correct `BASE`."),
    ):
        code, out, err = run(*arguments, *columns)
        assert code == 2
        assert told in err


def test_exit_codes(run, tables):
    rule = ["--fail-on", "regression>5%,lost,missing"]
    assert run("base.csv", "same.csv", *READ, *rule)[0] == 0
    code, out, err = run("base.csv", "slow.csv", *READ, *rule)
    assert (code, err) == (1, "")
    assert "regression" in out
    # without a rule nothing fails
    assert run("base.csv", "slow.csv", *READ)[0] == 0
    code, out, err = run("none.csv", "base.csv", *READ, "--fail-on", "regression>5%")
    assert (code, err) == (0, "")
    (tables / "other.csv").write_bytes((tables / "none.csv").read_bytes())
    code, out, err = run("none.csv", "other.csv", *READ, "--fail-on", "regression>5%")
    assert code == 2
    assert err == (
        "benchmill: --fail-on: regression>5%: there is no interval of the ratio (no instance is solved by either). Leave that "
        "part out, or give data that can decide it.\n"
    )


def test_several_versions_stand_beside_one_base_as_one_family(run, tables):
    code, out, err = run("base.csv", "same.csv", "slow.csv", *READ, "--fail-on", "regression>5%", "--output", "all")
    assert (code, err) == (1, "")
    assert "the intervals hold at once (95 %, Bonferroni)" in out
    # each as it is alone at half the error
    (tables / "c.yaml").write_text("level: 0.975\n")
    for number, name in enumerate(("same.csv", "slow.csv"), 1):
        found = json.loads((tables / "all" / str(number) / "comparison.json").read_text("utf-8"))
        assert run("base.csv", name, *READ, "--config", "c.yaml", "--output", "one")[0] == 0
        alone = json.loads((tables / "one" / "comparison.json").read_text("utf-8"))
        assert found["ratio"] == alone["ratio"]
        assert [line for line in out.splitlines() if line.startswith(f"| {name} |")]
    assert "slow.csv: " in out
    # one that is given twice is one
    assert run("base.csv", "slow.csv", "slow.csv", *READ)[1] == run("base.csv", "slow.csv", *READ)[1]


def test_answers_that_cannot_be_checked_are_no_right_ones(run, tables):
    for name, value in (("base", 90), ("same", 90), ("slow", 117)):
        data = pd.read_csv(tables / f"{name}.csv").replace("ok", "optimal").assign(obj=90)
        data.loc[3, "obj"] = value
        data.to_csv(tables / f"{name}.csv", index=False)
    (tables / "known.solu").write_text("=opt= p3 117\n")
    read = [*READ[:-1], "outcomes={optimal: solved, timeout: time_limit}", "--fail-on", "wrong"]
    code, out, err = run("base.csv", "same.csv", *read)
    assert code == 2
    assert err.startswith(
        "benchmill: --fail-on: wrong: not checked. There is nothing to check the 30 answers of NEW against (p0, "
    )
    assert "These data cannot decide the rule wrong." in out
    assert run("base.csv", "same.csv", *read, "--objective", "obj")[0] == 0
    code, out, _ = run("base.csv", "slow.csv", *read, "--objective", "obj")
    assert code == 1
    assert (
        "p3: BASE states the optimum 90 (base.csv:5), NEW the optimum 117 (slow.csv:5); which answer is wrong is not known."
        in out
    )
    assert run("base.csv", "slow.csv", *read, "--objective", "obj", "--best-known", "known.solu")[0] == 0
    (tables / "c.yaml").write_text("objective: obj\nbest_known: known.solu\n")
    assert run("slow.csv", "base.csv", *read, "--config", "c.yaml")[0] == 1


def test_files_are_written_and_checked(run, tables):
    code, out, _ = run("base.csv", "slow.csv", *READ, "--output", "out")
    assert code == 0
    assert (tables / "out/comparison.md").read_text("utf-8") == out
    found = json.loads((tables / "out/comparison.json").read_text("utf-8"))
    jsonschema.validate(found, SCHEMA)
    assert str(tables) not in json.dumps(found) + out + (tables / "out/comparison.html").read_text("utf-8")
    # the same input gives the same bytes
    before = {path.name: path.read_bytes() for path in (tables / "out").iterdir()}
    run("base.csv", "slow.csv", *READ, "--output", "out")
    assert {path.name: path.read_bytes() for path in (tables / "out").iterdir()} == before


def test_a_file_says_what_the_command_can(run, tables):
    (tables / "c.yaml").write_text(
        "options: {columns: {algorithm: solver, cost: seconds, outcome: state, run: seed}, time_limit: 100,\n"
        "  outcomes: {ok: solved, timeout: time_limit}}\nfail_on: regression>5%\nlevel: 0.9\n"
    )
    assert run("base.csv", "slow.csv", "--config", "c.yaml")[0] == 1
    assert run("base.csv", "slow.csv", "--config", "c.yaml", "--fail-on", "regression>50%")[0] == 0


def test_classes_of_a_table(run, tables):
    rows = "".join(f"p{i},{'even' if i % 2 == 0 else 'odd'}\n" for i in range(30))
    (tables / "classes.csv").write_text(f"problem,parity\n{rows}")
    code, out, _ = run("base.csv", "slow.csv", *READ, "--by", "classes.csv")
    assert code == 0
    assert "NEW needs more on even × 1.20 (1.20 to 1.20) and odd × 1.20 (1.20 to 1.20)." in out
    (tables / "classes.csv").write_text(f"problem,parity,size\n{rows}".replace("n\n", "n,1\n").replace("d\n", "d,2\n"))
    assert "expected one; leave the others out" in run("base.csv", "slow.csv", *READ, "--by", "classes.csv")[2]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["base.csv"], "compare: BASE and NEW are not both given; expected `benchmill compare BASE NEW`."),
        (["base.csv", "slow.csv", "--figure", "x.pdf"], "compare: --figure goes with --trend, and --label with --history;"),
        (["base.csv", "slow.csv", "--label", "x"], "compare: --figure goes with --trend, and --label with --history;"),
        (["base.csv", "gone.csv"], "gone.csv: there is no such file or folder; correct the path."),
        (["base.csv", "slow.csv", "--history", "h.jsonl"], "--label: a line of a history needs a name"),
        (["base.csv", "same.csv", "slow.csv", "--history", "h.jsonl", "--label", "x"], "and is of one NEW"),
        (["base.csv", "slow.csv", "--config", "c.yaml"], "c.yaml: there is no key 'limit', expected some of algorithm"),
        (["base.csv", "slow.csv", *READ, "--algorithm", "T"], "--base-algorithm"),
        (["base.csv", "slow.csv", *READ, "--measure", "tme"], "--measure"),
        (["base.csv", "slow.csv", *READ, "--fail-on", "slower"], "--fail-on: found 'slower', expected regression>5%"),
        (
            ["--trend", "gone.jsonl"],
            "there is no such file; `benchmill compare BASE NEW --history gone.jsonl` makes it.",
        ),
        (["--trend", "base.csv"], "base.csv:1: this is no line of a history"),
    ],
)
def test_mistakes(run, tables, arguments, message):
    (tables / "c.yaml").write_text("limit: 3\n")
    code, out, err = run(*arguments)
    assert (code, out) == (2, "")
    assert message in err
    assert err.count("\n") == 1


def test_a_history_and_where_it_changes(run, tables):
    """Twelve commits, each compared with the one before; the seventh is a quarter slower."""
    rng = np.random.default_rng(3)
    base = rng.uniform(20, 40, 30)
    for i in range(13):
        factor = (1.25 if i >= 7 else 1.0) * rng.uniform(0.98, 1.02, 30)
        frame(base * factor).to_csv(tables / f"c{i}.csv", index=False)
    for i in range(1, 13):
        assert run(f"c{i - 1}.csv", f"c{i}.csv", *READ, "--history", "h.jsonl", "--label", f"commit{i}")[0] == 0
    for line in (tables / "h.jsonl").read_text("utf-8").splitlines():
        jsonschema.validate(json.loads(line), ENTRY)
    code, out, _ = run("--trend", "h.jsonl", "--figure", "trend.svg")
    assert code == 0
    told = re.findall(r"Between (\S+) and (\S+): cost × (\S+) \((\S+) to (\S+), p < 0.001\), more than before", out)
    assert [ends[:2] for ends in told] == [("commit6", "commit7")]
    factor, low, high = map(float, told[0][2:])
    assert 1.2 < low < 1.25 < high < 1.3
    assert factor == pytest.approx(1.25, rel=0.01)
    # what all instances of a commit share is not in the intervals over instances, and is told
    assert "At most 5 % of histories without a change show one at any of their looks" in out
    assert "Where nothing changes, the level varies by" in out
    assert "<svg" in (tables / "trend.svg").read_text("utf-8")
    assert run("--trend", "h.jsonl", "--output", "course")[:2] == (code, out)
    page = (tables / "course/trend.html").read_text("utf-8")
    # a row for each commit, the change in that where it begins
    found = [re.sub(r"<[^>]+>", "|", row) for row in re.findall(r"<tr>(.*?)</tr>", page, re.S)]
    assert [(i, "×" in row) for i in range(1, 13) for row in found if re.search(rf"\|commit{i}\|", row)] == [
        (i, i == 7) for i in range(1, 13)
    ]
    assert (tables / "course/trend.svg").exists()
    assert 'href="trend.svg"' in page
    assert '<img src="trend.svg"' in page
    code, _, err = run("c0.csv", "c1.csv", *READ, "--history", "h.jsonl", "--label", "commit1")
    assert code == 2
    assert "there is a line 'commit1' already" in err


def test_the_course_of_each_class_says_which_carries_a_change(run, tables):
    """Of two classes one becomes a quarter slower at the seventh of twelve commits."""
    (tables / "classes.csv").write_text(
        "problem,class\n" + "".join(f"p{i},{'even' if i % 2 == 0 else 'odd'}\n" for i in range(30))
    )
    assert run("base.csv", "slow.csv", *READ, "--by", "classes.csv", "--history", "h.jsonl", "--label", "0")[0] == 0
    line = json.loads((tables / "h.jsonl").read_text("utf-8"))
    assert {name: {*of} for name, of in line["classes"].items()} == {name: {"ratio", "low", "high"} for name in ("even", "odd")}
    rng, lines, commits = np.random.default_rng(5), [], [f"{i:x}".rjust(8, "a") * 5 for i in range(12)]
    for number, commit in enumerate(commits):
        ratios = np.array([1.0, 1.25 if number >= 6 else 1.0]) * rng.uniform(0.995, 1.005, 2)
        ends = [{"ratio": one, "low": 0.9 * one, "high": 1.1 * one} for one in (ratios.mean(), *ratios)]
        lines.append(
            {**line, **ends[0], "label": commit, "new": commit, "classes": dict(zip(("even", "odd"), ends[1:], strict=True))}
        )
    (tables / "h.jsonl").write_text("".join(f"{json.dumps(one)}\n" for one in lines), "utf-8")
    out = run("--trend", "h.jsonl", "--output", "course")[1]
    where = f"Between {commits[5]} and {commits[6]}"
    assert re.findall(r"(Between \S+ and \w+)(, class \w+)?: cost × 1\.[12]", out) == [(where, ""), (where, ", class odd")]
    assert f"`git bisect start {commits[6]} {commits[5]}` says which commit between the two to run next." in out
    # a file a commit, which jobs of a forge can keep apart
    (tables / "kept").mkdir()
    for number, one in enumerate(lines):
        (tables / f"kept/{number}.jsonl").write_text(json.dumps(one) + "\n", "utf-8")
    assert run("--trend", "kept")[1] == out
    # without its line between two others a class has no course behind it, which is said
    gap = [{**one, "base": before["new"]} for before, one in zip([line, *lines], lines, strict=False)]
    gap[4] = {**gap[4], "classes": {"even": gap[4]["classes"]["even"]}}
    (tables / "gap.jsonl").write_text("".join(f"{json.dumps(one)}\n" for one in gap), "utf-8")
    assert re.findall(r"(\d+ lines? left out.*?):", run("--trend", "gap.jsonl")[1]) == ["8 lines left out, of class odd"]
    # a chart a class and one of all, a row a commit
    assert (tables / "course/trend.svg").read_text("utf-8").count('<g id="axes_') == 3
    # a class that changes much does not flatten the others
    points = history.trend(tables / "h.jsonl").points
    wide = points.assign(**{end: points[end].where(points["class"] != "odd", 50 * points[end]) for end in ("high", "level")})
    heights = [np.ptp(np.log(one.get_ylim())) for one in trend.draw(wide).axes]
    assert heights[2] > 5 * heights[1]
    page = (tables / "course/trend.html").read_text("utf-8")
    assert len(re.findall("<tr>", page)) == 13
    assert re.search(r"× 1\.1\d \(1\.\d+ to 1\.\d+, p &lt; 0\.001\); odd × 1\.2\d ", page)


def test_a_base_that_no_line_leads_to_is_left_out(run, tables):
    assert run("base.csv", "same.csv", *READ, "--history", "h.jsonl", "--label", "a")[0] == 0
    assert run("slow.csv", "same.csv", *READ, "--history", "h.jsonl", "--label", "b")[0] == 0
    out = run("--trend", "h.jsonl")[1]
    assert "1 line left out" in out
    assert "fewer than 8 comparisons" in out


def test_the_page_for_developers_is_right(run, tmp_path, monkeypatch):
    """Its configuration and its command work."""
    page = (HERE / "docs/developing.md").read_text("utf-8")
    written = re.search(r"```yaml\n# compare.yaml\n(.*?)```", page, re.S)[1]
    (tmp_path / "compare.yaml").write_text(written, encoding="utf-8")
    (tmp_path / "data").symlink_to(HERE / "data")
    command = next(line for line in page.splitlines() if line.startswith("benchmill compare data/"))
    assert run(*shlex.split(command)[2:])[0] == 1
    assert sorted(path.name for path in (tmp_path / "compared").iterdir()) == [
        "comparison.html",
        "comparison.json",
        "comparison.md",
    ]
