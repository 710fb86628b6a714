"""Results of benchmark programs: each program's form, and two versions of a toy compared by what the programs write."""

import json
import re
import shutil
import subprocess
import sys

import pytest
import yaml

import benchmill as bm
from benchmill import readers
from benchmill.core import UserError
from tests.readers.making import Result, folder

PYTEST = {
    "machine_info": {"node": "host", "cpu": {"brand_raw": "some", "flags": ["a", "b"]}},
    "commit_info": {"id": "c0ffee00", "dirty": False},
    "benchmarks": [
        {
            "group": None,
            "name": f"test_sum[{n}]",
            "fullname": f"tests/test_sum.py::test_sum[{n}]",
            "params": {"n": n},
            "stats": {"min": 0.25 * n, "mean": 0.5 * n, "stddev": 0.25 * n, "rounds": 2, "data": [0.25 * n, 0.75 * n]},
        }
        for n in (1, 2)
    ],
    "datetime": "2026-01-02T03:04:05",
    "version": "5.0.0",
}
PYTEST_MEANS = json.loads(json.dumps(PYTEST))
for _one in PYTEST_MEANS["benchmarks"]:
    del _one["stats"]["data"]
HYPERFINE = {
    "results": [
        {"command": "sort a", "mean": 1.5, "times": [1.0, 2.0], "exit_codes": [0, 0], "parameters": {"file": "a"}},
        {"command": "sort b", "mean": 3.5, "times": [3.0, 4.0], "exit_codes": [0, 1], "parameters": {"file": "b"}},
    ]
}
GOOGLE = {
    "context": {"date": "2026-01-02", "host_name": "host", "caches": [{"level": 1}]},
    "benchmarks": [
        {"name": "BM_Copy/8", "run_name": "BM_Copy/8", "run_type": "iteration", "repetitions": 2, "repetition_index": i}
        | {"iterations": 10, "real_time": 20.0 + i, "cpu_time": 19.0, "time_unit": "ns"}
        for i in (0, 1)
    ]
    + [
        {"name": "BM_Copy/8_mean", "run_name": "BM_Copy/8", "run_type": "aggregate", "repetitions": 2}
        | {"aggregate_name": name, "iterations": 2, "real_time": value, "cpu_time": 19.0, "time_unit": "ns"}
        for name, value in (("mean", 20.5), ("stddev", 0.7))
    ],
}
BROKEN = {"name": "BM_Bad", "run_name": "BM_Bad", "run_type": "iteration", "error_occurred": True, "error_message": "no file"}


def jmh(mode="avgt", unit="us/op"):
    metric = {"score": 2.5, "scoreError": 0.1, "scoreConfidence": [2.4, 2.6], "scorePercentiles": {"0.0": 1.0}, "scoreUnit": unit}
    return [
        {"jmhVersion": "1.37", "benchmark": "org.Sort.run", "mode": mode, "threads": 1, "forks": 2, "jvmArgs": []}
        | {"params": {"size": size}, "primaryMetric": metric | {"rawData": [[1.0, 2.0], [3.0, 4.0]]}, "secondaryMetrics": {}}
        for size in ("10", "20")
    ]


