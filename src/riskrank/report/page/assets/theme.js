const root = document.documentElement;
root.classList.add("scripted");
document.querySelector("[data-theme-button]").addEventListener("click", () => {
  const isDark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  root.dataset.theme = isDark ? "light" : "dark";
});
addEventListener("beforeprint", () => { for (const each of document.querySelectorAll("[data-method]")) each.open = true; });
