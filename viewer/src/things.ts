// What is drawn, as the program wrote it (sarrus/show/scene_json.hpp): what is as usual is left out there and
// put in here, because a mechanism may have a hundred thousand of each.

export type Vec3 = [number, number, number];
export type PoseNumbers = [number, number, number, number, number, number, number]; // x y z, w x y z
export type Point = { frame: number; at: Vec3 }; // frame −1: the world

export interface Shape {
  kind: "box" | "cylinder" | "capsule" | "sphere" | "cone" | "mesh";
  pose?: PoseNumbers; // none: that of its frame
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
/** The skin of an elastic solid: numbers as base64; `moves` has each point's for each coordinate. */
export interface Skin {
  body: number;
  points: string;
  corners: string;
  moves: string;
  columns: number[]; // of the coordinates
  color?: string;
}
export interface Joint {
  name: string;
  line: number;
  type: string;
  mark: string;
  slides: boolean;
  parent: number;
  child: number;
  parent_frame: number;
  child_frame: number;
  on_parent: PoseNumbers;
  on_child: PoseNumbers;
  axis: Vec3;
  axis2: Vec3;
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
  solids: Skin[];
  stiff_solids: boolean; // some were too large to be bent
  joints: Joint[];
  springs: Spring[];
  bushings: Spring[];
  rods: Spring[]; // massless, of a fixed length: constraints of distance
  forces: Force[];
  sensors: Sensor[];
  parameters: Record<string, number>;
}

type Sparse<T, K extends keyof T> = Omit<T, K> & Partial<Pick<T, K>>;
export interface WrittenThings extends Omit<Things, "bodies" | "frames" | "joints"> {
  bodies: Sparse<Body, "com" | "com_at" | "elastic" | "columns">[];
  frames: Partial<Frame>[];
  joints: Sparse<Joint, "parent_frame" | "child_frame" | "on_parent" | "on_child" | "axis2" | "slides" | "cut">[];
}

const origin: Vec3 = [0, 0, 0];
const there: PoseNumbers = [0, 0, 0, 1, 0, 0, 0];

export function complete(w: WrittenThings): Things {
  return {
    ...w,
    bodies: w.bodies.map((b, i) => {
      const com = b.com ?? origin;
      return { ...b, com, com_at: b.com_at ?? { frame: i, at: com }, elastic: b.elastic ?? false, columns: b.columns ?? [] };
    }),
    frames: w.frames.map((f, i) => ({ part_of: f.part_of ?? i, segment: f.segment ?? false, shapes: f.shapes ?? [] })),
    joints: w.joints.map((j) => ({
      ...j,
      parent_frame: j.parent_frame ?? j.parent,
      child_frame: j.child_frame ?? j.child,
      on_parent: j.on_parent ?? there,
      on_child: j.on_child ?? there,
      axis2: j.axis2 ?? origin,
      slides: j.slides ?? false,
      cut: j.cut ?? false,
    })),
  };
}
