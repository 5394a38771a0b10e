const MOST_ROWS = 200; // of more, those in view are drawn
const ROW_HEIGHT = 33, MARGIN = 20; // px, rows
const FORMATS = {
  signed4: (x) => signed(x, 4), signed3: (x) => signed(x, 3), plain4: (x) => fixed(x, 4), plain3: (x) => fixed(x, 3),
  p: (x) => (x < 0.0001 ? "<0.0001" : fixed(x, 4)), count: counted, share: (x) => `${Math.round(100 * x)}%`,
};
let isPrinting = matchMedia("print").matches; // all rows go to paper

/** The one table: its order, what is listed of it, and further columns. */
class SystemsTable {
  constructor(part) {
    this.part = part;
    this.sorted = { key: "gain", falls: true };
    this.filter = "all";
    this.columns = [];
    this.rows = part.all("[data-rows] > tr");
    this.marks = new Map(this.rows.map((row) => [+row.dataset.system, [row, row.querySelector("[data-cell=verdict] .verdict")]]));
    this.body = part.one("[data-rows]");
    part.on("[data-sort]", "click", (_, button) => this.sortBy(button.parentNode.dataset.key));
    part.on("[data-find]", "input", () => this.list());
    part.on("[data-filter]", "click", (_, chip) => { this.filter = chip.dataset.filter; this.list(); });
    part.on("[data-clear]", "click", () => { part.one("[data-find]").value = ""; this.filter = "all"; this.list(); });
    part.on("[data-more]", "click", () => { this.isOpen = !this.isOpen; this.list(); });
    part.on("[data-column]", "change", () => this.showColumns());
    part.on("[data-rows]", "click", (event) => {
      const row = event.target.closest("tr[data-system]");
      if (row) part.ask(+row.dataset.system);
    });
    part.on("[data-rows]", "keydown", (event) => this.stepRows(event));
  }

  system(row) { return this.part.systems[+row.dataset.system]; }

  weigh() {
    for (const [number, [row, sign]] of this.marks) {
      const verdict = this.part.verdict(this.part.systems[number]);
      if (judge(row, verdict)) this.part.sign(sign, verdict);
    }
    this.fillColumns();
    const { key } = this.sorted;
    if (key === "verdict" || this.rows.some((row) => key in this.system(row).at)) this.order();
    this.list();
  }

  choose(number) {
    for (const row of this.rows) {
      const isChosen = +row.dataset.system === number;
      row.classList.toggle("chosen", isChosen);
      mark(row.querySelector("[data-row]"), isChosen);
    }
    this.list();
  }

  value(system, key) {
    if (key === "name") return system.name.toLowerCase();
    if (key === "upTo") return system.upToPlace;
    if (key === "verdict") return VERDICTS.length - VERDICTS.indexOf(this.part.verdict(system));
    return system.at[key] ? system.at[key][this.part.stop] : system[key];
  }

  sortBy(key) {
    const falls = this.sorted.key === key ? !this.sorted.falls : key !== "name";
    this.sorted = { key, falls };
    for (const heading of this.part.all("thead [data-key]")) {
      if (heading.dataset.key === key) heading.setAttribute("aria-sort", falls ? "descending" : "ascending");
      else heading.removeAttribute("aria-sort");
    }
    this.order();
    this.list();
  }

  order() {
    const { key, falls } = this.sorted;
    const keyed = this.rows.map((row) => [row, this.value(this.system(row), key), this.system(row).gain]);
    keyed.sort(([, a, first], [, b, second]) => {
      if (!known(a) || !known(b)) return known(a) ? -1 : known(b) ? 1 : 0; // what is not known comes last
      return (a < b ? -1 : a > b ? 1 : 0) * (falls ? -1 : 1) || second - first;
    });
    this.rows = keyed.map(([row]) => row);
  }

