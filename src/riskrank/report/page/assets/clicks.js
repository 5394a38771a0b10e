const NEAR = 16; // px from a dot
const all = (selector) => [...document.querySelectorAll(selector)];
const rows = all("tr[data-choice]"), plot = document.querySelector("[data-plot]");

const choose = (number) => {
  for (const each of all("[data-of]")) each.toggleAttribute("hidden", each.dataset.of !== number);
  for (const each of all("[data-choice]")) each.classList.toggle("chosen", each.dataset.choice === number);
  for (const row of rows) mark(row.querySelector("[data-row]"), row.dataset.choice === number);
};

const nearest = ({ clientX, clientY }) => {
  let best = null, least = NEAR;
  for (const dot of all(".dot[data-choice]")) {
    const box = dot.querySelector("circle").getBoundingClientRect();
    const away = Math.hypot((box.left + box.right) / 2 - clientX, (box.top + box.bottom) / 2 - clientY);
    if (away < least) { least = away; best = dot.dataset.choice; }
  }
  return best;
};

for (const row of rows) row.addEventListener("click", () => choose(row.dataset.choice));
plot.addEventListener("click", (event) => { const near = nearest(event); if (near !== null) choose(near); });
plot.addEventListener("pointermove", (event) => plot.classList.toggle("near", nearest(event) !== null));

const [{ exports }] = JSON.parse(document.getElementById("riskrank-data").textContent);
handOut((kind) => exports[kind]);
