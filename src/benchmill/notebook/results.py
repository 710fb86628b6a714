"""The results of a finished run as objects."""

import json
from collections.abc import Iterable, Sequence
from functools import cache, cached_property, partial
from pathlib import Path
from typing import Any

import pandas as pd
import pyarrow as pa
import yaml

from benchmill import __version__
from benchmill.core import AnyPath, Given, OptionsT, UserError, Written, keys, natural_key, schema, storage
from benchmill.core.options import held, made, properties
from benchmill.indicators import kaplan_meier as followed
from benchmill.inference import analysis, design, verdicts
from benchmill.notebook import arguments, comparison
from benchmill.notebook.costs import Costs
from benchmill.notebook.indicators import Ecdf, Indicators, KaplanMeier, Profile, Summary, SummaryOfGaps, shown, values_settings
from benchmill.notebook.objects import own, plain
from benchmill.notebook.runs import Reported, Runs, Source
from benchmill.registry import indicator_options, inference, primary
from benchmill.registry.measures import MEASURES, RUNNING_TIMES, VALUES
from benchmill.registry.variants import TABLES, VARIANTS
from benchmill.text.claims import known

#: What the workflow writes of every study and is read here.
_NEEDED = ("problem_keys", "cluster_keys", "measures", "profiles", "indicators", "inference", "control", "appearance")


