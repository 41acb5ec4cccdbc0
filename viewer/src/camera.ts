// From where the mechanism is seen: fixed views, with and without perspective, going with a body.

import { Box3, OrthographicCamera, PerspectiveCamera, Quaternion, Vector3 } from "three";
import { OrbitControls } from "three/examples/jsm/controls/OrbitControls.js";

export type Preset = "iso" | "front" | "back" | "left" | "right" | "top";

const directions: Record<Preset, [number, number, number]> = {
  iso: [1, -1.6, 0.7],
  front: [0, -1, 0],
  back: [0, 1, 0],
  left: [-1, 0, 0],
  right: [1, 0, 0],
  top: [0, -1e-4, 1],
};

/** Against gravity, along the axis nearest to it; z without gravity. */
export function upward(gravity: readonly [number, number, number]): Vector3 {
  const parts = gravity.map(Math.abs);
  const most = parts.indexOf(Math.max(...parts));
  if (parts[most] === 0) return new Vector3(0, 0, 1);
  return new Vector3().setComponent(most, gravity[most] > 0 ? -1 : 1);
}

/** A vector given as if z were up. */
export function fromUp(up: Vector3, x: number, y: number, z: number): Vector3 {
  return new Vector3(x, y, z).applyQuaternion(new Quaternion().setFromUnitVectors(new Vector3(0, 0, 1), up));
}

export class Viewpoint {
  private perspective = new PerspectiveCamera(35, 1, 0.01, 1000);
  private orthographic = new OrthographicCamera(-1, 1, 1, -1, 0.01, 1000);
  private controls: OrbitControls;
  private center: Vector3;
  private size: number;
  private lastFollowed: Vector3 | null = null;
  camera: PerspectiveCamera | OrthographicCamera = this.perspective;

  constructor(
    private box: Box3, // of all that is to be seen
    private up: Vector3,
    canvas: HTMLCanvasElement,
    private onChange: () => void,
  ) {
    this.center = box.getCenter(new Vector3());
    this.size = Math.max(box.getSize(new Vector3()).length(), 1e-6);
    this.perspective.up.copy(up);
    this.orthographic.up.copy(up);
    this.controls = new OrbitControls(this.camera, canvas);
    this.controls.addEventListener("change", onChange);
    this.controls.zoomToCursor = true;
    canvas.addEventListener("keydown", (e) => this.key(e));
  }

  get target() {
    return this.controls.target;
  }

  look(preset: Preset) {
    const d = fromUp(this.up, ...directions[preset]).normalize();
    const distance = this.distanceFor(d);
    this.controls.target.copy(this.center);
    for (const camera of [this.perspective, this.orthographic]) camera.position.copy(this.center).addScaledVector(d, distance);
    this.orthographic.zoom = 1;
    this.changed();
  }

  /** How far away all of the box is seen, a little room left. */
  private distanceFor(direction: Vector3) {
    const right = new Vector3().crossVectors(this.up, direction).normalize();
    const above = new Vector3().crossVectors(direction, right);
    const tall = Math.tan((this.perspective.fov * Math.PI) / 360) * 0.8;
    const wide = tall * Math.min(this.perspective.aspect || 1, 4);
    const { min, max } = this.box;
    let distance = 0;
    for (let k = 0; k < 8; ++k) {
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
    this.changed();
  }

  setAspect(aspect: number) {
    this.perspective.aspect = aspect;
    this.frame();
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
  private changed() {
    this.frame();
    this.controls.update();
    this.onChange();
  }

  /** Goes where this point goes from now on, looking at it; null: stays. */
  follow(point: Vector3 | null) {
    if (point) this.shift(point.clone().sub(this.controls.target));
    this.lastFollowed = point?.clone() ?? null;
    this.onChange();
  }
  /** The point that is followed has moved. */
  followedTo(point: Vector3) {
    if (!this.lastFollowed) return;
    this.shift(point.clone().sub(this.lastFollowed));
    this.lastFollowed.copy(point);
    this.controls.update();
  }
  private shift(by: Vector3) {
    this.controls.target.add(by);
    this.camera.position.add(by);
  }

  private key(e: KeyboardEvent) {
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
  }
  private turn(around: number, over: number) {
    const arm = this.camera.position.clone().sub(this.controls.target);
    arm.applyAxisAngle(this.up, around);
    const side = new Vector3().crossVectors(this.up, arm).normalize();
    const tilted = arm.clone().applyAxisAngle(side, over);
    if (Math.abs(tilted.angleTo(this.up) - Math.PI / 2) < 1.5) arm.copy(tilted);
    this.camera.position.copy(this.controls.target).add(arm);
    this.controls.update();
    this.onChange();
  }
  private zoom(by: number) {
    const arm = this.camera.position.clone().sub(this.controls.target).multiplyScalar(by);
    this.camera.position.copy(this.controls.target).add(arm);
    this.changed();
  }
}
