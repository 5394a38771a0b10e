// The numbers of a part, as files name them: those of the script have short names.

const named = ({ data: { fields } }, system) =>
  Object.fromEntries(Object.entries(fields).filter(([key]) => known(system[key])).map(([key, name]) => [name, system[key]]));

const atStop = ({ data: { alphas, fields, verdicts } }, system, stop) => ({
  alpha: alphas[stop],
  ...Object.fromEntries(Object.entries(system.at).map(([key, values]) => [fields[key], values[stop]])),
  verdict: verdicts[system.verdicts[stop]][1],
});

/** Systems in the order of the table, at the alpha that is chosen. */
const systemsCsv = (part) => {
  const quoted = (value) => {
    const text = known(value) ? `${value}` : "";
    const safe = /^[=+\-@\t\r]/.test(text) && Number.isNaN(Number(text)) ? `'${text}` : text; // a spreadsheet would compute it
    return /[",\n\r]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
  };
  const rows = part.table.rows.map((row) => part.table.system(row))
    .map((system) => ({ system: system.name, ...named(part, system), ...atStop(part, system, part.stop) }));
  const names = [...new Set(rows.flatMap(Object.keys))];
  return `${[names, ...rows.map((row) => names.map((name) => row[name]))].map((line) => line.map(quoted).join(",")).join("\n")}\n`;
};

/** All systems at all stops, with the topics that the page keeps. */
const partJson = (part) => {
  const { data } = part, { measure, unit, baseline, level, correction, topics } = data;
  const kept = (system) => {
    const own = topics && topics.kept[system.number];
    return own ? own.topics.map((topic, k) => ({ topic: topics.names[topic], score: own.scores[k], baseline: topics.baseline[topic], difference: own.changes[k] })) : [];
  };
  const systems = part.systems.filter(Boolean).map((system) => ({
    system: system.name, ...named(part, system), at: data.alphas.map((_, stop) => atStop(part, system, stop)), topics: kept(system),
  }));
  return `${JSON.stringify({ format: "riskrank page", version: 1, measure, unit, baseline, level, correction, systems }, null, 1)}\n`;
};