class Results(Reported):
    """The results of a study, as `benchmill.load` finds them: their folder, and the name of the study."""

    folder: str
    study: str
    _settings: Written

    def __repr__(self) -> str:
        return f"Results(folder={self.folder!r}, study={self.study!r})"

    @property
    def settings(self) -> Written:
        """The study with all defaults filled in: a copy."""
        return own(self._settings)

    @property
    def measures(self) -> list[str]:
        """Names of the measures."""
        return list(self._settings["measures"])

    @property
    def profiles(self) -> list[str]:
        """Names of the profile variants."""
        return [profile["name"] for profile in self._settings["profiles"]]

    @property
    def reports(self) -> list[Written]:
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
        """Return the costs of a measure; here and below by default the first."""
        chosen, none = self._measure(measure), schema.TABLES["traces"].empty_table()
        return Costs(
            tuple(
                Source(name, self._read("trials", name), none, report, self._read("costs", chosen["name"], name))
                for name, report in zip(self._sources, self._reports, strict=True)
            ),
            chosen,
            tuple(self._settings["problem_keys"]),
        )

    def profile(self, measure: str | None = None, name: str | None = None) -> Profile:
        """Return the profiles of a measure, by the name of their variant; by default the first."""
        chosen = self._measure(measure)
        called = self._named("profile", name, self.profiles)
        settings = next(profile for profile in self._settings["profiles"] if profile["name"] == called)
        variant = VARIANTS[settings["variant"]]
        options = variant.options.of({k: v for k, v in settings.items() if k != "variant"}, variant.name)
        return Profile(
            self._tables((*TABLES, *variant.tables), chosen["name"], called),
            self._about(chosen, profile={"variant": variant.name, **held(options), "name": called}),
        )

    def ert(self, measure: str | None = None) -> Indicators:
        """Return the indicators of a measure, with the tests of the best algorithm."""
        chosen = self._measure(measure)
        data = {
            "indicators": keys.of_measure(
                schema.concatenate(self._read("indicators", name) for name in self._sources), chosen["name"]
            ),
            "ingest": self.reports,
        }
        kept = {name: value for name, value in self._settings["indicators"].items() if name in properties(indicator_options.Ert)}
        settings = self._about(chosen, indicators=held(_made(indicator_options.Ert, kept, "indicators")))
        if MEASURES[chosen["kind"]].running_times:
            data["rank_sums"] = self._read("rank_sums", chosen["name"])
            settings["alpha"] = self._settings["inference"]["alpha"]
            settings["not_competing"] = list(self._settings["not_competing"])
        return Indicators(data, settings)

    def ecdf(self, aggregate: str = "problem", measure: str | None = None) -> Ecdf:
        """Return the distributions of running times; with a measure of values, those of the values reached."""
        settings, name = self._settings["indicators"]["ecdf"], "ecdf" if measure is None else "value_ecdf"
        chosen = {} if measure is None else self._measure(measure)
        if chosen and chosen["kind"] != VALUES:
            raise UserError(f"ecdf: {chosen['name']} is a measure of the kind {chosen['kind']}, expected {VALUES}.")
        listed = indicator_options.of_budgets(settings["aggregate"]) if chosen else settings["aggregate"]
        called = self._named("aggregation", aggregate, listed)
        # aggregations of values have other names
        options = _made(indicator_options.Ecdf, settings if chosen else settings | {"aggregate": [called]}, "indicators.ecdf")
        if chosen:
            return Ecdf(self._curves(name, chosen["name"], called), values_settings(chosen, options, called))
        kept = {key: settings[key] for key in ("targets", "scale")}
        running_times = {"name": name, "kind": RUNNING_TIMES, **held(_made(MEASURES[RUNNING_TIMES].options, kept, name))}
        return Ecdf(
            self._curves(name, called), {"measure": running_times, "indicators": {name: held(options)}, "aggregation": called}
        )

    def _curves(self, name: str, *path: str) -> Written:
        tables, origin = self._tables((name, f"{name}_curves"), *path), storage.origin_of(self._path(name, *path))
        note = {key: origin[key] for key in ("left_out", "n_left_out") if key in origin}
        return {**tables, "origins": {f"{'/'.join((name, *path))}.parquet": note}}

    def compare(self, measure: str | None = None) -> comparison.Comparison:
        """Return the tests and comparisons of a measure."""
        chosen = self._measure(measure)
        # a measure that no profile is made of has none
        ratios = ("ratios",) if self._path("ratios", chosen["name"]).exists() else ()
        data = {
            **self._tables((*analysis.RESULTS, *ratios), chosen["name"]),
            **{name: keys.of_measure(self._read(name), chosen["name"]) for name in ("leaders", "verdicts")},
            **{"families": self._families, "cells": cache(partial(self.cells, chosen["name"]))},
        }
        return comparison.Comparison(
            data,
            {key: self._settings[key] for key in ("problem_keys", "cluster_keys", "control", "inference")} | {"measure": chosen},
        )

    def cells(self, measure: str) -> tuple[list[design.Design], tuple[keys.Key, ...]]:
        """Return the designs of a measure that the primary analysis pools, and what makes clusters of them."""
        settings = self._settings
        # strata deal the same cells to several designs, which the primary analysis pools again
        options = _made(inference.Options, settings["inference"] | {"stratify": []}, "inference")
        single = options.design == "single"
        designs = design.of_study(
            options,
            measure=measure,
            problem_keys=settings["problem_keys"],
            seed=settings["seed"],
            ratios=self._read("ratios", measure) if single else None,
            costs=[] if single else [(name, self._read("costs", measure, name)) for name in self._sources],
            not_competing=settings["not_competing"],
        )
        return verdicts.pooled(
            designs, verdicts.Declaration(primary=primary.Primary(**settings["primary"])), measure
        ), keys.resolved(settings["cluster_keys"], self._families)

    def claims(self) -> pd.DataFrame:
        """Return what the study claims: a row for each claim and convention, the primary analysis first."""
        return plain(self._read("claims"))

    def summary(self, measure: str | None = None) -> Summary | SummaryOfGaps:
        """Return the summary of solver runs by a measure."""
        chosen = self._measure(measure)
        options = held(_made(indicator_options.Summary, self._settings["indicators"]["summary"], "indicators.summary"))
        tables = self._tables(("summary", "solver_runs"), chosen["name"]) | {"families": self._families}
        return shown(tables, self._about(chosen, indicators={"summary": options | {"measures": None}}))

    def kaplan_meier(self, measure: str | None = None) -> KaplanMeier:
        """Return curves and restricted means of a measure that the study follows."""
        section = self._settings["indicators"]["kaplan_meier"]
        chosen = self._measure(self._named("measure with curves", measure, section["measures"]))
        options = held(_made(followed.Options, {**section, "measures": ()}, "indicators.kaplan_meier"))
        return KaplanMeier(
            self._tables(("kaplan_meier", "restricted_means"), chosen["name"]) | {"families": self._families},
            self._about(chosen, indicators={"kaplan_meier": options}),
        )

    @property
    def tables(self) -> list[str]:
        """Every table of the results, as `frame` takes it; docs/files.md says what each has."""
        names = (path.relative_to(self.folder).with_suffix("").as_posix() for path in Path(self.folder).rglob("*.parquet"))
        return sorted((name for name in names if name.split("/")[0] in schema.TABLES), key=natural_key)

    def frame(self, *path: str) -> pd.DataFrame:
        """Return any table of the results as a DataFrame, such as ``frame("standings/profiles")``."""
        parts = "/".join(path).split("/")
        known(parts[0], list(schema.TABLES), "table", "frame")
        return plain(self._read(*parts))

    @cached_property
    def _reports(self) -> list[Written]:
        return [json.loads(self._path("ingest", name, suffix="json").read_text("utf-8")) for name in self._sources]

    @cached_property
    def _sources(self) -> list[str]:
        """Return the sources by the table of algorithms: reports of an earlier run may lie about."""
        if not self._path("algorithms").exists():
            raise UserError(f"{self.folder}: the run has not read all sources of the study yet; run Snakemake to its end.")
        return sorted(set(self._read("algorithms")["source"].to_pylist()), key=natural_key)

    def _measure(self, name: str | None) -> Written:
        called = self._named("measure", name, self.measures)
        settings = {key: value for key, value in self._settings["measures"][called].items() if key != "kind"}
        kind = MEASURES[self._settings["measures"][called]["kind"]]
        return {
            **{"name": called, "kind": kind.name, "aggregate": kind.aggregate},
            **held(_made(kind.options, settings, f"the measure {called!r}")),
        }

    def _about(self, measure: Written, **more: Any) -> Written:
        return {"problem_keys": list(self._settings["problem_keys"]), "measure": measure, **more}

    def _named(self, what: str, name: str | None, names: Sequence[str]) -> str:
        if not names:
            raise UserError(
                f"{self.folder}: the study has no {what}; name one in its configuration, and run Snakemake to its end."
            )
        return known(names[0] if name is None else name, names, what, self.folder)

    @property
    def _families(self) -> pa.Table:
        return self._read("families") if self._path("families").exists() else schema.of_rows("families", [])

    def _tables(self, names: Iterable[str], *path: str) -> Written:
        return {**{name: self._read(name, *path) for name in names}, "ingest": self.reports}

    def _path(self, *path: str, suffix: str = "parquet") -> Path:
        return Path(self.folder, *path[:-1], f"{path[-1]}.{suffix}")

    def _read(self, *path: str) -> pa.Table:
        file = self._path(*path)
        try:
            return storage.read(file, path[0])
        except UserError as error:
            if not file.exists():
                raise UserError(
                    f"{file}: there is no such file; the study has no such result, or the run has not come that far: run "
                    "Snakemake to its end. `tables` lists what there is."
                ) from None
            try:
                version = storage.origin_of(file).get("version")
            except (OSError, ValueError):
                version = None
            if version in (None, __version__):
                raise error from None
            raise UserError(
                f"{file}: was written by benchmill {version}, and this is {__version__}, whose tables differ; run the workflow "
                "again, or load it with that version."
            ) from None


