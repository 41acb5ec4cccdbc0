// The committed page is, byte for byte, what its sources give.
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const viewer = join(dirname(fileURLToPath(import.meta.url)), "..");
try {
  await import("vite");
} catch {
  console.log("skipped: vite is not installed (npm ci in viewer/)");
  process.exit(77);
}
const folder = mkdtempSync(join(tmpdir(), "sarrus-viewer-"));
execFileSync("node", [join(viewer, "build.mjs"), join(folder, "viewer.html")], { stdio: "inherit" });
const same = readFileSync(join(folder, "viewer.html")).equals(readFileSync(join(viewer, "dist/viewer.html")));
rmSync(folder, { recursive: true });
console.log(same ? "the same" : "dist/viewer.html is not what its sources give: ./dev viewer rebuilds it");
process.exit(same ? 0 : 1);
