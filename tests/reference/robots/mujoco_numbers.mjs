// Dynamics of a robot at random states as MuJoCo computes them, for the tests of the import.
//
//   npm install @mujoco/mujoco@3.14.0        in a folder of its own
//   node mujoco_numbers.mjs ROBOT [STATES] > ROBOT.json        run from that folder
//
// For each state: joint positions q, speeds u, accelerations a, the forces tau that produce them
// (M a + bias − passive − drives), the accelerations free without any, and the mass matrix. Constraints, contacts, limits
// and dry friction are off; springs, dampers and drives, with their control at 0, are on.
//
// A model with equality constraints gets one more state, `held`: at rest as it is written, the accelerations that the constraints
// allow if they are hard. With a = M⁻¹ f free and the rows J of MuJoCo's constraints, that is a − M⁻¹ Jᵀ λ with
// J M⁻¹ Jᵀ λ = J a; at rest there is no further term. Rows that depend on others are dropped.
//
// Coordinates are those of Sarrus. MuJoCo's speeds of a free joint are v in world axes, then ω in body axes;
// Sarrus has ω, then v' = Rᵀ v, both in body axes: u_m = T u with T = [0 R; 1 0], so that M = Tᵀ M_m T, tau = Tᵀ tau_m and
// a_m = T a + [R (ω × v'); 0].
import { readFileSync, readdirSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

const require = createRequire(path.join(process.cwd(), 'x.js'));
const load = (await import(pathToFileURL(require.resolve('@mujoco/mujoco')).href)).default;

/** Numbers in (−1, 1), the same ones every time (xorshift). */
export function randomNumbers(seed) {
  let s = BigInt(seed);
  return () => {
    s ^= (s << 13n) & 0xffffffffffffffffn;
    s ^= s >> 7n;
    s ^= (s << 17n) & 0xffffffffffffffffn;
    return Number(s >> 11n) / 2 ** 52 - 1;
  };
}

/** Copies a folder into the file system of the wasm module. */
function copyFolder(mj, from, to) {
  mj.FS.mkdirTree(to);
  for (const name of readdirSync(from)) {
    const source = path.join(from, name);
    if (statSync(source).isDirectory()) copyFolder(mj, source, to + '/' + name);
    else mj.FS.writeFile(to + '/' + name, readFileSync(source));
  }
}

const FREE = 0, BALL = 1;

/** The name of a joint; one without is called as the import calls it. */
function jointName(model, j) {
  const bytes = [];
  for (let i = model.name_jntadr[j]; model.names[i]; ++i) bytes.push(model.names[i] & 255);
  return Buffer.from(bytes).toString() || `joint${j}`;
}

export function numbers(mj, model, states, seed = 88172645463325252n) {
  const random = randomNumbers(seed);
  // equality constraints, limits, contacts, dry friction
  const off = mj.mjtDisableBit;
  const held = model.neq > 0 ? heldStart(mj, model) : undefined;
  for (const bit of ['mjDSBL_CONSTRAINT', 'mjDSBL_CONTACT'])
    model.opt.disableflags |= off[bit].value ?? off[bit];
  const nv = model.nv;
  const joints = [];
  for (let j = 0; j < model.njnt; ++j) {
    const type = model.jnt_type[j];
    joints.push({ name: jointName(model, j), type,
                  q: model.jnt_qposadr[j], u: model.jnt_dofadr[j],
                  nq: [7, 4, 1, 1][type], nu: [6, 3, 1, 1][type] });
  }
  const data = new mj.MjData(model);
  const result = [];
  for (let k = 0; k < states; ++k) {
    for (const j of joints) {
      const quaternion = () => {
        const w = [random(), random(), random(), random()];
        const size = Math.hypot(...w);
        return w.map((x) => x / size);
      };
      if (j.type === FREE) [random(), random(), random(), ...quaternion()].forEach((x, i) => { data.qpos[j.q + i] = x; });
      else if (j.type === BALL) quaternion().forEach((x, i) => { data.qpos[j.q + i] = x; });
      else data.qpos[j.q] = random();
    }
    for (let i = 0; i < nv; ++i) data.qvel[i] = random();
    const acceleration = Array.from({ length: nv }, () => random());
    mj.mj_forward(model, data);
    const buffer = new mj.DoubleBuffer(nv * nv);
    mj.mj_fullM(model, data, buffer);
    const full = Array.from(buffer.GetView());
    buffer.delete();
    const bias = Array.from(data.qfrc_bias), passive = Array.from(data.qfrc_passive);
    const free = Array.from(data.qacc_smooth), drives = Array.from(data.qfrc_actuator);
    const tau = bias.map((b, i) => b - passive[i] - drives[i] + full.slice(i * nv, (i + 1) * nv).reduce((s, m, c) => s + m * acceleration[c], 0));

    // T, block by block
    const T = Array.from({ length: nv }, (_, i) => Array.from({ length: nv }, (_, c) => (i === c ? 1 : 0)));
    const extra = new Array(nv).fill(0);
    const places = new Map();
    for (const j of joints) {
      const q = Array.from(data.qpos.slice(j.q, j.q + j.nq));
      places.set(j.name, j.type === FREE ? [...q.slice(3), ...q.slice(0, 3)] : q);
      if (j.type !== FREE) continue;
      const [w, x, y, z] = q.slice(3);
      const R = [[1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
                 [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
                 [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)]];
      const v = [0, 1, 2].map((i) => data.qvel[j.u + i]), o = [3, 4, 5].map((i) => data.qvel[j.u + i]);
      const inBody = [0, 1, 2].map((i) => R[0][i] * v[0] + R[1][i] * v[1] + R[2][i] * v[2]);
      const turn = [o[1] * inBody[2] - o[2] * inBody[1], o[2] * inBody[0] - o[0] * inBody[2], o[0] * inBody[1] - o[1] * inBody[0]];
      for (let i = 0; i < 3; ++i) {
        extra[j.u + i] = R[i][0] * turn[0] + R[i][1] * turn[1] + R[i][2] * turn[2];
        for (let c = 0; c < 3; ++c) {
          T[j.u + i][j.u + c] = 0, T[j.u + i][j.u + 3 + c] = R[i][c];
          T[j.u + 3 + i][j.u + 3 + c] = 0, T[j.u + 3 + i][j.u + c] = i === c ? 1 : 0;
        }
      }
    }
    // T is orthogonal: its inverse is Tᵀ
    const back = (x) => x.map((_, c) => x.reduce((s, xi, i) => s + T[i][c] * xi, 0));
    const rows = Array.from({ length: nv }, (_, i) => full.slice(i * nv, (i + 1) * nv));
    const half = rows.map((row) => back(row));                                    // M T
    const M = Array.from({ length: nv }, (_, c) => back(half.map((row) => row[c])));  // (Tᵀ M T)ᵀ
    const one = { u: back(Array.from(data.qvel)), a: back(acceleration.map((x, i) => x - extra[i])), tau: back(tau),
                  free: back(free.map((x, i) => x - extra[i])) };
    const said = { joints: {}, M };
    for (const j of joints)
      said.joints[j.name] = { q: places.get(j.name), ...Object.fromEntries(Object.entries(one).map(([key, x]) => [key, x.slice(j.u, j.u + j.nu)])) };
    result.push(said);
  }
  data.delete();
  return { order: joints.map((j) => j.name), states: result, ...(held ? { held } : {}) };
}

/** Accelerations at the start, at rest, under hard equality constraints; by joint, as MuJoCo orders their speeds. */
function heldStart(mj, model) {
  const off = mj.mjtDisableBit;
  const before = model.opt.disableflags;
  for (const bit of ['mjDSBL_CONTACT', 'mjDSBL_LIMIT', 'mjDSBL_FRICTIONLOSS']) model.opt.disableflags |= off[bit].value ?? off[bit];
  const jacobian = model.opt.jacobian;
  model.opt.jacobian = 0;  // dense
  const data = new mj.MjData(model), nv = model.nv;
  mj.mj_forward(model, data);
  const buffer = new mj.DoubleBuffer(nv * nv);
  mj.mj_fullM(model, data, buffer);
  const full = Array.from(buffer.GetView());
  buffer.delete();
  const dot = (x, y) => x.reduce((s, xi, i) => s + xi * y[i], 0);
  const solve = (b) => solved(Array.from({ length: nv }, (_, i) => full.slice(i * nv, (i + 1) * nv)), b);
  const rows = Array.from(data.efc_J);
  let a = Array.from(data.qacc_smooth);
  const kept = [];  // [row, M⁻¹ rowᵀ], orthogonal to each other in M⁻¹
  for (let k = 0; k < rows.length / nv; ++k) {
    let row = rows.slice(k * nv, (k + 1) * nv);
    const size = dot(row, solve(row));
    for (let pass = 0; pass < 2; ++pass)
      for (const [other, y] of kept) {
        const c = dot(row, y) / dot(other, y);
        row = row.map((x, i) => x - c * other[i]);
      }
    const y = solve(row);
    if (dot(row, y) < 1e-18 * size || size === 0) continue;
    kept.push([row, y]);
    const c = dot(row, a) / dot(row, y);
    a = a.map((x, i) => x - c * y[i]);
  }
  data.delete();
  model.opt.disableflags = before;
  model.opt.jacobian = jacobian;
  const said = {};
  for (let j = 0; j < model.njnt; ++j) {
    const name = jointName(model, j), u = model.jnt_dofadr[j];
    said[name] = a.slice(u, u + [6, 3, 1, 1][model.jnt_type[j]]);
    // a free joint that stands upright at rest: the same numbers, in another order
    if (model.jnt_type[j] === FREE) said[name] = [...said[name].slice(3), ...said[name].slice(0, 3)];
  }
  return said;
}

/** A x = b by elimination with pivots. */
function solved(A, b) {
  const n = b.length, x = [...b];
  for (let k = 0; k < n; ++k) {
    let p = k;
    for (let i = k + 1; i < n; ++i) if (Math.abs(A[i][k]) > Math.abs(A[p][k])) p = i;
    [A[k], A[p]] = [A[p], A[k]], [x[k], x[p]] = [x[p], x[k]];
    for (let i = k + 1; i < n; ++i) {
      const f = A[i][k] / A[k][k];
      for (let c = k; c < n; ++c) A[i][c] -= f * A[k][c];
      x[i] -= f * x[k];
    }
  }
  for (let k = n - 1; k >= 0; --k) x[k] = (x[k] - A[k].slice(k + 1).reduce((s, v, i) => s + v * x[k + 1 + i], 0)) / A[k][k];
  return x;
}

export const start = () => load({ printErr: () => {}, print: () => {} });

export async function open(robot) {
  const mj = await start();
  const file = path.resolve(robot);
  copyFolder(mj, path.dirname(file), '/robot');
  return { mj, model: mj.MjModel.from_xml_path('/robot/' + path.basename(file)) };
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const { mj, model } = await open(process.argv[2]);
  const all = numbers(mj, model, Number(process.argv[3] ?? 5));
  console.log(JSON.stringify({ program: `MuJoCo ${mj.mj_versionString()}, npm @mujoco/mujoco`, robot: path.basename(process.argv[2]), ...all }));
}
