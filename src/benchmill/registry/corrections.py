"""The corrections of p values for the number of pairs."""

from __future__ import annotations

from dataclasses import dataclass

from benchmill.registry.methods import Method


@dataclass(frozen=True, kw_only=True)
class Correction(Method):
    """A correction of p values for the number of comparisons.

    Attributes
    ----------
    corrects : bool
        Whether the adjusted p values are other ones than those of the pairs alone.
    all_pairs : bool
        Whether it needs the p values of all pairs of some algorithms.
    """

    function: str = ""
    corrects: bool = True
    all_pairs: bool = False


def _asked(name: str, words: str, *references: str, phrase: str = "", note: str = "", **more: bool) -> Correction:
    module = "benchmill.inference.corrections"
    return Correction(
        name=name,
        words=words,
        module=module,
        function=name,
        references=references,
        phrase=phrase or words,
        note=note,
        **more,
    )


def _part(name: str, words: str, module: str = "benchmill.inference.comparisons") -> Correction:
    return Correction(name=name, words=words, module=module, asked=False)


_ALL = (
    _asked("holm", "Holm’s correction", "holm1979"),
    _asked("shaffer", "Shaffer’s correction", "shaffer1986", all_pairs=True),
    _asked("bonferroni", "Bonferroni’s correction"),
    _asked("none", "no correction", phrase="no correction for the number of pairs", corrects=False),
    _part("max_t", "step-down max-T over the family", "benchmill.inference.clusters"),
    _part("studentised_range", "studentised range"),
    _part("scheffe", "all contrasts"),
    _part("published", "level of each pair, no correction"),
)

#: By name, in the order of the documentation.
CORRECTIONS = {correction.name: correction for correction in _ALL}

#: What a study corrects by unless it says otherwise.
USUAL = ("holm",)
