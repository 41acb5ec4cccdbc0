// Pictures compared as a person would: coarse blocks, so that fonts and smoothing do not matter.
import { inflateSync } from "node:zlib";

/** The pixels of an 8-bit RGB or RGBA picture, as Chromium writes them [PNG, 2003]. */
export function decode(png) {
  let at = 8;
  let width = 0;
  let height = 0;
  let channels = 0;
  const parts = [];
  while (at < png.length) {
    const length = png.readUInt32BE(at);
    const type = png.toString("latin1", at + 4, at + 8);
    const data = png.subarray(at + 8, at + 8 + length);
    if (type === "IHDR") {
      width = data.readUInt32BE(0);
      height = data.readUInt32BE(4);
      channels = data[9] === 6 ? 4 : 3;
    }
    if (type === "IDAT") parts.push(data);
    at += 12 + length;
  }
  const raw = inflateSync(Buffer.concat(parts));
  const stride = width * channels;
  const pixels = new Uint8Array(height * stride);
  for (let y = 0; y < height; ++y) {
    const filter = raw[y * (stride + 1)];
    for (let x = 0; x < stride; ++x) {
      const left = x >= channels ? pixels[y * stride + x - channels] : 0;
      const up = y ? pixels[(y - 1) * stride + x] : 0;
      const corner = y && x >= channels ? pixels[(y - 1) * stride + x - channels] : 0;
      const p = left + up - corner;
      const [a, b, c] = [Math.abs(p - left), Math.abs(p - up), Math.abs(p - corner)];
      const paeth = a <= b && a <= c ? left : b <= c ? up : corner;
      pixels[y * stride + x] = raw[y * (stride + 1) + 1 + x] + [0, left, up, (left + up) >> 1, paeth][filter];
    }
  }
  return { width, height, channels, pixels };
}

/** Mean colours of blocks of 20 × 20 pixels, three numbers each. */
export function blocks(png, size = 20) {
  const { width, height, channels, pixels } = decode(png);
  const across = Math.floor(width / size);
  const down = Math.floor(height / size);
  const means = [];
  for (let by = 0; by < down; ++by)
    for (let bx = 0; bx < across; ++bx)
      for (let k = 0; k < 3; ++k) {
        let sum = 0;
        for (let y = 0; y < size; ++y) for (let x = 0; x < size; ++x) sum += pixels[((by * size + y) * width + bx * size + x) * channels + k];
        means.push(Math.round(sum / (size * size)));
      }
  return { across, down, means };
}

/** How much two pictures differ: on average, and where most, of 255. */
export function difference(a, b) {
  if (a.across !== b.across || a.down !== b.down) return { mean: 255, most: 255 };
  const each = a.means.map((x, i) => Math.abs(x - b.means[i]));
  return { mean: each.reduce((s, x) => s + x, 0) / each.length, most: Math.max(...each) };
}
