"""Claims that may be made, and limits and contradictions of the published tests."""

import math
from collections.abc import Sequence

import pyarrow as pa
import pyarrow.compute as pc

from benchmill.core import natural_key
from benchmill.exhibits.tables.fields import Results, columns, cut, decided, exhibit, kinds, section_of_pairs
from benchmill.registry.inference import COMPARISONS, CORRECTIONS, EQUIVALENCE, TESTS
from benchmill.text import claims, display, families, prose
from benchmill.text.frames import POINT, Data, Frame, Row, at, by_point, frame, groups, head


def error(alpha: str, summary: pa.Table | None = None) -> str:
    """Say how often a study says something false: its one statement of error."""
    ratios = summary is not None and summary.column("sgm_ratio_low").null_count < summary.num_rows
    return prose.said(__file__, "Error", alpha=alpha, ratios=ratios)


def gated(rows: Frame, verdicts: pa.Table | None) -> Frame:
    """Return rows of `summary` whose intervals of ratios leave 1 out only where the algorithms are shown to differ.

    Without a primary analysis they hold together by themselves, and stay.
    """
    if verdicts is None or not verdicts.num_rows or opened(verdicts):
        return rows
    low, high = rows["sgm_ratio_low"].clip(upper=1.0), rows["sgm_ratio_high"].clip(lower=1.0)
    return rows.assign(sgm_ratio_low=low, sgm_ratio_high=high)


def statements(results: Results) -> display.Table:
    """Make the table of all statements: shown effects first, the largest on top."""
    stated, keys = results.data["verdicts"], ["analysis", "measure", *POINT]
    rows = frame(stated, columns=[*keys, "algorithm_a", "algorithm_b", "alpha", "p_low"])
    rows = rows[rows["algorithm_a"].notna() & (rows["analysis"] != EQUIVALENCE)]
    fields = columns("verdicts", results.names(rows, 24), {"significant": decided()})
    sections = []
    parts = groups(rows, keys)
    for group, members in parts:
        # pairs of one group at a time: of thousands of algorithms there are millions
        pairs = (
            frame(stated.take(members.index.to_numpy()))
            .assign(row=members.index.to_numpy() + 1, size=lambda rows: rows["effect"].abs().fillna(-1.0))
            .sort_values(["significant", "size"], ascending=False, kind="stable")
        )
        first = pairs.iloc[0]
        where = any(group[key] is not None for key in ("target", "at_budget", "stratum"))
        heading = (
            f"{group['analysis']}: {results.about.called(group['measure'])}{', ' + at(group, results.measure) if where else ''}"
        )
        heading += f" ({display.plural(int(first['n_clusters']), 'cluster')}, family of {display.count(first['family_size'])})"
        control, counted_words = results.about.control, {"significant": "{n} yes"}
        sections.append(
            section_of_pairs(heading, fields, pairs, pairs["effect"], control, _turned, "verdicts.parquet", counted_words)
        )
    return exhibit(
        "verdicts",
        fields,
        sections,
        alpha=rows["alpha"].iloc[0] if len(rows) else None,
        undecided=rows["p_low"].notna().any(),
        error=error("α"),
        cut=cut(rows for _, rows in parts),
    )


def _turned(row: Row) -> Row:
    if row["effect"] is None:
        return {**row, "size": None, "span": display.ABSENT}
    turn = row["turn"]
    low, high = sorted((turn * row["effect_low"], turn * row["effect_high"]))
    return {**row, "size": turn * row["effect"], "span": f"{display.number(low)} to {display.number(high)}"}


def as_good(results: Results) -> display.Table:
    """Make the table of which algorithms are as good as each other within the margin."""
    rows = frame(results.data["verdicts"])
    rows = rows[rows["algorithm_a"].notna() & (rows["analysis"] == EQUIVALENCE)].sort_values(
        ["significant", "p"], ascending=[False, True], kind="stable"
    )

    def said(value: float | None) -> str:
        return display.number(None if value is None else math.exp(value))

    def span(row: Row) -> str:
        return display.ABSENT if row["effect_low"] is None else f"{said(row['effect_low'])} to {said(row['effect_high'])}"

    fields = columns(
        "equivalence",
        results.names(rows, 24),
        {"effect": lambda row: said(row["effect"]), "interval": span},
        bold={"p_adjusted": lambda row: row["significant"]},
    )
    first = head(rows)
    counted_words, control = {"cost ratio": "", "interval": "", "adjusted p": "{n} shown"}, results.about.control
    pairs = section_of_pairs("", fields, rows, rows["effect"], control, lambda row: row, "verdicts.parquet", counted_words)
    return exhibit("equivalence", fields, (pairs,), first=first, called=results.about.called, cut=cut([rows]))


def verdict(results: Results) -> list[str]:
    """Say what can and what cannot be claimed of a measure, the primary analysis first."""
    return [
        *_claims(results),
        *(one.text for one in claims.held(results.data.get("claims"), results.measure.name)),
        *_cautions(results),
    ]


