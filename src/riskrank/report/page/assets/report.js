/** One measure: what follows alpha and the system that is chosen. */
class Part {
  constructor(element, data) {
    this.element = element;
    this.data = data;
    this.stop = data.start;
    this.number = data.chosen;
    this.systems = data.systems.map((system, number) => system && { ...system, number });
    this.plots = this.all("[data-plot]").map((plot) => new TradeoffPlot(plot, this));
    this.table = this.one("[data-rows]") && new SystemsTable(this);
    this.explorer = data.topics && new Explorer(this);
    this.on("[data-alpha]", "input", (_, slider) => shared.weigh(data.alphas[+slider.value]));
    this.on("[data-choose]", "change", (_, select) => this.ask(+select.value));
    this.on("[data-full]", "click", (_, button) => this.showFull(button));
  }

  one(selector) { return this.element.querySelector(selector); }
  all(selector) { return [...this.element.querySelectorAll(selector)]; }
  on(selector, type, act) { for (const each of this.all(selector)) each.addEventListener(type, (event) => act(event, each)); }

  gain(x) { return known(x) ? signed(x, this.data.digits) : "–"; }
  verdict(system) { return this.data.verdicts[system.verdicts[this.stop]][0]; }
  word(system) { return this.data.verdicts[system.verdicts[this.stop]][1]; }

  sign(element, verdict) {
    element.className = `verdict ${verdict}`;
    element.textContent = Object.values(this.data.verdicts).find(([name]) => name === verdict)[1];
  }

  /** A system by its number, on all parts. */
  ask(number) {
    const system = this.systems[number];
    if (system && known(system.gain)) shared.choose(system.name);
  }

  weigh(alpha) {
    const { alphas, weights, live } = this.data;
    this.stop = alphas.reduce((best, each, i) => (Math.abs(each - alpha) < Math.abs(alphas[best] - alpha) ? i : best), 0);
    moveRail(this.element, this.data, this.stop);
    const sentence = this.one("[data-live]");
    if (sentence && live.length) say(sentence, live[this.stop]);
    for (const each of this.all("[data-count]")) {
      each.textContent = this.systems.filter((system) => system && this.verdict(system) === each.dataset.count).length;
    }
    for (const plot of this.plots) plot.weigh(this.stop, weights[this.stop]);
    this.card();
    this.table.weigh();
    if (this.explorer) this.explorer.weigh();
  }

  choose(name) {
    const system = this.systems.find((each) => each && each.name === name && known(each.gain));
    if (!system) return;
    this.number = system.number;
    for (const select of this.all("[data-choose]")) select.value = this.number;
    for (const plot of this.plots) plot.choose(this.number);
    this.trace();
    write(this.element, "system", system.name);
    this.card();
    this.bars();
    if (this.explorer) this.explorer.choose(this.number);
    if (this.table) this.table.choose(this.number);
  }

  card() {
    const card = this.one("[data-card]"), system = this.systems[this.number];
    if (!card || !system) return;
    write(card, "name", system.name);
    write(card, "gain", this.gain(system.gain));
    card.querySelector("[data-value=gain]").className = `is-${sign(system.gain)}`;
    write(card, "interval", known(system.low) ? `${this.gain(system.low)} to ${this.gain(system.high)}` : "");
    write(card, "hurt", counted(system.hurt));
    write(card, "large", `· ${counted(system.large)} by over 20%`);
    write(card, "risk", fixed(system.risk, 4));
    write(card, "up-to", system.upTo);
    this.sign(card.querySelector("[data-value=verdict] .verdict"), this.verdict(system));
  }

  bars() {
    const place = this.one("[data-bars]"), { bars, changes } = this.systems[this.number];
    if (!place || !bars) return;
    say(place.querySelector("[data-bars-title]"), changes);
    const most = Math.max(1, ...bars);
    [...place.querySelectorAll(".bars > span")].forEach((bar, k) => {
      bar.firstElementChild.textContent = bars[k] ? counted(bars[k]) : "";
      bar.lastElementChild.style.height = `${(150 * bars[k]) / most}px`;
    });
  }

  /** The line of the chosen system lies on all others. */
  trace() {
    for (const each of this.all("[data-georisk] [data-system]")) {
      const isChosen = +each.dataset.system === this.number;
      each.classList.toggle("chosen", isChosen);
      if (isChosen) each.parentNode.append(each);
    }
  }

  showFull(button) {
    const isFull = button.getAttribute("aria-pressed") !== "true";
    button.setAttribute("aria-pressed", isFull);
    button.textContent = isFull ? "Show fewer" : "Show all";
    for (const text of this.all("[data-off]")) text.hidden = isFull;
    for (const { element } of this.plots) element.hidden = (element.dataset.plot === "full") !== isFull;
    this.draw();
  }

  /** What Python wrote, or a table of what the page knows. */
  handedOut(kind) {
    return this.data.exports[kind] ?? { csv: () => systemsCsv(this), json: () => partJson(this) }[kind]();
  }

  /** What depends on the width of the page. */
  draw() {
    for (const plot of this.plots) {
      if (!plot.element.clientWidth) continue;
      plot.choose(this.number);
      plot.weigh(this.stop, this.data.weights[this.stop]);
    }
  }
}

const articles = [...document.querySelectorAll("[data-part]")];
const shared = {
  current: 0,
  weigh(alpha) { for (const part of parts) part.weigh(alpha); },
  choose(name) { for (const part of parts) part.choose(name); },
  show(number) {
    this.current = number;
    articles.forEach((article, k) => { article.hidden = k !== number; });
    for (const link of document.querySelectorAll("[data-measure]")) mark(link, +link.dataset.measure === number);
    parts[number].draw();
  },
};
const parts = JSON.parse(document.getElementById("riskrank-data").textContent).map((data, k) => new Part(articles[k], data));
for (const part of parts) if (part.table) { part.weigh(part.data.alphas[part.data.start]); part.trace(); }
shared.show(0);

for (const link of document.querySelectorAll("[data-measure]")) {
  link.addEventListener("click", (event) => { event.preventDefault(); shared.show(+link.dataset.measure); });
}
document.addEventListener("click", (event) => {
  for (const menu of document.querySelectorAll(".menu[open]")) if (!menu.contains(event.target)) menu.open = false;
});
document.addEventListener("keydown", (event) => {
  const menu = event.key === "Escape" && document.querySelector(".menu[open]");
  if (menu) { menu.open = false; menu.firstElementChild.focus(); }
});
let waiting = 0;
addEventListener("resize", () => { cancelAnimationFrame(waiting); waiting = requestAnimationFrame(() => parts[shared.current].draw()); });
let scrolling = 0;
document.addEventListener("scroll", () => {
  const { table } = parts[shared.current];
  if (!table || !table.isWindowed || scrolling) return;
  scrolling = requestAnimationFrame(() => { scrolling = 0; table.showRows(); });
}, { capture: true, passive: true });
const print = (starts) => {
  isPrinting = starts;
  for (const { table } of parts) if (table) table.list();
};
addEventListener("beforeprint", () => print(true)); // before the pages are counted, which a change of media is not
addEventListener("afterprint", () => print(false));
matchMedia("print").addEventListener("change", ({ matches }) => print(matches));

handOut((kind) => parts[shared.current].handedOut(kind));
window.riskrank = { parts, shared };
