"""The command that explains a sentence or a number of a study."""

import argparse
import json

from benchmill.text.commands import CLEAN, argument, declared


@declared(
    "why",
    argument("results FOLDER", "results of a study: results/STUDY"),
    argument(
        "name NAME",
        "'A better than B', or a name as listed by this command or numbers.tex; without one, all are listed",
        nargs="?",
    ),
    argument("--problem NAME", "show the costs on this problem, and the runs with their places in the logs"),
    argument("--run N", "with --problem: only the runs with this number", type=int, dest="number"),
    argument("--json", "print JSON, with all rows"),
    help="explain a sentence or number of a study",
    description="Show what is behind a sentence or a number of finished results: the rule and the settings, each with its "
    "key; the scores of the clusters, those against it first; how few clusters it depends on; and with --problem costs, runs, "
    "and the file and line of each in the logs.",
    epilog="exit codes: 0 answered; 2 there are no such results or no such name",
)
def _why(options: argparse.Namespace) -> int:
    from benchmill.notebook.results import load
    from benchmill.why import answers

    results = load(options.results)
    if options.name is None:
        listed = answers.names(results)
        if options.json:
            print(json.dumps([{"name": name, "text": text} for name, text in listed], indent=1, ensure_ascii=False))
        else:
            print(answers.listed(listed))
        return CLEAN
    answer = answers.answer(results, options.name, options.problem, options.number)
    print(json.dumps(answers.plain(answer), indent=1, ensure_ascii=False) if options.json else answers.written(answer))
    return CLEAN
