// Time: which row is shown, and how it goes on.

import { SceneData } from "./data";

type Listener = () => void;

export class Player {
  row = 0;
  position = 0; // between rows while playing
  playing = false;
  speed = 1;
  loop = true;
  follow = false; // keep to the last row while rows arrive
  private last = 0;
  private t = 0;
  private listeners: Listener[] = [];

  constructor(private data: SceneData) {
    this.t = data.rows ? data.time[0] : 0;
  }
  onChange(f: Listener) {
    this.listeners.push(f);
  }
  private tell() {
    for (const f of this.listeners) f();
  }

  get time() {
    return this.t;
  }
  get start() {
    return this.data.rows ? this.data.time[0] : 0;
  }
  get end() {
    return this.data.rows ? this.data.time[this.data.rows - 1] : 0;
  }

  goTo(row: number) {
    this.row = Math.max(0, Math.min(this.data.rows - 1, Math.round(row)));
    this.position = this.row;
    this.t = this.data.rows ? this.data.time[this.row] : 0;
    this.tell();
  }
  goToTime(t: number) {
    this.goTo(this.data.rowAt(t));
  }
  step(by: number) {
    this.pause();
    this.goTo(this.row + by);
  }
  play() {
    if (this.data.rows < 2) return;
    if (this.row >= this.data.rows - 1) this.goTo(0);
    this.playing = true;
    this.follow = false;
    this.last = performance.now();
    this.tell();
  }
  pause() {
    this.playing = false;
    this.goTo(this.row);
  }
  toggle() {
    if (this.playing) this.pause();
    else this.play();
  }
  /** Each second row was dropped: the same time is in another row now. */
  thinned() {
    this.row = this.data.rowAt(this.t);
    this.position = this.row;
  }
  rowsArrived() {
    if (this.follow) this.goTo(this.data.rows - 1);
    else this.tell();
  }

  /** Called for each picture; true where time went on. */
  advance(now: number): boolean {
    if (!this.playing) return false;
    const passed = Math.min(0.25, (now - this.last) / 1000); // a page that slept goes on where it was
    this.last = now;
    this.t += passed * this.speed;
    if (this.t >= this.end) {
      if (this.loop) {
        this.t = this.start;
      } else {
        this.goTo(this.data.rows - 1);
        this.pause();
        return true;
      }
    }
    const time = this.data.time;
    let i = this.data.rowAt(this.t);
    if (time[i] > this.t && i > 0) --i;
    const next = Math.min(i + 1, this.data.rows - 1);
    const span = time[next] - time[i];
    const share = span > 0 ? (this.t - time[i]) / span : 0;
    this.position = i + share;
    this.row = share > 0.5 ? next : i;
    this.tell();
    return true;
  }
}
