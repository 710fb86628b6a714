"""How runs can end, and the words for it in logs and tables."""

from __future__ import annotations

import re

#: How a run can end, and whether that is `solved`; None where the log does not say how it ended.
OUTCOMES: dict[str, bool | None] = {
    "solved": True,
    "infeasible": True,
    "unbounded": True,
    "time_limit": False,
    "memory_limit": False,
    "limit": False,
    "stopped": False,
    "error": False,
    "wrong": False,
    "unknown": False,
    "truncated": None,
}

#: Whole words in tables, in lower case and with one blank for all that is no letter or digit; the first row counts.
_WORDS = {
    "unknown": r"unknown|unk|indeterminate|undecided|undetermined|infeasible or unbounded|unbounded or infeasible|inf or unbd",
    "time_limit": r"t ?o|tle?|time ?out( .*)?|timed ?out.*|(?:(?:wall|cpu|run) ?)?(?:clock )?time ?(?:limit|exceeded).*|"
    r"out of time|cut ?off( .*)?|max(?:imum)? ?(?:(?:cpu|wall|run) ?)?time.*",
    "limit": r"(?:iteration|iter|node|solution|evaluation|eval|step|objective|gap|work) ?limit.*|"
    r"max(?:imum)? ?(?:num\w* |number of )?(?:iter|eval|node|step).*",
    "stopped": r"(?:user )?interrupt.*|killed.*|stopped.*|cancell?ed.*",
    "memory_limit": r"m ?o|mle|oom|mem(?:ory)?(?: ?(?:out|limit|exceeded).*)?|out of (?:\w+ )?memory.*",
    "error": r"er|err|(?!error free)error.*|(?!no ).* error|exception.*|fail.*|crash.*|abort.*|seg ?fault.*|segmentation.*|"
    r"numerical.*|traceback.*",
    "wrong": r"incorrect|wrong.*|wa|invalid.*",
    "infeasible": r"(?:(?:proven|primal|integer) )?infeasible",
    "unbounded": r"(?:proven )?unbounded",
    "solved": r"ok|opt|pass(?:ed)?|success(?:ful(?:ly)?)?|converged|correct|first order|sat|satisfiable|unsat|unsatisfiable|"
    r"(?:(?:proven|global(?:ly)?|local(?:ly)?|integer|mip) )*(?:optimal|optimum|solved)"
    r"(?: (?:to|optimality|solution|found|proven|tolerance))*",
}

#: Words within what solvers print at the end of a run; the first row counts.
_IN_LOGS = (
    (r"time.?limit|time.?out|maxtime|max_time", "time_limit"),
    (r"memory|mem limit", "memory_limit"),
    (r"infeasible or unbounded|unbounded or infeasible", "unknown"),
    (r"node|iteration|solution limit|restart|stall|work limit|limit exceeded|limit reached|bound limit|objective limit", "limit"),
    (r"bound on objective|target for objective|stopped on gap", "limit"),
    (r"\binfeasible|integer infeasible", "infeasible"),
    (r"unbounded", "unbounded"),
    (r"interrupt|aborted|user|signal|stopped by", "stopped"),
    (r"error|difficult|numeric|failed|trouble|sub-?optimal|out of memory", "error"),
    (r"optimal", "solved"),
)

#: What a user calls a solved run that claims the optimum, and words that claim it by themselves.
PROVEN = "optimal"
_CLAIM = re.compile(
    r"(?!.*(?:local|sub|near|almost|approx|inaccurate|unproven|(?:non?|not)[\W_]))(?:.*[\W_])?opt(?:imal(?:ity)?|imum)?(?:[\W_].*)?",
    re.IGNORECASE,
)
#: A text, among others that say nothing, that tells of a failure.
_FAILURE = re.compile(
    r"\b(?:\w*error\d*|\w*exception|traceback|fail(?:ed|ure|s)?|crash(?:ed)?|killed|abort(?:ed)?|time(?:d )?-?out|segfault|"
    r"segmentation fault|out of memory|oom|cancell?ed|unsolved|dnf|(?:did )?not (?:finish|solve|converge)(?:e?d)?)\b",
    re.IGNORECASE,
)


def known(word: str) -> str | None:
    """Return the outcome of a table's word, None where it is not known."""
    plain = re.sub(r"[\W_]+", " ", word).strip().lower()
    return next((meant for meant, pattern in _WORDS.items() if re.fullmatch(pattern, plain)), None)


def outcome(words: str) -> str:
    """Return the outcome of a solver's last words, `unknown` where they tell none."""
    return next((meant for pattern, meant in _IN_LOGS if re.search(pattern, words, re.IGNORECASE)), "unknown")


def claims_optimum(word: str) -> bool:
    """Return True if a word claims a proven optimum."""
    return word == PROVEN or _CLAIM.fullmatch(word.strip()) is not None


def tells_failure(text: str) -> bool:
    """Return True if a text speaks of an error, a crash or the end of the time."""
    return _FAILURE.search(text) is not None
