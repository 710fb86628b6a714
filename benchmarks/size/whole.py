"""Does the workflow find what `verdicts.py` does? Simulated studies as files, through reading, measuring and testing.

    python benchmarks/size/whole.py [studies of each case] [rearrangements at most]

Writes each study as a table of improvements, runs the workflow on all of them as far as `verdicts.parquet`, with settings as they
are by default, and compares every p value with that of `decide`, bit for bit, and effects and intervals to the last digits.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np
import yaml
from verdicts import decide

from benchmill.core import storage
from benchmill.inference import draws
from studies import CASES, Study, simulate

PROJECT = Path(__file__).parents[2]


def differences(folder: Path, study: Study, number: int, permutations: int) -> list[str]:
    """What the results of a study say otherwise."""
    rows = storage.read(folder / "verdicts.parquet", "verdicts").to_pylist()
    found = decide(study, number, permutations)

    def read(analysis: str, pairs: bool, name: str) -> list[float]:
        return [row[name] for row in rows if row["analysis"] == analysis and (row["algorithm_a"] is not None) == pairs]

    wrong = []
    for words, here, there in (
        ("all, primary", read("primary", False, "p_adjusted"), [found.equal]),
        ("pairs, primary", read("primary", True, "p_adjusted"), found.pairs.p_adjusted.tolist()),
        ("all, secondary", read("secondary", False, "p_adjusted"), found.pairs_secondary.min(axis=1).tolist()),
        ("pairs, secondary", read("secondary", True, "p_adjusted"), found.pairs_secondary.ravel().tolist()),
    ):
        wrong += [words] * (here != there)
    for name, values in (("effect", found.pairs.effect), ("effect_low", found.pairs.low), ("effect_high", found.pairs.high)):
        wrong += [name] * (not np.allclose(read("primary", True, name), values, rtol=1e-12, atol=1e-12))
    return wrong


def main(each: int = 1, permutations: int = draws.MOST) -> int:
    """Print what differs; 0 if nothing does."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        simulated = {f"s{c}_{n}": (simulate(case, n), n) for c, case in enumerate(CASES) for n in range(each)}
        for name, (study, _) in simulated.items():
            study.write(folder / f"{name}.csv")
        settings = {name: study.settings(folder / f"{name}.csv", n, permutations) for name, (study, n) in simulated.items()}
        (folder / "config.yaml").write_text(yaml.safe_dump({"studies": settings}))
        wanted = [f"results/{name}/verdicts.parquet" for name in simulated]
        files = [
            "--snakefile",
            str(PROJECT / "Snakefile"),
            "--configfile",
            str(folder / "config.yaml"),
            "--directory",
            str(folder),
        ]
        subprocess.run([sys.executable, "-m", "snakemake", "--cores", "2", "--quiet", "all", *files, *wanted], check=True)
        failed = 0
        for name, (study, number) in simulated.items():
            wrong = differences(folder / "results" / name, study, number, permutations)
            failed += bool(wrong)
            print(f"{study.case.words}, study {number}: {', '.join(wrong) + ' differ' if wrong else 'the same'}", flush=True)
    print(f"{len(simulated) - failed} of {len(simulated)} studies are the same")
    return failed


if __name__ == "__main__":
    sys.exit(main(*(int(word) for word in sys.argv[1:])))