JMH_CSV = """"Benchmark","Mode","Threads","Samples","Score","Score Error (99.9%)","Unit","Param: size"
"org.Sort.run","avgt",1,5,12.5,0.3,"us/op",10
"org.Sort.run","avgt",1,5,25,NaN,"us/op",20
"""
JMH_TEXT = """# JMH version: 1.36
# Benchmark mode: Average time, time/op
Result "org.Sort.run":
  12.500 ±(99.9%) 0.300 us/op [Average]

Benchmark                        (size)  Mode  Cnt   Score   Error  Units
Sort.run                             10  avgt    5  12.500 ± 0.300  us/op
Sort.run                             20  avgt    5  25.000          us/op
Sort.run:gc.alloc.rate.norm          20  avgt    5  96.000 ± 0.001   B/op
Sort.other                           10 thrpt    5  99.000 ± 1.000  ops/s
"""
JMH_COMMA = """"Benchmark","Mode","Threads","Samples","Score","Score Error (99,9%)","Unit","Param: size"
"org.Sort.run","MODE",1,5,"12,5","0,3","UNIT",10
"org.Sort.run","MODE",1,5,"1025,25",NaN,"UNIT",20
"""
HYPERFINE_CSV = """command,mean,stddev,median,user,system,min,max,parameter_n
sort a,1.5,0.25,1.5,1.0,0.1,1.0,2.0,1
sort b,3.5,,3.5,1.0,0.1,3.0,4.0,2
"""
GOOGLE_OLD = {
    "context": {"date": "2016-01-02", "num_cpus": 4},
    "benchmarks": [
        {"name": name, "iterations": 10, "real_time": time, "cpu_time": 19, "time_unit": unit}
        for name, time, unit in (
            *(("BM_Copy/8", 20, "ns"), ("BM_Copy/8", 21, "ns"), ("BM_Copy/8_mean", 20.5, "ns"), ("BM_Copy/8_stddev", 0.7, "ns")),
            ("BM_Move", 3, "us"),
        )
    ]
    + [
        {"name": "BM_Copy_BigO", "cpu_coefficient": 1.5, "real_coefficient": 1.5, "big_o": "N", "time_unit": "ns"},
        {"name": "BM_Copy_RMS", "rms": 0.1},
    ],
}
ASV_1 = {
    "commit_hash": "0123456789abcdef",
    "params": {"machine": "host"},
    "requirements": {"numpy": "1.8"},
    "results": {
        "b.Suite.time_sum": {"params": [["10", "20"]], "result": [1e-6, None]},
        "b.time_plain": 5e-6,
        "b.time_none": None,
        "b.time_skipped": float("nan"),
        "b.track_size": 3,
    },
    "version": 1,
}
ASV = {
    "commit_hash": "0123456789abcdef",
    "env_name": "virtualenv-py3.11",
    "params": {"machine": "host"},
    "result_columns": ["result", "params", "version", "started_at", "duration", "stats_number", "samples"],
    "results": {
        "b.Suite.time_sum": [
            *([1e-6, None, float("nan"), 4e-6], [["10", "20"], ["'a'", "'b'"]], "v", 1, 1.5),
            *([1, None, None, 1], [[1e-6, 2e-6], None, None, [4e-6]]),
        ],
        "b.time_plain": [[5e-6], [], "v"],
        "b.track_size": [[3], [], "v"],
    },
}
CRITERION = {
    f"sort/quick/{baseline}/{name}.json": json.dumps(content)
    for baseline, times in (("base", [100.0, 400.0]), ("new", [200.0, 600.0]))
    for name, content in (
        ("benchmark", {"group_id": "sort", "function_id": "quick", "value_str": None, "full_id": "sort/quick"}),
        ("sample", {"sampling_mode": "Linear", "iters": [10.0, 20.0], "times": times}),
        ("estimates", {"mean": {"point_estimate": 15.0}}),
    )
} | {"sort/quick/change/estimates.json": '{"mean": {"point_estimate": 0.5}}'}
CRITERION_CSV = """group,function,value,throughput_num,throughput_type,sample_measured_value,unit,iteration_count
sort,quick,10,,,100,ns,10
sort,quick,10,,,400,ns,20
sort,,,,,3,us,2
"""
GO = """goos: linux
goarch: amd64
pkg: example.org/sorting
BenchmarkSort/size=10-8   	 1000	   1500 ns/op	  12 B/op	 1 allocs/op
BenchmarkSort/size=10-8   	 1000	   1700.5 ns/op	  12 B/op	 1 allocs/op
BenchmarkCopy 	 1000000	   1.25 ns/op
--- FAIL: BenchmarkBad-8
PASS
ok  	example.org/sorting	3.2s
"""
SCIP_RES = """\
Name              | Type | Conss |  Vars | Conss |  Vars |   Dual Bound   |  Primal Bound  | Gap% |  Iters | Nodes |  Time |
------------------+------+-------+-------+-------+-------+----------------+----------------+------+--------+-------+-------+-------
air01               BIP       9     88      8      77      1234.5            1234.5          0.0      345       1     0.5 ok
air02               MBP      99    888     88     777      1000.0            2000.0        100.0     9999    1234   600.3 timeout
air03               BIP      99    888     88     777               -               1e+20     --        0       0     0.1 abort
------------------+------+-------+-------+-------+-------+----------------+----------------+------+--------+-------+-------+-------
  Cnt  Pass  Time  Fail  total(k)       geom.     total     geom.
    3     1     1     1         1         1.2       601       2.0
solver: SCIP 8.0.0
"""
LINE_OF_DASHES = "-" * 78
SOPLEX_RES = f"""\
$Id: check.quick.soplex.linux.x86.gnu.opt.res,v 1.1 $

{LINE_OF_DASHES}
afiro          27     32 LC       16     0.25 -4.647531e+02 ok
                         EC       13     0.50 -4.647531e+02 error 1.113290e+01
{LINE_OF_DASHES}
nug15        6330  22275 LC   105062 10000.03 timeout
                         ECi  104872     3.00 infeasible    ok

------------------------------------------
Alg            Cnt  Pass  Fail       Time
------------------------------------------
LC               2     1     0   10000.28
"""
GOOGLE_CSV = """2026-01-02T03:04:05+00:00
Running ./bench
Run on (8 X 3000 MHz CPU s)
name,iterations,real_time,cpu_time,time_unit,bytes_per_second,items_per_second,label,error_occurred,error_message
"BM_Copy/8",1000,20,19.0,ns,,,,,
"BM_Copy/8",1000,21,19.0,ns,,,,,
"""
GOOGLE_CSV_MEANS = GOOGLE_CSV.replace('Copy/8",1000,20,', 'Copy/8_mean",2,20.5,').replace(
    'Copy/8",1000,21,', 'Copy/8_stddev",2,0.7,'
)
VNN = """acasxu,./onnx/net_1.onnx,./vnnlib/prop_1.vnnlib,0.5,unsat,2.5
acasxu,./onnx/net_1.onnx.gz,./vnnlib/prop_2.vnnlib.gz,0.5,run_instance_timeout,116.0
acasxu,./onnx/net_2.onnx,./vnnlib/prop_1.vnnlib,0.5,error_exit_code_1,1.0
"""
AUTOML = """id,task,framework,constraint,fold,type,result,metric,mode,version,params,utc,duration,seed,info,acc,auc
openml.org/t/1,adult,Forest,1h8c,0,binary,0.9,auc,aws,1,,2026-01-01T00:00:00,60,7,,0.8,0.9
openml.org/t/1,adult,Forest,1h8c,1,binary,,auc,aws,1,,2026-01-01T00:00:00,3600,8,TimeoutError: too long,,
"""
NEVERGRAD = """block_dimension,budget,dimension,loss,name,num_workers,optimizer_name,pseudotime,rotation,seed
10,100,10,0.5,sphere,1,CMA,100,False,1
10,100,10,0.25,sphere,1,DE,100,False,2
"""
OPTUNA = """number,value,datetime_start,datetime_complete,duration,params_x,state
0,5.5,2026-01-01 00:00:00,2026-01-01 00:00:01,0 days,1.0,COMPLETE
1,6.5,2026-01-01 00:00:01,2026-01-01 00:00:02,0 days,1.5,COMPLETE
2,4.5,2026-01-01 00:00:02,2026-01-01 00:00:03,0 days,0.5,COMPLETE
"""
SAMPLES = {
    "scip_res": SCIP_RES,
    "soplex_res": SOPLEX_RES,
    "pytest_benchmark_means": PYTEST_MEANS,
    "google_benchmark_csv": GOOGLE_CSV,
    "google_benchmark_csv_means": GOOGLE_CSV_MEANS,
    "google_benchmark_means": GOOGLE | {"benchmarks": GOOGLE["benchmarks"][2:]},
    "jmh_text": JMH_TEXT,
    "jmh_text_throughput": JMH_TEXT.replace(" avgt", "thrpt").replace("us/op", "ops/s"),
    "jmh_csv_throughput": JMH_CSV.replace("avgt", "thrpt").replace("us/op", "ops/us"),
    "vnncomp": VNN,
    "automl_benchmark": AUTOML,
    "nevergrad": NEVERGRAD,
    "pytest_benchmark": PYTEST,
    "hyperfine": HYPERFINE,
    "google_benchmark": GOOGLE,
    "jmh": jmh(),
    "jmh_throughput": jmh("thrpt", "ops/ms"),
    "jmh_csv": JMH_CSV,
    "jmh_csv_comma": JMH_COMMA.replace("MODE", "avgt").replace("UNIT", "us/op"),
    "jmh_csv_comma_throughput": JMH_COMMA.replace("MODE", "thrpt").replace("UNIT", "ops/ms"),
    "hyperfine_csv": HYPERFINE_CSV,
    "google_benchmark_1_4": GOOGLE_OLD,
    "criterion_csv": CRITERION_CSV,
    "asv": ASV,
    "go_bench": GO,
}
SAMPLES |= {
    "cargo_bench": """running 3 tests
test sort_10 ... bench:         135 ns/iter (+/- 24)
test sort (1,000) ... bench:      18,149.5 us/iter (+/- 1,755)
test broken ... FAILED
""",
    "pyperf": {
        "benchmarks": [
            {
                "metadata": {"name": name, "loops": 4},
                "runs": [{"warmups": [[4, 9.0]]}, {"values": [0.5, 0.25]}, {"values": [1.0]}],
            }
            for name in ("copy", "sort")
        ],
        "metadata": {"perf_version": "2.0", "unit": "second", "hostname": "host"},
    },
    "benchmark_dotnet": {
        "HostEnvironmentInfo": {"BenchmarkDotNetVersion": "0.13"},
        "Benchmarks": [
            {"DisplayInfo": f"Sort.Run: {job} [N=5]", "Namespace": "Org", "FullName": "Org.Sort.Run(N: 5)"}
            | {"Statistics": {"OriginalValues": [2000, time], "N": 2, "Mean": 9, "LowerOutliers": []}}
            for job, time in (("Job-A", 500), ("Job-B", 700))
        ],
    },
}
VITEST = {
    "files": [
        {
            "filepath": "/home/me/a.bench.js",
            "groups": [
                {
                    "fullName": f"a.bench.js > {group}",
                    "benchmarks": [
                        {
                            "id": "1_0",
                            "name": name,
                            "rank": 1,
                            "samples": [],
                            "hz": 2000,
                            "mean": mean,
                            "sd": 0.125,
                            "sampleCount": 8,
                        }
                        for name, mean in (("native", 0.5), ("own", 0.75))
                    ],
                }
                for group in ("sort", "find")
            ],
        }
    ]
}


