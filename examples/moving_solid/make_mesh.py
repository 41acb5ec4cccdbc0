"""Writes block.msh, a block of linear tetrahedra, as gmsh would (version 2.2, text): 0.15 × 0.04 × 0.04 m along x, with the physical group
"root" at x = 0."""
import itertools
import pathlib

cells, size = (3, 1, 1), (0.15, 0.04, 0.04)
grid = list(itertools.product(*(range(c + 1) for c in cells)))
number = {place: i + 1 for i, place in enumerate(grid)}
tetrahedra, faces = [], []
for cell in itertools.product(*(range(c) for c in cells)):
    for order in itertools.permutations(range(3)):
        # from corner to corner of the cell along the axes, in this order
        path = [list(cell)]
        for axis in order:
            path.append(path[-1].copy())
            path[-1][axis] += 1
        c = [tuple(p) for p in path]
        if order not in ((0, 1, 2), (1, 2, 0), (2, 0, 1)):
            c[1], c[2] = c[2], c[1]
        tetrahedra.append([number[p] for p in c])
        face = [number[p] for p in c if p[0] == 0]
        if len(face) == 3:
            faces.append(face)

lines = ["$MeshFormat", "2.2 0 8", "$EndMeshFormat", "$PhysicalNames", "2", '2 1 "root"', '3 2 "block"', "$EndPhysicalNames"]
lines += ["$Nodes", str(len(grid))]
for place in grid:
    x = [s * p / c - (0 if a == 0 else s / 2) for a, (p, c, s) in enumerate(zip(place, cells, size))]
    lines.append(f"{number[place]} " + " ".join(f"{v:.10g}" for v in x))
lines += ["$EndNodes", "$Elements", str(len(faces) + len(tetrahedra))]
for i, (kind, tag, nodes) in enumerate([(2, 1, f) for f in faces] + [(4, 2, t) for t in tetrahedra]):
    lines.append(f"{i + 1} {kind} 2 {tag} {tag} " + " ".join(map(str, nodes)))
lines.append("$EndElements")
pathlib.Path(__file__).with_name("block.msh").write_text("\n".join(lines) + "\n")
