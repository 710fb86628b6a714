"""A user who does what each message says, and answers each question, gets to a reading or to a refusal, and never in a circle."""

import json
import random
import re
from pathlib import Path

import pytest
import yaml

from benchmill import cli, readers
from benchmill.core import UserError
from benchmill.readers.interface import Incomplete
from tests.fuzz import samples
from tests.readers.making import folder, one_sentence

MOST_STEPS = 8
#: Parts of questions, and what the user says: a function of the names in quotes.
ANSWERS = {
    "Is each row an improvement": lambda names: {"columns": {"evaluations": "evals", "value": "fitness"}},
    "(`decimal: ','`)": lambda names: {"decimal": ","},
    "Name it in `columns` ({cost: ...})": lambda names: {"columns": {"cost": names[-1]}},
    "Name it in `columns` ({problem: ...})": lambda names: {"columns": {"problem": names[0]}},
    "(`constants: {problem: ...}`)": lambda names: {"constants": {"problem": "p"}},
    "(`algorithm: ...`)": lambda names: {"algorithm": "S"},
    "Say it in `outcomes`": lambda names: {"outcomes": dict.fromkeys(names, "unknown")},
    "declare `decimal: ','`": lambda names: {"decimal": ","},
    "`empty: failure`": lambda names: {"empty": "failure"},
    "(`constants: {n: ...}`)": lambda names: {"constants": {"n": 5}},
    "Name it in `columns` ({algorithm: ...})": lambda names: {"columns": {"algorithm": names[0]}},
    "(`columns: {cost: ...}`)": lambda names: {"columns": {"cost": "time"}},
    "(`lines: first-last`)": lambda names: {"lines": "1-2", "separator": ","},
    "`most_algorithms: ": lambda names: {"most_algorithms": 500},
    "`header: [problem, algorithm, cost]`": lambda names: {"header": ["problem", "algorithm", "cost"]},
    "say `direction: min`": lambda names: {"direction": "min"},
    "say `direction: max`": lambda names: {"direction": "max"},
    "`unit` in the source's entry": lambda names: {"unit": "s"},
    "say in `outcomes` what they mean": lambda names: {"outcomes": dict.fromkeys(names, "unknown")},
}
LONG = "problem,algorithm,cost\n"
#: Files as people have them, none of which can be read without a word more.
FILES = {
    "w.csv": "Instanz;CPLEX;Gurobi;SCIP\np1;1,5;2,25;TL\np2;3,0;;4,75\np3;10,1;11,0;TL\n",
    "t.tsv": "instance\tA_time\tA_status\tB_time\tB_status\np1\t1.2\topt\t3.4\topt\np2\t3600\ttime_limit\t5.6\topt\n",
    "obj.csv": "instance,Gurobi_obj,Gurobi_time,SCIP_obj,SCIP_time\np1,100,1.2,100,3.4\np2,200,3600,200,5.6\n",
    "md.md": "# Results\n\nText\n\n| Instance | A | B |\n|:---|---:|---:|\n| p1 | 1.5 | **0.9** |\n| p2 | 36 | 12.3 |\n\nMore.\n",
    "tex.tex": "\\begin{tabular}{lrr}\nInstance & A & B \\\\\np1 & 1.5 & 0.9 \\\\\np2 & 36 & 12.3 \\\\\n\\end{tabular}\n",
    "named.json": {"solver": "A", "results": {"p1": {"time": 1.5, "status": "optimal"}, "p2": {"time": 60, "status": "TO"}}},
    "within.json": [{"instance": i, "results": [{"solver": s, "time": 1.5} for s in "AB"]} for i in "pq"],
    "columns.json": {"cost": [1, 2, 3], "solver": ["A", "A", "B"], "instance": ["p", "q", "r"]},
    "split.json": {"columns": ["problem", "algorithm", "cost"], "data": [["p", "A", 1], ["p", "B", 2]], "index": [0, 1]},
    "sep.csv": "sep=;\nproblem;algorithm;cost\np;A;3\nq;A;4\n",
    "twice.csv": f"{LONG}p,A,3\nq,A,4\n{LONG}p,B,3\nq,B,4\n",
    "units.csv": "problem,algorithm,time\np,A,1.5 s\nq,A,200 ms\np,B,3\nq,B,4s\n",
    "clock.csv": "problem,algorithm,time\np,A,0:01:30\nq,A,00:02:10.5\n",
    "runs.csv": "problem,algorithm,run1,run2\np,A,1,2\np,B,2,3\nq,A,1,2\nq,B,2,3\n",
    "none.csv": f"{LONG}p,A,3\np,B,-\nq,A,4\nq,B,?\nr,A,\nr,B,*\n",
    "words.csv": f"{LONG}p,A,3\np,B,TIMEOUT\nq,A,what\nq,B,OOM\n",
    "status.csv": "instance,solver,status,objective\np,A,optimal,3\np,B,time limit,5\nq,A,weird,3\nq,B,optimal,4\n",
    "accuracy.csv": "dataset,classifier,accuracy\niris,A,0.9\niris,B,FAILED\nwine,A,0.8\nwine,B,0.7\n",
    "sd.csv": "function,A,B\nf1,1.5 ± 0.2,2.5 ± 0.3\nf2,1.25(0.1),2(0.2)\n",
    "gap.csv": "instance,solver,time,gap\np,A,3,0\np,B,600,12%\nq,A,4,infeasible!\nq,B,5,0\n",
    "sentinel.csv": f"{LONG}p,A,3\np,B,9999\nq,A,4\nq,B,-1\n",
    "bare.csv": "p1,A,0.02\np1,B,0.5\np2,A,1.5\np2,B,2\n",
    "total.csv": f"{LONG}p,A,3\np,B,4\nmean,A,3\nmean,B,4\np_mean,A,3\np_mean,B,4\n",
    "limit.csv": "instance;solver;time;limit\np;A;3;600\np;B;599.98;600\nq;A;600.35;600\nq;B;5;600\n",
    "blank.txt": "problem solver  time\np1      A       1.5\np1      B       2\n",
    "two": {"a.csv": f"{LONG}p,A,3\n", "b.csv": f"{LONG}p,A,4\n"},
    "scores.csv": "type,task,A,B\nbinary,p,0.5 (5),0.75\nmany,q,-0.5,-0.25 (9)\n",
    "times.csv": "name,alg,first,second\np,A,1:30,0:45\nq,A,2:10,1:15\n",
    "text.txt": "started at once\nthen went on for a while\nend\n",
    "many.csv": "instance,solver,time\n" + "".join(f"p,S{i},{i + 1}\n" for i in range(101)),
    "several.csv": "instance,model,solver,method,time\np,m,A,x,1\nq,n,B,y,2\n",
    "expected.csv": "instance,solver,status,expected,time\np,A,sat,sat,1\nq,A,unsat,sat,2\np,B,timeout,sat,9\n",
    "empty.csv": "instance,solver,time\np,A,3\np,B,\nq,A,4\nq,B,5\n",
    "anytime.csv": "function,optimizer,evals,fitness\np,A,1,5\np,A,10,2\np,B,1,6\np,B,9,3\n",
    "wordy.csv": "problem,algorithm,grade\np,A,good\np,B,bad\nq,A,fair\nq,B,poor\n",
    "again.csv": "instance,solver,config,time\np,A,x,1\np,A,y,2\nq,A,x,3\nq,A,y,4\n",
}  # fmt: skip
#: Those that end in a refusal: what they lack only the owner can write.
REFUSED = {"clock.csv", "times.csv", "text.txt", "wordy.csv"}