def action(unit):
    """Return what github-action-benchmark keeps of two commits."""
    commits = [
        {"commit": {"author": {"name": "A"}, "id": commit, "message": "x = {1}"}, "date": 1, "tool": "customBenchmark"}
        | {"benches": [{"name": "copy", "value": value, "unit": unit, "range": "± 5"}, {"name": "size", "value": 3, "unit": "B"}]}
        for commit, value in (("c0ffee00", 250), ("c0ffee01", 500))
    ]
    return "window.BENCHMARK_DATA = " + json.dumps({"lastUpdate": 1, "repoUrl": "u", "entries": {"Rust": commits}}, indent=1)


CLICKBENCH = {
    **{"system": "Some DB", "date": "2026-01-02", "machine": "c6a.4xlarge", "cluster_size": 1, "tags": ["C++"], "load_time": 3},
    **{"data_size": 14, "result": [[2.5, 0.5, 0.25], [None, None, None]]},
}
CARGO_CRITERION = "".join(
    json.dumps(line, separators=(",", ":")) + "\n"
    for line in (
        *(
            {"reason": "benchmark-complete", "id": name, "iteration_count": [10, 20], "measured_values": [1, 2], "unit": "ns"}
            | {"throughput": [], "mean": {"estimate": mean, "lower_bound": 1, "upper_bound": 2, "unit": "us"}}
            for name, mean in (("sort/10", 1.5), ("sort/20", 2.5))
        ),
        {"reason": "group-complete", "group_name": "sort", "benchmarks": ["sort/10", "sort/20"]},
    )
)
SAMPLES |= {
    "vitest": VITEST,
    "github_action_benchmark": action("ns/iter"),
    "github_action_benchmark_throughput": action("iter/sec"),
    "clickbench": CLICKBENCH,
    "cargo_criterion": CARGO_CRITERION,
    **{
        f"hyperfine_markdown{name}": f"| Command | Mean [{unit}] | Min [{unit}] | Max [{unit}] | Relative |\n"
        "|:---|---:|---:|---:|---:|\n| `sort a` | 1.5 ± 0.5 | 1.0 | 2.0 | 1.00 |\n| `sort b` | 3.0 ± 0.5 | 2.5 | 3.5 | 2.00 |\n"
        for name, unit in (("", "ms"), ("_seconds", "s"))
    },
}
S, SUM = "sort", "tests/test_sum.py::test_sum"
NONE = float("inf")
EXPECTED = {
    "cargo_bench": [("sort (1,000)", "r", 18149.5e-6), ("sort_10", "r", 135e-9)],
    "pyperf": [(name, "r", time) for name in ("copy", "sort") for time in (0.5, 0.25, 1.0)],
    "benchmark_dotnet": [(f"Org Sort.Run: {j} [N=5]", "r", t) for j, o in (("Job-A", 5e-7), ("Job-B", 7e-7)) for t in (2e-6, o)],
    "vitest": [
        (f"a.bench.js > {group} {name}", "r", mean)
        for group, name, mean in (
            ("find", "native", 5e-4),
            ("find", "own", 7.5e-4),
            ("sort", "native", 5e-4),
            ("sort", "own", 7.5e-4),
        )
    ],
    "github_action_benchmark": [("copy", "c0ffee00", 250e-9), ("copy", "c0ffee01", 500e-9)],
    "github_action_benchmark_throughput": [("copy", "c0ffee00", 250), ("copy", "c0ffee01", 500)],
    "clickbench": [
        (n, "Some DB c6a.4xlarge", time) for n, times in (("1", (2.5, 0.5, 0.25)), ("2", 3 * (NONE,))) for time in times
    ],
    "cargo_criterion": [("sort/10", "r", 1.5e-6), ("sort/20", "r", 2.5e-6)],
    "hyperfine_markdown": [("sort a", "r", 1.5e-3), ("sort b", "r", 3e-3)],
    "hyperfine_markdown_seconds": [("sort a", "r", 1.5), ("sort b", "r", 3)],
    "scip_res": [("air01", "r", 0.5), ("air02", "r", NONE), ("air03", "r", NONE)],
    "soplex_res": [("afiro", "LC", 0.25), ("afiro", "EC", NONE), ("nug15", "LC", NONE), ("nug15", "ECi", 3)],
    "pytest_benchmark_means": [(f"{SUM}[1]", "r", 0.5), (f"{SUM}[2]", "r", 1)],
    "google_benchmark_csv": [("BM_Copy/8", "r", 20e-9), ("BM_Copy/8", "r", 21e-9)],
    "google_benchmark_csv_means": [("BM_Copy/8", "r", 20.5e-9)],
    "google_benchmark_means": [("BM_Copy/8", "r", 20.5e-9)],
    "jmh_text": [("Sort.run 10", "r", 12.5e-6), ("Sort.run 20", "r", 25e-6)],
    "jmh_text_throughput": [("Sort.other 10", "r", 99), ("Sort.run 10", "r", 12.5), ("Sort.run 20", "r", 25)],
    "jmh_csv_throughput": [("org.Sort.run 10", "r", 12.5e6), ("org.Sort.run 20", "r", 25e6)],
    "vnncomp": [
        ("./onnx/net_1.onnx ./vnnlib/prop_1.vnnlib", "r", 2.5),
        ("./onnx/net_1.onnx.gz ./vnnlib/prop_2.vnnlib.gz", "r", NONE),
        ("./onnx/net_2.onnx ./vnnlib/prop_1.vnnlib", "r", NONE),
    ],
    "automl_benchmark": [("adult", "Forest", 0.9), ("adult", "Forest", NONE)],
    "nevergrad": [("sphere", "CMA", 0.5), ("sphere", "DE", 0.25)],
    "pytest_benchmark": [(f"{SUM}[1]", "r", 0.25), (f"{SUM}[1]", "r", 0.75), (f"{SUM}[2]", "r", 0.5), (f"{SUM}[2]", "r", 1.5)],
    "hyperfine": [("sort a", "r", 1.0), ("sort a", "r", 2.0), ("sort b", "r", 3.0), ("sort b", "r", float("inf"))],
    "google_benchmark": [("BM_Copy/8", "r", 20e-9), ("BM_Copy/8", "r", 21e-9)],
    "jmh": [(f"org.Sort.run {size}", "r", i * 1e-6) for size in (10, 20) for i in (1, 2, 3, 4)],
    "jmh_throughput": [(f"org.Sort.run {size}", "r", i * 1e3) for size in (10, 20) for i in (1, 2, 3, 4)],
    "jmh_csv": [("org.Sort.run 10", "r", 12.5e-6), ("org.Sort.run 20", "r", 25e-6)],
    "jmh_csv_comma": [("org.Sort.run 10", "r", 12.5e-6), ("org.Sort.run 20", "r", 1025.25e-6)],
    "jmh_csv_comma_throughput": [("org.Sort.run 10", "r", 12.5e3), ("org.Sort.run 20", "r", 1025.25e3)],
    "hyperfine_csv": [("sort a", "r", 1.5), ("sort b", "r", 3.5)],
    "google_benchmark_1_4": [("BM_Copy/8", "r", 20e-9), ("BM_Copy/8", "r", 21e-9), ("BM_Move", "r", 3e-6)],
    "criterion_csv": [("sort", "r", 1.5e-6), ("sort/quick/10", "r", 10e-9), ("sort/quick/10", "r", 20e-9)],
    "asv": [
        ("b.Suite.time_sum(10, 'a')", "01234567", 1e-6),
        ("b.Suite.time_sum(10, 'a')", "01234567", 2e-6),
        ("b.Suite.time_sum(10, 'b')", "01234567", float("inf")),
        ("b.Suite.time_sum(20, 'b')", "01234567", 4e-6),
        ("b.time_plain", "01234567", 5e-6),
    ],
    "go_bench": [
        ("example.org/sorting BenchmarkCopy", "r", 1.25e-9),
        ("example.org/sorting BenchmarkSort/size=10 8", "r", 1500e-9),
        ("example.org/sorting BenchmarkSort/size=10 8", "r", 1700.5e-9),
    ],
}


