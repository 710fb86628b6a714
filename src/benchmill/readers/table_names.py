"""Names of columns of tables, and kinds of their cells."""

from __future__ import annotations

import re
from collections.abc import Iterable

import pandas as pd

from benchmill.readers.statuses import OUTCOMES, known

#: What tells trials apart.
KEYS = ("suite", "problem", "dimension", "instance", "algorithm", "run")
_SOLVER = ("outcome", "time_limit", "nodes", "iterations", "dual_bound", "best_value")
#: What a row of means may have beside the mean.
OF_MEANS = ("sd", "n", "n_successes", "n_feasible")
#: What belongs to costs of solver runs alone.
OF_SOLVERS = frozenset(_SOLVER)
#: Benchmill's names of columns.
NAMES = (
    *(*KEYS, "cost", "evaluations", "value", "mean", *OF_MEANS),
    *("budget", "seed", "runtime_s", "violation", "optimum", "value_kind", *_SOLVER),
)

#: Names that columns of each role have, the surest first.
_CALLED = {
    "problem": "problem,instance,model,cnf,benchmark,bench,instance id,problem name,instance name,file,filename,function,"
    "formula,matrix,dataset,data set,dataset name,function name,benchmark name,problem id,function id,func,fid,task,task id,"
    "test case",
    "algorithm": "algorithm,solver,method,optimizer,optimiser,classifier,heuristic,alg,algo,tool,solver name,algorithm name,"
    "optimizer name,optimiser name,method name,planner,prover,framework",
    "suite": "suite,test suite,test set,testset,benchmark suite,benchmark set",
    "dimension": "dimension,dim,dims,dimensions,dimensionality,d,n dim,n dims,ndim,ndims,number of dimensions,problem dimension,"
    "problem dim",
    "instance": "instance,inst,iid,instance id,fold,split",
    "run": "run,rep,repeat,repetition,replicate,replication,trial,run id,run no,run number,run index,rep id,trial id",
    "seed": "seed,random seed,rng seed",
    "evaluations": "evaluations,evals,fes,fe,nfe,nfes,nfev,fevals,nfevals,n evals,num evals,function evaluations,func evals,"
    "number of evaluations,number of function evaluations,evaluation,eval",
    "value": "value,best value,best,fitness,best fitness,final fitness,objective,error,best error,final error,best so far,best f,"
    "f best,fbest,best cost,best objective value,fitness value,function value,objective function value,indicatorvalue,"
    "indicator value,metric value,raw y,best y,y,objective value,obj,objval,best objective,best obj,final value,fun,score,"
    "accuracy,test accuracy,validation accuracy,auc,reward,return,hypervolume,loss,final loss,best loss,validation loss,"
    "test loss,regret,simple regret,error rate,test error,rmse,mse,mae,f1,f1 score",
    "cost": "cost,time,runtime,run time,wall time,walltime,wall clock time,cpu time,cputime,cpu,solve time,solving time,"
    "solver time,wallclock time,wall clock,wallclock,real time,user time,solvetime,total time,total runtime,elapsed,elapsed time,"
    "seconds,duration",
    "mean": "mean,average,avg",
    "sd": "sd,std,stdev,std dev,standard deviation",
    "n": "n,runs,number of runs",
    "quantity": "indicatorname,indicator name,indicator,metric name,metric,measure,quantity,criterion",
    "outcome": "outcome,status,result,found,solved,success,exit status,solver status,termination,run status,run result,state,"
    "solve status,termination status,verdict,stat,exit code,exit,return code,returncode,retcode,rc",
    "time_limit": "time limit,timelimit,timeout,limit,cutoff,cutoff time,cut off",
}
#: Names of what is better the larger it is, unless another word beside them says what it is.
_LARGER = re.compile(
    r"(?:.*[\W_])?(?:acc|accuracy|auc|auroc|rewards?|returns?|scores?|f1|precision|recall|hypervolume|hv|r2|mcc|kappa|bleu|ndcg|iou|"
    r"dice|psnr|throughput|speed-?up|profits?|revenues?|(?:win|success|hit|solution)[\W_]*rate)(?:[\W_].*)?",
    re.IGNORECASE,
)
_SMALLER = re.compile(r"(?:.*[\W_])?(?:time|seconds|ms|loss|errors?|costs?|regret|gap)(?:[\W_].*)?", re.IGNORECASE)
_NUMBER = r"[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?|[+-]?[iI][nN][fF](?:inity)?"
_TIME = r"[+-]?[0-9.]+(?:[eE][+-]?[0-9]+)?\s*(?:ns|us|µs|ms|s|sec|min|h|d)"
_NUMERIC = re.compile(rf"(?:(?:[<>]\s*=?|≥)\s*)?(?:{_NUMBER}|{_TIME})(?:\s*\+)?")
_UNIT = re.compile(
    r"[\s_]*[\[(]\s*(?P<a>s|sec|seconds|ms|us|ns|min|h)\s*[\])]\s*$|[\s_]+(?P<b>s|sec|seconds|ms|us|ns|min|h)\s*$", re.I
)
#: Names of what is made of the algorithms and is none.
VIRTUAL = r"(?:.*[\W_])?vbs(?:[\W_].*)?|(?:.*[\W_])?virtual[\W_]*best.*"
#: Cells that stand for none.
_NONE = re.compile(r"|nan|none|null|n/?a|-+", re.IGNORECASE)
#: A longer text is no word and no name.
LONGEST = 100


