// The mechanism in space: solids, marks, light, ground, camera. Draws only when something changed.

import {
  AxesHelper,
  Box3,
  Color,
  DirectionalLight,
  GridHelper,
  HemisphereLight,
  Matrix4,
  OrthographicCamera,
  PerspectiveCamera,
  Quaternion,
  Raycaster,
  Scene,
  Vector2,
  Vector3,
  WebGLRenderer,
} from "three";
import { OrbitControls } from "three/examples/jsm/controls/OrbitControls.js";
import type { SceneData, Shape, Things } from "./data";
import { Arrows, Connections, Traces } from "./marks";
import { Solids, matrix } from "./solids";

export const palette = ["#4c78a8", "#f2a541", "#59a14f", "#b07aa1", "#e15759", "#76b7b2", "#9c755f", "#8f9bb3"];
const colors = palette.map((c) => new Color(c));
const mostLabels = 120;
const chosen = new Color("#ffd23f");
const stressed = new Color("#d7263d");
const leastStress = 1; // [Pa] below, it is only rounding

export type Preset = "iso" | "front" | "back" | "left" | "right" | "top";

export class Stage {
  readonly canvas: HTMLCanvasElement;
  followed = -1;
  selected = -1;
  onPick: (body: number) => void = () => {};
  private renderer: WebGLRenderer;
  private scene = new Scene();
  private perspective = new PerspectiveCamera(35, 1, 0.01, 1000);
  private orthographic = new OrthographicCamera(-1, 1, 1, -1, 0.01, 1000);
  private camera: PerspectiveCamera | OrthographicCamera = this.perspective;
  private controls: OrbitControls;
  private frames: Matrix4[]; // of bodies, then of places on elastic ones
  private solids = new Solids();
  private joints = new Solids();
  private connections: Connections;
  private traces: Traces;
  readonly arrows: Arrows;
  private grid: GridHelper | null = null;
  private axes: AxesHelper;
  private size = 1; // of the mechanism and its way [m]
  private reach = 1; // of the mechanism at its start [m]
  private center = new Vector3();
  private up = new Vector3(0, 0, 1);
  private dirty = true;
  private ink = new Color("#444");
  private labels: { element: HTMLElement; frame: number; at: Vector3 }[] = [];
  private lastFollowed = new Vector3();

  constructor(
    private data: SceneData,
    private things: Things,
    private holder: HTMLElement,
  ) {
    this.renderer = new WebGLRenderer({ antialias: true, powerPreference: "high-performance" });
    this.canvas = this.renderer.domElement;
    this.canvas.tabIndex = 0;
    this.canvas.setAttribute("role", "img");
    this.canvas.setAttribute("aria-label", "The mechanism. Arrow keys turn it, plus and minus zoom.");
    holder.prepend(this.canvas);
    this.frames = things.frames.map(() => new Matrix4());
    this.setUp();

    this.place(0);
    this.buildBodies();
    this.solids.place(this.frames);
    this.reach = this.extent();
    this.measure();
    this.buildJoints();
    const small = Math.min(this.size, this.reach);
    this.connections = new Connections(things, data, small * 0.014);
    this.traces = new Traces(data, things, colors);
    this.arrows = new Arrows(data, things, small * 0.35);
    this.axes = new AxesHelper(small * 0.15);
    this.scene.add(this.solids.group, this.joints.group, this.connections.group, this.traces.group, this.arrows.group, this.axes);
    this.scene.add(new HemisphereLight(0xffffff, 0x9a9a9a, 1.6));
    for (const [x, y, z, strength] of [[2, -3, 5, 2.0], [-4, 2, 2, 0.7]]) {
      const light = new DirectionalLight(0xffffff, strength);
      light.position.copy(this.fromUp(x, y, z));
      this.scene.add(light);
    }

    this.controls = new OrbitControls(this.camera, this.canvas);
    this.controls.addEventListener("change", () => (this.dirty = true));
    this.controls.zoomToCursor = true;
    this.listen();
    this.setTheme();
    this.findLargestStress();
    this.show(0, 0);
    this.look("iso");
    new ResizeObserver(() => this.resize()).observe(holder);
    this.resize();
  }

