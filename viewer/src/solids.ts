// Solids that move with frames: of bodies, and of places on elastic ones. All of one form are drawn together
// (instanced), so that a hundred thousand bodies cost a handful of draw calls.

import {
  BoxGeometry,
  BufferAttribute,
  BufferGeometry,
  Color,
  ConeGeometry,
  CylinderGeometry,
  DoubleSide,
  Group,
  InstancedMesh,
  Matrix4,
  MeshStandardMaterial,
  OctahedronGeometry,
  Quaternion,
  SphereGeometry,
  Vector3,
  type Intersection,
} from "three";
import { counts, floats } from "./data";
import type { PoseNumbers, Shape } from "./things";

export function matrix(p: PoseNumbers): Matrix4 {
  return new Matrix4().compose(
    new Vector3(p[0], p[1], p[2]),
    new Quaternion(p[4], p[5], p[6], p[3]),
    new Vector3(1, 1, 1),
  );
}
const scaled = (x: number, y: number, z: number) => new Matrix4().makeScale(x, y, z);
const moved = (x: number, y: number, z: number) => new Matrix4().makeTranslation(x, y, z);

/** Turns z into the direction d. */
export function towards(d: Vector3): Matrix4 {
  const turn = new Quaternion().setFromUnitVectors(new Vector3(0, 0, 1), d.clone().normalize());
  return new Matrix4().makeRotationFromQuaternion(turn);
}

/** How many pieces a round form has around it, the fewer the more of them are drawn. */
const around = (count: number) => (count > 20000 ? 5 : count > 2000 ? 12 : 48);

/** Unit forms that stand along z: box of side 1; radius 1, length 1 around the middle; cone from z = 0. */
const forms: Record<string, (count: number) => BufferGeometry> = {
  box: () => new BoxGeometry(1, 1, 1),
  cylinder: (count) => new CylinderGeometry(1, 1, 1, around(count)).rotateX(Math.PI / 2),
  sphere: (count) => (count > 20000 ? new OctahedronGeometry(1) : count > 2000 ? new SphereGeometry(1, 10, 6) : new SphereGeometry(1, 32, 20)),
  cone: (count) => new ConeGeometry(1, 1, around(count)).rotateX(Math.PI / 2).translate(0, 0, 0.5),
};

interface Solid {
  form: string;
  frame: number;
  local: Matrix4;
  color: Color;
}

const manyOfAForm = 1000;

/** In an order of which each beginning is spread evenly over all: by the fractional parts of multiples of the golden ratio. */
function spread<T>(list: T[]): T[] {
  const place = list.map((_, i) => (i * 0.6180339887498949) % 1);
  return list.map((_, i) => i).sort((a, b) => place[a] - place[b]).map((i) => list[i]);
}

/** One layer of solids, for example all bodies, or all joints. */
export class Solids {
  readonly group = new Group();
  private waiting: Solid[] = [];
  private made: { mesh: InstancedMesh; solids: Solid[] }[] = [];
  private extra = new Map<string, BufferGeometry>();

  add(form: string, frame: number, local: Matrix4, color: Color) {
    this.waiting.push({ form, frame, local, color });
  }

  addStick(frame: number, from: Vector3, to: Vector3, radius: number, color: Color) {
    const d = to.clone().sub(from);
    if (d.length() < 1e-9) return;
    const middle = from.clone().addScaledVector(d, 0.5);
    const local = moved(middle.x, middle.y, middle.z)
      .multiply(towards(d))
      .multiply(scaled(radius, radius, d.length()));
    this.add("cylinder", frame, local, color);
  }