def written(path, content):
    path.write_text(content if isinstance(content, str) else json.dumps(content, indent=1))
    return path


@pytest.mark.parametrize("preset", EXPECTED)
def test_each_program_is_told_and_read(preset, tmp_path):
    suffix = "json" if not isinstance(SAMPLES[preset], str) else "txt"
    result = Result(written(tmp_path / f"r.{suffix}", SAMPLES[preset]), tmp_path / "out")
    assert [(t["problem"], t["algorithm"]) for t in result.trials] == [row[:2] for row in EXPECTED[preset]]
    assert result.column("cost") == pytest.approx([row[2] for row in EXPECTED[preset]], rel=1e-12)
    preset_said = next(e["detail"] for e in result.report["irregularities"] if e["rule"] == "preset")
    assert preset_said.startswith(f"`preset: {preset}`")
    assert set(result.column("maximise")) == {preset.endswith("_throughput") or preset == "automl_benchmark"}


def test_outcomes_of_summaries_of_solvers(tmp_path):
    result = Result(written(tmp_path / "check.res", SCIP_RES), tmp_path / "out")
    assert result.column("outcome") == ["solved", "time_limit", "error"]
    assert result.column("proven") == [True, False, False]
    for status, outcome in {"better": "limit", "gaplimit": "solved"}.items():
        stopped = written(tmp_path / "check.res", SCIP_RES.replace("timeout", status))
        assert Result(stopped, tmp_path / "out").column("outcome")[1] == outcome
    # with the times to the first and the best solution, and SCIP's reasons for a failure
    text = SCIP_RES.replace(" ok", "       0.1       0.4 ok").replace("timeout", "      1.0     99.9 fail (objective value)")
    result = Result(written(tmp_path / "check.res", text.replace("abort", "fail (abort)")), tmp_path / "out")
    assert result.column("outcome") == ["solved", "wrong", "error"]
    assert result.column("runtime_s") == [0.5, 600.3, 0.1]
    result = Result(written(tmp_path / "soplex.res", SOPLEX_RES), tmp_path / "out")
    assert result.column("outcome") == ["solved", "wrong", "time_limit", "solved"]
    result = Result(written(tmp_path / "alpha.csv", VNN), tmp_path / "more")
    assert result.column("outcome") == ["solved", "time_limit", "error"]


