// The bar of time below the picture, and the list of modes.

import type { SceneData } from "./data";
import { el, format, icon } from "./dom";
import type { Player } from "./player";

const shapes = {
  play: "M7 4l13 8-13 8z",
  pause: "M6 4h4v16H6zM14 4h4v16h-4z",
  back: "M18 5v14l-9-7zM6 5h2v14H6z",
  forward: "M6 5v14l9-7zM16 5h2v14h-2z",
};
const speeds = [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2, 5, 10];

export function buildTransport(bar: HTMLElement, data: SceneData, player: Player) {
  const playIcon = () => icon(player.playing ? shapes.pause : shapes.play);
  const play = el("button", { class: "play", "data-action": "play", click: () => player.toggle() });
  const slider = el("input", { type: "range", min: "0", step: "1", "aria-label": "Time", "data-action": "time", input: () => {
    if (player.playing) player.pause();
    player.follow = false;
    player.goTo(Number(slider.value));
  } });
  const readout = el("output", { class: "time" });
  const speed = el("select", { "aria-label": "Speed", "data-action": "speed", change: () => (player.speed = Number(speed.value)) });
  for (const s of speeds) speed.append(el("option", { value: String(s) }, `${s} ×`));
  speed.value = "1";
  const loop = el("button", { "aria-pressed": "true", title: "Begin again at the end (L)", "data-action": "loop", click: () => {
    player.loop = !player.loop;
    loop.setAttribute("aria-pressed", String(player.loop));
  } }, "loop");
  const back = el("button", { title: "One row back (,)", "aria-label": "One row back", "data-action": "back", click: () => player.step(-1) }, icon(shapes.back));
  const forward = el("button", { title: "One row on (.)", "aria-label": "One row on", "data-action": "forward", click: () => player.step(1) }, icon(shapes.forward));
  bar.append(play, back, forward, slider, readout, speed, loop);
  let shown = "";
  const show = () => {
    slider.max = String(Math.max(0, data.rows - 1));
    slider.value = String(player.row);
    const digits = player.end - player.start > 100 ? 2 : 3;
    readout.textContent = data.rows ? `${player.time.toFixed(digits)} / ${format(player.end, 6)} s` : "";
    slider.setAttribute("aria-valuetext", readout.textContent);
    const now = player.playing ? "Pause" : "Play";
    if (now !== shown) {
      play.replaceChildren(playIcon(), el("span", {}, now));
      play.title = `${now} (space)`;
      shown = now;
    }
    play.disabled = data.rows < 2;
  };
  player.onChange(show);
  show();
}

/** A list of the modes of vibration by number, frequency and damping. */
export function modeChooser(data: SceneData, onChange: () => void) {
  const choose = el("select", { "aria-label": "Mode of vibration", title: "Mode of vibration ([ and ])", "data-action": "mode", change: () => {
    data.take(data.modes[Number(choose.value)]);
    onChange();
  } });
  data.modes.forEach((m, i) => {
    const facts = (m.summary.mode ?? {}) as Record<string, number>;
    choose.append(el("option", { value: String(i) }, `mode ${facts.number}: ${format(facts["frequency [Hz]"], 4)} Hz, damping ${format(facts["damping ratio"], 3)}`));
  });
  return choose;
}
