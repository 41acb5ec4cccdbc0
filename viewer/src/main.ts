// The page: puts stage, time, plots and panels together.

import "./style.css";
import { Charts, firstColumns } from "./charts";
import { readScene, type SceneData } from "./data";
import { el, format, icon, memory } from "./dom";
import { keys } from "./keys";
import { Live } from "./live";
import { energyPanel, modelPanel, PartsPanel } from "./panels";
import { mostCoils } from "./marks";
import { mostDetailed } from "./parts";
import { Player } from "./player";
import { runPanel } from "./run_panel";
import { Stage } from "./stage";
import type { Things } from "./things";
import { buildTransport, modeChooser } from "./transport";
import { buildViewBar } from "./view_bar";

const sun = "M12 7a5 5 0 100 10 5 5 0 000-10zM11 1h2v4h-2zM11 19h2v4h-2zM1 11h4v2H1zM19 11h4v2h-4z";

function start(data: SceneData) {
  document.getElementById("fallback")?.remove();
  setTheme(memory.get("sarrus-theme") ?? (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light"));
  const player = new Player(data);
  const charts = new Charts(data, player);

  // the frame of the page
  const holder = el("div", { class: "stage" });
  const status = el("span", { class: `status ${data.status}` }, data.rows > 1 ? statusWords(data.status) : "not run yet");
  const title = el("h1", {}, data.title);
  const header = el("header", {}, title, status, el("span", { class: "grow" }));
  const transport = el("div", { class: "transport", role: "group", "aria-label": "Time" });
  const left = el("main", {}, holder, transport);
  const right = el("aside");
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
    if (stage?.drawn) limits.push(`this computer draws slowly, so ${stage.drawn.solids} of ${stage.drawn.of} solids are drawn, fewer while something moves`);
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
  const panels: Record<string, Panel> = {
    Plots: { element: plots },
    Parts: { element: parts.element },
    Energy: energy,
    Run: { element: runPanel(data) },
    Model: model,
  };
  const { tabs, area, open, opened } = makeTabs(panels, () => charts.list.forEach((c) => c.showTime()));
  right.append(tabs, area);
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
        if (opened() === "Run") open("Run");
        player.goTo(0);
      }),
    );

  // theme, keys, drawing
  const themeButton = el("button", { class: "plain", title: "Dark or light", "aria-label": "Dark or light", click: () => {
    const next = document.documentElement.dataset.theme === "dark" ? "light" : "dark";
    setTheme(next);
    memory.set("sarrus-theme", next);
    stage?.setTheme();
    charts.rebuild();
  } }, icon(sun));
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
        status.textContent = "running";
        status.className = "status running";
      },
      () => {
        if (data.thinIfMany()) player.thinned();
        sayLimits();
        stage?.rowsArrived();
        showLegend();
        charts.rowsArrived();
        player.rowsArrived();
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

interface Panel {
  element: HTMLElement;
  shown?: () => void;
}

/** A row of tabs, one for each panel, and the area in which the panel that is open stands. */
function makeTabs(panels: Record<string, Panel>, onOpen: () => void) {
  const tabs = el("div", { class: "tabs", role: "tablist" });
  const area = el("div", { class: "panel-area" });
  let now = "";
  const open = (name: string) => {
    now = name;
    for (const tab of tabs.querySelectorAll("button")) {
      const chosen = tab.textContent === name;
      tab.setAttribute("aria-selected", String(chosen));
      tab.tabIndex = chosen ? 0 : -1;
    }
    area.replaceChildren(panels[name].element);
    panels[name].shown?.();
    onOpen();
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
  return { tabs, area, open, opened: () => now };
}

function setTheme(theme: string) {
  document.documentElement.dataset.theme = theme === "dark" ? "dark" : "light";
}

const ordinal = (n: number) => (n === 2 ? "second" : n === 3 ? "third" : `${n}th`);

function statusWords(status: string) {
  const words: Record<string, string> = {
    done: "finished",
    interrupted: "stopped early",
    diverged: "failed: the integration could not continue",
    budget: "stopped at its budget",
    unfinished: "not finished",
  };
  return words[status] ?? status;
}

const data = readScene();
if (data) start(data);
else document.getElementById("fallback")!.textContent = "This page holds no result. `sarrus report RESULT` writes one that does.";
