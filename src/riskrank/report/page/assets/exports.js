/** A button of the bar that hands out a file. */
const onSave = (kind, text) => {
  document.querySelector(`[data-save=${kind}]`)?.addEventListener("click", () => {
    const link = document.createElement("a");
    link.download = `riskrank.${kind}`;
    link.href = URL.createObjectURL(new Blob([text()], { type: "text/plain" }));
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 1000);
  });
};

/** A button of the bar that copies text. */
const onCopy = (kind, text) => {
  document.querySelector(`[data-copy=${kind}]`)?.addEventListener("click", async ({ currentTarget: button }) => {
    const label = button.textContent;
    try {
      await navigator.clipboard.writeText(text());
    } catch {
      const field = document.createElement("textarea");
      field.value = text();
      document.body.append(field);
      field.select();
      document.execCommand("copy");
      field.remove();
    }
    button.textContent = "Copied";
    setTimeout(() => { button.textContent = label; }, 1500);
  });
};
