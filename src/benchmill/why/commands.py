"""The command that explains a sentence or a number of a study."""

import json
from argparse import Namespace

from benchmill.text.commands import CLEAN, declared


@declared(__file__, "why")
def _why(options: Namespace) -> int:
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