def test_metrics_of_automl_that_are_better_when_smaller_are_not_read_as_larger(tmp_path):
    text = AUTOML + "openml.org/t/2,iris,Forest,1h8c,0,multiclass,0.1,logloss,aws,1,,2026-01-01T00:00:00,60,7,,0.8,0.9\n"
    with pytest.raises(UserError, match="no column gives values"):
        readers.examine(written(tmp_path / "r.csv", text))
    negative = written(tmp_path / "n.csv", text.replace("0.1,logloss", "-0.1,neg_logloss"))
    assert Result(negative, tmp_path / "out").column("cost") == [0.9, NONE, -0.1]


def test_times_of_go_may_stand_behind_other_metrics(tmp_path):
    text = "pkg: m\nBenchmarkA-8 \t 100\t 12.5 orders/sec\t 250 ns/op\t 7 p50-ns/op\nBenchmarkB-8 \t 100\t 500 ns/op\t 8 B/op\n"
    result = Result(written(tmp_path / "r.txt", text), tmp_path / "out")
    assert result.column("cost") == pytest.approx([250e-9, 500e-9], rel=1e-12)


def test_trials_of_optuna_need_the_names_that_no_file_has(tmp_path):
    path = written(tmp_path / "o.csv", OPTUNA)
    with pytest.raises(UserError, match="no column gives 'problem'"):
        readers.examine(path)
    result = Result(path, tmp_path / "out", constants={"problem": "f", "algorithm": "TPE"})
    assert result.trace(0) == [(1, 5.5), (3, 4.5)]
    # the value of a pruned trial is that of an early step
    at = "2026-01-01 00:00:03,2026-01-01 00:00:04,0 days,0.1"
    path = written(tmp_path / "p.csv", f"{OPTUNA}3,,{at},FAIL\n4,0.1,{at},PRUNED\n5,3.5,{at},COMPLETE\n")
    result = Result(path, tmp_path / "more", constants={"problem": "f", "algorithm": "TPE"})
    assert result.trace(0) == [(1, 5.5), (3, 4.5), (6, 3.5)]


