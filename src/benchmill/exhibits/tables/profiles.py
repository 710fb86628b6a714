"""Tables of profiles: areas, wins and ranks; values at τ = 1; standings and dominance."""

import math
from functools import partial
from typing import Any

from benchmill.exhibits.tables.fields import Results, columns, exhibit, kinds, section, value
from benchmill.registry.criteria import CRITERIA, DEFAULT, Criterion
from benchmill.registry.variants import RATIO
from benchmill.text import display, labels, limits, prose
from benchmill.text.frames import Frame, Row, at, best, frame, groups, rows_of
from benchmill.text.leaders import caution

#: What has an interval where the variant has bands.
_MEASURED = ("auc", "auc_normalised", "rho_1")
_PLACE = ["variant", "measure", "dimension", "target"]
_RANK_SUM = Criterion("rank_sum", "sum of ranks in all measures", "", symbol="rank sum")


def measures(results: Results) -> display.Table:
    """Make the table of one measure and variant, the largest area over log tau first."""
    measure, profile = results.measure, results.about.profile
    spans = results.rows("profile_intervals", variant=profile.name)
    rows = with_ends(results.rows("profile_measures", variant=profile.name), spans)
    shown = results.names(rows)
    # τ of other profiles is no ratio to the best, and may be below 1
    to_best = profile.entry.tau == RATIO
    words: dict[str, Any] = {
        # a smooth profile reaches 1 nowhere; and where wins are not counted, rho(1) is no share of wins
        "epsilon": float(rows["epsilon"].max()) if len(rows) else 0.0,
        "counted": not len(rows) or rows["wins"].notna().all(),
        "share": "weighted share" if profile.weighted else "share",
        "what": "problem" if "target" in profile.by else measure.cell,
        "start": 1 if to_best else 0,
        "to_best": to_best,
    }

    def whose(row: Row) -> str:
        return labels.with_role(shown[row["algorithm"]], "" if row["rank_auc"] is not None else "not_competing")

    fields = columns("profile", of={"algorithm": whose, **{name: partial(written, name) for name in _MEASURED}}, **words)
    lost = "solved by none" if profile.unsolved == "keep" else "left out that none solves"
    sections = []
    for group, members in groups(rows, ["dimension", "target"]):
        ranked, first = members[members["rank_auc"].notna()], members.iloc[0]
        marks = {
            key: best(ranked[key], largest=key != "tau_star") for key in ("auc", "auc_log", "rho_1", "rho_tau_max", "tau_star")
        }
        word = "problem" if group["target"] is not None else measure.cell
        problems = f"{display.plural(first['n_problems'], word)}, {display.count(first['n_unsolved'])} {lost}"
        heading = f"{at(group, measure)} ({problems}; τ_max = {display.number(first['tau_max'], 4)})"
        sections.append(section(heading, fields, _in_order(members), marks, lambda row: row["rank_auc"] is not None))
    return exhibit(
        "profile",
        fields,
        sections,
        measure,
        limits=limits.of_profiles(rows, measure.cell),
        variant=labels.file_name(profile.name),
        profile=profile,
        finite=not len(rows) or (rows["tau_max"] < math.inf).all(),
        rounded=len(spans),
        **words,
    )


def summary(results: Results) -> list[str]:
    """Say what the profiles of one measure and variant show, one sentence per group."""
    measure, profile = results.measure, results.about.profile
    rows = results.rows("profile_measures", variant=profile.name)
    shown = results.names(rows)
    sentences = []
    for group, members in groups(rows, ["dimension", "target"]):
        lost = int(members["n_unsolved"].iloc[0])
        text = prose.said(
            __file__,
            limits=limits.of_profiles(members, measure.cell),
            where=at(group, measure),
            profile=profile,
            first={
                key: [shown[name] for name in _in_order(members)["algorithm"][members[key] == 1]]
                for key in ("rank_auc_log", "rank_auc", "rank_rho_1", "rank_rho_tau_max")
            },
            # where all tie, or all fail, nobody is first
            tied=max(2, int(members["rank_auc_log"].count())),
            top=members.loc[members["rank_auc"].notna(), ["rho_1", "rho_tau_max"]].max(),
            lost=lost,
            word="problem" if group["target"] is not None else measure.cell,
            problems=members["n_problems"].iloc[0] + (lost if profile.unsolved == "drop" else 0),
        )
        sentences.append(text)
    return sentences


def with_ends(measures: Frame, intervals: Frame) -> Frame:
    """Return the measures of profiles with the ends of their intervals, as `auc_low`, `auc_high` and so on."""
    if not len(intervals):
        return measures.assign(**{f"{name}_{end}": math.nan for name in _MEASURED for end in ("low", "high")})
    place = ["measure", "variant", "dimension", "target", "algorithm"]
    intervals = intervals.astype({key: measures[key].dtype for key in place})
    for name in _MEASURED:
        own = intervals.loc[intervals["quantity"] == name, [*place, "low", "high"]]
        measures = measures.merge(own.rename(columns={"low": f"{name}_low", "high": f"{name}_high"}), on=place, how="left")
    return measures


def written(name: str, row: Row) -> str:
    """Write a value of `with_ends` with the digits that its interval leaves."""
    low, high = row[f"{name}_low"], row[f"{name}_high"]
    if name != "auc":
        return display.measured_share(row[name], low, high)
    return display.number(row[name], 4) if low is None else display.measured(row[name], low, high)


def _in_order(measures: Frame) -> Frame:
    return measures.sort_values(["rank_auc_log", "algorithm"])


