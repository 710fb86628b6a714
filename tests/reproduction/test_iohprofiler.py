"""IOHprofiler's "Selected performance indicators" on ten running times under a common budget."""

import pytest

from benchmill.indicators.ert import indicators
from tests.costs.making import INF, cost_rows


def test_indicators():
    times = [500, INF, 740, 610, INF, INF, 555, 905, 1000, 430]
    table = cost_rows([{"algorithm": "A", "target": 1.0, "cost": t, "budget": 1000} for t in times])
    (row,) = indicators(table).to_pylist()
    assert row["mean"] == 774
    assert row["median"] == 822.5
    assert row["success_rate"] == 0.7  # a hit at the last evaluation counts
    assert row["ert"] == pytest.approx(1105.714, abs=5e-4)
    assert row["success_performance"] == pytest.approx(967.347, abs=5e-4)
    assert row["ert"] == pytest.approx(row["mean"] / row["success_rate"])
