// The scene as the program wrote it (sarrus/io/scene.hpp), unpacked into arrays of numbers.

export type Vec3 = [number, number, number];
export type PoseNumbers = [number, number, number, number, number, number, number]; // x y z, w x y z
export type Point = { frame: number; at: Vec3 }; // frame −1: the world

export interface Shape {
  kind: "box" | "cylinder" | "capsule" | "sphere" | "cone" | "mesh";
  pose: PoseNumbers;
  size?: Vec3;
  radius?: number;
  length?: number;
  color?: string;
  mesh?: { vertices: string; corners: string };
  simplified?: boolean;
}
export interface Body {
  name: string;
  line: number;
  mass: number;
  com: Vec3;
  com_at: Point;
  elastic: boolean;
  columns: number[];
}
/** What moves as one: a body (of the same index), or behind them a place on an elastic one. */
export interface Frame {
  part_of: number;
  segment: boolean; // drawn, with a stress among the loads
  shapes: Shape[];
}
export interface Joint {
  name: string;
  line: number;
  type: string;
  parent: number;
  child: number;
  parent_frame: number;
  child_frame: number;
  on_parent: PoseNumbers;
  on_child: PoseNumbers;
  axis: Vec3;
  axis2: Vec3;
  radius: number;
  cut: boolean;
  columns: number[];
}
export interface Spring {
  name: string;
  line: number;
  from: Point;
  to: Point;
  length?: number;
}
export interface Force {
  name: string;
  line: number;
  at: Point;
}
export interface Sensor {
  name: string;
  line: number;
  at?: Point;
  columns: number[];
  trace?: [number, number, number];
}
export interface Things {
  gravity: Vec3;
  bodies: Body[];
  frames: Frame[];
  joints: Joint[];
  springs: Spring[];
  bushings: Spring[];
  rods: Spring[]; // massless, of a fixed length: constraints of distance
  forces: Force[];
  sensors: Sensor[];
  parameters: Record<string, number>;
}
export interface Live {
  kind: "result" | "model";
  running: boolean;
  folder: string;
}
interface Written {
  title: string;
  sarrus: string;
  viewed_with: string;
  status: string;
  problem: string;
  settings: Record<string, unknown>;
  summary: Record<string, unknown>;
  notes: string[];
  text: string;
  rows: { seen: number; kept: number; every: number };
  things: Things | null;
  columns: { name: string; unit: string; offset: number; data?: string }[];
  time: string;
  poses: string;
  loads: string;
  live?: Live;
}
/** Rows that came while the page was open. */
export interface Chunk {
  from: number;
  to: number;
  count: number;
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
  /** Keeps each second of the groups of so many numbers that it consists of. */
  thin(group: number) {
    const kept = Math.ceil(this.length / group / 2);
    for (let i = 1; i < kept; ++i) this.store.copyWithin(i * group, 2 * i * group, (2 * i + 1) * group);
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
  readonly title: string;
  readonly things: Things | null;
  readonly columns: Column[];
  /** Of each segment of an elastic body: its frame and where its stress is among a row's loads. */
  readonly segments: { frame: number; load: number }[] = [];
  readonly loadWidth: number;
  readonly written: Omit<Written, "columns" | "time" | "poses" | "loads">;
  seen: number;
  every: number; // rows of the result that one here stands for, at most
  status: string;
  private values: Growing<Float64Array>[];
  private poseNumbers: Growing<Float32Array>;
  private loadNumbers: Growing<Float32Array>;

  constructor(w: Written) {
    this.title = w.title;
    this.things = w.things;
    this.status = w.status;
    this.seen = w.rows.seen;
    this.every = w.rows.every;
    const loads = w.things ? w.things.springs.length + 6 * w.things.forces.length : 0;
    w.things?.frames.forEach((f, frame) => f.segment && this.segments.push({ frame, load: loads + this.segments.length }));
    this.loadWidth = loads + this.segments.length;
    const time = doubles(w.time);
    this.columns = w.columns.map((c, index) => ({ name: c.name, unit: c.unit === "1" ? "" : c.unit, index }));
    this.values = w.columns.map((c, i) => {
      if (i === 0) return growing64(time);
      const out = new Float64Array(time.length).fill(c.offset);
      if (c.data) floats(c.data).forEach((d, k) => (out[k] += d));
      return growing64(out);
    });
    this.poseNumbers = growing32(floats(w.poses));
    this.loadNumbers = growing32(floats(w.loads));
    const { columns: _c, time: _t, poses: _p, loads: _l, ...rest } = w;
    this.written = rest;
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
    return true;
  }
  /** Drops each second row where there are too many; true where it did. */
  thinIfMany() {
    const width = this.columns.length + 7 * (this.things?.frames.length ?? 0) + this.loadWidth;
    if (this.rows * width <= mostNumbers || this.rows < 4) return false;
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
