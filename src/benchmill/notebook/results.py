"""The results of a finished run as the objects of a notebook."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

import pyarrow as pa
import yaml

from benchmill.core import schema, storage
from benchmill.core.errors import UserError
from benchmill.core.natural_order import natural_key
from benchmill.core.options import held, made
from benchmill.indicators import ecdf as distributions
from benchmill.indicators import ert as described
from benchmill.indicators import summary as summarised
from benchmill.inference import analysis
from benchmill.notebook.comparison import Comparison
from benchmill.notebook.costs import Costs, Part
from benchmill.notebook.indicators import Ecdf, Indicators
from benchmill.notebook.objects import own, plain
from benchmill.notebook.profile import Profile
from benchmill.notebook.runs import Reported, Runs, Source
from benchmill.notebook.summary import Summary
from benchmill.registry.measures import MEASURES, RUNNING_TIMES
from benchmill.registry.variants import TABLES, VARIANTS


@dataclass(frozen=True, eq=False)
class Results(Reported):
    """The results of a study, as `benchmill.load` finds them.

    Attributes
    ----------
    folder : str
        Where they are.
    settings : dict
        The study with all defaults filled in.
    """

    folder: str
    settings: dict[str, Any] = field(repr=False)

    @property
    def measures(self) -> list[str]:
        """Names of the measures."""
        return list(self.settings["measures"])

    @property
    def profiles(self) -> list[str]:
        """Names of the profile variants."""
        return [profile["name"] for profile in self.settings["profiles"]]

    @property
    def reports(self) -> list[dict[str, Any]]:
        """The report of each source."""
        return [own(report) for report in self._reports]

    @property
    def runs(self) -> Runs:
        """The trials and traces of all sources."""
        return Runs(
            tuple(
                Source(name, self._read("trials", name), self._read("traces", name), report)
                for name, report in zip(self._sources, self._reports, strict=True)
            )
        )

    def costs(self, measure: str | None = None) -> Costs:
        """The costs of a measure; by default the first.

        Raises
        ------
        UserError
            There is no such measure, or its files are not there.
        """
        chosen = self._measure(measure)
        parts = (
            Part(name, self._read("costs", chosen["name"], name), self._read("trials", name), report)
            for name, report in zip(self._sources, self._reports, strict=True)
        )
        return Costs(tuple(parts), chosen, tuple(self.settings["problem_keys"]))

    def profile(self, measure: str | None = None, name: str | None = None) -> Profile:
        """The profiles of a measure, by the name of their variant; by default the first of each.

        Raises
        ------
        UserError
            There is no such measure or variant, or the files are not there.
        """
        chosen = self._measure(measure)
        called = self._named("profile", name, self.profiles)
        settings = next(profile for profile in self.settings["profiles"] if profile["name"] == called)
        variant = VARIANTS[settings["variant"]]
        options = variant.load().Options.of({k: v for k, v in settings.items() if k != "variant"}, variant.name)
        data = {table: self._read(table, chosen["name"], called) for table in (*TABLES, *variant.tables)}
        every = {"problem_keys": list(self.settings["problem_keys"]), "measure": chosen}
        return Profile(
            {**data, "ingest": self.reports}, {**every, "profile": {"variant": variant.name, **held(options), "name": called}}
        )

    def ert(self, measure: str | None = None) -> Indicators:
        """The indicators of a measure, with the tests of the best algorithm; by default of the first.

        Raises
        ------
        UserError
            There is no such measure, or its files are not there.
        """
        chosen = self._measure(measure)
        found = schema.concatenate(self._read("indicators", name) for name in self._sources)
        rows = found.filter(pa.compute.equal(found["measure"].cast(pa.string()), chosen["name"]))
        data = {"indicators": rows, "ingest": self.reports}
        names = [f.name for f in described.Options.__dataclass_fields__.values()]
        kept = {name: value for name, value in self.settings["indicators"].items() if name in names}
        settings = {
            "problem_keys": list(self.settings["problem_keys"]),
            "measure": chosen,
            "indicators": held(made(described.Options, kept, "indicators")),
        }
        if MEASURES[chosen["kind"]].running_times:
            data["rank_sums"] = self._read("rank_sums", chosen["name"])
            settings["alpha"] = self.settings["inference"]["alpha"]
        return Indicators(data, settings)

    def ecdf(self, aggregate: str = "problem") -> Ecdf:
        """The distributions of running times of an aggregation.

        Raises
        ------
        UserError
            The study has no such aggregation.
        """
        settings = self.settings["indicators"]["ecdf"]
        called = self._named("aggregation", aggregate, settings["aggregate"])
        options = held(made(distributions.Options, {**settings, "aggregate": [called]}, "indicators.ecdf"))
        data = {name: self._read(name, called) for name in ("ecdf", "ecdf_curves")}
        origin = storage.origin_of(self._path("ecdf", called))
        note = {key: origin[key] for key in ("left_out", "n_left_out")}
        kept = {key: settings[key] for key in ("targets", "scale")}
        measure = {"name": "ecdf", "kind": RUNNING_TIMES, **held(made(MEASURES[RUNNING_TIMES].load().Options, kept, "ecdf"))}
        return Ecdf(
            {**data, "ingest": self.reports, "origins": {f"ecdf/{called}.parquet": note}},
            {"measure": measure, "indicators": {"ecdf": options}, "aggregation": called},
        )

    def compare(self, measure: str | None = None) -> Comparison:
        """The tests and comparisons of a measure; by default of the first.

        Raises
        ------
        UserError
            There is no such measure, or its files are not there.
        """
        chosen = self._measure(measure)
        data = {name: self._read(name, chosen["name"]) for name in analysis.RESULTS}
        return Comparison(
            {**data, "verdicts": self._read("verdicts"), "ingest": self.reports},
            {key: own(self.settings)[key] for key in ("problem_keys", "cluster_keys", "control", "inference")}
            | {"measure": chosen},
        )

    def summary(self, measure: str | None = None) -> Summary:
        """The summary of solver runs by a measure; by default by the first.

        Raises
        ------
        UserError
            There is no such measure, or the study has no summary of it.
        """
        chosen = self._measure(measure)
        options = held(made(summarised.Options, self.settings["indicators"]["summary"], "indicators.summary"))
        options["measures"] = None
        return Summary(
            {"summary": self._read("summary", chosen["name"]), "ingest": self.reports},
            {
                "problem_keys": list(self.settings["problem_keys"]),
                "measure": chosen,
                "indicators": {"summary": options},
            },
        )

    def frame(self, *path: str) -> Any:
        """Any table of the results as a DataFrame, such as ``frame("standings", "profiles")``; docs/files.md lists all.

        Raises
        ------
        UserError
            There is no such file.
        """
        return plain(self._read(*path))

    def cite(self) -> str:
        """BibTeX of every method and data set that the study uses: its `references.bib`.

        Raises
        ------
        UserError
            The file is not there.
        """
        path = self._path("references", suffix="bib")
        try:
            return path.read_text("utf-8")
        except OSError as error:
            raise UserError(f"{path}: cannot be read ({error.strerror}); make it with `snakemake --cores all {path}`.") from None

    @cached_property
    def _reports(self) -> list[dict[str, Any]]:
        return [json.loads(self._path("ingest", name, suffix="json").read_text("utf-8")) for name in self._sources]

    @cached_property
    def _sources(self) -> list[str]:
        return sorted((path.stem for path in Path(self.folder, "ingest").glob("*.json")), key=natural_key)

    def _measure(self, name: str | None) -> dict[str, Any]:
        """The settings of a measure, all that there are."""
        called = self._named("measure", name, self.measures)
        settings = {key: value for key, value in self.settings["measures"][called].items() if key != "kind"}
        kind = self.settings["measures"][called]["kind"]
        return {"name": called, "kind": kind, **held(made(MEASURES[kind].load().Options, settings, f"the measure {called!r}"))}

    def _named(self, what: str, name: str | None, known: Sequence[str]) -> str:
        if not known or name not in (None, *known):
            raise UserError(f"{self.folder}: there is no {what} {name!r}, expected one of {', '.join(known) or 'none'}.")
        return known[0] if name is None else name

    def _path(self, *path: str, suffix: str = "parquet") -> Path:
        return Path(self.folder, *path[:-1], f"{path[-1]}.{suffix}")

    def _read(self, *path: str) -> pa.Table:
        return storage.read(self._path(*path), path[0])


def load(folder: str | Path) -> Results:
    """Load the results of a finished run of the workflow.

    Parameters
    ----------
    folder : path
        `results/<study>`.

    Returns
    -------
    Results
        With `costs`, `profile`, `ert`, `ecdf`, `compare` and `summary`, which give the same objects as the functions of these
        names.

    Raises
    ------
    UserError
        The folder does not hold the results of a study.

    Examples
    --------
    >>> import benchmill as bm
    >>> results = bm.load("results/table")
    >>> results.measures
    ['cost']
    >>> sorted(results.profile("cost").measures["algorithm"])
    ['Ours', 'Third one', 'theirs']
    """
    path = Path(folder, "config.yaml")
    try:
        studies = yaml.safe_load(path.read_text("utf-8"))["studies"]
        ((_, settings),) = studies.items()
    except OSError as error:
        raise UserError(
            f"{path}: cannot be read ({error.strerror}); give the folder results/<study> of a finished run."
        ) from None
    except (KeyError, TypeError, ValueError, yaml.YAMLError):
        raise UserError(f"{path}: is not what the workflow writes of a study; make it with Snakemake.") from None
    return Results(str(folder), settings)
