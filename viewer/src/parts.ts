// Solids of a mechanism's parts: shapes of bodies, or sticks where there are none, and marks of joints.

import { Color, Matrix4, Vector3 } from "three";
import { Solids, matrix } from "./solids";
import type { Joint, Shape, Things } from "./things";

/** Beyond so many of a kind, marks of joints and forms of bodies without a shape are left out: nobody could tell them apart. */
export const mostDetailed = 5000;

/** Where joints, springs and sensors touch bodies, in their frames. */
function touches(things: Things, bodies: number[]): Map<number, Vector3[]> {
  const points = new Map<number, Vector3[]>(bodies.map((i) => [i, []]));
  const touch = (frame: number, at: readonly number[]) => points.get(frame)?.push(new Vector3(at[0], at[1], at[2]));
  for (const j of things.joints) {
    touch(j.parent_frame, j.on_parent);
    touch(j.child_frame, j.on_child);
  }
  for (const list of [things.springs, things.bushings, things.rods])
    for (const { from, to } of list) for (const end of [from, to]) touch(end.frame, end.at);
  for (const { at } of things.sensors) if (at) touch(at.frame, at.at);
  return points;
}

/** Shapes; a rigid body without any is drawn as sticks from its centre of mass to what touches it. */
export function bodySolids(things: Things, colors: Color[], travel: number): Solids {
  const solids = new Solids();
  const plain: number[] = [];
  things.frames.forEach((frame, i) => {
    const own = colors[frame.part_of % colors.length];
    for (const shape of frame.shapes) solids.addShape(i, shape, shape.color ? new Color(shape.color) : own);
    if (frame.shapes.length === 0 && i < things.bodies.length && !things.bodies[i].elastic) plain.push(i);
  });
  const ends = touches(things, plain.length <= mostDetailed ? plain : []);
  const middle = (i: number) => new Vector3(...things.bodies[i].com);
  const reach = [...ends].flatMap(([i, points]) => points.map((p) => p.distanceTo(middle(i)))).sort((a, b) => a - b);
  const typical = reach.length ? reach[reach.length >> 1] : 0;
  const thick = typical > 0 ? Math.max(0.05 * typical, 1e-3 * travel) : 0.006 * travel || 0.02;
  for (const i of plain) {
    const color = colors[i % colors.length];
    for (const p of ends.get(i) ?? []) solids.addStick(i, middle(i), p, thick, color);
    if (things.bodies[i].mass > 0) {
      const r = 2.4 * thick;
      solids.add("sphere", i, new Matrix4().makeTranslation(middle(i)).multiply(new Matrix4().makeScale(r, r, r)), color);
    }
  }
  solids.make();
  return solids;
}

/** The least thickness of each body's shapes [m]; 0 where it has none. */
function thicknesses(things: Things): number[] {
  const shapes = things.bodies.map((): Shape[] => []);
  for (const frame of things.frames) shapes[frame.part_of].push(...frame.shapes);
  return shapes.map((list) => {
    const sizes = list.map((s) => (s.size ? Math.min(...s.size) : 2 * (s.radius ?? 0))).filter((x) => x > 0);
    return sizes.length ? Math.min(...sizes) : 0;
  });
}

/** Marks of joints: a pin along the axis of a hinge, a ball for a ball joint, a block for a slide. */
export function jointSolids(things: Things, size: number): Solids {
  const solids = new Solids();
  if (things.joints.length > mostDetailed) return solids;
  const color = new Color("#5f6b7a");
  const thickness = thicknesses(things);
  for (const j of things.joints) {
    const near = [j.parent, j.child].map((b) => (b < 0 ? 0 : thickness[b])).filter((x) => x > 0);
    const wanted = near.length ? 0.42 * Math.min(...near) : 0.012 * size;
    mark(solids, j, Math.min(Math.max(wanted, 0.004 * size), 0.02 * size), color);
  }
  solids.make();
  return solids;
}

function mark(solids: Solids, j: Joint, r: number, color: Color) {
  const parent = matrix(j.on_parent);
  const child = matrix(j.on_child);
  const axis = new Vector3(...j.axis);
  const pin = (on: number, frame: Matrix4, direction: Vector3, half: number) => {
    const from = direction.clone().multiplyScalar(-half).applyMatrix4(frame);
    const to = direction.clone().multiplyScalar(half).applyMatrix4(frame);
    solids.addStick(on, from, to, r, color);
  };
  const atChild = (form: string, x: number) => solids.add(form, j.child_frame, child.clone().multiply(new Matrix4().makeScale(x, x, x)), color);
  switch (j.mark) {
    case "pin":
      return pin(j.parent_frame, parent, axis, 2.2 * r);
    case "cross":
      pin(j.parent_frame, parent, axis, 2.2 * r);
      return pin(j.child_frame, child, new Vector3(...j.axis2), 2.2 * r);
    case "rod":
      return pin(j.child_frame, child, axis, 3.5 * r);
    case "block":
      return atChild("box", 2.4 * r);
    case "ball":
      return atChild("sphere", 1.4 * r);
    case "weld":
      return atChild("box", 1.6 * r);
  }
}