def _made(options: type[OptionsT], settings: Given, where: str) -> OptionsT:
    """Make options of a study's own settings; those that do not fit were not written by this version."""
    try:
        return made(options, settings, where)
    except UserError as error:
        raise UserError(
            f"{error} The results are of another version than this one ({__version__}) or were edited: run the workflow again, "
            "or load them with the version that wrote them."
        ) from None


@arguments.looked_at
def load(folder: AnyPath) -> Results:
    """Load the results of a finished run of the workflow, `results/<study>`.

    Their methods give the same objects as the functions of these names. Raises UserError if the folder holds no results of a
    study.

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
    if not path.is_file():
        raise UserError(_not_a_study(Path(folder)))
    try:
        ((name, settings),) = yaml.safe_load(path.read_text("utf-8"))["studies"].items()
        missing = [key for key in _NEEDED if key not in settings]
    except OSError as error:
        raise UserError(f"{path}: cannot be read ({error.strerror}).") from None
    except (KeyError, AttributeError, TypeError, ValueError, yaml.YAMLError):
        raise UserError(f"{path}: is not what the workflow writes of a study; make it with Snakemake.") from None
    if missing:
        raise UserError(
            f"{path}: has no key {missing[0]!r}, which this version ({__version__}) writes; it is of another version or was "
            "edited: run the workflow again, or load it with the version that wrote it."
        )
    return Results(str(folder), str(name), settings)


def _not_a_study(folder: Path) -> str:
    if not folder.exists():
        return f"{folder}: there is no such folder (seen from {Path.cwd()}); give the folder results/<study> of a finished run."
    if not folder.is_dir():
        return f"{folder}: is a file, expected the folder results/<study> of a finished run."
    if near := [*folder.glob("*/config.yaml"), *folder.glob("results/*/config.yaml")]:
        return (
            f"{folder}: holds the results of several studies or their workflow, expected those of one; give one of "
            f"{', '.join(sorted((str(path.parent) for path in near), key=natural_key))}."
        )
    return f"{folder}: holds no results of a study (no config.yaml); give the folder results/<study> of a finished run."
