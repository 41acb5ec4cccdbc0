// Plots: any columns over time, several in one chart, all charts linked to the time that is shown.

import uPlot from "uplot";
import "uplot/dist/uPlot.min.css";
import type { SceneData } from "./data";
import { el, format, unitText } from "./dom";
import type { Player } from "./player";

export const lineColors = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#8b7ad8", "#7f7f7f"];
const mostAtOnce = 8;
const mostOffered = 5000; // names in the list of a chart; others can be typed

/** A column for uPlot: what is no number becomes a gap. */
function plottable(values: Float64Array): Float64Array | (number | null)[] {
  for (const x of values) if (!Number.isFinite(x)) return Array.from(values, (v) => (Number.isFinite(v) ? v : null));
  return values;
}

const css = (name: string) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

export class Chart {
  readonly element: HTMLElement;
  private plot: uPlot | null = null;
  private readonly area = el("div", { class: "plot" });
  private readonly chips = el("div", { class: "chips" });
  private hovered = false;

  constructor(
    private data: SceneData,
    private player: Player,
    public columns: number[],
    private charts: Charts,
    fixed = false,
  ) {
    this.element = el("section", { class: "chart" });
    const head = el("div", { class: "chart-head" }, this.chips);
    if (!fixed) head.append(el("span", { class: "chart-tools" }, this.picker(), this.closer()));
    this.element.append(head, this.area);
    new ResizeObserver(() => this.plot?.setSize(this.wanted())).observe(this.area);
  }

  private picker() {
    const list = el("datalist", { id: `columns-${++lists}` });
    for (const c of this.data.columns.slice(1, mostOffered)) list.append(el("option", { value: c.name }));
    const input = el("input", {
      list: list.id,
      placeholder: "add a quantity",
      "aria-label": "Add a quantity to this chart",
      class: "picker",
      change: () => {
        const column = this.data.find(input.value);
        if (column > 0) this.add(column);
        input.value = "";
      },
    });
    return el("span", {}, input, list);
  }
  private closer() {
    return el("button", { class: "plain", title: "Remove this chart", "aria-label": "Remove this chart", click: () => this.charts.remove(this) }, "×");
  }

  add(column: number) {
    if (this.columns.includes(column)) return;
    if (this.columns.length >= mostAtOnce) this.columns.shift();
    this.columns.push(column);
    this.build();
  }
  private drop(column: number) {
    this.columns = this.columns.filter((c) => c !== column);
    this.build();
  }

  private wanted() {
    return { width: Math.max(200, this.area.clientWidth), height: Math.max(120, this.area.clientHeight) };
  }

  /** Makes the chart anew: other columns, or another theme. */
  build() {
    this.plot?.destroy();
    this.plot = null;
    this.chips.replaceChildren(
      ...this.columns.map((c, i) => {
        const chip = el("span", { class: "chip" });
        const mark = el("i");
        mark.style.background = lineColors[i % lineColors.length];
        const value = el("output", { "data-column": this.data.columns[c].name });
        chip.append(mark, el("span", {}, this.data.columns[c].name), value);
        chip.append(el("button", { class: "plain", "aria-label": `Remove ${this.data.columns[c].name}`, click: () => this.drop(c) }, "×"));
        return chip;
      }),
    );
    if (this.columns.length === 0) this.chips.append(el("span", { class: "hint" }, "Choose a quantity to plot."));
    const units = [...new Set(this.columns.map((c) => this.data.columns[c].unit))];
    const ink = css("--ink-soft");
    const line = css("--line");
    const axis = (extra: object) => ({
      stroke: ink,
      grid: { stroke: line, width: 1 },
      ticks: { stroke: line, width: 1, size: 4 },
      font: "11px system-ui, sans-serif",
      ...extra,
    });
    const options: uPlot.Options = {
      ...this.wanted(),
      legend: { show: false },
      cursor: { sync: { key: "sarrus" }, drag: { x: true, y: false }, points: { size: 6 }, focus: { prox: 24 } },
      scales: { x: { time: false }, ...Object.fromEntries(units.map((u) => [`y${u}`, {}])) },
      axes: [
        axis({ label: "time [s]", labelSize: 18, labelFont: "11px system-ui, sans-serif", size: 32, values: (_: uPlot, ticks: number[]) => ticks.map((t) => format(t, 8)) }),
        ...units.slice(0, 2).map((u, i) =>
          axis({
            scale: `y${u}`,
            side: i === 0 ? 3 : 1,
            label: u ? `[${unitText(u)}]` : "",
            labelSize: 16,
            labelFont: "11px system-ui, sans-serif",
            size: 62,
            grid: { show: i === 0, stroke: line, width: 1 },
            values: (_: uPlot, ticks: number[]) => ticks.map((t) => format(t, 10)),
          }),
        ),
      ],
      series: [
        {},
        ...this.columns.map((c, i) => ({
          label: this.data.columns[c].name,
          scale: `y${this.data.columns[c].unit}`,
          stroke: lineColors[i % lineColors.length],
          width: 1.5,
          points: { show: false },
        })),
      ],
      hooks: {
        draw: [(u) => this.drawNow(u)],
        setCursor: [(u) => this.showValues(u)],
        setScale: [(u, key) => key === "x" && this.charts.zoomed(this, u.scales.x.min!, u.scales.x.max!)],
        ready: [(u) => this.listen(u)],
      },
    };
    if (this.data.rows === 0) return; // nothing to give the axes a range
    this.plot = new uPlot(options, this.values(), this.area);
    this.charts.zoomNew(this);
    this.showTime();
  }

