// What is not solid: springs, slides, traces of sensors, arrows of forces.

import { Color, ConeGeometry, CylinderGeometry, Group, InstancedMesh, Matrix4, MeshStandardMaterial, Vector3, type InterleavedBufferAttribute } from "three";
import { LineMaterial } from "three/examples/jsm/lines/LineMaterial.js";
import { LineSegments2 } from "three/examples/jsm/lines/LineSegments2.js";
import { LineSegmentsGeometry } from "three/examples/jsm/lines/LineSegmentsGeometry.js";
import type { SceneData } from "./data";
import { mostDetailed } from "./parts";
import { Ribbon } from "./ribbon";
import { matrix, towards } from "./solids";
import type { Point, Things } from "./things";

const at = (p: Point, frames: Matrix4[], into: Vector3) => {
  into.set(...p.at);
  return p.frame < 0 ? into : into.applyMatrix4(frames[p.frame]);
};

/** Lines whose points move: one draw call for all. */
class MovingLines {
  readonly object: LineSegments2;
  private geometry = new LineSegmentsGeometry();
  private numbers: Float32Array;
  private colors: Float32Array;
  private used = 0;
  constructor(most: number) {
    this.geometry.setPositions(new Float32Array(most * 6));
    this.geometry.setColors(new Float32Array(most * 6));
    this.numbers = this.buffer("instanceStart").array as Float32Array;
    this.colors = this.buffer("instanceColorStart").array as Float32Array;
    this.object = new LineSegments2(this.geometry, new LineMaterial({ vertexColors: true, linewidth: 2 }));
    this.object.frustumCulled = false;
  }
  private buffer(name: string) {
    return (this.geometry.attributes[name] as InterleavedBufferAttribute).data;
  }
  begin() {
    this.used = 0;
  }
  segment(a: Vector3, b: Vector3, c: Color) {
    this.numbers.set([a.x, a.y, a.z, b.x, b.y, b.z], this.used * 6);
    this.colors.set([c.r, c.g, c.b, c.r, c.g, c.b], this.used * 6);
    ++this.used;
  }
  end() {
    this.geometry.instanceCount = this.used;
    this.object.visible = this.used > 0;
    this.buffer("instanceStart").needsUpdate = this.buffer("instanceColorStart").needsUpdate = true;
  }
}

export const mostCoils = 2000; // springs beyond this are straight lines
const coils = 10;
const perCoil = 12;
const pulled = new Color("#d1495b");
const pushed = new Color("#2e86ab");
const rested = new Color("#8a94a0");

/** Springs as coils, red where they pull and blue where they push; slides of joints as lines. */
export class Connections {
  readonly group = new Group();
  private lines: MovingLines;
  private slides: { parent: Matrix4; child: Matrix4; parentFrame: number; childFrame: number }[];
  private coiled: boolean;
  private largest = 0;

  constructor(
    private things: Things,
    private data: SceneData,
    private radius: number,
  ) {
    this.slides = (things.joints.length > mostDetailed ? [] : things.joints)
      .filter((j) => j.slides)
      .map((j) => ({
        parent: matrix(j.on_parent),
        child: matrix(j.on_child),
        parentFrame: j.parent_frame,
        childFrame: j.child_frame,
      }));
    this.coiled = things.springs.length <= mostCoils;
    this.lines = new MovingLines(things.springs.length * (this.coiled ? coils * perCoil : 1) + things.bushings.length + things.rods.length + this.slides.length + 1);
    this.group.add(this.lines.object);
    const loads = data.loads;
    for (let row = 0; row < data.rows; ++row)
      for (let s = 0; s < things.springs.length; ++s)
        this.largest = Math.max(this.largest, Math.abs(loads[row * data.loadWidth + s]));
  }

  place(frames: Matrix4[], row: number, ink: Color) {
    const a = new Vector3();
    const b = new Vector3();
    this.lines.begin();
    this.things.springs.forEach((s, i) => {
      const tension = this.data.loads[row * this.data.loadWidth + i] / (this.largest || 1);
      const color = rested.clone().lerp(tension > 0 ? pulled : pushed, Math.min(1, Math.abs(tension) * 1.5));
      at(s.from, frames, a);
      at(s.to, frames, b);
      if (this.coiled) this.coil(a, b, color);
      else this.lines.segment(a, b, color);
    });
    for (const s of this.things.bushings) this.lines.segment(at(s.from, frames, a), at(s.to, frames, b), rested);
    for (const s of this.things.rods) this.lines.segment(at(s.from, frames, a), at(s.to, frames, b), ink);
    for (const s of this.slides) {
      a.setFromMatrixPosition(s.parent);
      b.setFromMatrixPosition(s.child);
      if (s.parentFrame >= 0) a.applyMatrix4(frames[s.parentFrame]);
      if (s.childFrame >= 0) b.applyMatrix4(frames[s.childFrame]);
      this.lines.segment(a, b, ink);
    }
    this.lines.end();
  }

