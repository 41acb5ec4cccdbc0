// The page as `sarrus view` serves it: live, after a reload, without a network, after a crash of the server.
import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { launch, openPage } from "./browser.mjs";
import { eventually, finish, model, path, sarrus, sarrusRunning, skip, step, table, write } from "./harness.mjs";
import { ask, serve, until, wait } from "./server.mjs";

const { browser, missing } = await launch();
if (missing) skip(missing);

write("m.toml", model("served", "until = 2\noutput_step = 0.02"));
sarrus("run", "m.toml", "-o", "m");
const truth = table("m");
const server = await serve("m.toml", "--port", "0");

await step("V01: only this machine is listened to", () => {
  const hex = server.port.toString(16).toUpperCase().padStart(4, "0");
  const sockets = ["/proc/net/tcp", "/proc/net/tcp6"].flatMap((f) => readFileSync(f, "utf8").split("\n")).filter((l) => l.includes(`:${hex} `) && / 0A /.test(l));
  assert.equal(sockets.length, 1);
  assert.match(sockets[0], new RegExp(` 0100007F:${hex} `));
});

const page = await openPage(browser, server.address);
const rows = () => page.evaluate(() => window.sarrus.data.rows);

await step("a model shows its start, and the key leaves the address", async () => {
  assert.equal(await rows(), 1);
  assert.equal(new URL(page.url()).hash, "");
  assert.equal(await page.locator(".status").textContent(), "not run yet");
  const pose = await page.evaluate(() => window.sarrus.stage.bodyPose(2));
  ["x", "y", "z"].forEach((c, k) => assert.ok(Math.abs(pose.position[k] - truth[`s_ring.${c}`][0]) < 1e-6));
});

await step("Run computes what `sarrus run` computes, and the rows arrive", async () => {
  await page.getByRole("button", { name: "Run", exact: true }).click();
  await page.waitForFunction((n) => window.sarrus.data.rows === n, truth.time.length);
  await page.waitForFunction(() => document.querySelector(".status")?.textContent === "finished");
  const last = await page.evaluate(() => [window.sarrus.data.value(window.sarrus.data.find("hinge.q"), 100), window.sarrus.stage.bodyPose(2)]);
  assert.equal(last[0], truth["hinge.q"][100]); // sent as it is, 64 bits
  await page.locator("[data-action=time]").fill("100");
  const pose = await page.evaluate(() => window.sarrus.stage.bodyPose(2));
  ["x", "y", "z"].forEach((c, k) => assert.ok(Math.abs(pose.position[k] - truth[`s_ring.${c}`][100]) < 1e-6));
});

await step("V13: a reload and a second tab show the same, once", async () => {
  await page.reload();
  await page.waitForFunction(() => window.sarrus);
  assert.equal(await rows(), truth.time.length);
  assert.equal(await page.locator(".stage canvas").count(), 1);
  const second = await openPage(browser, server.address);
  assert.equal(await second.evaluate(() => window.sarrus.data.rows), truth.time.length);
  assert.deepEqual(second.complaints, []);
  await second.context().close();
});

await step("V13: back and forth shows the same, once", async () => {
  await page.goto("about:blank");
  await page.goBack();
  await page.waitForFunction((n) => window.sarrus?.data.rows === n, truth.time.length);
  assert.equal(await page.locator(".stage canvas").count(), 1);
  assert.equal(await page.locator("aside").count(), 1);
});

await step("Run again replaces the run, and the key is still known after a reload", async () => {
  await page.evaluate(() => (window.before = true));
  await page.getByRole("button", { name: "Run", exact: true }).click();
  await page.waitForFunction(() => !window.before && window.sarrus?.data.rows === 101);
  await page.waitForFunction(() => document.querySelector(".status")?.textContent === "finished");
});

await step("a changed model is shown as it is now; one with a fault says which", async () => {
  write("m.toml", model("changed", "until = 2\noutput_step = 0.02"));
  await page.waitForFunction(() => document.querySelector("h1")?.textContent === "changed" && window.sarrus);
  assert.equal(await rows(), 1);
  write("m.toml", model("changed", "until = 2\nouput_step = 0.02"));
  await page.waitForFunction(() => document.querySelector(".live-words")?.textContent.includes("ouput_step"));
  write("m.toml", model("changed", "until = 1e6\noutput_step = 0.01\nintegrator = \"rk4\"\nstep = 1e-3"));
  await page.waitForFunction(() => document.querySelector(".live-words")?.textContent === "" && window.sarrus);
});

await step("Stop ends a long run", async () => {
  await page.getByRole("button", { name: "Run", exact: true }).click();
  await page.waitForFunction(() => window.sarrus?.data.rows > 500);
  await page.getByRole("button", { name: "Stop" }).click();
  await page.waitForFunction(() => document.querySelector(".status")?.textContent === "stopped early");
});

await step("the console has nothing to complain of", () => assert.deepEqual(page.complaints, []));

await page.context().close();
await step("it ends when it is asked to", async () => {
  const code = await server.stop("SIGINT");
  assert.equal(code, 0);
});