  /** Up is against gravity, or z. */
  private setUp() {
    const g = new Vector3(...this.things.gravity);
    if (g.length() > 0) {
      const parts = [Math.abs(g.x), Math.abs(g.y), Math.abs(g.z)];
      const most = parts.indexOf(Math.max(...parts));
      this.up.set(0, 0, 0).setComponent(most, g.getComponent(most) > 0 ? -1 : 1);
    }
    this.perspective.up.copy(this.up);
    this.orthographic.up.copy(this.up);
  }
  /** A vector given as if z were up. */
  private fromUp(x: number, y: number, z: number) {
    return new Vector3(x, y, z).applyQuaternion(new Quaternion().setFromUnitVectors(new Vector3(0, 0, 1), this.up));
  }

  /** Matrices between two rows: straight lines, shortest turns. */
  private place(position: number) {
    const rows = this.data.rows;
    if (rows === 0) return;
    const i = Math.min(Math.floor(position), rows - 1);
    const j = Math.min(i + 1, rows - 1);
    const share = position - i;
    const poses = this.data.poses;
    const width = 7 * this.frames.length;
    const one = new Vector3(1, 1, 1);
    const p = new Vector3();
    const q = new Quaternion();
    const p2 = new Vector3();
    const q2 = new Quaternion();
    this.frames.forEach((m, b) => {
      const a = i * width + 7 * b;
      p.set(poses[a], poses[a + 1], poses[a + 2]);
      q.set(poses[a + 4], poses[a + 5], poses[a + 6], poses[a + 3]);
      if (share > 0) {
        const c = j * width + 7 * b;
        p.lerp(p2.set(poses[c], poses[c + 1], poses[c + 2]), share);
        q.slerp(q2.set(poses[c + 4], poses[c + 5], poses[c + 6], poses[c + 3]), share);
      }
      m.compose(p, q, one);
    });
  }

  /** Where joints, springs and sensors touch a body, in its frame. */
  private touches(body: number): Vector3[] {
    const points: Vector3[] = [];
    for (const j of this.things.joints) {
      if (j.parent === body) points.push(new Vector3(...j.on_parent.slice(0, 3)));
      if (j.child === body) points.push(new Vector3(...j.on_child.slice(0, 3)));
    }
    for (const s of [...this.things.springs, ...this.things.bushings])
      for (const end of [s.from, s.to]) if (end.frame === body) points.push(new Vector3(...end.at));
    for (const s of this.things.sensors) if (s.at?.frame === body) points.push(new Vector3(...s.at.at));
    return points;
  }

  /** Shapes; a rigid body without any is drawn as sticks from its centre of mass to what touches it. */
  private buildBodies() {
    const plain: number[] = [];
    this.things.frames.forEach((frame, i) => {
      const own = colors[frame.part_of % colors.length];
      for (const shape of frame.shapes) this.solids.addShape(i, shape, shape.color ? new Color(shape.color) : own);
      if (frame.shapes.length === 0 && i < this.things.bodies.length && !this.things.bodies[i].elastic) plain.push(i);
    });
    const reach: number[] = [];
    if (plain.length < 5000) for (const i of plain) for (const p of this.touches(i)) reach.push(p.distanceTo(new Vector3(...this.things.bodies[i].com)));
    reach.sort((a, b) => a - b);
    const typical = reach.length ? reach[reach.length >> 1] : 0;
    const thick = typical > 0 ? Math.max(0.05 * typical, 1e-3 * this.travel()) : 0.006 * this.travel() || 0.02;
    for (const i of plain) {
      const com = new Vector3(...this.things.bodies[i].com);
      const color = colors[i % colors.length];
      const touches = plain.length < 5000 ? this.touches(i) : [];
      for (const p of touches) this.solids.addStick(i, com, p, thick, color);
      if (this.things.bodies[i].mass > 0) {
        const r = 2.4 * thick;
        this.solids.add("sphere", i, new Matrix4().makeTranslation(com).multiply(new Matrix4().makeScale(r, r, r)), color);
      }
    }
    this.solids.make();
  }