  private coil(from: Vector3, to: Vector3, color: Color) {
    const axis = to.clone().sub(from);
    const length = axis.length();
    if (length < 1e-9) return;
    const frame = towards(axis);
    const point = (k: number) => {
      const share = k / (coils * perCoil);
      const ends = Math.min(1, Math.min(share, 1 - share) * 12); // narrow at both ends
      const angle = (2 * Math.PI * k) / perCoil;
      const r = this.radius * ends;
      return new Vector3(r * Math.cos(angle), r * Math.sin(angle), share * length).applyMatrix4(frame).add(from);
    };
    let last = point(0);
    for (let k = 1; k <= coils * perCoil; ++k) {
      const next = point(k);
      this.lines.segment(last, next, color);
      last = next;
    }
  }
}

const mostTracePoints = 4000; // of one sensor; more would take long to draw and not be seen

/** The paths of point sensors: what has passed strongly, what is to come faintly. */
export class Traces {
  readonly group = new Group();
  private every = 1; // rows that a point stands for
  private parts: { columns: number[]; past: Ribbon; future: Ribbon }[] = [];
  constructor(
    private data: SceneData,
    things: Things,
    palette: Color[],
  ) {
    things.sensors.forEach((s, i) => {
      if (!s.trace || s.trace.some((c) => c < 0)) return;
      const color = palette[(i + 4) % palette.length];
      const part = { columns: s.trace, past: new Ribbon(color, 2.5), future: new Ribbon(color, 1.2, 0.35) };
      this.group.add(part.future.object, part.past.object);
      this.parts.push(part);
    });
    this.refill();
  }
  private get points() {
    return Math.ceil((this.data.rows - 1) / this.every) + 1; // the last row is always one
  }
  /** Takes the path from the columns anew: rows have come. */
  refill() {
    const { rows } = this.data;
    this.every = Math.max(1, Math.ceil(rows / mostTracePoints));
    if (rows < 2) return;
    const numbers = new Float32Array(3 * this.points);
    for (const { columns, past, future } of this.parts) {
      columns.forEach((c, k) => {
        const values = this.data.column(c);
        for (let i = 0; i < this.points; ++i) numbers[3 * i + k] = values[Math.min(i * this.every, rows - 1)];
      });
      past.fill(numbers);
      future.fill(numbers);
    }
  }
  place(row: number) {
    const { rows } = this.data;
    const last = rows > 1 ? this.points - 1 : 0;
    const passed = row >= rows - 1 ? last : Math.floor(row / this.every);
    for (const { past, future } of this.parts) {
      past.show(0, passed);
      future.show(passed, last);
    }
  }
}

interface ArrowSource {
  color: Color;
  weight: boolean;
  applied: boolean;
  /** Foot and vector at a row; the vector in the unit of its kind. */
  read: (row: number, frames: Matrix4[], foot: Vector3, vector: Vector3) => void;
  largest: number; // of its kind over the run
  share: number; // of the full length that the largest gets
}

/** Arrows of applied forces and moments, of reactions where they were recorded, and of weights. */
export class Arrows {
  readonly group = new Group();
  readonly count: number;
  weights = false;
  private sources: ArrowSource[] = [];
  private shafts: InstancedMesh;
  private heads: InstancedMesh;

