"""Writes bracket.msh, a bent arm of quadratic tetrahedra, as gmsh would (version 4.1, text).

The arm runs 120 mm along x from the wall, then 72 mm up; it is 40 mm wide and 12 mm thick. Physical groups: the
face at the wall, "wall", and the upper end, "flange". Lengths in the file are millimetres.
"""
import itertools
import pathlib

xs = [0, 21.6, 43.2, 64.8, 86.4, 108, 120]
ys = [-20, 20]
zs = [0, 12, 36, 60, 84]
cells = [(i, 0, 0) for i in range(6)] + [(5, 0, k) for k in range(1, 4)]


def halfway(values):
    """The values with the middles between them."""
    return [v for a, b in zip(values, values[1:]) for v in (a, (a + b) / 2)] + [values[-1]]


grid = [halfway(v) for v in (xs, ys, zs)]
number, nodes = {}, []


def node(place):
    if place not in number:
        number[place] = len(nodes) + 1
        nodes.append([grid[a][place[a]] for a in range(3)])
    return number[place]


def middle(a, b):
    return tuple((p + q) // 2 for p, q in zip(a, b))


tetrahedra, faces = [], {"wall": [], "flange": []}
for cell in cells:
    for order in itertools.permutations(range(3)):
        # from corner to corner of the cell along the axes, in this order
        path = [[2 * c for c in cell]]
        for axis in order:
            path.append(path[-1].copy())
            path[-1][axis] += 2
        c = [tuple(p) for p in path]
        if order not in ((0, 1, 2), (1, 2, 0), (2, 0, 1)):
            c[1], c[2] = c[2], c[1]
        tetrahedra.append([node(p) for p in c]
                          + [node(middle(c[i], c[j])) for i, j in ((0, 1), (1, 2), (2, 0), (3, 0), (3, 2), (3, 1))])
        for name, axis, at in (("wall", 0, 0), ("flange", 2, 2 * (len(zs) - 1))):
            face = [p for p in c if p[axis] == at]
            if len(face) == 3:
                faces[name].append([node(p) for p in face]
                                   + [node(middle(face[i], face[j])) for i, j in ((0, 1), (1, 2), (2, 0))])

lines = ["$MeshFormat", "4.1 0 8", "$EndMeshFormat", "$PhysicalNames", "3", '2 1 "wall"', '2 2 "flange"',
         '3 3 "bracket"', "$EndPhysicalNames", "$Entities", "0 0 2 1"]
lines += ["1 0 -20 0 0 20 12 1 1 0", "2 108 -20 84 120 20 84 1 2 0", "1 0 -20 0 120 20 84 1 3 2 1 2"]
lines += ["$EndEntities", "$Nodes", f"1 {len(nodes)} 1 {len(nodes)}", f"3 1 0 {len(nodes)}"]
lines += [str(i + 1) for i in range(len(nodes))]
lines += [" ".join(f"{x:.10g}" for x in n) for n in nodes]
blocks = [(2, 1, 9, faces["wall"]), (2, 2, 9, faces["flange"]), (3, 1, 11, tetrahedra)]
count = sum(len(b[3]) for b in blocks)
lines += ["$EndNodes", "$Elements", f"{len(blocks)} {count} 1 {count}"]
tag = 0
for dimension, entity, kind, elements in blocks:
    lines.append(f"{dimension} {entity} {kind} {len(elements)}")
    for element in elements:
        tag += 1
        lines.append(" ".join(map(str, [tag, *element])))
lines += ["$EndElements", ""]
pathlib.Path(__file__).with_name("bracket.msh").write_text("\n".join(lines))
