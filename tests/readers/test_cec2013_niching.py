"""Peak ratios and success rates of the niching competition."""

import pytest

from benchmill.core import UserError, storage
from benchmill.costs import costs
from tests.readers.making import Result, folder

RATIOS = "1.0 1.0 0.5 0.25 0.0 \n" * 19 + "\n0.5\t0.5\t0.5\t0.5\t0.425\n"
RATES = "1\t1\t0.48\t0.02\t0\t\n" * 20


def test_summaries_by_accuracy(tmp_path):
    source = folder(tmp_path / "s", {"A_PR.dat": RATIOS, "A_SR.dat": RATES, "README.txt": "words"})
    result = Result(source, tmp_path / "out")
    assert result.report["format"] == "cec2013_niching"
    assert len(result.trials) == 100
    assert result.column("instance")[:5] == ["1e-1", "1e-2", "1e-3", "1e-4", "1e-5"]
    assert result.column("n_successes")[:5] == [50, 50, 24, 1, 0]
    assert result.column("cost")[:5] == [1, 1, 0.5, 0.25, 0]
    assert result.column("dimension")[::5] == [1, 1, 1, 2, 2, 2, 2, 3, 3, 2, 2, 2, 2, 3, 3, 5, 5, 10, 10, 20]
    assert result.column("source")[-1] == "A_PR.dat:21"
    assert result.counts() == {"file_not_matched": 1}
    trials = storage.read(result.files[0], "trials")
    peaks = costs("given", trials, None, "peaks", {"quantity": "rate"}).slice(0, 5)
    assert peaks.column("cost").to_pylist() == [1, 1, 2, 4, float("inf")]
    assert peaks.column("n").to_pylist() == [50] * 5
    rate = costs("success_rate", trials, None, "rate", {})
    assert rate.slice(0, 6).column("n").to_pylist() == [50, 50, 24, 26, 1, 49]


def test_a_matrix_of_another_shape(tmp_path):
    source = folder(tmp_path / "s", {"A_PR.dat": RATIOS, "A_SR.dat": RATES + RATES[: len(RATES) // 4]})
    result = Result(source, tmp_path / "out")
    assert result.counts() == {"half_pair": 1, "wrong_shape": 1}
    assert result.column("n_successes") == [None] * 100
    entry = next(e for e in result.report["irregularities"] if e["rule"] == "wrong_shape")
    assert (entry["file"], entry["detail"]) == ("A_SR.dat", "it has 25 rows of 5 numbers, expected 20 rows of 5")
    trials = storage.read(result.files[0], "trials")
    with pytest.raises(UserError):  # a peak ratio does not say how many runs found all peaks
        costs("success_rate", trials, None, "rate", {})


def test_rates_of_other_numbers_of_runs(tmp_path):
    source = folder(tmp_path / "s", {"A_SR.dat": RATES.replace("0.48", "0.333")})
    with pytest.raises(UserError, match=r"A_SR.dat:1: the success rate 0.333 is no whole number of 50 runs"):
        Result(source, tmp_path / "out")


def test_a_last_number_that_is_cut_is_a_missing_trial(tmp_path):
    result = Result(folder(tmp_path / "s", {"A_PR.dat": RATIOS.rstrip()[:-1]}), tmp_path / "out")
    assert (len(result.trials), result.report["trials"]["missing"]) == (99, 1)
    assert (result.report["missing"][0]["problem"], result.report["missing"][0]["instance"]) == ("f20", "1e-5")
