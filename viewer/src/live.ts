// The page as it is served by `sarrus view`: rows arrive while a run goes on, and a model can be run.
//
// Whoever may change something shows the key that the program printed with the page's address, after
// the #. It is kept for this tab only and taken out of the address at once.

import type { Chunk, SceneData } from "./data";
import { el } from "./dom";

const keyName = "sarrus-key";

function readKey(): string {
  const given = location.hash.slice(1);
  try {
    if (/^[0-9a-f]{32}$/.test(given)) {
      sessionStorage.setItem(keyName, given);
      history.replaceState(null, "", location.pathname);
    }
    return sessionStorage.getItem(keyName) ?? "";
  } catch {
    return given;
  }
}

export class Live {
  readonly element = el("span", { class: "live", role: "status" });
  private source: EventSource | null = null;
  private key = readKey();
  private button: HTMLButtonElement | null = null;

  constructor(
    private data: SceneData,
    private onRunning: () => void,
    private onRows: () => void,
    private onEnd: (status: string) => void,
  ) {
    const live = data.written.live!;
    if (live.kind === "model") {
      this.button = el("button", { class: "primary", click: () => void this.run() }, "Run");
      this.element.append(this.button);
      this.setRunning(live.running);
    }
    const words = el("span", { class: "live-words" });
    this.element.append(words);
    this.listen();
  }

  private say(text: string) {
    this.element.querySelector(".live-words")!.textContent = text;
  }
  private setRunning(on: boolean) {
    if (this.button) this.button.textContent = on ? "Stop" : "Run";
    this.element.classList.toggle("running", on);
  }

  /** Drawing takes its time with many rows: several pieces together, a fifth of the time at most. */
  private show() {
    if (this.waiting) return;
    this.waiting = window.setTimeout(() => this.showNow(), this.pause);
  }
  private showNow() {
    clearTimeout(this.waiting);
    this.waiting = 0;
    const began = performance.now();
    this.say(`${this.data.seen} rows`);
    this.onRows();
    const spent = () => (this.pause = Math.max(50, 4 * (performance.now() - began)));
    spent();
    // what the browser takes to paint it counts too: its second picture from now comes when the first is done
    requestAnimationFrame(() => requestAnimationFrame(spent));
  }
  private waiting = 0;
  private pause = 0; // [ms]

  /** The browser connects again by itself and says how far it had come. */
  private listen() {
    this.source?.close();
    const source = new EventSource(`events?from=${this.data.seen}`);
    this.source = source;
    source.addEventListener("rows", (e) => {
      const chunk = JSON.parse((e as MessageEvent<string>).data) as Chunk;
      // a page that began without rows could not measure the mechanism
      if (this.data.rows === 0 || !this.data.append(chunk)) return location.reload();
      this.setRunning(true);
      this.onRunning();
      this.show();
    });
    source.addEventListener("end", (e) => {
      if (this.waiting) this.showNow();
      this.setRunning(false);
      this.say("");
      this.onEnd((e as MessageEvent<string>).data);
    });
    source.addEventListener("restart", () => location.reload());
    source.addEventListener("fault", (e) => {
      this.setRunning(false);
      this.say((e as MessageEvent<string>).data);
    });
    source.onopen = () => this.element.classList.remove("lost");
    source.onerror = () => {
      this.element.classList.add("lost");
      this.say("not connected; trying again");
      if (source.readyState === EventSource.CLOSED) setTimeout(() => this.listen(), 2000);
    };
  }

  private async run() {
    const stop = this.element.classList.contains("running");
    if (!this.key) return this.say("open the address that `sarrus view` printed: it holds the key for this");
    try {
      const answer = await fetch(stop ? "stop" : "run", { method: "POST", headers: { "X-Sarrus-Key": this.key } });
      if (!answer.ok) this.say(await answer.text());
      else if (!stop) this.setRunning(true);
    } catch {
      this.say("the program does not answer");
    }
  }
}