def configured(cost=(5.0, 3.0, 9.0, 1.5), status=(1, 1, 2, 1), **more):
    """Return SMAC's runhistory of four trials, of which one crashed."""
    keys = ("config_id", "instance", "seed", "budget", "cost", "time", "cpu_time", "status", "starttime", "endtime")
    rows = (
        (i, None, 0, None, one, 0.1, 0.1, ended, 1.0, 2.0) for i, (one, ended) in enumerate(zip(cost, status, strict=True), 1)
    )
    data = [dict(zip(keys, row, strict=True)) | {"additional_info": {}} | more for row in rows]
    return {"stats": {"submitted": 4}, "data": data, "configs": {"1": {"x": 0.5}, "2": {"x": 0.25}}}


NAMED = {"constants": {"problem": "f", "algorithm": "S"}}
BOHB = "".join(
    f'[[0, 0, {i}], {budget}, {{"submitted": 1.5, "started": 1.5, "finished": 2.5}}, {{"loss": {loss}, "info": {{}}}}, null]\n'
    for i, (budget, loss) in enumerate([(9.0, 0.75), (9.0, 0.5), (27.0, 0.25), (27.0, 0.125)])
)
DEEPCAVE = (
    "[0, 10, -1, [0.5, 7.0], 0.0, 0.5, 1, {}]\n[1, 10, -1, [0.25, 8.0], 0.5, 1.0, 1, {}]\n[2, 10, -1, [null], 1.0, 2, 2, {}]\n"
)
LISTS = {**configured(), "data": [[*list(row.values())[:6], *list(row.values())[7:]] for row in configured()["data"]]}
#: Histories of optimisers, what an entry says beside the names, and what is read.
HISTORIES = {
    "optuna": (OPTUNA, {}, [(1, 5.5), (3, 4.5)]),
    "smac": (json.dumps(configured(), indent=2), {}, [(1, 5), (2, 3), (4, 1.5)]),
    "smac_2_0": (json.dumps(LISTS), {}, [(1, 5), (2, 3), (4, 1.5)]),
    "smac_1": (
        json.dumps(
            {
                "data": [
                    [[i, None, 0, 0.0], [cost, 1.5, {"__enum__": f"StatusType.{said}"}, 1.5, 2.5, {}]]
                    for i, (cost, said) in enumerate([(5.0, "SUCCESS"), (1.0, "TIMEOUT"), (3.0, "SUCCESS")])
                ],
                "configs": {"1": {"x": 0.5}},
            }
        ),
        {},
        [(1, 5), (3, 3)],
    ),
    "bohb": (BOHB, {"where": {"budget": 27.0}}, [(3, 0.25), (4, 0.125)]),
    "deepcave": (
        DEEPCAVE,
        {"where": {"budget": 10}, "preset": "deepcave", "columns": {"value": "costs.1"}},
        [(1, 0.5), (2, 0.25)],
    ),
    "deepcave_without_seeds": (
        DEEPCAVE.replace(" -1, ", " "),
        {"where": {"budget": 10}, "preset": "deepcave_without_seeds", "columns": {"value": "costs.2"}},
        [(1, 7.0)],
    ),
}


@pytest.mark.parametrize("preset", HISTORIES)
def test_histories_of_optimisers_are_read(tmp_path, preset):
    text, entry, rows = HISTORIES[preset]
    result = Result(written(tmp_path / "h.json", text), tmp_path / "out", **NAMED, **entry)
    assert result.trace(0) == rows
    assert any(one["detail"].startswith(f"`preset: {preset}`") for one in result.report["irregularities"])