  addShape(frame: number, shape: Shape, color: Color) {
    const at = shape.pose ? matrix(shape.pose) : new Matrix4();
    const r = shape.radius ?? 0;
    const l = shape.length ?? 0;
    const put = (form: string, local: Matrix4) => this.add(form, frame, at.clone().multiply(local), color);
    switch (shape.kind) {
      case "box":
        return put("box", scaled(...(shape.size ?? [0, 0, 0])));
      case "sphere":
        return put("sphere", scaled(r, r, r));
      case "cylinder":
        return put("cylinder", scaled(r, r, l));
      case "cone":
        return put("cone", scaled(r, r, l));
      case "capsule":
        put("cylinder", scaled(r, r, l));
        put("sphere", moved(0, 0, l / 2).multiply(scaled(r, r, r)));
        return put("sphere", moved(0, 0, -l / 2).multiply(scaled(r, r, r)));
      case "mesh": {
        const name = `mesh ${this.extra.size}`;
        const geometry = new BufferGeometry();
        geometry.setAttribute("position", new BufferAttribute(floats(shape.mesh!.vertices), 3));
        geometry.setIndex(new BufferAttribute(counts(shape.mesh!.corners), 1));
        const flat = geometry.toNonIndexed(); // corners stay sharp
        flat.computeVertexNormals();
        this.extra.set(name, flat);
        return put(name, new Matrix4());
      }
    }
  }

  /** Makes what was added drawable. */
  make() {
    const byForm = new Map<string, Solid[]>();
    for (const solid of this.waiting) {
      const list = byForm.get(solid.form);
      if (list) list.push(solid);
      else byForm.set(solid.form, [solid]);
    }
    this.waiting = [];
    for (const [form, list] of byForm) {
      const solids = list.length > manyOfAForm ? spread(list) : list;
      const geometry = this.extra.get(form) ?? forms[form](solids.length);
      const side = this.extra.has(form) ? { side: DoubleSide } : {};
      const material = new MeshStandardMaterial({ roughness: 0.62, metalness: 0.05, ...side });
      const mesh = new InstancedMesh(geometry, material, solids.length);
      mesh.frustumCulled = false;
      solids.forEach((s, i) => mesh.setColorAt(i, s.color));
      this.group.add(mesh);
      this.made.push({ mesh, solids });
    }
  }

  /** How many there are. */
  get count() {
    return this.made.reduce((sum, { solids }) => sum + solids.length, 0);
  }
  /** Draws about so many of them; of forms with many, spread over all of these. */
  drawOnly(most: number) {
    const share = Math.min(1, most / this.count);
    for (const { mesh, solids } of this.made) mesh.count = solids.length > manyOfAForm ? Math.ceil(share * solids.length) : solids.length;
  }

  /** Puts every solid where its frame is; those of the world (−1) are where they are. */
  place(frames: Matrix4[]) {
    const m = new Matrix4();
    for (const { mesh, solids } of this.made) {
      solids.forEach((s, i) => {
        mesh.setMatrixAt(i, s.frame < 0 ? s.local : m.multiplyMatrices(frames[s.frame], s.local));
      });
      mesh.instanceMatrix.needsUpdate = true;
      mesh.boundingSphere = null; // picking must look again
    }
  }

  /** Gives every solid the colour that is chosen for its frame and its own colour. */
  paint(choose: (frame: number, own: Color) => Color) {
    for (const { mesh, solids } of this.made) {
      solids.forEach((s, i) => mesh.setColorAt(i, choose(s.frame, s.color)));
      mesh.instanceColor!.needsUpdate = true;
    }
  }

  frameOf(hit: Intersection): number {
    const found = this.made.find((m) => m.mesh === hit.object);
    return found && hit.instanceId !== undefined ? found.solids[hit.instanceId].frame : -1;
  }

  /** Corners of all solids as they are placed now; of very many only their middles. */
  corners(into: Vector3[]) {
    const m = new Matrix4();
    for (const { mesh, solids } of this.made) {
      if (solids.length > 10000) {
        solids.forEach((_, i) => {
          mesh.getMatrixAt(i, m);
          into.push(new Vector3().setFromMatrixPosition(m));
        });
        continue;
      }
      mesh.geometry.computeBoundingBox();
      const { min, max } = mesh.geometry.boundingBox!;
      solids.forEach((_, i) => {
        mesh.getMatrixAt(i, m);
        for (let k = 0; k < 8; ++k)
          into.push(new Vector3(k & 1 ? max.x : min.x, k & 2 ? max.y : min.y, k & 4 ? max.z : min.z).applyMatrix4(m));
      });
    }
  }
}
