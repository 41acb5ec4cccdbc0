// What a stranger may not do to `sarrus view`, and what many or rude visitors cost it.
//
//   SARRUS_FULL=1 for all of 100,000 guesses
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { chmodSync, cpSync, readFileSync, rmSync, statSync, symlinkSync } from "node:fs";
import { Agent, request } from "node:http";
import { connect } from "node:net";
import { finish, folder, model, path, program, read, sarrus, sarrusRunning, step, write } from "./harness.mjs";
import { ask, held, raw, serve, socketsOf, statusOf, until, wait, workOf } from "./server.mjs";

const full = Boolean(process.env.SARRUS_FULL);

write("m.toml", model("served", "until = 2\noutput_step = 0.02"));
sarrus("run", "m.toml", "-o", "m");
const server = await serve("m.toml", "--port", "0");
const host = `Host: 127.0.0.1:${server.port}\r\n`;
const close = "Connection: close\r\n\r\n";
const key = `X-Sarrus-Key: ${server.key}\r\n`;
const refused = (answer, ...statuses) => assert.ok([0, ...statuses].includes(statusOf(answer)), answer.slice(0, 120));
const command = (target, headers = {}, body) => ask(server.port, { method: "POST", target, headers, body });

await step("V04: another name or another site is turned away", async () => {
  for (const host of ["evil.example", `evil.example:${server.port}`, "127.0.0.1", `127.0.0.1.evil.example:${server.port}`])
    assert.equal((await ask(server.port, { headers: { Host: host } })).status, 403, host);
  for (const lines of ["", "Host:\r\n", `Host: 127.0.0.1:${server.port}\r\nHost: evil.example\r\n`])
    assert.equal(statusOf(await raw(server.port, `GET / HTTP/1.1\r\n${lines}Connection: close\r\n\r\n`)), 403, lines);
  assert.equal((await ask(server.port, { headers: { Host: `localhost:${server.port}` } })).status, 200);
  for (const headers of [{ Origin: "http://evil.example" }, { Origin: "null" }, { "Sec-Fetch-Site": "cross-site" }])
    assert.equal((await ask(server.port, { method: "POST", target: "/run", headers: { "X-Sarrus-Key": server.key, ...headers } })).status, 403);
});

await step("V03: no path leads anywhere", async () => {
  for (const target of ["/../etc/passwd", "/..%2f..%2fetc%2fpasswd", "/%2e%2e%5cetc", "/%252e%252e%252fetc", "/%00", "/etc/passwd", "/m.toml", "/result.sarrus", "//etc/passwd"])
    assert.ok([400, 404].includes((await ask(server.port, { target })).status), target);
  for (const line of ["GET http://evil.example/ HTTP/1.1", "GET etc/passwd HTTP/1.1", "GET"]) {
    const answer = await raw(server.port, `${line}\r\n${host}Connection: close\r\n\r\n`, 1500);
    assert.ok(!answer.includes("root:") && [0, 400, 403, 404].includes(statusOf(answer)), `${line}: ${answer.slice(0, 80)}`);
  }
});

await step("V03: a link leads only to what was named", async () => {
  write("secret.txt", "root: nobody may read this\n");
  const secret = path("secret.txt");
  // beside a result: a link in the place of the model
  cpSync(path("m"), path("linked"), { recursive: true });
  rmSync(path("linked/model.toml"));
  symlinkSync(secret, path("linked/model.toml"));
  symlinkSync(secret, path("linked/verify.json"));
  // a folder by a link: that is what was named, and it is shown
  symlinkSync(path("linked"), path("by_link"));
  const shown = await serve("by_link", "--port", "0");
  const page = (await ask(shown.port)).body.toString();
  assert.ok(!page.includes("nobody may read this"));
  assert.match(page, /model\.toml is a link to a place outside/);
  const whole = (await ask(shown.port, { target: "/result" })).body;
  assert.ok(whole.equals(read("m/result.sarrus")), "the result itself is served");
  // a link put in the place of the result while it is served
  rmSync(path("linked/result.sarrus"));
  symlinkSync(secret, path("linked/result.sarrus"));
  for (let i = 0; i < 40; ++i) {
    const { status, body } = await ask(shown.port, { target: "/result" });
    assert.ok(status === 404 && !body.includes("root:"), `${status}: ${body.subarray(0, 80)}`);
    await wait(10);
  }
  assert.ok(!(await ask(shown.port)).body.includes("nobody may read this"));
  await shown.stop();
});

