// The bar above the picture: from where it is seen, and what of it is shown.

import type { Preset } from "./camera";
import { el } from "./dom";
import type { Stage } from "./stage";

export function buildViewBar(holder: HTMLElement, stage: Stage) {
  const bar = el("div", { class: "view-bar", role: "group", "aria-label": "View" });
  const presets: [string, Preset][] = [["3-D", "iso"], ["front", "front"], ["right", "right"], ["top", "top"]];
  for (const [word, preset] of presets) bar.append(el("button", { "data-view": preset, title: `See it from ${word}`, click: () => stage.look(preset) }, word));
  const toggle = (word: string, action: string, on: boolean, change: (on: boolean) => void, title: string) => {
    const button = el("button", { "aria-pressed": String(on), "data-action": action, title, click: () => {
      const now = button.getAttribute("aria-pressed") !== "true";
      button.setAttribute("aria-pressed", String(now));
      change(now);
    } }, word);
    return button;
  };
  bar.append(toggle("ortho", "ortho", false, (on) => stage.setOrthographic(on), "Without perspective"));
  const follow = toggle("follow", "follow", false, (on) => stage.follow(on ? stage.selected : -1), "The camera goes with the body that is selected");
  follow.disabled = true;
  bar.append(follow);
  const layers = el("details", { class: "layers" }, el("summary", {}, "show"));
  const box = el("div", {});
  const layer = (word: string, name: Parameters<Stage["setLayer"]>[0] | "names", on: boolean) => {
    const input = el("input", { type: "checkbox", "data-layer": name, change: () => (name === "names" ? stage.setLabels(input.checked) : stage.setLayer(name, input.checked)) });
    input.checked = on;
    box.append(el("label", {}, input, word));
  };
  if (stage.bends) layer(stage.bends, "stress", true);
  layer("joints", "joints", true);
  layer("traces of sensors", "traces", true);
  layer("forces", "forces", true);
  layer("weights", "weights", false);
  layer("names", "names", false);
  layer("ground", "grid", true);
  layer("world axes", "axes", true);
  layers.append(box);
  bar.append(layers);
  holder.append(bar);
}
