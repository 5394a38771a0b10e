/** The slider, its marker and what it says, at a stop. */
const moveRail = (root, { alphas, weights, places }, stop) => {
  const all = (selector) => root.querySelectorAll(selector), isAlpha = root.querySelector("[data-alpha-text]");
  for (const slider of all("[data-alpha]")) {
    slider.value = stop;
    slider.setAttribute("aria-valuetext", `${isAlpha ? `α = ${alphas[stop]}, ` : ""}losses weigh ${weights[stop]} times`);
  }
  for (const each of all("[data-alpha-text]")) each.textContent = alphas[stop];
  for (const each of all("[data-weight]")) each.textContent = `${weights[stop]}×`;
  for (const each of all("[data-marker]")) each.style.left = `${places[stop]}%`;
};
