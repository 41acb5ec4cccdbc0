// Small helpers: elements are made here, and words go in as text, never as HTML.

type Child = Node | string | null | undefined | false;

export function el<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Record<string, string | boolean | ((e: any) => void)> = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") element.addEventListener(name, value);
    else if (value === true) element.setAttribute(name, "");
    else if (value !== false) element.setAttribute(name, value);
  }
  for (const child of children) if (child) element.append(child);
  return element;
}

const svgNamespace = "http://www.w3.org/2000/svg";

/** An icon from the outlines of its shapes, on a field of 24 × 24. */
export function icon(...paths: string[]): SVGSVGElement {
  const svg = document.createElementNS(svgNamespace, "svg");
  svg.setAttribute("viewBox", "0 0 24 24");
  svg.setAttribute("aria-hidden", "true");
  for (const d of paths) {
    const path = document.createElementNS(svgNamespace, "path");
    path.setAttribute("d", d);
    svg.append(path);
  }
  return svg;
}

/** Six digits, with a true minus; large and small numbers with a power of ten. */
export function format(x: number, digits = 6): string {
  if (!Number.isFinite(x)) return String(x);
  if (x === 0) return "0";
  const size = Math.abs(x);
  const text =
    size >= 1e6 || size < 1e-4
      ? x.toExponential(digits - 1).replace(/\.?0+e/, "e").replace("e+", "e")
      : String(Number(x.toPrecision(digits)));
  return text.replace(/-/g, "−");
}

export function unitText(unit: string): string {
  return unit.replace("s2", "s²").replaceAll(".", "·");
}

/** What may not be stored (a page from disk) is only not remembered. */
export const memory = {
  get(key: string): string | null {
    try {
      return localStorage.getItem(key);
    } catch {
      return null;
    }
  },
  set(key: string, value: string) {
    try {
      localStorage.setItem(key, value);
    } catch {
      /* not remembered */
    }
  },
};
