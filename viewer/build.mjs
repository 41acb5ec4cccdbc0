// Builds the viewer into one HTML file, dist/viewer.html, which the program carries inside itself.
//
//   node build.mjs [FILE]     default: dist/viewer.html
//
// Script and style stand in the page, and the page's content security policy names them by their
// checksums: nothing else can run. `sarrus-source` is the checksum of what the page was made from,
// so that a test without node can tell whether it is up to date (../tests/structure/viewer.py).
import { createHash } from "node:crypto";
import { readFileSync, readdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "vite";

const here = dirname(fileURLToPath(import.meta.url));
const sha256 = (text) => createHash("sha256").update(text).digest();

function sourceChecksum() {
  const files = ["package.json", "package-lock.json", "tsconfig.json", "build.mjs", "page.html"];
  files.push(...readdirSync(join(here, "src")).sort().map((name) => `src/${name}`));
  const lines = files.map((name) => `${sha256(readFileSync(join(here, name))).toString("hex")}  ${name}\n`);
  return sha256(lines.join("")).toString("hex");
}

const { output } = await build({
  root: here,
  configFile: false,
  logLevel: "warn",
  build: {
    write: false,
    target: "es2021",
    minify: "esbuild",
    cssMinify: "esbuild",
    reportCompressedSize: false,
    rollupOptions: {
      input: join(here, "src/main.ts"),
      output: { format: "es", inlineDynamicImports: true, entryFileNames: "viewer.js" },
    },
  },
});
const script = output.find((part) => part.type === "chunk").code.replaceAll("</script", "<\\/script").trim();
const style = output.find((part) => part.fileName.endsWith(".css")).source.trim();

const policy = [
  "default-src 'none'",
  `script-src 'sha256-${sha256(script).toString("base64")}'`,
  `style-src 'sha256-${sha256(style).toString("base64")}'`,
  "img-src data: blob:",
  "connect-src 'none'",
  "base-uri 'none'",
  "form-action 'none'",
].join("; ");

const marks = { policy, source: sourceChecksum(), style, script };
const page = readFileSync(join(here, "page.html"), "utf8").replace(/\{\{(\w+)\}\}/g, (_, name) => marks[name]);
const target = process.argv[2] ?? join(here, "dist/viewer.html");
writeFileSync(target, page);
console.log(`${target}: ${(page.length / 1024).toFixed(0)} kB`);