def test_histories_that_are_not_of_one_kind_are_asked_about(tmp_path):
    path = written(tmp_path / "b.json", BOHB)
    said = r"4 rows have another 'budget' than none \(9\.0, 27\.0\), .*; choose some, as in `(where: {budget: '27.0'})`"
    with pytest.raises(UserError, match=said) as asked:
        readers.examine(path, options=NAMED)
    answer = yaml.safe_load(re.search(said, str(asked.value))[1])
    assert Result(path, tmp_path / "answered", **NAMED, **answer).trace(0) == HISTORIES["bohb"][2]
    path = written(tmp_path / "i.json", configured(instance="a"))
    with pytest.raises(UserError, match=r"another 'instance' than none"):
        readers.examine(path, options=NAMED)
    path = written(tmp_path / "m.json", configured([[1, 2], [2, 1], [3, 3], [0, 5]]))
    with pytest.raises(
        UserError, match=r"'cost' has several values in a cell; .* `preset: smac` with `columns: {value: cost.1}`"
    ):
        readers.examine(path, options=NAMED)
    result = Result(path, tmp_path / "out", **NAMED, preset="smac", columns={"value": "cost.2"})
    assert result.trace(0) == [(1, 2), (2, 1)]


def test_means_where_a_program_wrote_no_rounds(tmp_path):
    result = Result(written(tmp_path / "r.json", PYTEST_MEANS), tmp_path / "out")
    assert [(t["cost"], t["cost_sd"], t["n"]) for t in result.trials] == [(0.5, 0.25, 2), (1.0, 0.5, 2)]
    result = Result(written(tmp_path / "g.json", SAMPLES["google_benchmark_means"]), tmp_path / "more")
    assert [(t["cost"], t["n"]) for t in result.trials] == [(pytest.approx(20.5e-9), 2)]


def test_a_benchmark_that_failed_is_a_failure(tmp_path):
    result = Result(written(tmp_path / "r.json", GOOGLE | {"benchmarks": [*GOOGLE["benchmarks"], BROKEN]}), tmp_path / "out")
    assert [(t["problem"], t["outcome"]) for t in result.trials if t["outcome"] != "solved"] == [("BM_Bad", "error")]


def test_a_case_without_what_is_read_of_others_is_named(tmp_path):
    """The mode `sample` of JMH has a histogram in place of the times of iterations."""
    sampled = jmh("sample")[0]
    sampled["primaryMetric"]["rawDataHistogram"] = sampled["primaryMetric"].pop("rawData")
    result = Result(written(tmp_path / "r.json", [*jmh(), sampled]), tmp_path / "out")
    assert len(result.trials) == 8
    assert result.counts()["record_without_path"] == 1
    assert "1 of 9 records have nothing at 'primaryMetric.rawData.*.*'" in str(result.report["irregularities"])


def test_of_results_that_are_no_times_is_said_why_none_is_read(tmp_path):
    memory = json.dumps(SAMPLES["pyperf"]).replace('"second"', '"byte"').replace('"name"', '"unit": "byte", "name"')
    with pytest.raises(UserError, match=r"6 rows have another 'metadata\.unit' than second or none"):
        readers.load(written(tmp_path / "r.json", memory))


def test_a_benchmark_that_was_skipped_is_no_run(tmp_path):
    skipped = BROKEN | {"error_occurred": False, "skipped": True, "real_time": 0.0, "time_unit": "ns"}
    result = Result(written(tmp_path / "r.json", GOOGLE | {"benchmarks": [*GOOGLE["benchmarks"], skipped]}), tmp_path / "out")
    assert {t["problem"] for t in result.trials} == {"BM_Copy/8"}
    assert "1 rows have another 'skipped' than none" in str(result.report["irregularities"])


def test_results_of_asv_in_the_first_version_of_its_format(tmp_path):
    result = Result(written(tmp_path / "r.json", ASV_1), tmp_path / "out")
    rows = [("b.Suite.time_sum(10)", 1e-6), ("b.Suite.time_sum(20)", NONE), ("b.time_none", NONE), ("b.time_plain", 5e-6)]
    assert [(t["problem"], t["cost"]) for t in result.trials] == rows
    assert result.report["algorithms"] == ["01234567"]


def test_runs_of_one_benchmark_in_two_configurations_are_asked_about(tmp_path):
    line = "BenchmarkSort-8 10 1500 ns/op\n"
    path = written(tmp_path / "r.txt", f"pkg: p\ncommit: c0\n{line}\ncommit: c1\n{line}BenchmarkCopy-8 10 20 ns/op\n")
    with pytest.raises(
        UserError, match=r"differ in 'commit' \(c0, c1\); say what it tells, such as `columns: \{algorithm: commit\}`"
    ):
        readers.examine(path)
    result = Result(path, tmp_path / "out", columns={"algorithm": "commit"})
    names = [(t["problem"], t["algorithm"]) for t in result.trials]
    assert names == [("p BenchmarkCopy 8", "c1"), ("p BenchmarkSort 8", "c0"), ("p BenchmarkSort 8", "c1")]


@pytest.mark.parametrize("form", ["named", "unnamed", "csv"])
def test_a_folder_of_criterion_has_its_baselines_as_algorithms(tmp_path, form):
    files = dict(CRITERION)
    for name in [name for name in CRITERION if name.endswith("sample.json") and form != "named"]:
        found = json.loads(files.pop(name))
        files[name] = json.dumps([found["iters"], found["times"]])
        if form == "csv":
            lines = [f"sort,quick,,,,{t},ns,{n}" for n, t in zip(found["iters"], found["times"], strict=True)]
            files[name.replace("sample.json", "raw.csv")] = "\n".join([CRITERION_CSV.split("\n")[0], *lines, ""])
            del files[name]
    result = Result(folder(tmp_path / "criterion", files), tmp_path / "out")
    assert {t["problem"] for t in result.trials} == {"sort/quick"}
    rows = [(t["algorithm"], pytest.approx(t["cost"])) for t in result.trials]
    assert rows == [("base", 10e-9), ("base", 20e-9), ("new", 20e-9), ("new", 30e-9)]
    assert "file_not_used" not in result.counts()


