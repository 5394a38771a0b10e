const [{ csv }] = JSON.parse(document.getElementById("riskrank-data").textContent);
onSave("csv", () => csv);
