// The dynamics of one instant, and of many at once.
#include <fmt/format.h>
#include <pybind11/stl.h>

#include <thread>

#include "arrays.hpp"
#include "compiled.hpp"
#include "sarrus/core/near_match.hpp"
#include "sarrus/formulations/stages/applied.hpp"
#include "sarrus/formulations/stages/derivatives.hpp"
#include "sarrus/formulations/stages/jacobians.hpp"
#include "sarrus/numerics/sparse/null_space.hpp"
#include "sarrus/run/batch_dynamics.hpp"

namespace py = pybind11;

namespace sarrus::python {
namespace {

using Maybe = std::optional<Array>;

/// Positions and velocities as given, or those of the start.
struct State {
  std::vector<double> q, u;
};
State state_of(const Compiled& c, const Maybe& q, const Maybe& u) {
  const Mechanism& m = c.mechanism;
  return {q ? numbers(*q, m.nq, "q") : m.start.q, u ? numbers(*u, m.nu, "u") : m.start.u};
}

std::vector<double> zeros(int n) { return std::vector<double>(static_cast<size_t>(n)); }

const Kinematics<double>& moved(Workspace<double>& w, const Compiled& c, const State& s, double t) {
  return move(w, t, s.q.data(), s.u.data(), c.mechanism.start_state.data());
}

Array mass_matrix_of(const Compiled& c, const Maybe& q) {
  const State s = state_of(c, q, {});
  const int n = c.mechanism.nu;
  Array M({n, n});
  Workspace<double> w(c.mechanism);
  mass_matrix_at(w, s.q.data(), M.mutable_data());
  return M;
}

// ── many states ─────────────────────────────────────────────────────────────────────────────────

/// Rows of an array as they stand there, or one row that stands for all.
struct Rows {
  const double* data() const { return there ? there : own.data(); }
  const double* there = nullptr;
  std::vector<double> own;
};

/// `rows` × n finite numbers, each row contiguous.
Rows matrix(const Maybe& given, int rows, int n, const char* name,
            const std::vector<double>& otherwise) {
  if (!given || given->ndim() == 1) {
    const std::vector<double> one = given ? numbers(*given, n, name) : otherwise;
    Rows out;
    out.own.reserve(static_cast<size_t>(rows) * static_cast<size_t>(n));
    for (int i = 0; i < rows; ++i) out.own.insert(out.own.end(), one.begin(), one.end());
    return out;
  }
  if (given->ndim() != 2 || given->shape(0) != rows || given->shape(1) != n)
    throw py::value_error(
        fmt::format("{} has {} × {} entries, not {}", name, rows, n, shape_text(*given)));
  const double* from = given->data();
  for (py::ssize_t i = 0; i < given->size(); ++i)
    if (!std::isfinite(from[i]))
      throw py::value_error(fmt::format("{}[{}, {}] is {}, not a finite number", name, i / n,
                                        i % n, from[i]));
  return {from, {}};
}

/// How many rows the arrays have; −1 where all are single states.
int rows_in(std::initializer_list<const Maybe*> arrays) {
  for (const Maybe* a : arrays)
    if (*a && (*a)->ndim() == 2) return static_cast<int>((*a)->shape(0));
  return -1;
}

int threads_for(int asked) {
  return asked > 0 ? asked : static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
}

Array forward(const Compiled& c, const Maybe& q, const Maybe& u, const Maybe& tau, double t,
              int threads) {
  const Mechanism& m = c.mechanism;
  if (const int rows = rows_in({&q, &u, &tau}); rows >= 0) {
    const Rows Q = matrix(q, rows, m.nq, "q", m.start.q), U = matrix(u, rows, m.nu, "u", m.start.u);
    const Rows T = tau ? matrix(tau, rows, m.nu, "tau", {}) : Rows{};
    Array out({rows, m.nu});
    double* to = out.mutable_data();
    int without = -1;
    {
      const py::gil_scoped_release free;
      without = forward_dynamics_rows(
          m, {rows, Q.data(), U.data(), tau ? T.data() : nullptr, t}, to, threads_for(threads));
    }
    if (without >= 0)
      throw py::value_error(fmt::format(
          "state {}: there are no accelerations that friction and loops allow", without));
    return out;
  }
  const State s = state_of(c, q, u);
  Workspace<double> w(m);
  if (tau) apply_joint_forces(w, numbers(*tau, m.nu, "tau").data());
  const Kinematics<double>& k = moved(w, c, s, t);
  const Accelerations<double>& a = accelerate(w, k, load(w, k));
  if (!a.exist) throw py::value_error("there are no accelerations that friction and loops allow");
  return array_of(a.udot);
}

Array inverse(const Compiled& c, const Maybe& q, const Maybe& u, const Maybe& udot, int threads) {
  const Mechanism& m = c.mechanism;
  if (const int rows = rows_in({&q, &u, &udot}); rows >= 0) {
    const Rows Q = matrix(q, rows, m.nq, "q", m.start.q), U = matrix(u, rows, m.nu, "u", m.start.u),
               A = matrix(udot, rows, m.nu, "udot", zeros(m.nu));
    Array out({rows, m.nu});
    double* to = out.mutable_data();
    const py::gil_scoped_release free;
    inverse_dynamics_rows(m, {rows, Q.data(), U.data()}, A.data(), to, threads_for(threads));
    return out;
  }
  const State s = state_of(c, q, u);
  const std::vector<double> a = udot ? numbers(*udot, m.nu, "udot") : zeros(m.nu);
  std::vector<double> tau = zeros(m.nu);
  Workspace<double> w(m);
  inverse_dynamics_at(w, s.q.data(), s.u.data(), a.data(), tau.data());
  return array_of(tau);
}

// ── derivatives ─────────────────────────────────────────────────────────────────────────────────

Array copied(const RowsView& rows) {
  Array out({rows.rows, rows.columns});
  auto to = out.mutable_unchecked<2>();
  for (int i = 0; i < rows.rows; ++i)
    for (int j = 0; j < rows.columns; ++j) to(i, j) = rows(i, j);
  return out;
}

py::tuple derivatives_of(const Compiled& c, const Maybe& q, const Maybe& u, const Maybe& udot) {
  const Mechanism& m = c.mechanism;
  if (!Derivatives::cover(m))
    throw py::value_error("derivatives of elastic bodies are not there yet");
  const State s = state_of(c, q, u);
  Workspace<double> w(m);
  const Kinematics<double>& k = moved(w, c, s, 0);
  const std::vector<double> a =
      udot ? numbers(*udot, m.nu, "udot") : accelerate(w, k, load(w, k)).udot;
  Derivatives d(m);
  const ForwardDerivatives found = d.of_forward_dynamics(w, k, a.data());
  return py::make_tuple(copied(found.by_x), copied(found.by_u), copied(found.by_tau));
}

// ── points ──────────────────────────────────────────────────────────────────────────────────────

/// A body by its name, as the user placed it.
struct Point {
  int body = 0;
  Vec3 at{};  // in the axes of the body inside
};
Point point_of(const Compiled& c, const std::string& name, const Maybe& at) {
  const Mechanism& m = c.mechanism;
  const auto same = [&](const BodyInfo& b) { return b.name == name; };
  const auto body = std::find_if(m.bodies.begin(), m.bodies.end(), same);
  if (body == m.bodies.end())
    throw py::key_error(
        fmt::format("no body is called '{}'; {}", name, did_you_mean(name, names_of(m.bodies))));
  for (const ElasticInfo& e : m.elastic)
    if (e.name == name)
      throw py::value_error(fmt::format(
          "'{}' is elastic: its points move with its deformation too; a sensor reads them", name));
  const std::vector<double> p = at ? numbers(*at, 3, "at") : zeros(3);
  return {body->body, body->X_BC.p + body->X_BC.R * Vec3{p[0], p[1], p[2]}};
}

/// 6 × nu: velocities of the point above, angular velocities below.
template <class Part, class T>
Array six_rows(const PointJacobian<T>& J, Part part) {
  const auto n = static_cast<py::ssize_t>(J.v.size());
  Array out({py::ssize_t{6}, n});
  auto to = out.mutable_unchecked<2>();
  for (py::ssize_t j = 0; j < n; ++j)
    for (int i = 0; i < 3; ++i) {
      to(i, j) = part(J.v[static_cast<size_t>(j)][i]);
      to(3 + i, j) = part(J.w[static_cast<size_t>(j)][i]);
    }
  return out;
}

Array jacobian_of(const Compiled& c, const std::string& body, const Maybe& at, const Maybe& q,
                  double t) {
  const Point p = point_of(c, body, at);
  const State s = state_of(c, q, {});
  Workspace<double> w(c.mechanism);
  return six_rows(point_jacobian<double>(moved(w, c, s, t), p.body, p.at),
                  [](double x) { return x; });
}

Array jacobian_rate_of(const Compiled& c, const std::string& body, const Maybe& at,
                       const Maybe& q, const Maybe& u, double t) {
  const Point p = point_of(c, body, at);
  const State s = state_of(c, q, u);
  return six_rows(
      point_jacobian_rate(c.mechanism, t, s.q.data(), s.u.data(), p.body, p.at).J,
      [](const Dual<double>& x) { return x.d; });
}

/// 4 × 4: where a body is.
Array pose_of(const Compiled& c, const std::string& name, const Maybe& q, double t) {
  const Mechanism& m = c.mechanism;
  const Point p = point_of(c, name, {});
  const State s = state_of(c, q, {});
  Workspace<double> w(m);
  const BodyMotion<double>& B = moved(w, c, s, t).body[static_cast<size_t>(p.body)];
  const auto info = std::find_if(m.bodies.begin(), m.bodies.end(),
                                 [&](const BodyInfo& b) { return b.name == name; });
  const Matrix3<double> R = B.R * info->X_BC.R;
  const Vec3 o = B.o + B.R * p.at;
  Array out({4, 4});
  auto to = out.mutable_unchecked<2>();
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) to(i, j) = R(i, j);
    to(i, 3) = o[i], to(3, i) = 0;
  }
  to(3, 3) = 1;
  return out;
}