  /** Marks of joints: a pin along the axis of a hinge, a ball for a ball joint, a block for a slide. */
  private buildJoints() {
    const color = new Color("#5f6b7a");
    const shapes = this.things.bodies.map((): Shape[] => []);
    for (const frame of this.things.frames) shapes[frame.part_of].push(...frame.shapes);
    const thickness = shapes.map((list) => {
      const sizes = list.map((s) => (s.size ? Math.min(...s.size) : 2 * (s.radius ?? 0))).filter((x) => x > 0);
      return sizes.length ? Math.min(...sizes) : 0;
    });
    for (const j of this.things.joints) {
      const near = [j.parent, j.child].map((b) => (b < 0 ? 0 : thickness[b])).filter((x) => x > 0);
      const small = Math.min(this.size, this.reach);
      const wanted = near.length ? 0.42 * Math.min(...near) : 0.012 * small;
      const r = Math.min(Math.max(wanted, 0.004 * small), 0.02 * small);
      const axis = new Vector3(...j.axis);
      const pin = (on: number, frame: Matrix4, direction: Vector3, half: number, radius = r) => {
        const from = direction.clone().multiplyScalar(-half).applyMatrix4(frame);
        const to = direction.clone().multiplyScalar(half).applyMatrix4(frame);
        this.joints.addStick(on, from, to, radius, color);
      };
      const parent = matrix(j.on_parent);
      const child = matrix(j.on_child);
      const ball = (radius: number) =>
        this.joints.add("sphere", j.child_frame, child.clone().multiply(new Matrix4().makeScale(radius, radius, radius)), color);
      const block = (x: number) => this.joints.add("box", j.child_frame, child.clone().multiply(new Matrix4().makeScale(x, x, x)), color);
      switch (j.type) {
        case "revolute":
          pin(j.parent_frame, parent, axis, 2.2 * r);
          break;
        case "universal":
          pin(j.parent_frame, parent, axis, 2.2 * r);
          pin(j.child_frame, child, new Vector3(...j.axis2), 2.2 * r);
          break;
        case "prismatic":
          block(2.4 * r);
          break;
        case "cylindrical":
        case "screw":
          pin(j.child_frame, child, axis, 3.5 * r);
          break;
        case "spherical":
        case "sequence":
          ball(1.4 * r);
          break;
        case "fixed":
          block(1.6 * r);
          break;
      }
    }
    this.joints.make();
  }

  /** How far bodies are from each other and go, as the median tells it. */
  private travel() {
    const samples = Math.min(this.data.rows, 30);
    const points: Vector3[] = [];
    for (let k = 0; k < samples; ++k) {
      const row = Math.round((k * (this.data.rows - 1)) / Math.max(1, samples - 1));
      for (let b = 0; b < Math.min(this.frames.length, 500); ++b) {
        const at = 7 * (row * this.frames.length + b);
        points.push(new Vector3(...this.data.poses.subarray(at, at + 3)));
      }
    }
    if (points.length === 0) return 0;
    const median = (k: number) => Float64Array.from(points, (p) => p.getComponent(k)).sort()[points.length >> 1];
    const center = new Vector3(median(0), median(1), median(2));
    const distances = points.map((p) => p.distanceTo(center)).sort((a, b) => a - b);
    return 2 * distances[distances.length >> 1];
  }

  /** How large the mechanism itself is, without the way that it goes. */
  private extent() {
    const points: Vector3[] = [];
    this.solids.corners(points);
    return points.length ? Math.max(new Box3().setFromPoints(points).getSize(new Vector3()).length(), 1e-6) : 1;
  }

