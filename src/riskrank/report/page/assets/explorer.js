/** Topics of the system that is chosen, and both rankings of one of them. */
class Explorer {
  constructor(part) {
    this.part = part;
    this.data = part.data.topics;
    this.topic = this.kept.topics[0];
    part.on("[data-tab]", "click", (_, tab) => part.ask(+tab.dataset.tab));
    part.on("[data-step]", "click", (_, button) => this.step(+button.dataset.step));
    part.on("[data-topics]", "click", (event) => {
      const button = event.target.closest("[data-topic]");
      if (button) this.show(+button.dataset.topic);
    });
    part.on("[data-find-topic]", "input", () => this.list());
    part.on("[data-explorer]", "keydown", (event) => this.stepByKey(event));
    part.on("[data-strip]", "click", (event, strip) => this.show(this.topicAt(event, strip)));
    part.on("[data-strip]", "pointermove", (event, strip) => {
      const at = this.kept.topics.indexOf(this.topicAt(event, strip));
      showTip(event, [this.data.names[this.kept.topics[at]], part.gain(this.kept.changes[at])]);
    });
    part.on("[data-strip]", "pointerleave", hideTip);
    this.mark();
  }

  get kept() { return this.data.kept[this.part.number]; }

  choose(number) {
    for (const tab of this.part.all("[data-tab]")) tab.setAttribute("aria-pressed", +tab.dataset.tab === number);
    say(this.part.one("[data-topics-title]"), this.part.systems[number].heading);
    this.draw();
    this.show(this.kept.topics[0], false);
    this.list();
    this.weigh();
  }

  draw() {
    const { kept, data, part } = this, system = part.systems[part.number];
    const places = kept.places || kept.topics.map((_, k) => k);
    const unit = 100 / (data.high - data.low), zero = 100 - (0 - data.low) * unit;
    const paths = { helped: "", hurt: "", equal: "" };
    let losing = "";
    places.forEach((start, k) => {
      const end = k + 1 < places.length ? places[k + 1] : data.count;
      const left = (start + data.gap / 2).toFixed(2), width = (end - start - data.gap).toFixed(2);
      const size = Math.max(Math.abs(kept.changes[k]) * unit, data.least).toFixed(2);
      if (start < system.hurt) paths.hurt += `M${left} ${zero}v${size}h${width}v-${size}z`;
      else if (start >= data.count - system.helped) paths.helped += `M${left} ${zero}v-${size}h${width}v${size}z`;
      else paths.equal += `M${left} ${zero - data.least / 2}h${width}v${data.least}h-${width}z`;
      const lost = ((100 * data.losing[kept.topics[k]]) / data.systems).toFixed(1);
      losing += `M${left} 0v${lost}h${width}v-${lost}z`;
    });
    for (const [name, path] of Object.entries(paths)) {
      for (const each of part.all(`[data-strip] .${name}, [data-card-strip] .${name}`)) each.setAttribute("d", path);
    }
    const below = part.one("[data-losing]");
    if (below) below.setAttribute("d", losing);
  }

  list() {
    const { kept, data, part } = this, field = part.one("[data-find-topic]");
    const wanted = field ? field.value.trim().toLowerCase() : "";
    const found = [...kept.topics.keys()].filter((k) => data.names[kept.topics[k]].toLowerCase().includes(wanted));
    part.one("[data-topics]").replaceChildren(...found.slice(0, data.listed).map((k) => this.line(k)));
    const rest = data.count === kept.topics.length ? "" : ` (of ${counted(data.count)}, ${counted(kept.topics.length)} are kept here)`;
    const first = (n) => (found.length > data.listed ? `The worst ${data.listed} of ${counted(n)}` : "");
    part.one("[data-listed]").textContent = wanted ? (first(found.length) || `${found.length} found`) + rest : first(data.count);
    this.mark();
  }

  line(k) {
    const { kept, data, part } = this, topic = kept.topics[k], change = kept.changes[k];
    const button = make("button", { type: "button", "data-topic": topic, tabindex: "-1" },
      make("span", { class: "topic-name", title: data.names[topic], text: data.names[topic] }),
      make("span", { class: `is-${sign(change)}`, text: part.gain(change) }));
    if (this.hasTests) {
      for (const [kind, title] of [["t-j", "T_J "], ["p", "p "]]) button.append(make("span", { class: kind }, make("span", { class: "unseen", text: title }), ""));
      this.test(button, k);
    }
    if (data.marks[topic]) button.append(make("span", { class: "topic-mark", text: data.marks[topic] }));
    return make("li", {}, button);
  }

