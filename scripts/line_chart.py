"""Line charts as SVG, for the scripts of this folder: several charts in one picture, nothing to install."""
import math


def ticks(low, high, most=5):
    """Round numbers from low to high."""
    raw = (high - low) / most
    unit = 10 ** math.floor(math.log10(raw))
    step = next(unit * f for f in (1, 2, 5, 10) if unit * f >= raw)
    first = math.ceil(low / step - 1e-9)
    return [i * step for i in range(first, math.floor(high / step + 1e-9) + 1)]


def powers(low, high, most=6):
    """Whole exponents from low to high."""
    step = max(1, math.ceil((high - low) / most))
    return list(range(math.ceil(low - 1e-9), math.floor(high + 1e-9) + 1, step))


def number(x):
    return f"{x:.4g}".replace("-", "−")


class Chart:
    """One pair of axes. `log` makes both logarithmic, `log_y` the upright one."""
    colors = ["#2563eb", "#dc2626", "#059669", "#d97706", "#7c3aed", "#475569"]

    def __init__(self, title, x, y, log=False, log_y=False):
        self.title, self.x, self.y, self.lines = title, x, y, []
        self.log_x, self.log_y = log, log or log_y

    def line(self, name, xs, ys, dots=False):
        xs = [math.log10(v) for v in xs] if self.log_x else xs
        ys = [math.log10(v) for v in ys] if self.log_y else ys
        self.lines.append((name, list(xs), list(ys), dots))
        return self

    def svg(self, left, top, width, height):
        xs, ys = [v for l in self.lines for v in l[1]], [v for l in self.lines for v in l[2]]
        x0, x1, y0, y1 = min(xs), max(xs), min(ys), max(ys)
        pad = 0.06 * (y1 - y0 or 1)
        y0, y1 = y0 - pad, y1 + pad
        px = lambda v: left + 62 + (v - x0) / (x1 - x0) * (width - 80)
        py = lambda v: top + height - 42 - (v - y0) / (y1 - y0) * (height - 78)
        shown = lambda v, log: number(10**v) if log else number(v)
        out = [f'<text x="{left + 62}" y="{top + 20}" font-weight="600">{self.title}</text>']
        for v in (powers if self.log_x else ticks)(x0, x1):
            out.append(f'<path d="M{px(v):.1f} {py(y0):.1f}V{py(y1):.1f}" stroke="#e2e8f0"/><text x="{px(v):.1f}" y="{py(y0) + 15:.1f}" text-anchor="middle">{shown(v, self.log_x)}</text>')
        for v in (powers if self.log_y else ticks)(y0, y1):
            out.append(f'<path d="M{px(x0):.1f} {py(v):.1f}H{px(x1):.1f}" stroke="#e2e8f0"/><text x="{px(x0) - 5:.1f}" y="{py(v) + 4:.1f}" text-anchor="end">{shown(v, self.log_y)}</text>')
        out.append(f'<text x="{(px(x0) + px(x1)) / 2:.1f}" y="{top + height - 8}" text-anchor="middle">{self.x}</text>')
        out.append(f'<text x="{left + 62}" y="{top + 34}" fill="#64748b">{self.y}</text>')
        for i, (name, lx, ly, dots) in enumerate(self.lines):
            color = self.colors[i % len(self.colors)]
            if dots:
                out += [f'<circle cx="{px(a):.1f}" cy="{py(b):.1f}" r="3" fill="{color}"/>' for a, b in zip(lx, ly)]
            else:
                path = "L".join(f"{px(a):.1f} {py(b):.1f}" for a, b in zip(lx, ly))
                out.append(f'<path d="M{path}" fill="none" stroke="{color}" stroke-width="1.5"/>')
        named = "&#160;&#160;&#160;".join(f'<tspan fill="{self.colors[i % len(self.colors)]}">{line[0]}</tspan>' for i, line in enumerate(self.lines) if line[0])
        out.append(f'<text x="{px(x1):.1f}" y="{top + 34}" text-anchor="end">{named}</text>')
        return "\n".join(out)


def write(path, charts, columns=2, width=440, height=280):
    rows = -(-len(charts) // columns)
    parts = [c.svg((i % columns) * width, (i // columns) * height, width, height) for i, c in enumerate(charts)]
    with open(path, "w", encoding="utf-8") as f:
        f.write(f'<svg xmlns="http://www.w3.org/2000/svg" width="{columns * width}" height="{rows * height}" font-family="system-ui, sans-serif" font-size="11" fill="#0f172a">'
                f'<rect width="100%" height="100%" fill="white"/>' + "\n".join(parts) + "</svg>\n")