/// Mass, centre of mass, and momenta about it: linear, angular.
py::tuple momentum_of(const Compiled& c, const Maybe& q, const Maybe& u, double t) {
  const Mechanism& m = c.mechanism;
  const State s = state_of(c, q, u);
  Workspace<double> w(m);
  const Kinematics<double>& k = moved(w, c, s, t);
  double mass = 0;
  Vec3 first{};
  for (const BodyInfo& b : m.bodies) {
    const BodyMotion<double>& B = k.body[static_cast<size_t>(b.body)];
    mass += b.mass;
    first += (B.o + B.R * (b.X_BC.p + b.X_BC.R * b.com)) * b.mass;
  }
  const Wrench<double> h = momentum(w, k);
  const Vec3 com = mass > 0 ? first * (1 / mass) : first;
  const Vec3 about = h.n - cross(com, h.f);
  const auto three = [](const Vec3& v) {
    const std::array<double, 3> a{v.x, v.y, v.z};
    return array_of(a);
  };
  return py::make_tuple(mass, three(com), three(h.f), three(about));
}

// ── constraints ─────────────────────────────────────────────────────────────────────────────────

Array constraint_jacobian_of(const Compiled& c, const Maybe& q, double t) {
  const Mechanism& m = c.mechanism;
  const State s = state_of(c, q, {});
  if (!m.has_loops()) return Array(std::vector<py::ssize_t>{0, m.nu});
  Workspace<double> w(m);
  const Kinematics<double>& k = moved(w, c, s, t);
  const LoopRows<double>& rows = place_loops(w, k);
  Array G({static_cast<int>(rows.size()), m.nu});
  loop_jacobian(k, rows, G.mutable_data());
  return G;
}

