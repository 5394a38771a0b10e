(() => {
  "use strict";
  const [{ csv }] = JSON.parse(document.getElementById("riskrank-data").textContent);
  document.querySelector("[data-csv]").addEventListener("click", () => {
    const link = document.createElement("a");
    link.download = "riskrank.csv";
    link.href = URL.createObjectURL(new Blob([csv], { type: "text/csv" }));
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 1000);
  });
})();
