"""One selection in every view: what is chosen is kept or said not to be, and what is counted is what the tables have."""

import os
import re
from urllib.parse import parse_qs, quote

import pandas as pd
import pyarrow.compute as pc

from tests.page.explored import until
from tests.page.test_free_targets import opened

SIZES = {"1": ["f1"], "10": ["f2", "f3"], "100": ["f4", "f5", "f6", "f7"]}
#: All of them with `make fault-test`, which has the time.
SEQUENCES = 200 if os.environ.get("BENCHMILL_FAULTS") else 60

#: Clicks at random, by a seed, and what the page has after each: the view, what it says it shows, what was asked of it.
CLICKS = """async ({ sequences, steps }) => {
    let seed = 1;
    const random = (n) => { seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0; return Math.floor((seed / 2 ** 32) * n); };
    const of = (list) => list[random(list.length)];
    const busy = () => /being (unpacked|computed)/.test($("explore-message").textContent);
    const rest = async () => { do await new Promise((done) => setTimeout(done, 0)); while (busy()); };
    const text = (name) => $(`explore-${name}`).textContent;
    const said = () => [...$("explore-tables").querySelectorAll("caption, p, output")].map((one) => one.textContent).join(" | ");
    const records = [];
    for (let sequence = 0; sequence < sequences; sequence++) {
        openAddress("#explore");
        await rest();
        for (let step = 0; step < steps; step++) {
            const kind = random(8);
            if (kind < 3) {
                const views = [...$("explore-tabs").children].filter((tab) => !tab.hidden && tab.dataset.view !== "tests");
                of(views).click();
            } else if (kind < 6) {
                const boxes = ["measure", "point", "dimension", "functions"].map((name) => $(`explore-${name}`)).filter(Boolean);
                if (!boxes.length) continue;
                const box = of(boxes);
                box.value = of([...box.options]).value;
                box.dispatchEvent(new Event("change", { bubbles: true }));
            } else if (kind < 7) of([...$("explore-solvers").querySelectorAll("input")].slice(0, 5)).click();
            else if ($("explore-attribute-0")) {
                $("explore-attribute-0").value = of(["", ">1", "10", "5..50", "<=10"]);
                $("explore-attribute-0").dispatchEvent(new Event("change", { bubbles: true }));
            }
            await rest();
        }
        const { asked } = shownLast;
        records.push({
            view: state.view, chosen: asked.chosen, only: asked.only ?? {}, choices: { ...state.choices }, off: [...state.off],
            address: addressOf(study()).split("?")[1],
            caption: text("caption"), tables: said(), notice: text("notice"), message: text("message"),
        });
    }
    return records;
}"""
SELECTED = ("point", "dimension", "suite", "functions", "only")


def wanted(study, chosen):
    """The problems that a choice names."""
    names = {f"f{i}" for i in range(1, 8)}
    groups = {"kind of problem: odd % <i>": {"f1", "f3", "f5"}, "kind of problem: even": {"f2", "f4", "f6"}}
    groups |= {f"size: {size}": set(own) for size, own in SIZES.items()}
    groups |= {group["label"]: {study["shown"][p] for p in group["problems"]} for group in study["functions"]}
    if chosen["functions"].startswith("problem:"):
        names &= {chosen["functions"].removeprefix("problem:")}
    elif chosen["functions"]:
        names &= groups[chosen["functions"].removeprefix("group:")]
    sizes = {name: float(size) for size, own in SIZES.items() for name in own}
    tests = {
        ">1": lambda v: v > 1,
        "10": lambda v: v == 10,
        "5..50": lambda v: 5 <= v <= 50,
        "<=10": lambda v: v <= 10,
    }
    if chosen["only"]:
        test = tests[chosen["only"].removeprefix("size~")]
        names &= {name for name in names if test(sizes[name])}
    return names


def cells(ratios, study, one):
    """The rows of the table of ratios that the choice leaves."""
    chosen = one["chosen"]
    rows = ratios[(ratios["measure"] == chosen["measure"]) & ratios["problem"].isin(wanted(study, chosen))]
    if chosen["dimension"]:
        rows = rows[rows["dimension"] == int(chosen["dimension"])]
    if chosen["point"]:
        kind, number = chosen["point"].split(":")
        rows = rows[rows["target" if kind == "target" else "at_budget"] == float(number)]
    return rows[~rows["algorithm"].isin(one["off"]) & (rows["n_trials"] > 0)]


def counted(pattern, text):
    found = re.search(pattern, text)
    return found and int(re.sub(r"\D", "", found[1]))


