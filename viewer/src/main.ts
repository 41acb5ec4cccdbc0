// The page: puts stage, time, plots and panels together.

import "./style.css";
import { Charts, firstColumns } from "./charts";
import { readScene, type SceneData } from "./data";
import { el, format, icon, memory } from "./dom";
import { Live } from "./live";
import { energyPanel, modelPanel, PartsPanel } from "./panels";
import type { Preset } from "./camera";
import { mostCoils } from "./marks";
import { mostDetailed } from "./parts";
import { Player } from "./player";
import { runPanel } from "./run_panel";
import { Stage } from "./stage";
import type { Things } from "./things";

const shapes = {
  play: "M7 4l13 8-13 8z",
  pause: "M6 4h4v16H6zM14 4h4v16h-4z",
  back: "M18 5v14l-9-7zM6 5h2v14H6z",
  forward: "M6 5v14l9-7zM16 5h2v14h-2z",
  sun: "M12 7a5 5 0 100 10 5 5 0 000-10zM11 1h2v4h-2zM11 19h2v4h-2zM1 11h4v2H1zM19 11h4v2h-4z",
};
const speeds = [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2, 5, 10];

function start(data: SceneData) {
  document.getElementById("fallback")?.remove();
  setTheme(memory.get("sarrus-theme") ?? (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light"));
  const player = new Player(data);
  const charts = new Charts(data, player);

  // the frame of the page
  const holder = el("div", { class: "stage" });
  const panelArea = el("div", { class: "panel-area" });
  const status = el("span", { class: `status ${data.status}` }, data.rows > 1 ? statusWords(data.status) : "not run yet");
  const title = el("h1", {}, data.title);
  const header = el("header", {}, title, status, el("span", { class: "grow" }));
  const transport = el("div", { class: "transport", role: "group", "aria-label": "Time" });
  const left = el("main", {}, holder, transport);
  const tabs = el("div", { class: "tabs", role: "tablist" });
  const right = el("aside", {}, tabs, panelArea);
  document.body.append(header, el("div", { class: "columns" }, left, right));

  // the mechanism
  let stage: Stage | null = null;
  const limits: string[] = [];
  if (data.things) {
    try {
      stage = new Stage(data, data.things, holder);
    } catch (e) {
      holder.replaceChildren(el("p", { class: "missing" }, `The mechanism is not shown, because this browser offers no 3-D drawing (WebGL). The plots and numbers work. (${e instanceof Error ? e.message : e})`));
    }
    limits.push(...drawingLimits(data.things));
  } else {
    holder.append(el("p", { class: "missing" }, `The mechanism is not shown: ${data.written.problem}.`));
  }
  const limitWords = el("p", { class: "limits" });
  holder.append(limitWords);
  const sayLimits = () => {
    const all = data.every > 1 ? [...limits, `each ${ordinal(data.every)} of ${data.seen} rows`] : limits;
    limitWords.textContent = all.length ? `Shown with limits: ${all.join("; ")}.` : "";
    limitWords.hidden = all.length === 0;
  };
  sayLimits();

  const legend = el("p", { class: "legend" });
  holder.append(legend);
  const showLegend = () => {
    const words: string[] = [];
    if (stage?.largestStress) words.push(`normal stress, up to ${format(stage.largestStress / 1e6, 3)} MPa`);
    if (stage?.largestDeflection) words.push(`deflection, up to ${format(stage.largestDeflection * 1e3, 3)} mm`);
    legend.hidden = words.length === 0;
    legend.replaceChildren(el("span", {}), words.join("; "));
  };
  showLegend();

  buildTransport(transport, data, player);
  if (stage) buildViewBar(holder, stage);

  // panels
  const plots = el("div", { class: "plots" });
  const model = modelPanel(data);
  const addToChart = (column: number) => {
    open("Plots");
    const last = charts.list.filter((c) => plots.contains(c.element)).pop();
    if (last) last.add(column);
    else charts.make([column], plots);
  };
  const parts = new PartsPanel(data, player, stage, addToChart, (line) => {
    open("Model");
    model.show(line);
  });
  const energy = energyPanel(data, player, charts);
  const panels: Record<string, { element: HTMLElement; shown?: () => void }> = {
    Plots: { element: plots },
    Parts: { element: parts.element },
    Energy: energy,
    Run: { element: runPanel(data) },
    Model: model,
  };
  const open = (name: string) => {
    for (const tab of tabs.querySelectorAll("button")) {
      const chosen = tab.textContent === name;
      tab.setAttribute("aria-selected", String(chosen));
      tab.tabIndex = chosen ? 0 : -1;
    }
    panelArea.replaceChildren(panels[name].element);
    panels[name].shown?.();
    charts.list.forEach((c) => c.showTime());
  };
  for (const name of Object.keys(panels)) tabs.append(el("button", { role: "tab", click: () => open(name) }, name));
  tabs.addEventListener("keydown", (e) => {
    const all = [...tabs.querySelectorAll("button")];
    const at = all.indexOf(document.activeElement as HTMLButtonElement);
    const by = e.key === "ArrowRight" ? 1 : e.key === "ArrowLeft" ? -1 : 0;
    if (at < 0 || by === 0) return;
    const next = all[(at + by + all.length) % all.length];
    open(next.textContent!);
    next.focus();
    e.stopPropagation();
    e.preventDefault();
  });
  const hint = el("p", { class: "hint" }, "Drag across a chart to zoom, double-click to see all, click to go to that time.");
  const addButton = el("button", { class: "wide", click: () => { charts.make([], plots); plots.append(hint, addButton); } }, "Add a chart");
  open("Plots");
  const first = firstColumns(data);
  charts.make(first, plots);
  const speedsOf = first.map((i) => data.find(data.columns[i].name.replace(/\.q(\d*)$/, ".u$1"))).filter((i) => i > 0 && !first.includes(i));
  if (speedsOf.length) charts.make(speedsOf, plots);
  plots.append(hint, addButton);

  // choosing
  if (stage) {
    const s = stage;
    const followButton = holder.querySelector<HTMLButtonElement>("[data-action=follow]")!;
    parts.onSelect = (part) => {
      s.select(part?.kind === "body" ? part.index : -1);
      followButton.disabled = !(part?.kind === "body") && s.followed < 0;
    };
    s.onPick = (body) => {
      parts.select(body >= 0 ? { kind: "body", index: body } : null);
      if (body >= 0) open("Parts");
    };
    player.onChange(() => s.show(player.position, player.row));
  }

  if (data.modes.length > 1)
    status.after(
      modeChooser(data, () => {
        title.textContent = data.title;
        stage?.motionChanged();
        showLegend();
        charts.rowsArrived();
        panels.Run.element = runPanel(data);
        if (tabs.querySelector("[aria-selected=true]")?.textContent === "Run") open("Run");
        player.motionChanged();
      }),
    );

  // theme, keys, drawing
  const themeButton = el("button", { class: "plain", title: "Dark or light", "aria-label": "Dark or light", click: () => {
    const next = document.documentElement.dataset.theme === "dark" ? "light" : "dark";
    setTheme(next);
    memory.set("sarrus-theme", next);
    stage?.setTheme();
    charts.rebuild();
  } }, icon(shapes.sun));
  header.append(themeButton);
  document.addEventListener("keydown", (e) => keys(e, player, holder));
  const tick = (now: number) => {
    player.advance(now);
    stage?.draw();
    requestAnimationFrame(tick);
  };
  requestAnimationFrame(tick);
  player.goTo(0);

  if (data.written.live) {
    const live = new Live(
      data,
      () => {
        if (data.thinIfMany()) player.thinned();
        sayLimits();
        stage?.rowsArrived();
        charts.rowsArrived();
        player.rowsArrived();
        status.textContent = "running";
        status.className = "status running";
      },
      (how) => {
        status.textContent = statusWords(how);
        status.className = `status ${how}`;
        player.follow = false;
      },
    );
    themeButton.before(live.element);
    player.follow = data.status === "unfinished";
    if (player.follow) player.goTo(data.rows - 1);
  }
  (window as unknown as { sarrus: object }).sarrus = { data, player, stage, charts, ready: performance.now() };
}

/** What is not drawn as it is, in words. */
function drawingLimits(things: Things): string[] {
  const words: string[] = [];
  if (things.frames.some((f) => f.shapes.some((s) => s.simplified))) words.push("a mesh with too many triangles is shown as a box");
  if (things.stiff_solids) words.push("an elastic solid with too many triangles is drawn as if it were rigid");
  if (things.joints.length > mostDetailed) words.push(`marks of joints, reactions and weights are left out, because there are more than ${mostDetailed} joints`);
  if (things.springs.length > mostCoils) words.push(`springs are straight lines, because there are more than ${mostCoils}`);
  return words;
}

function setTheme(theme: string) {
  document.documentElement.dataset.theme = theme === "dark" ? "dark" : "light";
}

const ordinal = (n: number) => (n === 2 ? "second" : n === 3 ? "third" : `${n}th`);

function statusWords(status: string) {
  const words: Record<string, string> = {
    done: "finished",
    interrupted: "stopped early",
    diverged: "failed: the numerics did not go on",
    budget: "stopped at its budget",
    unfinished: "not finished",
  };
  return words[status] ?? status;
}

/** A list of the modes of vibration by number, frequency and damping. */
function modeChooser(data: SceneData, onChange: () => void) {
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

function buildTransport(bar: HTMLElement, data: SceneData, player: Player) {
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

function buildViewBar(holder: HTMLElement, stage: Stage) {
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
  if (stage.largestStress > 0 || stage.largestDeflection > 0) layer(stage.largestStress > 0 ? "stress" : "deflection", "stress", true);
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

function keys(e: KeyboardEvent, player: Player, holder: HTMLElement) {
  const on = e.target as HTMLElement;
  if (e.ctrlKey || e.altKey || e.metaKey || /^(INPUT|SELECT|TEXTAREA)$/.test(on.tagName)) return;
  const press = (selector: string) => document.querySelector<HTMLButtonElement>(selector)?.click();
  const view = (preset: string) => holder.querySelector<HTMLButtonElement>(`[data-view=${preset}]`)?.click();
  const mode = (by: number) => {
    const list = document.querySelector<HTMLSelectElement>("[data-action=mode]");
    if (!list?.options[list.selectedIndex + by]) return;
    list.selectedIndex += by;
    list.dispatchEvent(new Event("change"));
  };
  const actions: Record<string, () => void> = {
    ",": () => player.step(-1),
    ".": () => player.step(1),
    ArrowLeft: () => player.step(-1),
    ArrowRight: () => player.step(1),
    Home: () => player.goTo(0),
    End: () => player.goTo(Infinity),
    l: () => press("[data-action=loop]"),
    f: () => press("[data-action=follow]"),
    o: () => press("[data-action=ortho]"),
    "[": () => mode(-1),
    "]": () => mode(1),
    "1": () => view("iso"),
    "2": () => view("front"),
    "3": () => view("right"),
    "4": () => view("top"),
  };
  if (e.key === " " && on.tagName !== "BUTTON" && on.tagName !== "SUMMARY") actions[" "] = () => player.toggle();
  const action = actions[e.key];
  if (!action) return;
  e.preventDefault();
  action();
}

const data = readScene();
if (data) start(data);
else document.getElementById("fallback")!.textContent = "This page holds no result. `sarrus report RESULT` writes one that does.";
