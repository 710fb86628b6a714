"""The command that compares two versions of a solver."""

import argparse
import warnings
from pathlib import Path

from benchmill.core import UserError, Written
from benchmill.core.whole_file import write_text
from benchmill.study import yaml_text
from benchmill.text.commands import CLEAN, REPAIRED, declared
from benchmill.workflow.commands import options_of

#: What a file of --config may say beside the options of the command.
_OF_SOURCES = ("options", "base_options", "new_options")


@declared(__file__, "compare")
def _compare(options: argparse.Namespace) -> int:
    from benchmill.exhibits.tables.forms import comment
    from benchmill.versions import history
    from benchmill.versions.comparison import compare_versions
    from benchmill.versions.sentences import against, rule

    if options.trend:
        return _trend(options)
    if options.factors:
        return _factors(options)
    if options.base is None or not options.new:
        raise UserError("compare: BASE and NEW are not both given; expected `benchmill compare BASE NEW`.")
    if options.figure or (options.label and not options.history):
        raise UserError("compare: --figure goes with --trend, and --label with --history; give both, or leave it out.")
    if options.history and (not options.label or len(options.new) > 1):
        raise UserError(
            "--label: a line of a history needs a name, and is of one NEW; give the commit, or the date, with --label."
        )
    asked = _asked_of_comparison(options)
    both = {**asked.pop("options", {}), **options_of(options.option)}
    fail_on = asked.pop("fail_on", None)
    if fail_on is not None:
        rule(fail_on)
    asked |= {side: {**both, **asked.get(side, {})} for side in ("base_options", "new_options")}
    # the statements about all of them are one family
    asked["level"] = 1 - (1 - asked.get("level", 0.95)) / len({*options.new})
    comparisons = {name: compare_versions(options.base, name, **asked) for name in options.new}
    if fail_on is not None:
        comparisons = {name: one.judged(fail_on) for name, one in comparisons.items()}
    for number, one in enumerate(comparisons.values(), 1):
        if options.output:
            one.write(Path(options.output, *[str(number)] * (len(comparisons) > 1)))
        if options.history:
            history.append(options.history, history.entry(one.found, options.label))
    print(
        one.text if len(comparisons) == 1 else comment(*against({name: one.found for name, one in comparisons.items()})), end=""
    )
    if any(one.found["met"] for one in comparisons.values()):
        return REPAIRED
    if undecided := [
        f"{name}: {text}" if len(comparisons) > 1 else text
        for name, one in comparisons.items()
        for text in one.found["undecided"]
    ]:
        raise UserError(f"--fail-on: {' '.join(undecided)} Leave that part out, or give data that can decide it.")
    return CLEAN


def _asked_of_comparison(options: argparse.Namespace) -> Written:
    """Merge the file of --config with the options of the command, which win."""
    names = ("algorithm", "base_algorithm", "measure", "fail_on", "format", "best_known", "objective", "by")
    asked: Written = {}
    if options.config:
        content = yaml_text.read(yaml_text.text_of(Path(options.config)), options.config)
        if not isinstance(content, dict):
            raise UserError(f"{options.config}: found {type(content).__name__}, expected keys with values.")
        allowed = (*names, *_OF_SOURCES, "cluster_keys", "level")
        for key, value in content.items():
            if key not in allowed:
                raise UserError(f"{options.config}: there is no key {key!r}, expected some of {', '.join(allowed)}.")
            if key in _OF_SOURCES and not isinstance(value, dict):
                raise UserError(f"{options.config}: {key} is {value!r}, expected such as {{time_limit: 3600}}.")
        asked |= content
    return asked | {name: getattr(options, name) for name in names if getattr(options, name) is not None}


def _factors(options: argparse.Namespace) -> int:
    from benchmill.exhibits.tables import fields, forms
    from benchmill.notebook.indicators import compare_factors
    from benchmill.readers import table_files
    from benchmill.readers.interface import Report

    if options.base is None or options.new:
        raise UserError("--factors: it is of one table; expected `benchmill compare TABLE --factors cuts,emphasis`.")
    rows = table_files.read_beside(options.base, "table", "BASE", Report({})).frame.drop(columns=table_files.LINE)
    with warnings.catch_warnings():
        # what a notebook warns of, and goes on, a command does not take
        warnings.simplefilter("error", UserWarning)
        try:
            effects = compare_factors(rows, options.factors.split(","), **options_of(options.option))
        except UserWarning as warning:
            raise UserError(f"{options.base}: {warning}") from None
    print(forms.markdown(fields.alone("factors", fields.columns("factors"), effects)))
    return CLEAN


def _trend(options: argparse.Namespace) -> int:
    from benchmill.exhibits.figures import style, trend
    from benchmill.versions import history

    path = Path(options.figure or "figure.pdf")
    if path.suffix not in (".pdf", ".svg", ".png"):
        raise UserError(f"--figure: found {path.name!r}, expected a name that ends with .pdf, .svg or .png.")
    course = history.trend(options.trend)
    if options.figure:
        style.save(trend.draw(course.points), path.with_suffix(""), [path.suffix[1:]])
    if options.output:
        write_text(Path(options.output, "trend.html"), history.page(course))
        style.save(trend.draw(course.points), Path(options.output, "trend"), ["svg"])
    print(course.text, end="")
    return CLEAN
