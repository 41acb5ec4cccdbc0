// Elastic solids: the skin of the mesh, bent by the body's coordinates and coloured by how far its points go.
//
//   x_i = X_i + Σ_k φ_ik q_k      in the body's frame; the program wrote X and φ, the rows hold q

import { BufferAttribute, BufferGeometry, Color, DoubleSide, Group, Mesh, MeshStandardMaterial, type Intersection, type Matrix4, type Vector3 } from "three";
import { counts, floats, type SceneData } from "./data";
import { sampled } from "./measure";
import type { Skin, Things } from "./things";

const rowsLookedAt = 100; // for the largest deflection

class BentSkin {
  readonly mesh: Mesh<BufferGeometry, MeshStandardMaterial>;
  readonly body: number;
  private rest: Float32Array;
  private moves: Float32Array;
  private columns: number[];
  private positions: BufferAttribute;
  private colors: BufferAttribute;
  private deflections: Float32Array; // [m]

  constructor(
    skin: Skin,
    private own: Color,
  ) {
    this.body = skin.body;
    this.columns = skin.columns;
    this.rest = floats(skin.points);
    this.moves = floats(skin.moves);
    this.deflections = new Float32Array(this.rest.length / 3);
    const geometry = new BufferGeometry();
    geometry.setIndex(new BufferAttribute(counts(skin.corners), 1));
    this.positions = new BufferAttribute(this.rest.slice(), 3);
    this.colors = new BufferAttribute(new Float32Array(this.rest.length), 3);
    geometry.setAttribute("position", this.positions);
    geometry.setAttribute("color", this.colors);
    this.mesh = new Mesh(geometry, new MeshStandardMaterial({ roughness: 0.62, metalness: 0.05, side: DoubleSide, vertexColors: true, flatShading: true }));
    this.mesh.matrixAutoUpdate = false;
    this.mesh.frustumCulled = false;
  }

  /** Bends it as between two rows. */
  bend(data: SceneData, position: number) {
    const i = Math.min(Math.floor(position), data.rows - 1);
    const j = Math.min(i + 1, data.rows - 1);
    const share = position - i;
    const x = this.positions.array as Float32Array;
    x.set(this.rest);
    this.columns.forEach((c, k) => {
      const q = c < 0 ? 0 : (1 - share) * data.value(c, i) + share * data.value(c, j);
      const first = k * x.length;
      for (let n = 0; n < x.length; ++n) x[n] += q * this.moves[first + n];
    });
    for (let n = 0; n < this.deflections.length; ++n)
      this.deflections[n] = Math.hypot(x[3 * n] - this.rest[3 * n], x[3 * n + 1] - this.rest[3 * n + 1], x[3 * n + 2] - this.rest[3 * n + 2]);
    this.positions.needsUpdate = true;
    this.mesh.geometry.boundingSphere = null; // picking must look again
  }
  get deflection() {
    return this.deflections.reduce((most, d) => Math.max(most, d), 0);
  }
  paint(most: number, full: Color, whole: Color | null) {
    const mixed = new Color();
    const c = this.colors.array as Float32Array;
    this.deflections.forEach((d, n) => {
      mixed.copy(whole ?? this.own);
      if (!whole && most > 0) mixed.lerp(full, Math.min(1, d / most));
      mixed.toArray(c, 3 * n);
    });
    this.colors.needsUpdate = true;
  }
  corners(into: Vector3[]) {
    const { geometry, matrix } = this.mesh;
    geometry.computeBoundingBox();
    const { min, max } = geometry.boundingBox!;
    for (let k = 0; k < 8; ++k) into.push(min.clone().set(k & 1 ? max.x : min.x, k & 2 ? max.y : min.y, k & 4 ? max.z : min.z).applyMatrix4(matrix));
  }
  point(n: number): [number, number, number] {
    return [this.positions.getX(n), this.positions.getY(n), this.positions.getZ(n)];
  }
}

export class Skins {
  readonly group = new Group();
  /** Of all points and rows [m]. */
  largest = 0;
  private skins: BentSkin[];

  constructor(
    private data: SceneData,
    things: Things,
    palette: Color[],
  ) {
    this.skins = things.solids.map((s) => new BentSkin(s, s.color ? new Color(s.color) : palette[s.body % palette.length]));
    for (const s of this.skins) this.group.add(s.mesh);
    this.measure();
  }
  get count() {
    return this.skins.length;
  }
  /** Looks for the largest deflection of the rows that are there. */
  measure() {
    this.largest = 0;
    for (const row of sampled(this.data.rows, rowsLookedAt))
      for (const s of this.skins) {
        s.bend(this.data, row);
        this.largest = Math.max(this.largest, s.deflection);
      }
  }
  place(frames: Matrix4[], position: number) {
    if (this.data.rows === 0) return;
    for (const s of this.skins) {
      s.mesh.matrix.copy(frames[s.body]);
      s.mesh.matrixWorldNeedsUpdate = true;
      s.bend(this.data, position);
    }
  }
  paint(full: Color | null, wholeOf: (body: number) => Color | null) {
    for (const s of this.skins) s.paint(full ? this.largest : 0, full ?? new Color(), wholeOf(s.body));
  }
  deflectionOf(body: number): number | undefined {
    return this.skins.find((s) => s.body === body)?.deflection;
  }
  corners(into: Vector3[]) {
    for (const s of this.skins) s.corners(into);
  }
  bodyOf(hit: Intersection): number {
    return this.skins.find((s) => s.mesh === hit.object)?.body ?? -1;
  }
  /** Where a point of a skin is, in its body's frame: for tests. */
  point(skin: number, n: number) {
    return this.skins[skin].point(n);
  }
}
