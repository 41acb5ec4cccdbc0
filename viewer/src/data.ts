// The scene as the program wrote it (sarrus/show/scene.hpp), unpacked into arrays of numbers.

import { complete, type Things, type WrittenThings } from "./things";

export interface Live {
  kind: "result" | "model";
  running: boolean;
  folder: string;
}
/** One motion of the mechanism: a run, or a mode of vibration. */
interface Motion {
  title: string;
  summary: Record<string, unknown>;
  rows: { seen: number; kept: number; every: number };
  columns: { name: string; unit: string; offset: number; data?: string }[];
  time: string;
  poses: string;
  loads: string;
}
interface Written extends Motion {
  sarrus: string;
  viewed_with: string;
  status: string;
  problem: string;
  settings: Record<string, unknown>;
  notes: string[];
  text: string; // of the model, its first lines
  lines: number; // that it has in all
  things: WrittenThings | null;
  modes?: Motion[];
  live?: Live;
}
/** Rows that came while the page was open. */
export interface Chunk {
  from: number;
  to: number;
  count: number;
  every: number; // rows of the result that one of these stands for, at most
  values: string;
  poses: string;
  loads: string;
}

export function bytes(base64: string): Uint8Array {
  const text = atob(base64);
  const out = new Uint8Array(text.length);
  for (let i = 0; i < text.length; ++i) out[i] = text.charCodeAt(i);
  return out;
}
export const floats = (base64: string) => new Float32Array(bytes(base64).buffer);
const doubles = (base64: string) => new Float64Array(bytes(base64).buffer);
export const counts = (base64: string) => new Uint32Array(bytes(base64).buffer);

/** Numbers that grow at their end without being copied each time. */
class Growing<A extends Float32Array | Float64Array> {
  constructor(
    private store: A,
    private make: (n: number) => A,
    public length = store.length,
  ) {}
  get all(): A {
    return this.store.subarray(0, this.length) as A;
  }
  /** Keeps each second of the groups of so many numbers that it consists of, and the last one. */
  thin(group: number) {
    const count = this.length / group;
    const kept = Math.floor(count / 2) + 1;
    for (let i = 1; i < kept; ++i) {
      const from = Math.min(2 * i, count - 1);
      this.store.copyWithin(i * group, from * group, (from + 1) * group);
    }
    this.length = kept * group;
  }
  append(more: ArrayLike<number>) {
    if (this.length + more.length > this.store.length) {
      const larger = this.make(2 * (this.length + more.length));
      larger.set(this.store.subarray(0, this.length));
      this.store = larger;
    }
    this.store.set(more, this.length);
    this.length += more.length;
  }
}
const growing64 = (a: Float64Array) => new Growing(a, (n) => new Float64Array(n));
const growing32 = (a: Float32Array) => new Growing(a, (n) => new Float32Array(n));

const mostNumbers = 6e6; // of a page that has been open for long; the program keeps fewer

export interface Column {
  name: string;
  unit: string;
  index: number;
}

export class SceneData {
  readonly things: Things | null;
  readonly columns: Column[];
  /** Of each segment of an elastic body: its frame and where its stress is among a row's loads. */
  readonly segments: { frame: number; load: number }[] = [];
  readonly loadWidth: number;
  readonly written: Omit<Written, keyof Motion | "things" | "modes">;
  readonly modes: Motion[]; // of vibration, to choose from
  title = "";
  summary: Record<string, unknown> = {};
  seen = 0;
  every = 1; // rows of the result that one here stands for, at most
  status: string;
  private values: Growing<Float64Array>[] = [];
  private poseNumbers = growing32(new Float32Array());
  private loadNumbers = growing32(new Float32Array());

  constructor(w: Written) {
    this.things = w.things && complete(w.things);
    this.status = w.status;
    this.modes = w.modes ?? [];
    const loads = this.things ? this.things.springs.length + 6 * this.things.forces.length : 0;
    this.things?.frames.forEach((f, frame) => f.segment && this.segments.push({ frame, load: loads + this.segments.length }));
    this.loadWidth = loads + this.segments.length;
    this.columns = w.columns.map((c, index) => ({ name: c.name, unit: c.unit === "1" ? "" : c.unit, index }));
    const { title, summary, rows, columns, time, poses, loads: _, things, modes, ...rest } = w;
    this.written = rest;
    this.take(w);
  }

