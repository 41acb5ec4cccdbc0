// What the program knows about a run besides its rows, on the page: freedoms and loops, the table of
// verify, residuals of constraints, modes of vibration.
import assert from "node:assert/strict";
import { cpSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { launch, openPage } from "./browser.mjs";
import { finish, path, sarrus, sarrusRunning, skip, step, table, write } from "./harness.mjs";

const examples = join(dirname(fileURLToPath(import.meta.url)), "../../examples");
const { browser, missing } = await launch();
if (missing) skip(missing);
const number = (text) => parseFloat(text.replaceAll("−", "-"));
const near = (a, b, tolerance, what) => assert.ok(Math.abs(a - b) <= tolerance, `${what}: ${a} is not ${b}`);

async function open(result) {
  sarrus("report", result, "-o", `${result.replaceAll("/", "_")}.html`, "--force");
  return openPage(browser, `file://${path(`${result.replaceAll("/", "_")}.html`)}`);
}
async function close(page) {
  assert.deepEqual(page.complaints, []);
  await page.context().close();
}

const linkage = join(examples, "sarrus_linkage/model.toml");
sarrus("run", linkage, "-o", "linkage", "--quiet", "--until", "0.2");

await step("loops: freedoms, rank and what repeats, as `sarrus check` says", async () => {
  const { mobility } = JSON.parse(sarrus("check", linkage, "--json"));
  // six hinges between six links in space: counting gives 6·5 − 6·5 = 0, and yet the plate goes up and down
  assert.equal(mobility.counted, 0);
  const page = await open("linkage");
  await page.getByRole("tab", { name: "Run" }).click();
  const fact = (name) => page.locator(`.mobility td[data-fact="${name}"]`).textContent();
  assert.equal(Number(await fact("degrees of freedom")), 1);
  assert.equal(Number(await fact("counted alone (Kutzbach)")), 0);
  assert.equal(Number(await fact("rank")), mobility.rank);
  assert.equal(Number(await fact("redundant constraint equations")), 1);
  const words = await page.locator(".mobility li").allTextContents();
  for (const set of mobility.sets) assert.ok(words.includes(set.words), set.words);
  const shared = mobility.reactions.filter((r) => r.components.includes("shared"));
  assert.equal(await page.locator(".mobility .wide-table tr").count(), shared.length + 1);
  await close(page);
});

await step("residuals of loops: at each time those that were recorded, and their curves", async () => {
  const truth = table("linkage");
  const page = await open("linkage");
  await page.getByRole("tab", { name: "Energy" }).click();
  for (const at of [3, truth.time.length - 1]) {
    await page.locator("[data-action=time]").fill(String(at));
    for (const name of ["constraint.position", "constraint.velocity"]) {
      const shown = number(await page.locator(`td[data-column='${name}']`).textContent());
      near(shown, truth[name][at], 1e-6 * Math.max(...truth[name]), `${name} in row ${at}`);
    }
  }
  const drawn = await page.evaluate(() => window.sarrus.charts.list.flatMap((c) => c.columns.map((i) => window.sarrus.data.columns[i].name)));
  assert.ok(drawn.includes("constraint.position") && drawn.includes("constraint.velocity"));
  await close(page);
});

await step("the table of verify: written beside the run, then in its report", async () => {
  const fourBar = join(examples, "four_bar/model.toml");
  sarrus("run", fourBar, "-o", "four", "--quiet");
  const { verify } = JSON.parse(sarrus("verify", fourBar, "--until", "0.1", "-o", "four", "--json"));
  const page = await open("four");
  await page.getByRole("tab", { name: "Run" }).click();
  assert.equal(await page.locator(".verdict").textContent(), verify.sentence);
  const tables = page.locator(".verify .wide-table");
  const column = (at, key) => tables.nth(at).locator(`td[data-key=${key}]`).allTextContents();
  assert.deepEqual(await column(0, "name"), verify.formulations.map((f) => f.name));
  assert.deepEqual(await column(0, "digits"), verify.formulations.map((f) => String(f.digits ?? "")));
  assert.deepEqual(await column(1, "quantity"), verify.quantities.map((q) => q.quantity));
  (await column(1, "size")).forEach((text, i) => near(number(text), verify.quantities[i].size, 1e-3 * verify.quantities[i].size, "size"));
  assert.equal(await tables.nth(2).locator("tr").count(), verify.audits.length + 1);
  await close(page);
});

await step("`view` shows the same table", async () => {
  const server = sarrusRunning("view", "four", "--port", "0", "--json");
  const { address } = JSON.parse(await new Promise((said) => server.stdout.once("data", (d) => said(String(d)))));
  const page = await openPage(browser, address);
  await page.getByRole("tab", { name: "Run" }).click();
  assert.match(await page.locator(".verdict").textContent(), /agrees/);
  assert.ok((await page.locator(".mobility").count()) === 1);
  await close(page);
  const ended = new Promise((done) => server.once("exit", done));
  server.kill("SIGTERM");
  await ended;
});

await step("modes of vibration move as the closed form says", async () => {
  // a thin bar on a hinge at its end: ω² = 3 g/(2 l)
  write("bar.toml", `sarrus = 1
name = "bar"
gravity = [0, 0, -9.81]
[[body]]
name = "bar"
mass = 2
com = [0, 0, -0.5]
inertia = ["2/12", "2/12", 1e-9]
shape = { type = "box", size = [0.02, 0.02, 1], at = [0, 0, -0.5] }
[[joint]]
name = "hinge"
type = "revolute"
child = "bar"
axis = "y"
[simulate]
until = 1
`);
  sarrus("modes", "bar.toml", "--animate", "1", "--amplitude", "0.1", "-o", "bar_modes");
  const page = await open("bar_modes/mode_1");
  assert.match(await page.locator("h1").textContent(), /mode 1/);
  const { rows, end } = await page.evaluate(() => ({ rows: window.sarrus.data.rows, end: window.sarrus.player.end }));
  const omega = Math.sqrt((3 * 9.81) / 2);
  near(end, (2 * Math.PI) / omega, 1e-6, "one period");
  for (const row of [0, 10, 15, 30, rows - 1]) {
    await page.locator("[data-action=time]").fill(String(row));
    const { quaternion } = await page.evaluate(() => window.sarrus.stage.bodyPose(0));
    const angle = 2 * Math.atan2(quaternion[2], quaternion[0]);
    near(Math.abs(angle), Math.abs(0.1 * Math.cos((2 * Math.PI * row) / (rows - 1))), 1e-6, `angle in row ${row}`);
  }
  await page.getByRole("tab", { name: "Run" }).click();
  const frequency = page.locator(".run tr", { has: page.locator("th", { hasText: /^frequency/ }) }).locator("td");
  near(number(await frequency.textContent()), omega / (2 * Math.PI), 1e-6, "frequency");
  await close(page);
});

await step("several modes are on one page, to choose from", async () => {
  // two masses in a row of three springs: ω² = k/m with both the same way, 3 k/m against each other
  const mass = (name) => `[[body]]\nname = "${name}"\nmass = 2\ninertia = [1, 1, 1]\n[[joint]]\nname = "slide_${name}"\ntype = "prismatic"\nchild = "${name}"\naxis = "x"\non_parent = { at = [${name === "a" ? 1 : 2}, 0, 0] }\n`;
  const spring = (name, from, to) => `[[spring]]\nname = "${name}"\nfrom = ${from}\nto = ${to}\nk = 50\nlength = 1\n`;
  const [wall, end] = ['{ body = "world", at = [0, 0, 0] }', '{ body = "world", at = [3, 0, 0] }'];
  write("row.toml", `sarrus = 1\nname = "row"\ngravity = [0, 0, 0]\n${mass("a")}${mass("b")}${spring("left", wall, '{ body = "a" }')}${spring("middle", '{ body = "a" }', '{ body = "b" }')}${spring("right", '{ body = "b" }', end)}[simulate]\nuntil = 1\n`);
  sarrus("modes", "row.toml", "--animate", "2", "--amplitude", "0.1", "-o", "row_modes");
  cpSync(path("bar_modes/mode_1"), path("row_modes/mode_3"), { recursive: true }); // of another model: not of these
  const page = await open("row_modes");
  const chooser = page.getByLabel("Mode of vibration");
  const words = await chooser.locator("option").allTextContents();
  const omegas = [Math.sqrt(50 / 2), Math.sqrt(150 / 2)];
  assert.equal(words.length, 2);
  words.forEach((w, i) => {
    assert.match(w, new RegExp(`^mode ${i + 1}: .* Hz, damping 0$`));
    near(number(w.split(": ")[1]), omegas[i] / (2 * Math.PI), 1e-3, w);
  });
  const isMode = async (i) => {
    assert.match(await page.locator("h1").textContent(), new RegExp(`mode ${i + 1}$`));
    near(await page.evaluate(() => window.sarrus.player.end), (2 * Math.PI) / omegas[i], 1e-6, "one period");
    const rows = await page.evaluate(() => window.sarrus.data.rows);
    for (const row of [0, 10, rows - 1]) {
      await page.locator("[data-action=time]").fill(String(row));
      const [a, b] = await page.evaluate(() => [0, 1].map((k) => window.sarrus.stage.bodyPose(k).position[0] - 1 - k));
      near(Math.abs(a), Math.abs(0.1 * Math.cos((2 * Math.PI * row) / (rows - 1))), 1e-6, "a");
      near(b, i === 0 ? a : -a, 1e-6, "b against a");
    }
    await page.getByRole("tab", { name: "Run" }).click();
    const frequency = page.locator(".run tr", { has: page.locator("th", { hasText: /^frequency/ }) }).locator("td");
    near(number(await frequency.textContent()), omegas[i] / (2 * Math.PI), 1e-5, "frequency");
    const plotted = await page.evaluate(() => window.sarrus.charts.list[0].scaleX[1]);
    near(plotted, (2 * Math.PI) / omegas[i], 1e-6, "the plots go as far as the period");
  };
  await isMode(0);
  await chooser.focus(); // by keyboard alone
  await page.keyboard.press("ArrowDown");
  await isMode(1);
  await page.locator("canvas").first().focus();
  await page.keyboard.press("[");
  await isMode(0);
  await page.keyboard.press("[");
  await isMode(0);
  await close(page);
});

await browser.close();
finish();
