"""Say on the terminal what has changed in comparisons since the last run: no result may depend on what was there."""

import contextlib
import json
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from benchmill.core import storage, whole_file
from benchmill.core.errors import UserError
from benchmill.study.catalogue import files
from benchmill.study.study import Study
from benchmill.text import display, labels

#: What was compared, as the last run has left it that ended well; it can be deleted at any time, and the next run says nothing.
KEPT = Path(".snakemake/benchmill-compared.json")


def since_before(studies: Iterable[Study]) -> list[str]:
    """Return a paragraph for each study whose algorithms or leaders are others than before, and keep what they are now."""
    paragraphs: list[str] = []
    # what is elsewhere or damaged is no reason to fail
    with contextlib.suppress(UserError, OSError, ValueError, KeyError):
        before = json.loads(KEPT.read_bytes()) if KEPT.exists() else {}
        now = {study.name: compared for study in studies for compared in _compared(study)}
        paragraphs = [text for name, compared in now.items() for text in _told(name, before.get(name, compared), compared)]
        whole_file.write_text(KEPT, json.dumps({**before, **now}))
    return paragraphs


def _compared(study: Study) -> Iterator[dict[str, Any]]:
    """Yield by place in the logs what each algorithm is called, and by measure which comes first, if both are of the same run."""
    reports, leaders = files(study, "ingest"), files(study, "leaders")
    if all(Path(path).exists() for path in [*reports, *leaders]):
        called = {
            f"{path} {in_log}": name
            for path in reports
            for in_log, name in json.loads(Path(path).read_bytes())["algorithms_in_logs"].items()
            if name
        }
        rows = [row for path in leaders for row in storage.read(path, "leaders").to_pylist()]
        first = [(row["measure"], row["algorithm"]) for row in rows if row["headline"] and row["rank"] == 1]
        # the order may be older than the readings: this run was asked for something else
        if {row["algorithm"] for row in rows} == {*called.values()} - {*study.settings["not_competing"]}:
            yield {
                "called": called,
                "first": {
                    measure_name: [name for measure, name in first if measure == measure_name] for measure_name, _ in first
                },
            }


def _told(study: str, before: Mapping[str, Any], now: Mapping[str, Any]) -> Iterator[str]:
    old, new = before["called"], now["called"]
    renamed = {name: new[at] for at, name in old.items() if new.get(at, name) != name}
    changes = {
        "added": [name for at, name in new.items() if at not in old and name not in {*old.values()} - {*renamed}],
        "removed": [name for at, name in old.items() if at not in new and name not in {*new.values()} - {*renamed.values()}],
        "renamed": [f"{name} to {other}" for name, other in renamed.items()],
    }
    phrases = [f"{word} {display.listed(names)}" for word, names in changes.items() if names]
    led = {measure: [renamed.get(name, name) for name in names] for measure, names in before["first"].items()}
    leads = [
        f"{display.listed(names)} by {display.words(measure)} (before: {display.listed(led[measure])})"
        for measure, names in now["first"].items()
        if {*names} != {*led.get(measure, names)}
    ]
    if phrases or leads:
        yield labels.shown(
            f"{study}, since the last run: {'; '.join(phrases) or 'the same algorithms'}. "
            + (f"First is now {'; '.join(leads)}." if leads else "Who comes first is the same.")
        )