  /** Shows this motion. */
  take(m: Motion) {
    this.title = m.title;
    this.summary = m.summary ?? {};
    this.seen = m.rows.seen;
    this.every = m.rows.every;
    const time = doubles(m.time);
    const all = new Float64Array(m.columns.length * time.length); // one piece: columns may be very many
    this.values = m.columns.map((c, i) => {
      if (i === 0) return growing64(time);
      const out = all.subarray(i * time.length, (i + 1) * time.length).fill(c.offset);
      if (c.data) floats(c.data).forEach((d, k) => (out[k] += d));
      return growing64(out);
    });
    this.poseNumbers = growing32(floats(m.poses));
    this.loadNumbers = growing32(floats(m.loads));
  }

  get rows() {
    return this.values[0].length;
  }
  get time() {
    return this.values[0].all;
  }
  column(i: number) {
    return this.values[i].all;
  }
  value(i: number, row: number) {
    return this.values[i].all[row];
  }
  /** The index of a column; −1 where there is none of that name. */
  find(name: string) {
    this.indices ??= new Map(this.columns.map((c) => [c.name, c.index]));
    return this.indices.get(name) ?? -1;
  }
  private indices: Map<string, number> | null = null;
  get poses() {
    return this.poseNumbers.all;
  }
  get loads() {
    return this.loadNumbers.all;
  }
  /** Largest stress of a body's segments at a row [Pa]. */
  stress(body: number, row: number) {
    let most = 0;
    for (const s of this.segments)
      if (this.things!.frames[s.frame].part_of === body) most = Math.max(most, this.loads[row * this.loadWidth + s.load]);
    return most;
  }
  /** The row whose time is nearest. */
  rowAt(t: number) {
    const time = this.time;
    let low = 0;
    let high = time.length - 1;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (time[middle] <= t) low = middle;
      else high = middle;
    }
    return Math.abs(time[high] - t) < Math.abs(t - time[low]) ? high : low;
  }
  /** Appends rows; false where they do not follow those that are here. */
  append(chunk: Chunk) {
    if (chunk.from > this.seen) return false;
    const values = doubles(chunk.values);
    const width = this.columns.length;
    const after = this.rows ? this.time[this.rows - 1] : -Infinity;
    let skip = 0; // rows that are here already
    while (skip < chunk.count && values[skip * width] <= after) ++skip;
    const fresh = chunk.count - skip;
    this.values.forEach((column, c) => {
      const more = new Float64Array(fresh);
      for (let i = 0; i < fresh; ++i) more[i] = values[(skip + i) * width + c];
      column.append(more);
    });
    const poses = floats(chunk.poses);
    const loads = floats(chunk.loads);
    if (chunk.count > 0) {
      this.poseNumbers.append(poses.subarray((skip * poses.length) / chunk.count));
      this.loadNumbers.append(loads.subarray((skip * loads.length) / chunk.count));
    }
    this.seen = chunk.to;
    this.every = Math.max(this.every, chunk.every);
    return true;
  }
  /** Drops each second row where there are too many; true where it did. */
  thinIfMany(most = mostNumbers) {
    const width = this.columns.length + 7 * (this.things?.frames.length ?? 0) + this.loadWidth;
    if (this.rows * width <= most || this.rows < 4) return false;
    for (const column of this.values) column.thin(1);
    if (this.things) this.poseNumbers.thin(7 * this.things.frames.length);
    if (this.loadWidth) this.loadNumbers.thin(this.loadWidth);
    this.every *= 2;
    return true;
  }
}

export function readScene(): SceneData | null {
  const element = document.getElementById("scene");
  if (!element?.textContent) return null;
  const data = new SceneData(JSON.parse(element.textContent) as Written);
  element.remove();
  return data;
}
