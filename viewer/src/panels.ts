// The panels beside the stage: parts and their numbers, energy, the model's text.

import type { Charts } from "./charts";
import type { SceneData } from "./data";
import { el, format, unitText } from "./dom";
import type { Player } from "./player";
import type { Stage } from "./stage";

export type Part = { kind: "body" | "joint" | "sensor" | "spring" | "force"; index: number };

const mostListed = 2000; // in the tree; more would make the page slow
const mostFound = 50;

/** The tree of the mechanism, and the numbers of what is chosen in it. */
export class PartsPanel {
  readonly element = el("div", { class: "parts" });
  private numbers = el("div", { class: "numbers", "aria-live": "off" });
  private buttons = new Map<string, HTMLButtonElement>();
  private chosen: Part | null = null;
  onSelect: (part: Part | null) => void = () => {};

  constructor(
    private data: SceneData,
    private player: Player,
    private stage: Stage | null,
    private addToChart: (column: number) => void,
    private showLine: (line: number) => void,
  ) {
    const things = data.things;
    if (!things) {
      this.element.append(el("p", { class: "hint" }, data.written.problem));
      return;
    }
    const tree = el("ul", { class: "tree" });
    const done = new Set<number>();
    const below = new Map<number, number[]>(); // joints of the tree by their parent
    const carried = new Set<number>();
    things.joints.forEach((j, i) => {
      if (j.cut || j.child < 0) return;
      carried.add(j.child);
      const list = below.get(j.parent);
      if (list) list.push(i);
      else below.set(j.parent, [i]);
    });
    let left = mostListed;
    const child = (parent: number): HTMLElement[] =>
      (below.get(parent) ?? [])
        .filter((i) => !done.has(things.joints[i].child) && left-- > 0)
        .map((i) => {
          const j = things.joints[i];
          done.add(j.child);
          return el("li", {}, this.button({ kind: "joint", index: i }, j.name, j.type), el("ul", {}, this.bodyItem(j.child, child)));
        });
    const roots = child(-1);
    things.bodies.forEach((_, i) => {
      if (!done.has(i) && !carried.has(i) && left-- > 0) {
        done.add(i);
        roots.push(this.bodyItem(i, child));
      }
    });
    if (left < 0) this.element.append(el("p", { class: "hint" }, `The first ${mostListed} of ${things.bodies.length} bodies are in the tree; find any other by its name, or click it in the picture.`));
    tree.append(el("li", {}, el("span", { class: "world" }, "world"), el("ul", {}, ...roots)));
    const loops = things.joints.map((j, i) => ({ j, i })).filter(({ j }) => j.cut);
    this.element.append(this.finder(), tree);
    this.list("Joints that close loops", loops.map(({ j, i }) => this.button({ kind: "joint", index: i }, j.name, j.type)));
    this.list("Springs", things.springs.map((s, i) => this.button({ kind: "spring", index: i }, s.name, "spring")));
    this.list("Forces", things.forces.map((f, i) => this.button({ kind: "force", index: i }, f.name, "force")));
    this.list("Sensors", things.sensors.map((s, i) => this.button({ kind: "sensor", index: i }, s.name, s.at ? "point" : "value")));
    this.element.append(this.numbers);
    player.onChange(() => this.showNumbers());
  }

  /** A field for a part of a name, and what is called so. */
  private finder(): HTMLElement {
    const { bodies, joints, springs, forces, sensors } = this.data.things!;
    const kinds: [Part["kind"], { name: string }[]][] = [["body", bodies], ["joint", joints], ["spring", springs], ["force", forces], ["sensor", sensors]];
    const list = el("ul", { class: "tree flat" });
    const input = el("input", { type: "search", class: "finder", placeholder: "find a part by its name", "aria-label": "Find a part by its name", input: () => {
      const wanted = input.value.trim().toLowerCase();
      const found: HTMLElement[] = [];
      for (const [kind, parts] of kinds)
        for (let index = 0; wanted && index < parts.length && found.length < mostFound; ++index)
          if (parts[index].name.toLowerCase().includes(wanted)) found.push(this.partButton({ kind, index }, parts[index].name, kind));
      list.replaceChildren(...found.map((b) => el("li", {}, b)));
      if (wanted && found.length === 0) list.append(el("li", { class: "hint" }, "nothing has this name"));
      if (found.length === mostFound) list.append(el("li", { class: "hint" }, `the first ${mostFound}; type more of the name`));
    } });
    return el("div", {}, input, list);
  }

