const [data] = JSON.parse(document.getElementById("riskrank-data").textContent);
const article = document.querySelector("article");
article.querySelector("[data-alpha]")?.addEventListener("input", ({ currentTarget: slider }) => {
  const stop = +slider.value;
  moveRail(article, data, stop);
  for (const dot of article.querySelectorAll("[data-model]")) judge(dot, data.verdicts[data.models[+dot.dataset.model][stop]]);
});
handOut((kind) => data.exports[kind]);
