// The page at its limits: many bodies, large meshes, bodies far away or without a shape.
//
//   SARRUS_FULL=1 for 100,000 bodies and the largest mesh that a model may have; otherwise much less
import assert from "node:assert/strict";
import { closeSync, openSync, statSync, truncateSync, writeSync } from "node:fs";
import { launch, openPage } from "./browser.mjs";
import { finish, path, sarrus, skip, step, write } from "./harness.mjs";

const full = Boolean(process.env.SARRUS_FULL);
const { browser, missing } = await launch();
if (missing) skip(missing);

async function open(name) {
  const page = await openPage(browser, null, { patience: 900000 });
  await page.goto(`file://${path(`${name}.html`)}`, { timeout: 240000 });
  await page.waitForFunction(() => window.sarrus);
  return page;
}
/** The camera can still be turned, and time goes on. */
async function isUsable(page) {
  const { camera } = await page.evaluate(() => window.sarrus.stage.viewpoint());
  await page.evaluate(() => window.sarrus.stage.look("right"));
  assert.notDeepEqual((await page.evaluate(() => window.sarrus.stage.viewpoint())).camera, camera);
  await page.evaluate(() => window.sarrus.player.goTo(Infinity));
  assert.ok((await page.evaluate(() => window.sarrus.player.time)) > 0);
  assert.deepEqual(page.complaints, []);
}

await step("V15: a body far away, and bodies without shapes, leave the camera usable", async () => {
  write("far.toml", `sarrus = 1
name = "far"
${[0, 1, 2].map((i) => `[[body]]\nname = "n${i}"\nmass = 1\ncom = [0.5, 0, 0]\ninertia = [1, 1, 1]\n[[joint]]\nname = "k${i}"\ntype = "revolute"\nparent = "${i ? `n${i - 1}` : "world"}"\nchild = "n${i}"\non_parent = { at = [${i ? 1 : 0}, 0, 0] }\n`).join("")}
[[body]]
name = "star"
mass = 1
inertia = [1, 1, 1]
[[joint]]
name = "sky"
type = "free"
child = "star"
q = [1, 0, 0, 0, 1e9, 0, 0]
[simulate]
until = 0.1
`);
  sarrus("run", "far.toml", "-o", "far");
  sarrus("report", "far", "-o", "far.html");
  const far = await open("far");
  const { camera } = await far.evaluate(() => window.sarrus.stage.viewpoint());
  assert.ok(Math.hypot(...camera) < 100, `the camera is at ${camera}`);
  assert.ok((await far.evaluate(() => window.sarrus.stage.cost())).triangles > 100);
  await isUsable(far);
  await far.context().close();
});

/** How long it takes until the picture is there after the camera was turned [ms]. */
const turning = (page) =>
  page.evaluate(() => {
    const { stage } = window.sarrus;
    const began = performance.now();
    stage.look("top");
    stage.cost();
    const gl = stage.canvas.getContext("webgl2");
    gl.readPixels(0, 0, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, new Uint8Array(4)); // waits for what was drawn
    return performance.now() - began;
  });

