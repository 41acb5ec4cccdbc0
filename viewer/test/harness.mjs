// What the tests of the page share: steps that are counted, the program, a folder that goes away.
import { execFileSync, spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export const skipped = 77; // what CTest takes for "skipped"

export function skip(words) {
  console.log(`skipped: ${words}`);
  process.exit(skipped);
}

export const program = process.env.SARRUS_PROGRAM ?? skip("SARRUS_PROGRAM does not say which program to test");
export const folder = mkdtempSync(join(tmpdir(), "sarrus-viewer-"));
const started = new Set(); // a test that fails must not leave a run behind
process.on("exit", () => {
  for (const child of started) child.kill("SIGKILL");
  rmSync(folder, { recursive: true, force: true });
});
for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => process.exit(1));

export const write = (name, text) => writeFileSync(join(folder, name), text);
export const read = (name) => readFileSync(join(folder, name));
export const path = (name) => join(folder, name);
export const sarrus = (...words) => execFileSync(program, words, { cwd: folder, encoding: "utf8", maxBuffer: 1 << 28, stdio: ["ignore", "pipe", "pipe"] });
export function sarrusRunning(...words) {
  const child = spawn(program, words, { cwd: folder, stdio: ["ignore", "pipe", "pipe"] });
  started.add(child);
  child.once("exit", () => started.delete(child));
  return child;
}

/** A CSV export as columns by name, units left out. */
export function table(result) {
  const [head, ...lines] = sarrus("export", result, "--csv", "-").trim().split("\n");
  const names = head.split(",").map((n) => n.replace(/\[.*\]$/, ""));
  const rows = lines.map((l) => l.split(",").map(Number));
  return Object.fromEntries(names.map((n, i) => [n, rows.map((r) => r[i])]));
}

/** Repeats a check until it holds: a page draws and answers when the machine has time for it. */
export async function eventually(check, patience = 300000) {
  const end = Date.now() + patience;
  for (;;)
    try {
      return await check();
    } catch (e) {
      if (Date.now() > end) throw e;
      await new Promise((done) => setTimeout(done, 50));
    }
}

let passed = 0;
let failed = 0;
export async function step(name, f) {
  const began = Date.now();
  const seconds = () => `${((Date.now() - began) / 1000).toFixed(1)} s`;
  try {
    await f();
    ++passed;
    console.log(`ok      ${name} (${seconds()})`);
  } catch (e) {
    ++failed;
    console.log(`FAILED  ${name} (${seconds()})\n${e.stack ?? e}`);
  }
}
export function finish() {
  console.log(`${passed} passed, ${failed} failed`);
  process.exit(failed ? 1 : 0);
}

/** A hinge, a ball joint, a slide, a spring, a force, reactions: one of everything that is drawn. */
export const model = (name, simulate) => `sarrus = 1
name = ${JSON.stringify(name)}
[[body]]
name = "upper"
shape = { type = "box", size = [1, 0.08, 0.08], at = [0.5, 0, 0], density = 700 }
[[body]]
name = "lower"
shape = { type = "cylinder", radius = 0.05, length = 0.8, at = [0.4, 0, 0], rotation = { axis = "y", angle = "90 deg" }, density = 700, color = "#cc3311" }
[[body]]
name = "ring"
shape = { type = "sphere", radius = 0.1, density = 500 }
[[joint]]
name = "hinge"
type = "revolute"
child = "upper"
axis = "y"
q = "20 deg"
[[joint]]
name = "ball"
type = "spherical"
parent = "upper"
child = "lower"
on_parent = { at = [1, 0, 0] }
u = [0.4, 0.2, 1]
[[joint]]
name = "slide"
type = "prismatic"
parent = "lower"
child = "ring"
axis = "x"
q = 0.3
spring = { k = 60, rest = 0.4 }
damper = 1
[[spring]]
name = "rubber"
from = { body = "lower", at = [0.8, 0, 0] }
to = { body = "world", at = [0, 0, 1] }
k = 15
length = 1
[[force]]
name = "push"
body = "upper"
at = [1, 0, 0]
force = ["0", "4*sin(3*t)", "0"]
[[sensor]]
name = "s_upper"
body = "upper"
[[sensor]]
name = "s_lower"
body = "lower"
[[sensor]]
name = "s_ring"
body = "ring"
[simulate]
reactions = true
${simulate}
`;

/** A beam held at a quarter of its length in turned axes, with sensors where its last segment has its middle and its end. */
export const bending = `sarrus = 1
name = "bending"
[[body]]
name = "beam"
shapes = [
  { type = "box", size = [1, 0.02, 0.04], at = [0.5, 0, 0] },
  { type = "sphere", radius = 0.03, at = [1, 0, 0], color = "#333333" },
]
elastic = { length = 1, section = { width = 0.02, height = 0.04 }, material = { E = 1e9, density = 1500 }, deforms = ["y", "z", "torsion", "axial"], modes = 3 }
[[joint]]
name = "hinge"
type = "revolute"
child = "beam"
axis = "y"
on_child = { at = [0.25, 0, 0], rotation = { axis = "z", angle = "30 deg" } }
[[spring]]
name = "rubber"
from = { body = "beam", at = [1, 0, 0] }
to = { body = "world", at = [1, 0.5, 0.5] }
k = 40
length = 0.1
[[sensor]]
name = "tip"
body = "beam"
at = [1, 0, 0]
[[sensor]]
name = "late"
body = "beam"
at = [0.96875, 0, 0]
[[sensor]]
name = "inside"
body = "beam"
at = [0.40625, 0, 0]
section = true
[simulate]
until = 0.5
output_step = 0.01
`;

/** So many bars on hinges, one behind the other. */
export function chain(bodies, simulate) {
  const parts = [`sarrus = 1\nname = "chain of ${bodies}"\n`];
  for (let i = 0; i < bodies; ++i)
    parts.push(`[[body]]
name = "b${i}"
shape = { type = "capsule", radius = 0.02, length = 0.2, at = [0.12, 0, 0], rotation = { axis = "y", angle = "90 deg" }, density = 1000 }
[[joint]]
name = "j${i}"
type = "revolute"
parent = "${i ? `b${i - 1}` : "world"}"
child = "b${i}"
axis = "y"
on_parent = { at = [${i ? 0.24 : 0}, 0, 0] }
q = ${i % 2 ? 0.1 : -0.05}
damper = 0.01
`);
  return `${parts.join("")}[simulate]\n${simulate}\n`;
}
