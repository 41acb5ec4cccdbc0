"""Writes M.mtx and K.mtx: 20 beam elements of Euler and Bernoulli, clamped at the first node, consistent masses."""
import pathlib

import numpy as np

L, EI, rhoA, n = 2.0, 400.0, 1.5, 20
h = L / n
Ke = EI / h**3 * np.array([[12, 6 * h, -12, 6 * h], [6 * h, 4 * h * h, -6 * h, 2 * h * h],
                           [-12, -6 * h, 12, -6 * h], [6 * h, 2 * h * h, -6 * h, 4 * h * h]])
Me = rhoA * h / 420 * np.array([[156, 22 * h, 54, -13 * h], [22 * h, 4 * h * h, 13 * h, -3 * h * h],
                                [54, 13 * h, 156, -22 * h], [-13 * h, -3 * h * h, -22 * h, 4 * h * h]])


def write(name, element):
    A = np.zeros((2 * n + 2, 2 * n + 2))
    for e in range(n):
        A[2 * e:2 * e + 4, 2 * e:2 * e + 4] += element
    A = A[2:, 2:]
    entries = [(i, j, A[i, j]) for j in range(2 * n) for i in range(j, 2 * n) if A[i, j] != 0]
    lines = [f"{i + 1} {j + 1} {float(x)!r}" for i, j, x in entries]
    pathlib.Path(__file__).with_name(name).write_text(
        "%%MatrixMarket matrix coordinate real symmetric\n% cantilever, deflection and slope of 20 nodes\n"
        f"{2 * n} {2 * n} {len(lines)}\n" + "\n".join(lines) + "\n")


write("M.mtx", Me)
write("K.mtx", Ke)