def values_at_one(results: Results) -> display.Table:
    """Make Table 2 of Barreto, Bernardino, Barbosa 2010: plain and probabilistic profile at τ = 1."""
    rows = results.rows("profile_measures")
    rows = rows[rows["dimension"].isna() & rows["target"].isna()]
    counted_rows = (rows[rows[counted].notna()] for counted in ("wins", "win_probability"))
    # of several such profiles the first
    plain, smooth = (own[own["variant"] == next(iter(own["variant"]), None)] for own in counted_rows)
    both = plain[["algorithm", "rho_1", "n_problems"]].merge(
        smooth[["algorithm", "rho_1", "win_probability"]], on="algorithm", how="left", suffixes=("", "_expected")
    )
    both = both.assign(
        algorithm=both["algorithm"].astype(plain["algorithm"].dtype), order=both["rho_1_expected"].fillna(0.0)
    ).sort_values(["rho_1", "order", "algorithm"], ascending=[False, False, True])
    # ties share the smallest rank
    both = both.assign(rank=range(1, len(both) + 1))
    both["rank"] = both["rank"].mask(both.duplicated(["rho_1", "order"])).ffill().astype(int)
    fields = columns("values_at_one", results.names(both))
    n = int(both["n_problems"].iloc[0]) if len(both) else 0
    return exhibit("values_at_one", fields, (section(display.plural(n, results.measure.cell), fields, both),), results.measure)


def standings(results: Results) -> display.Table:
    """Make the table of ranks, of profiles of all problems if there are any, the leader's criterion first."""
    import pandas as pd

    rows = _pooled(frame(results.data["standings"]))
    used = set(rows["criterion"])
    # a criterion says nothing beside another one where no weights, and no smooth profiles, tell them apart
    for criterion, other in ((entry.name, entry.repeats) for entry in CRITERIA.values() if entry.repeats):
        own, others = (rows.loc[rows["criterion"] == one, [*_PLACE, "algorithm", "rank"]] for one in (criterion, other))
        both = own.merge(others, on=[*_PLACE, "algorithm"], how="left", suffixes=("", "_other"))
        if (both["rank"] == both["rank_other"]).fillna(False).all():
            used.discard(criterion)
    # a sum over the measures stands beside the ranks in each of them
    sums, rows = rows[rows["measure"].isna()], rows[rows["measure"].notna()]
    if (sums["n_added"] == 1).all():
        used -= set(sums["criterion"])  # over one measure it repeats the ranks there
    places = rows[_PLACE].drop_duplicates()
    rows = pd.concat([rows, places.merge(sums.drop(columns="measure"), on=[key for key in _PLACE if key != "measure"])])
    leaders = frame(results.data.get("leaders"))
    headline = str(leaders["criterion"].iloc[0]) if len(leaders) else DEFAULT
    entries = [entry for entry in (*CRITERIA.values(), _RANK_SUM) if entry.name in used]
    entries.sort(key=lambda entry: entry.name != headline)
    criteria = [entry.name for entry in entries]
    fields = [
        *columns("standings", results.names(rows)),
        *(value(entry.symbol, entry.name, entry.words, display.count) for entry in entries),
    ]
    added = [display.words(name) for name in results.about.ranks] if _RANK_SUM.name in used else []
    sections = []
    for group, members in groups(rows, _PLACE):
        wide = (
            members.astype({"criterion": str})
            .pivot(index="algorithm", columns="criterion", values="rank")
            .reindex(columns=criteria)
            .reset_index()
            .sort_values([*criteria, "algorithm"])
        )
        counted = display.plural(members["n_problems"].iloc[0], results.about.cells.get(group["measure"], "problem"))
        sections.append(section(f"{_heading(results, group)} ({counted})", fields, wide, dict.fromkeys(criteria, 1)))
    return exhibit(
        "standings",
        fields,
        sections,
        criteria=entries,
        added=added,
        caution=caution(results.data.get("verdicts"), results.about.called),
    )


def dominance(results: Results) -> display.Table:
    """Make the table of dominance and Pareto fronts."""
    pairs = frame(results.data["profile_pairs"])
    won = pairs[pairs["dominates"]]
    rows = _pooled(frame(results.data["profile_measures"]).dropna(subset="rank_auc")).sort_values("algorithm")
    shown = results.names(rows)

    def names(side: str, row: Row) -> str:
        return display.listed([shown[name] for name in row[f"{side}_named"]]) if row[side] else display.ABSENT

    fields = columns("dominance", shown, {side: partial(names, side) for side in ("over", "under")})
    sections = []
    for group, members in groups(rows, _PLACE):
        mine, wide = rows_of(won, group), members.copy()
        for side, own, other in (("over", "algorithm_a", "algorithm_b"), ("under", "algorithm_b", "algorithm_a")):
            named = mine.sort_values(other, kind="stable").groupby(own, observed=True)[other].agg(list).to_dict()
            wide[f"{side}_named"] = [named.get(name, []) for name in wide["algorithm"]]
            wide[side] = wide[f"{side}_named"].map(len)
        sections.append(section(_heading(results, group), fields, wide))
    return exhibit("dominance", fields, sections)


def _pooled(data: Frame) -> Frame:
    of_all = data[data["dimension"].isna() & data["target"].isna()]
    return of_all if len(of_all) else data


def _heading(results: Results, group: Row) -> str:
    where = at({key: group[key] for key in ("measure", "dimension", "target")})
    return f"{display.words(group['variant'])}, {results.about.called(group['measure'])}, {where}"


ENTRIES = kinds(profile=measures, values_at_one=values_at_one, standings=standings, dominance=dominance)
