"""What analyses find: numbers first, and a text for people when printed."""
from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Dict, List, Mapping, Optional, Sequence

from . import _sarrus

if TYPE_CHECKING:
    import numpy
    from numpy.typing import ArrayLike, NDArray

    Array = NDArray[numpy.float64]
    Complex = NDArray[numpy.complex128]


@dataclass(frozen=True, eq=False)
class Momentum:
    """Of the whole mechanism, in world axes."""

    mass: float
    """[kg]"""
    com: "Array"
    """Centre of mass [m]."""
    linear: "Array"
    """[kg.m/s]"""
    angular: "Array"
    """About the centre of mass [kg.m²/s]."""


@dataclass(frozen=True, eq=False, repr=False)
class LinearModel:
    """ẋ = A x + B w, y = C x + D w about (q, u)."""

    A: "Array"
    B: "Array"
    C: "Array"
    D: "Array"
    states: List[str]
    inputs: List[str]
    outputs: List[str]
    q: "Array"
    u: "Array"
    out_of_balance: "Array"
    """Forces that are left at the point: zero at an equilibrium."""
    force_scale: float
    """What these are measured against."""
    notes: "List[_sarrus.Diagnostic]"

    def __repr__(self) -> str:
        return (f"<linear model: {len(self.states)} states ({', '.join(self.states[:6])}"
                f"{', …' if len(self.states) > 6 else ''}), {len(self.inputs)} inputs, "
                f"{len(self.outputs)} outputs>")


@dataclass(frozen=True, eq=False, repr=False)
class Modes:
    """Eigenvalues λ about a point, one of each pair, by size, and their shapes."""

    names: List[str]
    """Of the rows of `shapes`, where every velocity has a position."""
    values: "Complex"
    """λ [1/s]"""
    omega: "Array"
    """|λ| [rad/s]"""
    ratio: "Array"
    """Damping ratio −Re λ/|λ|."""
    error: "Array"
    """What rounding does to λ, at most [1/s]."""
    shapes: "Complex"
    """By columns, the largest entry 1."""
    shares: List[Dict[str, Any]]
    """Per mode: what takes part in it, of the motion and of the energies, largest first."""
    stability: str
    """"stable", "undamped", "neutral", "divergence" or "flutter"."""
    verdict: str
    q: "Array"
    notes: "List[_sarrus.Diagnostic]"

    @property
    def frequencies(self) -> "Array":
        """|λ|/2π [Hz]"""
        import math

        hertz: "Array" = self.omega / (2 * math.pi)
        return hertz

    def __len__(self) -> int:
        return len(self.values)

    def __getitem__(self, i: int) -> complex:
        return complex(self.values[i])

    def __repr__(self) -> str:
        lines = [self.verdict, "  mode  frequency [Hz]  damping ratio  moves most"]
        for i in range(min(20, len(self))):
            most = self.shares[i]["coordinates"]
            lines.append(f"  {i + 1:4d}  {self.frequencies[i]:14.6g}  {self.ratio[i] + 0.0:13.4g}  "
                         f"{most[0][0] if most else ''}")
        return "\n".join(lines)


@dataclass(frozen=True, eq=False, repr=False)
class Equilibrium:
    """Where a mechanism stays by itself."""

    q: "Array"
    residual: float
    """Largest force that is left [N or N.m]."""
    force_scale: float
    iterations: int
    stability: str
    verdict: str
    values: Dict[str, float]
    """Everything that a run would record there, reactions included."""
    modes: Modes
    coordinates: List[str] = field(default_factory=list)

    @property
    def is_stable(self) -> bool:
        return self.stability not in ("divergence", "flutter")

    @classmethod
    def made(cls, compiled: "_sarrus.Compiled", found: Dict[str, Any]) -> "Equilibrium":
        modes = Modes(names=compiled.velocities, **found.pop("modes"))
        return cls(modes=modes, coordinates=compiled.coordinates, **found)

    def __repr__(self) -> str:
        where = ", ".join(f"{name} = {value:.6g}" for name, value in list(zip(self.coordinates, self.q))[:8])
        return f"<equilibrium, {self.verdict}: {where}{', …' if len(self.q) > 8 else ''}>"


