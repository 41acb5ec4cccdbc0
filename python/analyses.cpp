// Analyses: what is about a model rather than a run of it. Python gets plain numbers, arrays and
// dicts; the classes that show them are in python/sarrus/analyses.py.
#include <fmt/format.h>
#include <pybind11/complex.h>
#include <pybind11/stl.h>

#include "arrays.hpp"
#include "compiled.hpp"
#include "sarrus/linear/linear_modes.hpp"
#include "sarrus/linear/modes.hpp"
#include "sarrus/linear/reduction.hpp"
#include "sarrus/markers/marker_motion.hpp"
#include "sarrus/mobility/mobility.hpp"
#include "sarrus/run/simulate.hpp"
#include "sarrus/show/mobility_json.hpp"
#include "sarrus/verify/verify.hpp"

namespace py = pybind11;

namespace sarrus::python {
namespace {

using Maybe = std::optional<Array>;
using Complex = std::complex<double>;

Array array_of(const Matrix& A) {
  Array out({A.rows, A.cols});
  auto to = out.mutable_unchecked<2>();
  for (int i = 0; i < A.rows; ++i)
    for (int j = 0; j < A.cols; ++j) to(i, j) = A(i, j);
  return out;
}
using python::array_of;

template <class F>
auto without_gil(F&& f) {
  const py::gil_scoped_release free;
  return f();
}

// ── about a point ───────────────────────────────────────────────────────────────────────────────

OperatingPoint point_at(const Compiled& c, const Maybe& q, const Maybe& u, double t) {
  const Mechanism& m = c.mechanism;
  OperatingPoint p = start_point(m, t);
  if (q) p.q = numbers(*q, m.nq, "q");
  if (u) p.u = numbers(*u, m.nu, "u");
  return p;
}

py::dict linearized(const Compiled& c, const Maybe& q, const Maybe& u, double t) {
  const OperatingPoint p = point_at(c, q, u, t);
  LinearModel model;
  StateSpace space;
  without_gil([&] { model = linearize(c.mechanism, p), space = state_space(model); });
  py::dict d;
  d["A"] = array_of(space.A), d["B"] = array_of(space.B);
  d["C"] = array_of(space.C), d["D"] = array_of(space.D);
  d["states"] = space.states, d["inputs"] = space.inputs, d["outputs"] = space.outputs;
  d["q"] = array_of(p.q), d["u"] = array_of(p.u);
  d["out_of_balance"] = array_of(model.out_of_balance), d["force_scale"] = model.force_scale;
  d["notes"] = model.notes;
  return d;
}

py::dict modes_dict(const Mechanism& m, const ModelModes& found) {
  const auto n = static_cast<py::ssize_t>(found.modes.size());
  py::array_t<Complex> values(n), shapes({static_cast<py::ssize_t>(m.nx), n});
  Array omega(n), ratio(n), error(n);
  py::list shares;
  auto to = shapes.mutable_unchecked<2>();
  for (py::ssize_t i = 0; i < n; ++i) {
    const Mode& mode = found.modes[static_cast<size_t>(i)];
    values.mutable_at(i) = {mode.value.re, mode.value.im};
    omega.mutable_at(i) = mode.value.omega;
    ratio.mutable_at(i) = mode.value.ratio;
    error.mutable_at(i) = mode.error;
    for (py::ssize_t k = 0; k < m.nx; ++k)
      to(k, i) = {mode.re[static_cast<size_t>(k)], mode.im[static_cast<size_t>(k)]};
    py::dict one;
    one["coordinates"] = mode.coordinates;
    one["kinetic"] = mode.energy.kinetic;
    one["potential"] = mode.energy.potential;
    shares.append(one);
  }
  py::dict d;
  d["values"] = values, d["omega"] = omega, d["ratio"] = ratio, d["error"] = error;
  d["shapes"] = shapes, d["shares"] = shares;
  d["stability"] = to_text(found.stability), d["verdict"] = verdict(found);
  d["q"] = array_of(found.point.q), d["notes"] = found.notes;
  return d;
}

OperatingPoint settled(const Compiled& c, const OperatingPoint& start, const std::string& about,
                       int starts) {
  if (about == "start") return start;
  if (about != "equilibrium")
    throw std::invalid_argument(
        fmt::format("about is \"start\" or \"equilibrium\", not \"{}\"", about));
  const std::vector<Equilibrium> all = find_equilibria(c.mechanism, start, starts);
  if (!all.front().found) throw Error(Fault::numerics, no_equilibrium(all.front()));
  return all.front().point;
}

py::dict modes_of(const Compiled& c, const Maybe& q, const Maybe& u, double t,
                  const std::string& about) {
  const OperatingPoint start = point_at(c, q, u, t);
  return modes_dict(c.mechanism, without_gil([&] {
                      return modes_about(c.mechanism, settled(c, start, about, 0));
                    }));
}

py::list equilibria_of(const Compiled& c, const Maybe& q, double t, int starts) {
  if (starts < 0 || starts > 100'000)
    throw py::value_error(fmt::format("{} starts: between 0 and 100000", starts));
  const Mechanism& m = c.mechanism;
  const OperatingPoint start = point_at(c, q, {}, t);
  const std::vector<Equilibrium> found =
      without_gil([&] { return find_equilibria(m, start, starts); });
  if (!found.front().found) throw Error(Fault::numerics, no_equilibrium(found.front()));
  py::list all;
  for (const Equilibrium& e : found) {
    const ModelModes modes = without_gil([&] { return modes_about(m, e.point); });
    py::dict d;
    d["q"] = array_of(e.point.q);
    d["residual"] = e.residual, d["force_scale"] = e.scale, d["iterations"] = e.iterations;
    d["stability"] = to_text(modes.stability), d["verdict"] = verdict(modes);
    const Trajectory row = recorded_at(m, e.point);
    py::dict values;
    for (size_t i = 1; i < row.columns.size(); ++i)
      values[py::str(row.columns[i].name)] = row.values[i];
    d["values"] = values;
    d["modes"] = modes_dict(m, modes);
    all.append(d);
  }
  return all;
}

// ── the whole ───────────────────────────────────────────────────────────────────────────────────

/// JSON of the report on mobility, and what is there without one.
py::tuple checked(const Compiled& c) {
  const Mechanism& m = c.mechanism;
  const StartState start = without_gil([&] { return start_state(m, c.model.simulate.start); });
  double mass = 0;
  int freedoms = 0, elastic = 0, loops = 0;
  for (const BodyInfo& b : m.bodies) mass += b.mass;
  for (const ElasticInfo& e : m.elastic) elastic += e.n;
  for (const JointInfo& j : m.joints) {
    loops += j.cut;
    if (!j.cut && !j.prescribed) freedoms += j.nu;
  }
  const Snapshot now = snapshot_at(m, start);
  std::string found = "null";
  if (m.has_loops()) found = without_gil([&] { return to_json(mobility(m, start)); });
  py::dict d;
  d["mass"] = mass, d["freedoms"] = freedoms + elastic, d["loops"] = loops;
  d["kinetic"] = now.kinetic, d["potential"] = now.potential;
  d["q"] = array_of(start.q), d["u"] = array_of(start.u);
  return py::make_tuple(d, found, start.notes);
}

py::dict verified(const Compiled& c, double digits, double budget, bool discrete,
                  const py::kwargs& given) {
  if (!(digits >= 1 && digits <= 14))
    throw py::value_error(fmt::format("{} digits: numbers here have between 1 and 14", digits));
  if (!(budget > 0)) throw py::value_error(fmt::format("{} s is not a time above 0", budget));
  const SimulateSpec settings = settings_with(c, given);
  VerifyOptions options;
  options.digits = digits, options.budget = budget, options.discrete = discrete;
  const Verification v = without_gil([&] { return verify(c.mechanism, settings, options); });
  py::dict d;
  d["verdict"] = to_text(v.verdict), d["sentence"] = v.sentence;
  d["digits"] = v.digits, d["asked"] = v.asked, d["until"] = v.until;
  d["growth"] = v.growth, d["horizon"] = v.horizon;
  py::list quantities, contenders, audits;
  for (const Agreement& a : v.quantities) {
    py::dict one;
    one["name"] = a.name, one["unit"] = a.unit, one["digits"] = a.digits;
    one["confirmed_by"] = a.confirmed_by, one["largest"] = a.largest, one["between"] = a.between;
    quantities.append(one);
  }
  for (const ContenderReport& r : v.contenders) {
    py::dict one;
    one["name"] = r.name, one["method"] = r.method, one["lacks"] = r.lacks;
    one["digits"] = r.digits, one["error"] = r.error, one["seconds"] = r.seconds;
    contenders.append(one);
  }
  for (const Audit& a : v.audits) {
    py::dict one;
    one["name"] = a.name, one["subject"] = a.subject, one["value"] = a.value;
    one["limit"] = a.limit, one["passed"] = a.passed, one["detail"] = a.detail;
    audits.append(one);
  }
  d["quantities"] = quantities, d["contenders"] = contenders, d["audits"] = audits;
  return d;
}

// ── linear systems ──────────────────────────────────────────────────────────────────────────────

/// Compressed columns as scipy has them: (rows, columns, start, index, value).
using Columns = std::tuple<int, int, std::vector<int>, std::vector<int>, std::vector<double>>;

SparseMatrix sparse_of(const Columns& c) {
  SparseMatrix A;
  std::tie(A.rows, A.cols, A.start, A.index, A.value) = c;
  return A;
}
Columns columns_of(const SparseMatrix& A) {
  return {A.rows, A.cols, A.start, A.index, A.value};
}

py::dict reduced(const Columns& M, const Columns& K, const std::optional<Columns>& D,
                 const std::optional<Columns>& C, const std::vector<std::string>& coordinates,
                 const std::vector<std::string>& constraints, const std::string& route,
                 int modes) {
  LinearSystem s;
  s.M = sparse_of(M), s.K = sparse_of(K);
  if (D) s.D = sparse_of(*D);
  if (C) s.C = sparse_of(*C);
  s.coordinates = coordinates, s.constraints = constraints;
  s.M_file = "M", s.K_file = "K", s.D_file = "D", s.C_file = "C";
  ReductionOptions options;
  const std::optional<Route> way = route_of(route);
  if (!way)
    throw py::value_error(fmt::format("route '{}': auto, jacobi, svd, qr or sparse", route));
  options.null_space.route = *way;
  Reduction r;
  LinearModes found;
  without_gil([&] {
    check(s);
    r = reduce(s, options);
    found = linear_modes(s, r, {.modes = modes});
  });
  py::dict d;
  d["T"] = columns_of(r.T), d["M"] = columns_of(r.M), d["K"] = columns_of(r.K);
  d["D"] = D ? py::cast(columns_of(r.D)) : py::none();
  d["coordinates"] = r.coordinates, d["freedoms"] = r.freedoms();
  d["rank"] = r.basis.decision.rank, d["route"] = to_text(r.basis.route), d["why"] = r.basis.why;
  py::list redundant;
  for (const Dependency& one : r.basis.rows.redundant) redundant.append(in_words(s, one));
  d["redundant"] = redundant;
  d["omega_squared"] = array_of(found.lambda), d["shapes"] = array_of(found.shapes);
  d["rigid"] = found.rigid;
  std::vector<Complex> damped;
  for (const ComplexMode& mode : found.damped) damped.emplace_back(mode.re, mode.im);
  d["damped"] = damped;
  std::vector<Diagnostic> notes = r.notes;
  notes.insert(notes.end(), found.notes.begin(), found.notes.end());
  d["notes"] = notes;
  return d;
}

// ── markers ─────────────────────────────────────────────────────────────────────────────────────

/// Tracks: samples × markers × 3 (or 2 in the plane); on_body: markers × 3 (or 2).
py::dict marker_motion(const Array& t, const Array& tracks, const Array& on_body,
                       std::optional<double> noise) {
  if (t.ndim() != 1 || tracks.ndim() != 3 || on_body.ndim() != 2)
    throw py::value_error(
        fmt::format("markers take t of n, tracks of n × markers × 3 and on_body of markers × 3 "
                    "entries, not {}, {} and {}",
                    shape_text(t), shape_text(tracks), shape_text(on_body)));
  const py::ssize_t n = t.shape(0), markers = on_body.shape(0), width = on_body.shape(1);
  if (tracks.shape(0) != n || tracks.shape(1) != markers || tracks.shape(2) != width ||
      (width != 2 && width != 3))
    throw py::value_error(
        fmt::format("tracks has {} × {} × {} entries, not {}", n, markers,
                    width == 2 ? 2 : 3, shape_text(tracks)));
  check_finite(t, "t"), check_finite(tracks, "tracks"), check_finite(on_body, "on_body");
  if (noise && !(*noise >= 0)) throw py::value_error(fmt::format("noise of {} m", *noise));
  MarkerTracks given;
  given.plane = width == 2;
  given.t.assign(t.data(), t.data() + n);
  const auto p = tracks.unchecked<3>();
  const auto b = on_body.unchecked<2>();
  for (py::ssize_t m = 0; m < markers; ++m) {
    given.on_body.push_back({b(m, 0), b(m, 1), width == 3 ? b(m, 2) : 0});
    std::vector<Vec3>& track = given.p.emplace_back();
    for (py::ssize_t i = 0; i < n; ++i)
      track.push_back({p(i, m, 0), p(i, m, 1), width == 3 ? p(i, m, 2) : 0});
  }
  if (const std::string problem = problem_of(given); !problem.empty())
    throw py::value_error(problem);
  const MarkerMotion found = without_gil([&] { return motion_from(given, noise); });
  const auto k = static_cast<py::ssize_t>(found.coordinate.size());
  Array values({py::ssize_t{3}, n, k});  // the coordinates, their rates, their second rates
  auto to = values.mutable_unchecked<3>();
  for (int order = 0; order < 3; ++order)
    for (py::ssize_t i = 0; i < n; ++i)
      for (py::ssize_t j = 0; j < k; ++j)
        to(order, i, j) = found.coordinate[static_cast<size_t>(j)](given.t[static_cast<size_t>(i)], order);
  py::dict d;
  d["names"] = found.names, d["values"] = values;
  d["from"] = found.from, d["to"] = found.to;
  d["noise"] = found.noise, d["noise_estimated"] = found.noise_estimated;
  d["residual"] = found.residual;
  d["worst_marker"] = found.worst_marker, d["worst_residual"] = found.worst_residual;
  py::dict expected;
  expected["velocity"] = found.expected.velocity;
  expected["acceleration"] = found.expected.acceleration;
  expected["angular_velocity"] = found.expected.angular_velocity;
  expected["angular_acceleration"] = found.expected.angular_acceleration;
  d["expected"] = expected;
  return d;
}

}  // namespace

void bind_analyses(py::module_& module, ModelClass& model) {
  const auto q = py::arg("q"), u = py::arg("u"), t = py::arg("t");
  model.def("linearize", &linearized, q, u, t)
      .def("modes", &modes_of, q, u, t, py::arg("about"))
      .def("equilibria", &equilibria_of, q, t, py::arg("starts"))
      .def("check", &checked)
      .def("verify", &verified, py::arg("digits"), py::arg("budget"), py::arg("discrete"));
  module.def("reduce", &reduced, py::arg("M"), py::arg("K"), py::arg("D"), py::arg("C"),
             py::arg("coordinates"), py::arg("constraints"), py::arg("route"), py::arg("modes"));
  module.def("markers", &marker_motion, py::arg("t"), py::arg("tracks"), py::arg("on_body"),
             py::arg("noise"));
}

}  // namespace sarrus::python
