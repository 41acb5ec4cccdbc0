#!/usr/bin/env python3
"""What Python costs: a step, a value by name, a batch, an import. ./dev python benchmarks/python_cost.py

A step from Python is set against the same step inside one call of advance(), where C++ loops.
"""
import subprocess
import sys
import time

import numpy

import sarrus


def arm(joints: int = 7) -> sarrus.Model:
    model = sarrus.Model(name="arm")
    parent = "world"
    for i in range(joints):
        model.body(f"link{i}", mass=2, com=(0, 0, 0.15), inertia=(0.02, 0.02, 0.002))
        model.joint(f"j{i}", type="revolute", parent=parent, child=f"link{i}", axis="zyzyzyz"[i % 7],
                    q=0.1 * i, on_parent={"at": (0, 0, 0.3 if i else 0)})
        parent = f"link{i}"
    return model


def best(work, repeat: int = 7) -> float:
    times = []
    for _ in range(repeat):
        began = time.perf_counter()
        work()
        times.append(time.perf_counter() - began)
    return min(times)


def main() -> None:
    model, n, h = arm(), 4000, 1e-3
    sim = model.simulation(integrator="rk4", step=h)
    start = sim.save()

    def inside() -> None:
        sim.restore(start)
        sim.advance(n * h)

    def outside() -> None:
        sim.restore(start)
        for k in range(1, n + 1):
            sim.advance(k * h)

    def stepped() -> None:
        sim.restore(start)
        for _ in range(n):
            sim.step()

    c, p, s = best(inside) / n, best(outside) / n, best(stepped) / n
    print(f"a step of an arm with 7 joints: {1e6 * c:.2f} µs inside one call, {1e6 * p:.2f} µs by sim.advance, "
          f"{1e6 * s:.2f} µs by sim.step: {1e6 * (p - c):.2f} and {1e6 * (s - c):.2f} µs for Python")
    print(f"sim['j3.q']: {1e6 * best(lambda: [sim['j3.q'] for _ in range(n)]) / n:.2f} µs; "
          f"sim.q: {1e6 * best(lambda: [sim.q for _ in range(n)]) / n:.2f} µs")

    rng = numpy.random.default_rng(1)
    Q, U = rng.uniform(-1, 1, (2, 4096, 7))
    for threads in (1, 0):
        seconds = best(lambda: model.forward_dynamics(Q, U, threads=threads))
        print(f"forward dynamics of 4096 states, {threads or 'all'} threads: {4096 / seconds / 1e6:.2f} million a second")
    seconds = best(lambda: [model.forward_dynamics(q, u) for q, u in zip(Q[:200], U[:200])])
    print(f"one by one: {200 / seconds / 1e6:.3f} million a second")
    model["link3"].mass = 2.5
    changes = best(lambda: [setattr(model["link3"], "mass", 2 + i % 3) or model.compiled for i in range(100)], 3)
    print(f"a change of one mass, and the model read again: {1e3 * changes / 100:.2f} ms")
    script = "import time; t = time.perf_counter(); import sarrus; print(time.perf_counter() - t)"
    took = min(float(subprocess.run([sys.executable, "-c", script], capture_output=True, text=True).stdout)
               for _ in range(5))
    print(f"import sarrus: {took:.3f} s")


main()