/// nu × freedoms, orthonormal: velocities that keep all loops closed.
Array null_space_of(const Compiled& c, const Maybe& q, double t) {
  const Array G = constraint_jacobian_of(c, q, t);
  const auto from = G.unchecked<2>();
  const int rows = static_cast<int>(G.shape(0)), n = c.mechanism.nu;
  Matrix A(rows, n);
  for (int i = 0; i < rows; ++i)
    for (int j = 0; j < n; ++j) A(i, j) = from(i, j);
  NullSpaceOptions options;
  options.route = Route::svd;
  const Matrix T = rows > 0 ? to_dense(null_space(to_sparse(A), options).T) : Matrix::identity(n);
  Array out({T.rows, T.cols});
  auto to = out.mutable_unchecked<2>();
  for (int i = 0; i < T.rows; ++i)
    for (int j = 0; j < T.cols; ++j) to(i, j) = T(i, j);
  return out;
}

}  // namespace

void bind_dynamics(ModelClass& model) {
  const auto q = py::arg("q"), u = py::arg("u"), t = py::arg("t"), body = py::arg("body"),
             at = py::arg("at");
  model.def("mass_matrix", &mass_matrix_of, q)
      .def("forward_dynamics", &forward, q, u, py::arg("tau"), t, py::arg("threads"))
      .def("inverse_dynamics", &inverse, q, u, py::arg("udot"), py::arg("threads"))
      .def("derivatives", &derivatives_of, q, u, py::arg("udot"))
      .def("jacobian", &jacobian_of, body, at, q, t)
      .def("jacobian_rate", &jacobian_rate_of, body, at, q, u, t)
      .def("pose", &pose_of, body, q, t)
      .def("momentum", &momentum_of, q, u, t)
      .def("constraint_jacobian", &constraint_jacobian_of, q, t)
      .def("null_space", &null_space_of, q, t);
}

}  // namespace sarrus::python
