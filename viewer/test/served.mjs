// The page as `sarrus view` serves it: live, after a reload, after a crash of the server; and what a
// stranger may not do.
import assert from "node:assert/strict";
import { readFileSync, readdirSync, writeFileSync } from "node:fs";
import { request } from "node:http";
import { connect } from "node:net";
import { launch, openPage } from "./browser.mjs";
import { finish, model, path, sarrus, sarrusRunning, skip, step, table, write } from "./harness.mjs";

if (!/with view/.test(sarrus("--version"))) skip("this Sarrus was built without cpp-httplib");
const { browser, missing } = await launch();
if (missing) skip(missing);

const wait = (ms) => new Promise((done) => setTimeout(done, ms));

/** A server and where it is. */
async function serve(...words) {
  const process = sarrusRunning("view", ...words, "--json");
  let said = "";
  const address = await new Promise((found, failed) => {
    process.stdout.on("data", (text) => {
      said += text;
      const line = said.match(/^\{"address".*\}$/m); // what goes wrong is said in several lines
      if (line) found(JSON.parse(line[0]).address);
    });
    process.on("exit", (code) => failed(new Error(`view ended with ${code}: ${process.stderr.read()}`)));
  });
  const port = Number(new URL(address).port);
  return { process, address, port, key: new URL(address).hash.slice(1), stop: (signal = "SIGTERM") => new Promise((done) => (process.once("exit", done), process.kill(signal))) };
}

/** One request, with whatever headers. */
function ask(port, { method = "GET", target = "/", headers = {}, body } = {}) {
  return new Promise((answered, failed) => {
    const asking = request({ host: "127.0.0.1", port, method, path: target, headers: { Host: `127.0.0.1:${port}`, ...headers }, agent: false }, (answer) => {
      const parts = [];
      answer.on("data", (d) => parts.push(d));
      answer.on("end", () => answered({ status: answer.statusCode, headers: answer.headers, body: Buffer.concat(parts) }));
      answer.on("error", failed);
    });
    asking.on("error", failed);
    asking.end(body);
  });
}

/** Raw bytes, and what comes back until the other side closes or a while has passed. */
function raw(port, bytes, patience = 3000) {
  return new Promise((done) => {
    const socket = connect(port, "127.0.0.1", () => socket.write(bytes));
    let back = "";
    const end = () => (socket.destroy(), done(back));
    socket.on("data", (d) => (back += d));
    socket.on("close", end);
    socket.on("error", end);
    setTimeout(end, patience);
  });
}
const statusOf = (answer) => Number(answer.match(/^HTTP\/1\.1 (\d+)/)?.[1] ?? 0);

write("m.toml", model("served", "until = 2\noutput_step = 0.02"));
sarrus("run", "m.toml", "-o", "m");
const truth = table("m");
const server = await serve("m.toml", "--port", "0");

await step("only this machine is listened to", () => {
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
  await page.waitForFunction(() => document.querySelector(".status").textContent === "finished");
  const last = await page.evaluate(() => [window.sarrus.data.value(window.sarrus.data.find("hinge.q"), 100), window.sarrus.stage.bodyPose(2)]);
  assert.equal(last[0], truth["hinge.q"][100]); // sent as it is, 64 bits
  await page.locator("[data-action=time]").fill("100");
  const pose = await page.evaluate(() => window.sarrus.stage.bodyPose(2));
  ["x", "y", "z"].forEach((c, k) => assert.ok(Math.abs(pose.position[k] - truth[`s_ring.${c}`][100]) < 1e-6));
});

await step("a reload and a second tab show the same, once", async () => {
  await page.reload();
  await page.waitForFunction(() => window.sarrus);
  assert.equal(await rows(), truth.time.length);
  assert.equal(await page.locator(".stage canvas").count(), 1);
  const second = await openPage(browser, server.address);
  assert.equal(await second.evaluate(() => window.sarrus.data.rows), truth.time.length);
  assert.deepEqual(second.complaints, []);
  await second.context().close();
});

await step("Run again replaces the run, and the key is still known after a reload", async () => {
  await page.evaluate(() => (window.before = true));
  await page.getByRole("button", { name: "Run", exact: true }).click();
  await page.waitForFunction(() => !window.before && window.sarrus?.data.rows === 101);
  await page.waitForFunction(() => document.querySelector(".status").textContent === "finished");
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
  await page.waitForFunction(() => document.querySelector(".status").textContent === "stopped early");
});