await step("V19: a range asked for gets the whole, never what lies beyond", async () => {
  const page = (await ask(server.port)).body;
  const end = page.length;
  for (const range of [`${end}-`, `${end}-${end + 65535}`, `${end - 1}-${end + 1}`, "0-0", "-1", `-${2 * end}`, "5-2", "0-1,5-6", "9223372036854775807-", "18446744073709551615-", "0-" + ",0-".repeat(500)]) {
    const { status, body } = await ask(server.port, { headers: { Range: `bytes=${range}` } });
    assert.equal(status, 200, range);
    assert.ok(body.equals(page), `${range}: ${body.length} bytes, not ${end}`);
  }
});

await step("V07: there is no other route: nothing is evaluated, opened or started by name", async () => {
  for (const method of ["GET", "POST", "PUT", "DELETE", "PATCH", "OPTIONS"])
    for (const target of ["/eval", "/exec", "/open?file=/etc/passwd", "/file/m.toml", "/quit", "/parameter", "/set?q=NaN", "/ws", "/result/../m.toml"]) {
      const answer = await ask(server.port, { method, target, headers: { "X-Sarrus-Key": server.key } });
      assert.ok([400, 404].includes(answer.status) && answer.body.length < 200, `${method} ${target}: ${answer.status}`);
    }
  const page = (await ask(server.port)).body.toString();
  for (const target of ["/?model=/etc/passwd", "/?folder=..", "/events?from=0&file=/etc/passwd#"].slice(0, 2))
    assert.equal((await ask(server.port, { target })).body.toString(), page, "what is asked for behind ? changes nothing");
});

await step("V06: without the key nothing changes, guessing is slow, and the key is nowhere to be read", async () => {
  const guess = (k) => command("/run", k ? { "X-Sarrus-Key": k } : {});
  assert.equal((await guess()).status, 401);
  assert.equal((await guess("0".repeat(32))).status, 401);
  const agent = new Agent({ keepAlive: true, maxSockets: 16 });
  const many = full ? 100000 : 3000;
  const counts = {};
  let sent = 0;
  const guesser = async () => {
    while (sent < many) {
      const k = (sent++).toString(16).padStart(32, "0");
      const status = await new Promise((done, failed) => {
        const asking = request({ host: "127.0.0.1", port: server.port, method: "POST", path: "/run", agent, headers: { Host: `127.0.0.1:${server.port}`, "X-Sarrus-Key": k } }, (answer) => {
          answer.resume();
          answer.on("end", () => done(answer.statusCode));
        });
        asking.on("error", () => done("cut")); // a connection is closed after so many requests
        asking.end();
      });
      counts[status] = (counts[status] ?? 0) + 1;
    }
  };
  const began = Date.now();
  await Promise.all(Array.from({ length: 16 }, guesser));
  const minutes = (Date.now() - began) / 60000;
  agent.destroy();
  console.log(`        ${many} guesses: ${JSON.stringify(counts)}`);
  assert.deepEqual(Object.keys(counts).filter((s) => !["401", "429", "cut"].includes(s)), []);
  assert.ok((counts["401"] ?? 0) <= 10 * Math.ceil(minutes + 0.1), "ten guesses in a minute are looked at");
  assert.ok((counts["429"] ?? 0) > 0.9 * many);
  assert.equal((await command("/stop", { "X-Sarrus-Key": server.key })).status, 409, "the right key is heard all the same");
  assert.ok(!(await ask(server.port)).body.includes(server.key), "not in the page");
  assert.ok(!server.said().slice(server.said().indexOf("\n")).includes(server.key), "not in what the program says later");
  for (const [name, value] of Object.entries((await ask(server.port)).headers)) assert.ok(!String(value).includes(server.key), name);
  assert.equal((await ask(server.port)).headers["referrer-policy"], "no-referrer");
});

await step("V06: the key of a session that has ended opens nothing", async () => {
  const before = await serve("m.toml", "--port", "0");
  await before.stop();
  const after = await serve("m.toml", "--port", String(before.port));
  assert.notEqual(after.key, before.key);
  assert.equal((await ask(after.port, { method: "POST", target: "/run", headers: { "X-Sarrus-Key": before.key } })).status, 401);
  await after.stop();
});

