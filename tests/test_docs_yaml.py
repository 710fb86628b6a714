"""Every YAML block of the documentation is a configuration that holds, and the figures and tables of the pages are made."""

import copy
import dataclasses
import re
from dataclasses import dataclass

import pytest
import yaml

from benchmill import cli
from benchmill.competition.options import Sheet
from benchmill.study import study as config
from benchmill.study import validation, views
from benchmill.versions import commands
from tests.runs.conftest import PROJECT, Workspace

#: Pages whose blocks have tests of their own: the gallery is drawn, the tutorial is run, examples are put into a copy.
ELSEWHERE = {"gallery.md", "tutorial.md", "extending.md"}
SCHEMA = validation.schema()["properties"]
OF_STUDY = SCHEMA["studies"]["additionalProperties"]["properties"]
#: What the blocks of the pages take for granted.
BASE = {
    "sources": ["logs/*.tgz"],
    "problem_keys": ["suite", "problem", "dimension"],
    "measures": {"ert": {"kind": "fixed_target", "targets": [10, 0.1, 1e-3, 1e-7]}},
    "profiles": ["dolan_more", {"variant": "dolan_more", "by": "dimension"}],
    "indicators": {
        "ecdf": {"groups": "bbob", "aggregate": ["target", "problem", "dimension", "group"]},
        "kaplan_meier": {"measures": ["ert"]},
    },
}


def blocks_of(*names):
    """The YAML blocks of the pages, each with the page and the line where it stands."""
    for page in [PROJECT / "README.md", *sorted((PROJECT / "docs").glob("*.md"))]:
        text = page.read_text("utf-8")
        for block in re.finditer(r"^```yaml\n(.*?)^```", text, re.MULTILINE | re.DOTALL):
            if page.name not in ELSEWHERE and (not names or page.name in names):
                yield page.name, text[: block.start()].count("\n") + 1, block[1]


@dataclass
class Found:
    format: str
    algorithms: list[str]


def look(path, format):
    return Found(format or ("table" if ".csv" in path.name else "coco"), [path.name.split(".")[0]])


#: What the tables that blocks name say.
TABLES = {
    "classes.csv": "problem,class,size\nf1,planning,1\nf2,network,2\nf3,network,30\n"
    + "".join(f"p{i},planning,{i}\n" for i in range(4, 20)),
    "solvers.csv": "algorithm,licence\na,commercial\nb,free\n",
}
PATH = re.compile(r"(?:[\w*.-]+/)*[\w*-]+\.(?:csv\.gz|csv|tgz|tar\.xz|txt|zip|tex)|logs/\w+(?![\w./*])")


def touched(value, folder):
    """Make a file for every path that a block names."""
    for name in [*PATH.findall(yaml.safe_dump(value)), *TABLES, "lp.csv"]:
        path = folder / name.replace("*", "a").lstrip("/")
        path.parent.mkdir(parents=True, exist_ok=True)
        if path.suffix:
            path.write_text(TABLES.get(path.name, ""), "utf-8")
        else:
            path.mkdir(exist_ok=True)


@pytest.mark.parametrize(("page", "line", "text"), [pytest.param(*block, id=f"{block[0]}:{block[1]}") for block in blocks_of()])
def test_a_block_of_the_documentation_is_valid(page, line, text, tmp_path):
    block = yaml.safe_load(text)
    if isinstance(block, list):  # entries of `sources`, some of them instead of each other
        block = {"studies": {f"s{i}": {**copy.deepcopy(BASE), "sources": [entry]} for i, entry in enumerate(block)}}
    if "jobs" in block:  # a workflow of GitHub
        (with_,) = [step["with"] for job in block["jobs"].values() for step in job["steps"] if "with" in step]
        assert set(with_) <= set(yaml.safe_load((PROJECT / "action.yml").read_text("utf-8"))["inputs"])
        return
    if "fail_on" in block:  # what `compare --config` reads
        (tmp_path / "compare.yaml").write_text(text, "utf-8")
        parsed = commands._asked_of_comparison(
            cli._parser().parse_args(["compare", "a", "b", "--config", str(tmp_path / "compare.yaml")])
        )
        assert parsed["fail_on"] == block["fail_on"]
        return
    if "logs" in block:  # the sheet of an entry
        assert set(block) <= {field.name for field in dataclasses.fields(Sheet)}
        return
    if "studies" not in block:
        own = {key: value for key, value in block.items() if key in OF_STUDY}
        rest = {key: value for key, value in block.items() if key not in OF_STUDY}
        assert set(rest) <= set(SCHEMA), f"{page}, line {line}: no key of a configuration"
        base = copy.deepcopy(BASE)
        if own.get("measures"):  # other measures than those that the indicators are of
            base |= {
                "indicators": {},
                "attributes": {"problems": "classes.csv"},
                "sources": [{"path": "lp.csv", "time_limit": 9}],
                "problem_keys": ["problem"],
                "profiles": ["dolan_more"],
            }
        block = {**rest, "studies": {"mine": {**base, **own}}}
    for name, study in block["studies"].items():
        touched(study, tmp_path)
        if study.get("competition"):
            pytest.skip(
                f"{name} is a competition, whose entries stand beside it; tests/runs/test_competition.py has its template"
            )
    block["studies"] = {
        name: {**study, "sources": study["sources"] if "coco:" not in str(study["sources"]) else "logs/mine.tgz"}
        for name, study in block["studies"].items()
    }
    studies = config.read_studies(block, [tmp_path], look=look, figures_of=views.figures_of, where=f"{page}, line {line}")
    assert list(studies) == list(block["studies"])


@pytest.mark.workflow
def test_the_figures_and_tables_of_the_pages_are_made(tmp_path):
    workspace = Workspace(tmp_path)
    (tmp_path / "logs").mkdir()
    for name in ("CMA-ES", "Powell", "SLSQP"):
        (tmp_path / f"logs/{name}.tar.xz").symlink_to(PROJECT / f"data/bbob/{name}.tar.xz")
    study = {
        **copy.deepcopy(BASE),
        "sources": "logs/*",
        "algorithms": {"rename": {"Powell": "Ours"}},
        "figures": [],
        "tables": [],
    }
    for _, _, text in blocks_of("figures.md", "indicators.md"):
        for key, asked in yaml.safe_load(text).items():
            if key in ("figures", "tables"):
                study[key] += [entry for entry in asked if entry != "all"]
    workspace.config.write_text(yaml.safe_dump({"studies": {"mine": study}}), "utf-8")
    wanted = [f"results/mine/figures/{name}.pdf" for name in ("main", "low_and_high", "two_groups", "aocc")]
    run = workspace.run(*wanted, "results/mine/tables/ert_5d.tex", "results/mine/tables/two_of_us.tex")
    assert run.code == 0, run.output
    assert len(study["figures"]) >= 10