@dataclass(frozen=True, eq=False, repr=False)
class Check:
    """What a model is made of, with its loops closed at the start."""

    mass: float
    freedoms: int
    loops: int
    """Joints that close one."""
    kinetic: float
    potential: float
    """[J] at the start."""
    q: "Array"
    u: "Array"
    mobility: Optional[Dict[str, Any]]
    """Of mechanisms with loops: rank, redundant sets in words, which reactions are unique."""
    notes: "List[_sarrus.Diagnostic]"

    @property
    def redundant(self) -> int:
        """Constraints too many."""
        return int(self.mobility["redundant"]) if self.mobility else 0

    @property
    def counted(self) -> int:
        """What counting freedoms and constraints would give (Kutzbach)."""
        return int(self.mobility["counted"]) if self.mobility else self.freedoms

    @classmethod
    def made(cls, compiled: "_sarrus.Compiled") -> "Check":
        found, mobility, notes = compiled.check()
        report = json.loads(mobility)
        if report:
            found["freedoms"] = report["freedoms"]
        return cls(mobility=report, notes=notes, **found)

    def __repr__(self) -> str:
        lines = [f"degrees of freedom {self.freedoms}, closed loops {self.loops}, mass {self.mass:.6g} kg"]
        if self.mobility:
            lines.append(f"counting gives {self.counted}; redundant constraints: {self.redundant}")
            lines += ["  " + one["words"] for one in self.mobility.get("sets", []) if "words" in one]
        return "\n".join(lines)


@dataclass(frozen=True, eq=False, repr=False)
class Verification:
    """How far formulations that share neither equations nor integrators agree."""

    model: str
    verdict: str
    """"agrees", "disagrees" or "undecided"."""
    sentence: str
    digits: float
    """Confirmed in every quantity."""
    asked: float
    until: float
    growth: float
    """Of a small change of the start, over the whole run."""
    horizon: float
    """Up to when the digits asked for are there [s]."""
    quantities: List[Dict[str, Any]]
    contenders: List[Dict[str, Any]]
    audits: List[Dict[str, Any]]

    @classmethod
    def made(cls, found: Dict[str, Any], model: str) -> "Verification":
        return cls(model=model, **found)

    def __bool__(self) -> bool:
        return self.verdict == "agrees"

    def __repr__(self) -> str:
        lines = [f"{self.model}: {self.sentence}"]
        for one in self.contenders:
            what = one["lacks"] or f"{one['digits']:.1f} digits, {one['method']}"
            lines.append(f"  {one['name']:<14} {what}")
        failed = [one for one in self.audits if not one["passed"]]
        lines.append(f"  audits: {len(self.audits) - len(failed)} of {len(self.audits)} passed")
        lines += [f"    {one['name']} of {one['subject']}: {one['value']:.2g}, limit {one['limit']:.2g}"
                  for one in failed]
        return "\n".join(lines)


@dataclass(frozen=True, eq=False, repr=False)
class Reduction:
    """A linear system under constraints in independent coordinates: z = T q."""

    T: Any
    M: Any
    K: Any
    D: Any
    """scipy.sparse matrices; D is None without damping."""
    coordinates: List[str]
    freedoms: int
    rank: int
    route: str
    why: str
    redundant: List[str]
    """Constraints that follow from others, in words."""
    omega_squared: "Array"
    """[rad²/s²], rising"""
    shapes: "Array"
    """In the coordinates as given, by columns."""
    rigid: int
    damped: List[complex]
    notes: "List[_sarrus.Diagnostic]"

    @property
    def frequencies(self) -> "Array":
        """√|ω²|/2π [Hz]"""
        import math

        import numpy

        hertz: "Array" = numpy.sqrt(numpy.abs(self.omega_squared)) / (2 * math.pi)
        return hertz

    def __repr__(self) -> str:
        first = ", ".join(f"{f:.6g}" for f in self.frequencies[:6])
        return (f"<reduction to {self.freedoms} freedoms, rank of the constraints {self.rank}, "
                f"{len(self.redundant)} redundant; frequencies [Hz] {first}>")


