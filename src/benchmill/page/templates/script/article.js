// The tables and other static parts of the page.
export function enableSorting(table) {
  const heads = [...table.querySelectorAll("thead th")];
  heads.forEach((head, column) => {
    const button = head.querySelector("button");
    if (!button) return;
    button.addEventListener("click", () => {
      const down = head.getAttribute("aria-sort") === "ascending";
      heads.forEach((other) => other.removeAttribute("aria-sort"));
      head.setAttribute("aria-sort", down ? "descending" : "ascending");
      for (const body of table.tBodies) {
        const rows = [...body.rows].filter((row) => !row.classList.contains("heading"));
        const keyed = rows.map((row, place) => {
          const cell = row.cells[column];
          return { row, place, value: cell.dataset.v ? Number(cell.dataset.v) : null, text: cell.textContent };
        });
        keyed.sort((a, b) => {
          // a cell without a value stands last, whichever way the rest is sorted
          if ((a.value === null) !== (b.value === null)) return a.value === null ? 1 : -1;
          const order = a.value === null
            ? a.text.localeCompare(b.text, "en", { numeric: true })
            : a.value < b.value ? -1 : a.value > b.value ? 1 : 0;
          return (down ? -order : order) || a.place - b.place;
        });
        for (const { row } of keyed) body.append(row);
      }
    });
  });
}
export function enableFilter(filter) {
  const rows = [...filter.parentElement.querySelectorAll("tbody tr:not(.heading)")];
  const input = filter.querySelector("input");
  const output = filter.querySelector("output");
  input.addEventListener("input", () => {
    const words = input.value.toLowerCase().split(/\s+/).filter(Boolean);
    let n = 0;
    for (const row of rows) {
      const text = row.textContent.toLowerCase();
      row.hidden = !words.every((word) => text.includes(word));
      n += row.hidden ? 0 : 1;
    }
    output.textContent = words.length ? `${n} of ${rows.length}` : "";
  });
}
for (const table of document.querySelectorAll("table")) enableSorting(table);
for (const filter of document.querySelectorAll(".filter")) enableFilter(filter);