def test_files_of_a_folder_are_algorithms_and_others_are_named(tmp_path):
    files = {"a.json": json.dumps(HYPERFINE), "b.json": json.dumps(HYPERFINE), "machine.json": "{}"}
    result = Result(folder(tmp_path / "runs", files), tmp_path / "out")
    assert result.report["algorithms"] == ["a", "b"]
    assert result.first("file_not_used") == ("machine.json", None)


def test_commands_can_be_algorithms(tmp_path):
    said = {"columns": {"algorithm": "command", "problem": "parameters.file"}}
    result = Result(written(tmp_path / "r.json", HYPERFINE), tmp_path / "out", **said)
    assert [(t["problem"], t["algorithm"]) for t in result.trials] == 2 * [("a", "sort a")] + 2 * [("b", "sort b")]


def test_lists_of_different_lengths_are_refused(tmp_path):
    document = {"results": [{"command": "x", "times": [1.0, 2.0], "exit_codes": [0]}]}
    with pytest.raises(UserError, match="have not the same length"):
        readers.examine(written(tmp_path / "r.json", document))


def test_no_preset_where_the_entry_says_otherwise(tmp_path):
    path = written(tmp_path / "r.json", HYPERFINE)
    said = {"records": "results", "columns": {"problem": "parameters.file", "cost": "mean"}, "algorithm": "sort"}
    assert Result(path, tmp_path / "out", **said).column("cost") == [1.5, 3.5]


TOY = """
import os
import pytest

@pytest.mark.parametrize("n", range(6))
def test_sum(benchmark, n):
    loops = 2000 * (n + 1) * int(os.environ["TOY"])
    benchmark.pedantic(lambda: sum(range(loops)), rounds=10)
"""


@pytest.mark.parametrize("factor", [1, 4])
def test_pytest_benchmark_runs_to_a_verdict(factor, tmp_path):
    pytest.importorskip("pytest_benchmark.plugin")
    toy = written(tmp_path / "test_toy.py", TOY)
    for name, loops in (("old", 1), ("new", factor)):
        command = [
            sys.executable,
            "-m",
            "pytest",
            "-q",
            "-p",
            "no:cacheprovider",
            str(toy),
            f"--benchmark-json={tmp_path / name}.json",
        ]
        subprocess.run(command, check=True, capture_output=True, cwd=tmp_path, env={"TOY": str(loops), "PATH": ""})
    verdict = bm.compare_versions(tmp_path / "old.json", tmp_path / "new.json").judged("regression>50%")
    assert bool(verdict.found["met"]) == (factor == 4)


@pytest.mark.skipif(shutil.which("hyperfine") is None, reason="hyperfine is not installed")
def test_hyperfine_runs_to_a_verdict(tmp_path):
    for name, seconds in (("old", 1), ("new", 4)):
        commands = [part for n in range(6) for part in ("-n", f"case {n}", f"sleep 0.0{seconds}")]
        subprocess.run(["hyperfine", "-N", "-r", "5", "--export-json", str(tmp_path / f"{name}.json"), *commands], check=True)
    assert bm.compare_versions(tmp_path / "old.json", tmp_path / "new.json").judged("regression>50%").found["met"]


ASV_TOY = """
def time_sum(n):
    sum(range({loops} * (n + 1)))


time_sum.params = list(range(6))
time_sum.number, time_sum.repeat, time_sum.warmup_time = 5, 10, 0
"""


@pytest.mark.skipif(None in (shutil.which("asv"), shutil.which("git")), reason="asv or git is not installed")
def test_asv_runs_to_a_verdict(tmp_path, monkeypatch):
    monkeypatch.setenv("HOME", str(tmp_path))
    toy = tmp_path / "toy"
    config = {"version": 1, "project": "toy", "repo": ".", "branches": ["HEAD"], "environment_type": "existing"}
    folder(toy, {"asv.conf.json": json.dumps(config | {"results_dir": "results"}), "benchmarks/__init__.py": ""})

    def run(*command):
        return subprocess.run(command, check=True, capture_output=True, text=True, cwd=toy).stdout.strip()

    run("git", "init", "-q")
    run("asv", "machine", "--yes", "--machine", "m")
    results = []
    for loops in (4000, 16_000):
        folder(toy, {"benchmarks/cases.py": ASV_TOY.format(loops=loops)})
        run("git", "add", "-A")
        run("git", "-c", "user.name=a", "-c", "user.email=a@b", "commit", "-qm", "one more")
        commit = run("git", "rev-parse", "HEAD")
        run("asv", "run", "--python=same", "--set-commit-hash", commit, "--record-samples", "--machine", "m")
        results.append(next((toy / "results" / "m").glob(f"{commit[:8]}-*.json")))
    assert bm.compare_versions(*results).judged("regression>50%").found["met"]