await step("the console has nothing to complain of", () => assert.deepEqual(page.complaints, []));

await step("another name or another site is turned away", async () => {
  for (const host of ["evil.example", `evil.example:${server.port}`, "127.0.0.1", `127.0.0.1.evil.example:${server.port}`])
    assert.equal((await ask(server.port, { headers: { Host: host } })).status, 403, host);
  for (const lines of ["", "Host:\r\n", `Host: 127.0.0.1:${server.port}\r\nHost: evil.example\r\n`])
    assert.equal(statusOf(await raw(server.port, `GET / HTTP/1.1\r\n${lines}Connection: close\r\n\r\n`)), 403, lines);
  assert.equal((await ask(server.port, { headers: { Host: `localhost:${server.port}` } })).status, 200);
  for (const headers of [{ Origin: "http://evil.example" }, { Origin: "null" }, { "Sec-Fetch-Site": "cross-site" }])
    assert.equal((await ask(server.port, { method: "POST", target: "/run", headers: { "X-Sarrus-Key": server.key, ...headers } })).status, 403);
});

await step("without the key nothing changes, and guessing is slow", async () => {
  const guess = (key) => ask(server.port, { method: "POST", target: "/run", headers: key ? { "X-Sarrus-Key": key } : {} });
  assert.equal((await guess()).status, 401);
  assert.equal((await guess("0".repeat(32))).status, 401);
  const many = await Promise.all(Array.from({ length: 60 }, (_, i) => guess(String(i).padStart(32, "0"))));
  assert.ok(many.filter((a) => a.status === 429).length >= 50);
  assert.equal((await ask(server.port, { method: "POST", target: "/stop", headers: { "X-Sarrus-Key": server.key } })).status, 409, "the right key is heard all the same");
});

await step("no path leads anywhere", async () => {
  for (const target of ["/../etc/passwd", "/..%2f..%2fetc%2fpasswd", "/%2e%2e%5cetc", "/%252e%252e%252fetc", "/%00", "/etc/passwd", "/m.toml", "/result.sarrus", "//etc/passwd"])
    assert.ok([400, 404].includes((await ask(server.port, { target })).status), target);
  const host = `Host: 127.0.0.1:${server.port}\r\n`;
  for (const line of ["GET http://evil.example/ HTTP/1.1", "GET etc/passwd HTTP/1.1", "GET"]) {
    const answer = await raw(server.port, `${line}\r\n${host}Connection: close\r\n\r\n`, 1500);
    assert.ok(!answer.includes("root:") && [0, 400, 403, 404].includes(statusOf(answer)), `${line}: ${answer.slice(0, 80)}`);
  }
});

