// Uses the controls of every view of the studies named, and says what is wrong with what is shown then. `every`: all of them and all
// options, else of each kind one and of a select the last option. Runs in the page, whose names it uses.
async ({ names, every }) => {
  const wrong = [], visited = new Set();
  let used = 0, where = "";
  const note = (text) => { if (wrong.length < 20) wrong.push(`${where}: ${text}`); };
  addEventListener("error", (event) => note(event.message));
  addEventListener("unhandledrejection", (event) => note(String(event.reason)));
  const saved = [];
  save = (name, text) => saved.push([name, text]);
  const rest = () => new Promise((done) => setTimeout(done, 0));
  const busy = () => /being (unpacked|computed)/.test($("explore-message").textContent + ($("explore-verdict")?.textContent ?? ""));
  const settled = async () => {
    await rest();
    for (let n = 0; busy() && n < 400; n++) await new Promise((done) => setTimeout(done, 25));
    if (busy()) note("is never done");
  };
  // what holds of every picture and table, whatever was chosen
  const check = () => {
    used += 1;
    const root = document.documentElement;
    if (root.scrollWidth > innerWidth + 1) note(`wider than the screen, by ${root.scrollWidth - innerWidth}`);
    for (const id of ["explore-caption", "explore-tables", "explore-problems", "explore-message", "explore-notice", "explore-solvers", "explore-citation"]) {
      const odd = /NaN|undefined|\[object|Infinity/.exec($(id).textContent);
      if (odd) note(`“${odd[0]}” in ${id}: ${$(id).textContent.slice(Math.max(0, odd.index - 40), odd.index + 40)}`);
    }
    const drawn = $("explore-picture").querySelector("svg");
    if (drawn && /NaN|Infinity/.test(drawn.outerHTML)) note("a coordinate is no number");
    const frame = drawn?.getBoundingClientRect();
    for (const one of frame?.width ? drawn.querySelectorAll("text") : []) {
      const box = one.getBoundingClientRect();
      if (box.width && (box.left < frame.left - 2 || box.right > frame.right + 2 || box.top < frame.top - 2 || box.bottom > frame.bottom + 2)) note(`a text of the picture is cut: ${one.textContent}`);
    }
    const tip = $("explore-tip");
    if (!tip.hidden) {
      const told = tip.textContent;
      const own = study().algorithms.find((a) => a.name === state.solver);
      if (!own || state.off.has(own.name) || !told.startsWith(`${own.label}:`)) note(`stays: ${told}`);
    }
    const before = addressOf(study());
    notices.clear();
    const again = readAddress(before);
    if (notices.size) note(`the address is not understood: ${[...notices].join(" ")} ${before}`);
    notices.clear();
    for (const key of Object.keys(again.choices)) if (again.choices[key] !== state.choices[key]) note(`the address changes ${key}`);
    const ids = [...document.querySelectorAll("#explore [id]")].map((one) => one.id);
    const twice = ids.filter((id, k) => ids.indexOf(id) !== k);
    if (twice.length) note(`two elements have the id ${twice[0]}`);
  };
  const act = async (name, element, how) => {
    const at = where;
    where = `${at} ${name}`;
    element.focus({ preventScroll: true });
    how(element);
    await settled();
    check();
    where = at;
  };
  const name = (one) => one.id || one.getAttribute("aria-label") || one.textContent.slice(0, 30) || one.type;
  const event = (element, kind) => element.dispatchEvent(new Event(kind, { bubbles: true }));
  const seen = (selector) => [...document.querySelectorAll(selector)].filter((one) => one.checkVisibility());
  for (const s of DATA.studies.filter((one) => names.includes(one.name))) {
    for (const [key, view] of VIEWS) {
      const home = `#explore?${new URLSearchParams({ study: s.name, view: key })}`;
      const again = async () => { openAddress(home); await settled(); };
      where = `${s.name} ${key}`;
      if (view.lacks(s)) {
        await again();
        if (state.view === key || $(`explore-tab-${key}`).checkVisibility()) note("a view without data opens");
        if (!$("explore-notice").textContent) note("a view without data does not say why");
        continue;
      }
      await again();
      visited.add(key);
      check();
      for (const { id } of seen("#explore-controls select, #explore-side select")) {
        const values = [...$(id).options].map((option) => option.value), first = $(id).value;
        for (const value of every ? values : values.slice(-1)) {
          if (!$(id)) break;
          await act(`${id}=${value}`, $(id), (box) => { box.value = value; event(box, "change"); });
        }
        if ($(id)) { $(id).value = first; event($(id), "change"); } else await again();
        await settled();
      }
      for (const { id } of seen("#explore-controls input, #explore-at")) {
        for (const value of every ? ["3", "-3", "1e-3", ""] : ["-3"]) await act(`${id}=${value}`, $(id), (box) => { box.value = value; event(box, "change"); });
        await again();
      }
      for (const field of seen("#explore-tables input[type=search]").map((one) => one.id).slice(0, every ? 99 : 1)) {
        for (const text of ["1", "!none", ""]) await act(`${field}=${text}`, $(field), () => model.onFilter(field.replace("explore-filter-", ""), text));
      }
      const boxes = (selector) => seen(selector).length;
      for (const [selector, most] of [
        ["#explore-solvers input", every ? 12 : 2], ["#explore-solvers .only", every ? 12 : 1], ["#explore-side .buttons button", every ? 9 : 0],
        ["#explore-zoom button", every ? 9 : 1], ["#explore-tables button", every ? 30 : 1], ["#explore-tables summary", every ? 5 : 1],
        ["#explore-tables tbody tr:not(.space)", 1],
        ["#explore-downloads button", every ? 9 : 0], ["#explore-copy", 1], ["#explore-citation button", every ? 3 : 0],
      ]) {
        const n = Math.min(most, boxes(selector));
        for (let k = 0; k < n; k++) {
          const one = seen(selector)[k];
          if (one && !one.disabled) await act(`${selector} ${k} (${name(one)})`, one, (button) => button.click());
        }
        await again();
      }
      const chart = $("explore-picture");
      if (chart.checkVisibility()) {
        for (const press of every ? ["ArrowRight", "ArrowRight", "ArrowDown", "ArrowUp", "End", "Home", "+", "-", "+", "0", "Enter", "Escape"] : ["ArrowRight", "+"]) {
          await act(`key ${press}`, chart, () => chart.dispatchEvent(new KeyboardEvent("keydown", { key: press, bubbles: true, cancelable: true })));
        }
        await again();
      }
    }
  }
  for (const [file, text] of saved) if (!text || /NaN|undefined|\[object/.test(text)) note(`the file ${file} is empty or has no numbers: ${/.*(NaN|undefined|\[object).*/.exec(text)?.[0] ?? ""}`);
  return { wrong, used, views: [...visited], saved: saved.length };
}
