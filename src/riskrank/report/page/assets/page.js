"use strict";
// The page's arithmetic and its controls. All text from users goes through textContent, never into markup.
(() => {
  const FIRST_ROWS = 20;
  const MOST_MARKS = 2000;

  // Numbers as the tables of the command line show them.
  const fixed = (value, digits = 4) => {
    if (value === null || Number.isNaN(value)) return "NaN";
    const exact = Math.abs(value).toFixed(digits + 30);
    let shown = value;
    if (exact.endsWith("5" + "0".repeat(29))) {  // just in the middle: to even, as Python does
      const whole = Math.floor(Math.abs(value) * 10 ** digits);
      shown = (Math.sign(value) * (whole + (whole % 2))) / 10 ** digits;
    }
    return shown.toFixed(digits).replace("-", "−");
  };
  const signed = (value, digits = 4) =>
    value === null || Number.isNaN(value) ? "NaN" : (value >= 0 ? "+" : "") + fixed(value, digits);
  const pText = (p) => (Number.isNaN(p) ? "NaN" : p < 0.0001 ? "<0.0001" : p.toFixed(4));

  // The normal distribution by the incomplete gamma function.
  const LANCZOS = [0.99999999999980993, 676.5203681218851, -1259.1392167224028, 771.32342877765313,
    -176.61502916214059, 12.507343278686905, -0.13857109526572012, 9.9843695780195716e-6, 1.5056327351493116e-7];
  function logGamma(x) {
    if (x < 0.5) return Math.log(Math.PI / Math.sin(Math.PI * x)) - logGamma(1 - x);
    const y = x - 1;
    let sum = LANCZOS[0];
    for (let i = 1; i < 9; i++) sum += LANCZOS[i] / (y + i);
    const t = y + 7.5;
    return 0.5 * Math.log(2 * Math.PI) + (y + 0.5) * Math.log(t) - t + Math.log(sum);
  }
  function normalCdf(x) {
    const z = (x * x) / 2, a = 0.5;
    if (z === 0) return 0.5;
    const front = Math.exp(-z + a * Math.log(z) - logGamma(a));
    let lower;
    if (z < 1.5) {
      let term = 1 / a, sum = term;
      for (let n = 1; n < 500; n++) {
        term *= z / (a + n);
        sum += term;
        if (term < sum * 1e-17) break;
      }
      lower = front * sum;
    } else {
      let b = z + 1 - a, c = 1e300, d = 1 / b, h = d;
      for (let i = 1; i < 1000; i++) {
        const an = -i * (i - a);
        b += 2;
        d = 1 / (an * d + b);
        c = b + an / c;
        h *= d * c;
        if (Math.abs(d * c - 1) < 1e-16) break;
      }
      lower = 1 - front * h;
    }
    return x > 0 ? 0.5 + 0.5 * lower : 0.5 - 0.5 * lower;
  }
  // p-values corrected for the number of systems, as in Python.
  const known = (values) => values.map((p, i) => [p, i]).filter(([p]) => !Number.isNaN(p)).sort((one, other) => one[0] - other[0]);
  function benjaminiHochberg(values) {
    const ranked = known(values), adjusted = values.map(() => NaN);
    let lowest = 1;
    for (let k = ranked.length - 1; k >= 0; k--) {
      lowest = Math.min(lowest, (ranked[k][0] * ranked.length) / (k + 1));
      adjusted[ranked[k][1]] = lowest;
    }
    return adjusted;
  }
  function holm(values) {
    const ranked = known(values), adjusted = values.map(() => NaN);
    let highest = 0;
    ranked.forEach(([p, i], k) => {
      highest = Math.max(highest, Math.min(1, p * (ranked.length - k)));
      adjusted[i] = highest;
    });
    return adjusted;
  }

  // URisk and TRisk at any alpha, from sums of wins and losses and of their squares.
  function tested(system, count, alpha, rounding) {
    const weight = 1 + alpha;
    if (system.won === null || system.scale === null) return { urisk: NaN, error: NaN, trisk: NaN };
    const urisk = (system.won - weight * system.lost) / count;
    if (count < 2) return { urisk, error: NaN, trisk: NaN };
    const squares = system.wonSquares + weight * weight * system.lostSquares;
    let error = Math.sqrt(Math.max(0, squares - count * urisk * urisk) / (count - 1) / count);
    if (system.differs === 0 || !(error > rounding * system.scale * weight)) error = 0;
    return { urisk, error, trisk: error ? urisk / error : NaN };
  }
  const verdictOf = (p, urisk, level) =>
    Number.isNaN(p) ? "undefined" : p > level ? "inconclusive" : urisk > 0 ? "significant gain" : "significant loss";
  const georisk = (system, count, alpha) =>
    system.above === null ? NaN
      : Math.sqrt((system.total / count) * normalCdf((system.above + (1 + alpha) * system.below) / count));

  // What a chart shows of very many topics: half of it from the first, a quarter from the last, the rest between.
  function thin(rows) {
    if (rows.length <= MOST_MARKS) return rows;
    const first = MOST_MARKS / 2, last = MOST_MARKS / 4, between = MOST_MARKS - first - last;
    const step = (rows.length - first - last) / between;
    const middle = Array.from({ length: between }, (_, k) => rows[first + Math.floor(k * step)]);
    return [...rows.slice(0, first), ...middle, ...rows.slice(rows.length - last)];
  }

  const make = (tag, text, className) => {
    const element = document.createElement(tag);
    if (text !== undefined) element.textContent = text;
    if (className) element.className = className;
    return element;
  };

  class Section {
    constructor(root, data) {
      this.root = root;
      this.data = data;
      this.views = {};
      this.shown = FIRST_ROWS;
      this.alpha = data.alpha;
      this.step = data.grid.indexOf(data.alpha);
      this.picked = data.systems.findIndex((system) => !system.isBaseline);
      this.find = (selector) => root.querySelector(selector);
      this.range = this.find("[data-alpha-range]");
      this.exact = this.find("[data-alpha]");
      this.picker = this.find("[data-system]");
      this.search = this.find("[data-search]");
      this.dialog = this.find("dialog");
      this.listen();
      this.draw();
      this.update();
    }

    listen() {
      const { grid } = this.data;
      const set = (step) => {
        this.step = step;
        this.alpha = grid[step];
        this.range.value = String(step);
        this.range.setAttribute("aria-valuetext", String(this.alpha));
        if (document.activeElement !== this.exact) this.exact.value = String(this.alpha);
        this.update();
      };
      this.range.addEventListener("input", () => set(Number(this.range.value)));
      this.exact.addEventListener("input", () => {
        const wanted = Number(this.exact.value);
        if (this.exact.value === "" || !Number.isFinite(wanted) || wanted < 0) return;
        const farFrom = (alpha) => Math.abs(alpha - wanted);
        set(grid.reduce((best, alpha, k) => (farFrom(alpha) < farFrom(grid[best]) ? k : best), 0));
      });
      this.exact.addEventListener("blur", () => { this.exact.value = String(this.alpha); });
      if (!this.picker) return;
      this.picker.addEventListener("change", () => {
        this.picked = Number(this.picker.value);
        this.shown = FIRST_ROWS;
        this.update();
      });
      this.search.addEventListener("input", () => {
        this.shown = FIRST_ROWS;
        this.list();
      });
      this.find("[data-more]").addEventListener("click", () => {
        this.shown += 200;
        this.list();
      });
      this.find("[data-close]").addEventListener("click", () => this.dialog.close());
    }

    // Vega draws what Altair described; the axes take the page's colour.
    draw() {
      for (const [name, spec] of Object.entries(this.data.charts)) {
        const place = this.find(`[data-chart="${name}"]`);
        this.fill(name, spec);
        const options = { renderer: "svg", actions: { export: true, source: false, compiled: false, editor: false } };
        window.vegaEmbed(place, spec, options).then((result) => {
          this.views[name] = result.view;
          if (name === "topics" || name === "exploratory") {
            result.view.addEventListener("click", (_, item) => {
              if (item && item.datum && item.datum.topic !== undefined) this.open(item.datum.topic);
            });
          }
          this.refresh(name);
        });
      }
    }

    // Charts of the picked system begin with its rows.
    fill(name, spec) {
      if (name === "topics") spec.data.values = thin(this.topicRows("change"));
      if (name === "exploratory") {
        spec.layer[0].data.values = this.limits();
        spec.layer[1].data.values = this.explored();
      }
    }

    // Where nothing varies there is no T_J; a point beyond the chart's edge keeps its axis alive.
    explored() {
      const rows = thin(this.topicRows("t_j").filter((row) => row.t_j !== null));
      return rows.length ? rows : [{ t_j: 0, place: -1, outlier: "within" }];
    }

    limits() {
      return this.data.count < 3 ? [] : [{ t_j: -this.data.limit }, { t_j: this.data.limit }];
    }

    update() {
      const { systems, count, level, rounding, correction } = this.data;
      const tests = systems.map((system) => tested(system, count, this.alpha, rounding));
      const plain = systems.map((system) => (system.p && system.p[this.step] !== null ? system.p[this.step] : NaN));
      const corrected = correction === "bh" ? benjaminiHochberg(plain) : holm(plain);
      const decisive = correction === "none" ? plain : corrected;
      systems.forEach((system, i) => {
        const row = this.find(`tr[data-row="${i}"]`);
        const put = (name, text) => { row.querySelector(`[data-cell="${name}"]`).textContent = text; };
        put("georisk", fixed(georisk(system, count, this.alpha)));
        if (system.isBaseline) return;
        const test = tests[i];
        put("urisk", signed(test.urisk));
        put("trisk", signed(test.trisk, 3));
        put("p", pText(plain[i]));
        put("corrected", pText(corrected[i]));
        const cell = row.querySelector('[data-cell="verdict"]');
        const verdict = verdictOf(decisive[i], test.urisk, level);
        cell.textContent = verdict;
        cell.className = "words " + ({ "significant gain": "reward", "significant loss": "risk" }[verdict] || "");
      });
      this.root.querySelectorAll("[data-alpha-text]").forEach((place) => { place.textContent = String(this.alpha); });
      Object.keys(this.views).forEach((name) => this.refresh(name));
      if (this.picker) this.list();
    }

    refresh(name) {
      const view = this.views[name];
      if (!view) return;
      if (name === "risk-gain") view.signal("alpha", this.alpha).runAsync();
      if (name === "topics") view.data("topics", thin(this.topicRows("change"))).runAsync();
      if (name === "helped-hurt" && this.data.helped) {
        view.data("helped", this.data.helped[this.picked] || []).runAsync();
      }
      if (name === "exploratory") {
        view.data("explored", this.explored()).runAsync();
      }
    }

    // The topics of the picked system with their statistics at the present alpha.
    topicRows(by) {
      const { systems, count, limit, rounding, topics, baseline, kept } = this.data;
      const test = tested(systems[this.picked], count, this.alpha, rounding);
      const spread = test.error * Math.sqrt(count);
      const own = kept[this.picked];
      const rows = own.topics.map((topic, k) => {
        const change = own.changes[k];
        const x = change < 0 ? (1 + this.alpha) * change : change;
        const tR = x / spread, tJ = (x - test.urisk) / spread;
        const outcome = change === 0 ? "unchanged" : change < 0 ? "hurt" : "helped";
        return {
          topic: topics[topic], index: topic, baseline: baseline[topic], score: own.scores[k], change,
          t_r: tR, t_j: Number.isFinite(tJ) ? tJ : null,
          outcome: outcome !== "unchanged" && Math.abs(tJ) > limit ? `${outcome}, stands out` : outcome,
          outlier: tJ > limit ? "above" : tJ < -limit ? "below" : "within",
          place: own.places[k] + 1,
        };
      });
      if (by === "t_j") {
        rows.sort((one, other) => one.t_j - other.t_j);
        if (own.topics.length === count) rows.forEach((row, k) => { row.place = k + 1; });
      }
      return rows;
    }

    list() {
      const wanted = this.search.value.trim().toLowerCase();
      const all = this.topicRows("change");
      const rows = wanted ? all.filter((row) => row.topic.toLowerCase().includes(wanted)) : all;
      const body = this.find("[data-topics]");
      body.textContent = "";
      for (const row of rows.slice(0, this.shown)) {
        const line = make("tr");
        line.dataset.topic = row.topic;
        const first = make("td");
        const button = make("button", row.topic, "link");
        button.type = "button";
        button.addEventListener("click", () => this.open(row.topic));
        first.append(button);
        const mark = row.outcome.endsWith("stands out") ? "●" : "";
        line.append(first, make("td", fixed(row.baseline)), make("td", fixed(row.score)),
          make("td", signed(row.change), row.change < 0 ? "risk" : row.change > 0 ? "reward" : ""),
          make("td", signed(row.t_r, 2)), make("td", signed(row.t_j === null ? NaN : row.t_j, 2)), make("td", mark));
        body.append(line);
      }
      const total = this.data.count === all.length ? ""
        : ` (of ${this.data.count.toLocaleString("en")} in all, ${all.length.toLocaleString("en")} are kept here)`;
      this.find("[data-found]").textContent =
        `${Math.min(rows.length, this.shown).toLocaleString("en")} of ${rows.length.toLocaleString("en")} topics shown${total}`;
      this.find("[data-more]").hidden = rows.length <= this.shown;
    }

    // A topic by itself.
    open(topic) {
      const row = this.topicRows("change").find((each) => each.topic === topic);
      if (!row) return;
      const system = this.data.systems[this.picked];
      this.find("[data-detail-title]").textContent = `Topic ${topic}`;
      this.find("[data-detail-text]").textContent =
        `${this.data.measure}: ${this.data.baselineName} ${fixed(row.baseline)}, ${system.name} ${fixed(row.score)}, ` +
        `change ${signed(row.change)}; T_R ${signed(row.t_r, 2)}, T_J ${signed(row.t_j === null ? NaN : row.t_j, 2)} ` +
        `at α = ${this.alpha}.`;
      if (!this.dialog.open) this.dialog.showModal();
    }
  }

  const data = JSON.parse(document.getElementById("riskrank-data").textContent);
  const sections = [...document.querySelectorAll("[data-section]")].map((root, i) => new Section(root, data[i]));
  const theme = document.querySelector("[data-theme-button]");
  if (theme) {
    theme.addEventListener("click", () => {
      const isDark = document.documentElement.dataset.theme
        ? document.documentElement.dataset.theme === "dark"
        : window.matchMedia("(prefers-color-scheme: dark)").matches;
      document.documentElement.dataset.theme = isDark ? "light" : "dark";
    });
  }
  window.riskrank = { sections, normalCdf, tested, georisk, holm, benjaminiHochberg };
})();
