"""Models: read from files, or built in code."""
from __future__ import annotations

import os
from typing import (TYPE_CHECKING, Any, Callable, ClassVar, Dict, FrozenSet, Iterator, List, Mapping, Optional,
                    Tuple, Union)

from . import _sarrus, analyses
from ._grammar import LISTS
from ._tree import Element, Parameters, Place, Text, Version, caller, element_from_file, element_of, toml_of
from .result import Progress, Result
from .simulation import Simulation

if TYPE_CHECKING:
    import numpy
    from numpy.typing import ArrayLike, NDArray

    from ._builders_stub import Builders as _Builders

    Array = NDArray[numpy.float64]
    Maybe = Optional[ArrayLike]
else:

    class _Builders:
        """Given its methods by add_builders()."""


class Model(_Builders):
    """A model, built in code:

        model = sarrus.Model(name="pendulum", parameters={"L": 0.8})
        model.body("bob", mass="200 g", com=(0, 0, "-L"))
        model.joint("hinge", type="revolute", child="bob", axis="y", q="40 deg")
        model["bob"].mass = 0.3
        result = model.simulate(until=5)
        model.save("pendulum.toml")

    or from a dict in the shape of a model file; `sarrus.load` reads one. Keywords are the keys at the
    top of a model file, and every list of elements in it (body, joint, spring, …) has a method whose
    keywords are its keys: help(model.joint). The model is read and checked when it is first used.
    Files that it names are sought in `folder`.
    """

    _own_keys: ClassVar[FrozenSet[str]]
    """Keys of the grammar that are written here, not made from it."""

    def __init__(self, tree: Optional[Mapping[str, Any]] = None, /, *,
                 folder: "Union[str, os.PathLike[str], None]" = None, **keys: Any) -> None:
        place = caller()
        self._version = Version()
        self._file = os.path.join(os.fspath(folder) if folder is not None else "", "model.json")
        self._overrides: Dict[str, float] = {}
        self._compiled: Optional[_sarrus.Compiled] = None
        self._compiled_version = -1
        given = {"sarrus": 1, **(tree or {}), **keys}
        self._tree: Optional[Element] = element_of(given, "model", self._version, place, "model")

    @classmethod
    def _from(cls, compiled: "_sarrus.Compiled") -> "Model":
        """Of a file or text: its tree is made when somebody asks for it."""
        made = cls.__new__(cls)
        made._version = Version()
        made._file = compiled.source()[1]
        made._tree = None
        made._overrides = compiled.source()[3]
        made._compiled = compiled
        made._compiled_version = 0
        return made

    def _root(self) -> Element:
        if self._tree is None:
            assert self._compiled is not None
            self._tree = element_from_file(self._compiled.tree(), "model", self._version, self._file,
                                           "model")
            text, _, origins, overrides = self._compiled.source()
            if origins:
                _put_places(self._tree, origins)
            for name, value in list(overrides.items()):
                if "." not in name:  # of this file, not of one that it includes
                    self._tree.parameters._values[name] = value
                    del overrides[name]
            self._overrides = overrides
        return self._tree

    @property
    def compiled(self) -> "_sarrus.Compiled":
        """The model as the library has it, read again where something has changed."""
        if self._compiled is None or self._compiled_version != self._version.n:
            version = self._version.n
            made = Text(self._root())
            self._compiled = None
            self._compiled = _sarrus.compiled(made.text, self._file, made.origins, self._overrides)
            self._compiled_version = version
        return self._compiled

    # ── elements ──

    def elements(self, kind: Optional[str] = None) -> List[Element]:
        """All elements, or those of one kind: model.elements("joint")."""
        if kind is not None and kind not in LISTS:
            raise KeyError(f"there are no elements '{kind}'; {_sarrus.did_you_mean(kind, list(LISTS))}")
        root = self._root()
        return [one for key in ([kind] if kind else LISTS) for one in root._values.get(key, ())]

    def _find(self, name: str) -> Tuple[str, int]:
        if not isinstance(name, str):
            raise TypeError(f"elements are found by their name, not by {name!r}")
        kind, _, last = name.rpartition("/")
        root = self._root()
        found, known = [], []
        for key in LISTS:
            for i, one in enumerate(root._values.get(key, ())):
                own = one._values.get("name")
                if own is not None:
                    known.append(own)
                if own == last and kind in ("", key):
                    found.append((key, i))
        if len(found) == 1:
            return found[0]
        if found:
            raise KeyError(f"several elements are called '{name}': "
                           + ", ".join(f"'{key}/{last}'" for key, _ in found))
        raise KeyError(f"no element is called '{name}'; {_sarrus.did_you_mean(last, known)}")

    def __getitem__(self, name: str) -> Element:
        """An element by its name, or by kind and name: model["joint/arm"]."""
        key, i = self._find(name)
        element: Element = self._root()._values[key][i]
        return element

    def __delitem__(self, name: str) -> None:
        key, i = self._find(name)
        root = self._root()
        rest = root._values[key][:i] + root._values[key][i + 1:]
        if rest:
            root._values[key] = rest
        else:
            del root._values[key], root._places[key]
        root._version.n += 1

    def __contains__(self, name: object) -> bool:
        try:
            self._find(name)  # type: ignore[arg-type]
        except (KeyError, TypeError):
            return False
        return True

    def __iter__(self) -> Iterator[Element]:
        return iter(self.elements())

    @property
    def parameters(self) -> Parameters:
        """Named numbers for expressions. model.parameters["L"] = "40 cm" """
        return Parameters(self)

    @parameters.setter
    def parameters(self, values: Mapping[str, Any]) -> None:
        self._root()._put("parameters", dict(values), caller())

    @property
    def settings(self) -> Element:
        """The table [simulate]: model.settings.rtol = 1e-10. `simulate` and others may override it."""
        root = self._root()
        if "simulate" not in root:
            root._put("simulate", {}, caller())
        settings: Element = root._values["simulate"]
        return settings

    @property
    def name(self) -> str:
        """Title of the model."""
        root = self._root()
        return str(root._values["name"]) if "name" in root else self.compiled.name

    @name.setter
    def name(self, name: str) -> None:
        self._root()._put("name", name, caller())

    # ── texts and files ──

    def to_dict(self) -> Dict[str, Any]:
        """Everything that was said, in the shape of a model file."""
        return self._root().to_dict()

    def to_toml(self) -> str:
        """The model file that says the same."""
        return toml_of(self._root(), LISTS)

    def save(self, path: "Union[str, os.PathLike[str]]") -> None:
        """Writes a model file, TOML, or JSON where `path` ends so; `sarrus.load` reads it. Comments of a
        file that was loaded are lost. Files that the model names are not copied."""
        import json

        path = os.fspath(path)
        text = json.dumps(self.to_dict(), indent=1) + "\n" if path.endswith(".json") else self.to_toml()
        partial = path + ".partial"
        with open(partial, "w", encoding="utf-8") as file:
            file.write(text)
        os.replace(partial, path)

    # ── what it is ──

    @property
    def bodies(self) -> List[str]:
        """Names of the bodies, those of included files too."""
        return self.compiled.bodies

    @property
    def joints(self) -> List[str]:
        """Names of the joints."""
        return self.compiled.joints

    @property
    def sensors(self) -> List[str]:
        """Names of the sensors."""
        return self.compiled.sensors

    @property
    def coordinates(self) -> List[str]:
        """Names of the entries of q."""
        return self.compiled.coordinates

    @property
    def velocities(self) -> List[str]:
        """Names of the entries of u."""
        return self.compiled.velocities

    @property
    def q(self) -> "Array":
        """Positions at the start."""
        return self.compiled.q

    @property
    def u(self) -> "Array":
        """Velocities at the start."""
        return self.compiled.u

    @property
    def notes(self) -> "List[_sarrus.Diagnostic]":
        """Warnings and notes of reading."""
        return self.compiled.notes

    # ── runs ──

    def simulate(self, *, progress: "Union[bool, Callable[[float], None], None]" = None,
                 **settings: Any) -> Result:
        """Runs the model and keeps the rows.

        Settings are the keys of [simulate]: until=10, rtol=1e-9, integrator="rk4", reactions=True, …
        `progress`: a bar for runs that take longer than a second, by default in a terminal or a
        notebook; or a function that is called with the time reached. Ctrl-C raises
        KeyboardInterrupt, a run that cannot go on NumericsError; both have the rows so far as
        their `result`.
        """
        bar = Progress.chosen(progress, self, settings)
        try:
            return Result(self.compiled.simulate(bar, **settings))
        except (KeyboardInterrupt, _sarrus.NumericsError) as stopped:
            if hasattr(stopped, "result"):
                stopped.result = Result(stopped.result)
            raise
        finally:
            if isinstance(bar, Progress):
                bar.finish()

    def simulation(self, **settings: Any) -> Simulation:
        """The model at its start, to be advanced step by step. Settings are the keys of [simulate]."""
        return Simulation(self, **settings)

    # ── one instant ──

    def mass_matrix(self, q: "Maybe" = None) -> "Array":
        """M(q), nu × nu. Without q: at the start; so for all that follows."""
        return self.compiled.mass_matrix(q)

    def bias(self, q: "Maybe" = None, u: "Maybe" = None) -> "Array":
        """c(q, u) of M u̇ + c = τ: Coriolis, centrifugal and gravity forces on the joints."""
        return self.compiled.inverse_dynamics(q, u, None, 0)

    def forward_dynamics(self, q: "Maybe" = None, u: "Maybe" = None, tau: "Maybe" = None,
                         t: float = 0.0, threads: int = 0) -> "Array":
        """Accelerations u̇ under all forces of the model, and tau on the joints.

        With arrays of n rows, of n states at once, on all cores (or `threads`): n × nu.
        """
        return self.compiled.forward_dynamics(q, u, tau, t, threads)

    def inverse_dynamics(self, q: "Maybe" = None, u: "Maybe" = None, udot: "Maybe" = None,
                         threads: int = 0) -> "Array":
        """Joint forces that give these accelerations under gravity and no other force.

        With arrays of n rows, of n states at once, on all cores (or `threads`): n × nu.
        """
        return self.compiled.inverse_dynamics(q, u, udot, threads)

    def derivatives(self, q: "Maybe" = None, u: "Maybe" = None,
                    udot: "Maybe" = None) -> "Tuple[Array, Array, Array]":
        """∂u̇/∂q, ∂u̇/∂u, ∂u̇/∂τ, exactly, of inertia and gravity; where u̇ is not given, it is what
        all forces of the model make of it."""
        return self.compiled.derivatives(q, u, udot)

    def pose(self, body: str, q: "Maybe" = None, t: float = 0.0) -> "Array":
        """Where a body is: 4 × 4, rotation and place of its frame in the world."""
        return self.compiled.pose(body, q, t)

    def jacobian(self, body: str, at: "Maybe" = None, q: "Maybe" = None, t: float = 0.0) -> "Array":
        """6 × nu: the velocity of the point `at` of a body (rows 0 to 2) and the angular velocity (3 to
        5) in world axes are jacobian @ u."""
        return self.compiled.jacobian(body, at, q, t)

    def jacobian_rate(self, body: str, at: "Maybe" = None, q: "Maybe" = None, u: "Maybe" = None,
                      t: float = 0.0) -> "Array":
        """J̇, 6 × nu: the acceleration of the point is J u̇ + J̇ u."""
        return self.compiled.jacobian_rate(body, at, q, u, t)

    def operational_inertia(self, body: str, at: "Maybe" = None, q: "Maybe" = None,
                            rows: "Optional[slice]" = None) -> "Array":
        """Λ = (J M⁻¹ Jᵀ)⁻¹ at a point: how heavy it feels. `rows=slice(0, 3)`: to forces alone. Motions
        that the mechanism cannot make have no inertia there: the pseudo-inverse."""
        import numpy

        J = self.jacobian(body, at, q)
        if rows is not None:
            J = J[rows]
        mobility = J @ numpy.linalg.solve(self.mass_matrix(q), J.T)
        inverse: "Array" = numpy.linalg.pinv(mobility, rcond=1e-10, hermitian=True)
        return inverse

    def momentum(self, q: "Maybe" = None, u: "Maybe" = None, t: float = 0.0) -> analyses.Momentum:
        """Mass, centre of mass, linear momentum, and angular momentum about the centre of mass."""
        return analyses.Momentum(*self.compiled.momentum(q, u, t))

    def constraint_jacobian(self, q: "Maybe" = None, t: float = 0.0) -> "Array":
        """G, rows × nu: closed loops and other constraints hold G u = 0. No rows for a tree."""
        return self.compiled.constraint_jacobian(q, t)

    def null_space(self, q: "Maybe" = None, t: float = 0.0) -> "Array":
        """nu × freedoms, orthonormal: the velocities that all constraints allow. Redundant rows are
        counted once, by the singular values of G."""
        return self.compiled.null_space(q, t)

    # ── analyses ──

    def linearize(self, q: "Maybe" = None, u: "Maybe" = None, t: float = 0.0) -> analyses.LinearModel:
        """ẋ = A x + B w, y = C x + D w about a point, with exact derivatives. Inputs w are the formulas
        of drives and the applied forces, outputs y the sensors."""
        return analyses.LinearModel(**self.compiled.linearize(q, u, t))

    def modes(self, q: "Maybe" = None, u: "Maybe" = None, t: float = 0.0,
              about: str = "start") -> analyses.Modes:
        """Small vibrations about the start (or q), or about the equilibrium found from there."""
        return analyses.Modes(names=self.compiled.velocities,
                              **self.compiled.modes(q, u, t, about))

    def equilibrium(self, q: "Maybe" = None, t: float = 0.0) -> analyses.Equilibrium:
        """Where the mechanism stays by itself, sought from the start or q."""
        return self.equilibria(q, t, starts=0)[0]

    def equilibria(self, q: "Maybe" = None, t: float = 0.0, starts: int = 20) -> List[analyses.Equilibrium]:
        """The same from `starts` random configurations too; each equilibrium once."""
        compiled = self.compiled
        return [analyses.Equilibrium.made(compiled, one) for one in compiled.equilibria(q, t, starts)]

    def check(self) -> analyses.Check:
        """Degrees of freedom, redundant constraints, mass and energy at the start."""
        return analyses.Check.made(self.compiled)

    def verify(self, *, digits: float = 8, budget: float = 30, discrete: bool = True,
               **settings: Any) -> analyses.Verification:
        """Runs the model in every formulation that can and says how far they agree. Truth value: whether
        they do."""
        return analyses.Verification.made(
            self.compiled.verify(digits, budget, discrete, **settings), self.compiled.name)

    # ── copies ──

    def copy(self) -> "Model":
        """A model of its own."""
        return self.__deepcopy__({})

    def __copy__(self) -> "Model":
        return self.__deepcopy__({})

    def __deepcopy__(self, memo: Dict[int, Any]) -> "Model":
        made = Model.__new__(Model)
        made._version = Version()
        made._file, made._overrides = self._file, dict(self._overrides)
        made._compiled = self._compiled if self._compiled_version == self._version.n else None
        made._compiled_version = 0 if made._compiled is not None else -1
        made._tree = None
        if self._tree is not None:
            made._tree = element_of(self._tree, "model", made._version, self._tree._place, "model")
            made._version.n = 0
        return made

    def __reduce__(self) -> Tuple[Any, ...]:
        return _made_again, self.compiled.source()

    def __repr__(self) -> str:
        try:
            c = self.compiled
        except _sarrus.ModelError as faults:
            n = len([d for d in faults.diagnostics if d.severity == "error"])
            name = self._root()._values.get("name", "model")
            return f"<sarrus.Model '{name}': {n} problem{'s' if n != 1 else ''} left>"
        return f"<sarrus.Model '{c.name}': {len(c.bodies)} bodies, {len(c.velocities)} velocities>"

    def _repr_html_(self) -> str:
        from ._html import model_html

        return model_html(self)