def all_named(columns: Iterable[str], role: str) -> list[str]:
    """Return the columns with a name of a role, the surest first."""
    names = [column for column in columns if len(column) <= LONGEST]
    plain = {re.sub(r"[\W_]+", " ", _UNIT.sub("", name)).strip().lower(): name for name in reversed(names)}
    return [plain[name] for name in _CALLED[role].split(",") if name in plain]


def unit_of(column: str) -> str | None:
    """Return the unit in the name of a column."""
    match = _UNIT.search(column)
    unit = (match["a"] or match["b"]).lower() if match else None
    return "s" if unit in ("sec", "seconds") else unit


def larger_is_better(column: str) -> bool:
    """Return True for names such as `accuracy`."""
    return len(column) <= LONGEST and _LARGER.fullmatch(column) is not None and not _SMALLER.fullmatch(column)


def is_number(cell: str) -> bool:
    """Return True for a number, a time with a unit, and more than such a time."""
    return _NUMERIC.fullmatch(cell.strip()) is not None


def is_none(cell: str) -> bool:
    """Return True for a cell such as `NaN`."""
    return _NONE.fullmatch(cell.strip()) is not None


def meaning_in_place(word: str) -> str | None:
    """Return the failure that a word in place of a number means, as in `TO (3600s)`."""
    plain = re.sub(rf"\W*(?:{_TIME}|{_NUMBER})\W*$", "", word.strip().lower()) or word
    meant = known(plain) if len(word) <= LONGEST else None
    return meant if meant is not None and OUTCOMES[meant] is False else None


def words_in(cells: pd.Series) -> dict[str, int]:
    """Return how often words stand in place of numbers, the most frequent first."""
    counts = cells.value_counts()
    # a text with a digit is rather a number with a mistake
    return {
        str(cell): int(count)
        for cell, count in counts.items()
        if 0 < len(cell) <= LONGEST
        and not is_number(cell)
        and (not any(character.isdigit() for character in cell) or meaning_in_place(cell))
    }


def has_sd(cells: pd.Series) -> bool:
    """Return True if cells are as in `1.5 ± 0.2`."""
    return bool(cells.str.contains(r"[0-9][^A-Za-z]*(?:±|\+/?-|\\pm)|^\s*[-+0-9.eE]+\s*\([0-9][-+0-9.eE]*\)\s*$").any())


def holds_numbers(cells: pd.Series) -> bool:
    """Return True if at least half of the cells are numbers or failures in their place."""
    counts = cells[cells != ""].value_counts()
    numbers = sum(count for cell, count in counts.items() if is_number(cell))
    words = sum(count for cell, count in counts.items() if meaning_in_place(cell))
    told, total = numbers + words, counts.sum()
    return has_sd(cells) or (total > 0 and told == total) or (numbers > 0 and 2 * told >= total)


def is_whole(cells: pd.Series) -> bool:
    """Return True for whole numbers."""
    return bool(cells.str.fullmatch(r"[0-9]+(\.0*)?").all())


def keys_named(frame: pd.DataFrame, columns: Iterable[str], role: str) -> list[str]:
    """Return the columns with the name and the cells of a key."""
    named = [c for c in all_named(columns, role) if role in ("suite", "instance") or is_whole(frame[c])]
    # among A, B, C, a D is an algorithm
    return [c for c in named if len(c) > 1 or sum(len(other) == 1 for other in frame) < 3]