  /** What a line says at the alpha that is chosen. */
  test(button, k) {
    const tests = this.tests(k);
    button.classList.toggle("stands-out", tests.standsOut);
    button.querySelector(".t-j").lastChild.data = tests.tJ;
    button.querySelector(".p").lastChild.data = tests.p;
  }

  get hasTests() { return Boolean(this.part.one("[data-tests]")); }

  /** The part that a topic has in the risk, in words; what its change is held against comes from Python. */
  tests(k) {
    const { kept, data, part: { stop, data: { alphas } } } = this, deviation = kept.deviation[stop];
    if (!known(deviation)) return { tR: "–", tJ: "–", p: "–", standsOut: false };
    const change = kept.changes[k] + kept.rests[k] / 1e9, x = change < 0 ? (1 + alphas[stop]) * change : change;
    const tJ = (x - kept.mean[stop]) / deviation, place = this.place(k), text = (t) => signed(+t.toFixed(2), 2);
    return {
      tR: text(x / deviation), tJ: text(tJ), p: data.pLimits.find(([limit]) => Math.abs(tJ) >= limit)[1],
      standsOut: place < kept.low[stop] || place >= data.count - kept.high[stop],
    };
  }

  /** Among all topics, worst first. */
  place(k) { return this.kept.places ? this.kept.places[k] : k; }

  weigh() {
    if (!this.hasTests) return;
    const { kept, data, part } = this;
    for (const each of part.all("[data-outlying]")) each.style.width = `${(100 * kept[each.dataset.outlying][part.stop]) / data.count}%`;
    for (const button of part.all("[data-topics] [data-topic]")) this.test(button, kept.topics.indexOf(+button.dataset.topic));
    this.showTests();
  }

  showTests() {
    const tests = this.hasTests && this.tests(this.kept.topics.indexOf(this.topic)), detail = this.part.one("[data-topic-detail]");
    if (!tests) return;
    write(detail, "t-r", tests.tR);
    write(detail, "t-j", tests.tJ);
    write(detail, "p", tests.p);
    detail.querySelector("[data-stands-out]").hidden = !tests.standsOut;
  }

  /** The line of the topic that is shown, or nothing where it is not listed. */
  mark() {
    const buttons = this.part.all("[data-topics] [data-topic]");
    for (const button of buttons) {
      const isCurrent = +button.dataset.topic === this.topic;
      button.tabIndex = isCurrent ? 0 : -1;
      mark(button, isCurrent);
    }
    const current = buttons.find((button) => button.tabIndex === 0);
    if (!current && buttons.length) buttons[0].tabIndex = 0;
    return current;
  }

  topicAt(event, strip) {
    const box = strip.getBoundingClientRect(), { count } = this.data;
    const place = Math.min(count - 1, Math.max(0, Math.floor(((event.clientX - box.left) / box.width) * count)));
    const { places, topics } = this.kept;
    if (!places) return topics[place];
    const after = places.findIndex((each) => each > place);
    return topics[(after < 0 ? places.length : after) - 1];
  }

  stepByKey(event) {
    const step = { ArrowRight: 1, ArrowLeft: -1, ArrowDown: 1, ArrowUp: -1 }[event.key];
    const isList = Boolean(event.target.closest("[data-topics]")), isStrip = event.target.matches("[data-strip]");
    if (!step || !(isList || isStrip) || (isStrip && event.key.match(/Up|Down/))) return;
    event.preventDefault();
    this.step(step);
    const current = isList && this.mark();
    if (current) current.focus();
  }

  step(by) {
    const next = this.kept.topics[this.kept.topics.indexOf(this.topic) + by];
    if (next !== undefined) this.show(next);
  }

