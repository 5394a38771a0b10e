(() => {
  "use strict";
  const parts = JSON.parse(document.getElementById("riskrank-data").textContent);

  const WORDS = { gain: "significant gain", open: "inconclusive", loss: "significant loss", none: "no test" };
  const CLASSES = { "+": "gain", "-": "loss", o: "open", "?": "none" };
  const DEPTH = 10; // documents of a ranking
  const ROW = 28; // px of a document
  const LEAST = 0.7; // percent of a strip that a bar has at least
  const LISTED = 100; // topics at a time
  const NEAR = 16; // px from a dot
  const MOST_ROWS = 200; // of a table; of more, those in view are drawn
  const ROW_HEIGHT = 33, MARGIN = 20; // px, rows
  const printed = matchMedia("print");

  // Numbers come rounded as they are written.
  const fixed = (x, digits) => (x < 0 ? "−" : "") + Math.abs(x).toFixed(digits);
  const signed = (x, digits) => (x > 0 ? "+" : "") + fixed(x === 0 ? 0 : x, digits);
  const counted = (n) => n.toLocaleString("en");
  const known = (x) => x !== null && x !== undefined;
  const sign = (x) => (x > 0 ? "gain" : x < 0 ? "loss" : "open");
  const FORMATS = {
    signed4: (x) => signed(x, 4), signed3: (x) => signed(x, 3), plain4: (x) => fixed(x, 4), plain3: (x) => fixed(x, 3),
    p: (x) => (x < 0.0001 ? "<0.0001" : fixed(x, 4)), count: counted, share: (x) => `${Math.round(100 * x)}%`,
  };

  const make = (tag, attributes = {}, ...children) => {
    const element = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) {
      if (name === "text") element.textContent = value;
      else element.setAttribute(name, value);
    }
    element.append(...children);
    return element;
  };

  const tip = document.querySelector("[data-tip]");
  const showTip = (event, lines) => {
    tip.textContent = lines.join("\n");
    tip.hidden = false;
    const { width, height } = tip.getBoundingClientRect();
    tip.style.left = `${Math.max(4, Math.min(event.clientX + 14, innerWidth - width - 8))}px`;
    tip.style.top = `${event.clientY + 14 + height > innerHeight ? event.clientY - height - 8 : event.clientY + 14}px`;
  };
  const hideTip = () => { tip.hidden = true; };

  class Part {
    constructor(element, data) {
      this.element = element;
      this.data = data;
      this.stop = data.start;
      this.number = data.chosen;
      this.sorted = { key: "gain", falls: true };
      this.filter = "all";
      this.columns = [];
      this.rows = this.all("[data-rows] > tr");
      this.marks = new Map(this.rows.map((row) => [+row.dataset.system, [row, row.querySelector("[data-cell=verdict] .verdict")]]));
      this.body = this.one("[data-rows]");
      this.dots = this.all(".dot");
      this.dotPlaces = new Map(this.all("[data-plot]").map((plot) => [plot, [...plot.querySelectorAll(".dot")].map((dot) =>
        [+dot.dataset.system, parseFloat(dot.getAttribute("x")), parseFloat(dot.getAttribute("y"))])]));
      this.systems = data.systems.map((system, number) => system && { ...system, number });
      this.listen();
    }

    one(selector) { return this.element.querySelector(selector); }
    all(selector) { return [...this.element.querySelectorAll(selector)]; }
    write(name, text) { for (const each of this.all(`[data-value=${name}]`)) each.textContent = text; }
    on(selector, type, act) { for (const each of this.all(selector)) each.addEventListener(type, (event) => act(event, each)); }

    listen() {
      this.on("[data-alpha]", "input", (_, slider) => shared.weigh(this.data.alphas[+slider.value]));
      this.on("[data-choose]", "change", (_, select) => shared.choose(this.data.systems[+select.value].name));
      this.on("[data-tab]", "click", (_, tab) => shared.choose(this.data.systems[+tab.dataset.tab].name));
      this.on("[data-sort]", "click", (_, button) => this.sortBy(button.parentNode.dataset.key));
      this.on("[data-find]", "input", () => this.list());
      this.on("[data-filter]", "click", (_, chip) => { this.filter = chip.dataset.filter; this.list(); });
      this.on("[data-clear]", "click", () => { this.one("[data-find]").value = ""; this.filter = "all"; this.list(); });
      this.on("[data-more]", "click", () => { this.isOpen = !this.isOpen; this.list(); });
      this.on("[data-column]", "change", () => this.showColumns());
      this.on("[data-full]", "click", (_, button) => this.showFull(button));
      this.on("[data-rows]", "click", (event) => {
        const row = event.target.closest("tr[data-system]");
        const system = row && this.data.systems[+row.dataset.system];
        if (system && known(system.gain)) shared.choose(system.name);
      });
      this.on("[data-rows]", "keydown", (event) => this.stepRows(event));
      this.on("[data-step]", "click", (_, button) => this.step(+button.dataset.step));
      this.on("[data-topics]", "click", (event) => {
        const button = event.target.closest("[data-topic]");
        if (button) this.showTopic(+button.dataset.topic);
      });
      this.on("[data-find-topic]", "input", () => this.listTopics());
      this.on("[data-explorer]", "keydown", (event) => this.stepTopics(event));
      this.on("[data-strip]", "click", (event, strip) => this.showTopic(this.topicAt(event, strip)));
      this.on("[data-strip]", "pointermove", (event, strip) => {
        const at = this.kept.topics.indexOf(this.topicAt(event, strip));
        showTip(event, [this.data.topics.names[this.kept.topics[at]], this.gain(this.kept.changes[at])]);
      });
      this.on("[data-strip]", "pointerleave", hideTip);
      this.on("[data-plot]", "pointermove", (event, plot) => this.hover(event, plot));
      this.on("[data-plot]", "pointerleave", hideTip);
      this.on("[data-plot]", "click", (event, plot) => {
        const near = this.nearest(event, plot);
        if (near !== null) shared.choose(this.data.systems[near].name);
      });
    }

    gain(x) { return known(x) ? signed(x, this.data.digits) : "–"; }
    verdict(system) { return CLASSES[system.verdicts[this.stop]]; }
    get kept() { return this.data.topics.kept[this.number]; }

    // What follows alpha.

    weigh(alpha) {
      const { alphas } = this.data;
      const near = alphas.reduce((best, each, i) => (Math.abs(each - alpha) < Math.abs(alphas[best] - alpha) ? i : best), 0);
      this.stop = near;
      const value = alphas[near], weight = +(1 + value).toFixed(6);
      for (const slider of this.all("[data-alpha]")) {
        slider.value = near;
        slider.setAttribute("aria-valuetext", `α = ${value}, losses weigh ${weight} times`);
      }
      for (const each of this.all("[data-alpha-text]")) each.textContent = value;
      for (const each of this.all("[data-weight]")) each.textContent = `${weight}×`;
      for (const each of this.all("[data-marker]")) each.style.left = `${(100 * near) / Math.max(1, alphas.length - 1)}%`;
      const live = this.one("[data-live]");
      if (live && this.data.live.length) live.textContent = this.data.live[near];
      const counts = { gain: 0, open: 0, loss: 0, none: 0 };
      for (const system of this.systems) {
        if (!system) continue;
        const verdict = this.verdict(system), [row, mark] = this.marks.get(system.number);
        counts[verdict] += 1;
        if (row.classList.contains(verdict)) continue;
        row.classList.remove("gain", "open", "loss", "none");
        row.classList.add(verdict);
        mark.className = `verdict ${verdict}`;
        mark.textContent = WORDS[verdict];
      }
      for (const each of this.all("[data-count]")) each.textContent = counts[each.dataset.count];
      for (const dot of this.dots) {
        const verdict = this.verdict(this.systems[+dot.dataset.system]);
        if (dot.classList.contains(verdict)) continue;
        dot.classList.remove("gain", "open", "loss", "none");
        dot.classList.add(verdict);
      }
      for (const plot of this.all("[data-plot]")) this.drawEven(plot, value, weight);
      this.fillColumns();
      this.card();
      if (["verdict", "urisk", "trisk", "p", "holm", "bh", "georisk", "zrisk"].includes(this.sorted.key)) this.order();
      this.list();
    }

    drawEven(plot, alpha, weight) {
      const [zero, low, high, right] = ["zero", "low", "high", "right"].map((name) => +plot.dataset[name]);
      let x = 100, gain = alpha * right;
      if (gain > high) { x = (100 * high) / gain; gain = high; }
      const y = 100 - (100 * (gain - low)) / (high - low);
      plot.querySelector("[data-even]").setAttribute("points", `0,${zero} ${x},${y}`);
      plot.querySelector("[data-region]").setAttribute("points", `0,${zero} ${x},${y} 100,${y} 100,100 0,100`);
      const label = plot.querySelector("[data-even-label]"), text = label.firstElementChild;
      text.textContent = alpha ? `break-even: losses weigh ${weight}×` : "break-even: losses weigh as much as gains";
      const { clientWidth: width, clientHeight: height } = plot;
      if (!width) return;
      // Along the line, where it meets fewest dots and names.
      const across = (x / 100) * width, down = ((y - zero) / 100) * height, length = Math.hypot(across, down);
      const size = text.getComputedTextLength(), angle = Math.atan2(down, across);
      const taken = this.places(plot);
      let best = null;
      for (let end = length - 6; end >= Math.min(length - 6, size + 4); end -= 12) {
        let meets = 0;
        for (let at = end - size; at <= end; at += 8) {
          const px = at * Math.cos(angle) - 11 * Math.sin(angle), py = (zero / 100) * height + at * Math.sin(angle) + 11 * Math.cos(angle);
          if (py > height - 2 || px > width) meets += 1;
          meets += taken.filter((box) => px > box[0] - 6 && px < box[2] + 6 && py > box[1] - 7 && py < box[3] + 7).length;
        }
        if (!best || meets < best.meets) best = { end, meets };
        if (!meets) break;
      }
      const end = (best ? best.end : length - 6) / length;
      label.setAttribute("x", `${x * end}%`);
      label.setAttribute("y", `${zero + (y - zero) * end}%`);
      text.setAttribute("x", 0);
      text.setAttribute("transform", `rotate(${(angle * 180) / Math.PI})`);
    }

    /** What a plot's dots and names cover, in px of the plot. */
    places(plot) {
      const frame = plot.getBoundingClientRect(), height = plot.firstElementChild.clientHeight;
      const names = [...plot.querySelectorAll(".label:not(.beside) > text, .baseline")]
        .map((each) => each.getBoundingClientRect()).filter((box) => box.width)
        .map((box) => [box.left - frame.left, box.top - frame.top, box.right - frame.left, box.bottom - frame.top]);
      const dots = this.dotPlaces.get(plot).map(([, x, y]) => [(x / 100) * frame.width, (y / 100) * height]);
      return [...names, ...dots.map(([x, y]) => [x - 5, y - 5, x + 5, y + 5])];
    }

    // The system that is chosen.

    choose(name) {
      const system = this.systems.find((each) => each && each.name === name && known(each.gain));
      if (!system) return;
      this.number = system.number;
      for (const select of this.all("[data-choose]")) select.value = this.number;
      for (const row of this.rows) {
        const isChosen = +row.dataset.system === this.number;
        row.classList.toggle("chosen", isChosen);
        if (isChosen) row.querySelector("[data-row]").setAttribute("aria-current", "true");
        else row.querySelector("[data-row]").removeAttribute("aria-current");
      }
      for (const dot of this.dots) dot.classList.toggle("chosen", +dot.dataset.system === this.number);
      for (const tab of this.all("[data-tab]")) tab.setAttribute("aria-pressed", +tab.dataset.tab === this.number);
      for (const plot of this.all("[data-plot]")) this.label(plot);
      this.write("system", system.name);
      this.card();
      this.bars();
      if (this.data.topics) { this.strip(); this.listTopics(); this.showTopic(this.kept.topics[0], false); }
      this.list();
    }

    /** The chosen system has a name; other names make room for it. */
    label(plot) {
      const moving = plot.querySelector("[data-moving]");
      const dot = plot.querySelector(`.dot[data-system="${this.number}"]`);
      const labels = [...plot.querySelectorAll(".label:not([data-moving])")];
      for (const each of labels) {
        each.classList.toggle("chosen", +each.dataset.system === this.number);
        each.classList.remove("beside");
      }
      const shown = labels.filter((each) => each.getClientRects().length);
      const own = shown.find((each) => +each.dataset.system === this.number);
      moving.toggleAttribute("hidden", Boolean(own) || !dot);
      if (!own && dot) {
        for (const name of ["x", "y"]) moving.setAttribute(name, dot.getAttribute(name));
        const text = moving.firstElementChild, isRight = parseFloat(dot.getAttribute("x")) > 60;
        const { name } = this.systems[this.number];
        text.textContent = name.length > 28 ? `${name.slice(0, 18)}…${name.slice(-9)}` : name;
        text.setAttribute("text-anchor", isRight ? "end" : "start");
        text.setAttribute("x", isRight ? -12 : 12);
      }
      const kept = [own || (dot && moving)].filter(Boolean).map((each) => each.querySelector("text").getBoundingClientRect());
      for (const each of shown) {
        if (each === own) continue;
        const box = each.querySelector("text").getBoundingClientRect();
        const meets = kept.some((other) => box.left < other.right && other.left < box.right && box.top < other.bottom - 2 && other.top < box.bottom - 2);
        each.classList.toggle("beside", meets);
        if (!meets) kept.push(box);
      }
    }

    card() {
      const card = this.one("[data-card]");
      const system = this.systems[this.number];
      if (!card || !system) return;
      const write = (name, text) => { card.querySelector(`[data-value=${name}]`).textContent = text; };
      write("name", system.name);
      write("gain", this.gain(system.gain));
      card.querySelector("[data-value=gain]").className = `is-${sign(system.gain)}`;
      write("interval", known(system.low) ? `${this.gain(system.low)} to ${this.gain(system.high)}` : "");
      write("hurt", counted(system.hurt));
      write("large", `· ${counted(system.large)} by over 20%`);
      write("risk", fixed(system.risk, 4));
      write("up-to", system.upTo);
      const mark = card.querySelector("[data-value=verdict] .verdict"), verdict = this.verdict(system);
      mark.className = `verdict ${verdict}`;
      mark.textContent = WORDS[verdict];
    }

    bars() {
      const place = this.one("[data-bars]"), { bars, changes } = this.systems[this.number];
      if (!place || !bars) return;
      place.querySelector("[data-bars-title]").textContent = changes;
      const most = Math.max(1, ...bars);
      [...place.querySelectorAll(".bars > span")].forEach((bar, k) => {
        bar.firstElementChild.textContent = bars[k] ? counted(bars[k]) : "";
        bar.lastElementChild.style.height = `${(150 * bars[k]) / most}px`;
      });
    }

    hover(event, plot) {
      const near = this.nearest(event, plot);
      plot.classList.toggle("near", near !== null);
      if (near === null) { hideTip(); return; }
      const { name, gain, low, high, risk, hurt } = this.systems[near];
      const interval = known(low) ? ` (${this.gain(low)} to ${this.gain(high)})` : "";
      showTip(event, [name, `gain ${this.gain(gain)}${interval}`, `mean loss ${fixed(risk, 4)} · hurts ${counted(hurt)} of ${counted(this.data.topics.count)}`]);
    }

    nearest(event, plot) {
      const box = plot.getBoundingClientRect();
      const [x, y] = [event.clientX - box.left, event.clientY - box.top];
      const height = plot.firstElementChild.clientHeight;
      let best = null, least = NEAR;
      for (const [number, across, down] of this.dotPlaces.get(plot)) {
        const away = Math.hypot((across / 100) * box.width - x, (down / 100) * height - y);
        if (away < least) { least = away; best = number; }
      }
      return best;
    }

    showFull(button) {
      const isFull = button.getAttribute("aria-pressed") !== "true";
      button.setAttribute("aria-pressed", isFull);
      button.textContent = isFull ? "Show most" : "Show all";
      for (const plot of this.all("[data-plot]")) plot.hidden = (plot.dataset.plot === "full") !== isFull;
      this.draw();
    }

    /** What depends on the width of the page. */
    draw() {
      const alpha = this.data.alphas[this.stop];
      for (const plot of this.all("[data-plot]")) {
        if (!plot.clientWidth) continue;
        this.label(plot);
        this.drawEven(plot, alpha, +(1 + alpha).toFixed(6));
      }
    }

    // The table.

    value(system, key) {
      if (key === "name") return system.name.toLowerCase();
      if (key === "upTo") return system.upToPlace;
      if (key === "verdict") return { gain: 3, open: 2, loss: 1, none: 0 }[this.verdict(system)];
      return system.at[key] ? system.at[key][this.stop] : system[key];
    }

    sortBy(key) {
      const falls = this.sorted.key === key ? !this.sorted.falls : key !== "name";
      this.sorted = { key, falls };
      for (const heading of this.all("thead [data-key]")) {
        if (heading.dataset.key === key) heading.setAttribute("aria-sort", falls ? "descending" : "ascending");
        else heading.removeAttribute("aria-sort");
      }
      this.order();
      this.list();
    }

    order() {
      const { key, falls } = this.sorted;
      const keyed = this.rows.map((row) => [row, this.value(this.systems[+row.dataset.system], key), this.systems[+row.dataset.system].gain]);
      keyed.sort(([, a, first], [, b, second]) => {
        if (!known(a) || !known(b)) return known(a) ? -1 : known(b) ? 1 : 0; // what is not known comes last
        return (a < b ? -1 : a > b ? 1 : 0) * (falls ? -1 : 1) || second - first;
      });
      this.rows = keyed.map(([row]) => row);
    }

    list() {
      if (!this.body) return;
      const field = this.one("[data-find]"), wanted = field ? field.value.trim().toLowerCase() : "";
      const isCut = known(this.data.firstRows);
      const matching = this.rows.filter((row) => {
        const system = this.systems[+row.dataset.system];
        return system.name.toLowerCase().includes(wanted) && (this.filter === "all" || this.verdict(system) === this.filter);
      });
      const found = matching.length;
      this.listed = isCut && !this.isOpen && !printed.matches ? matching.slice(0, this.data.firstRows) : matching;
      this.showRows();
      for (const chip of this.all("[data-filter]")) chip.setAttribute("aria-pressed", chip.dataset.filter === this.filter);
      const none = this.one("[data-none]"), more = this.one("[data-more]");
      none.hidden = found > 0 || !this.rows.length;
      if (more) {
        more.hidden = found <= this.data.firstRows;
        more.textContent = this.isOpen ? `Show the first ${this.data.firstRows}` : `Show all ${found} systems`;
        more.setAttribute("aria-expanded", Boolean(this.isOpen));
      }
    }

    /** All rows that are listed; of very many, those in view, with space for the others. */
    showRows() {
      let shown = this.listed;
      const count = shown.length;
      this.isWindowed = count > MOST_ROWS && !printed.matches;
      this.one(".systems").classList.toggle("windowed", this.isWindowed);
      let first = 0, last = count;
      if (this.isWindowed) {
        const above = Math.max(0, this.one("[data-scroll]").getBoundingClientRect().top) - this.body.getBoundingClientRect().top;
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
      const keys = this.all("[data-column]").filter((box) => box.checked).map((box) => box.dataset.column);
      for (const cell of [...this.all("thead [data-extra], .pinned [data-extra]"), ...this.rows.flatMap((row) => [...row.querySelectorAll("[data-extra]")])]) cell.remove();
      this.columns = this.data.columns.filter(([key]) => keys.includes(key));
      const head = this.one(".systems thead tr"), pinned = this.one(".pinned tr");
      for (const [key, title] of this.columns) {
        const button = make("button", { type: "button", text: title });
        button.addEventListener("click", () => this.sortBy(key));
        head.append(make("th", { scope: "col", class: "number", "data-key": key, "data-extra": "" }, button));
        pinned.append(make("td", { "data-extra": "" }));
        for (const row of this.rows) row.append(make("td", { class: "number", "data-extra": key }));
      }
      this.fillColumns();
      const scroll = this.one("[data-scroll]");
      scroll.classList.remove("is-wide");
      const isWide = this.columns.length > 0 && scroll.scrollWidth > scroll.clientWidth + 1;
      scroll.classList.toggle("is-wide", isWide);
      if (isWide) scroll.setAttribute("tabindex", "0"); else scroll.removeAttribute("tabindex");
    }

    fillColumns() {
      for (const [key, , kind] of this.columns) {
        for (const row of this.rows) {
          const value = this.value(this.systems[+row.dataset.system], key);
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

    // Topics.

    strip() {
      const { kept, data: { topics } } = this, system = this.systems[this.number];
      this.one("[data-topics-title]").textContent = system.heading;
      const places = kept.places || kept.topics.map((_, k) => k);
      const unit = 100 / (topics.high - topics.low), zero = 100 - (0 - topics.low) * unit;
      const parts = { helped: "", hurt: "", equal: "" };
      let losing = "";
      const count = this.systems.filter((each) => each && known(each.gain)).length;
      places.forEach((start, k) => {
        const end = k + 1 < places.length ? places[k + 1] : topics.count;
        const left = (start + topics.gap / 2).toFixed(2), width = (end - start - topics.gap).toFixed(2);
        const size = Math.max(Math.abs(kept.changes[k]) * unit, LEAST).toFixed(2);
        if (start < system.hurt) parts.hurt += `M${left} ${zero}v${size}h${width}v-${size}z`;
        else if (start >= topics.count - system.helped) parts.helped += `M${left} ${zero}v-${size}h${width}v${size}z`;
        else parts.equal += `M${left} ${zero - LEAST / 2}h${width}v${LEAST}h-${width}z`;
        const lost = ((100 * topics.losing[kept.topics[k]]) / count).toFixed(1);
        losing += `M${left} 0v${lost}h${width}v-${lost}z`;
      });
      for (const name of Object.keys(parts)) {
        for (const path of this.all(`[data-strip] .${name}, [data-card-strip] .${name}`)) path.setAttribute("d", parts[name]);
      }
      const below = this.one("[data-losing]");
      if (below) below.setAttribute("d", losing);
    }

    listTopics() {
      const list = this.one("[data-topics]"), { kept, data: { topics } } = this;
      const field = this.one("[data-find-topic]"), wanted = field ? field.value.trim().toLowerCase() : "";
      const found = [];
      kept.topics.forEach((topic, k) => {
        if (topics.names[topic].toLowerCase().includes(wanted)) found.push([topic, kept.changes[k]]);
      });
      list.replaceChildren(...found.slice(0, LISTED).map(([topic, change]) => make("li", {}, make("button",
        { type: "button", "data-topic": topic, tabindex: "-1" },
        make("span", { class: "topic-name", text: topics.names[topic] }),
        make("span", { class: `is-${sign(change)}`, text: this.gain(change) })))));
      const all = topics.count === kept.topics.length ? "" : ` (of ${counted(topics.count)}, ${counted(kept.topics.length)} are kept here)`;
      this.one("[data-listed]").textContent = found.length > LISTED ? `The first ${LISTED} of ${counted(found.length)}${all}` : wanted ? `${found.length} found${all}` : all;
      this.markTopic();
    }

    markTopic() {
      const buttons = this.all("[data-topics] [data-topic]");
      for (const button of buttons) {
        const isCurrent = +button.dataset.topic === this.topic;
        button.tabIndex = isCurrent ? 0 : -1;
        if (isCurrent) button.setAttribute("aria-current", "true"); else button.removeAttribute("aria-current");
      }
      const current = buttons.find((button) => button.tabIndex === 0);
      if (!current && buttons.length) buttons[0].tabIndex = 0;
      return current;
    }

    topicAt(event, strip) {
      const box = strip.getBoundingClientRect(), { topics } = this.data;
      const place = Math.min(topics.count - 1, Math.max(0, Math.floor(((event.clientX - box.left) / box.width) * topics.count)));
      const { places, topics: kept } = this.kept;
      if (!places) return kept[place];
      const after = places.findIndex((each) => each > place);
      return kept[(after < 0 ? places.length : after) - 1];
    }

    stepTopics(event) {
      const step = { ArrowRight: 1, ArrowLeft: -1, ArrowDown: 1, ArrowUp: -1 }[event.key];
      const isList = Boolean(event.target.closest("[data-topics]")), isStrip = event.target.matches("[data-strip]");
      if (!step || !(isList || isStrip) || (isStrip && event.key.match(/Up|Down/))) return;
      event.preventDefault();
      this.step(step);
      const current = isList && this.markTopic();
      if (current) current.focus();
    }

    step(by) {
      const next = this.kept.topics[this.kept.topics.indexOf(this.topic) + by];
      if (next !== undefined) this.showTopic(next);
    }

    showTopic(topic, scrolls = true) {
      const { kept, data: { topics } } = this, k = kept.topics.indexOf(topic);
      this.topic = topic;
      const place = kept.places ? kept.places[k] : k;
      const write = (name, text) => { for (const each of this.all(`[data-topic-detail] [data-value=${name}]`)) each.textContent = text; };
      write("topic", topics.names[topic]);
      write("old", fixed(topics.baseline[topic], this.data.digits));
      write("new", fixed(kept.scores[k], this.data.digits));
      write("change", this.gain(kept.changes[k]));
      this.one("[data-topic-detail] [data-value=change]").className = `is-${sign(kept.changes[k])}`;
      write("losing", topics.losing[topic]);
      write("place", counted(place + 1));
      const cursor = this.one("[data-cursor]");
      if (cursor) cursor.style.left = `min(${(100 * place) / topics.count}%, calc(100% - 5px))`;
      const current = this.markTopic();
      if (current && scrolls) {
        const list = this.one("[data-topics]"), line = current.parentNode;
        const top = line.offsetTop - list.offsetTop;
        if (top < list.scrollTop || top + line.offsetHeight > list.scrollTop + list.clientHeight) list.scrollTop = top - list.clientHeight / 2;
      }
      this.pair();
    }

    /** Both rankings of the topic. */
    pair() {
      const ranked = this.data.topics.rankings[this.topic], pair = ranked && ranked.of[this.number];
      for (const each of this.all("[data-pair], [data-pair-note]")) each.hidden = !pair;
      this.one("[data-no-pair]").hidden = Boolean(pair);
      this.one("[data-no-pair]").textContent = this.data.topics.note;
      if (!pair) return;
      const grade = (document) => ranked.grades[document];
      const line = ([document, elsewhere], k, move) => {
        const own = grade(document), shade = known(own) ? Math.min(3, Math.max(0, Math.trunc(own))) : 0, name = ranked.documents[document];
        return make("li", {}, make("span", { class: "rank", text: k + 1 }),
          make("span", { class: `grade g${shade}`, text: known(own) ? `${own}`.replace("-", "−") : "–" }),
          make("span", { class: "document", title: name, text: name }),
          make("span", { class: "move", text: move(elsewhere, k + 1) }));
      };
      const left = (elsewhere) => (!known(elsewhere) ? "not retrieved" : elsewhere > DEPTH ? `to ${elsewhere}` : "");
      const came = (elsewhere, rank) => {
        if (!known(elsewhere)) return "new";
        if (elsewhere > DEPTH) return `from ${elsewhere}`;
        return elsewhere === rank ? "=" : elsewhere > rank ? `up ${elsewhere - rank}` : `down ${rank - elsewhere}`;
      };
      const [old, now] = pair;
      this.one("[data-documents=baseline] ol").replaceChildren(...old.map((each, k) => line(each, k, left)));
      this.one("[data-documents=system] ol").replaceChildren(...now.map((each, k) => line(each, k, came)));
      let light = "", heavy = "";
      old.forEach(([document, elsewhere], k) => {
        if (!known(elsewhere) || elsewhere > Math.min(DEPTH, now.length)) return;
        const [start, end] = [k, elsewhere - 1].map((place) => place * ROW + ROW / 2);
        const path = `M4 ${start}C48 ${start} 48 ${end} 92 ${end}`;
        if (grade(document) > 1) heavy += path; else light += path;
      });
      this.one("[data-lines]").setAttribute("d", light);
      this.one("[data-heavy]").setAttribute("d", heavy);
      const gone = old.filter(([, elsewhere]) => !known(elsewhere) || elsewhere > DEPTH);
      const relevant = gone.filter(([document]) => grade(document) >= 1).length;
      const rest = relevant && relevant === gone.length && gone.length > 1 ? ", all of them relevant" : relevant ? `, ${relevant} of them relevant` : "";
      const top = `of the ${this.data.baseline} top ${old.length}`;
      this.write("left", gone.length ? `${gone.length} ${top} ${gone.length === 1 ? "leaves" : "leave"} it${rest}.` : `None ${top} leaves it.`);
    }

    /** The table as CSV, with all columns at the alpha that is chosen. */
    csv() {
      const quoted = (value) => {
        const text = known(value) ? `${value}` : "";
        const safe = /^[=+\-@\t\r]/.test(text) && Number.isNaN(Number(text)) ? `'${text}` : text;
        return /[",\n\r]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
      };
      const keys = ["score", "gain", "low", "high", "hurt", "helped", "risk", ...this.data.columns.map(([key]) => key).filter((key) => key !== "large"), "large"];
      const lines = [["system", ...keys, "alpha", "significant up to", "verdict"]];
      for (const row of this.rows) {
        const system = this.systems[+row.dataset.system];
        lines.push([system.name, ...keys.map((key) => this.value(system, key)), this.data.alphas[this.stop], system.upTo, WORDS[this.verdict(system)]]);
      }
      return `${lines.map((line) => line.map(quoted).join(",")).join("\n")}\n`;
    }
  }

  const articles = [...document.querySelectorAll("[data-part]")];
  const all = articles.map((element, k) => new Part(element, parts[k]));
  const shared = {
    current: 0,
    weigh(alpha) { for (const part of all) part.weigh(alpha); },
    choose(name) { for (const part of all) part.choose(name); },
    show(number) {
      this.current = number;
      articles.forEach((article, k) => { article.hidden = k !== number; });
      for (const link of document.querySelectorAll("[data-measure]")) {
        if (+link.dataset.measure === number) link.setAttribute("aria-current", "true"); else link.removeAttribute("aria-current");
      }
      all[number].draw();
    },
  };
  for (const part of all) {
    if (part.data.topics) { part.topic = part.kept.topics[0]; part.markTopic(); }
    if (part.body) part.weigh(part.data.alphas[part.data.start]);
  }
  shared.show(0);

  for (const link of document.querySelectorAll("[data-measure]")) {
    link.addEventListener("click", (event) => { event.preventDefault(); shared.show(+link.dataset.measure); });
  }
  document.querySelector("[data-latex]")?.addEventListener("click", async ({ currentTarget: button }) => {
    const { latex } = all[shared.current].data, label = button.textContent;
    try {
      await navigator.clipboard.writeText(latex);
    } catch {
      const field = make("textarea", { text: latex });
      document.body.append(field);
      field.select();
      document.execCommand("copy");
      field.remove();
    }
    button.textContent = "Copied";
    setTimeout(() => { button.textContent = label; }, 1500);
  });
  document.querySelector("[data-csv]")?.addEventListener("click", () => {
    const link = make("a", { download: "riskrank.csv", href: URL.createObjectURL(new Blob([all[shared.current].csv()], { type: "text/csv" })) });
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 1000);
  });
  document.addEventListener("click", (event) => {
    for (const menu of document.querySelectorAll(".menu[open]")) if (!menu.contains(event.target)) menu.open = false;
  });
  document.addEventListener("keydown", (event) => {
    const menu = event.key === "Escape" && document.querySelector(".menu[open]");
    if (menu) { menu.open = false; menu.firstElementChild.focus(); }
  });
  let waiting = 0;
  addEventListener("resize", () => { cancelAnimationFrame(waiting); waiting = requestAnimationFrame(() => all[shared.current].draw()); });
  let scrolling = 0;
  document.addEventListener("scroll", () => {
    if (!all[shared.current].isWindowed || scrolling) return;
    scrolling = requestAnimationFrame(() => { scrolling = 0; all[shared.current].showRows(); });
  }, { capture: true, passive: true });
  printed.addEventListener("change", () => { for (const part of all) part.list(); });

  window.riskrank = { parts: all, shared };
})();
