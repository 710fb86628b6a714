"""The study of BBOB 2009 in 40-D on the one archive of it that is at hand, against the text of its logs."""

import re
import tarfile
from pathlib import Path

import yaml

from benchmill.core import storage
from benchmill.costs import costs
from benchmill.profiles import all_tables
from benchmill.profiles.ratios import ratios
from benchmill.readers import ingest
from tests.indicators.plain_scan import DATA, needs_real_data

ARCHIVE = "DIRECT_posik_noiseless.data-only.tgz"
STUDY = yaml.safe_load((Path(__file__).parents[2] / "studies/bbob2009.yaml").read_text("utf-8"))["studies"]["bbob2009"]


def final_values():
    """Best differences to the optimum by function and instance in 40-D, as the .info files state them."""
    found = {}
    with tarfile.open(DATA / ARCHIVE) as archive:
        for member in archive:
            if member.name.endswith(".info"):
                lines = archive.extractfile(member).read().decode().splitlines()
                for head, entries in zip(lines[::3], lines[2::3], strict=False):
                    function, dimension = (int(re.search(rf"{name} = (\d+)", head)[1]) for name in ("funcId", "DIM"))
                    if dimension == 40:
                        # what they state is less the precision of 1e-8
                        finals = re.findall(r"(\d+):\d+\|([-+.e\d]+)", entries)
                        found[function] = [float(value) + 1e-8 for _, value in finals]
    return found


@needs_real_data
def test_direct_in_40_d(tmp_path):
    ingest(DATA / ARCHIVE, [tmp_path / "trials", tmp_path / "traces", tmp_path / "report"], name="source")
    chosen = dict(STUDY["measures"]["ert"])
    table = costs(
        chosen.pop("kind"),
        storage.read(tmp_path / "trials", "trials"),
        storage.pieces(tmp_path / "traces", "traces"),
        "ert",
        chosen,
    )
    assert set(table.column("dimension").to_pylist()) == {40}
    solved = {function: sum(value <= 1e-3 for value in values) for function, values in final_values().items()}
    assert len(solved) == 24
    assert 0 < sum(n > 0 for n in solved.values()) < 24
    found = {}
    for row in table.to_pylist():
        function = int(row["problem"].removeprefix("f"))
        found[function] = found.get(function, 0) + row["success"]
    assert found == solved
    rated = ratios(table, measure="ert")
    share = sum(n > 0 for n in solved.values()) / 24
    for variant in STUDY["profiles"]:
        measures = all_tables(rated, table, measure="ert", variant=variant)["profile_measures"].to_pylist()
        assert [row["n_problems"] for row in measures] == [24]
        if variant == "dolan_more":  # alone it is the best wherever it solves a problem at all
            assert [row["rho_1"] for row in measures] == [share]