  /** Centre and size from where everything is over time, a few strays left out. */
  private measure() {
    const points: Vector3[] = [];
    const samples = Math.min(this.data.rows, this.things.bodies.length > 2000 ? 3 : 60);
    for (let k = 0; k < samples; ++k) {
      this.place(Math.round((k * (this.data.rows - 1)) / Math.max(1, samples - 1)));
      this.solids.place(this.frames);
      this.solids.corners(points);
    }
    this.place(0);
    this.solids.place(this.frames);
    for (const s of [...this.things.springs, ...this.things.bushings])
      for (const end of [s.from, s.to]) if (end.frame < 0) points.push(new Vector3(...end.at));
    const finite = points.filter((p) => Number.isFinite(p.x + p.y + p.z));
    if (finite.length === 0) finite.push(new Vector3(-0.5, -0.5, -0.5), new Vector3(0.5, 0.5, 0.5));
    const middleOf = (numbers: number[]) => Float64Array.from(numbers).sort()[numbers.length >> 1];
    const middle = new Vector3(...([0, 1, 2].map((k) => middleOf(finite.map((p) => p.getComponent(k)))) as [number, number, number]));
    const usual = middleOf(finite.map((p) => p.distanceTo(middle)).filter((d) => d > 0)) || 1;
    const box = this.box.setFromPoints(finite.filter((p) => p.distanceTo(middle) <= 100 * usual));
    box.getCenter(this.center);
    this.size = Math.max(box.getSize(new Vector3()).length(), 1e-6);
    this.floor = Math.min(...[box.min, box.max].map((p) => p.dot(this.up)));
  }
  private floor = 0;
  private box = new Box3();

  private buildGrid(line: Color) {
    if (this.grid) {
      this.scene.remove(this.grid);
      this.grid.dispose();
    }
    const step = 10 ** Math.round(Math.log10(this.size / 8));
    const n = Math.min(60, 2 * Math.ceil((1.2 * this.size) / step));
    this.grid = new GridHelper(n * step, n, line, line);
    this.grid.quaternion.setFromUnitVectors(new Vector3(0, 1, 0), this.up);
    const inPlane = this.center.clone().addScaledVector(this.up, -this.center.dot(this.up));
    inPlane.set(...(inPlane.toArray().map((x) => Math.round(x / step) * step) as [number, number, number]));
    const level = this.floor > -1e-9 * this.size && this.floor < 0.3 * this.size ? Math.min(0, this.floor) : this.floor - 0.02 * this.size;
    this.grid.position.copy(inPlane).addScaledVector(this.up, level);
    this.scene.add(this.grid);
  }

  /** Takes the colours of the page. */
  setTheme() {
    const style = getComputedStyle(document.documentElement);
    const color = (name: string) => new Color(style.getPropertyValue(name).trim());
    this.renderer.setClearColor(color("--stage"));
    this.ink = color("--stage-ink");
    this.buildGrid(color("--stage-grid"));
    this.dirty = true;
  }

  look(preset: Preset) {
    const directions: Record<Preset, [number, number, number]> = {
      iso: [1, -1.6, 0.7],
      front: [0, -1, 0],
      back: [0, 1, 0],
      left: [-1, 0, 0],
      right: [1, 0, 0],
      top: [0, -1e-4, 1],
    };
    const d = this.fromUp(...directions[preset]).normalize();
    const distance = this.distanceFor(d);
    const target = this.center.clone();
    this.controls.target.copy(target);
    for (const camera of [this.perspective, this.orthographic]) camera.position.copy(target).addScaledVector(d, distance);
    this.orthographic.zoom = 1;
    this.frame();
    this.controls.update();
    this.rememberFollowed();
    this.dirty = true;
  }

  /** How far away all of the mechanism's box is seen, a little room left. */
  private distanceFor(direction: Vector3) {
    const right = new Vector3().crossVectors(this.up, direction).normalize();
    const above = new Vector3().crossVectors(direction, right);
    const tall = Math.tan((this.perspective.fov * Math.PI) / 360) * 0.8;
    const wide = tall * Math.min(this.perspective.aspect || 1, 4);
    let distance = 0;
    for (let k = 0; k < 8; ++k) {
      const { min, max } = this.box;
      const p = new Vector3(k & 1 ? max.x : min.x, k & 2 ? max.y : min.y, k & 4 ? max.z : min.z).sub(this.center);
      const near = p.dot(direction);
      distance = Math.max(distance, near + Math.abs(p.dot(right)) / wide, near + Math.abs(p.dot(above)) / tall);
    }
    return Math.max(distance, 1e-3 * this.size);
  }

