// Chromium for the tests and for the pictures of the docs. Debian's is used; nothing is downloaded.
import { existsSync } from "node:fs";

const places = [process.env.CHROMIUM, "/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];

/** A browser, or a sentence about what is missing. */
export async function launch() {
  const executablePath = places.find((path) => path && existsSync(path));
  if (!executablePath) return { missing: "no Chromium is installed (Debian's package: chromium)" };
  let chromium;
  try {
    ({ chromium } = await import("playwright-core"));
  } catch {
    return { missing: "playwright-core is not installed (npm ci in viewer/)" };
  }
  // the sandbox does not start for root; drawing is done in software, as on any test machine
  const args = ["--no-sandbox", "--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--ignore-gpu-blocklist", "--disable-lcd-text", "--font-render-hinting=none"];
  return { browser: await chromium.launch({ executablePath, args }) };
}

/** A page that remembers what the console complained of. */
export async function openPage(browser, address, { patience = 600000, ...options } = {}) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 760 }, ...options });
  const page = await context.newPage();
  page.setDefaultTimeout(patience); // [ms]
  page.complaints = [];
  page.on("console", (m) => ["error", "warning"].includes(m.type()) && page.complaints.push(m.text()));
  page.on("pageerror", (e) => page.complaints.push(String(e)));
  page.asked = []; // every address asked for
  page.on("request", (r) => page.asked.push(r.url()));
  if (address) {
    await page.goto(address);
    await page.waitForFunction(() => window.sarrus);
  }
  return page;
}
