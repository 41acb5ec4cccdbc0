// `sarrus view` for tests, and requests that no browser would make.
import { readFileSync, readdirSync, readlinkSync } from "node:fs";
import { request } from "node:http";
import { connect } from "node:net";
import { sarrusRunning } from "./harness.mjs";

export const wait = (ms) => new Promise((done) => setTimeout(done, ms));

/** A server and where it is. */
export async function serve(...words) {
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
  return { process, address, port, said: () => said, key: new URL(address).hash.slice(1), stop: (signal = "SIGTERM") => new Promise((done) => (process.once("exit", done), process.kill(signal))) };
}

/** One request, with whatever headers. */
export function ask(port, { method = "GET", target = "/", headers = {}, body } = {}) {
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
export function raw(port, bytes, patience = 3000) {
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
export const statusOf = (answer) => Number(answer.match(/^HTTP\/1\.1 (\d+)/)?.[1] ?? 0);

/** Waits until something holds; says what did not. */
export async function until(holds, what, patience = 600000) {
  const began = Date.now();
  while (!(await holds())) {
    if (Date.now() - began > patience) throw new Error(`not within ${patience / 1000} s: ${what}`);
    await wait(50);
  }
}

/** Sockets that a process holds beside its three streams, as numbers of files. */
export function socketsOf(process) {
  const files = `/proc/${process.pid}/fd`;
  const link = (fd) => {
    try {
      return readlinkSync(`${files}/${fd}`);
    } catch {
      return ""; // closed since
    }
  };
  return readdirSync(files).filter((fd) => fd > 2 && link(fd).startsWith("socket:"));
}

/** What a process holds: files, memory [MB], threads. */
export function held(process) {
  const status = readFileSync(`/proc/${process.pid}/status`, "utf8");
  const number = (name) => Number(status.match(new RegExp(`${name}:\\s+(\\d+)`))[1]);
  return { files: readdirSync(`/proc/${process.pid}/fd`).length, memory: number("VmRSS") / 1024, threads: number("Threads") };
}
/** Processor time of a process, of all its threads [s]. */
export function workOf(process) {
  const tasks = `/proc/${process.pid}/task`;
  return readdirSync(tasks).reduce((sum, task) => sum + Number(readFileSync(`${tasks}/${task}/schedstat`, "utf8").split(" ")[0]) / 1e9, 0);
}