  get isOrthographic() {
    return this.camera === this.orthographic;
  }
  setOrthographic(on: boolean) {
    const from = this.camera;
    this.camera = on ? this.orthographic : this.perspective;
    this.camera.position.copy(from.position);
    this.controls.object = this.camera;
    this.frame();
    this.controls.update();
    this.dirty = true;
  }
  private frame() {
    const aspect = this.perspective.aspect;
    const distance = this.camera.position.distanceTo(this.controls.target);
    const half = distance * Math.tan((this.perspective.fov * Math.PI) / 360);
    Object.assign(this.orthographic, { left: -half * aspect, right: half * aspect, top: half, bottom: -half });
    for (const camera of [this.perspective, this.orthographic]) {
      camera.near = camera === this.perspective ? this.size / 500 : -this.size * 10;
      camera.far = this.size * 200;
      camera.updateProjectionMatrix();
    }
  }

  private rememberFollowed() {
    if (this.followed >= 0) this.lastFollowed.setFromMatrixPosition(this.frames[this.followed]);
  }
  follow(body: number) {
    this.followed = body;
    if (body >= 0) {
      const at = new Vector3().setFromMatrixPosition(this.frames[body]);
      this.shift(at.clone().sub(this.controls.target));
      this.lastFollowed.copy(at);
    }
    this.dirty = true;
  }
  private shift(by: Vector3) {
    this.controls.target.add(by);
    this.camera.position.add(by);
  }

  select(body: number) {
    this.selected = body;
    this.paint();
    this.dirty = true;
  }

  /** The selected body in a strong colour, segments of elastic ones by their stress. */
  private paint() {
    const stress = new Map<number, number>();
    if (this.showsStress && this.mostStress > leastStress)
      for (const s of this.data.segments) stress.set(s.frame, this.data.loads[this.row * this.data.loadWidth + s.load] / this.mostStress);
    const mixed = new Color();
    this.solids.paint((frame, own) => {
      if (this.selected >= 0 && frame >= 0 && this.things.frames[frame].part_of === this.selected) return chosen;
      const share = stress.get(frame);
      return share === undefined ? own : mixed.copy(own).lerp(stressed, Math.min(1, share));
    });
  }
  /** The largest stress of all rows [Pa]; 0 where nothing bends. */
  get largestStress() {
    return this.mostStress > leastStress ? this.mostStress : 0;
  }
  private findLargestStress() {
    const { data } = this;
    for (; this.stressRows < data.rows; ++this.stressRows)
      for (const s of data.segments) {
        const x = data.loads[this.stressRows * data.loadWidth + s.load];
        if (x > this.mostStress && x < Infinity) this.mostStress = x;
      }
  }
  private mostStress = 0;
  private stressRows = 0; // rows that were looked at for it
  private showsStress = true;

  setLayer(layer: "stress" | "joints" | "traces" | "forces" | "weights" | "grid" | "axes", on: boolean) {
    if (layer === "stress") {
      this.showsStress = on;
      this.paint();
    }
    if (layer === "joints") this.joints.group.visible = on;
    if (layer === "traces") this.traces.group.visible = on;
    if (layer === "forces") this.arrows.group.visible = on;
    if (layer === "weights") this.arrows.weights = on;
    if (layer === "grid" && this.grid) this.grid.visible = on;
    if (layer === "axes") this.axes.visible = on;
    this.show(this.position, this.row);
  }
  setLabels(on: boolean) {
    for (const label of this.labels) label.element.remove();
    this.labels = [];
    if (!on) return;
    this.things.bodies.slice(0, mostLabels).forEach((b) => {
      const element = document.createElement("span");
      element.className = "label";
      element.textContent = b.name;
      this.holder.append(element);
      this.labels.push({ element, frame: b.com_at.frame, at: new Vector3(...b.com_at.at) });
    });
    this.dirty = true;
  }

  private position = 0;
  private row = 0;
  /** Shows the mechanism between rows, and what is known only at rows at the nearest one. */
  show(position: number, row: number) {
    this.position = position;
    this.row = row;
    this.place(position);
    this.solids.place(this.frames);
    this.joints.place(this.frames);
    this.connections.place(this.frames, row, this.ink);
    this.traces.place(row);
    this.arrows.place(this.frames, row);
    if (this.data.segments.length) this.paint();
    if (this.followed >= 0) {
      const at = new Vector3().setFromMatrixPosition(this.frames[this.followed]);
      this.shift(at.clone().sub(this.lastFollowed));
      this.lastFollowed.copy(at);
      this.controls.update();
    }
    this.dirty = true;
  }
  rowsArrived() {
    this.findLargestStress();
    this.traces.refill();
  }