  private bodyItem(i: number, child: (parent: number) => HTMLElement[]): HTMLLIElement {
    const below = child(i);
    return el("li", {}, this.button({ kind: "body", index: i }, this.data.things!.bodies[i].name, this.data.things!.bodies[i].elastic ? "elastic body" : "body"), below.length > 0 && el("ul", {}, ...below));
  }
  private partButton(part: Part, name: string, kind: string) {
    return el("button", { class: `part ${part.kind}`, "aria-pressed": "false", click: () => this.select(part) }, el("span", {}, name), " ", el("small", {}, kind));
  }
  private button(part: Part, name: string, kind: string) {
    const button = this.partButton(part, name, kind);
    this.buttons.set(`${part.kind} ${part.index}`, button);
    return button;
  }
  private list(title: string, buttons: HTMLElement[]) {
    if (buttons.length === 0) return;
    this.element.append(el("h3", {}, title), el("ul", { class: "tree flat" }, ...buttons.map((b) => el("li", {}, b))));
  }

  select(part: Part | null) {
    this.chosen = part;
    for (const [key, button] of this.buttons) button.setAttribute("aria-pressed", String(part !== null && key === `${part.kind} ${part.index}`));
    this.showNumbers(true);
    this.onSelect(part);
    if (part) this.buttons.get(`${part.kind} ${part.index}`)?.scrollIntoView({ block: "nearest" });
  }

  private cells: [HTMLElement, () => string][] = [];
  private showNumbers(anew = false) {
    if (anew) this.rebuild();
    for (const [cell, text] of this.cells) {
      const now = text();
      if (cell.textContent !== now) cell.textContent = now;
    }
  }
  private rebuild() {
    this.cells = [];
    this.numbers.replaceChildren();
    const part = this.chosen;
    const things = this.data.things;
    if (!part || !things) return;
    const table = el("table");
    const row = (name: string, text: () => string, column = -1) => {
      const cell = el("td");
      this.cells.push([cell, text]);
      const plot = el("td", {}, column >= 0 && el("button", { class: "plain", title: "Plot it", "aria-label": `Plot ${name}`, click: () => this.addToChart(column) }, "plot"));
      table.append(el("tr", {}, el("th", { scope: "row" }, name), cell, plot));
    };
    const vector = (v: readonly number[], unit: string) => `${v.map((x) => format(x, 5)).join(",  ")} ${unit}`;
    const name = { body: things.bodies, joint: things.joints, sensor: things.sensors, spring: things.springs, force: things.forces }[part.kind][part.index];
    const columns: number[] = "columns" in name ? name.columns : [];
    if (part.kind === "body") {
      const body = things.bodies[part.index];
      row("mass", () => `${format(body.mass)} kg`);
      row(body.elastic ? "centre of mass, undeformed" : "centre of mass", () => vector(body.com, "m"));
      const deflection = this.stage?.deflectionOf(part.index);
      if (deflection !== undefined) row("largest deflection", () => `${format(this.stage!.deflectionOf(part.index)! * 1e3)} mm`);
      else if (body.elastic) row("largest normal stress", () => `${format(this.data.stress(part.index, this.player.row) / 1e6)} MPa`);
      if (this.stage) {
        row("position", () => vector(this.stage!.bodyPose(part.index).position, "m"));
        row("orientation", () => vector(this.stage!.bodyPose(part.index).quaternion, "(w, x, y, z)"));
      }
    }
    if (part.kind === "joint") {
      const joint = things.joints[part.index];
      const body = (i: number) => (i < 0 ? "world" : things.bodies[i].name);
      row("type", () => joint.type);
      row("between", () => `${body(joint.parent)} and ${body(joint.child)}`);
    }
    const width = this.data.loadWidth;
    if (part.kind === "spring") row("tension", () => `${format(this.data.loads[this.player.row * width + part.index])} N`);
    if (part.kind === "force") {
      const at = () => this.player.row * width + things.springs.length + 6 * part.index;
      row("force", () => vector(Array.from(this.data.loads.subarray(at(), at() + 3)), "N"));
      row("moment", () => vector(Array.from(this.data.loads.subarray(at() + 3, at() + 6)), "N·m"));
    }
    for (const c of columns.filter((i) => i >= 0)) {
      const column = this.data.columns[c];
      row(column.name, () => `${format(this.data.value(c, this.player.row))} ${unitText(column.unit)}`, c);
    }
    this.numbers.append(el("h3", {}, name.name), table);
    if (name.line > 0) this.numbers.append(el("button", { class: "link", click: () => this.showLine(name.line) }, `line ${name.line} of the model`));
  }
}

