"""Checks of a study that no schema can make: keys that must agree, names that must differ, files that must exist.

Each function adds what it finds wrong to `mistakes`; some write out what a study leaves unsaid.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from benchmill.core import attributes
from benchmill.core.attributes import Attributes, groups
from benchmill.core.groups import KNOWN, is_attribute, label_of, labels
from benchmill.core.options import Given, Written
from benchmill.inference import draws
from benchmill.readers.selection import Selection
from benchmill.registry import criteria, variants
from benchmill.registry.indicator_options import Summary
from benchmill.registry.inference import COMPARISONS, USUAL, USUAL_COMPARISONS, USUAL_TESTS
from benchmill.registry.measures import MEASURES, STATED, amounts
from benchmill.registry.primary import SHIFTED
from benchmill.study.sources import existing
from benchmill.study.validation import did_you_mean, told, unknown, wrong
from benchmill.text import claims, widths

#: Weights of problems that are no attribute.
WEIGHTS = ("equal", "dimension", "baseline", "median_cost")


def file_at(path: str | None, kind: str, at: str, folders: Sequence[Path], mistakes: list[str]) -> Path | None:
    """Return the one file that a key names, if it names any."""
    paths = existing(path, folders) if path else []
    if len(paths) == 1 and paths[0].is_file():
        return paths[0]
    mistakes += wrong((path, f"{at}: there is no file {path!r}; give the path of {kind}."))
    return None


def alike(names: Iterable[str], key: str, mistakes: list[str]) -> None:
    """Refuse names that differ only in case: some file systems treat their folders as one."""
    first: dict[str, str] = {}
    mistakes += [
        f"{key}: {other!r} and {name!r} differ in case alone, and so would their files; rename one."
        for name in names
        if (other := first.setdefault(name.casefold(), name)) != name
    ]


def tables_of_attributes(settings: Given, key: str, folders: Sequence[Path], mistakes: list[str]) -> dict[str, Attributes]:
    """Return the tables of attributes; name what is wrong with them, `algorithms` and `where`."""
    tables: dict[str, Attributes] = {}
    for plural, path in settings["attributes"].items():
        at, singular = f"{key}.attributes.{plural}", plural.removesuffix("s")
        if file := file_at(path, "a CSV or Parquet file", at, folders, mistakes):
            with told(mistakes):
                tables[singular] = attributes.read(file, singular, at)
    both = set(tables.get("problem", {})) & set(tables.get("algorithm", {}))
    mistakes += [f"{key}.attributes: both tables have a column {name!r}; give one of them another name." for name in sorted(both)]
    known = {name: values for by_name in tables.values() for name, values in by_name.items()}
    for name, condition in settings["where"].items():
        if name not in known:
            listed = f"{did_you_mean(name, list(known))}" if known else "; tables of `attributes` would say some."
            mistakes.append(f"{key}.where: there is no attribute {name!r}{listed}")
            continue
        chosen, values = Selection({name: condition}), ["", *dict.fromkeys(known[name].values())]
        chosen.mask(name, values)
        with told(mistakes):
            chosen.check(key)
    names, by_new = settings["algorithms"], groups(settings["algorithms"].get("rename") or {})
    mistakes += [
        f"{key}.algorithms.rename: {', '.join(map(repr, old))} are all called {new!r}; give each a name of its own."
        for new, old in by_new.items()
        if len(old) > 1
    ] + [
        f"{key}.algorithms: {word!r} stands in both `only` and `except`; leave it out of one of them."
        for word in sorted(set(names.get("only") or ()) & set(names.get("except") or ()))
    ]
    return tables


def group(settings: Written, known: Attributes, key: str, mistakes: list[str]) -> None:
    """Replace, in place, an attribute that groups are asked for by with the problems of its values that `where` takes."""
    where = Selection(settings["where"])

    def members_of(name: Any, at: str, beside: Sequence[str] = ()) -> Any:
        if not isinstance(name, str) or name in beside:
            return name
        if name not in known:
            mistakes.append(f"{key}.{at}: there are no groups {name!r}{did_you_mean(name, [*beside, *known])}")
            return None
        left_out = {
            one
            for attribute, values_of in known.items()
            for one in known[name]
            if not where.names(attribute, values_of.get(one, ""))
        }
        return {name: groups({one: value for one, value in known[name].items() if one not in left_out})}

    ecdf = settings["indicators"]["ecdf"]
    ecdf["groups"] = members_of(ecdf["groups"], "indicators.ecdf.groups", KNOWN)
    known_labels = labels(ecdf["groups"])
    for asked in (figure for figure in settings["figures"] if isinstance(figure, dict) and figure.get("groups")):
        meant = [label_of(str(word), known_labels) for word in asked["groups"]]
        mistakes += unknown(
            f"{key}.figures: {asked.get('name') or asked['kind']}: groups",
            "group",
            [word for word, label in zip(asked["groups"], meant, strict=True) if label is None],
            known_labels,
        )
        asked["groups"] = [label for label in meant if label is not None]
    profiles: list[Written] = []
    for number, profile in enumerate(settings["profiles"], 1):
        given = members_of(profile.get("groups"), f"profiles[{number}].groups")
        if given is None:
            profiles.append(profile)
            continue
        attribute, members = next(iter(given.items())) if is_attribute(given) else ("", given)
        name = profile.get("name")
        base = name or variants.usual_name(**profile)
        for value, problems in members.items():
            words = re.sub(r"[^A-Za-z0-9]+", "_", f"{base}_{attribute}_{value}" if attribute else f"{base}_{value}").strip("_")
            # a group that stands alone is called what the profile is called
            alone = name and not attribute and len(members) == 1
            profiles.append({**profile, "groups": {f"{attribute} {value}".strip(): problems}, "name": name if alone else words})
    settings["profiles"] = profiles


def compared(settings: Given) -> Written:
    """Return the measures of a study that are more than described."""
    return {name: measure for name, measure in settings["measures"].items() if not measure["described"]}


def profiles(listed: Sequence[Given], measures: Given, known: Attributes, key: str, mistakes: list[str]) -> None:
    """Name what is wrong with the measures and the weights of profiles."""
    for number, profile in enumerate(listed, 1):
        at, weights = f"{key}.profiles[{number}]", profile["weights"]
        unlisted = [measure for measure in profile["measures"] or [] if measure not in measures]
        mistakes += [f"{at}.measures: found {measure!r}{did_you_mean(measure, sorted(measures))}" for measure in unlisted]
        if isinstance(weights, Mapping) or weights in WEIGHTS:
            continue
        if weights not in known:
            mistakes.append(f"{at}.weights: found {weights!r}{did_you_mean(weights, [*WEIGHTS, *known])}")
        elif not attributes.numeric({weights: known[weights]}):
            mistakes.append(f"{at}.weights: the attribute {weights!r} is not a number of every problem, expected numbers.")


def without_effect(settings: Given, sized: bool, key: str, mistakes: list[str]) -> None:
    """Name the settings that change nothing in the study; `sized` says that its problems may have a dimension."""
    inference, indicators = settings["inference"], settings["indicators"]
    ecdf, adjusted = indicators["ecdf"], [name for name in inference["comparisons"] if not COMPARISONS[name].correction]
    needed = {
        "unbalanced": ("replicated" in inference["design"], "design: replicated"),
        "failure": ("replicated" in inference["design"], "design: replicated"),
        "rope": (inference["bayes"], "a comparison in inference.bayes"),
        "corrections": (adjusted, "a comparison that has no correction of its own"),
    }
    usual = {name: getattr(USUAL, name) for name in needed}
    mistakes += [
        f"{key}.inference.{name}: changes nothing without {what}; leave it out, or ask for that."
        for name, (there, what) in needed.items()
        if not there and (tuple(inference[name]) if isinstance(inference[name], list) else inference[name]) != usual[name]
    ]
    mistakes += wrong(
        (
            ecdf["groups"] and "group" not in ecdf["aggregate"],
            f"{key}.indicators.ecdf.groups: changes nothing without `group` in indicators.ecdf.aggregate; add it, or leave the "
            "groups out.",
        ),
        (
            # in a competition it is its time limit
            settings["primary"]["limit"] is not None
            and settings["primary"]["criterion"] in criteria.CRITERIA
            and not settings["competition"],
            f"{key}.primary.limit: changes nothing with the criterion {settings['primary']['criterion']}; leave it out, or name "
            f"a score of competitions ({', '.join(criteria.SCORES)}).",
        ),
        *(
            (
                indicators["summary"][name] != usual and not indicators["summary"]["measures"],
                f"{key}.indicators.summary.{name}: changes nothing, since the study summarises no measure; leave it out, or name "
                "some in indicators.summary.measures.",
            )
            for name, usual in (("by", None), ("brackets", list(Summary.brackets)))
        ),
        (
            indicators["kaplan_meier"]["horizon"] is not None and not indicators["kaplan_meier"]["measures"],
            f"{key}.indicators.kaplan_meier.horizon: changes nothing without indicators.kaplan_meier.measures; name some, or "
            "leave it out.",
        ),
        *(
            (
                profile.get("failure_ratio") is not None and profile["rule"] == "wins",
                f"{key}.profiles[{number}].failure_ratio: changes nothing with `rule: wins`; leave it out, or set rule: sum.",
            )
            for number, profile in enumerate(settings["profiles"], 1)
        ),
        *(
            (
                not sized and needs,
                f"{key}.profiles[{number}]: {needs} needs the dimension of every problem, which the study does not have; "
                "add dimension to problem_keys, and the column to the sources, or leave it out.",
            )
            for number, profile in enumerate(settings["profiles"], 1)
            for needs in ("a data profile" * (profile["variant"] == "data"), "`by: dimension`" * ("dimension" in profile["by"]))
        ),
    )
    with told(mistakes, key):
        widths.preset(settings["appearance"]["paper"])


def name_profiles(profiles: list[Written], key: str, mistakes: list[str]) -> None:
    """Give each profile a name of its own, in place."""
    seen: dict[str, int] = {}
    for number, profile in enumerate(profiles, 1):
        name = profile.setdefault("name", variants.usual_name(**profile))
        first = seen.setdefault(name, number)
        mistakes += wrong(
            (
                first != number,
                f"{key}.profiles[{number}]: has the name {name!r} of profiles[{first}]; give one of them another `name:`.",
            )
        )


def check_indicators(indicators: Given, key: str, mistakes: list[str]) -> None:
    """Name what of the section `indicators` does not fit together."""
    ecdf, values = indicators["ecdf"], indicators["attainment"]
    first, last = values["between"]
    mistakes += wrong(
        (
            "group" in ecdf["aggregate"] and not ecdf["groups"],
            f"{key}.ecdf.groups: is missing; the aggregation 'group' needs the problems of each group.",
        ),
        (
            ecdf["restarts"] and ecdf["bands"],
            f"{key}.ecdf.bands: bands are of trials as they are; leave them out or set restarts: 0.",
        ),
        (
            first >= last or (values["value_log"] and first <= 0),
            f"{key}.attainment.between: found {first} and {last}, expected a smaller and a larger number (above 0, or set "
            "value_log: false).",
        ),
    )


def inference(settings: Given, known: Attributes, key: str, folders: Sequence[Path], mistakes: list[str]) -> Path | None:
    """Fill in the tests that suit the design, check what refers to other keys, and find the file with known bounds."""
    inference = settings["inference"]
    for name, usual in (("methods", USUAL_TESTS), ("comparisons", USUAL_COMPARISONS)):
        inference[name] = list(usual) if inference[name] is None else inference[name]
    blocks = settings["problem_keys"]
    listed, strata = ", ".join(blocks), [name for name in inference["stratify"] if name not in blocks and name not in known]
    more = {name: f" and no attribute of problems{did_you_mean(name, list(known))}" if known else "." for name in strata}
    mistakes += wrong(
        *((True, f"{key}.inference.stratify: {n!r} is not among the keys of a block ({listed}){more[n]}") for n in strata),
        (
            inference["design"] == "replicated" and "problem" not in blocks,
            f"{key}.problem_keys: found {listed}, expected problem among them.",
        ),
    )
    with told(mistakes, key):
        draws.refuse_few(inference["permutations"], inference["alpha"])
    _check_primary(settings, f"{key}.primary", mistakes)
    at, indicators = f"{key}.indicators", settings["indicators"]
    kinds = {name: MEASURES[measure["kind"]] for name, measure in settings["measures"].items()}
    mistakes += unknown(f"{at}.quantiles", "measure", indicators["quantiles"], list(kinds))
    _check_claims(settings, f"{key}.claims", mistakes)
    timed = [name for name, kind in kinds.items() if kind.name == STATED or kind.running_times]
    summary, classes = indicators["summary"], ["suite", "problem", "dimension", "instance", *known]
    mistakes += [
        *unknown(f"{at}.kaplan_meier.measures", "measure of running times", indicators["kaplan_meier"]["measures"], timed),
        *unknown(
            f"{at}.summary.measures",
            "measure of solver runs",
            summary["measures"] or (),
            [name for name in kinds if kinds[name].summarised],
        ),
        *unknown(f"{at}.summary.by", "key or attribute of problems", [summary["by"]] * (summary["by"] is not None), classes),
    ]
    kind, path = ("", None) if isinstance(inference["normalise"], str) else next(iter(inference["normalise"].items()))
    return file_at(path, "a CSV file", f"{key}.inference.normalise.{kind}", folders, mistakes)


def _check_primary(settings: Given, key: str, mistakes: list[str]) -> None:
    primary, tested, control = settings["primary"], compared(settings), settings["control"]
    mistakes += wrong(
        (
            control in settings["not_competing"],
            f"{key.removesuffix('.primary')}.control: {control!r} is in `not_competing`, so nothing is compared "
            "with it; name an algorithm that competes, or take it out of `not_competing`.",
        ),
        (not tested, f"{key.removesuffix('.primary')}.measures: all are `described`; leave that out of one to compare."),
    )
    name = primary["measure"] or next(iter(tested), "")
    if name not in tested:
        mistakes += unknown(f"{key}.measure", "measure", [name] if tested else [], list(tested))
        return
    kind, criterion, beside = tested[name]["kind"], primary["criterion"], primary["beside"]
    roles = criteria.named(criterion).beside
    odd = sorted(set(beside) - {role.removesuffix("?") for role in roles})
    lacking = [role for role in roles if not role.endswith("?") and role not in beside]
    known = tested[name].get("targets") or amounts(tested[name].get("budgets") or [])
    absent = [target for target in primary["targets"] or () if known and target not in known]
    listed = ", ".join(f"{one:g}" for one in known)
    mistakes += [
        *wrong(
            (
                criteria.named(criterion).of_rates and not MEASURES[kind].rate,
                f"{key}.criterion: {criterion} needs rates, and the measure {name!r} is of kind {kind}; name a measure of "
                "rates (`primary.measure`) or another criterion.",
            ),
            (
                odd,
                f"{key}.beside: {criterion} takes no {''.join(odd[:1])!r}; expected {', '.join(roles) or 'nothing'} (with `?`: "
                "where there is one).",
            ),
            (lacking, f"{key}.beside: {criterion} takes {''.join(lacking[:1])!r} too; name the measure that says it."),
            (primary["margin"] is not None and tested[name].get("shift"), f"{key}.margin: {SHIFTED}"),
        ),
        *unknown(f"{key}.beside", "measure", beside.values(), list(tested)),
        *(f"{key}.targets: found {target:g}, expected some of the measure {name!r} ({listed})." for target in absent),
    ]


def _check_claims(settings: Given, key: str, mistakes: list[str]) -> None:
    stated, measures, aside = settings["claims"] or (), list(compared(settings)), settings["not_competing"]
    first: dict[claims.Claim, int] = {}
    for number, text in enumerate(stated, 1):
        with told(mistakes):
            claim = claims.parsed(text, f"{key}[{number}]")
            if claim.measure is not None:
                claims.known(claim.measure, measures, "measure", f"{key}[{number}]")
            mistakes += [
                f"{key}[{number}]: {name!r} is in `not_competing`, so nothing is claimed of it; claim something of others, "
                "or take it out of `not_competing`."
                for name in (claim.algorithm, claim.other)
                if name in aside
            ]
            measure = claim.measure or settings["primary"]["measure"] or next(iter(measures), None)
            same = first.setdefault(replace(claim, text="", measure=measure), number)
            mistakes += wrong(
                (claim.kind == "as_good" and settings["measures"].get(measure, {}).get("shift"), f"{key}[{number}]: {SHIFTED}"),
                (same != number, f"{key}[{number}]: it says what claims[{same}] says; leave one of them out."),
            )
