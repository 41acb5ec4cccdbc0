// The pictures of the docs: each example's mechanism in motion, the page in motion, the page light and dark.
//
//   SARRUS_PROGRAM=…/sarrus node pictures.mjs [EXAMPLE… | page | moving_page]
//
// Writes docs/gallery/* and docs/gallery.md. To be looked at before they are committed.
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

// where the usual does not tell much: from where it is seen, and the most that a body moves per frame
const views = {
  elastic_slider_crank: { view: "top" },
  elastic_pendulum: { view: "front" },
  spin_up: { view: "top" },
  rotating_bar: { view: "top" },
  gyroscope: { perFrame: 6 }, // its rotor is round and fast; what is seen is how it precesses
};
const usual = { view: "iso", perFrame: 0.15 }; // radians, or parts of the size of the whole
const frames = 40; // of a moving picture
const milliseconds = 70; // between two of them

const examples = readdirSync(join(root, "examples"), { withFileTypes: true })
  .filter((e) => e.isDirectory() && !["benchmarks", "python"].includes(e.name) && existsSync(join(root, "examples", e.name, "README.md")))
  .map((e) => e.name)
  .sort();
const chosen = process.argv.slice(2);
const isMechanism = (name) => existsSync(join(root, "examples", name, "model.toml"));

/** Two pictures have been drawn since: what was changed is on the screen. */
const drawn = (page) => page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));

/** Runs an example with rows so close that even its fastest part moves smoothly. */
function runClosely(name) {
  const model = join(root, "examples", name, "model.toml");
  const words = ["run", model, "-o", name, "--replace", "--no-estimate"];
  const { t } = JSON.parse(sarrus(...words, "--json"));
  sarrus(...words, "--quiet", "--output-step", String(t / 2000));
}

async function open(name, options) {
  runClosely(name);
  sarrus("report", name, "-o", `${name}.html`, "--replace");
  const page = await openPage(browser, `file://${path(`${name}.html`)}`, { patience: 90000, ...options });
  const { view } = { ...usual, ...views[name] };
  await page.evaluate(([share, preset]) => {
    const { player, stage, data } = window.sarrus;
    stage?.look(preset);
    player.goTo(share * (data.rows - 1));
  }, [0.32, view]);
  return page;
}

/** The rows of a moving picture: as much of the run as shows its fastest body without jumps, in equal times. */
const rowsToShow = (page, perFrame) =>
  page.evaluate(
    ([count, most]) => {
      const { data } = window.sarrus;
      const { rows, poses, time } = data;
      const width = poses.length / rows;
      const low = [Infinity, Infinity, Infinity];
      const high = [-Infinity, -Infinity, -Infinity];
      for (let a = 0; a < poses.length; a += 7)
        for (let k = 0; k < 3; ++k) {
          low[k] = Math.min(low[k], poses[a + k]);
          high[k] = Math.max(high[k], poses[a + k]);
        }
      const size = Math.max(Math.hypot(...low.map((x, k) => high[k] - x)), 0.1);
      let moved = 0; // by the body that moves most, row by row
      let last = 0;
      while (last + 1 < rows && moved < most * count) {
        let step = 0;
        for (let b = 0; b < width; b += 7) {
          const [i, j] = [last * width + b, (last + 1) * width + b];
          const way = Math.hypot(poses[j] - poses[i], poses[j + 1] - poses[i + 1], poses[j + 2] - poses[i + 2]) / size;
          const cosine = Math.abs(poses[i + 3] * poses[j + 3] + poses[i + 4] * poses[j + 4] + poses[i + 5] * poses[j + 5] + poses[i + 6] * poses[j + 6]);
          step = Math.max(step, way, 2 * Math.acos(Math.min(1, cosine)));
        }
        moved += step;
        ++last;
      }
      const t = time;
      return Array.from({ length: count }, (_, n) => data.rowAt(t[0] + ((t[last] - t[0]) * n) / (count - 1)));
    },
    [frames, perFrame],
  );

/** One picture of the page for each of the rows, as one file. */
async function film(page, rows, file, width, clip) {
  const names = [];
  for (const row of rows) {
    await page.evaluate((r) => window.sarrus.player.goTo(r), row);
    await drawn(page);
    names.push(path(`frame_${String(names.length).padStart(3, "0")}.png`));
    await page.screenshot({ path: names.at(-1), ...(clip && { clip }) });
  }
  execFileSync("/usr/bin/python3", [join(root, "viewer/moving_picture.py"), file, String(milliseconds), String(width), ...names]);
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
  const { view, perFrame } = { ...usual, ...views[name] };
  await page.evaluate((preset) => window.sarrus.stage?.look(preset), view);
  await film(page, await rowsToShow(page, perFrame), join(gallery, `${name}.webp`), 480, { x: 0, y: 0, width: 640, height: 400 });
  await page.context().close();
}

/** The whole page of one run in motion, for those who see Sarrus for the first time. */
async function pictureOfMovingPage(name) {
  const page = await open(name, { viewport: { width: 1120, height: 620 }, colorScheme: "light" });
  await drawn(page);
  await film(page, await rowsToShow(page, usual.perFrame), join(gallery, "page_moving.gif"), 840);
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

if (!chosen.length || chosen.includes("moving_page")) await pictureOfMovingPage("engine_six");

if (!chosen.length || chosen.includes("page"))
  for (const colorScheme of ["light", "dark"]) {
    const page = await open("double_pendulum", { viewport: { width: 1280, height: 720 }, colorScheme });
    await drawn(page);
    await page.screenshot({ path: join(gallery, `page_${colorScheme}.png`) });
    await page.context().close();
  }

const title = (name) => readFileSync(join(root, "examples", name, "README.md"), "utf8").match(/^# (.*)$/m)?.[1] ?? name;
const file = (name) => `gallery/${name}.${isMechanism(name) ? "webp" : "png"}`;
const cell = (name) => `[![${title(name)}](${file(name)})](../examples/${name}/README.md)<br>${title(name)}`;
const lines = ["# Gallery", "", "All examples in motion, as the viewer shows them (of those that are matrices, the matrices). Fast ones are slowed down, slow ones are sped up. `./dev pictures` makes them anew from runs of the models. A click leads to the example.", "", "| | |", "| --- | --- |"];
const shown = examples.filter((name) => existsSync(join(root, "docs", file(name))));
for (let i = 0; i < shown.length; i += 2) lines.push(`| ${cell(shown[i])} | ${shown[i + 1] ? cell(shown[i + 1]) : ""} |`);
writeFileSync(join(root, "docs/gallery.md"), `${lines.join("\n")}\n`);
await browser.close();
process.exit(0);