def primary(data: Data) -> dict[str, str] | None:
    """Return measure, sentence and error of the primary analysis; None without one, an empty `text` if nothing was compared."""
    columns = ["measure", "algorithm_a", "p_adjusted", "significant", "n_clusters", "alpha"]
    rows = frame(data.get("verdicts"), columns=columns, analysis="primary")
    if not len(rows):
        return None
    measure = str(rows["measure"].iloc[0])
    rows = rows[rows["algorithm_a"].notna() & rows["p_adjusted"].notna()]
    if not len(rows):
        return {"measure": measure, "text": "", "error": ""}
    label = ((data.get("config") or {}).get("measures") or {}).get(measure, {}).get("label")
    alpha = rows["alpha"].iloc[0]
    text = prose.said(
        __file__,
        "Primary",
        families=families.sentence(data.get("families")),
        some=int(rows["significant"].sum()),
        n=len(rows),
        measure=label or display.words(measure),
        clusters=int(rows["n_clusters"].iloc[0]),
        alpha=alpha,
    )
    return {"measure": measure, "text": text, "error": error(display.target(alpha), data.get("summary"))}


def _claims(results: Results) -> list[str]:
    stated, measure = results.data.get("verdicts"), results.measure.name
    if stated is None:
        return []
    verdicts = frame(stated, measure, columns=["analysis", "algorithm_a", "significant"])
    of_all = frame(stated.filter(pc.is_null(stated["algorithm_a"])), measure)
    texts = [str(text) for analysis in ("primary", EQUIVALENCE) for text in of_all.loc[of_all["analysis"] == analysis, "text"]]
    if texts and (found_families := families.sentence(results.data.get("families"))):
        texts[0] = f"{found_families} {texts[0]}"
    rest = verdicts[(verdicts["analysis"] == "secondary") & verdicts["algorithm_a"].notna()]
    if len(rest):
        n = int(rest["significant"].sum())
        texts.append(prose.said(__file__, "Secondary", measure=results.measure, n=n, total=len(rest)))
    return texts


def _cautions(results: Results) -> list[str]:
    tested, checked = (by_point(results.rows(name)) for name in ("tests", "assumptions"))
    compared = by_point(_deciding(results.rows("comparisons")))
    paragraphs = []
    stated = results.rows("verdicts", columns=["analysis", "method"])
    # what the paragraph of the primary analysis says of its own comparison
    primary_methods = set(stated.loc[stated["analysis"] == "primary", "method"]) if len(stated) else set()
    for point, rows in tested.items():
        own_pairs = compared.get(point, [])
        others = [row for row in own_pairs if row["method"] not in primary_methods]
        doubts = _doubts(rows, own_pairs, checked.get(point, []))
        where = at(dict(zip(POINT, point, strict=True)), results.measure)
        if cautions := prose.said(__file__, "Cautions", **_limits(rows, others), **doubts):
            paragraphs.append(f"{display.capital(where)}: {cautions}")
    return paragraphs


def opened(verdicts: pa.Table | None) -> bool:
    """Return True if the primary analysis shows that the algorithms differ."""
    if verdicts is None:
        return False
    of_all = pc.and_(pc.equal(verdicts["analysis"], "primary"), pc.is_null(verdicts["algorithm_a"]))
    return bool(pc.any(verdicts.filter(of_all)["significant"]).as_py())


def _deciding(pairs: Frame) -> Frame:
    """Return of each method and point the row of its first correction, and how many there are."""
    if not len(pairs):
        return pairs
    keys = [*POINT, "method"]
    corrections = pairs["correction"].astype(str)
    kept = pairs[corrections == corrections.groupby([pairs[key] for key in keys], observed=True, dropna=False).transform("first")]
    n = kept.groupby(keys, observed=True, dropna=False)["correction"].transform("size")
    return kept.assign(n_pairs=n).drop_duplicates(keys)


def _limits(tests: Sequence[Row], pairs: Sequence[Row]) -> Row:
    """Return by what this design could not have rejected, whatever the data."""
    powerless: dict[str, list[str]] = {}
    for row in tests:
        if row["p_min"] is not None and row["p_min"] > row["alpha"]:
            powerless.setdefault(f"p {display.p_value(row['p_min'])}", []).append(display.method_name(row["method"]))
    compared = sorted(pairs, key=lambda row: natural_key(row["method"]))
    for row in compared:
        if row["p_adjusted_min"] is not None and row["p_adjusted_min"] > row["alpha"]:
            reason = f"adjusted p {display.p_value(row['p_adjusted_min'])} for {display.plural(row['n_pairs'], 'pair')}"
            known = CORRECTIONS[row["correction"]]
            by = f" with {known.words}" if known.asked and known.corrects else ""
            powerless.setdefault(reason, []).append(display.comparison_name(row["method"]) + by)
    no_msd = [row for row in compared if row["smallest_epsilon"] is not None and row["msd"] is None]
    return {"powerless": powerless, "no_msd": no_msd}


def _doubts(tests: Sequence[Row], pairs: Sequence[Row], checks: Sequence[Row]) -> Row:
    """Return which assumptions of the parametric methods the data contradict, and which methods that concerns."""
    tested = [TESTS[name] for name in dict.fromkeys(row["method"] for row in tests)]
    compared = [COMPARISONS[name] for name in dict.fromkeys(row["method"] for row in pairs)]
    broken = {row["check"]: row for row in checks if row["p"] is not None and row["p"] <= tests[0]["alpha"]}
    doubted = [row for name, row in broken.items() if name in ("shapiro_wilk", "brown_forsythe", "brown_forsythe_blocks")]
    replicated = {row["method"] for row in tests if row["n_runs"] > 1}
    return {
        "doubts": [f"{row['meaning']} (p {display.p_phrase(row['p'])})" for row in doubted],
        "broken": broken,
        "compared": compared,
        "methods": [*tested, *compared],
        "mistaken": [test for test in tested if test.no_interaction and test.name in replicated],
    }


ENTRIES = kinds(verdicts=statements, equivalence=as_good)
