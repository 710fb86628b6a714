"""ERT and success rates against cocopp, the post-processing of the COCO platform, where that is installed."""

import importlib.util
import tarfile
import warnings

import pytest

from tests.indicators.plain_scan import ARCHIVES, DATA, TARGETS, needs_real_data
from tests.indicators.test_real_logs import rows_of

pytestmark = [
    pytest.mark.compare,
    pytest.mark.skipif(importlib.util.find_spec("cocopp") is None, reason="needs cocopp"),
    needs_real_data,
]

# The best value of one trial rises (6.31 at its first evaluation, 11.7 at its 100th): the definition takes the first
# recorded hit, cocopp the first after the rise.
RISING = {("EvoSpace-PSO-GA", 18, 2, 10.0)}


@pytest.fixture(scope="module")
def cocopp():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # it looks for archives on the network while it is imported
        import cocopp
    return cocopp


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("algorithm", ARCHIVES)
def test_every_cell(algorithm, cocopp, tmp_path):
    """Equal in every cell but the one where a best value rises."""
    with tarfile.open(DATA / ARCHIVES[algorithm]) as tar:
        tar.extractall(tmp_path / "logs", filter="data")
    rows = rows_of(algorithm, tmp_path)
    compared = 0
    for data in cocopp.load(str(tmp_path / "logs")):
        pairs = zip(TARGETS, data.detERT(TARGETS), data.detSuccessRates(TARGETS), strict=True)
        for target, ert, success_rate in pairs:
            key = (data.funcId, data.dim, target)
            assert rows[key]["success_rate"] == success_rate
            assert rows[key]["n_trials"] == data.nbRuns()
            if (algorithm, *key) in RISING:
                assert rows[key]["ert"] < ert
            else:
                assert rows[key]["ert"] == pytest.approx(ert, rel=1e-12)
            compared += 1
    assert compared == len(rows)