def merged(entry, more):
    """An entry with further options, those within mappings beside others."""
    return entry | {
        key: {**entry[key], **value} if isinstance(value, dict) and isinstance(entry.get(key), dict) else value
        for key, value in more.items()
    }


def answer(text):
    """What the first question that is understood is answered with."""
    names = [yaml.safe_load(name) for name in re.findall(r"'[^']*'", text)]
    return next((say(names) for part, say in ANSWERS.items() if part in text), None)


@pytest.mark.parametrize("name", FILES)
def test_no_answer_leads_in_a_circle(tmp_path, name):
    content, path = FILES[name], tmp_path / name
    if "." not in name:
        folder(path, content)
    else:
        path.write_text(content if isinstance(content, str) else json.dumps(content))
    entry, seen = {}, []
    for _ in range(MOST_STEPS):
        options = dict(entry)
        try:
            report = readers.examine(path, format=options.pop("format", None), options=options)
        except Incomplete as error:
            one_sentence(error)
            questions = () if error.asked is None else error.asked.questions
            said = (str(error), questions)
            more = error.proposals[0].options if error.proposals else {} if error.asked is None else error.asked.options
            more = merged(more, next(filter(None, map(answer, questions)), None) or answer(str(error)) or {})
        except UserError as error:
            one_sentence(error)
            said, more = (str(error), ()), answer(str(error)) or {}
        else:
            said, more = ("read", tuple(q for one in report["proposals"] for q in one["questions"])), {}
            for one in report["proposals"]:
                more = merged(more, one["options"])
        assert said not in seen, "the same words again"
        seen.append(said)
        if merged(entry, more) == entry:
            break
        entry = merged(entry, more)
    else:
        raise AssertionError("no end")
    assert (seen[-1][0] == "read") == (name not in REFUSED), (entry, seen[-1])


