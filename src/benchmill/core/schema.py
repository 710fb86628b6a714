"""The tables that the stages exchange: one Arrow schema a table, with unit and meaning of every column.

Every table is long ("tidy"): one row per observation, keys first. A table is checked against its
schema whenever it is written and whenever it is read (`benchmill.core.storage`), so a file with a wrong or missing column never
travels on.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import pyarrow as pa

from benchmill.core.errors import UserError

TEXT = pa.dictionary(pa.int32(), pa.string())
FLOAT, SHORT, LONG, FLAG = pa.float64(), pa.int32(), pa.int64(), pa.bool_()
_NUMBERS = pa.list_(FLOAT)


def _field(name: str, kind: pa.DataType, meaning: str, unit: str = "", nullable: bool = False) -> pa.Field:
    return pa.field(name, kind, nullable, metadata={"meaning": meaning, "unit": unit})


def _optional(name: str, kind: pa.DataType, meaning: str, unit: str = "") -> pa.Field:
    return _field(name, kind, meaning, unit, nullable=True)


_SUITE = _optional("suite", TEXT, "collection the problem belongs to, as the log names it")
_PROBLEM = _field("problem", TEXT, "function or model that is optimised")
_DIMENSION = _optional("dimension", SHORT, "number of variables", "variables")
_INSTANCE = _optional("instance", TEXT, "variant of the problem (shift, rotation, random data)")
_ALGORITHM = _field("algorithm", TEXT, "solver together with its settings")
_UNDECIDED = _optional(
    "p_low",
    FLOAT,
    "null = decided; else chance decides at alpha after all rearrangements that may be drawn: the lower end of the 99.9 % "
    "interval of the (adjusted) p, whose upper end stands for it",
)
_RUN = _field("run", SHORT, "number of the repetition on the same instance, from 1")
_TRIAL = _field("trial", SHORT, "row number of the trial in `trials` of the same source, from 0")
_TARGET = _optional("target", FLOAT, "value to reach (fixed target)", "objective value")
_AT_BUDGET = _optional(
    "at_budget", FLOAT, "budget at which the value is read (fixed budget)", "evaluations or evaluations/dimension"
)
_ROLE = _field("role", TEXT, "`solver`, `single_best`, `virtual_best`, or `not_competing`")
_CLUSTERS = _optional("n_clusters", SHORT, "clusters that are permuted or flipped whole; null where each block counts for itself")
_STRATUM = _optional("stratum", TEXT, "part of the problems, where they were stratified")
_MEASURE = _field("measure", TEXT, "measure of the study, as named in its configuration")
_VARIANT = _field("variant", TEXT, "profile variant, as named in the study's configuration")

_TRIAL_KEYS = [_SUITE, _PROBLEM, _DIMENSION, _INSTANCE, _ALGORITHM, _RUN, _TRIAL]
_PROBLEM_KEYS = [_SUITE, _PROBLEM, _DIMENSION, _INSTANCE]
_CELL_KEYS = [_MEASURE, *_PROBLEM_KEYS, _TARGET, _AT_BUDGET]
_PROFILE_KEYS = [_MEASURE, _VARIANT, _DIMENSION, _TARGET]
_DESIGN_KEYS = [_MEASURE, _TARGET, _AT_BUDGET, _STRATUM]
_PAIR = [_field("algorithm_a", TEXT, "first algorithm of the pair"), _field("algorithm_b", TEXT, "second algorithm of the pair")]

_CURVE_KEYS = [
    _field("aggregation", TEXT, "what the curve is averaged over"),
    _SUITE,
    _optional("group", TEXT, "group of problems of the curve; null where it is of none"),
    _optional("problem", TEXT, "problem of the curve; null where it is averaged over"),
    _DIMENSION,
    _TARGET,
    _ALGORITHM,
]
_TARGET_SET = _field("target_set", TEXT, "set of targets, as named in the study's configuration")

_CURVE_COUNTS = [
    _field("n_trials", SHORT, "trials behind the curve, simulated ones not counted"),
    _field("n_instances", SHORT, "different instances of problems among them"),
    _field("n_missing", SHORT, "trials of its problems that the source's own design expects and that are absent"),
    _field("budget_rule", TEXT, "how far a trial is followed: `own`, to the budget that it spent"),
]

#: Per cent; the list of IOHprofiler.
QUANTILES = (2, 5, 10, 25, 50, 75, 90, 95, 98)

_FIELDS: dict[str, list[pa.Field]] = {
    "trials": [
        *_TRIAL_KEYS,
        _optional("budget", LONG, "evaluations spent", "evaluations"),
        _optional("best_value", FLOAT, "best value at the end, on the scale of `value_kind`", "objective value"),
        _optional("violation", FLOAT, "constraint violation of the best point", "constraint value"),
        _optional(
            "optimum",
            FLOAT,
            "objective value at the known optimum (of solver runs: the best-known value), where the source states it",
        ),
        _field("value_kind", TEXT, "`difference`: values are distances to the optimum; `absolute`: as measured"),
        _field("maximise", FLAG, "whether larger values are better"),
        _optional("runtime_s", FLOAT, "wall time of the trial", "s"),
        _optional(
            "cost",
            FLOAT,
            "cost stated by the source (mean cost where `n` > 1, of the successful runs where `n_successes` is stated, "
            "unless larger is better); inf = failure",
        ),
        _optional("cost_sd", FLOAT, "standard deviation of the stated cost over the `n` runs"),
        _optional("cost_budget", FLOAT, "what the stated cost was limited to, such as the time limit of a solver run"),
        _field("n", SHORT, "runs this row stands for: 1, or more for a published summary"),
        _optional("n_feasible", SHORT, "runs among the `n` that found a feasible point, where a summary states it"),
        _optional("n_successes", SHORT, "runs among the `n` that succeeded, where a summary states it"),
        _optional("success_performance", FLOAT, "success performance as a summary prints it", "evaluations"),
        _field("status", TEXT, "`solved`, `failed` (with its budget) or `ill_finalised`"),
        _optional("outcome", TEXT, "how a solver run ended, finer than `status`: see `docs/formats.md`"),
        _optional(
            "proven",
            FLAG,
            "whether the solver is one that proves what it claims (of tables: whether the run claims an optimum); empty without "
            "`outcome`",
        ),
        _optional(
            "sense_open", FLAG, "whether the source does not say which objective values are better; `maximise` is not used"
        ),
        _optional("time_limit_s", FLOAT, "time limit of the run, where the source states it", "s"),
        _optional("nodes", LONG, "branch-and-bound nodes", "nodes"),
        _optional("iterations", LONG, "iterations of the solver", "iterations"),
        _optional("dual_bound", FLOAT, "proven bound on the objective value", "objective value"),
        _optional("course_s", _NUMBERS, "moments of a solver run at which its best value or its bound changed", "s"),
        _optional("course_value", _NUMBERS, "best value from each of these moments on; null = none yet", "objective value"),
        _optional("course_bound", _NUMBERS, "best bound from each of these moments on; null = none yet", "objective value"),
        _optional("version", TEXT, "version of the solver, where the log states it"),
        _optional("settings", TEXT, "settings of the solver other than limits and seed, where the log states them"),
        _optional("seed", LONG, "seed of the trial, where the log states it"),
        _optional(
            "known_targets",
            TEXT,
            "of a background: the targets (JSON, on the scale of the log) at which its trace is known; null = it is whole",
        ),
        _field("source", pa.string(), "file and line the trial was read from"),
    ],
    "traces": [
        *_TRIAL_KEYS,
        _field("evaluations", LONG, "evaluations when the improvement was recorded", "evaluations"),
        _field("value", FLOAT, "best value so far, on the scale of the trial's `value_kind`", "objective value"),
        _field("on_target", FLAG, "recorded because a value was reached; false: because a number of evaluations was"),
        _optional("violation", FLOAT, "constraint violation of the best point so far"),
    ],
    "excerpts": [
        _field("file", TEXT, "file of the source"),
        _field("line", LONG, "line at which one or more trials begin, from 1"),
        _field("last_line", LONG, "line before that of the next trial in the file, or the last one"),
        _field("first", pa.string(), "the first lines, each cut to 160 characters"),
        _field("last", pa.string(), "the last lines behind these, if there are any"),
    ],
    "algorithms": [
        _ALGORITHM,
        _field("source", TEXT, "the one source of the study that holds it"),
        _field("format", TEXT, "format of that source"),
    ],
    "contradictions": [
        _SUITE,
        _PROBLEM,
        _INSTANCE,
        _field("kind", TEXT, "`infeasible`, `optima`, `better` or `bound`: see `docs/formats.md`"),
        _ALGORITHM,
        _field("claim", pa.string(), "what its run claims"),
        _field("in_source", TEXT, "source of the run"),
        _field("place", pa.string(), "file and line the run was read from"),
        _field("other_algorithm", TEXT, "algorithm whose run claims otherwise"),
        _field("other_claim", pa.string(), "what that run claims"),
        _field("other_in_source", TEXT, "source of that run"),
        _field("other_place", pa.string(), "file and line that run was read from"),
    ],
    "best_known": [
        _SUITE,
        _PROBLEM,
        _INSTANCE,
        _ALGORITHM,
        _RUN,
        _field("kind", TEXT, "`contradiction`, or `improvement`: better than the best-known value, which is not proven"),
        _field("claim", pa.string(), "what the run states, and what is known instead"),
        _field("counts_as", TEXT, "how the run counts: its outcome, or its status where it states none"),
        _optional("best_value", FLOAT, "best value of the run", "objective value"),
        _optional("dual_bound", FLOAT, "bound that the run proves", "objective value"),
        _optional("known_value", FLOAT, "best-known value; null = infeasible or not known", "objective value"),
        _optional("known_bound", FLOAT, "bound that is known", "objective value"),
        _optional("holder", pa.string(), "who has found the known value, as the register says"),
        _optional("date", pa.string(), "when"),
        _optional("evidence", pa.string(), "how it is known"),
        _field("in_source", TEXT, "source of the run"),
        _field("place", pa.string(), "file and line the run was read from"),
    ],
    "costs": [
        *_TRIAL_KEYS,
        _MEASURE,
        _TARGET,
        _AT_BUDGET,
        _field("cost", FLOAT, "cost of the trial; inf = failure", "evaluations, objective value, or as stated"),
        _optional("budget", FLOAT, "what the trial spent, on the scale of `cost` for a fixed target", "evaluations"),
        _field("success", FLAG, "whether the cost is finite"),
        _optional("larger", FLAG, "whether larger values are better: then `cost` is the value negated; null = no"),
        _optional("floored", FLAG, "whether the value was below the measure's floor and counts as it; null = no"),
        _optional("feasible", FLAG, "whether the trial ended at a feasible point; null = unconstrained or not known"),
        _optional("cost_sd", FLOAT, "standard deviation of the cost over the `n` runs of a summary"),
        _field("n", SHORT, "runs this row stands for"),
    ],
    "ratios": [
        *_CELL_KEYS,
        _ALGORITHM,
        _field("cost", FLOAT, "cost of the algorithm on the problem over its trials; inf = failure"),
        _optional(
            "ratio",
            FLOAT,
            "`cost` divided by `baseline`; inf = failure; null where no profile is made and a cost there is not positive",
        ),
        _optional("baseline", FLOAT, "smallest cost of any algorithm on the problem; inf = solved by none; null as `ratio`"),
        _field("n_trials", SHORT, "trials behind `cost`"),
        _field("n_successes", SHORT, "successful trials among them"),
        _optional(
            "spent",
            FLOAT,
            "where `cost` is inf, the most that a failed trial spent, on its scale; null where it is not known, and of values at "
            "a budget",
        ),
        _field("included", FLAG, "false where the problem is left out of the profiles (see the settings)"),
    ],
    "profiles": [
        *_PROFILE_KEYS,
        _ALGORITHM,
        _field("tau", FLOAT, "performance ratio at which the profile changes"),
        _field("rho", FLOAT, "weighted share of problems with ratio <= tau (right-continuous)"),
        _optional("rho_low", FLOAT, "lower end of the band"),
        _optional("rho_high", FLOAT, "upper end of the band"),
    ],
    "profile_measures": [
        *_PROFILE_KEYS,
        _ALGORITHM,
        _field("auc", FLOAT, "area under the profile over [1, tau_max], failures add nothing"),
        _field("auc_normalised", FLOAT, "`auc` divided by the largest `auc`"),
        _field("auc_log", FLOAT, "area under the profile over ln tau, from tau = 1 to tau_max"),
        _field("auc_log_normalised", FLOAT, "`auc_log` divided by the largest"),
        _field("tau_max", FLOAT, "right end of the profile: largest finite ratio unless the study sets it"),
        _field("reliability", FLOAT, "R_s: largest ratio of the algorithm; inf with any failure"),
        _field("tau_star", FLOAT, "smallest tau with rho >= 1 - epsilon; inf if never"),
        _field("epsilon", FLOAT, "see `tau_star`; 0 for step functions, chosen for smooth profiles"),
        _field("tau_min_over_tau_star", FLOAT, "smallest tau_star of any algorithm / own; 0 if never 1"),
        _field("rho_1", FLOAT, "rho(1): share of problems on which the algorithm is (tied) best"),
        _field("rho_tau_max", FLOAT, "rho(tau_max): share of problems solved within tau_max"),
        _optional("wins", SHORT, "number of problems on which the algorithm is (tied) best; null for random costs"),
        _optional("win_probability", FLOAT, "expected share of problems on which one run of each makes it best"),
        _optional("win_error", FLOAT, "error of `win_probability`: of the quadrature, or standard error of the simulation"),
        _field("n_problems", SHORT, "problems in the profile"),
        _field("n_unsolved", SHORT, "problems in the profile that no algorithm solved"),
        _optional("n_stopped", SHORT, "problems on which it failed, having spent less than another algorithm takes"),
        _optional("rank_auc", SHORT, "rank by `auc`, ties sharing the smallest; null, as all ranks, out of competition"),
        _optional("rank_rho_1", SHORT, "rank by `rho_1`"),
        _optional("rank_rho_tau_max", SHORT, "rank by `rho_tau_max`"),
        _optional("rank_tau_star", SHORT, "rank by `tau_star`"),
        _optional("rank_auc_log", SHORT, "rank by `auc_log`"),
        _optional("rank_rho_tau_max_tau_star", SHORT, "rank by `rho_tau_max`, ties broken by `tau_star`"),
        _field("front_wins_solved", FLAG, "on the Pareto front of largest rho(1) and largest rho(tau_max)"),
        _field("front_wins_tau_star", FLAG, "on the Pareto front of largest rho(1) and smallest finite tau_star"),
    ],
    "profile_pairs": [
        *_PROFILE_KEYS,
        _field("algorithm_a", TEXT, "first algorithm of the ordered pair"),
        _field("algorithm_b", TEXT, "second algorithm of the ordered pair"),
        _field("smallest_difference", FLOAT, "smallest value of rho_a - rho_b on [1, tau_max]"),
        _field("largest_difference", FLOAT, "largest value of rho_a - rho_b on [1, tau_max]"),
        _field("dominates", FLAG, "whether rho_a is nowhere below and somewhere above rho_b"),
        _optional("share_ahead", FLOAT, "share of resamples in which a has the larger area; ties count half"),
    ],
    "profile_intervals": [
        *_PROFILE_KEYS,
        _ALGORITHM,
        _field(
            "quantity",
            TEXT,
            "`auc`, `auc_normalised`, `rho_1`, `rank_auc`, `rank_rho_1`, or `wins` where profile_measures has them",
        ),
        _field("low", FLOAT, "lower end of the interval"),
        _field("high", FLOAT, "upper end of the interval"),
        _field("level", FLOAT, "share of resamples within"),
        _field("resample", TEXT, "what was drawn again: `runs` within cells, `problems`, or `both`"),
    ],
    "standings": [
        _optional("measure", TEXT, "measure of the study; null for `rank_sum`, which is over all of them"),
        _VARIANT,
        _DIMENSION,
        _TARGET,
        _field(
            "criterion",
            TEXT,
            "what ranks: a column of `profile_measures` (`rho_tau_max_tau_star`: `rho_tau_max`, ties broken by `tau_star`), "
            "`average_rank` of the costs, `mean_rate`, `optiprofiler_score`, or `rank_sum`, the sum of ranks in all measures",
        ),
        _ALGORITHM,
        _field("value", FLOAT, "the number that is ranked"),
        _field("larger_is_better", FLAG, "whether the largest value has rank 1"),
        _field("rank", SHORT, "rank, ties sharing the smallest"),
        _field("n_sharing", SHORT, "algorithms with this rank"),
        _optional("n_added", SHORT, "of `rank_sum`: how many ranks were added"),
        _optional("tau_max", FLOAT, "right end of the profile; null for `rank_sum`"),
        _optional("epsilon", FLOAT, "see `tau_star` of `profile_measures`; null for `rank_sum`"),
        _optional("n_problems", SHORT, "problems in the profile; null for `rank_sum`"),
        _optional("n_unsolved", SHORT, "problems in the profile that no algorithm solved; null for `rank_sum`"),
    ],
    "leaders": [
        _MEASURE,
        _field("criterion", TEXT, "what ranks: see `standings`; of one cost a problem, all problems weighing the same"),
        _field("headline", FLAG, "whether it is the criterion that the study names the leader by"),
        _ALGORITHM,
        _field("value", FLOAT, "the number that is ranked"),
        _field("larger_is_better", FLAG, "whether the largest value has rank 1"),
        _field("rank", SHORT, "rank, ties sharing the smallest"),
        _optional("tau_max", FLOAT, "right end of the profile; null where costs have no ratios"),
        _field("n_problems", SHORT, "problems, with several targets or budgets each at each of them"),
    ],
    "fronts": [
        *_PROFILE_KEYS,
        _ALGORITHM,
        _field("front", TEXT, "`wins_solved`: rho(1) and rho(tau_max), both large; `wins_tau_star`: rho(1) large, tau* small"),
        _field("x", FLOAT, "rho(1)"),
        _field("y", FLOAT, "rho(tau_max) or tau*"),
        _optional("layer", SHORT, "1 = on the Pareto front, 2 = on the front of the others, ...; null with infinite tau*"),
    ],
    "profile_warnings": [
        _MEASURE,
        _VARIANT,
        *_PROBLEM_KEYS,
        _TARGET,
        _AT_BUDGET,
        _ALGORITHM,
        _field("rule", TEXT, "`mass_below_zero`, `single_run`, `no_spread` or `skewed` (see the variant)"),
        _field("value", FLOAT, "what the rule looked at: a probability, a number of runs, a skewness"),
    ],
    "waves": [
        *_PROFILE_KEYS,
        _field("wave", SHORT, "number of the wave, from 1"),
        _ALGORITHM,
        _field("eliminated", FLAG, "whether the algorithm left the race before this wave"),
        _optional("rho_1", FLOAT, "share of problems on which it is (tied) best among those still in the race"),
        _optional("sum_of_ratios", FLOAT, "(weighted) sum of its finite ratios among those still in the race"),
        _field("failures", FLOAT, "share of problems that it fails"),
        _field("best", FLAG, "best of the wave by the rule of the variant: leaves the race before the next one"),
        _field("tied", FLAG, "best, but another algorithm was as good by the rule"),
    ],
    "wave_profiles": [
        *_PROFILE_KEYS,
        _field("wave", SHORT, "number of the wave, from 1"),
        _ALGORITHM,
        _field("eliminated", FLAG, "left the race before this wave; without these: the series of successive profiles"),
        _field("tau", FLOAT, "performance ratio at which the profile of the wave changes"),
        _field("rho", FLOAT, "(weighted) share of problems with ratio <= tau in this wave"),
    ],
    "stability": [
        *_PROFILE_KEYS,
        _field("left_out", TEXT, "algorithm without which the profiles are made again"),
        _field("best", FLAG, "whether it is the best of the first wave"),
        _field("by", TEXT, "what orders the pair: `rho_1`, `auc` of the Dolan-Moré profile, `nested_auc`"),
        *_PAIR,
        _field("before", FLOAT, "value of a minus value of b with all algorithms"),
        _field("after", FLOAT, "the same without `left_out`"),
        _field("reversed", FLAG, "a and b change places; false: a tie is made or broken"),
    ],
    "log_ratios": [
        _MEASURE,
        _VARIANT,
        *_PROBLEM_KEYS,
        _TARGET,
        _AT_BUDGET,
        *_PAIR,
        _field("position", SHORT, "place of the problem among those of the profile by `log2_ratio`, from 1"),
        _optional(
            "log2_ratio",
            FLOAT,
            "log2 of cost of a / cost of b, negative where a is faster; -inf: only a solves the problem, inf: only b, "
            "null: neither",
        ),
    ],
    "reproduction": [
        _field("paper", TEXT, "short name of the paper"),
        _field("place", TEXT, "where in the paper"),
        _field("quantity", pa.string(), "what is printed there, or the statement in words"),
        _field("printed", pa.string(), "as printed, or whether the paper says that the statement holds"),
        _optional("recomputed", pa.string(), "what follows from the data of the paper"),
        _optional("value", FLOAT, "the same as a number, where it is one"),
        _field("verdict", TEXT, "`reproduced`, `misprint`, `not recomputable`, `input` or `differs`"),
        _field("reason", pa.string(), "what is wrong or missing"),
    ],
    "indicators": [
        *_CELL_KEYS,
        _ALGORITHM,
        _optional("ert", FLOAT, "expected running time; inf without success; null for a fixed budget", "evaluations"),
        _optional("ert_low", FLOAT, "lower end of its interval; null for one trial, or no success", "evaluations"),
        _optional("ert_high", FLOAT, "upper end of its interval", "evaluations"),
        _field("success_rate", FLOAT, "share of trials with a finite cost"),
        _optional("success_performance", FLOAT, "mean of the successes / success rate", "evaluations"),
        _optional("success_performance_low", FLOAT, "lower end of its interval", "evaluations"),
        _optional("success_performance_high", FLOAT, "upper end of its interval", "evaluations"),
        _optional("par", FLOAT, "PAR-k: mean cost, a failure counts k times its charged budget", "evaluations"),
        _field("mean", FLOAT, "mean cost; a failure counts with its charged budget", "as `cost`"),
        _field("median", FLOAT, "median cost; a failure counts with its charged budget", "as `cost`"),
        _optional("sd", FLOAT, "standard deviation (n - 1) of the same; null for one trial", "as `cost`"),
        *[_field(f"q{q:02d}", FLOAT, f"{q} % quantile (see `quantile_type`)", "as `cost`") for q in QUANTILES],
        _optional("mean_successful", FLOAT, "mean cost of the successful trials", "as `cost`"),
        _optional("median_successful", FLOAT, "median cost of the successful trials", "as `cost`"),
        _optional("sd_successful", FLOAT, "standard deviation (n - 1) over the successful trials", "as `cost`"),
        *[_optional(f"q{q:02d}_successful", FLOAT, f"{q} % quantile over the successful trials", "as `cost`") for q in QUANTILES],
        _optional("larger", FLAG, "whether larger values are better, in statistics of values; null = no"),
        _optional("failure_budget", FLOAT, "mean budget that a failure is charged; null without one", "evaluations"),
        _optional("budget_rule", TEXT, "what a failure is charged: its `own` budget, the `max` of the cell, a `common` one"),
        _optional("quantile_type", SHORT, "how quantiles are read: 7 interpolates, 3 takes an observed value"),
        _optional("par_factor", FLOAT, "k of PAR-k"),
        _optional("level", FLOAT, "level of the intervals"),
        _field("n_trials", SHORT, "trials found"),
        _field("n_successes", SHORT, "trials with a finite cost"),
        _field("n_instances", SHORT, "different instances among the trials"),
        _field("n_missing", SHORT, "trials that the source's own design expects and that are absent"),
        _field("n_ill_finalised", SHORT, "trials whose log does not state how they ended"),
        _optional("n_floored", SHORT, "trials whose value was below the measure's floor and counts as it; null = none"),
    ],
    "indicator_values": [
        _field("indicator", TEXT, "indicator, as its registry names it"),
        _optional("measure", TEXT, "measure of the study; null where none is behind it"),
        *_PROBLEM_KEYS,
        _TARGET,
        _AT_BUDGET,
        _ALGORITHM,
        _optional("value", FLOAT, "its value; null where it is not defined"),
        _optional("low", FLOAT, "lower end of its interval, where it has one"),
        _optional("high", FLOAT, "upper end of its interval, where it has one"),
        _field("n_trials", SHORT, "trials behind it"),
    ],
    "ecdf": [
        *_CURVE_KEYS,
        _field("x", FLOAT, "running time at which the curve steps up", "evaluations/dimension or evaluations"),
        _field("fraction", FLOAT, "share of (problem, target) pairs solved at or before x (right-continuous)"),
        _optional("fraction_low", FLOAT, "lower end of the bootstrap band"),
        _optional("fraction_high", FLOAT, "upper end of the bootstrap band"),
    ],
    "kaplan_meier": [
        _MEASURE,
        _SUITE,
        _DIMENSION,
        _TARGET,
        _ALGORITHM,
        _field("x", FLOAT, "time at which the curve steps down; the first is 0, and the last where it ends", "as the cost"),
        _field("unsolved", FLOAT, "share of the runs not solved by x, mean over the problems, by Kaplan and Meier"),
        _optional("low", FLOAT, "lower end of its interval, at this x alone; null with fewer than two clusters"),
        _optional("high", FLOAT, "upper end of that interval"),
    ],
    "restricted_means": [
        _MEASURE,
        _SUITE,
        _DIMENSION,
        _TARGET,
        _ALGORITHM,
        _field("horizon", FLOAT, "up to which time the mean is taken", "as the cost"),
        _field("followed", FLOAT, "up to which time the curve is known on every problem, at most the horizon", "as the cost"),
        _optional(
            "mean",
            FLOAT,
            "restricted mean running time: of min(time, horizon); null where it is not followed to the horizon",
            "as the cost",
        ),
        _optional("low", FLOAT, "lower end of its interval; null with fewer than two clusters", "as the cost"),
        _optional("high", FLOAT, "upper end of that interval", "as the cost"),
        _field("unsolved", FLOAT, "share unsolved at the horizon, or where the curve ends"),
        _field("n_problems", SHORT, "problems, each of which weighs the same"),
        _field("n_clusters", SHORT, "clusters of these"),
        _field("n_runs", SHORT, "runs behind it"),
        _field("n_stopped", SHORT, "runs that were stopped before the horizon without success"),
        _field("n_left_out", SHORT, "problems of the panel left out because an algorithm has no run there"),
        _field("level", FLOAT, "probability that an interval covers"),
    ],
    "value_ecdf": [
        *[_AT_BUDGET if field.name == "target" else field for field in _CURVE_KEYS],
        _field("x", FLOAT, "value at which the curve steps up", "objective value"),
        _field("fraction", FLOAT, "share of (problem, budget) pairs with a value of x or better (right-continuous)"),
        _optional("fraction_low", FLOAT, "lower end of the bootstrap band"),
        _optional("fraction_high", FLOAT, "upper end of the bootstrap band"),
    ],
    "ecdf_curves": [
        *_CURVE_KEYS,
        _field("solved", FLOAT, "share of (problem, target) pairs solved in the end"),
        _field("area", FLOAT, "mean of the curve over [x_from, x_to]; 1 minus it is the area over the curve"),
        _field("area_log", FLOAT, "the same over log x"),
        _field("x_from", FLOAT, "lower limit of the areas", "see `x_unit`"),
        _field("x_to", FLOAT, "upper limit of the areas", "see `x_unit`"),
        _field("x_unit", TEXT, "unit of x: evaluations or evaluations/dimension"),
        _field("weight", TEXT, "what weighs the same in a pair: each `instance`, each `trial`; or all trials are `pooled`"),
        _field("restarts", SHORT, "simulated runs with restarts that each failure starts; 0 = trials as they are"),
        _field("n_problems", SHORT, "problems of the curve"),
        _field("n_targets", SHORT, "different targets of the curve"),
        _field("target_largest", FLOAT, "largest target of the curve", "objective value"),
        _field("target_smallest", FLOAT, "smallest target of the curve", "objective value"),
        *_CURVE_COUNTS,
    ],
    "value_ecdf_curves": [
        *[_AT_BUDGET if field.name == "target" else field for field in _CURVE_KEYS],
        _field("recorded", FLOAT, "share of (problem, budget) pairs with any value"),
        _field("weight", TEXT, "what weighs the same in a pair: each `instance`, each `trial`; or all trials are `pooled`"),
        _field("n_problems", SHORT, "problems of the curve"),
        _field("n_budgets", SHORT, "different budgets of the curve"),
        _field("budget_largest", FLOAT, "largest budget of the curve", "evaluations or evaluations/dimension"),
        _field("budget_smallest", FLOAT, "smallest budget of the curve", "evaluations or evaluations/dimension"),
        *_CURVE_COUNTS,
    ],
    "designs": [
        *_DESIGN_KEYS,
        _field("n_blocks", SHORT, "blocks (problems)"),
        _field("n_treatments", SHORT, "treatments (algorithms)"),
        _field("n_runs", SHORT, "runs (replicates) in every cell"),
        _field("n_clusters", SHORT, "clusters of blocks that depend on each other (`cluster_keys`)"),
        _field("n_left_out", SHORT, "blocks left out because an algorithm has no trial on them"),
        _field("n_runs_unused", SHORT, "runs not used because cells had unequal numbers"),
        _field("n_failures", SHORT, "failures among the values"),
        _field("rule", pa.string(), "how the costs became this design"),
        _field("normalisation", pa.string(), "how values of different blocks became comparable"),
        _field("seed", LONG, "seed of the study, which every random step derives its stream from"),
    ],
    "target_sets": [
        _TARGET_SET,
        _SUITE,
        _PROBLEM,
        _DIMENSION,
        _field("target", FLOAT, "value to reach", "objective value"),
        _field("best_ert", FLOAT, "smallest ERT of any algorithm to the target; inf = reached by none", "evaluations"),
    ],
    "target_sensitivity": [
        _TARGET_SET,
        _SUITE,
        _DIMENSION,
        _ALGORITHM,
        _field("n_problems", SHORT, "problems with a target of the set"),
        _field("n_targets", SHORT, "different targets among them"),
        _field("n_pairs", SHORT, "pairs of problem and target"),
        _field("solved", FLOAT, "share of (problem, target) pairs solved in the end"),
        _field("area", FLOAT, "mean of the ECDF over [x_from, x_to]"),
        _field("area_log", FLOAT, "the same over log x"),
        _field("x_from", FLOAT, "lower limit of the areas", "see `x_unit`"),
        _field("x_to", FLOAT, "upper limit of the areas", "see `x_unit`"),
        _field("x_unit", TEXT, "unit of x: evaluations or evaluations/dimension"),
        _field("rank", SHORT, "rank by `area_log`; ties share the smallest rank"),
        _optional("kendall_tau", FLOAT, "Kendall's tau-b of the areas with those of the first set"),
        *_CURVE_COUNTS,
    ],
    "attainment": [
        *_PROBLEM_KEYS,
        _ALGORITHM,
        _field("share", FLOAT, "share of the trials that has reached the value or a better one"),
        _field("rank", SHORT, "the curve is of the so-many-th best trial at any time"),
        _field("evaluations", LONG, "evaluations at which the curve improves", "evaluations"),
        _field("value", FLOAT, "value reached from then on (right-continuous)", "objective value"),
    ],
    "convergence": [
        *_PROBLEM_KEYS,
        _ALGORITHM,
        _field("aocc", FLOAT, "area over the convergence curve, mean over the trials; 1 is best"),
        _optional("aocc_sd", FLOAT, "standard deviation (n - 1) over the trials; null for one trial"),
        _field("aocc_log", FLOAT, "the same over the logarithm of the evaluations"),
        _field("value_from", FLOAT, "lower bound of the values", "objective value"),
        _field("value_to", FLOAT, "upper bound of the values", "objective value"),
        _field("value_log", FLAG, "whether values count by their logarithm"),
        _field("evaluations_to", FLOAT, "end of the area, which starts at the first evaluation", "evaluations"),
        *[_field(f.name, f.type, f.metadata[b"meaning"].decode().replace("curve", "row")) for f in _CURVE_COUNTS],
    ],
    "summary": [
        _MEASURE,
        _field(
            "subset",
            TEXT,
            "`all` instances, `[10, limit]`: solved by some solver and 10 or more for the slowest, or `affected`",
        ),
        _field(
            "unsolved",
            TEXT,
            "what a failure counts: its `limit`, `x2`, `x10` of it; `all_solved`: only what all solve; of gaps and integrals "
            "`as_is`; `all_measured`: only instances on which all runs have one",
        ),
        _field("algorithm", TEXT, "solver together with its settings, or the virtual best one"),
        _ROLE,
        _field("instances", SHORT, "instances of the subset"),
        _field("n", SHORT, "its runs"),
        _field("solved", SHORT, "runs that solve their instance"),
        _optional("timeout", SHORT, "runs that reached the time limit; these counts are null for the virtual best"),
        _optional("memory", SHORT, "runs that reached a limit of memory"),
        _optional("error", SHORT, "runs that ended with an error"),
        _optional("wrong", SHORT, "runs whose claim contradicts the best-known value"),
        _optional("other", SHORT, "other runs that failed: another limit, stopped, or not said how"),
        _field("limit_unknown", SHORT, "failed runs whose limit is not known, and those without a gap: means are null"),
        _field("missing", SHORT, "instances of the study without a run of it"),
        _field("left_out", SHORT, "instances of the study left out, because a competing solver has no run there"),
        _field("contradicted", SHORT, "problems on which a claim of it and one of another solver cannot both be true"),
        _optional("limits_differ", SHORT, "instances on which the limits of the solvers differ; null where there is none"),
        _optional("own_limit", FLOAT, "median of the solver's own limits there; all are cut at the smallest", "as the cost"),
        _optional("late", FLOAT, "its runs there that took longer than the smallest limit, and count as failed at it"),
        _field("shift", FLOAT, "shift of the geometric mean", "as the cost"),
        _optional("sgm", FLOAT, "shifted geometric mean of the costs", "as the cost"),
        _optional("sgm_low", FLOAT, "lower end of its interval; null over too few clusters", "as the cost"),
        _optional("sgm_high", FLOAT, "upper end of its interval", "as the cost"),
        _optional("sgm_ratio", FLOAT, "`sgm` over the smallest of a competing solver"),
        _optional("sgm_ratio_low", FLOAT, "lower end of its interval; those of all pairs hold together"),
        _optional("sgm_ratio_high", FLOAT, "upper end of its interval"),
        _optional("rank", FLOAT, "rank by `sgm`, where that of all competing solvers is known; ties share the mean"),
        _optional("mean", FLOAT, "arithmetic mean of the costs", "as the cost"),
        _optional("median", FLOAT, "median of the costs of runs", "as the cost"),
        _optional("par1", FLOAT, "mean cost where a failure counts its limit", "as the cost"),
        _optional("par2", FLOAT, "mean cost where a failure counts 2 limits", "as the cost"),
        _optional("par10", FLOAT, "mean cost where a failure counts 10 limits", "as the cost"),
        _optional("unique", SHORT, "instances that no other competing solver solves"),
        _optional("adds_solved", FLOAT, "instances that the virtual best solver loses without it"),
        _optional("adds_mean", FLOAT, "what the mean cost of the virtual best solver rises by without it", "as the cost"),
        _optional("adds_sgm", FLOAT, "what `sgm` of the virtual best solver is multiplied by without it"),
        _optional("lead", FLOAT, "largest factor between the shifted costs of the next best solver and its own"),
        _optional("lead_problem", pa.string(), "the instance of that factor"),
        _field("level", FLOAT, "level of the intervals"),
    ],
    "solver_runs": [
        _MEASURE,
        *_PROBLEM_KEYS,
        _field("algorithm", TEXT, "solver together with its settings, or the virtual best one"),
        _ROLE,
        _RUN,
        _field("cost", FLOAT, "cost of the run; inf = failure", "as the cost"),
        _optional("limit", FLOAT, "what a failure counts; null = not known", "as the cost"),
        _optional("late", FLAG, "whether it succeeded after the smallest limit of the instance, and so counts as failed"),
        _field("outcome", TEXT, "`solved`, `timeout`, `memory`, `error`, `wrong`, `other`, or `missing` where there is no run"),
        _field("weight", FLOAT, "share that the run has of its instance; those of a solver's runs there make 1"),
        _field("included", FLAG, "false where a competing solver has no run on the instance, which is left out"),
    ],
    "densities": [
        *_CELL_KEYS,
        _ALGORITHM,
        _field("kind", TEXT, "`kde`: points of a curve; `mass`: single values; `histogram`: bars"),
        _field("log", FLAG, "whether the axis is the decimal logarithm of the cost"),
        _field("left", FLOAT, "left end of the bar, or the point", "as `cost`, or its logarithm"),
        _optional("right", FLOAT, "right end of the bar; empty for a point", "as `cost`, or its logarithm"),
        _field("height", FLOAT, "density, or probability of a mass; all together the share of successes"),
        _optional("bandwidth", FLOAT, "of the Gaussian kernel (nrd0)", "as `cost`, or its logarithm"),
        _field("n_trials", SHORT, "trials found"),
        _field("n_successes", SHORT, "trials with a finite cost"),
        *_CURVE_COUNTS[1:],
    ],
    "ranks": [
        *_DESIGN_KEYS,
        _ALGORITHM,
        _field("average_rank", FLOAT, "mean over blocks and runs of the midrank within the block; 1 = best"),
        _field("n_blocks", SHORT, "blocks (problems) ranked"),
    ],
    "tests": [
        *_DESIGN_KEYS,
        _field("method", TEXT, "name of the test"),
        _optional("statistic", FLOAT, "value of the test statistic; null where it is undefined"),
        _field("df1", FLOAT, "first degrees of freedom"),
        _optional("df2", FLOAT, "second degrees of freedom, where the distribution has them"),
        _optional("p", FLOAT, "p value"),
        _optional("p_min", FLOAT, "smallest p value that any data of this shape could give; null = not bounded"),
        _optional("n_resamples", LONG, "rearrangements behind p; null where p comes from a distribution"),
        _field("alpha", FLOAT, "level at which `significant` was decided"),
        _field("significant", FLAG, "whether p <= alpha"),
        _UNDECIDED,
        _field("n_blocks", SHORT, "blocks (problems) in the test"),
        _field("n_treatments", SHORT, "treatments (algorithms) in the test"),
        _field("n_runs", SHORT, "runs (replicates) in every cell"),
        _CLUSTERS,
        _field("n_left_out", SHORT, "problems left out because an algorithm has no trial on them"),
        _field("n_all_tied", SHORT, "blocks in which every algorithm has the same cost"),
        _field("n_failures", SHORT, "failures among the values"),
    ],
    "comparisons": [
        *_DESIGN_KEYS,
        _field("method", TEXT, "name of the comparison"),
        _field("correction", TEXT, "correction of p for the number of pairs"),
        *_PAIR,
        _field("scale", TEXT, "what `difference` is a difference of: net wins, average rank, mean, rank-biserial, 1/2 - A"),
        _optional("difference", FLOAT, "a minus b on that scale; negative = a is better"),
        _optional(
            "low",
            FLOAT,
            "lower end of its interval at the level of the family, which leaves out 0 if and only if it is significant: "
            "where a stepwise correction decides more than simultaneous intervals show, it ends at 0",
        ),
        _optional("high", FLOAT, "upper end of that interval"),
        _optional("statistic", FLOAT, "value of the test statistic"),
        _optional("df", FLOAT, "degrees of freedom"),
        _optional("p", FLOAT, "p value of this pair alone"),
        _optional("p_adjusted", FLOAT, "p value after the correction"),
        _optional("msd", FLOAT, "minimum significant difference at family level alpha; inf = out of the design's reach"),
        _optional("p_min", FLOAT, "smallest p that any data of this shape could give for a pair; null = not bounded"),
        _optional("p_adjusted_min", FLOAT, "smallest adjusted p that any data of this shape could give"),
        _optional("n_resamples", LONG, "rearrangements behind p; null where p comes from a distribution"),
        _optional("smallest_epsilon", FLOAT, "smallest tolerance that the published rule for a common msd can meet; else null"),
        _optional(
            "a_better",
            FLOAT,
            "Vargha–Delaney A within blocks: chance that a run of a is better; for one cost a block share of blocks won",
        ),
        _optional("a_better_low", FLOAT, "lower end of its interval at 1 - alpha, of the pair alone"),
        _optional("a_better_high", FLOAT, "upper end of that interval"),
        _CLUSTERS,
        _field("alpha", FLOAT, "family-wise level"),
        _field("significant", FLAG, "whether p_adjusted <= alpha; by the published rule whether |difference| > msd"),
        _UNDECIDED,
    ],
    "verdicts": [
        _field(
            "analysis",
            TEXT,
            "`primary`: declared before anything was tested; `equivalence`: which are as good within "
            "the margin that the study states; `secondary`: all the rest",
        ),
        _MEASURE,
        _optional("target", FLOAT, "target of the statement; null where several are pooled, or there is none", "objective value"),
        _optional(
            "at_budget",
            FLOAT,
            "budget of the statement; null where several are pooled, or there is none",
            "evaluations or evaluations/dimension",
        ),
        _STRATUM,
        _field("family", TEXT, "what the statement was corrected with"),
        _field("family_size", LONG, "statements of the family"),
        _field(
            "population",
            TEXT,
            "what the statement speaks of: `problems like these`, of which the clusters are a sample; with `, on average` "
            "where runs show that it depends on the problem",
        ),
        _field("criterion", TEXT, "what the pair is compared by; of a statement about all algorithms, what puts them in order"),
        _field("method", TEXT, "name of the test or comparison"),
        _optional(
            "algorithm_a", TEXT, "first algorithm of the pair, the control where there is one; null = about all algorithms"
        ),
        _optional("algorithm_b", TEXT, "second algorithm of the pair; null = about all algorithms"),
        _optional(
            "effect",
            FLOAT,
            "net share of wins of a over b, from -1 to 1; positive = a is better. Of equivalence by ratios of costs: the "
            "mean logarithm of the cost of b over that of a",
        ),
        _optional(
            "effect_low",
            FLOAT,
            "lower end of its interval, which leaves out 0 if and only if it is significant; of "
            "equivalence at 1 - 2 alpha, of the pair alone",
        ),
        _optional("effect_high", FLOAT, "upper end of that interval"),
        _optional("p", FLOAT, "p value of this statement alone"),
        _optional(
            "p_adjusted",
            FLOAT,
            "p value after the correction over the family, and at least that of the primary test of all algorithms, which comes "
            "first",
        ),
        _optional("p_min", FLOAT, "smallest adjusted p that any data of this shape could give"),
        _field("alpha", FLOAT, "level of the family"),
        _optional("margin", FLOAT, "of equivalence: the largest difference that does not count", "per cent"),
        _field("significant", FLAG, "whether p_adjusted <= alpha; of equivalence about all: whether of any pair"),
        _UNDECIDED,
        _field("n_clusters", SHORT, "clusters behind the statement"),
        _field("n_cells", SHORT, "cells (problem × target or budget) behind it"),
        _field("text", pa.string(), "the statement as a sentence"),
    ],
    "rank_sets": [
        _MEASURE,
        _ALGORITHM,
        _field("net_share", FLOAT, "mean net share of wins over the others, from -1 to 1"),
        _field("rank_low", SHORT, "best rank that it can have: one more than the algorithms shown to be better"),
        _field("rank_high", SHORT, "worst rank that it can have: all algorithms less those shown to be worse"),
        _field("can_be_best", FLAG, "whether rank_low is 1"),
        _field("alpha", FLOAT, "level of all ranks together, and so of the set of those that can be best"),
        _field("n_clusters", SHORT, "clusters behind it"),
        _field("n_cells", SHORT, "cells (problem × target or budget) behind it"),
    ],
    "families": [
        _field("by", TEXT, "what deals problems to families: a part of their names, or an attribute"),
        _field("problem", TEXT, "a problem of a family"),
        _field("family", TEXT, "its family"),
        _field("n_families", SHORT, "how many families there are; a problem without one is its own"),
        _field("correlation", FLOAT, "intra-class correlation of pair scores within families, mean over the pairs"),
        _field("p", FLOAT, "p value of the variance between families, by Holm over all ways to deal them"),
        _field("chosen", FLAG, "whether these families are the clusters of the study"),
    ],
    "claims": [
        _field("claim", TEXT, "the claim as the study states it, or as its headline makes it"),
        _field("stated", FLAG, "whether the study states it; false: made from the headline, after the data were seen"),
        _field("kind", TEXT, "`better`, `best` or `as_good`"),
        _field("algorithm", TEXT, "the algorithm that it is about"),
        _optional("other", TEXT, "the algorithm that it is compared with; null: each of the others"),
        _MEASURE,
        _optional("margin", FLOAT, "the largest difference that does not count, of `as_good`", "%"),
        _field("convention", TEXT, "the convention in words; `primary analysis` comes first"),
        _field("rule", TEXT, "names of the conventions behind it, as docs/claims.md lists them; `primary` for the first row"),
        _field("group", TEXT, "what it changes: cells, runs, criterion, test, missing cells, who or what is left out"),
        _optional("holds", FLAG, "whether the claim holds; null where too few clusters are left for either answer"),
        _field("outcome", TEXT, "`holds`, `not shown`, `opposite` (that is shown) or `undecidable` (too few clusters)"),
        _optional("same_as", TEXT, "an earlier convention that compares the same numbers; then this one is not counted"),
        _optional("against", TEXT, "the other algorithm that the numbers are about, of several that of the least effect"),
        _field("criterion", TEXT, "what the algorithms are compared by"),
        _field("test", TEXT, "the test, in words"),
        _optional(
            "effect",
            FLOAT,
            "mean difference over clusters by the criterion; positive = as claimed; of `as_good` the log ratio of costs",
        ),
        _optional("effect_low", FLOAT, "lower end of its interval, where the test has one"),
        _optional("effect_high", FLOAT, "upper end of that interval"),
        _optional("p", FLOAT, "p value of the comparison alone"),
        _optional(
            "p_adjusted",
            FLOAT,
            "p value after the correction over the family; of several pairs the largest (of `opposite`: of that pair)",
        ),
        _optional("p_min", FLOAT, "smallest adjusted p that any data of this shape could give"),
        _field("alpha", FLOAT, "level of the family"),
        _field("n_clusters", SHORT, "clusters that are compared on"),
        _field("n_cells", SHORT, "cells (problem × target or budget) in them"),
        _field("n_algorithms", SHORT, "algorithms of the comparison"),
        _field("text", pa.string(), "the row as a sentence; that of the primary analysis sums up all conventions"),
    ],
    "posteriors": [
        *_DESIGN_KEYS,
        _field("method", TEXT, "name of the Bayesian comparison"),
        *_PAIR,
        _field("rope", FLOAT, "differences of up to this count as equal, on the scale of `normalisation`"),
        _field("normalisation", pa.string(), "how values of different blocks became comparable: what differences are of"),
        _optional("a_better", FLOAT, "posterior probability that a is practically better; null where it is undefined"),
        _optional("equal", FLOAT, "posterior probability that both are practically equal"),
        _optional("b_better", FLOAT, "posterior probability that b is practically better"),
        _optional("n_samples", LONG, "samples of the posterior behind the probabilities; 0 where they come from quadrature"),
        _optional("r_hat", FLOAT, "split-R-hat of a Markov chain, near 1 where it has converged; null without a chain"),
        _field("n_blocks", SHORT, "blocks (problems)"),
        _field("n_runs", SHORT, "runs (replicates) in every cell"),
        _field("alpha", FLOAT, "a probability of at least 1 - alpha decides"),
    ],
    "rank_sums": [
        _MEASURE,
        *_PROBLEM_KEYS,
        _TARGET,
        _ALGORITHM,
        _field("best", TEXT, "algorithm with the smallest ERT there, with which `algorithm` is compared"),
        _field("ahead", FLOAT, "mean rank of the trials of `algorithm` minus that of the trials of `best`"),
        _field("p", FLOAT, "two-sided p value of the rank-sum test; 1 where `best` is not ahead"),
        _field("p_adjusted", FLOAT, "p times `n_cells`, at most 1 (Bonferroni)"),
        _field("n_cells", SHORT, "problems × targets that some algorithm reaches"),
        _field("alpha", FLOAT, "level at which `significant` was decided"),
        _field("significant", FLAG, "whether p_adjusted <= alpha: `best` is better than `algorithm`"),
    ],
    "intervals": [
        *_DESIGN_KEYS,
        _field("method", TEXT, "comparison whose minimum significant difference is shown"),
        _field("scale", TEXT, "average rank, or mean of the normalised costs"),
        _ALGORITHM,
        _field("mean", FLOAT, "mean over blocks and runs on that scale"),
        _field("low", FLOAT, "`mean` minus half the msd"),
        _field("high", FLOAT, "`mean` plus half the msd"),
        _field("msd", FLOAT, "minimum significant difference that holds for all pairs"),
        _CLUSTERS,
        _field("alpha", FLOAT, "family-wise level"),
        _field("n_blocks", SHORT, "blocks (problems)"),
        _field("n_runs", SHORT, "runs (replicates) in every cell"),
    ],
    "assumptions": [
        *_DESIGN_KEYS,
        _field("check", TEXT, "name of the check"),
        _field("meaning", TEXT, "the hypothesis it tests"),
        _optional("statistic", FLOAT, "value of the test statistic"),
        _optional("df1", FLOAT, "first degrees of freedom"),
        _optional("df2", FLOAT, "second degrees of freedom"),
        _optional("p", FLOAT, "p value; small = the hypothesis does not hold"),
        _field("n", SHORT, "residuals or values in the check"),
    ],
}

TABLES: dict[str, pa.Schema] = {name: pa.schema(fields) for name, fields in _FIELDS.items()}


def table(name: str, columns: Mapping[str, Any]) -> pa.Table:
    """Build a table of the named schema from columns.

    Parameters
    ----------
    name : str
        Key of `TABLES`.
    columns : mapping of str to array-like
        Equal lengths; NumPy arrays, lists or Arrow arrays, or one value for all rows. Columns of the schema that may be null
        can be left out; unknown columns are an error.

    Returns
    -------
    pyarrow.Table
        Columns in the order and types of the schema. NaN stays NaN; use None for null.
    """
    schema = TABLES[name]
    unknown = set(columns) - set(schema.names)
    if unknown:
        raise ValueError(f"table {name!r} has no columns {sorted(unknown)}; it has {schema.names}")
    length = next((len(values) for values in columns.values() if not _is_one(values)), 0)
    arrays = []
    for field in schema:
        if field.name in columns:
            arrays.append(_as_array(columns[field.name], field, length))
        elif field.nullable:
            arrays.append(pa.nulls(length, field.type))
        else:
            raise ValueError(f"table {name!r} needs a column {field.name!r}")
    return check(pa.Table.from_arrays(arrays, schema=schema), name)


def of_rows(name: str, rows: Iterable[Mapping[str, Any]]) -> pa.Table:
    """Build a table of the named schema from its rows: mappings, in which a column that may be null can be left out."""
    given = list(rows)
    return table(name, {column: [row.get(column) for row in given] for column in TABLES[name].names})


def replaced(data: pa.Table, **columns: Any) -> pa.Table:
    """The table with other values in some of its columns, as `table` takes them."""
    for name, values in columns.items():
        at = data.schema.get_field_index(name)
        field = data.schema.field(at)
        data = data.set_column(at, field, _as_array(values, field, data.num_rows))
    return data


def renamed(data: pa.Table, column: str, names: Mapping[str, str]) -> pa.Table:
    """The table with other words in a column of text: by those that it has."""
    if all(new == old for old, new in names.items()):
        return data
    old = data[column].unify_dictionaries().combine_chunks()
    words = pa.array([names.get(word, word) for word in old.dictionary.to_pylist()], pa.string())
    return replaced(data, **{column: words.take(old.indices)})


def _is_one(values: Any) -> bool:
    return isinstance(values, str) or not hasattr(values, "__len__")


def _as_array(values: Any, field: pa.Field, length: int) -> pa.Array | pa.ChunkedArray:
    if _is_one(values):
        values = pa.repeat(pa.scalar(values, pa.string() if field.type == TEXT else field.type), length)
    if isinstance(values, pa.Array | pa.ChunkedArray):
        if field.type == TEXT and values.type == pa.string():
            values = values.dictionary_encode()
        return values if values.type == field.type else values.cast(field.type)
    if field.type == TEXT:
        return pa.array(values, pa.string()).dictionary_encode().cast(TEXT)
    return pa.array(values, field.type, from_pandas=False)


def check(data: pa.Table, name: str, where: str = "") -> pa.Table:
    """Return `data` if it has exactly the columns, types and nulls of the named schema, else raise.

    Raises
    ------
    UserError
        Names the file (`where`), the column, what was found and what was expected.
    """
    schema = TABLES[name]
    at = f"{where}: " if where else ""
    if data.column_names != schema.names:
        raise UserError(
            f"{at}the table {name!r} has the columns {data.column_names}, expected {schema.names}; "
            "delete the file and make it again."
        )
    for field in schema:
        column = data.column(field.name)
        if column.type != field.type:
            raise UserError(
                f"{at}column {field.name!r} of the table {name!r} is of type {column.type}, expected {field.type}; "
                "delete the file and make it again."
            )
        if not field.nullable and column.null_count:
            raise UserError(
                f"{at}column {field.name!r} of the table {name!r} has {column.null_count} empty values; none is allowed."
            )
    return data


def rows(data: pa.Table) -> list[dict[str, Any]]:
    """Rows as dictionaries of Python's own values, None where they are empty: what `to_pylist` gives, in a fifth of its time."""
    names = data.column_names
    return [dict(zip(names, row, strict=True)) for row in zip(*map(_values, data.columns), strict=True)]


def _values(column: pa.ChunkedArray) -> list[Any]:
    if column.null_count == len(column):
        return [None] * len(column)
    if pa.types.is_dictionary(column.type):
        array = column.unify_dictionaries().combine_chunks()
        array = array.combine_chunks() if isinstance(array, pa.ChunkedArray) else array
        # an empty key takes the last word
        words = [*array.dictionary.to_pylist(), None]
        return [words[i] for i in array.indices.fill_null(-1).to_numpy().tolist()]
    if not (pa.types.is_floating(column.type) or pa.types.is_integer(column.type)):
        return list(column.to_pylist())
    values = column.fill_null(0).to_numpy().tolist()
    return (
        [v if there else None for v, there in zip(values, column.is_valid().to_pylist(), strict=True)]
        if column.null_count
        else values
    )


def concatenate(tables: Iterable[pa.Table]) -> pa.Table:
    """Put tables of one schema one below the other, with one dictionary a text column."""
    return pa.concat_tables(list(tables)).unify_dictionaries()