  resize() {
    const { clientWidth: w, clientHeight: h } = this.holder;
    if (w === 0 || h === 0) return;
    this.renderer.setPixelRatio(Math.min(window.devicePixelRatio, 2));
    this.renderer.setSize(w, h, false);
    this.perspective.aspect = w / h;
    this.frame();
    this.dirty = true;
  }

  /** Draws, if anything has changed. */
  draw() {
    if (!this.dirty) return;
    this.dirty = false;
    this.renderer.render(this.scene, this.camera);
    const { clientWidth: w, clientHeight: h } = this.holder;
    const p = new Vector3();
    for (const label of this.labels) {
      p.copy(label.at).applyMatrix4(this.frames[label.frame]).project(this.camera);
      label.element.style.transform = `translate(${((p.x + 1) * w) / 2 + 6}px, ${((1 - p.y) * h) / 2 - 8}px)`;
      label.element.hidden = p.z > 1;
    }
  }

  private listen() {
    let down = { x: 0, y: 0 };
    this.canvas.addEventListener("pointerdown", (e) => (down = { x: e.clientX, y: e.clientY }));
    this.canvas.addEventListener("pointerup", (e) => {
      if (Math.hypot(e.clientX - down.x, e.clientY - down.y) < 5) this.pick(e);
    });
    this.canvas.addEventListener("keydown", (e) => {
      const turns: Record<string, [number, number]> = {
        ArrowLeft: [-0.1, 0],
        ArrowRight: [0.1, 0],
        ArrowUp: [0, -0.1],
        ArrowDown: [0, 0.1],
      };
      if (turns[e.key]) this.turn(...turns[e.key]);
      else if (e.key === "+" || e.key === "=") this.zoom(0.9);
      else if (e.key === "-") this.zoom(1 / 0.9);
      else return;
      e.preventDefault();
      e.stopPropagation();
    });
  }
  private turn(around: number, over: number) {
    const arm = this.camera.position.clone().sub(this.controls.target);
    arm.applyAxisAngle(this.up, around);
    const side = new Vector3().crossVectors(this.up, arm).normalize();
    const tilted = arm.clone().applyAxisAngle(side, over);
    if (Math.abs(tilted.angleTo(this.up) - Math.PI / 2) < 1.5) arm.copy(tilted);
    this.camera.position.copy(this.controls.target).add(arm);
    this.controls.update();
    this.dirty = true;
  }
  private zoom(by: number) {
    const arm = this.camera.position.clone().sub(this.controls.target).multiplyScalar(by);
    this.camera.position.copy(this.controls.target).add(arm);
    if (this.isOrthographic) this.frame();
    this.controls.update();
    this.dirty = true;
  }
  private pick(e: PointerEvent) {
    const box = this.canvas.getBoundingClientRect();
    const at = new Vector2(((e.clientX - box.left) / box.width) * 2 - 1, 1 - ((e.clientY - box.top) / box.height) * 2);
    const ray = new Raycaster();
    ray.setFromCamera(at, this.camera);
    const hit = ray.intersectObjects(this.solids.group.children, false)[0];
    const frame = hit ? this.solids.frameOf(hit) : -1;
    this.onPick(frame < 0 ? -1 : this.things.frames[frame].part_of);
  }

  // for scripts and tests
  /** Of a body, or of a frame behind the bodies. */
  bodyPose(body: number) {
    const p = new Vector3();
    const q = new Quaternion();
    this.frames[body].decompose(p, q, new Vector3());
    return { position: p.toArray(), quaternion: [q.w, q.x, q.y, q.z] };
  }
  cost() {
    this.dirty = true;
    this.draw();
    const { calls, triangles } = this.renderer.info.render;
    return { calls, triangles };
  }
  viewpoint() {
    return { camera: this.camera.position.toArray(), target: this.controls.target.toArray() };
  }
}