def test_every_view_states_the_selection_that_it_shows(browser, studies, tmp_path):
    study = {**studies[0], "groups": {**studies[0]["groups"], "size": SIZES}}
    ratios = study["data"]["ratios"].to_pandas().astype({"measure": str, "problem": str, "algorithm": str})
    trials = study["listed"]["trials"].to_pandas().astype({"problem": str, "algorithm": str})
    key = ["problem", "dimension", "target", "at_budget"]
    ratios[key[2:]] = ratios[key[2:]].astype(float).fillna(-1.0)
    with opened(browser, tmp_path, study, "#explore") as tab:
        told = tab.evaluate("({ functions: study().groups, shown: study().problem_names })")
        records = tab.evaluate(CLICKS, {"sequences": SEQUENCES, "steps": 6})
    checked = dict.fromkeys(("profile", "problems", "runs", "ecdf", "values"), 0)
    for one in records:
        chosen, address = one["chosen"], {name: values[0] for name, values in parse_qs(one["address"]).items()}
        where = f"{one['view']} {one['address']}: {one['notice']}"
        if one["message"]:
            continue  # it shows nothing
        for name in SELECTED:
            asked, shown = one["choices"].get(name) or "", chosen.get(name, "")
            # the only dimension that there is is no other choice
            if asked and asked != shown and asked != one["only"].get(name):
                assert "cannot keep" in one["notice"], (name, where)
            # where nothing is chosen, a view takes what it takes first
            assert address.get(name, "") in (shown, one["only"].get(name), *([] if asked else [""])), (name, where)
        rows = cells(ratios, told, one)
        n_active = 8 - len(one["off"])
        if one["view"] == "profile" and chosen["measure"] == "ert" and chosen["variant"] == "dolan_more":
            there = rows.groupby(key, observed=True)["algorithm"].nunique()
            assert (
                counted(r"; (\d+) (?:problem|\(problem, (?:target|budget)\) pair)s?\.", one["caption"])
                == (there == n_active).sum()
            ), where
        elif one["view"] == "problems":
            assert counted(r"; ([\d\u202f]+) rows?\.", one["tables"]) == len(rows[key].drop_duplicates()), where
        elif one["view"] == "runs":
            own = trials[trials["problem"].isin(wanted(told, chosen)) & ~trials["algorithm"].isin(one["off"])]
            own = own[own["dimension"] == int(chosen["dimension"])] if chosen["dimension"] else own
            assert counted(r"([\d\u202f]+) of [\d\u202f]+ runs", one["tables"]) == len(own), where
        elif one["view"] in ("ecdf", "values"):
            assert (f"dimension {chosen['dimension']}" in one["caption"]) == bool(chosen["dimension"]), where
            assert f"of {n_active} of 8" in one["caption"] or not one["off"], where
        else:
            continue
        checked[one["view"]] += 1
    assert min(checked.values()) > SEQUENCES / 60, checked
    assert pd.Series([one["chosen"]["only"] for one in records]).nunique() > 2


def test_an_address_states_the_dimension_that_is_shown(browser, studies, tmp_path):
    """Also of a measure whose problems have none or one, while runs have several."""
    ratios = studies[0]["data"]["ratios"]
    ratios = ratios.filter(pc.equal(ratios["dimension"], 5))
    place = ratios.schema.get_field_index("dimension")
    none = pc.equal(ratios["measure"].cast("string"), "ert")
    ratios = ratios.set_column(place, ratios.schema.field(place), pc.if_else(none, None, ratios["dimension"]))
    study = {**studies[0], "data": {**studies[0]["data"], "ratios": ratios}}
    n_runs = pc.sum(pc.equal(study["listed"]["trials"]["dimension"], 2)).as_py()

    with opened(browser, tmp_path, study, "#explore") as tab:

        def shown(address):
            tab.evaluate("address => openAddress(address)", f"#explore?{address}")
            until(tab, "!$('explore-message').textContent.includes('being')")
            told = parse_qs(tab.evaluate("addressOf(study())").split("?")[1])
            return told.get("dimension", [None])[0], tab.locator("#explore-notice").inner_text()

        assert shown("view=runs&dimension=2") == ("2", "")
        assert counted(r"^([\d\u202f]+) of", tab.locator("#explore-runs-count").inner_text()) == n_runs
        refused = "This view cannot keep the choice of dimension “{}”: it shows {}."
        assert shown("view=runs&dimension=7") == (None, "The address names the dimension “7”, which is not here.")
        assert shown("view=profile&measure=ert&dimension=2") == (None, refused.format(2, "all"))
        assert shown("view=profile&measure=strict&dimension=2") == ("5", refused.format(2, 5))
        assert shown("view=profile&measure=strict&dimension=5") == ("5", "")
        # what the address says stays said when the runs are there
        tab.reload()
        assert shown("view=runs&dimension=few") == (None, "The address names the dimension “few”, which is not here.")


def test_the_problems_of_filtered_runs_are_kept_in_every_view(browser, studies, tmp_path):
    trials = studies[0]["listed"]["trials"].to_pandas().astype({"problem": str, "algorithm": str})
    seconds = sorted(trials.loc[trials["algorithm"] == "DE", "runtime_s"].dropna())[-3]
    own = set(trials.loc[(trials["runtime_s"] >= seconds) & (trials["algorithm"] == "DE"), "problem"])
    assert 1 < len(own) < trials["problem"].nunique()
    where = f"algorithm~=DE;runtime_s~>={seconds}"
    with opened(browser, tmp_path, studies[0], f"#explore?view=runs&where={quote(where)}") as tab:
        tab.locator("#explore-keep").click()
        runs = tab.locator("#explore-runs-count").inner_text()
        assert counted(r"^([\d\u202f]+) of", runs) == trials["problem"].isin(own).sum()
        for view in ("problems", "profile"):
            tab.locator(f"#explore-tab-{view}").click()
            said = tab.locator("#explore-caption, #explore-tables caption").all_inner_texts()
            assert any(f"{len(own)} problems chosen by their runs" in text for text in said), (view, said)
        tab.locator("#explore-tab-problems").click()
        told = {text.split("\t")[0] for text in tab.locator("#explore-measures tbody tr").all_inner_texts()}
        assert told == own
        address = tab.evaluate("addressOf(study())")
        tab.evaluate("address => openAddress(address)", address)
        assert {text.split("\t")[0] for text in tab.locator("#explore-measures tbody tr").all_inner_texts()} == own
        tab.evaluate("address => openAddress(address)", address.replace("f1", "f999").replace("f2", "f999"))
        assert "which is not here" in tab.locator("#explore-notice").inner_text()
