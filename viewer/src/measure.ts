// How large a mechanism is and where it goes: for the camera, the ground and the size of marks.

import { Box3, Vector3, type Matrix4 } from "three";
import type { SceneData } from "./data";
import { placeFrames } from "./poses";

/** What can be placed and measured: solids, skins. */
export interface Layer {
  place(frames: Matrix4[], row: number): void;
  corners(into: Vector3[]): void;
}
import type { Things } from "./things";

const middleOf = (numbers: number[]) => Float64Array.from(numbers).sort()[numbers.length >> 1];
const middlePoint = (points: Vector3[]) =>
  new Vector3(...([0, 1, 2].map((k) => middleOf(points.map((p) => p.getComponent(k)))) as [number, number, number]));

/** Rows spread evenly over all of them. */
export function sampled(rows: number, most: number): number[] {
  const count = Math.min(rows, most);
  return Array.from({ length: count }, (_, k) => Math.round((k * (rows - 1)) / Math.max(1, count - 1)));
}

/** How far bodies are from each other and go, as the median tells it [m]. */
export function travel(data: SceneData, frames: number): number {
  const points: Vector3[] = [];
  for (const row of sampled(data.rows, 30))
    for (let b = 0; b < Math.min(frames, 500); ++b) {
      const at = 7 * (row * frames + b);
      points.push(new Vector3(...data.poses.subarray(at, at + 3)));
    }
  if (points.length === 0) return 0;
  const center = middlePoint(points);
  return 2 * middleOf(points.map((p) => p.distanceTo(center)));
}

/** How large what is placed now is, without the way that it goes [m]. */
export function extent(layers: Layer[]): number {
  const points: Vector3[] = [];
  for (const layer of layers) layer.corners(points);
  const usual = withoutStrays(points);
  return usual.length ? Math.max(new Box3().setFromPoints(usual).getSize(new Vector3()).length(), 1e-6) : 1;
}

/** Points that are no hundred times as far from the middle as is usual. */
function withoutStrays(points: Vector3[]): Vector3[] {
  const finite = points.filter((p) => Number.isFinite(p.x + p.y + p.z));
  if (finite.length === 0) return finite;
  const middle = middlePoint(finite);
  const usual = middleOf(finite.map((p) => p.distanceTo(middle)).filter((d) => d > 0)) || 1;
  return finite.filter((p) => p.distanceTo(middle) <= 100 * usual);
}

/** The box of where everything is over time, a few strays left out. Leaves row 0 placed. */
export function bounds(data: SceneData, things: Things, frames: Matrix4[], layers: Layer[]): Box3 {
  const points: Vector3[] = [];
  for (const row of sampled(data.rows, things.bodies.length > 2000 ? 3 : 60)) {
    placeFrames(data, frames, row);
    for (const layer of layers) {
      layer.place(frames, row);
      layer.corners(points);
    }
  }
  placeFrames(data, frames, 0);
  for (const layer of layers) layer.place(frames, 0);
  for (const s of [...things.springs, ...things.bushings, ...things.rods])
    for (const end of [s.from, s.to]) if (end.frame < 0) points.push(new Vector3(...end.at));
  const usual = withoutStrays(points);
  return new Box3().setFromPoints(usual.length ? usual : [new Vector3(-0.5, -0.5, -0.5), new Vector3(0.5, 0.5, 0.5)]);
}
