// The pictures of the docs: one of each example's mechanism, and the whole page, light and dark.
//
//   SARRUS_PROGRAM=…/sarrus node pictures.mjs [EXAMPLE… | page]
//
// Writes docs/gallery/*.png and docs/gallery.md. To be looked at before they are committed.
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { launch, openPage } from "./test/browser.mjs";
import { path, program, sarrus, skip } from "./test/harness.mjs";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const gallery = join(root, "docs/gallery");
const { browser, missing } = await launch();
if (missing) skip(missing);
mkdirSync(gallery, { recursive: true });

// what of the time has passed, and from where it is seen, where the usual does not tell much
const views = {
  simple_pendulum: { at: 0.13 },
  double_pendulum: { at: 0.32 },
  crane: { at: 0.45 },
  quadcopter: { at: 0.6 },
  elastic_slider_crank: { at: 0.85, view: "top" },
  elastic_pendulum: { at: 0.2, view: "front" },
  spin_up: { at: 0.35, view: "top" },
  chain_on_floor: { at: 0.28 },
  gyroscope: { at: 0.1 },
  elastic_bracket: { at: 0.28 },
  screw_jack: { at: 0.6 },
  rotating_bar: { at: 0.3, view: "top" },
};
const usual = { at: 0.4, view: "iso" };

const examples = readdirSync(join(root, "examples"), { withFileTypes: true })
  .filter((e) => e.isDirectory() && e.name !== "benchmarks" && existsSync(join(root, "examples", e.name, "README.md")))
  .map((e) => e.name)
  .sort();
const chosen = process.argv.slice(2);
const isMechanism = (name) => existsSync(join(root, "examples", name, "model.toml"));

/** Two pictures have been drawn since: what was changed is on the screen. */
const drawn = (page) => page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));

async function open(name, options) {
  sarrus("run", join(root, "examples", name, "model.toml"), "-o", name, "--force", "--quiet");
  sarrus("report", name, "-o", `${name}.html`, "--force");
  const page = await openPage(browser, `file://${path(`${name}.html`)}`, { patience: 90000, ...options });
  const { at, view } = { ...usual, ...views[name] };
  await page.evaluate(([share, preset]) => {
    const { player, stage, data } = window.sarrus;
    stage?.look(preset);
    player.goTo(share * (data.rows - 1));
  }, [at, view]);
  return page;
}

async function pictureOfMechanism(name) {
  const page = await open(name, { viewport: { width: 1000, height: 520 }, colorScheme: "light" });
  await page.evaluate(() => {
    for (const part of document.querySelectorAll("header, aside, .transport, .view-bar, .limits, .legend")) part.style.display = "none";
    document.querySelector(".columns").style.gridTemplateColumns = "640px";
    document.querySelector(".stage").style.height = "400px";
    document.querySelector(".stage").style.flex = "none";
  });
  await page.waitForFunction(() => document.querySelector(".stage canvas").clientHeight === 400 && document.querySelector(".stage canvas").clientWidth === 640);
  await drawn(page);
  await page.evaluate((preset) => window.sarrus.stage?.look(preset), { ...usual, ...views[name] }.view);
  await drawn(page);
  await page.screenshot({ path: join(gallery, `${name}.png`), clip: { x: 0, y: 0, width: 640, height: 400 } });
  await page.context().close();
}

/** A Matrix Market file as rows of numbers. */
function matrix(file) {
  const lines = readFileSync(file, "utf8").split("\n").filter((l) => l && !/^%(?!%Matrix)/.test(l));
  const symmetric = /symmetric/.test(lines[0]);
  const [rows, columns] = lines[1].split(/\s+/).map(Number);
  const values = Array.from({ length: rows }, () => new Array(columns).fill(0));
  const set = (i, k, x) => ((values[i][k] = x), symmetric && (values[k][i] = x));
  if (/coordinate/.test(lines[0])) {
    for (const [i, k, x] of lines.slice(2).map((l) => l.split(/\s+/).map(Number))) set(i - 1, k - 1, x);
  } else {
    const all = lines.slice(2).map(Number);
    let at = 0;
    for (let k = 0; k < columns; ++k) for (let i = symmetric ? k : 0; i < rows; ++i) set(i, k, all[at++]);
  }
  return values;
}

