// The mechanism in space: solids, marks, light, ground. Draws only when something changed.

import {
  AxesHelper,
  Color,
  DirectionalLight,
  GridHelper,
  HemisphereLight,
  Matrix4,
  Quaternion,
  Raycaster,
  Scene,
  Vector2,
  Vector3,
  WebGLRenderer,
  type Box3,
} from "three";
import { fromUp, upward, Viewpoint, type Preset } from "./camera";
import type { SceneData } from "./data";
import { Arrows, Connections, Traces } from "./marks";
import { bounds, extent, sampled, travel } from "./measure";
import { Pace } from "./pace";
import { bodySolids, jointSolids, mostDetailed } from "./parts";
import { placeFrames } from "./poses";
import { Skins } from "./skins";
import type { Solids } from "./solids";
import type { Things } from "./things";

export const palette = ["#4c78a8", "#f2a541", "#59a14f", "#b07aa1", "#e15759", "#76b7b2", "#9c755f", "#8f9bb3"];
const colors = palette.map((c) => new Color(c));
const mostLabels = 120;
const chosen = new Color("#ffd23f");
const stressed = new Color("#d7263d");
const leastStress = 1; // [Pa] below, it is only rounding

export class Stage {
  readonly canvas: HTMLCanvasElement;
  readonly arrows: Arrows;
  followed = -1;
  selected = -1;
  onPick: (body: number) => void = () => {};
  private renderer: WebGLRenderer;
  private scene = new Scene();
  private view: Viewpoint;
  private frames: Matrix4[]; // of bodies, then of places on elastic ones
  private solids: Solids;
  private skins: Skins; // of elastic solids
  private joints: Solids;
  private connections: Connections;
  private traces: Traces;
  private grid: GridHelper | null = null;
  private axes: AxesHelper;
  private box: Box3; // of the mechanism and its way
  private size: number; // of that box [m]
  private up: Vector3;
  private dirty = true;
  private pace: Pace | null = null; // of mechanisms with very many bodies
  private ink = new Color("#444");
  private labels: { element: HTMLElement; frame: number; at: Vector3 }[] = [];

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
    this.up = upward(things.gravity);

    placeFrames(data, this.frames, 0);
    this.solids = bodySolids(things, colors, travel(data, this.frames.length));
    this.solids.place(this.frames);
    this.skins = new Skins(data, things, colors);
    this.skins.place(this.frames, 0);
    const layers = [this.solids, this.skins];
    const reach = extent(layers);
    this.box = bounds(data, things, this.frames, layers);
    this.size = Math.max(this.box.getSize(new Vector3()).length(), 1e-6);
    const small = Math.min(this.size, reach);
    this.joints = jointSolids(things, small);
    this.connections = new Connections(things, data, small * 0.014);
    this.traces = new Traces(data, things, colors);
    this.arrows = new Arrows(data, things, small * 0.35);
    for (const row of sampled(data.rows, 20)) {
      placeFrames(data, this.frames, row);
      for (const tip of this.arrows.tips(this.frames, row)) this.box.expandByPoint(tip);
    }
    this.axes = new AxesHelper(small * 0.15);
    this.scene.add(this.solids.group, this.skins.group, this.joints.group, this.connections.group, this.traces.group, this.arrows.group, this.axes);
    this.scene.add(new HemisphereLight(0xffffff, 0x9a9a9a, 1.6));
    for (const [x, y, z, strength] of [[2, -3, 5, 2.0], [-4, 2, 2, 0.7]]) {
      const light = new DirectionalLight(0xffffff, strength);
      light.position.copy(fromUp(this.up, x, y, z));
      this.scene.add(light);
    }