  show(topic, scrolls = true) {
    const { kept, data, part } = this, k = kept.topics.indexOf(topic), { digits } = part.data;
    this.topic = topic;
    const place = this.place(k), detail = part.one("[data-topic-detail]");
    write(detail, "topic", data.names[topic]);
    write(detail, "old", fixed(data.baseline[topic], digits));
    write(detail, "new", fixed(kept.scores[k], digits));
    write(detail, "change", part.gain(kept.changes[k]));
    detail.querySelector("[data-value=change]").className = `is-${sign(kept.changes[k])}`;
    write(detail, "losing", data.losing[topic]);
    write(detail, "place", counted(place + 1));
    this.showTests();
    const cursor = part.one("[data-cursor]");
    if (cursor) cursor.style.left = `min(${(100 * place) / data.count}%, calc(100% - 5px))`;
    const current = this.mark();
    if (current && scrolls) {
      const list = part.one("[data-topics]"), line = current.parentNode;
      const top = line.offsetTop - list.offsetTop;
      if (top < list.scrollTop || top + line.offsetHeight > list.scrollTop + list.clientHeight) list.scrollTop = top - list.clientHeight / 2;
    }
    this.showRankings();
  }

  showRankings() {
    const { data, part } = this, { depth } = data;
    const ranked = data.rankings[this.topic], pair = ranked && ranked.of[part.number];
    for (const each of part.all("[data-pair], [data-pair-note]")) each.hidden = !pair;
    part.one("[data-no-pair]").hidden = Boolean(pair);
    if (!pair) return;
    const [old, now, beginning] = pair;
    const left = (elsewhere) => (!known(elsewhere) ? "not retrieved" : elsewhere > depth ? `to ${elsewhere}` : "");
    const came = (elsewhere, rank) => {
      if (!known(elsewhere)) return "new";
      if (elsewhere > depth) return `from ${elsewhere}`;
      return elsewhere === rank ? "=" : elsewhere > rank ? `up ${elsewhere - rank}` : `down ${rank - elsewhere}`;
    };
    const lines = (entries, move) => entries.map(([document, elsewhere], k) => this.documentLine(ranked, document, k + 1, move(elsewhere, k + 1), beginning));
    part.one("[data-documents=baseline] ol").replaceChildren(...lines(old, left));
    part.one("[data-documents=system] ol").replaceChildren(...lines(now, came));
    this.join(ranked, old, now);
    const gone = old.filter(([, elsewhere]) => !known(elsewhere) || elsewhere > depth);
    const relevant = gone.filter(([document]) => ranked.grades[document] >= data.relevant).length;
    const all = gone.length === 1 ? ", a relevant one" : ", all of them relevant";
    const rest = !relevant ? "" : relevant === gone.length ? all : `, ${relevant} of them relevant`;
    const top = `of the ${part.data.baseline} top ${old.length}`;
    write(part.element, "left", gone.length ? `${gone.length} ${top} ${gone.length === 1 ? "leaves" : "leave"} it${rest}.` : `None ${top} leaves it.`);
  }

  documentLine(ranked, document, rank, move, beginning) {
    const grade = ranked.grades[document], name = ranked.documents[document];
    const shown = beginning && name.startsWith(beginning) ? `…${name.slice(beginning.length)}` : name;
    const shade = known(grade) ? Math.min(this.data.shades, Math.max(0, Math.trunc(grade))) : 0;
    return make("li", {}, make("span", { class: "rank", text: rank }),
      make("span", { class: `grade g${shade}`, text: known(grade) ? `${grade}`.replace("-", "−") : "–" }),
      make("span", { class: "document", title: name, text: shown }),
      make("span", { class: "move", text: move }));
  }

  /** Lines between the places of documents that both rankings have. */
  join(ranked, old, now) {
    const { depth, row, relevant } = this.data;
    let light = "", heavy = "";
    old.forEach(([document, elsewhere], k) => {
      if (!known(elsewhere) || elsewhere > Math.min(depth, now.length)) return;
      const [start, end] = [k, elsewhere - 1].map((place) => place * row + row / 2);
      const path = `M4 ${start}C48 ${start} 48 ${end} 92 ${end}`;
      if (ranked.grades[document] > relevant) heavy += path; else light += path;
    });
    this.part.one("[data-lines]").setAttribute("d", light);
    this.part.one("[data-heavy]").setAttribute("d", heavy);
  }
}