/** Sends until the other side closes; how many bytes went out, and the answer. */
function pour(head, most) {
  return new Promise((done) => {
    const block = Buffer.alloc(1 << 20, 120);
    let sent = 0;
    let back = "";
    let ended = false;
    const socket = connect(server.port, "127.0.0.1", () => {
      socket.write(head);
      const more = () => {
        while (!ended && sent < most) {
          sent += block.length;
          if (!socket.write(block)) return socket.once("drain", more);
        }
      };
      more();
    });
    const end = () => ((ended = true), socket.destroy(), done({ sent, back }));
    socket.on("data", (d) => (back += d));
    socket.on("close", end);
    socket.on("error", end);
    setTimeout(end, 60000);
  });
}

await step("V09: what is too large or malformed is refused, and the server lives", async () => {
  const before = held(server.process).memory;
  refused(await raw(server.port, `GET / HTTP/1.1\r\n${host}X: ${"a".repeat(1 << 20)}\r\n${close}`), 400, 413, 431);
  refused(await raw(server.port, `POST /stop HTTP/1.1\r\n${host}${key}Content-Length: 10000000000\r\n${close}abc`), 400, 413);
  const { sent, back } = await pour(`POST /stop HTTP/1.1\r\n${host}${key}Content-Length: 10000000000\r\n${close}`, 1e10);
  refused(back, 400, 413);
  const line = await pour(`GET / HTTP/1.1\r\n${host}X: `, 1e10);
  const target = await pour("GET /", 1e10);
  console.log(`        of 10 GB each, ${[sent, line.sent, target.sent].map((b) => (b / 1e6).toFixed(0)).join(", ")} MB were sent before it closed`);
  assert.ok(Math.max(sent, line.sent, target.sent) < 50e6, "what lies in the buffers of the system, no more");
  for (const chunk of ["zz\r\nabc\r\n", "-5\r\nabc\r\n", "ffffffffffffffffff\r\nabc\r\n", "5\r\nabcdefghij\r\n"])
    refused(await raw(server.port, `POST /stop HTTP/1.1\r\n${host}${key}Transfer-Encoding: chunked\r\n${close}${chunk}`), 400, 409, 413);
  refused(await raw(server.port, `POST /stop HTTP/1.1\r\n${host}${key}Content-Length: 3\r\nContent-Length: 30\r\n${close}abcGET / HTTP/1.1\r\n`), 400, 409);
  for (const garbage of ["\0\0\0\0\r\n\r\n", "\x16\x03\x01\x02\x00\x01", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", "GET / HTTP/1.1\r\n\r\nGARBAGE\r\n\r\n", `${"GET / HTTP/1.1\r\n".repeat(2000)}`])
    await raw(server.port, garbage, 500);
  for (const from of ["NaN", "-1", "1e308", "9".repeat(400), "%ff"]) await raw(server.port, `GET /events?from=${from} HTTP/1.1\r\n${host}\r\n`, 200);
  assert.equal((await ask(server.port)).status, 200);
  assert.ok(held(server.process).memory - before < 64, "memory");
});

await step("V10: commands with a body: deep, broken, unknown or endless ones change nothing", async () => {
  const held = { "X-Sarrus-Key": server.key };
  for (const body of ["[".repeat(1e4), "\xff\xfe\xfd", '{"slider": NaN}', '{"slider": 1e308}', "x".repeat(60000)])
    assert.equal((await command("/stop", held, body)).status, 409, "what comes with a command is not read: nothing runs");
  assert.equal((await command("/stop", held, "[".repeat(1e5))).status, 413, "beyond 64 kB");
  assert.equal((await command("/faster", held, "{}")).status, 404);
  // one byte of a body now and then, for ever: it is not waited for
  const began = Date.now();
  const slow = connect(server.port, "127.0.0.1", () => slow.write(`POST /stop HTTP/1.1\r\n${host}${key}Content-Length: 1000\r\n\r\n`));
  const closed = new Promise((done) => slow.on("close", done));
  slow.on("error", () => {});
  slow.resume();
  const drip = setInterval(() => slow.write("x"), 500);
  await closed;
  clearInterval(drip);
  console.log(`        a body in drips was waited for ${((Date.now() - began) / 1000).toFixed(1)} s`);
  assert.ok(Date.now() - began < 120000, "8 s, and much patience with a busy machine");
  assert.equal((await ask(server.port)).status, 200);
});

await step("V12: 500 half-open connections, 1000 short ones and 100 viewers leave nothing behind", async () => {
  await until(() => held(server.process).threads < 20, "threads of what was before end");
  const before = held(server.process);
  const half = Array.from({ length: 500 }, () => {
    const socket = connect(server.port, "127.0.0.1", () => socket.write("GET / HTTP/1.1\r\nHost:"));
    socket.on("error", () => {});
    return socket;
  });
  await until(() => half.every((s) => !s.connecting), "500 are connected");
  assert.equal((await ask(server.port)).status, 200, "others are still served");
  assert.ok(held(server.process).memory - before.memory < 64, "memory while they are there");
  half.forEach((s) => s.destroy());
  for (let i = 0; i < 20; ++i) await Promise.all(Array.from({ length: 50 }, () => raw(server.port, "", 1)));
  const streams = Array.from({ length: 100 }, () => {
    const socket = connect(server.port, "127.0.0.1", () => socket.write(`GET /events?from=0 HTTP/1.1\r\n${host}\r\n`));
    socket.on("error", () => {});
    return socket;
  });
  let heard = 0;
  streams.forEach((s) => s.once("data", () => ++heard));
  await until(() => heard === 100, "a hundred pages are open");
  streams.forEach((s) => s.destroy());
  await until(() => held(server.process).files <= before.files + 3, "files are closed");
  await until(() => held(server.process).threads <= before.threads + 3, "threads end");
  const after = held(server.process);
  console.log(`        memory ${before.memory.toFixed(0)} → ${after.memory.toFixed(0)} MB, ${before.threads} → ${after.threads} threads, ${before.files} → ${after.files} files`);
  assert.ok(after.memory - before.memory < 64, "memory");
});

await server.stop();

await step("V09, V11: a run is not slowed by rude visitors, nor by one that never reads", async () => {
  write("slow.toml", model("slow", 'until = 1e6\noutput_step = 0.01\nintegrator = "rk4"\nstep = 1e-4'));
  const run = sarrusRunning("run", "slow.toml", "-o", "slow", "--quiet");
  const size = () => statSync(path("slow/result.sarrus"), { throwIfNoEntry: false })?.size ?? 0;
  await until(() => size() > 1e5, "the run writes");
  const shown = await serve("slow", "--port", "0");
  const idle = Array.from({ length: 5 }, () => {
    const socket = connect(shown.port, "127.0.0.1", () => socket.write(`GET /events?from=0 HTTP/1.1\r\nHost: 127.0.0.1:${shown.port}\r\n\r\n`));
    socket.pause();
    socket.on("error", () => {});
    return socket;
  });
  await until(async () => (await ask(shown.port)).status === 200, "the page");
  const memory = held(shown.process).memory;
  // nothing that a visitor does can reach the run: beside its own three streams it holds no socket at all, and goes on writing.
  // How fast is only printed: bytes for a second of its processor time depend on what else the machine does
  const pace = async (visit) => {
    const first = { bytes: size(), work: workOf(run) };
    for (let rounds = 0; rounds < 5 || size() === first.bytes || workOf(run) - first.work < 0.5; rounds++) await visit();
    return (size() - first.bytes) / (workOf(run) - first.work);
  };
  const attack = () => Promise.all(Array.from({ length: 20 }, (_, i) => (i % 2 ? raw(shown.port, `GET /${"x".repeat(1000)} HTTP/1.1\r\nHost: e\r\n\r\n`, 200) : raw(shown.port, `GET /events?from=0 HTTP/1.1\r\nHost: 127.0.0.1:${shown.port}\r\n\r\n`, 200))));
  const quiet = await pace(() => wait(200));
  const visited = await pace(attack);
  assert.deepEqual(socketsOf(run), [], "the run listens to nobody");
  const grown = held(shown.process).memory - memory;
  console.log(`        ${(visited / quiet).toFixed(2)} of the pace without visitors; the server grew by ${grown.toFixed(0)} MB`);
  assert.ok(grown < 64, "what is not read is not kept");
  idle.forEach((s) => s.destroy());
  run.kill("SIGTERM");
  await shown.stop();
});

/** Listens to a stream, and resolves with what came: bytes, the number to ask for next, the end. */
function listenTo(port, headers, paused) {
  const heard = { bytes: 0, to: 0, rows: 0, ended: false };
  const socket = connect(port, "127.0.0.1", () => socket.write(`GET /events?from=1 HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n${headers}\r\n`));
  socket.on("error", () => {});
  let tail = "";
  const done = new Promise((resolve) => {
    socket.on("close", () => resolve(heard));
    socket.on("data", (d) => {
      heard.bytes += d.length;
      const text = tail + d.toString("latin1");
      for (const m of text.matchAll(/^id: (\d+)\n/gm)) heard.to = Math.max(heard.to, Number(m[1]));
      for (const m of text.matchAll(/"count":(\d+),/g)) heard.rows += Number(m[1]);
      tail = text.slice(-40).replace(/"count":\d+,/g, ""); // what a piece cuts is found with the next
      if (/^event: end$/m.test(text)) {
        heard.ended = true;
        socket.destroy();
      }
    });
  });
  if (paused) socket.pause();
  return { socket, done, heard };
}

await step("V11: who slept through an hour of rows, or lost the line, catches up, and nothing was kept for them", async () => {
  // an hour at a hundred rows a second, computed in seconds
  write("hour.toml", `sarrus = 1
name = "hour"
[[body]]
name = "bob"
mass = 1
com = [0, 0, -1]
inertia = [0, 0, 0]
[[joint]]
name = "hinge"
type = "revolute"
child = "bob"
axis = "y"
q = 0.5
[simulate]
until = 3600
output_step = 0.01
integrator = "rk4"
step = 0.01
`);
  const run = sarrusRunning("run", "hour.toml", "-o", "hour", "--quiet");
  const ended = new Promise((done) => run.once("exit", done));
  let shown = null;
  await until(async () => (shown = await serve("hour", "--port", "0").catch(() => null)), "its header is there");
  const asleep = listenTo(shown.port, "", true);
  const memory = held(shown.process).memory;
  assert.equal(await ended, 0);
  await until(async () => (await ask(shown.port)).body.includes('"seen":360001'), "all rows are read");
  const grown = held(shown.process).memory - memory;
  const began = Date.now();
  asleep.socket.resume();
  const cut = await asleep.done;
  const caughtUp = Date.now() - began;
  // the line was lost at row 100, and the browser says so when it comes back
  const back = await listenTo(shown.port, "Last-Event-ID: 100\r\n", false).done;
  console.log(`        of 360001 rows, ${cut.rows} to who slept (${(cut.bytes / 1e6).toFixed(0)} MB, ${(caughtUp / 1000).toFixed(1)} s); the server grew by ${grown.toFixed(0)} MB`);
  for (const one of [cut, back]) {
    assert.ok(one.ended, "told of the end");
    assert.equal(one.to, 360001, "up to the last row");
    assert.ok(one.bytes < 64e6, "no more than a page holds");
  }
  assert.ok(back.rows > 1000 && Math.abs(back.rows - cut.rows) < 0.5 * back.rows);
  assert.ok(grown < 128, "what is kept for pages, once, whoever sleeps"); // two pages as text and the rows, at most
  await shown.stop();
});

await step("V02: ports: none, too large, taken, not allowed", async () => {
  const code = (...words) => {
    try {
      sarrus("view", "m", ...words);
      return 0;
    } catch (e) {
      return e.status;
    }
  };
  assert.equal(code("--port", "70000"), 2);
  assert.equal(code("--port", "-1"), 2);
  assert.equal(code("--port", "x"), 2);
  const one = await serve("m");
  const two = await serve("m");
  assert.notEqual(one.port, two.port, "the next free port is taken");
  assert.equal(code("--port", String(one.port)), 6);
  const free = await serve("m", "--port", "0");
  assert.ok(free.port > 0 && (await ask(free.port)).status === 200, "any free one, and the real one is told");
  await free.stop();
  await one.stop();
  await two.stop();
});

await step("V02: port 80 without the rights for it", async () => {
  const first = Number(readFileSync("/proc/sys/net/ipv4/ip_unprivileged_port_start", "utf8"));
  if (first <= 80) return console.log("        anyone may use port 80 on this machine");
  const root = process.getuid() === 0;
  const nobody = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", "--inh-caps=-all", "--bounding-set=-all"];
  if (root && (spawnSync("setpriv", ["--version"]).error || spawnSync(nobody[0], [...nobody.slice(1), program, "--version"]).status !== 0)) return console.log("        not tried: root may use it, and nobody else can run the program here");
  chmodSync(folder, 0o755); // so that nobody sees the result, too
  const words = [...(root ? nobody : []), program, "view", path("m"), "--port", "80"];
  const { status, stderr } = spawnSync(words[0], words.slice(1), { encoding: "utf8", timeout: 20000 });
  assert.equal(status, 6, stderr);
  assert.match(stderr, /cannot listen on port 80/);
});

finish();