  list() {
    const { part } = this, { firstRows } = part.data;
    const field = part.one("[data-find]"), wanted = field ? field.value.trim().toLowerCase() : "";
    const matching = this.rows.filter((row) => this.system(row).name.toLowerCase().includes(wanted) &&
      (this.filter === "all" || part.verdict(this.system(row)) === this.filter));
    const found = matching.length;
    this.listed = known(firstRows) && !this.isOpen && !isPrinting ? matching.slice(0, firstRows) : matching;
    this.showRows();
    for (const chip of part.all("[data-filter]")) chip.setAttribute("aria-pressed", chip.dataset.filter === this.filter);
    part.one("[data-none]").hidden = found > 0 || !this.rows.length;
    part.one("[data-wanted]").textContent = wanted ? ` ‹${field.value.trim()}›` : "";
    const more = part.one("[data-more]");
    if (!more) return;
    more.hidden = found <= firstRows;
    more.textContent = this.isOpen ? `Show the first ${firstRows}` : `Show all ${found} systems`;
    more.setAttribute("aria-expanded", Boolean(this.isOpen));
  }

  /** All rows that are listed; of very many, those in view, with space for the others. */
  showRows() {
    let shown = this.listed;
    const count = shown.length;
    this.isWindowed = count > MOST_ROWS && !isPrinting;
    this.part.one(".systems").classList.toggle("windowed", this.isWindowed);
    let first = 0, last = count;
    if (this.isWindowed) {
      const above = Math.max(0, this.part.one("[data-scroll]").getBoundingClientRect().top) - this.body.getBoundingClientRect().top;
      first = Math.max(0, Math.min(count, Math.floor(above / ROW_HEIGHT)) - MARGIN);
      last = Math.min(count, first + Math.ceil(innerHeight / ROW_HEIGHT) + 2 * MARGIN);
      shown = shown.slice(first, last);
    }
    const present = [...this.body.children].filter((row) => row.dataset.system);
    if (this.first === first && present.length === shown.length && shown.every((row, k) => row === present[k])) return;
    this.first = first;
    const space = (rows) => (rows ? [make("tr", { "aria-hidden": "true", style: `height:${rows * ROW_HEIGHT}px` })] : []);
    const focused = this.body.contains(document.activeElement) ? document.activeElement : null;
    this.body.replaceChildren(...space(first), ...shown, ...space(count - last));
    if (focused && focused.isConnected) focused.focus({ preventScroll: true });
  }

  showColumns() {
    const { part } = this;
    const keys = part.all("[data-column]").filter((box) => box.checked).map((box) => box.dataset.column);
    for (const cell of [...part.all("thead [data-extra], .pinned [data-extra]"), ...this.rows.flatMap((row) => [...row.querySelectorAll("[data-extra]")])]) cell.remove();
    this.columns = part.data.columns.filter(([key]) => keys.includes(key));
    const head = part.one(".systems thead tr"), pinned = part.one(".pinned tr");
    for (const [key, title] of this.columns) {
      const button = make("button", { type: "button", text: title });
      button.addEventListener("click", () => this.sortBy(key));
      head.append(make("th", { scope: "col", class: "number", "data-key": key, "data-extra": "" }, button));
      pinned.append(make("td", { "data-extra": "" }));
      for (const row of this.rows) row.append(make("td", { class: "number", "data-extra": key }));
    }
    this.fillColumns();
    const scroll = part.one("[data-scroll]");
    scroll.classList.remove("is-wide");
    const isWide = this.columns.length > 0 && scroll.scrollWidth > scroll.clientWidth + 1;
    scroll.classList.toggle("is-wide", isWide);
    if (isWide) scroll.setAttribute("tabindex", "0"); else scroll.removeAttribute("tabindex");
  }

  fillColumns() {
    for (const [key, , kind] of this.columns) {
      for (const row of this.rows) {
        const value = this.value(this.system(row), key);
        row.querySelector(`[data-extra="${key}"]`).textContent = known(value) ? FORMATS[kind](value) : "–";
      }
    }
  }

  stepRows(event) {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (!step || !event.target.matches("[data-row]")) return;
    const shown = this.rows.filter((row) => row.getClientRects().length);
    const next = shown[shown.indexOf(event.target.closest("tr")) + step];
    if (next) { event.preventDefault(); next.querySelector("[data-row]").focus(); }
  }
}
