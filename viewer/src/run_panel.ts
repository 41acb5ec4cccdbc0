// The run in words and tables: what its loops leave free, how far formulations agree, summary, settings.

import type { SceneData } from "./data";
import { el, format } from "./dom";

type Row = Record<string, unknown>;
const isTable = (x: unknown): x is Row[] => Array.isArray(x) && x.length > 0 && x.every((r) => typeof r === "object" && r !== null && !Array.isArray(r));

/** Any JSON as a table: names and values, lists of objects with a column for each key. */
function valueNode(value: unknown): Node | string {
  if (typeof value === "number") return format(value, 8);
  if (isTable(value)) {
    const keys = [...new Set(value.flatMap((r) => Object.keys(r)))];
    const table = el("table", { class: "grid" }, el("tr", {}, ...keys.map((k) => el("th", {}, k))));
    for (const r of value.slice(0, 500)) table.append(el("tr", {}, ...keys.map((k) => el("td", {}, k in r ? valueNode(r[k]) : ""))));
    return table;
  }
  if (Array.isArray(value)) return value.length === 0 ? "none" : value.map((v) => (typeof v === "number" ? format(v, 8) : String(v))).join(", ");
  if (typeof value === "object" && value !== null) {
    const table = el("table");
    for (const [k, v] of Object.entries(value)) table.append(el("tr", {}, el("th", { scope: "row" }, k.replaceAll("_", " ")), el("td", {}, valueNode(v))));
    return table;
  }
  return String(value);
}

/** Of objects, the keys that are given, with words for them. */
function chosenTable(rows: Row[], keys: Record<string, string>): HTMLElement {
  const present = Object.keys(keys).filter((k) => rows.some((r) => r[k] !== undefined && r[k] !== null && r[k] !== ""));
  const table = el("table", { class: "grid" }, el("tr", {}, ...present.map((k) => el("th", {}, keys[k]))));
  for (const r of rows.slice(0, 500)) table.append(el("tr", {}, ...present.map((k) => el("td", { "data-key": k }, r[k] === undefined || r[k] === null ? "" : typeof r[k] === "number" ? format(r[k] as number, 4) : valueNode(r[k])))));
  return el("div", { class: "wide-table" }, table);
}

/** The table of `sarrus verify`: its verdict, each formulation, each quantity. */
function verifyNode(v: Row): HTMLElement {
  const node = el("div", { class: "verify" }, el("p", { class: `verdict ${String(v.verdict)}` }, String(v.sentence ?? v.verdict)));
  const formulations = ((v.formulations as Row[]) ?? []).map((f) => ({ ...f, limit: f.lacks ?? f.limit }));
  if (formulations.length) node.append(chosenTable(formulations, { name: "formulation", integrator: "integrator", setting: "setting", digits: "digits", with: "agrees with", own_error: "own error", limit: "limit" }));
  const quantities = (v.quantities as Row[]) ?? [];
  if (quantities.length) node.append(chosenTable(quantities, { quantity: "quantity", unit: "unit", size: "size", digits: "digits", largest_difference: "largest difference", between: "between" }));
  const audits = (v.audits as Row[]) ?? [];
  if (audits.length) node.append(chosenTable(audits, Object.fromEntries(Object.keys(audits[0]).map((k) => [k, k.replaceAll("_", " ")]))));
  return node;
}

/** What `sarrus check` says about loops. */
function mobilityNode(m: Row): HTMLElement {
  const n = (key: string) => Number(m[key]);
  const facts: [string, string][] = [["degrees of freedom", n("position_freedoms") > n("freedoms") ? `${n("freedoms")} in velocity, ${n("position_freedoms")} in position` : String(n("freedoms"))]];
  facts.push(["velocities of free bodies", String(n("velocities"))], ["rows of joints", String(n("rows"))], ["rank", m.clear_gap === false ? `${n("rank")}, not clear: near a position where it changes` : String(n("rank"))]);
  if (n("counted") !== n("freedoms")) facts.push(["counted alone (Kutzbach)", String(n("counted"))]);
  facts.push(["redundant constraint equations", String(n("redundant"))]);
  if (m.singular_here) facts.push(["singular position", `nearby the rank is ${n("generic_rank")}`]);
  const table = el("table");
  for (const [name, value] of facts) table.append(el("tr", {}, el("th", { scope: "row" }, name), el("td", { "data-fact": name }, value)));
  const node = el("div", { class: "mobility" }, table);
  const list = (items: string[]) => items.length && node.append(el("ul", {}, ...items.map((w) => el("li", {}, w))));
  list(((m.sets as Row[]) ?? []).map((s) => String(s.words)));
  list(((m.changes as string[]) ?? []).map((c) => `to remove it: ${c}`));
  const shared = ((m.reactions as { element: string; components: string[] }[]) ?? []).filter((r) => r.components.includes("shared"));
  if (shared.length) {
    const names = ["force x", "force y", "force z", "moment x", "moment y", "moment z"];
    const rows = shared.map((r) => ({ element: r.element.replace(/^joint\//, ""), ...Object.fromEntries(r.components.map((c, i) => [names[i], c === "not carried" ? "·" : c])) }));
    node.append(el("p", { class: "hint" }, "Reactions that are shared depend on what is stiff; unique ones follow from the motion."), chosenTable(rows, { element: "joint", ...Object.fromEntries(names.map((x) => [x, x])) }));
  }
  return node;
}

export function runPanel(data: SceneData): HTMLElement {
  const w = data.written;
  const element = el("div", { class: "run" });
  const section = (title: string, content: Node | string) => element.append(el("h3", {}, title), el("div", {}, content));
  const { mobility, verify, mode, ...facts } = data.summary as Record<string, Row>;
  if (mode) section("Mode of vibration", valueNode(mode));
  if (verify) section("Agreement of the formulations", verifyNode(verify));
  if (mobility) section("Freedoms and loops", mobilityNode(mobility));
  if (w.notes.length) section("Notes", el("ul", {}, ...w.notes.map((n) => el("li", {}, n))));
  if (Object.keys(facts).length) section("Summary", valueNode(facts));
  if (w.settings && Object.keys(w.settings).length) section("Settings", valueNode(w.settings));
  if (data.things && Object.keys(data.things.parameters).length) section("Parameters", valueNode(data.things.parameters));
  section("Versions", valueNode({ "run with": `Sarrus ${w.sarrus}`, "shown with": `Sarrus ${w.viewed_with}` }));
  return element;
}
