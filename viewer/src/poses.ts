// Where frames are between two rows.

import { Quaternion, Vector3, type Matrix4 } from "three";
import type { SceneData } from "./data";

/** Straight lines, shortest turns. */
export function placeFrames(data: SceneData, frames: Matrix4[], position: number) {
  const { rows, poses } = data;
  if (rows === 0) return;
  const i = Math.min(Math.floor(position), rows - 1);
  const j = Math.min(i + 1, rows - 1);
  const share = position - i;
  const width = 7 * frames.length;
  const one = new Vector3(1, 1, 1);
  const p = new Vector3();
  const q = new Quaternion();
  const p2 = new Vector3();
  const q2 = new Quaternion();
  frames.forEach((m, b) => {
    const a = i * width + 7 * b;
    p.set(poses[a], poses[a + 1], poses[a + 2]);
    q.set(poses[a + 4], poses[a + 5], poses[a + 6], poses[a + 3]);
    if (share > 0) {
      const c = j * width + 7 * b;
      p.lerp(p2.set(poses[c], poses[c + 1], poses[c + 2]), share);
      q.slerp(q2.set(poses[c + 4], poses[c + 5], poses[c + 6], poses[c + 3]), share);
    }
    m.compose(p, q, one);
  });
}
