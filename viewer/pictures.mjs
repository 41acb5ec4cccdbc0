// The pictures of the docs: one of each example's mechanism, and the whole page, light and dark.
//
//   SARRUS_PROGRAM=…/sarrus node pictures.mjs [EXAMPLE…]
//
// Writes docs/gallery/*.png and docs/gallery.md. To be looked at before they are committed.
import { existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { launch, openPage } from "./test/browser.mjs";
import { path, sarrus, skip } from "./test/harness.mjs";

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
};
const usual = { at: 0.4, view: "iso" };

const examples = readdirSync(join(root, "examples"), { withFileTypes: true })
  .filter((e) => e.isDirectory() && existsSync(join(root, "examples", e.name, "model.toml")))
  .map((e) => e.name)
  .sort();
const chosen = process.argv.slice(2);

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

for (const name of examples) {
  if (chosen.length && !chosen.includes(name)) continue;
  const page = await open(name, { viewport: { width: 1000, height: 520 }, colorScheme: "light" });
  await page.evaluate(() => {
    for (const part of document.querySelectorAll("header, aside, .transport, .view-bar, .limits, .legend")) part.style.display = "none";
    document.querySelector(".columns").style.gridTemplateColumns = "640px";
    document.querySelector(".stage").style.height = "400px";
    document.querySelector(".stage").style.flex = "none";
  });
  await page.waitForTimeout(300);
  await page.evaluate((preset) => window.sarrus.stage?.look(preset), { ...usual, ...views[name] }.view);
  await page.waitForTimeout(200);
  await page.screenshot({ path: join(gallery, `${name}.png`), clip: { x: 0, y: 0, width: 640, height: 400 } });
  await page.context().close();
  console.log(name);
}

if (!chosen.length || chosen.includes("page"))
  for (const colorScheme of ["light", "dark"]) {
    const page = await open("double_pendulum", { viewport: { width: 1280, height: 720 }, colorScheme });
    await page.waitForTimeout(300);
    await page.screenshot({ path: join(gallery, `page_${colorScheme}.png`) });
    await page.context().close();
  }

const title = (name) => readFileSync(join(root, "examples", name, "README.md"), "utf8").match(/^# (.*)$/m)?.[1] ?? name;
const cell = (name) => `[![${title(name)}](gallery/${name}.png)](../examples/${name}/README.md)<br>${title(name)}`;
const lines = ["# Gallery", "", "Pictures of examples, as the viewer shows it; `./dev pictures` makes them anew. A click leads to the example.", "", "| | |", "| --- | --- |"];
const shown = examples.filter((name) => existsSync(join(gallery, `${name}.png`)));
for (let i = 0; i < shown.length; i += 2) lines.push(`| ${cell(shown[i])} | ${shown[i + 1] ? cell(shown[i + 1]) : ""} |`);
writeFileSync(join(root, "docs/gallery.md"), `${lines.join("\n")}\n`);
await browser.close();
process.exit(0);
