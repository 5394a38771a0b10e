const NEAR = 16; // px from a dot
const STEP = 12, SAMPLE = 8; // px: places that are tried for the name of break-even, and where each of them is looked at

/** One plot of risk and gain; a part may have two, of which one is shown. */
class TradeoffPlot {
  constructor(element, part) {
    this.element = element;
    this.part = part;
    this.ends = JSON.parse(element.dataset.ends); // where break-even leaves the plot, at each stop
    this.zero = +element.dataset.zero;
    this.dots = [...element.querySelectorAll(".dot")];
    this.afterDots = this.dots.at(-1).nextElementSibling;
    this.places = this.dots.map((dot) => [+dot.dataset.system, parseFloat(dot.getAttribute("x")), parseFloat(dot.getAttribute("y"))]);
    element.addEventListener("pointermove", (event) => this.hover(event));
    element.addEventListener("pointerleave", hideTip);
    element.addEventListener("click", (event) => {
      const near = this.nearest(event);
      if (near !== null) part.ask(near);
    });
  }

  one(selector) { return this.element.querySelector(selector); }
  get height() { return this.element.firstElementChild.clientHeight; }

  hover(event) {
    const near = this.nearest(event);
    this.element.classList.toggle("near", near !== null);
    if (near === null) { hideTip(); return; }
    const { name, gain, low, high, risk, hurt } = this.part.systems[near], text = (x) => this.part.gain(x);
    const interval = known(low) ? ` (${text(low)} to ${text(high)})` : "";
    const count = this.part.data.topics.count;
    showTip(event, [name, `gain ${text(gain)}${interval}`, `mean loss ${fixed(risk, 4)} · hurts ${counted(hurt)} of ${counted(count)}`]);
  }

  nearest(event) {
    const box = this.element.getBoundingClientRect();
    const [x, y] = [event.clientX - box.left, event.clientY - box.top];
    let best = null, least = NEAR;
    for (const [number, across, down] of this.places) {
      const away = Math.hypot((across / 100) * box.width - x, (down / 100) * this.height - y);
      if (away < least) { least = away; best = number; }
    }
    return best;
  }

  weigh(stop, weight) {
    for (const dot of this.dots) judge(dot, this.part.verdict(this.part.systems[+dot.dataset.system]));
    const [x, y] = this.ends[stop], { zero } = this;
    this.one("[data-even]").setAttribute("points", `0,${zero} ${x},${y}`);
    this.one("[data-region]").setAttribute("points", `0,${zero} ${x},${y} 100,${y} 100,100 0,100`);
    const label = this.one("[data-even-label]"), text = label.firstElementChild;
    text.textContent = stop ? `break-even: losses weigh ${weight}×` : "break-even: losses weigh as much as gains";
    if (!this.element.clientWidth) return;
    const end = this.freeEnd(x, y, text.getComputedTextLength());
    label.setAttribute("x", `${x * end}%`);
    label.setAttribute("y", `${zero + (y - zero) * end}%`);
    text.setAttribute("x", 0);
    text.setAttribute("transform", `rotate(${(this.angle(x, y) * 180) / Math.PI})`);
  }

  angle(x, y) {
    return Math.atan2(((y - this.zero) / 100) * this.element.clientHeight, (x / 100) * this.element.clientWidth);
  }

  /** Where along break-even a name of a size ends that meets fewest dots and names; as a share of the line. */
  freeEnd(x, y, size) {
    const { clientWidth: width, clientHeight: height } = this.element, angle = this.angle(x, y);
    const length = Math.hypot((x / 100) * width, ((y - this.zero) / 100) * height), taken = this.taken();
    let best = length - 6, fewest = Infinity;
    for (let end = length - 6; fewest && end >= Math.min(length - 6, size + 4); end -= STEP) {
      let meets = 0;
      for (let at = end - size; at <= end; at += SAMPLE) {
        const px = at * Math.cos(angle) - 11 * Math.sin(angle), py = (this.zero / 100) * height + at * Math.sin(angle) + 11 * Math.cos(angle);
        if (py > height - 2 || px > width) meets += 1;
        meets += taken.filter((box) => px > box[0] - 6 && px < box[2] + 6 && py > box[1] - 7 && py < box[3] + 7).length;
      }
      if (meets < fewest) { fewest = meets; best = end; }
    }
    return best / length;
  }

  /** What dots and names cover, in px of the plot. */
  taken() {
    const frame = this.element.getBoundingClientRect();
    const names = [...this.element.querySelectorAll(".label:not(.beside) > text, .baseline")]
      .map((each) => each.getBoundingClientRect()).filter((box) => box.width)
      .map((box) => [box.left - frame.left, box.top - frame.top, box.right - frame.left, box.bottom - frame.top]);
    const dots = this.places.map(([, x, y]) => [(x / 100) * frame.width, (y / 100) * this.height]);
    return [...names, ...dots.map(([x, y]) => [x - 5, y - 5, x + 5, y + 5])];
  }

  /** The chosen system has a ring and a name; other names make room for it. */
  choose(number) {
    for (const dot of this.dots) dot.classList.toggle("chosen", +dot.dataset.system === number);
    const labels = [...this.element.querySelectorAll(".label:not([data-moving])")];
    for (const each of labels) {
      each.classList.toggle("chosen", +each.dataset.system === number);
      each.classList.remove("beside");
    }
    const dot = this.dots.find((each) => +each.dataset.system === number), moving = this.one("[data-moving]");
    if (dot) this.afterDots.before(dot); // on all others
    const shown = labels.filter((each) => each.getClientRects().length);
    const own = shown.find((each) => +each.dataset.system === number);
    moving.toggleAttribute("hidden", Boolean(own) || !dot);
    if (!own && dot) this.move(moving, dot, this.part.systems[number].name);
    const kept = [own || (dot && moving)].filter(Boolean).map((each) => each.querySelector("text").getBoundingClientRect());
    for (const each of shown) {
      if (each === own) continue;
      const box = each.querySelector("text").getBoundingClientRect();
      const meets = kept.some((other) => box.left < other.right && other.left < box.right && box.top < other.bottom - 2 && other.top < box.bottom - 2);
      each.classList.toggle("beside", meets);
      if (!meets) kept.push(box);
    }
  }

  /** A name for a dot that has none of its own. */
  move(label, dot, name) {
    for (const attribute of ["x", "y"]) label.setAttribute(attribute, dot.getAttribute(attribute));
    const text = label.firstElementChild, isRight = parseFloat(dot.getAttribute("x")) > 60;
    text.textContent = name.length > 28 ? `${name.slice(0, 18)}…${name.slice(-9)}` : name;
    text.setAttribute("text-anchor", isRight ? "end" : "start");
    text.setAttribute("x", isRight ? -12 : 12);
  }
}
