/** Buttons of the bar: `text` gives what is asked for, by its kind. */
const handOut = (text) => {
  for (const button of document.querySelectorAll("[data-save]")) {
    button.addEventListener("click", () => {
      const { save: kind } = button.dataset, link = document.createElement("a");
      link.download = `riskrank.${kind}`;
      link.href = URL.createObjectURL(new Blob([text(kind)], { type: "text/plain" }));
      link.click();
      setTimeout(() => URL.revokeObjectURL(link.href), 1000);
    });
  }
  for (const button of document.querySelectorAll("[data-copy]")) {
    button.addEventListener("click", async () => {
      const label = button.textContent;
      await copy(text(button.dataset.copy));
      button.textContent = "Copied";
      setTimeout(() => { button.textContent = label; }, 1500);
    });
  }
};

const copy = async (text) => {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    const field = document.createElement("textarea");
    field.value = text;
    document.body.append(field);
    field.select();
    document.execCommand("copy");
    field.remove();
  }
};
