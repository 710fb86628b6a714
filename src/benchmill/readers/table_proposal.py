"""What the entry of a table could say: the roles of its columns, told from their names and cells.

A proposal is shown to whoever owns the table, and only after it has been tried; nothing is ever read by it unasked. What the
table cannot show (whether an often repeated largest time is the limit, say) is asked, not proposed.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from typing import Any

import pandas as pd

from benchmill.readers.interface import Proposal
from benchmill.readers.solver_runs import OUTCOMES, SECONDS, short, usual_limit
from benchmill.text.labels import shown

#: Names that columns of each role have in tables that people publish, the surest first.
_NAMES = {
    "problem": "problem,instance,model,cnf,benchmark,bench,instance id,problem name,instance name,file,filename,function,hash,"
    "graph,formula,matrix,dataset,data set,data name,dataset name,function name,case name,"
    "benchmark name,environment,env,case,name,problem id,function id,func,fid,task,task id,test case",
    "algorithm": "algorithm,solver,method,optimizer,optimiser,classifier,heuristic,alg,algo,tool,solver name,algorithm name,"
    "optimizer name,optimiser name,method name,planner,prover,framework,approach,agent,learner,configuration,config,variant,"
    "backend",
    "number": "id,number,no,nr",
    "suite": "suite,test suite,test set,testset,benchmark suite,benchmark set",
    "dimension": "dimension,dim,dims,dimensions,dimensionality,d,n dim,n dims,ndim,ndims,number of dimensions,problem dimension,"
    "problem dim",
    "instance": "instance,inst,iid,instance id,fold,split",
    "run": "run,rep,repeat,repetition,replicate,replication,trial,run id,run no,run number,run index,rep id,trial id",
    "seed": "seed,random seed,rng seed",
    "evaluations": "evaluations,evals,fes,fe,nfe,nfes,nfev,fevals,nfevals,n evals,num evals,function evaluations,func evals,"
    "number of evaluations,number of function evaluations,evaluation,eval,iteration,iterations,iter,generation,gen",
    "value": "value,best value,best,fitness,best fitness,final fitness,objective,error,best error,final error,best so far,best f,"
    "f best,fbest,best cost,best objective value,fitness value,function value,objective function value,indicatorvalue,"
    "indicator value,metric value,raw y,best y,y",
    "objective": "objective value,obj,objval,best objective,best obj,final value,fun,result,score,accuracy,"
    "test accuracy,validation accuracy,auc,reward,return,hypervolume",
    "quality": "loss,final loss,best loss,validation loss,test loss,regret,simple regret,error rate,test error,rmse,mse,mae",
    "cost": "cost,time,runtime,run time,wall time,walltime,wall clock time,cpu time,cputime,cpu,solve time,solving time,"
    "solver time,wallclock time,wall clock,wallclock,real time,user time,solvetime,total time,total runtime,elapsed,elapsed time,"
    "seconds,duration",
    "mean": "mean,average,avg",
    "sd": "sd,std,stdev,std dev,standard deviation",
    "n": "n,runs,number of runs",
    "quantity": "indicatorname,indicator name,indicator,metric name,metric,measure,quantity,criterion",
    "outcome": "outcome,status,result,found,solved,success,exit status,solver status,termination,run status,run result,state,"
    "solve status,termination status,verdict",
    "time_limit": "time limit,timelimit,timeout,limit,cutoff,cutoff time,cut off",
}
_KEYS = ("suite", "problem", "dimension", "instance", "algorithm", "run", "seed")
#: Names of what is better the larger it is.
_LARGER = re.compile(r"(.*[\W_])?(acc|accuracy|auc|reward|return|score|hypervolume|hv)([\W_].*)?", re.IGNORECASE)
#: What is learned is no problem where the data that it is learned from are.
_LEARNED, _DATA = "model", ("dataset", "data set", "task", "environment", "env")
#: Steps of an algorithm that may be more than one evaluation.
_STEPS = re.compile(r"iter(ation)?s?|gen(eration)?s?", re.IGNORECASE)
#: Columns that are a part of a name where without them several rows are of one run.
_PARTS = {
    "problem": re.compile(r"size|instance|class|family|scale|domain"),
    "algorithm": re.compile(r"version|setting|config|option|param|variant|mode|thread"),
}
#: What words in place of a number, or in a column of statuses, mean; other ones say nothing for certain.
_WORDS = {
    "time_limit": r"t\W?o\W?|tle?|time.?out.*|timed.?out.*|time.?limit.*|out.of.time|cut.?off.*|time.?exceeded|"
    r"(?:wall|cpu|run).?time.?(?:limit|out|exceeded).*|max.?(?:imum.?)?(?:cpu.?|wall.?)?time.*",
    "limit": r"(?:iteration|iter|node|solution|evaluation|eval|step|objective|gap).?limit.*|max.?(?:imum.?)?(?:num.*)?"
    r"(?:iter|eval|node|step).*",
    "stopped": r"(?:user.?)?interrupt.*|killed.*|stopped.*|cancell?ed.*",
    "memory_limit": r"m\W?o\W?|mle|oom|mem.*|out.of.memory",
    "error": r"er|err|error.*|.*(?:\b|_)error|fail.*|crash.*|abort.*|exception|seg.?fault.*|segmentation.*|numerical.*",
    "wrong": r"incorrect|wrong.*|wa|invalid.*",
    "infeasible": r"infeasible.*",
    "unbounded": r"unbounded.*",
    "solved": r"ok|opt|(?:locally.?|globally.?)?(?:optimal|solved).*|first.?order|success.*|true|yes|"
    r"sat|satisfiable|unsat|unsatisfiable|converged|done|correct|finished|completed?|sc",
}
#: What the letters of the MiniZinc Challenge mean, where its `SC` or `UNK` stands beside them: a complete search, a solution.
_OF_MINIZINC = {"C": "solved", "S": "time_limit"}
_NUMBER = r"[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?|[+-]?[iI][nN][fF](?:inity)?"
_TIME = r"[+-]?[0-9.]+(?:[eE][+-]?[0-9]+)?\s*(?:ns|us|µs|ms|s|sec|min|h|d)"
_UNIT = re.compile(
    r"[\s_]*[\[(]\s*(?P<a>s|sec|seconds|ms|us|ns|min|h)\s*[\])]\s*$|[\s_]+(?P<b>s|sec|seconds|ms|us|ns|min|h)\s*$", re.I
)
_SECONDS = {"sec": "s", "seconds": "s", "µs": "us"}
#: What a column holds beside the one of costs of the same solver: `A_rank` beside `A`, `A_std` beside `A_mean`.
_BESIDE = re.compile(
    r"(?P<of>.*?)(?:\W|_)+(?:rank|std|sd|std\W?dev|stdev|stddev|variance|var|se|min|max|best|worst|nodes|iters?|iterations|gap|"
    r"memory|mem|obj|objective|objval|bound|status|solved|evals|nfev)\W*"
)
_DEVIATION = re.compile(r"(?:std|sd|std\W?dev|stddev|stdev)\W*$", re.IGNORECASE)
#: What a column of whole numbers says of a problem, and of no algorithm.
_SIZE = re.compile(
    r"(?:n|num|no|number|#)?[\W_]*(?:of[\W_]*)?(?:var\w*|cons?|constr\w*|rows?|cols?|columns?|size|nnz|non[\W_]?zeros?|bin\w*|"
    r"ints?|integers?|edges?|nodes?|vertices|clauses?|literals?|items?|jobs?|machines?|cities|customers|id|index|year)",
    re.IGNORECASE,
)
#: Columns with what a solver answered and what is right, as StarExec has them beside its status.
_JUDGED = ("result", "expected")
#: What a column of yes and no answers, by its name, the surest first, and what its yes means; a no is the opposite.
_ANSWERS = {
    r"timed?[\W_]?out|time[\W_]?limit[\W_]?(reached|hit|exceeded)|(reached|hit|exceeded)[\W_]?time[\W_]?limit": "time_limit",
    r"failed|failure|crashed": "error",
    r"solved|success(ful)?|succeeded|found|converged|optimal|proven|correct|reached|coverage": "solved",
    r"feasible|valid": "solved",
}
#: Words beside which the name of a column answers something else: `limit_reached`, `not_solved`, `errors_found`.
_OTHERWISE = r"no|not|non|without|limits?|errors?|bugs?|max|maximum|infeasible|unbounded"
_YES, _NO = ("1", "1.0", "true", "yes", "y"), ("0", "0.0", "false", "no", "n")
#: How the moment at which a run began or ended is written.
_DATE = r"[0-9]{4}-[0-9]{2}-[0-9]{2}(?:[T ][0-9]{2}:[0-9]{2}|$)"
_NO_ANSWER = re.compile(r"(starexec-)?unknown|-*", re.IGNORECASE)
#: A status has few words, and they are short.
_MOST_WORDS = 30
_MOST_CODES = 15
#: Other columns that may hold what is compared, in a question.
_MOST_OTHERS = 6
_LONGEST_WORD = 100


#: Letters that stand for a failure in place of a time; in a column of statuses they may say true and false.
_LETTERS = {"t": "time_limit", "m": "memory_limit", "f": "error"}


def has_sd(cells: pd.Series) -> bool:
    """Whether there are means with their standard deviations, as in `1.5 ± 0.2`, among cells."""
    return bool(cells.str.contains(r"[0-9][^A-Za-z]*(?:±|\+/?-|\\pm)").any())


def is_number(cell: str) -> bool:
    """Whether a cell is a number or a time with a unit (or more than such a time), and so no name of a column."""
    return re.fullmatch(f"(?:(?:>\\s*=?|≥)\\s*)?(?:{_NUMBER}|{_TIME})(?:\\s*\\+)?", cell.strip()) is not None


def is_word(cell: str) -> bool:
    """Whether a cell that should be a number is a word that stands in its place, rather than a number with a mistake."""
    if not 0 < len(cell) <= _LONGEST_WORD:
        return False
    return not any(character.isdigit() for character in cell) or meaning_in_place(cell) != "unknown"


def words_of(cells: pd.Series) -> dict[str, int]:
    """The words among costs, with how often each is there, the most frequent first."""
    counts = cells.value_counts()
    return {str(cell): int(count) for cell, count in counts.items() if is_word(cell) and not is_number(cell)}


class _Columns:
    """The columns of a table, and what has been told of them."""

    def __init__(self, frame: pd.DataFrame, options: Mapping[str, Any], ours: Collection[str]) -> None:
        self.frame = frame
        self.columns = dict(options.get("columns", {}))
        used = {c for named in self.columns.values() for c in ([named] if isinstance(named, str) else named)}
        wide = options.get("wide")
        spread = {wide if isinstance(wide, str) else wide["key"], "cost"} if wide else set()
        self.known = {*self.columns, *options.get("constants", {}), *spread, *(c for c in frame if c in ours)}
        self.known |= {"time_limit"} if "time_limit" in options else set()
        self.free = [c for c in frame if c not in used and c not in self.known]

    def all_named(self, role: str) -> list[str]:
        """The columns whose name is one of a role, the surest first."""
        names = [c for c in self.free if len(c) <= _LONGEST_WORD]
        plain = {re.sub(r"[\W_]+", " ", _UNIT.sub("", c)).strip().lower(): c for c in reversed(names)}
        return [plain[name] for name in _NAMES[role].split(",") if name in plain]

    def named(self, role: str) -> str | None:
        """The column whose name is the surest of a role."""
        return next(iter(self.all_named(role)), None)

    def named_outcome(self) -> str | None:
        """The column that says how runs ended: by its name, by its words, or a yes or no whose name tells what it answers."""
        few = [c for c in self.free if len(c) <= _LONGEST_WORD and self.frame[c].nunique() <= _MOST_WORDS]
        named = [c for c in self.all_named("outcome") if c in few and not self.holds_numbers(c)]
        told = [c for c in few if _tell_failures(self.frame[c])]
        answers = [c for c in few if _answered(c) and _yes_or_no(self.frame[c])]
        surest = list(_ANSWERS)
        return next(iter([*named, *told, *sorted(answers, key=lambda c: surest.index(str(_answered(c))))]), None)

    def coded(self) -> str | None:
        """The column that says by numbers how runs ended, which only their owner can tell."""
        codes = [c for c in self.all_named("outcome") if self.frame[c].str.fullmatch("-?[0-9]{1,4}").all()]
        return next((c for c in codes if 1 < self.frame[c].nunique() <= _MOST_CODES and c != self.named_outcome()), None)

    def take(self, role: str, column: str) -> None:
        """Give a column its role."""
        self.known.add(role)
        self.free.remove(column)
        self.columns[role] = column

    def take_named(self, role: str) -> None:
        """Give the column of such a name its role, if there is one."""
        column = None if role in self.known else self.named(role)
        if column is not None:
            self.take(role, column)

    def holds_numbers(self, column: str) -> bool:
        """Whether a column holds numbers, or words in their place."""
        counts = self.frame[column].value_counts()
        counts = counts[counts.index != ""]
        if has_sd(counts.index.to_series()):
            return True
        numbers = counts[[is_number(cell) for cell in counts.index]].sum()
        words = counts[
            [meaning_in_place(cell) in ("time_limit", "memory_limit", "error", "wrong") for cell in counts.index]
        ].sum()
        if numbers + words == counts.sum():
            return len(counts) > 0  # an algorithm may have failed everywhere
        return bool(numbers) and (numbers + words) * 2 >= counts.sum()

    def whole(self, column: str) -> bool:
        """Whether a column holds whole numbers alone."""
        return bool(self.frame[column].str.fullmatch(r"[0-9]+(\.0*)?").all())

    def keys_named(self, role: str) -> list[str]:
        """The columns whose name is one of a key, and whose cells can be: dimensions, runs and seeds are whole numbers."""
        named = [c for c in self.all_named(role) if role in ("suite", "instance") or self.whole(c)]
        # among A, B, C, a D is an algorithm
        return [c for c in named if len(c) > 1 or sum(len(other) == 1 for other in self.frame) < 3]

    def key(self, role: str) -> list[str]:
        """The columns of the file that make a name."""
        named = self.columns.get(role, role)
        return [c for c in ([named] if isinstance(named, str) else named) if c in self.frame]

    def repeated(self, more: Sequence[str] = ()) -> int:
        """Rows that have the same problem, algorithm and further keys as an earlier one."""
        keys = [c for role in _KEYS if role != "seed" for c in self.key(role)]
        return int(self.frame.duplicated([*keys, *more]).sum()) if keys or more else 0


def propose(
    frame: pd.DataFrame, options: Mapping[str, Any], ours: Sequence[str], name: str, unnamed: bool = False
) -> Proposal | None:
    """What an entry could say beside `options` for a table to be read.

    Parameters
    ----------
    frame : pandas.DataFrame
        The cells as text, by the names of the columns in the file.
    options : mapping
        The options that the entry has; what they say is kept.
    ours : sequence of str
        Benchmill's names of columns, which need no telling.
    name : str
        Name of the algorithm, where no column gives it and the cells of a row are of one run.
    unnamed : bool
        Whether the names of columns are no names of the file.

    Returns
    -------
    Proposal or None
        None if no column can be told to hold costs, or none the names of problems.
    """
    found = _Columns(frame, options, ours)
    more: dict[str, Any] = {}
    questions: list[str] = []
    _take_values(found)
    data = [c for c in found.all_named("problem") if c.lower() in _DATA]
    learned = [c for c in found.all_named("problem") if c.lower() == _LEARNED]
    if data and learned and found.named("algorithm") is None and not found.known & {"problem", "algorithm"}:
        found.take("problem", data[0])
        found.take("algorithm", learned[0])
    found.take_named("problem")
    if "problem" not in found.known and "instance" in frame:
        found.columns["problem"] = "instance"
        found.known = found.known - {"instance"} | {"problem"}
    spread: list[str] = []
    _take_keys(found, ("suite", "dimension"))
    if not found.known & {"cost", "mean", "value"}:
        _take_keys(found, ("instance", "run", "seed"))
        numbers = [c for c in found.free if found.holds_numbers(c)]
        found.take_named("algorithm")
        if unnamed and len(found.free) - len(numbers) > 1:
            # a column of names beside that of the problems: rows are runs, and whole numbers before the costs count them
            found.take("cost", numbers.pop())
            if numbers and frame[numbers[0]].str.fullmatch("[0-9]+").all():
                found.take("run", numbers[0])
        elif len(numbers) == 1:
            found.take("cost", numbers[0])
        else:
            sizes = [c for c in numbers if len(c) <= _LONGEST_WORD and _SIZE.fullmatch(c) and found.whole(c)]
            spread = [c for c in numbers if c in found.free and c not in sizes and _what_says_more(c, numbers) is None]
            spread = [c for c in spread if has_sd(frame[c])] or spread
    names = [c for c in found.free if c not in spread and not found.holds_numbers(c)]
    aside = [c for c in found.free if c not in spread and found.holds_numbers(c)]
    if spread and "algorithm" in found.known and not found.known & {"problem"} and not names:
        found.known.add("problem")  # an algorithm a row
        more["wide"] = "problem"
    if "problem" not in found.known:
        found.take_named("algorithm")
        moments = [c for c in names if _moments(frame[c])]
        names = [c for c in names if c in found.free and c != found.named_outcome() and c not in moments]
        number = found.named("number")
        if moments and number is not None and frame[number].is_unique:
            number = None  # of the runs, whose moments stand beside it
        if not names and number is None:
            if "algorithm" not in found.known:
                return None
            more["constants"] = {**options.get("constants", {}), "problem": name}
            found.known.add("problem")
            questions.append(f"Are all rows of one problem? It has the name of the file, {shown(name)!r}.")
        else:
            found.take("problem", max(names, key=lambda c: frame[c].nunique()) if names else str(number))
        names = [c for c in names if c in found.free]
    if spread:
        key = more.get("wide") or ("run" if "algorithm" in found.known else "algorithm")
        measured = {c for role in ("evaluations", "value", "objective", "quality") for c in found.all_named(role)}
        of_each = key == "algorithm" and found.named_outcome() is not None and measured & {*spread}
        if of_each or (key == "run" and len({re.sub("[0-9]+", "", c) for c in spread}) > 1):
            return None  # several measurements of each run
        deviations = {_what_says_more(c, spread): c for c in aside if _DEVIATION.search(c)}
        if {*spread} <= deviations.keys():
            more["wide"] = {"key": key, "columns": spread, "sd": [deviations[c] for c in spread]}
        else:
            more["wide"] = {"key": key, "except": [*names, *aside]} if names or aside else key
        costs = pd.concat([frame[c] for c in spread], ignore_index=True)
        questions.append(f"Is each of {_listed(spread)} one {key}? If not, name those that are in `wide`.")
        if "sd" in more["wide"] or has_sd(costs):
            questions.append("Are the numbers beside means standard deviations, and of how many runs (`constants: {n: ...}`)?")
    elif "wide" in options:
        wide = options["wide"] if isinstance(options["wide"], dict) else {}
        left = [c for c in found.free if c not in wide.get("except", ())]
        costs = pd.concat([frame[c] for c in wide.get("columns", left)] or [pd.Series(dtype=str)], ignore_index=True)
    elif not found.known & {"cost", "mean", "value"}:
        return None
    else:
        costs = frame[found.key("cost")[0]] if found.key("cost") else pd.Series(dtype=str)
        _take_algorithm(found, options, name, unnamed, more)
        if "cost" in found.known:
            found.take_named("time_limit")
            status = found.named_outcome() if "outcome" not in found.known else None
            if status is not None:
                found.take("outcome", status)
                judged = [c for c in _JUDGED if c in found.free]
                if status.lower() == "status" and len(judged) == len(_JUDGED):
                    # a status that only says that the solver has come to its end: what it answered, and what is right
                    found.columns["outcome"] = [status, *judged]
                    found.free = [c for c in found.free if c not in judged]
    if unnamed and {"problem", "algorithm"} <= found.columns.keys():
        questions.append("The file does not name its columns: are the problem, the algorithm and the cost those of `header`?")
    questions += _others(found)
    if "algorithm" in more and (names := [c for c in found.free if c not in spread and not found.holds_numbers(c)]):
        questions.append(f"Are all runs of one algorithm? If {_either(names)} names it, say so in `columns`.")
    if "cost" in found.known and "run" not in found.known and "seed" not in found.known and (again := found.repeated()):
        questions.append(
            f"{again} {'row has' if again == 1 else 'rows have'} the problem and the algorithm of an earlier one: repetitions? "
            "If a column says what they differ in, name it in `columns`."
        )
    cost = "".join(found.key("cost"))
    if "direction" not in options and len(cost) <= _LONGEST_WORD and _LARGER.fullmatch(cost):
        more["direction"] = "max"
        questions.append(f"Are larger values of {shown(cost)!r} better, as `direction` says?")
    if (code := found.coded()) is not None and "outcome" not in found.known:
        questions.append(
            f"Does {shown(code)!r} say how runs ended? All runs with a cost count as solved; if some failed, name it as "
            "`outcome` in `columns`, and say in `outcomes` what its numbers mean."
        )
    if "value" in found.known and not found.known & {"run", "seed"}:
        questions.append("Are the rows of one problem and algorithm one run? If a column tells runs apart, name it in `columns`.")
    steps = found.columns.get("evaluations")
    if isinstance(steps, str) and _STEPS.fullmatch(steps):
        questions.append(f"Is one {shown(steps)} one evaluation? What is compared are numbers of evaluations.")
    if "cost" in found.known or spread:
        questions += _unit(next(iter(found.key("cost")), ""), costs, options, more)
    stated = frame[found.key("outcome")].agg(" ".join, axis=1) if found.key("outcome") else pd.Series(dtype=str)
    if len(found.key("outcome")) > 1:
        words = {word: meaning_judged(word) for word in sorted(set(stated))}
    else:
        words = meanings("".join(found.key("outcome")), stated)
    words = {word: meant for word, meant in words.items() if word not in OUTCOMES}
    # a word in place of a number cannot be a solved run, which has one
    counts = words_of(costs)
    words |= {word: meant if OUTCOMES[meant := meaning_in_place(word)] is False else "unknown" for word in counts}
    if words.keys() & {"SC", "UNK"}:
        words |= {word: meant for word, meant in _OF_MINIZINC.items() if words.get(word) == "unknown"}
    if "S" in words and words["S"] == "time_limit":
        questions.append("`S` is a solution that is not proven to be the best: is such a run a failure, or (`S: solved`) none?")
    words = {**words, **options.get("outcomes", {})}
    if "time_limit" in words.values() and "time_limit" not in found.known:
        reached = _numbers(costs[stated.map(words) == "time_limit"]) if len(stated) == len(costs) else pd.Series(dtype=float)
        # what has a number is solved
        # a limit is on the scale of the costs
        scale = SECONDS[{**options, **more}.get("unit") or "s"]
        limit = usual_limit(reached.to_numpy() * scale, _numbers(costs).to_numpy() * scale)
        if limit is not None:
            more["time_limit"] = short(limit / scale)
            questions.append(
                f"Was the time limit {more['time_limit']:.10g}? No run says it; the longest took {_numbers(costs).max():.10g}."
            )
    if words != options.get("outcomes", {}):
        more["outcomes"] = words
        questions.append("Do the words mean what `outcomes` says?")
    if "empty" not in options and not len(stated) and (costs == "").any():
        more["empty"] = "missing"
        count = int((costs == "").sum())
        questions.append(
            f"{count} {'cost is' if count == 1 else 'costs are'} empty: runs that were not made (`empty: missing`) or failures "
            "(`empty: failure`)?"
        )
    columns = {role: column for role, column in found.columns.items() if role != column}
    if columns and columns != options.get("columns"):
        more = {"columns": columns, **more}
    return Proposal(more, tuple(questions))


def _numbers(costs: pd.Series) -> pd.Series:
    """The times among the cells of costs, without their units."""
    return pd.to_numeric(costs.str.replace(r"\s*[a-zµ]+$", "", regex=True), errors="coerce").dropna()


def meaning(word: str) -> str:
    """The outcome that a word stands for, `unknown` if it is none of those that are common."""
    plain = word.strip().lower()
    return next((outcome for outcome, pattern in _WORDS.items() if re.fullmatch(pattern, plain)), "unknown")


def meaning_judged(word: str) -> str:
    """The outcome that a status, an answer and the expected answer stand for, joined with blanks as in `complete sat unsat`."""
    status, answer, expected = word.rsplit(" ", 2) if word.count(" ") > 1 else (word, "", "")
    meant = meaning(status)
    if meant != "solved" or not answer:
        return meant
    if answer == expected and not _NO_ANSWER.fullmatch(answer):
        return "solved"
    # a solver that has come to its end may say that it ran out of time
    meant = "unknown" if _NO_ANSWER.fullmatch(answer) else meaning(answer)
    if OUTCOMES[meant] is True or is_number(answer):
        return "solved" if _NO_ANSWER.fullmatch(expected) else "wrong"
    return meant


def meanings(name: str, cells: pd.Series) -> dict[str, str]:
    """What the words of a column that says how runs ended mean, `unknown` where that is not certain."""
    words, asked = sorted(set(cells)), _answered(name)
    if asked is None or not _yes_or_no(cells):
        return {word: meaning(word) for word in words}
    yes = _ANSWERS[asked]
    no = "unknown" if yes == "solved" else "solved"
    return {word: yes if word.lower() in _YES else no for word in words}


def _answered(name: str) -> str | None:
    """The pattern of `_ANSWERS` that the name of a column has, as words of its own."""

    def has(pattern: str) -> bool:
        return re.search(rf"(^|[\W_])({pattern})([\W_]|$)", name, re.IGNORECASE) is not None

    found = next((pattern for pattern in _ANSWERS if has(pattern)), None)
    return None if found is not None and _ANSWERS[found] == "solved" and has(_OTHERWISE) else found


def _yes_or_no(cells: pd.Series) -> bool:
    """Whether a column answers yes in some rows and no in others."""
    said = {cell.lower() for cell in cells.unique()}
    return said <= {*_YES, *_NO} and bool(said & {*_YES}) and bool(said & {*_NO})


def _moments(cells: pd.Series) -> bool:
    """Whether a column says when something was, and so names nothing."""
    said = cells[cells != ""]
    return bool(len(said) and said.str.match(_DATE).all())


def meaning_in_place(word: str) -> str:
    """The outcome that a word in place of a number stands for: a limit may follow it, as in `TO (3600s)` or `t>7200`."""
    if len(word) > _LONGEST_WORD:
        return "unknown"
    plain = re.sub(rf"\W*(?:{_TIME}|{_NUMBER})\W*$", "", word.strip().lower()) or word
    return _LETTERS.get(plain, meaning(plain))


def outcome_columns(frame: pd.DataFrame, known: Collection[str]) -> tuple[dict[str, str], dict[str, str]]:
    """Columns that say how runs ended and at what limit, by their names and cells.

    Parameters
    ----------
    frame : pandas.DataFrame
        Cells as text, of columns to choose from.
    known : collection of str
        The roles that other columns have.

    Returns
    -------
    columns : dict of str to str
        By role, `outcome` or `time_limit`, the name of the column.
    words : dict of str to str
        What the words of the column of outcomes mean. There is no such column if its words
        are all of success, or none is.
    """
    found = _Columns(frame, {}, known)
    columns: dict[str, str] = {}
    words: dict[str, str] = {}
    status = None if "outcome" in known else found.named_outcome()
    if status is not None:
        words = meanings(status, frame[status])
        if len({OUTCOMES[meant] for meant in words.values()}) > 1:
            columns["outcome"] = status
    limit = None if "time_limit" in known else found.named("time_limit")
    if limit is not None and frame[limit].map(is_number).all():
        columns["time_limit"] = limit
    return columns, {word: meant for word, meant in words.items() if word not in OUTCOMES} if "outcome" in columns else {}


def keys_not_used(frame: pd.DataFrame, known: Collection[str], course: bool) -> dict[str, str]:
    """Columns that are not read although rows differ in them that otherwise are one run, or repetitions.

    Parameters
    ----------
    frame : pandas.DataFrame
        Cells as text: columns that are read, by benchmill's names, and others by their names in the file.
    known : collection of str
        The columns that are read.
    course : bool
        Whether the rows of a run are its improvements.

    Returns
    -------
    dict of str to str
        By role (suite, dimension, instance; of improvements also run and seed), told by its name, the column.
    """
    found = _Columns(frame, {}, known)
    group = [c for c in ("problem", "algorithm") if c in frame]
    several = [("suite", group), ("dimension", group), ("instance", group)]
    if course:
        several += [("run", [c for c in (*_KEYS, "evaluations") if c in known and c in frame])]
        several += [("seed", several[-1][1])]
    told: dict[str, str] = {}
    for role, keys in several if group else []:
        columns = [] if role in known else found.keys_named(role)
        if columns and frame.groupby(keys)[columns[0]].nunique().max() > 1:
            told[role] = columns[0]
    return told


def quantities(columns: Sequence[str]) -> list[str]:
    """The columns that by their names say what was measured in each row."""
    return _Columns(pd.DataFrame(columns=[*columns]), {}, ()).all_named("quantity")


def _take_values(found: _Columns) -> None:
    """Find the column of costs, or of means, or the two of improvements, by their names."""
    pair = {role: role if role in found.known else found.named(role) for role in ("evaluations", "value")}
    if "cost" in found.known or pair.keys() <= found.known:
        return
    both = all(c is not None and found.holds_numbers(c) for c in pair.values())
    if both and _ascends(found, str(pair["evaluations"])):
        for role in pair.keys() - found.known:
            found.take(role, str(pair[role]))
        return
    costs = [c for role in ("quality", "cost") for c in found.all_named(role) if found.holds_numbers(c)]
    if both and found.named_outcome() is None and not found.all_named("quality"):
        # a run a row: its best value, beside the evaluations that it had
        costs = [str(pair["value"])]
    if "mean" not in found.known and costs:
        found.take("cost", costs[0])
        had = str(pair["evaluations"])
        if costs[0] == pair["value"] and "budget" not in found.known and not _STEPS.fullmatch(had) and found.whole(had):
            found.take("budget", had)
    elif "mean" in found.known or found.named("mean"):
        for role in ("mean", "sd", "n"):
            found.take_named(role)
    elif found.all_named("algorithm") and (value := found.named("value")) is not None and found.holds_numbers(value):
        found.take("cost", value)


def _ascends(found: _Columns, evaluations: str) -> bool:
    """Whether the rows of each run are one after the other, at ever more evaluations."""
    keys = [c for role in _KEYS for c in ([role] if role in found.known & {*found.frame} else found.all_named(role))]
    numbers = pd.to_numeric(found.frame[evaluations], errors="coerce")
    steps = numbers.groupby([found.frame[c] for c in keys]).diff() if keys else numbers.diff()
    return bool(steps.notna().any() and (steps.dropna() > 0).all())


def _take_keys(found: _Columns, roles: Sequence[str]) -> None:
    """Find the columns that tell apart runs which without them would be one or repetitions, by their names."""
    more = [c for c in found.key("evaluations") if "value" in found.known]
    for role in roles:
        if role in found.known:
            continue
        for column in found.keys_named(role):
            if role == "dimension" or found.repeated([*more, column]) < found.repeated(more):
                found.take(role, column)
                break


def _others(found: _Columns) -> list[str]:
    """The question whether another column holds what is compared, where the names of several say that they might."""
    cost = found.columns.get("cost")
    if not isinstance(cost, str):
        return []
    roles = ("quality", "cost", "value", "objective")
    others = [c for role in roles for c in found.all_named(role) if found.holds_numbers(c)]
    # a measurement has decimals, a number of something has none
    others += [
        c
        for c in found.free
        if c not in others and found.holds_numbers(c) and found.frame[c].str.contains(".", regex=False).any()
    ]
    others = others[:_MOST_OTHERS]
    if not others:
        return []
    return [f"Is {shown(str(cost))!r} what is compared? If it is {_either(others)}, name that as `cost` in `columns`."]


def _what_says_more(column: str, others: Collection[str]) -> str | None:
    """The column beside which another holds ranks, deviations, or the like, as its name says."""
    match = _BESIDE.fullmatch(column.lower())
    if match is None or not match["of"]:
        return None
    whose = re.compile(re.escape(match["of"]) + r"(?:\W|_)*(?:mean|avg|average|median|time|cost|value)?")
    return next((c for c in others if whose.fullmatch(c.lower())), None)


def _tell_failures(cells: pd.Series) -> bool:
    """Whether all cells are words for how a run ended, some of success and some of failure."""
    words = [cell for cell in cells.unique() if cell]
    meant = {meaning(word) if is_word(word) else "unknown" for word in words}
    return "unknown" not in meant and {OUTCOMES[outcome] for outcome in meant} >= {True, False}


def _take_algorithm(found: _Columns, options: Mapping[str, Any], name: str, unnamed: bool, more: dict[str, Any]) -> None:
    """Find the columns that name the algorithm, and what makes names so long that no two rows are of one run."""
    found.take_named("algorithm")
    # rows of a course are one run; where no column counts the runs, the seeds do
    _take_keys(found, ("instance", "run", "seed"))
    if "value" in found.known and "run" not in found.known and (seed := found.columns.pop("seed", None)):
        found.columns["run"] = seed
    if "algorithm" not in found.known:
        most, outcome = max(2, len(found.frame) // 2), found.named_outcome()
        names = [c for c in found.free if c != outcome and not found.holds_numbers(c) and 1 < found.frame[c].nunique() <= most]
        names = [c for c in names if not _yes_or_no(found.frame[c]) and not _moments(found.frame[c])]
        before = found.repeated()
        best = min(names, key=lambda c: found.repeated([c]), default=None)
        if best is not None and (unnamed or found.repeated([best]) < before):
            found.take("algorithm", best)
        elif not isinstance(options.get("algorithm"), str):
            more["algorithm"] = name
    if "evaluations" in found.known or "mean" in found.known:
        return
    for role, pattern in _PARTS.items():
        for column in [c for c in found.free if pattern.search(c.lower())]:
            if found.key(role) and found.repeated([column]) < found.repeated():
                found.columns[role] = [*found.key(role), column]
                found.free.remove(column)


def _unit(name: str, costs: pd.Series, options: Mapping[str, Any], more: dict[str, Any]) -> list[str]:
    """The unit of times without one, as the name of their column or the other times state it; seconds need none."""
    if "unit" in options:
        return []
    units = costs.str.extract(_TIME.replace("(?:ns", "(?P<unit>ns"))["unit"].dropna()
    if len(units):
        if not costs.str.fullmatch(_NUMBER).any():
            return []
        unit, why = units.mode()[0], "as most others"
    else:
        match = _UNIT.search(name)
        unit, why = (match["a"] or match["b"]).lower() if match else "s", f"as the name {shown(name)!r} says"
        if unit in ("s", "sec", "seconds"):
            return []
    more["unit"] = _SECONDS.get(unit, unit)
    return [f"Are times without a unit in {more['unit']}, {why}? All are turned into seconds."]


def _either(names: Sequence[str]) -> str:
    return " or ".join(repr(shown(name)) for name in names[:_MOST_OTHERS])


def _listed(names: Sequence[str]) -> str:
    texts = [shown(name) for name in names]
    return ", ".join(texts if len(texts) <= 8 else [*texts[:4], "...", texts[-1]])
