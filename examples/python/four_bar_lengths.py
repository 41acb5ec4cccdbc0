"""A four-bar for many lengths of its coupler: how far its rocker swings, against Freudenstein's equation."""
import math

import numpy

import sarrus

CRANK, ROCKER, GROUND = 1.0, 3.0, 4.0


def four_bar(coupler: float) -> sarrus.Model:
    model = sarrus.Model(name=f"four-bar, coupler {coupler} m", gravity=(0, 0, 0))
    for name, length in (("crank", CRANK), ("coupler", coupler), ("rocker", ROCKER)):
        model.body(name, mass=length, com=(length / 2, 0, 0), inertia=(1e-3, length**3 / 12, length**3 / 12))
    model.joint("a", type="revolute", child="crank", motion="2*pi*t")  # one turn in a second
    model.joint("b", type="revolute", parent="crank", child="coupler", on_parent={"at": (CRANK, 0, 0)}, q=0.8)
    model.joint("c", type="revolute", child="rocker", on_parent={"at": (GROUND, 0, 0)}, q=2.0)
    model.joint("d", type="revolute", parent="coupler", child="rocker",
                on_parent={"at": (coupler, 0, 0)}, on_child={"at": (ROCKER, 0, 0)})
    return model


def swing(coupler: float) -> float:
    """The angle between the two positions in which crank and coupler are in line."""
    ends = []
    for reach in (coupler + CRANK, coupler - CRANK):
        ends.append(math.acos((GROUND**2 + ROCKER**2 - reach**2) / (2 * GROUND * ROCKER)))
    return ends[0] - ends[1]


print("coupler [m]   swing [deg]   on paper [deg]")
for coupler in (3.0, 3.5, 4.0, 4.5):
    result = four_bar(coupler).simulate(until=1, rows=2000)
    found, exact = numpy.ptp(result["c.q"]), swing(coupler)
    print(f"{coupler:11.2f} {math.degrees(found):13.4f} {math.degrees(exact):16.4f}")
    assert abs(found - exact) < 1e-5  # rows are 0.18 degrees of the crank apart