def reduce(M: Any, K: Any, C: Any = None, D: Any = None, *, coordinates: Sequence[str] = (),
           constraints: Sequence[str] = (), route: str = "auto", modes: int = 0) -> Reduction:
    """M z̈ + D ż + K z = 0 under C z = 0, whatever the rank of C, in independent coordinates; and its
    modes. Matrices are arrays or scipy.sparse; names are for messages. `route`: how the null space of
    C is found: "auto", "jacobi", "svd", "qr", "sparse"."""
    from scipy import sparse

    def columns(name: str, A: Any) -> Any:
        matrix = sparse.csc_matrix(A, dtype=float)
        matrix.sum_duplicates()
        if not (abs(matrix.data) < float("inf")).all():
            raise ValueError(f"{name} has an entry that is not a finite number")
        return (matrix.shape[0], matrix.shape[1], matrix.indptr.tolist(), matrix.indices.tolist(),
                matrix.data.tolist())

    def matrix(found: Any) -> Any:
        rows, cols, start, index, value = found
        return sparse.csc_matrix((value, index, start), shape=(rows, cols))

    found = _sarrus.reduce(columns("M", M), columns("K", K), None if D is None else columns("D", D),
                           None if C is None else columns("C", C), list(coordinates),
                           list(constraints), route, modes)
    for name in ("T", "M", "K", "D"):
        if found[name] is not None:
            found[name] = matrix(found[name])
    return Reduction(**found)


@dataclass(frozen=True, eq=False, repr=False)
class MarkerMotion:
    """The motion of a body from measured tracks of markers on it."""

    names: List[str]
    """x, y, z and the angles c, b, a of R = Rz(c) Ry(b) Rx(a); in the plane x, y, c."""
    t: "Array"
    values: "Array"
    """samples × names"""
    rates: "Array"
    second_rates: "Array"
    start: float
    until: float
    """[s] five samples at each end are left out."""
    noise: float
    """[m] of one coordinate of one marker."""
    noise_estimated: bool
    residual: float
    """[m] of the rigid fit, root mean square."""
    worst_marker: int
    worst_residual: float
    expected: Mapping[str, float]
    """Accuracy of velocities and accelerations to expect, relative."""

    def __getitem__(self, name: str) -> "Array":
        if name not in self.names:
            raise KeyError(f"there is no coordinate '{name}'; {_sarrus.did_you_mean(name, self.names)}")
        column: "Array" = self.values[:, self.names.index(name)]
        return column

    def __repr__(self) -> str:
        return (f"<motion from markers, {len(self.t)} samples from {self.start:g} to {self.until:g} s: "
                f"noise {self.noise:.2g} m, accelerations to {100 * self.expected['acceleration']:.1g} %>")


def markers(t: "ArrayLike", tracks: "ArrayLike", on_body: "ArrayLike",
            noise: Optional[float] = None) -> MarkerMotion:
    """Tracks (samples × markers × 3, or × 2 in the plane) of markers that sit at `on_body` (markers × 3)
    → the motion of the body. `noise` [m] is estimated where it is not given."""
    import numpy

    found = _sarrus.markers(t, tracks, on_body, noise)
    values = found.pop("values")
    return MarkerMotion(t=numpy.asarray(t, dtype=float), values=values[0], rates=values[1],
                        second_rates=values[2], start=found.pop("from"), until=found.pop("to"), **found)
