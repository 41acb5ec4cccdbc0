// Keys that work anywhere on the page but in fields. They press the same buttons as a mouse does.

import type { Player } from "./player";

export function keys(e: KeyboardEvent, player: Player, holder: HTMLElement) {
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
