// Lines of a constant width on the screen through many points: two triangles for each piece, all in one
// buffer. (three.js has fat lines too, with six triangles for each piece: too slow where a processor draws.)

import { BufferAttribute, BufferGeometry, DoubleSide, GLSL3, InterleavedBuffer, InterleavedBufferAttribute, Mesh, ShaderMaterial, Sphere, Vector2, Vector3, type Color } from "three";

const vertex = `
uniform vec2 screen;  // [px]
uniform float width;  // [px]
in vec3 before, after;
void main() {
  mat4 m = projectionMatrix * modelViewMatrix;
  vec4 here = m * vec4(position, 1.0), from = m * vec4(before, 1.0), to = m * vec4(after, 1.0);
  if (from.w <= 0.0) from = here;  // behind the camera
  if (to.w <= 0.0) to = here;
  vec2 along = (to.xy / to.w - from.xy / from.w) * screen;
  float size = length(along);
  vec2 aside = size > 1e-6 ? vec2(-along.y, along.x) / size : vec2(0.0, 1.0);
  float side = (gl_VertexID & 1) == 0 ? 1.0 : -1.0;
  here.xy += side * width * aside / screen * here.w;
  gl_Position = here;
}`;
const fragment = `
uniform vec3 color;
uniform float opacity;
out vec4 result;
void main() {
  result = vec4(color, opacity);
}`;

export class Ribbon {
  readonly object: Mesh;
  private material: ShaderMaterial;

  constructor(color: Color, width: number, opacity = 1) {
    // the page's canvas is not linear: colours go there as they are written
    const shown = color.clone().convertLinearToSRGB();
    this.material = new ShaderMaterial({
      glslVersion: GLSL3,
      vertexShader: vertex,
      fragmentShader: fragment,
      uniforms: { screen: { value: new Vector2(1, 1) }, width: { value: width }, color: { value: shown }, opacity: { value: opacity } },
      transparent: opacity < 1,
      depthWrite: opacity === 1,
      side: DoubleSide,
    });
    this.object = new Mesh(new BufferGeometry(), this.material);
    this.object.frustumCulled = false;
    this.object.onBeforeRender = (renderer) => {
      renderer.getSize(this.material.uniforms.screen.value as Vector2);
    };
  }

  /** Takes so many points, x y z each. */
  fill(points: Float32Array) {
    const n = points.length / 3;
    // each point twice, the first and the last once more, so that each has one before and one after it
    const numbers = new Float32Array(6 * (n + 2));
    for (let i = -1; i <= n; ++i) {
      const point = points.subarray(3 * Math.min(Math.max(i, 0), n - 1)).subarray(0, 3);
      numbers.set(point, 6 * (i + 1));
      numbers.set(point, 6 * (i + 1) + 3);
    }
    const corners = new Uint32Array(6 * (n - 1));
    for (let i = 0; i + 1 < n; ++i) corners.set([2 * i, 2 * i + 1, 2 * i + 2, 2 * i + 2, 2 * i + 1, 2 * i + 3], 6 * i);
    this.object.geometry.dispose();
    const geometry = (this.object.geometry = new BufferGeometry());
    const buffer = new InterleavedBuffer(numbers, 3);
    ["before", "position", "after"].forEach((name, k) => geometry.setAttribute(name, new InterleavedBufferAttribute(buffer, 3, 6 * k)));
    geometry.setIndex(new BufferAttribute(corners, 1));
    geometry.boundingSphere = new Sphere(new Vector3(), Infinity); // it is never left out
  }

  /** Shows the pieces from one point to another. */
  show(from: number, to: number) {
    this.object.visible = to > from;
    this.object.geometry.setDrawRange(6 * from, 6 * (to - from));
  }
}