await step("what is too large or makes no sense is refused, and the server lives", async () => {
  const host = `Host: 127.0.0.1:${server.port}\r\n`;
  const close = "Connection: close\r\n\r\n";
  assert.ok([0, 400, 413, 431].includes(statusOf(await raw(server.port, `GET / HTTP/1.1\r\n${host}X: ${"a".repeat(1 << 20)}\r\n${close}`))));
  const key = `X-Sarrus-Key: ${server.key}\r\n`;
  assert.ok([0, 400, 413].includes(statusOf(await raw(server.port, `POST /stop HTTP/1.1\r\n${host}${key}Content-Length: 10000000000\r\n${close}abc`))));
  assert.ok([0, 400, 413].includes(statusOf(await raw(server.port, `POST /stop HTTP/1.1\r\n${host}${key}Transfer-Encoding: chunked\r\n${close}zz\r\nabc\r\n`))));
  for (const garbage of ["\0\0\0\0\r\n\r\n", "\x16\x03\x01\x02\x00\x01", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", "GET / HTTP/1.1\r\n\r\nGARBAGE\r\n\r\n"]) await raw(server.port, garbage, 500);
  for (const from of ["NaN", "-1", "1e308", "9".repeat(400), "%ff"]) await raw(server.port, `GET /events?from=${from} HTTP/1.1\r\n${host}\r\n`, 200);
  assert.equal((await ask(server.port)).status, 200);
});

await step("500 half-open connections and 1000 short ones leave nothing behind", async () => {
  const figures = () => {
    const status = readFileSync(`/proc/${server.process.pid}/status`, "utf8");
    const number = (name) => Number(status.match(new RegExp(`${name}:\\s+(\\d+)`))[1]);
    return { files: readdirSync(`/proc/${server.process.pid}/fd`).length, memory: number("VmRSS") / 1024, threads: number("Threads") };
  };
  const before = figures();
  const half = Array.from({ length: 500 }, () => {
    const socket = connect(server.port, "127.0.0.1", () => socket.write("GET / HTTP/1.1\r\nHost:"));
    socket.on("error", () => {});
    return socket;
  });
  await wait(300);
  assert.equal((await ask(server.port)).status, 200, "others are still served");
  half.forEach((s) => s.destroy());
  for (let i = 0; i < 20; ++i) await Promise.all(Array.from({ length: 50 }, () => raw(server.port, "", 1)));
  const streams = Array.from({ length: 100 }, () => {
    const socket = connect(server.port, "127.0.0.1", () => socket.write(`GET /events?from=0 HTTP/1.1\r\nHost: 127.0.0.1:${server.port}\r\n\r\n`));
    socket.on("error", () => {});
    return socket;
  });
  let heard = 0;
  streams.forEach((s) => s.once("data", () => ++heard));
  for (let i = 0; i < 200 && heard < 100; ++i) await wait(100);
  assert.equal(heard, 100, "a hundred pages look on");
  streams.forEach((s) => s.destroy());
  let after = figures();
  for (let i = 0; i < 100 && after.files > before.files + 3; ++i) await wait(200), (after = figures());
  console.log(`        memory ${before.memory.toFixed(0)} → ${after.memory.toFixed(0)} MB, ${after.threads} threads`);
  assert.ok(after.files <= before.files + 3, `${after.files} files are open, ${before.files} were`);
  assert.ok(after.memory - before.memory < 64, "memory");
});

await page.context().close();
await step("it ends when it is asked to", async () => {
  const code = await server.stop("SIGINT");
  assert.equal(code, 0);
});

await step("a run elsewhere is followed; viewers survive a killed server; the download is whole", async () => {
  write("slow.toml", model("slow", 'until = 1e6\noutput_step = 0.01\nintegrator = "rk4"\nstep = 5e-5'));
  const run = sarrusRunning("run", "slow.toml", "-o", "slow", "--quiet");
  const began = Date.now();
  let first;
  while (!first && Date.now() - began < 20000)
    try {
      first = await serve("slow", "--port", "0");
    } catch {
      await wait(200); // its header is not there yet
    }
  const live = await openPage(browser, first.address);
  const count = () => live.evaluate(() => window.sarrus.data.seen);
  const early = await count();
  await live.waitForFunction((n) => window.sarrus.data.seen > n, early + 100);
  assert.equal(await live.locator(".status").textContent(), "running");

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
  await live.waitForFunction(() => document.querySelector(".live").classList.contains("lost"));
  const again = await serve("slow", "--port", String(first.port));
  assert.equal(again.port, first.port, "the port can be used at once");
  const lost = await count();
  await live.waitForFunction((n) => window.sarrus?.data.seen > n + 100, lost, { timeout: 20000 });
  const times = await live.evaluate(() => [...window.sarrus.data.time]);
  times.forEach((t, i) => assert.ok(Math.abs(t - 0.01 * i) < 1e-9, `row ${i} is at ${t}`));

  const ended = new Promise((done) => run.once("exit", done));
  run.kill("SIGTERM");
  await ended;
  await live.waitForFunction(() => document.querySelector(".status").textContent === "stopped early");
  assert.deepEqual(live.complaints.filter((c) => !/ERR_(CONNECTION_REFUSED|INCOMPLETE_CHUNKED_ENCODING|CONNECTION_RESET|EMPTY_RESPONSE)/.test(c)), []);
  idle.destroy();
  await live.context().close();
  await again.stop();
});

await step("ports: none, too large, taken, not allowed", async () => {
  const code = (...words) => {
    try {
      sarrus("view", "m", ...words);
      return 0;
    } catch (e) {
      return e.status;
    }
  };
  assert.equal(code("--port", "70000"), 2);
  assert.equal(code("--port", "x"), 2);
  const one = await serve("m");
  const two = await serve("m");
  assert.notEqual(one.port, two.port, "the next free port is taken");
  assert.equal(code("--port", String(one.port)), 6);
  await one.stop();
  await two.stop();
});

await browser.close();
finish();
