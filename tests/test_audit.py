"""What continuous integration makes of the answers of pip-audit."""

import json
import runpy
from pathlib import Path

import pytest

AUDIT = runpy.run_path(str(Path(__file__).parents[1] / ".ci/audit.py"))

FINE = {"name": "numpy", "version": "2.0", "vulns": []}
FLAWED = {"name": "x", "version": "1.0", "vulns": [{"id": "PYSEC-1", "fix_versions": ["1.1", "2.0"], "aliases": []}]}
SKIPPED = {"name": "y", "skip_reason": "not found"}


@pytest.mark.parametrize(
    ("packages", "code", "told"),
    [
        ([FINE, SKIPPED], 0, "no known vulnerability in 1 of 2 packages"),
        ([FINE, FLAWED], 1, "x 1.0: PYSEC-1, fixed in 1.1, 2.0"),
        # an index that knows nothing is no good news
        ([SKIPPED, SKIPPED], 0, "not audited: the index knows none of the 2 packages"),
    ],
)
def test_a_known_vulnerability_fails_and_silence_is_called_silence(packages, code, told):
    found, message = AUDIT["verdict"](json.dumps({"dependencies": packages, "fixes": []}))
    assert found == code
    assert told in message


@pytest.mark.parametrize("output", ["", "Traceback", "[]", "{}", "null"])
def test_without_an_index_nothing_fails(output):
    assert AUDIT["verdict"](output) == (0, "not audited: no index of vulnerabilities can be reached")


def test_what_is_ignored_has_a_reason():
    assert AUDIT["ignored"]("# a comment\n\nPYSEC-1  # never used\nGHSA-x # tests only\n") == ["PYSEC-1", "GHSA-x"]
    with pytest.raises(SystemExit, match="PYSEC-1 has no reason"):
        AUDIT["ignored"]("PYSEC-1\n")
    AUDIT["ignored"]((Path(__file__).parents[1] / ".ci/audit-ignored.txt").read_text("utf-8"))