/** Examples that are matrices only: stiffness and constraints as they are given, and the stiffness that is left. */
async function pictureOfMatrices(name) {
  const folder = join(root, "examples", name);
  const [{ command }] = JSON.parse(readFileSync(join(folder, "expected.json"), "utf8")).runs;
  const words = [...command.slice(0, command.indexOf("-o")), "-o", path(name)];
  execFileSync(program, words, { cwd: folder, stdio: "ignore" });
  const parts = [["K, as given", join(folder, "K.mtx")], ["constraints C", join(folder, "C.mtx")], ["TᵀKT, what is left", join(path(name), "K.mtx")]];
  const page = await (await browser.newContext({ viewport: { width: 640, height: 400 } })).newPage();
  await page.setContent('<canvas width="640" height="400"></canvas><style>body { margin: 0 }</style>');
  await page.evaluate((all) => {
    const draw = document.querySelector("canvas").getContext("2d");
    draw.fillStyle = "#eef1f5";
    draw.fillRect(0, 0, 640, 400);
    draw.textAlign = "center";
    draw.font = "15px DejaVu Sans, sans-serif";
    all.forEach(([title, values], n) => {
      const cell = Math.min(170 / values[0].length, 250 / values.length, 34);
      const [left, top] = [110 + 210 * n - (cell * values[0].length) / 2, 190 - (cell * values.length) / 2];
      const most = Math.max(...values.flat().map(Math.abs));
      values.forEach((row, i) =>
        row.forEach((x, k) => {
          const share = Math.abs(x) / most;
          draw.fillStyle = share < 1e-12 ? "#ffffff" : `color-mix(in srgb, ${x > 0 ? "#20639b" : "#c8553d"} ${Math.round(25 + 75 * Math.sqrt(share))}%, white)`;
          draw.fillRect(left + cell * k + 1, top + cell * i + 1, cell - 2, cell - 2);
        }),
      );
      draw.fillStyle = "#3b4654";
      draw.fillText(title, 110 + 210 * n, 360);
    });
  }, parts.map(([title, file]) => [title, matrix(file)]));
  await page.screenshot({ path: join(gallery, `${name}.png`) });
  await page.context().close();
}

for (const name of examples) {
  if (chosen.length && !chosen.includes(name)) continue;
  await (isMechanism(name) ? pictureOfMechanism(name) : pictureOfMatrices(name));
  console.log(name);
}

if (!chosen.length || chosen.includes("page"))
  for (const colorScheme of ["light", "dark"]) {
    const page = await open("double_pendulum", { viewport: { width: 1280, height: 720 }, colorScheme });
    await drawn(page);
    await page.screenshot({ path: join(gallery, `page_${colorScheme}.png`) });
    await page.context().close();
  }

const title = (name) => readFileSync(join(root, "examples", name, "README.md"), "utf8").match(/^# (.*)$/m)?.[1] ?? name;
const cell = (name) => `[![${title(name)}](gallery/${name}.png)](../examples/${name}/README.md)<br>${title(name)}`;
const lines = ["# Gallery", "", "Pictures of all examples, as the viewer shows them (and of those that are matrices, the matrices); `./dev pictures` makes them anew. A click leads to the example.", "", "| | |", "| --- | --- |"];
const shown = examples.filter((name) => existsSync(join(gallery, `${name}.png`)));
for (let i = 0; i < shown.length; i += 2) lines.push(`| ${cell(shown[i])} | ${shown[i + 1] ? cell(shown[i + 1]) : ""} |`);
writeFileSync(join(root, "docs/gallery.md"), `${lines.join("\n")}\n`);
await browser.close();
process.exit(0);