  private values(): uPlot.AlignedData {
    return [this.data.time, ...this.columns.map((c) => plottable(this.data.column(c)))] as unknown as uPlot.AlignedData;
  }

  private listen(u: uPlot) {
    u.over.addEventListener("mouseenter", () => (this.hovered = true));
    u.over.addEventListener("mouseleave", () => {
      this.hovered = false;
      this.showTime();
    });
    u.over.addEventListener("click", () => {
      if (u.select.width > 0 || u.cursor.left == null || u.cursor.left < 0) return;
      this.player.pause();
      this.player.goToTime(u.posToVal(u.cursor.left, "x"));
    });
  }

  /** The line of the time that is shown. */
  private drawNow(u: uPlot) {
    const x = Math.round(u.valToPos(this.player.time, "x", true));
    const { left, top, width, height } = u.bbox;
    if (x < left || x > left + width) return;
    u.ctx.save();
    u.ctx.strokeStyle = css("--accent");
    u.ctx.lineWidth = 1.5 * devicePixelRatio;
    u.ctx.beginPath();
    u.ctx.moveTo(x, top);
    u.ctx.lineTo(x, top + height);
    u.ctx.stroke();
    u.ctx.restore();
  }

  private showValues(u: uPlot) {
    const row = u.cursor.idx != null && (this.hovered || u.cursor.left! >= 0) ? u.cursor.idx : this.player.row;
    const outputs = this.chips.querySelectorAll("output");
    this.columns.forEach((c, i) => {
      if (outputs[i]) outputs[i].textContent = ` ${format(this.data.value(c, row))} ${unitText(this.data.columns[c].unit)}`;
    });
  }

  showTime() {
    if (!this.plot || !this.element.isConnected || this.area.clientWidth === 0) return;
    this.plot.redraw(false, false);
    if (!this.hovered) this.showValues(this.plot);
  }
  rowsArrived() {
    this.plot?.setData(this.values(), this.charts.range === null);
  }
  zoom(range: [number, number] | null) {
    if (!this.plot) return;
    const [min, max] = range ?? [this.player.start, this.player.end];
    if (this.plot.scales.x.min !== min || this.plot.scales.x.max !== max) this.plot.setScale("x", { min, max });
  }
  get scaleX() {
    return this.plot ? [this.plot.scales.x.min, this.plot.scales.x.max] : null;
  }
  destroy() {
    this.plot?.destroy();
    this.element.remove();
  }
}
let lists = 0;

/** All charts of the page: one time axis for all of them. */
export class Charts {
  readonly list: Chart[] = [];
  range: [number, number] | null = null; // what is zoomed to
  private zooming = false;

  constructor(
    private data: SceneData,
    private player: Player,
  ) {
    player.onChange(() => this.list.forEach((c) => c.showTime()));
  }
  make(columns: number[], holder: HTMLElement, fixed = false) {
    const chart = new Chart(this.data, this.player, columns, this, fixed);
    holder.append(chart.element);
    this.list.push(chart);
    chart.build();
    return chart;
  }
  remove(chart: Chart) {
    chart.destroy();
    this.list.splice(this.list.indexOf(chart), 1);
  }
  /** The user zoomed one chart: the others follow. */
  zoomed(by: Chart, min: number, max: number) {
    if (this.zooming) return;
    const whole = min <= this.player.start && max >= this.player.end;
    this.range = whole ? null : [min, max];
    this.zooming = true;
    for (const chart of this.list) if (chart !== by) chart.zoom(this.range);
    this.zooming = false;
  }
  zoomNew(chart: Chart) {
    if (!this.range) return;
    this.zooming = true;
    chart.zoom(this.range);
    this.zooming = false;
  }
  rebuild() {
    for (const chart of this.list) chart.build();
  }
  rowsArrived() {
    this.zooming = true;
    for (const chart of this.list) chart.rowsArrived();
    this.zooming = false;
  }
}

/** What is worth a first look: coordinates of joints, else sensors, else energies. */
export function firstColumns(data: SceneData): number[] {
  const has = (pattern: RegExp) => data.columns.filter((c) => c.index > 0 && pattern.test(c.name) && !c.name.startsWith("energy.") && c.unit !== "");
  const coordinates = has(/\.q\d*$/);
  const sensors = has(/\.[xyz]$/);
  const chosen = coordinates.length ? coordinates : sensors.length ? sensors : data.columns.filter((c) => /^energy\.(kinetic|potential|total)$/.test(c.name));
  const unit = chosen[0]?.unit;
  return chosen.filter((c) => c.unit === unit).slice(0, 4).map((c) => c.index);
}