/** The account of energy at the time shown, and its curves. */
export function energyPanel(data: SceneData, player: Player, charts: Charts): { element: HTMLElement; shown: () => void } {
  const words: Record<string, string> = {
    kinetic: "in motion",
    potential: "in height and springs",
    total: "kinetic and potential together",
    dissipated: "taken out by dampers and friction since the start",
    drive: "work done by drives since the start",
    external: "work done by external forces since the start",
    ledger: "what is missing in this account; exactly solved, it would be 0",
    "constraint.position": "largest gap in loops and constraints",
    "constraint.velocity": "the same for velocities",
  };
  const element = el("div", { class: "energy" });
  const table = el("table");
  const columns = data.columns.filter((c) => /^(energy|constraint)\./.test(c.name));
  const cells = columns.map((c) => {
    const cell = el("td", { "data-column": c.name });
    const name = c.name.replace(/^energy\./, "");
    table.append(el("tr", {}, el("th", { scope: "row" }, name), cell, el("td", { class: "hint" }, words[name] ?? "")));
    return cell;
  });
  const fill = () => columns.forEach((c, i) => (cells[i].textContent = `${format(data.value(c.index, player.row), 8)} ${unitText(c.unit)}`));
  const curves = el("div");
  element.append(table, curves);
  player.onChange(() => element.isConnected && fill());
  fill();
  let made = false;
  const shown = () => {
    fill();
    if (made) return;
    made = true;
    const named = (...names: string[]) => names.map((n) => data.find(n)).filter((i) => i >= 0);
    const add = (title: string, list: number[]) => {
      if (list.length === 0) return;
      curves.append(el("h3", {}, title));
      charts.make(list, curves, true);
    };
    add("Energies", named("energy.kinetic", "energy.potential", "energy.total"));
    add("Exchanged", named("energy.dissipated", "energy.drive", "energy.external"));
    add("How far the account is from closing", named("energy.ledger"));
    add("How far loops and constraints are from being closed", data.columns.filter((c) => c.name.startsWith("constraint.")).map((c) => c.index));
  };
  return { element, shown };
}

export function modelPanel(data: SceneData): { element: HTMLElement; shown: () => void; show: (line: number) => void } {
  const list = el("ol", { class: "source" });
  const lines = data.written.text.replace(/\n$/, "").split("\n");
  const hint = !data.written.text
    ? "The text of the model is not with this result."
    : data.written.lines > lines.length && `The first ${lines.length} of ${data.written.lines} lines.`;
  const element = el("div", {}, hint && el("p", { class: "hint" }, hint), data.written.text ? list : null);
  let items: HTMLLIElement[] = [];
  const shown = () => {
    if (items.length) return;
    items = lines.map((line) => el("li", {}, el("code", {}, line)));
    list.append(...items);
  };
  return {
    element,
    shown,
    show: (line) => {
      shown();
      for (const item of items) item.classList.remove("shown");
      const item = items[line - 1];
      item?.classList.add("shown");
      item?.scrollIntoView({ block: "center" });
    },
  };
}