def questions_in(template):
    """The questions in a template, each as what stands around its question mark, between gaps."""
    text = (Path(readers.__file__).parent / template).read_text("utf-8")
    texts = [
        " ".join(text.split())
        for text in re.split(r"\{\{.*?\}\}|\{%.*?%\}|\{#.*?#\}|^##[^\n]*|\n\n", text, flags=re.DOTALL | re.MULTILINE)
    ]
    return [text for text in texts if re.search(r"[a-z`)}] ?\?( [A-Z]|$)", text)]


def told(path, entry):
    """The message of a source, the questions about it, and what its names tell."""
    options = dict(entry)
    try:
        report = readers.examine(path, format=options.pop("format", None), options=options)
    except Incomplete as error:
        return (
            str(error),
            () if error.asked is None else error.asked.questions,
            {} if error.asked is None else error.asked.options,
        )
    except UserError as error:
        return str(error), (), {}
    (asked,) = report["proposals"] or [{"questions": (), "options": {}}]
    return "read", tuple(asked["questions"]), asked["options"]


def test_every_answer_of_a_question_works_as_it_stands(tmp_path):
    seen = []
    for name in [name for name in FILES if "." in name]:
        content, path = FILES[name], tmp_path / name
        path.write_text(content if isinstance(content, str) else json.dumps(content))
        before, questions, options = told(path, {})
        seen += questions
        for question in questions:
            answers = [yaml.safe_load(f"{{{one}}}") for one in re.findall(r"`(\w+: [^`]*)`", question) if "..." not in one]
            # where it is read, the entry that says yes is printed
            for one in [*answers, answer(question)] if before != "read" else [{}] if options else []:
                after, more, _ = told(path, merged(options, one or {}))
                assert after != before or question not in more, (name, question, one)
                seen += more
    lacking = [text for text in questions_in("table.j2") if not any(text in question for question in seen)]
    assert not lacking


def odd_tables():
    """Tables with columns that may mean many things, and cells that may stand for a failure."""
    more = {
        **{"status": ["ok", "TO", "weird"], "error": ["", "boom"], "gap": ["0", "0.5"], "time limit": ["100", "200"]},
        **{"metric": ["auc", "logloss"], "instance": ["i1", "i2"], "n": ["3", "4"], "dim": ["2", "3"], "solved": ["1", "0"]},
        **{
            "time_unit": ["ms", "us"],
            "expected": ["sat", "unsat"],
            "fold": ["1", "2"],
            "note": ["", "x"],
            "cpu time": ["1", "2"],
        },
    }
    for number in range(4):
        draw = random.Random(number)
        names = draw.sample([*more], 5)
        keys = ("problem", "algorithm", "cost") if number % 2 else ("model", "method", "result")
        rows = [
            [problem, algorithm, draw.choice(["1e20", "-1", "99999", f"{draw.uniform(1, 100):.2f}"])]
            + [draw.choice(more[n]) for n in names]
            for problem in ("p", "q", "r", "total")
            for algorithm in "AB"
            for _ in range(3)
        ]
        yield "\n".join(",".join(row) for row in [[*keys, *names], *rows]) + "\n"


def test_no_look_asks_more_than_three_questions(tmp_path, capsys):
    """Of samples of every format, and of tables that leave more than that open; `--all` asks the rest."""
    paths = []
    for number, text in enumerate(odd_tables()):
        paths.append(tmp_path / f"t{number}.csv")
        paths[-1].write_text(text)
    for name, sources in samples.READERS.items():
        files, _ = min(sources, key=lambda source: sum(map(len, source[0].values())))
        paths.append(folder(tmp_path / name, files))
    more = 0
    for path in paths:
        cli.main(["inspect", str(path)])
        said = capsys.readouterr().out
        # ways to read it that exclude each other are each asked about
        for one in re.split(r"^Proposal \d+ of", said, flags=re.MULTILINE):
            assert len(re.findall(r"^(?:Check: |[0-9]+\. )", one, re.MULTILINE)) <= 3, said
        more += "more question" in said
    assert more
    cli.main(["inspect", "--all", str(paths[1])])
    assert len(re.findall("^Check: ", capsys.readouterr().out, re.MULTILINE)) > 3
