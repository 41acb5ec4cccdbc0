"""Frequencies of a cantilever: those of its 20 elements, and the first as the continuous beam has it.

    ω = (β L)² √(EI/ρA)/L²,   1 + cos β L cosh β L = 0
"""
import pathlib
import sys

sys.path.append(str(pathlib.Path(__file__).parents[2]))
from reference_tools import finish_runs

# 20 elements with consistent masses (scipy.linalg.eigh)
elements = [14.354072990975926, 89.9556238167592, 251.88194604542844, 493.61083811684034, 816.0613364274387,
            1219.304459396661, 1703.5888371151432, 2269.323212246034]
beta = [1.8751040687119611, 4.694091132974175, 7.854757438237613, 10.995540734875467]
L, EI, rhoA = 2.0, 400.0, 1.5


def check(i, value, share):
    return {"file": "frequencies.csv", "row": i + 1, "column": "omega[rad/s]", "value": value,
            "tolerance": float(f"{share * value:.3g}")}


finish_runs(pathlib.Path(__file__).with_name("expected.json"), {
    "problem": "Bending of a cantilever in 20 elements",
    "source": "scipy.linalg.eigh on the same matrices; roots of the frequency equation with 25 digits",
    "runs": [{"command": ["reduce", "--mass", "M.mtx", "--stiffness", "K.mtx", "-o", "modes"], "folder": "modes",
              "checks": [check(i, w, 1e-9) for i, w in enumerate(elements)]
              # consistent elements lie above the beam, by (β h)⁴/720 of the square
              + [check(i, (b**2) * (EI / rhoA)**0.5 / L**2, 1.2 * (b / 20)**4 / 1440) for i, b in enumerate(beta)]}],
})