  constructor(
    private data: SceneData,
    things: Things,
    private length: number,
  ) {
    const loads = (row: number, i: number) => data.loads[row * data.loadWidth + i];
    const springs = things.springs.length;
    const largestLoad = (from: number) => {
      let most = 0;
      for (let row = 0; row < data.rows; ++row)
        most = Math.max(most, Math.hypot(loads(row, from), loads(row, from + 1), loads(row, from + 2)));
      return most;
    };
    let force = 0;
    let moment = 0;
    things.forces.forEach((f, i) => {
      for (const part of [0, 3]) {
        const first = springs + 6 * i + part;
        const largest = largestLoad(first);
        if (largest === 0) continue;
        part === 0 ? (force = Math.max(force, largest)) : (moment = Math.max(moment, largest));
        this.sources.push({
          color: new Color(part === 0 ? "#e4572e" : "#8e5bd0"),
          weight: false,
          applied: true,
          largest: part,
          share: part === 0 ? 1 : 0.5,
          read: (row, frames, foot, vector) => {
            at(f.at, frames, foot);
            vector.set(loads(row, first), loads(row, first + 1), loads(row, first + 2));
          },
        });
      }
    });
    const hasReactions = things.joints.length <= mostDetailed && data.columns.some((c) => c.name.endsWith(".fx"));
    for (const j of hasReactions ? things.joints : []) {
      const columns = ["fx", "fy", "fz"].map((c) => data.find(`${j.name}.${c}`));
      if (columns.some((c) => c < 0) || j.child_frame < 0) continue;
      const frame = matrix(j.on_child);
      const [x, y, z] = columns.map((c) => data.column(c));
      for (let row = 0; row < data.rows; ++row) force = Math.max(force, Math.hypot(x[row], y[row], z[row]));
      this.sources.push({
        color: new Color("#3a9d5d"),
        weight: false,
        applied: false,
        largest: 0,
        share: 1,
        read: (row, frames, foot, vector) => {
          const world = frames[j.child_frame].clone().multiply(frame);
          foot.setFromMatrixPosition(world);
          vector.set(...(columns.map((c) => data.value(c, row)) as [number, number, number]));
          vector.transformDirection(world).multiplyScalar(Math.hypot(...columns.map((c) => data.value(c, row))));
        },
      });
    }
    const gravity = new Vector3(...things.gravity);
    let weight = 0;
    (things.bodies.length > mostDetailed ? [] : things.bodies).forEach((b) => {
      if (b.mass <= 0 || gravity.length() === 0) return;
      weight = Math.max(weight, b.mass * gravity.length());
      this.sources.push({
        color: new Color("#6c7a89"),
        weight: true,
        applied: false,
        largest: 9,
        share: 1,
        read: (_row, frames, foot, vector) => {
          at(b.com_at, frames, foot);
          vector.copy(gravity).multiplyScalar(b.mass);
        },
      });
    });
    for (const s of this.sources) s.largest = s.largest === 0 ? force : s.largest === 3 ? moment : Math.max(weight, force);
    this.count = this.sources.filter((s) => !s.weight).length;
    const material = () => new MeshStandardMaterial({ roughness: 0.7 });
    const shaft = new CylinderGeometry(1, 1, 1, 12).rotateX(Math.PI / 2).translate(0, 0, 0.5);
    const head = new ConeGeometry(1, 1, 16).rotateX(Math.PI / 2).translate(0, 0, -0.5);
    this.shafts = new InstancedMesh(shaft, material(), Math.max(1, this.sources.length));
    this.heads = new InstancedMesh(head, material(), Math.max(1, this.sources.length));
    for (const mesh of [this.shafts, this.heads]) {
      mesh.frustumCulled = false;
      mesh.setColorAt(0, new Color()); // there are colours
      this.group.add(mesh);
    }
  }

  /** Where arrows of applied forces end at a row. */
  tips(frames: Matrix4[], row: number): Vector3[] {
    const foot = new Vector3();
    const vector = new Vector3();
    return this.sources
      .filter((s) => s.applied && s.largest > 0)
      .map((s) => {
        s.read(row, frames, foot, vector);
        return foot.clone().addScaledVector(vector, (s.share * this.length) / s.largest);
      });
  }

  place(frames: Matrix4[], row: number) {
    const foot = new Vector3();
    const vector = new Vector3();
    let shown = 0;
    const thick = this.length * 0.022;
    this.sources.forEach((s) => {
      if (s.weight && !this.weights) return;
      s.read(Math.min(row, this.data.rows - 1), frames, foot, vector);
      const length = s.largest > 0 ? (vector.length() / s.largest) * s.share * this.length : 0;
      if (!(length > 1e-3 * this.length)) return;
      const i = shown++;
      this.shafts.setColorAt(i, s.color);
      this.heads.setColorAt(i, s.color);
      const turn = towards(vector);
      const tip = foot.clone().addScaledVector(vector.normalize(), length);
      const headLength = Math.min(6 * thick, 0.6 * length);
      this.shafts.setMatrixAt(
        i,
        new Matrix4().setPosition(foot).multiply(turn).multiply(new Matrix4().makeScale(thick, thick, length - 0.9 * headLength)),
      );
      const wide = Math.min(2.6 * thick, 0.45 * headLength);
      this.heads.setMatrixAt(
        i,
        new Matrix4().setPosition(tip).multiply(turn).multiply(new Matrix4().makeScale(wide, wide, headLength)),
      );
    });
    for (const mesh of [this.shafts, this.heads]) {
      mesh.count = shown; // none: nothing is drawn
      mesh.instanceMatrix.needsUpdate = mesh.instanceColor!.needsUpdate = true;
    }
  }
}