/** Each row that the page shows is the row of the same time in the result, however many it dropped. */
async function isTheResult(live, result) {
  const truth = table(result);
  const rowOf = new Map(truth.time.map((t, i) => [t, i]));
  const names = Object.keys(truth);
  const shown = await live.evaluate((names) => {
    const { data } = window.sarrus;
    return { every: data.every, seen: data.seen, columns: names.map((n) => [...data.column(data.find(n))]) };
  }, names);
  const times = shown.columns[names.indexOf("time")];
  const rows = times.map((t) => rowOf.get(t));
  assert.ok(!rows.includes(undefined), "each time is one of the result's");
  assert.equal(shown.seen, truth.time.length);
  assert.equal(rows[0], 0);
  assert.equal(rows.at(-1), truth.time.length - 1, "the last row is there");
  rows.forEach((r, i) => assert.ok(i === 0 || (r > rows[i - 1] && r - rows[i - 1] <= shown.every), `row ${r} follows ${rows[i - 1]}`));
  names.forEach((name, c) => {
    // rows that were in the page have 32 bits of a column's range, those that came later all 64
    const range = truth[name].reduce((most, x) => Math.max(most, x), -Infinity) - truth[name].reduce((least, x) => Math.min(least, x), Infinity);
    rows.forEach((r, i) => assert.ok(Math.abs(shown.columns[c][i] - truth[name][r]) <= 1.3e-7 * range, `${name} at ${times[i]} s: ${shown.columns[c][i]}, not ${truth[name][r]}`));
  });
  for (const i of [0, rows.length >> 1, rows.length - 1]) {
    const { position } = await live.evaluate((i) => (window.sarrus.player.goTo(i), window.sarrus.stage.bodyPose(2)), i);
    ["x", "y", "z"].forEach((c, k) => assert.ok(Math.abs(position[k] - truth[`s_ring.${c}`][rows[i]]) < 1e-6, `the ring at ${times[i]} s`));
  }
  console.log(`        ${rows.length} rows of ${truth.time.length} are shown, and are those of the result`);
  return shown.every;
}

await step("V13, V17, V18: a run elsewhere is followed; viewers survive a killed server; the download is whole", async () => {
  write("slow.toml", model("slow", 'until = 1e6\noutput_step = 0.01\nintegrator = "rk4"\nstep = 2e-5'));
  const run = sarrusRunning("run", "slow.toml", "-o", "slow", "--quiet");
  let first;
  await until(async () => (first = await serve("slow", "--port", "0").catch(() => null)), "its header is there");
  const live = await openPage(browser, first.address);
  const count = () => live.evaluate(() => window.sarrus.data.seen);
  const early = await count();
  await live.waitForFunction((n) => window.sarrus?.data.seen > n, early + 100);
  await eventually(async () => assert.equal(await live.locator(".status").textContent(), "running"));

  const download = await ask(first.port, { target: "/result" });
  assert.equal(download.body.length, Number(download.headers["content-length"]));
  writeFileSync(path("download.sarrus"), download.body);
  const taken = table("download.sarrus").time;
  taken.forEach((t, i) => assert.ok(Math.abs(t - 0.01 * i) < 1e-9, "rows without a gap"));

  // one that never reads does not slow it down
  const idle = connect(first.port, "127.0.0.1", () => idle.write(`GET /events?from=0 HTTP/1.1\r\nHost: 127.0.0.1:${first.port}\r\n\r\n`));
  idle.pause();
  idle.on("error", () => {});

  await first.stop("SIGKILL");
  await live.waitForFunction(() => document.querySelector(".live")?.classList.contains("lost"));
  const again = await serve("slow", "--port", String(first.port));
  assert.equal(again.port, first.port, "the port can be used at once");
  const lost = await count();
  await live.waitForFunction((n) => window.sarrus?.data.seen > n + 100, lost);
  // ten seconds without a network: it connects again by itself, at the right time
  await live.context().setOffline(true);
  await wait(10000);
  await live.context().setOffline(false);
  const offline = await count();
  await live.waitForFunction((n) => window.sarrus?.data.seen > n + 100, offline);
  assert.equal(await live.locator(".stage canvas").count(), 1);
  assert.equal(run.exitCode, null, "the run goes on");

  // as after millions of rows: each second is dropped, twice, and more rows come
  const thinned = await live.evaluate(() => {
    const { data, player } = window.sarrus;
    for (let i = 0; i < 2; ++i) if (data.thinIfMany(1)) player.thinned();
    return data.seen;
  });
  await live.waitForFunction((n) => window.sarrus?.data.seen > n + 50, thinned);

  const ended = new Promise((done) => run.once("exit", done));
  run.kill("SIGTERM");
  await ended;
  await live.waitForFunction(() => document.querySelector(".status")?.textContent === "stopped early");
  assert.ok([4, 8, 16].includes(await isTheResult(live, "slow")), "thinned twice, and more often where a slow page got very many rows");
  assert.deepEqual(live.complaints.filter((c) => !/ERR_(INTERNET_DISCONNECTED|CONNECTION_REFUSED|INCOMPLETE_CHUNKED_ENCODING|CONNECTION_RESET|EMPTY_RESPONSE)/.test(c)), []);
  idle.destroy();
  await live.context().close();
  await again.stop();
});

await browser.close();
finish();
