"""Checks of a study that no schema can make: keys that must agree, names that must differ, files that must exist.

Each function tells what it finds wrong at a key; some write out what a study leaves unsaid.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from benchmill.core import Given, Written, attributes
from benchmill.core.attributes import Attributes, groups
from benchmill.core.groups import KNOWN, is_attribute, label_of, labels
from benchmill.core.options import held
from benchmill.inference import draws
from benchmill.readers.selection import Selection
from benchmill.registry import criteria, indicator_options, variants
from benchmill.registry.inference import COMPARISONS, USUAL, USUAL_COMPARISONS, USUAL_TESTS
from benchmill.registry.measures import MEASURES, STATED, amounts
from benchmill.registry.primary import SHIFTED
from benchmill.study.sources import existing
from benchmill.study.validation import At, did_you_mean
from benchmill.text import claims, widths

#: Weights of problems that are no attribute.
WEIGHTS = ("equal", "dimension", "baseline", "median_cost")


def file_at(at: At, path: str | None, kind: str) -> Path | None:
    """Return the one file that a key names, if it names any."""
    paths = existing(path, at.folders) if path else []
    if len(paths) == 1 and paths[0].is_file():
        return paths[0]
    at.tell((path, f": there is no file {path!r}; give the path of {kind}."))
    return None


def alike(at: At, names: Iterable[str]) -> None:
    """Refuse names that differ only in case: some file systems treat their folders as one."""
    first: dict[str, str] = {}
    at.add(
        f": {other!r} and {name!r} differ in case alone, and so would their files; rename one."
        for name in names
        if (other := first.setdefault(name.casefold(), name)) != name
    )


def tables_of_attributes(settings: Given, at: At) -> dict[str, Attributes]:
    """Return the tables of attributes; name what is wrong with them, `algorithms` and `where`."""
    tables = {}
    for plural, path in settings["attributes"].items():
        own, singular = at["attributes"][plural], plural.removesuffix("s")
        if file := file_at(own, path, "a CSV or Parquet file"):
            with at.told():
                tables[singular] = attributes.read(file, singular, own.key)
    at.add(
        f".attributes: both tables have a column {name!r}; give one of them another name."
        for name in sorted(set(tables.get("problem", {})) & set(tables.get("algorithm", {})))
    )
    known = {name: values for by_name in tables.values() for name, values in by_name.items()}
    for name, condition in settings["where"].items():
        if name not in known:
            listed = did_you_mean(name, list(known)) if known else "; tables of `attributes` would say some."
            at.add([f".where: there is no attribute {name!r}{listed}"])
            continue
        chosen = Selection({name: condition})
        chosen.mask(name, ["", *dict.fromkeys(known[name].values())])
        with at.told():
            chosen.check(at.key)
    names = settings["algorithms"]
    at["algorithms"].tell(
        *(
            (len(old) > 1, f".rename: {', '.join(map(repr, old))} are all called {new!r}; give each a name of its own.")
            for new, old in groups(names.get("rename") or {}).items()
        ),
        *(
            (word in (names.get("except") or ()), f": {word!r} stands in both `only` and `except`; leave it out of one of them.")
            for word in sorted(set(names.get("only") or ()))
        ),
    )
    return tables


def group(settings: Written, known: Attributes, at: At) -> None:
    """Replace, in place, an attribute that groups are asked for by with the problems of its values that `where` takes."""
    where = Selection(settings["where"])

    def taken(problem: str) -> bool:
        return all(where.names(attribute, values_of.get(problem, "")) for attribute, values_of in known.items())

    def members_of(name: Any, own: At, beside: Sequence[str] = ()) -> Any:
        if not isinstance(name, str) or name in beside:
            return name
        own.tell((name not in known, f": there are no groups {name!r}{did_you_mean(name, [*beside, *known])}"))
        return {name: groups({one: value for one, value in known[name].items() if taken(one)})} if name in known else None

    ecdf = settings["indicators"]["ecdf"]
    ecdf["groups"] = members_of(ecdf["groups"], at["indicators.ecdf.groups"], KNOWN)
    known_labels = labels(ecdf["groups"])
    for asked in (figure for figure in settings["figures"] if isinstance(figure, dict) and figure.get("groups")):
        meant = [(word, label_of(str(word), known_labels)) for word in asked["groups"]]
        none = [word for word, label in meant if label is None]
        at.tell(*at.unknown(f".figures: {asked.get('name') or asked['kind']}: groups", "group", none, known_labels))
        asked["groups"] = [label for _, label in meant if label is not None]
    profiles = []
    for number, profile in enumerate(settings["profiles"], 1):
        given = members_of(profile.get("groups"), at["profiles"][number]["groups"])
        if given is None:
            profiles.append(profile)
            continue
        attribute, members = next(iter(given.items())) if is_attribute(given) else ("", given)
        name = profile.get("name")
        for value, problems in members.items():
            words = re.sub("[^A-Za-z0-9]+", "_", f"{name or variants.usual_name(**profile)}_{attribute}_{value}").strip("_")
            # a group that stands alone is called what the profile is called
            alone = name and not attribute and len(members) == 1
            profiles.append({**profile, "groups": {f"{attribute} {value}".strip(): problems}, "name": name if alone else words})
    settings["profiles"] = profiles


def compared(settings: Given) -> Written:
    """Return the measures of a study that are more than described."""
    return {name: measure for name, measure in settings["measures"].items() if not measure["described"]}


def profiles(settings: Given, known: Attributes, sized: bool, at: At) -> None:
    """Name what is wrong with the measures, weights and keys of profiles; `sized`: problems may have a dimension."""
    measures = compared(settings)
    for number, profile in enumerate(settings["profiles"], 1):
        own, weights = at["profiles"][number], profile["weights"]
        sizes = {"a data profile": profile["variant"] == "data", "`by: dimension`": "dimension" in profile["by"]}
        own.tell(
            (
                profile.get("failure_ratio") is not None and profile["rule"] == "wins",
                ".failure_ratio: changes nothing with `rule: wins`; leave it out, or set rule: sum.",
            ),
            *(
                (
                    needs and not sized,
                    f": {what} needs the dimension of every problem, which the study does not have; "
                    "add dimension to problem_keys, and the column to the sources, or leave it out.",
                )
                for what, needs in sizes.items()
            ),
            *(
                (measure not in measures, f".measures: found {measure!r}{did_you_mean(measure, sorted(measures))}")
                for measure in profile["measures"] or []
            ),
        )
        if isinstance(weights, Mapping) or weights in WEIGHTS:
            continue
        if weights not in known:
            own.add([f".weights: found {weights!r}{did_you_mean(weights, [*WEIGHTS, *known])}"])
        elif not attributes.numeric({weights: known[weights]}):
            own.add([f".weights: the attribute {weights!r} is not a number of every problem, expected numbers."])


def without_effect(settings: Given, at: At) -> None:
    """Name the settings that change nothing in the study."""
    inference, indicators, primary = settings["inference"], settings["indicators"], settings["primary"]
    ecdf, adjusted = indicators["ecdf"], [name for name in inference["comparisons"] if not COMPARISONS[name].correction]
    replicated, usual = ("replicated" in inference["design"], "design: replicated"), held(USUAL)
    needed = {
        "unbalanced": replicated,
        "failure": replicated,
        "rope": (inference["bayes"], "a comparison in inference.bayes"),
        "corrections": (adjusted, "a comparison that has no correction of its own"),
    }
    at.tell(
        *(
            (
                not there and inference[name] != usual[name],
                f".inference.{name}: changes nothing without {what}; leave it out, or ask for that.",
            )
            for name, (there, what) in needed.items()
        ),
        (
            ecdf["groups"] and "group" not in ecdf["aggregate"],
            ".indicators.ecdf.groups: changes nothing without `group` in indicators.ecdf.aggregate; add it, or leave the "
            "groups out.",
        ),
        (
            # in a competition it is its time limit
            primary["limit"] is not None and primary["criterion"] in criteria.CRITERIA and not settings["competition"],
            f".primary.limit: changes nothing with the criterion {primary['criterion']}; leave it out, or name a score of "
            f"competitions ({', '.join(criteria.SCORES)}).",
        ),
        *(
            (
                indicators["summary"][name] != default and not indicators["summary"]["measures"],
                f".indicators.summary.{name}: changes nothing, since the study summarises no measure; leave it out, or name "
                "some in indicators.summary.measures.",
            )
            for name, default in (("by", None), ("brackets", list(indicator_options.Summary.brackets)))
        ),
        (
            indicators["kaplan_meier"]["horizon"] is not None and not indicators["kaplan_meier"]["measures"],
            ".indicators.kaplan_meier.horizon: changes nothing without indicators.kaplan_meier.measures; name some, or "
            "leave it out.",
        ),
    )
    with at.told():
        widths.preset(settings["appearance"]["paper"])


def name_profiles(profiles: list[Written], at: At) -> None:
    """Give each profile a name of its own, in place."""
    seen: dict[str, int] = {}
    for number, profile in enumerate(profiles, 1):
        name = profile.setdefault("name", variants.usual_name(**profile))
        first = seen.setdefault(name, number)
        at.tell((first != number, f"[{number}]: has the name {name!r} of profiles[{first}]; give one of them another `name:`."))


def indicators(settings: Given, at: At) -> None:
    """Name what of the section `indicators` does not fit together."""
    ecdf, values = settings["ecdf"], settings["attainment"]
    first, last = values["between"]
    at.tell(
        (
            "group" in ecdf["aggregate"] and not ecdf["groups"],
            ".ecdf.groups: is missing; the aggregation 'group' needs the problems of each group.",
        ),
        (
            ecdf["restarts"] and ecdf["bands"],
            ".ecdf.bands: bands are of trials as they are; leave them out or set restarts: 0.",
        ),
        (
            first >= last or (values["value_log"] and first <= 0),
            f".attainment.between: found {first} and {last}, expected a smaller and a larger number (above 0, or set "
            "value_log: false).",
        ),
    )


def inference(settings: Given, known: Attributes, at: At) -> Path | None:
    """Fill in the tests that suit the design, check what refers to other keys, and find the file with known bounds."""
    inference, indicators = settings["inference"], settings["indicators"]
    for name, usual in (("methods", USUAL_TESTS), ("comparisons", USUAL_COMPARISONS)):
        inference[name] = list(usual) if inference[name] is None else inference[name]
    blocks = settings["problem_keys"]
    listed, strata = ", ".join(blocks), [name for name in inference["stratify"] if name not in (*blocks, *known)]
    more = {name: f" and no attribute of problems{did_you_mean(name, list(known))}" if known else "." for name in strata}
    at.tell(
        *((True, f".inference.stratify: {n!r} is not among the keys of a block ({listed}){more[n]}") for n in strata),
        (
            inference["design"] == "replicated" and "problem" not in blocks,
            f".problem_keys: found {listed}, expected problem among them.",
        ),
    )
    with at.told():
        draws.refuse_few(inference["permutations"], inference["alpha"])
    _check_primary(settings, at)
    own, kinds = at["indicators"], {name: MEASURES[measure["kind"]] for name, measure in settings["measures"].items()}
    own.tell(*own.unknown(".quantiles", "measure", indicators["quantiles"], list(kinds)))
    _check_claims(settings, at["claims"])
    followed, timed = (
        indicators["kaplan_meier"],
        [name for name, kind in kinds.items() if kind.name == STATED or kind.running_times],
    )
    summary, classes = indicators["summary"], ["suite", "problem", "dimension", "instance", *known]
    summarised = [name for name, kind in kinds.items() if kind.summarised]
    own.tell(
        *own.unknown(".kaplan_meier.measures", "measure of running times", followed["measures"], timed),
        *own.unknown(".summary.measures", "measure of solver runs", summary["measures"] or (), summarised),
        *own.unknown(".summary.by", "key or attribute of problems", [summary["by"]] * (summary["by"] is not None), classes),
    )
    kind, path = ("", None) if isinstance(inference["normalise"], str) else next(iter(inference["normalise"].items()))
    return file_at(at["inference.normalise"][kind], path, "a CSV file")


def _check_primary(settings: Given, at: At) -> None:
    primary, tested, control, own = settings["primary"], compared(settings), settings["control"], at["primary"]
    at.tell(
        (
            control in settings["not_competing"],
            f".control: {control!r} is in `not_competing`, so nothing is compared with it; name an algorithm that competes, or "
            "take it out of `not_competing`.",
        ),
        (not tested, ".measures: all are `described`; leave that out of one to compare."),
    )
    name = primary["measure"] or next(iter(tested), "")
    if name not in tested:
        own.tell(*own.unknown(".measure", "measure", [name] if tested else [], list(tested)))
        return
    kind, criterion, beside = tested[name]["kind"], primary["criterion"], primary["beside"]
    roles = criteria.named(criterion).beside
    odd = sorted(set(beside) - {role.removesuffix("?") for role in roles})
    lacking = [role for role in roles if not role.endswith("?") and role not in beside]
    known = tested[name].get("targets") or amounts(tested[name].get("budgets") or [])
    listed = ", ".join(f"{one:g}" for one in known)
    own.tell(
        (
            criteria.named(criterion).of_rates and not MEASURES[kind].rate,
            f".criterion: {criterion} needs rates, and the measure {name!r} is of kind {kind}; name a measure of rates "
            "(`primary.measure`) or another criterion.",
        ),
        (
            odd,
            f".beside: {criterion} takes no {''.join(odd[:1])!r}; expected {', '.join(roles) or 'nothing'} (with `?`: where "
            "there is one).",
        ),
        (lacking, f".beside: {criterion} takes {''.join(lacking[:1])!r} too; name the measure that says it."),
        (primary["margin"] is not None and tested[name].get("shift"), f".margin: {SHIFTED}"),
        *own.unknown(".beside", "measure", beside.values(), list(tested)),
        *(
            (known and target not in known, f".targets: found {target:g}, expected some of the measure {name!r} ({listed}).")
            for target in primary["targets"] or ()
        ),
    )


def _check_claims(settings: Given, at: At) -> None:
    stated, measures, aside = settings["claims"] or (), list(compared(settings)), settings["not_competing"]
    first: dict[claims.Claim, int] = {}
    for number, text in enumerate(stated, 1):
        own = at[number]
        with at.told():
            claim = claims.parsed(text, own.key)
            if claim.measure is not None:
                claims.known(claim.measure, measures, "measure", own.key)
            measure = claim.measure or settings["primary"]["measure"] or next(iter(measures), None)
            same = first.setdefault(replace(claim, text="", measure=measure), number)
            own.tell(
                *(
                    (
                        name in aside,
                        f": {name!r} is in `not_competing`, so nothing is claimed of it; claim something of others, or take it "
                        "out of `not_competing`.",
                    )
                    for name in (claim.algorithm, claim.other)
                ),
                (claim.kind == "as_good" and settings["measures"].get(measure, {}).get("shift"), f": {SHIFTED}"),
                (same != number, f": it says what claims[{same}] says; leave one of them out."),
            )
