// Numbers come rounded as they are written.
const known = (x) => x !== null && x !== undefined;
const fixed = (x, digits) => (x < 0 ? "−" : "") + Math.abs(x).toFixed(digits);
const signed = (x, digits) => (x > 0 ? "+" : "") + fixed(x === 0 ? 0 : x, digits);
const counted = (n) => n.toLocaleString("en");
const sign = (x) => (x > 0 ? "gain" : x < 0 ? "loss" : "open");

const make = (tag, attributes = {}, ...children) => {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name === "text") element.textContent = value;
    else element.setAttribute(name, value);
  }
  element.append(...children);
  return element;
};

/** Text whose hyphenated words, names above all, break only where a line is too short for them. */
const say = (element, text) => element.replaceChildren(...text.split(/(\S+-\S+)/)
  .map((piece, k) => (k % 2 ? make("span", { class: "one-word", text: piece }) : piece)));

/** What is written into its own places of the page; `name` is its `data-value`. */
const write = (root, name, text) => {
  for (const each of root.querySelectorAll(`[data-value=${name}]`)) each.textContent = text;
};

const mark = (element, isMarked) => {
  if (isMarked) element.setAttribute("aria-current", "true");
  else element.removeAttribute("aria-current");
};

const VERDICTS = ["gain", "open", "loss", "none"];
/** The class of a verdict; false where it has it already. */
const judge = (element, verdict) => {
  if (element.classList.contains(verdict)) return false;
  element.classList.remove(...VERDICTS);
  element.classList.add(verdict);
  return true;
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