await step("V15: many bodies: shown, in a few draw calls, the limits in words, the camera usable", async () => {
  const count = full ? 100000 : 6000;
  const side = Math.ceil(Math.sqrt(count));
  const parts = ['sarrus = 1\nname = "many"\n'];
  for (let i = 0; i < count; ++i)
    parts.push(`[[body]]
name = "b${i}"
shape = { type = "box", size = [0.5, 0.5, 0.5], density = 1000 }
[[joint]]
name = "j${i}"
type = "prismatic"
child = "b${i}"
on_parent = { at = [${i % side}, ${Math.floor(i / side)}, 0] }
`);
  parts.push('[simulate]\nuntil = 0.1\noutput_step = 0.005\nintegrator = "rk4"\nstep = 0.05\n');
  write("many.toml", parts.join(""));
  sarrus("run", "many.toml", "-o", "many", "--quiet");
  sarrus("report", "many", "-o", "many.html");
  const page = await open("many");
  const { calls, triangles } = await page.evaluate(() => window.sarrus.stage.cost());
  const { ready, rows } = await page.evaluate(() => ({ ready: window.sarrus.ready, rows: window.sarrus.data.rows }));
  console.log(`        ${count} bodies: ${(statSync(path("many.html")).size / 1e6).toFixed(0)} MB with ${rows} rows, ready after ${(ready / 1000).toFixed(1)} s, ${calls} draw calls, ${triangles} triangles; a picture while it is turned takes ${(await turning(page)).toFixed(0)} ms; ${await page.locator(".limits").textContent()}`);
  const words = await page.locator(".limits").textContent();
  const slow = words.match(/draws slowly, so (\d+) of (\d+) solids are drawn/);
  if (slow) assert.ok(Number(slow[1]) > 0 && Number(slow[2]) === count, slow[0]);
  assert.ok(calls < 20 && triangles > 0 && triangles < 4e6, `${calls} draw calls, ${triangles} triangles`);
  // while something moves there may be time for a part of them; all are there once it rests, unless the words say otherwise
  const all = () => page.waitForFunction((n) => window.sarrus.stage.renderer.info.render.triangles >= n, 12 * count, { timeout: 30000 });
  if (!slow) await all();
  assert.match(words, /marks of joints, reactions and weights are left out/);
  if (full) assert.match(words, /each \d+th of 21 rows/);
  await isUsable(page);
  // each falls by g t²/2, and is found by its name
  await page.getByRole("tab", { name: "Parts" }).click();
  assert.match(await page.locator(".parts .hint").first().textContent(), new RegExp(`2000 of ${count} bodies`));
  await page.getByLabel("Find a part by its name").fill(`b${count - 1}`);
  await page.locator(".parts .body", { hasText: `b${count - 1}` }).first().click();
  const { position } = await page.evaluate((b) => window.sarrus.stage.bodyPose(b), count - 1);
  assert.ok(Math.abs(position[2] + (9.81 * 0.01) / 2) < 1e-6, `the last body is at ${position}`);
  assert.equal(position[0], (count - 1) % side);
  assert.equal(await page.evaluate(() => window.sarrus.stage.selected), count - 1);
  await page.context().close();
});

/** A binary STL of a wavy sheet with so many triangles. */
function writeSheet(name, triangles) {
  const file = openSync(path(name), "w");
  const head = Buffer.alloc(84);
  head.writeUInt32LE(triangles, 80);
  writeSync(file, head);
  const side = Math.ceil(Math.sqrt(triangles / 2));
  const block = Buffer.alloc(50 * 100000);
  let used = 0;
  const height = (i, k) => 0.1 * Math.sin(i / 50) * Math.cos(k / 50);
  for (let n = 0; n < triangles; ++n) {
    const i = Math.floor(n / 2 / side);
    const k = (n >> 1) % side;
    const corners = n % 2 ? [[i + 1, k], [i + 1, k + 1], [i, k + 1]] : [[i, k], [i + 1, k], [i, k + 1]];
    corners.forEach(([a, b], c) => [a / side, b / side, height(a, b)].forEach((x, d) => block.writeFloatLE(x, used + 12 + 12 * c + 4 * d)));
    used += 50;
    if (used === block.length || n === triangles - 1) {
      writeSync(file, block, 0, used);
      used = 0;
    }
  }
  closeSync(file);
}

const meshModel = `sarrus = 1
name = "mesh"
[[body]]
name = "sheet"
mass = 1
inertia = [1, 1, 1]
shape = { type = "mesh", file = "sheet.stl" }
[[joint]]
name = "fall"
type = "free"
child = "sheet"
[simulate]
until = 0.1
`;
await step("V15: a mesh with very many triangles is a box, and the page says so", async () => {
  // ten millions would be a file of 500 MB, and a model refuses it with the limit
  write("mesh.toml", meshModel);
  write("sheet.stl", "");
  truncateSync(path("sheet.stl"), 84 + 50 * 10_000_000);
  assert.throws(() => sarrus("run", "mesh.toml", "-o", "mesh", "--quiet"), /limit is 200000000/);
  const triangles = full ? 3_900_000 : 1_000_000;
  writeSheet("sheet.stl", triangles);
  sarrus("run", "mesh.toml", "-o", "mesh", "--quiet");
  sarrus("report", "mesh", "-o", "mesh.html");
  const page = await open("mesh");
  const bytes = statSync(path("mesh.html")).size;
  console.log(`        ${triangles} triangles: ${(bytes / 1e6).toFixed(1)} MB`);
  assert.match(await page.locator(".limits").textContent(), /a mesh with too many triangles is shown as a box/);
  assert.ok(bytes < 5e6 && (await page.evaluate(() => window.sarrus.stage.cost())).triangles < 1e5);
  await isUsable(page);
  await page.context().close();
});

await browser.close();
finish();