def _put_places(element: Element, origins: List[Place]) -> None:
    """Lines of a text that Python had made, as the lines of Python that they come from."""

    def origin(place: Place) -> Place:
        return origins[place[1] - 1] if 0 < place[1] <= len(origins) else place

    object.__setattr__(element, "_place", origin(element._place))
    for key, value in element._values.items():
        element._places[key] = origin(element._places[key])
        for one in value if isinstance(value, tuple) else (value,):
            if isinstance(one, Element):
                _put_places(one, origins)


def _made_again(text: str, file: str, origins: List[Place], overrides: Dict[str, float]) -> Model:
    return Model._from(_sarrus.compiled(text, file, origins, overrides))


def load(path: "Union[str, os.PathLike[str]]", **parameters: float) -> Model:
    """Reads a model file; keywords set its [parameters], in SI units."""
    return Model._from(_sarrus.load(os.fspath(path), _numbers(parameters)))


def parse(text: str, file: "Union[str, os.PathLike[str]]" = "model.toml", **parameters: float) -> Model:
    """Reads a model from text; files that it names are sought beside `file`."""
    return Model._from(_sarrus.compiled(text, os.fspath(file), [], _numbers(parameters)))


def _numbers(parameters: Mapping[str, Any]) -> Dict[str, float]:
    from ._values import Refused, number

    found = {}
    for name, value in parameters.items():
        try:
            found[name] = float(number(value))
        except (Refused, TypeError, ValueError) as why:
            raise ValueError(f"parameter {name} = {value!r}: {why}") from None
    return found