    this.view = new Viewpoint(this.box, this.up, this.canvas, () => (this.dirty = true));
    this.listen();
    this.setTheme();
    this.findLargestStress();
    this.show(0, 0);
    this.resize();
    this.look("iso");
    if (this.solids.count > mostDetailed) this.pace = new Pace(this.solids.count, (n) => this.drawAndWait(n));
    new ResizeObserver(() => this.resize()).observe(holder);
  }

  private buildGrid(line: Color) {
    if (this.grid) {
      this.scene.remove(this.grid);
      this.grid.dispose();
    }
    const step = 10 ** Math.round(Math.log10(this.size / 8));
    const n = Math.min(60, 2 * Math.ceil((1.2 * this.size) / step));
    this.grid = new GridHelper(n * step, n, line, line);
    this.grid.quaternion.setFromUnitVectors(new Vector3(0, 1, 0), this.up);
    const center = this.box.getCenter(new Vector3());
    const inPlane = center.addScaledVector(this.up, -center.dot(this.up));
    inPlane.set(...(inPlane.toArray().map((x) => Math.round(x / step) * step) as [number, number, number]));
    const floor = Math.min(this.box.min.dot(this.up), this.box.max.dot(this.up));
    const level = floor > -1e-9 * this.size && floor < 0.3 * this.size ? Math.min(0, floor) : floor - 0.02 * this.size;
    this.grid.position.copy(inPlane).addScaledVector(this.up, level);
    this.scene.add(this.grid);
  }

  /** Takes the colours of the page. */
  setTheme() {
    const style = getComputedStyle(document.documentElement);
    const color = (name: string) => new Color(style.getPropertyValue(name).trim());
    this.renderer.setClearColor(color("--stage"));
    this.ink = color("--stage-ink");
    const wasVisible = this.grid?.visible ?? true;
    this.buildGrid(color("--stage-grid"));
    this.grid!.visible = wasVisible;
    this.dirty = true;
  }

  // ── the view ──

  look(preset: Preset) {
    this.view.look(preset);
  }
  get isOrthographic() {
    return this.view.isOrthographic;
  }
  setOrthographic(on: boolean) {
    this.view.setOrthographic(on);
  }
  follow(body: number) {
    this.followed = body;
    this.view.follow(body >= 0 ? this.positionOf(body) : null);
  }
  private positionOf(frame: number) {
    return new Vector3().setFromMatrixPosition(this.frames[frame]);
  }

  // ── colours ──

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
    this.skins.paint(this.showsStress ? stressed : null, (body) => (body === this.selected ? chosen : null));
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
  /** What the red of elastic bodies stands for; "" where there are none. */
  get bends(): "stress" | "deflection" | "" {
    return this.data.segments.length ? "stress" : this.skins.count ? "deflection" : "";
  }
  /** The largest deflection of elastic solids of all rows [m]; 0 where there are none. */
  get largestDeflection() {
    return this.skins.largest;
  }
  /** How far the points of an elastic solid are from where they rest, at most, as it is shown [m]. */
  deflectionOf(body: number) {
    return this.skins.deflectionOf(body);
  }
  private findLargestStress() {
    const { data } = this;
    if (data.segments.length === 0) return;
    this.stressRows = Math.min(this.stressRows, data.rows);
    for (; this.stressRows < data.rows; ++this.stressRows)
      for (const s of data.segments) {
        const x = data.loads[this.stressRows * data.loadWidth + s.load];
        if (x > this.mostStress && x < Infinity) this.mostStress = x;
      }
  }
  private mostStress = 0;
  private stressRows = 0; // rows that were looked at for it
  private showsStress = true;

  // ── what is shown ──

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
    placeFrames(this.data, this.frames, position);
    this.solids.place(this.frames);
    this.skins.place(this.frames, position);
    this.joints.place(this.frames);
    this.connections.place(this.frames, row, this.ink);
    this.traces.place(row);
    this.arrows.place(this.frames, row);
    if (this.data.segments.length || this.skins.count) this.paint();
    if (this.followed >= 0) this.view.followedTo(this.positionOf(this.followed));
    this.dirty = true;
  }
  rowsArrived() {
    this.findLargestStress();
    this.skins.measure();
    this.traces.refill();
  }
  /** Other rows are there in place of those before. */
  motionChanged() {
    this.mostStress = this.stressRows = 0;
    this.rowsArrived();
  }

  // ── drawing and choosing ──

  resize() {
    const { clientWidth: w, clientHeight: h } = this.holder;
    if (w === 0 || h === 0) return;
    this.renderer.setPixelRatio(Math.min(window.devicePixelRatio, 2));
    this.renderer.setSize(w, h, false);
    this.view.setAspect(w / h);
    this.dirty = true;
  }

  /** Solids that are drawn at rest, of how many; null where all are. */
  get drawn(): { solids: number; of: number } | null {
    const of = this.solids.count;
    const solids = Math.round(this.pace?.resting ?? Infinity);
    return solids < of ? { solids, of } : null;
  }
  private drawAndWait(most: number) {
    this.solids.drawOnly(most);
    this.renderer.render(this.scene, this.view.camera);
    const gl = this.renderer.getContext();
    gl.readPixels(0, 0, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, new Uint8Array(4)); // it is only there when all is drawn
  }

  /** Draws, if anything has changed, or if there was no time for all of it when it did. */
  draw() {
    const solids = this.pace ? this.pace.next(this.dirty, performance.now()) : this.dirty ? Infinity : 0;
    if (solids === 0) return;
    this.dirty = false;
    this.solids.drawOnly(solids);
    this.renderer.render(this.scene, this.view.camera);
    const { clientWidth: w, clientHeight: h } = this.holder;
    const p = new Vector3();
    for (const label of this.labels) {
      p.copy(label.at).applyMatrix4(this.frames[label.frame]).project(this.view.camera);
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
  }
  private pick(e: PointerEvent) {
    const box = this.canvas.getBoundingClientRect();
    const at = new Vector2(((e.clientX - box.left) / box.width) * 2 - 1, 1 - ((e.clientY - box.top) / box.height) * 2);
    const ray = new Raycaster();
    ray.setFromCamera(at, this.view.camera);
    const hit = ray.intersectObjects([...this.solids.group.children, ...this.skins.group.children], false)[0];
    const frame = hit ? this.solids.frameOf(hit) : -1;
    this.onPick(frame >= 0 ? this.things.frames[frame].part_of : hit ? this.skins.bodyOf(hit) : -1);
  }

  // ── for scripts and tests ──

  /** Of a body, or of a frame behind the bodies. */
  bodyPose(body: number) {
    const p = new Vector3();
    const q = new Quaternion();
    this.frames[body].decompose(p, q, new Vector3());
    return { position: p.toArray(), quaternion: [q.w, q.x, q.y, q.z] };
  }
  /** Where a point of a body's frame is on the page [px]. */
  onScreen(body: number, point: [number, number, number]) {
    const p = new Vector3(...point).applyMatrix4(this.frames[body]);
    this.view.camera.updateMatrixWorld();
    p.project(this.view.camera);
    const box = this.canvas.getBoundingClientRect();
    return [box.left + ((p.x + 1) / 2) * box.width, box.top + ((1 - p.y) / 2) * box.height];
  }
  /** Of an elastic solid's skin, in its body's frame. */
  skinPoint(skin: number, point: number) {
    return this.skins.point(skin, point);
  }
  cost() {
    this.dirty = true;
    this.draw();
    const { calls, triangles } = this.renderer.info.render;
    return { calls, triangles };
  }
  viewpoint() {
    return { camera: this.view.camera.position.toArray(), target: this.view.target.toArray() };
  }
}
