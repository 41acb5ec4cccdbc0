// glTF exports against the format's own validator, and against the rows.
import assert from "node:assert/strict";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { bending, finish, read, sarrus, skip, step, table, write, model } from "./harness.mjs";

let validator;
try {
  validator = (await import("gltf-validator")).default;
} catch {
  skip("gltf-validator is not installed (npm ci in viewer/)");
}

const shapes = `sarrus = 1
name = "shapes"
[[body]]
name = "all"
shapes = [
  { type = "box", size = [1, 2, 3], density = 1 },
  { type = "cylinder", radius = 0.3, length = 2, at = [2, 0, 0], color = "#aa3377" },
  { type = "capsule", radius = 0.3, length = 1, at = [4, 0, 0] },
  { type = "sphere", radius = 0.5, at = [6, 0, 0] },
  { type = "cone", radius = 0.5, length = 1, at = [8, 0, 0], rotation = { axis = "x", angle = "40 deg" } },
  { type = "mesh", file = "tetra.obj", at = [10, 0, 0] },
]
[simulate]
until = 0.2
`;
write("tetra.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n");
write("shapes.toml", shapes);
write("m.toml", model("<moving>", "until = 2\noutput_step = 0.02"));

/** The JSON and the numbers of a .glb file. */
function unpack(glb) {
  const length = glb.readUInt32LE(12);
  return { json: JSON.parse(glb.toString("utf8", 20, 20 + length)), numbers: glb.subarray(28 + length) };
}

write("bending.toml", bending);
const bracket = join(dirname(fileURLToPath(import.meta.url)), "../../examples/elastic_bracket/model.toml");
for (const name of ["shapes", "m", "bending", "bracket"])
  await step(`${name}: the validator finds nothing`, async () => {
    sarrus("run", name === "bracket" ? bracket : `${name}.toml`, "-o", name);
    sarrus("export", name, "--gltf", `${name}.glb`);
    const report = await validator.validateBytes(new Uint8Array(read(`${name}.glb`)));
    // a place that only carries something has no shape, and the validator mentions that
    const said = report.issues.messages.filter((m) => !(["bending", "bracket"].includes(name) && m.code === "NODE_EMPTY"));
    assert.deepEqual(said, []);
    assert.equal(report.info.version, "2.0");
  });

await step("nodes move as the rows say", () => {
  const { json, numbers } = unpack(read("m.glb"));
  const truth = table("m");
  const [motion] = json.animations;
  const floats = (accessor) => {
    const { byteOffset, byteLength } = json.bufferViews[json.accessors[accessor].bufferView];
    return Array.from({ length: byteLength / 4 }, (_, i) => numbers.readFloatLE(byteOffset + 4 * i));
  };
  for (const name of ["upper", "lower", "ring"]) {
    const node = json.nodes.findIndex((n) => n.name === name);
    const sampler = (path) => motion.samplers[motion.channels.find((c) => c.target.node === node && c.target.path === path).sampler];
    const at = floats(sampler("translation").output);
    const turn = floats(sampler("rotation").output);
    const times = floats(sampler("translation").input);
    assert.equal(times.length, truth.time.length);
    truth.time.forEach((t, i) => {
      assert.ok(Math.abs(times[i] - t) < 1e-6);
      ["x", "y", "z"].forEach((c, k) => assert.ok(Math.abs(at[3 * i + k] - truth[`s_${name}.${c}`][i]) < 1e-6));
      const along = ["qx", "qy", "qz", "qw"].reduce((s, c, k) => s + turn[4 * i + k] * truth[`s_${name}.${c}`][i], 0);
      assert.ok(Math.abs(Math.abs(along) - 1) < 1e-6);
    });
  }
});

await step("places on an elastic body move as the sensors there", () => {
  const { json, numbers } = unpack(read("bending.glb"));
  const truth = table("bending");
  const [motion] = json.animations;
  for (const [name, sensor] of [["beam at 1 m", "tip"], ["beam at 0.96875 m", "late"]]) {
    const node = json.nodes.findIndex((n) => n.name === name);
    const channel = motion.channels.find((c) => c.target.node === node && c.target.path === "translation");
    const { byteOffset } = json.bufferViews[json.accessors[motion.samplers[channel.sampler].output].bufferView];
    truth.time.forEach((_, i) =>
      ["x", "y", "z"].forEach((c, k) => assert.ok(Math.abs(numbers.readFloatLE(byteOffset + 12 * i + 4 * k) - truth[`${sensor}.${c}`][i]) < 1e-6)),
    );
  }
  assert.equal(json.nodes.filter((n) => n.name?.startsWith("beam at") && n.children).length, 17, "16 segments, and the ball at the tip");
});

await step("an elastic solid bends by morph targets with its coordinates as weights", () => {
  const { json, numbers } = unpack(read("bracket.glb"));
  const truth = table("bracket");
  const node = json.nodes.findIndex((n) => n.name === "bracket skin");
  const mesh = json.meshes[json.nodes[node].mesh];
  assert.equal(mesh.primitives[0].targets.length, 10);
  const [motion] = json.animations;
  const channel = motion.channels.find((c) => c.target.node === node && c.target.path === "weights");
  const { byteOffset } = json.bufferViews[json.accessors[motion.samplers[channel.sampler].output].bufferView];
  truth.time.forEach((_, i) => {
    for (let k = 0; k < 10; ++k) assert.equal(numbers.readFloatLE(byteOffset + 4 * (10 * i + k)), Math.fround(truth[`bracket.e${k + 1}`][i]));
  });
});

await step("surfaces are closed and of the right size", () => {
  // the volume inside a closed surface is the sum of a·(b × c)/6 over its triangles
  const { json, numbers } = unpack(read("shapes.glb"));
  const wanted = [6, Math.PI * 0.09 * 2, Math.PI * 0.09 + (4 / 3) * Math.PI * 0.027, (4 / 3) * Math.PI * 0.125, (Math.PI * 0.25) / 3, 1 / 6];
  json.meshes.forEach((mesh, i) => {
    const [{ attributes, indices }] = mesh.primitives;
    const view = (a) => json.bufferViews[json.accessors[a].bufferView].byteOffset;
    const point = (k) => [0, 1, 2].map((c) => numbers.readFloatLE(view(attributes.POSITION) + 12 * k + 4 * c));
    let volume = 0;
    for (let k = 0; k < json.accessors[indices].count; k += 3) {
      const [a, b, c] = [0, 1, 2].map((j) => point(numbers.readUInt32LE(view(indices) + 4 * (k + j))));
      volume += (a[0] * (b[1] * c[2] - b[2] * c[1]) + a[1] * (b[2] * c[0] - b[0] * c[2]) + a[2] * (b[0] * c[1] - b[1] * c[0])) / 6;
    }
    // 32 faces around: a circle loses 1 − sin(2π/32)/(2π/32) = 0.64 % of its area, a sphere twice that
    assert.ok(Math.abs(volume / wanted[i] - 1) < 0.02, `${i}: ${volume} instead of ${wanted[i]}`);
  });
});

finish();
