#include "sarrus/mobility/constraint_matrix.hpp"

#include "sarrus/formulations/assembly/measured_joint.hpp"

#include <cmath>

#include "sarrus/numerics/dense/qr.hpp"

namespace sarrus {
namespace {

constexpr double no_power = 1e-12;

using Vector6 = Eigen::Matrix<double, 6, 1>;

/// What is inside an elastic body is no body of its own.
bool is_inside(const Mechanism& m, int body) {
  return m.kind[body] == JointKind::elastic || m.kind[body] == JointKind::seat;
}

/// The bodies as the user counts them: parts that a weld holds together are one.
class FreeBodies {
 public:
  explicit FreeBodies(const Mechanism& m) : whole_(static_cast<size_t>(m.nb)) {
    for (size_t i = 0; i < whole_.size(); ++i) whole_[i] = static_cast<int>(i);
    for (const Closure& c : m.closures)
      if (c.is_weld) whole_[c.a] = c.b;
    number_.assign(whole_.size(), -1);
    for (size_t i = 1; i < whole_.size(); ++i)
      if (whole_[i] == static_cast<int>(i) && !is_inside(m, static_cast<int>(i)))
        number_[i] = count_++;
  }
  int count() const { return count_; }
  int whole(int body) const { return whole_[body]; }
  int number(int body) const { return number_[whole(body)]; }

 private:
  std::vector<int> whole_, number_;
  int count_ = 0;
};

/// The elastic coordinates as columns, and what a wrench at a seat is along them.
class ElasticColumns {
 public:
  ElasticColumns(const Snapshot& now, int first) : m_(*now.mechanism), count_(0) {
    for (const ElasticInfo& e : m_.elastic) first_.push_back(first + count_), count_ += e.n;
    for (const SeatInfo& s : m_.seats) {
      const ElasticInfo& e = m_.elastic[s.elastic];
      std::vector<Twist<double>> own(static_cast<size_t>(e.n));
      Vec3 r{};
      Mat3 E = Mat3::identity();
      place_elastic(s.place, e.n, now.q.data() + e.q0, r, E, own.data());
      const Mat3& R = now.body[e.frame].R;
      for (Twist<double>& t : own) t = {R * t.w, R * t.v};
      twist_.push_back(std::move(own));
    }
  }
  int count() const { return count_; }
  int frame_of(int seat) const { return m_.elastic[m_.seats[seat].elastic].frame; }
  /// (1), with F at the seat's origin.
  void put(std::vector<double>& row, int seat, const Wrench<double>& F, double sign) const {
    const int first = first_[m_.seats[seat].elastic];
    for (size_t k = 0; k < twist_[seat].size(); ++k)
      row[static_cast<size_t>(first) + k] += sign * dot(twist_[seat][k], F);  // (1)
  }

 private:
  const Mechanism& m_;
  int count_;
  std::vector<int> first_;                         // column per elastic body
  std::vector<std::vector<Twist<double>>> twist_;  // per seat, in world axes at its origin
};

class Builder {
 public:
  explicit Builder(const Snapshot& now)
      : now_(now), m_(*now.mechanism), free_(m_), elastic_(now, 6 * free_.count()), placed_(m_) {
    placed_.place(now.body.data(), now.q.data(), now.u.data());
    out_.bodies = free_.count();
    out_.elastic = elastic_.count();
    out_.length = placed_.length();
  }

  ConstraintMatrix run() {
    for (int i = 1; i < m_.nb; ++i)
      if (!is_inside(m_, i)) add_tree_joint(i);
    for (size_t k = 0; k < m_.closures.size(); ++k)
      if (m_.closures[k].joint >= 0)
        add_closing_joint(m_.closures[k], now_.closing[k]);
      else if (!m_.closures[k].is_weld)
        add_constraint(m_.closures[k]);
    return std::move(out_);
  }

 private:
  const Snapshot& now_;
  const Mechanism& m_;
  FreeBodies free_;
  ElasticColumns elastic_;
  LoopRows<double> placed_;
  ConstraintMatrix out_;

  /// Adds the wrench F, given at `point`, to the columns of a body; at a seat, to those of its
  /// elastic body and of what deforms it.
  void put(std::vector<double>& row, int body, const Wrench<double>& F, const Vec3& point,
           double sign) {
    if (m_.kind[body] == JointKind::seat) {
      const int seat = m_.part[body];
      elastic_.put(row, seat, shifted_in(F, point - now_.body[body].o), sign);
      body = elastic_.frame_of(seat);
    }
    const int number = free_.number(body);
    if (number < 0) return;
    const Wrench<double> own = shifted_in(F, point - now_.body[free_.whole(body)].o);
    for (int k = 0; k < 3; ++k) {
      row[static_cast<size_t>(6 * number + k)] += sign * own.n[k] / out_.length;
      row[static_cast<size_t>(6 * number + 3 + k)] += sign * own.f[k];
    }
  }

  void add_row(ConstraintLine line, int a, int b, const Wrench<double>& F, const Vec3& point) {
    std::vector<double> row(out_.columns(), 0.0);
    put(row, a, F, point, -1);
    put(row, b, F, point, +1);
    line.force = F.f, line.moment = F.n * (1 / out_.length);
    out_.G.insert(out_.G.end(), row.begin(), row.end());
    out_.rows.push_back(std::move(line));
  }

  /// The wrenches that do no work on the columns S: unit forces and moments along the axes of the
  /// joint's frame as far as possible, then what is left of the complement.
  struct Direction {
    Carried carries;
    Wrench<double> F;
  };
  std::vector<Direction> carried_by(const std::vector<Twist<double>>& S, const Mat3& R) const {
    const double l = out_.length;
    Eigen::Matrix<double, 6, Eigen::Dynamic> taken(6, 0);
    const auto take = [&](const Vector6& w) {
      taken.conservativeResize(Eigen::NoChange, taken.cols() + 1);
      taken.col(taken.cols() - 1) = w;
    };
    const auto scaled = [&](const Twist<double>& s) {  // (ω, v/l): power of (n/l, f) times 1/l
      return (Vector6() << s.w.x, s.w.y, s.w.z, s.v.x / l, s.v.y / l, s.v.z / l).finished();
    };
    std::vector<Vector6> motions;
    for (const Twist<double>& s : S) motions.push_back(scaled(s).normalized());
    std::vector<Direction> found;
    const Vec3 axes[] = {R.x, R.y, R.z};
    for (int k = 0; k < 6; ++k) {
      const Vec3& axis = axes[k % 3];
      const bool force = k < 3;
      Vector6 w = Vector6::Zero();
      for (int i = 0; i < 3; ++i) w[(force ? 3 : 0) + i] = axis[i];
      bool idle = true;
      for (const Vector6& s : motions) idle = idle && std::fabs(w.dot(s)) < no_power;
      if (!idle) continue;
      take(w);
      found.push_back({static_cast<Carried>(k),
                       force ? Wrench<double>{{}, axis} : Wrench<double>{axis * l, {}}});
    }
    // the rest: orthogonal to the motions and to what was taken
    const auto wanted = 6 - static_cast<Eigen::Index>(S.size());
    for (const Vector6& s : motions) take(s);
    const Eigen::Index known = taken.cols();
    if (static_cast<Eigen::Index>(found.size()) < wanted) {
      Eigen::Matrix<double, 6, Eigen::Dynamic> basis = taken;
      const Eigen::MatrixXd Q = Qr(basis).Q();
      for (Eigen::Index c = known; c < 6; ++c) {
        const Vector6 w = Q.col(c);
        found.push_back({Carried::mixed, {Vec3{w[0], w[1], w[2]} * l, Vec3{w[3], w[4], w[5]}}});
      }
    }
    return found;
  }

  void add_tree_joint(int i) {
    const auto b = static_cast<size_t>(i);
    const JointInfo* joint = m_.joint_of_body(i);
    std::vector<Twist<double>> S;
    for (int u = m_.u0[b]; u < m_.u0[b + 1]; ++u) S.push_back(now_.column[u]);
    const BodyMotion<double>& B = now_.body[i];
    const Mat3 frame = joint && joint->body == i ? B.R * joint->R_BM : B.R;
    ConstraintLine line;
    line.element = joint ? "joint/" + joint->name : "joint";
    line.joint = m_.joint_at[b];
    add_joint(line, S, frame, now_.reaction[i], m_.parent[b], i, B.o, slips(i, S));
    if (m_.prescribed[b]) add_drive(S, line, i);
  }

  /// Motions that a rolling joint or a knife edge denies to velocities, not to positions.
  std::vector<Twist<double>> slips(int i, const std::vector<Twist<double>>& S) const {
    const auto b = static_cast<size_t>(i);
    if (m_.kind[b] == JointKind::knife_edge) return {{{}, cross(S[0].w, S[1].v)}};
    if (m_.kind[b] != JointKind::rolling_disk) return {};
    const Mat3 plane = now_.body[m_.parent[b]].R * m_.joint_of_body(i)->X_parent.R;
    return {{{}, plane.x}, {{}, plane.y}};
  }

  /// Turned among each other so that all but the first `slips` do no work on slips: those hold
  /// positions.
  std::vector<Direction> parted(const std::vector<Direction>& given,
                                const std::vector<Twist<double>>& slips) const {
    Eigen::MatrixXd power(given.size(), slips.size());
    for (size_t r = 0; r < given.size(); ++r)
      for (size_t c = 0; c < slips.size(); ++c)
        power(static_cast<Eigen::Index>(r), static_cast<Eigen::Index>(c)) =
            dot(slips[c], given[r].F);
    const Eigen::MatrixXd Q = Qr(power).Q();
    std::vector<Direction> found;
    for (Eigen::Index k = 0; k < Q.cols(); ++k) {
      Direction sum{Carried::mixed, {}};
      for (size_t r = 0; r < given.size(); ++r) {
        const double share = Q(static_cast<Eigen::Index>(r), k);
        sum.F += given[r].F * share;
        if (std::fabs(share) > 1 - 1e-12) sum.carries = given[r].carries;
      }
      found.push_back(sum);
    }
    return found;
  }

  /// The rows of a joint with the motions S, from the wrench that it carries at `point`.
  void add_joint(ConstraintLine line, const std::vector<Twist<double>>& S, const Mat3& frame,
                 const Wrench<double>& reaction, int a, int b, const Vec3& point,
                 const std::vector<Twist<double>>& slips = {}) {
    const double l2 = out_.length * out_.length;
    const auto product = [&](const Wrench<double>& x, const Wrench<double>& y) {
      return dot(x.n, y.n) / l2 + dot(x.f, y.f);
    };
    std::vector<Direction> carried = carried_by(S, frame);
    if (!slips.empty()) carried = parted(carried, slips);
    for (const Direction& direction : carried) {
      line.holonomic = &direction - carried.data() >= static_cast<std::ptrdiff_t>(slips.size());
      line.carries = direction.carries;
      line.multiplier = product(reaction, direction.F) / product(direction.F, direction.F);
      add_row(line, a, b, direction.F, point);
    }
  }

  void add_closing_joint(const Closure& c, const Wrench<double>& reaction) {
    const JointInfo& joint = m_.joints[c.joint];
    const ClosureFrames<double> F = closure_frames(c, now_.body[c.a], now_.body[c.b]);
    ConstraintLine line;
    line.element = c.element;
    line.joint = c.joint;
    add_joint(line, motions_of(now_.body, joint), now_.body[c.b].R * joint.X_child.R, reaction, c.a,
              c.b, F.p_B);
  }

  /// A prescribed joint carries the force of its drive as well.
  void add_drive(const std::vector<Twist<double>>& S, ConstraintLine line, int i) {
    line.carries = Carried::drive;
    line.multiplier = 0;
    for (const Twist<double>& s : S) {
      const Wrench<double> F =
          dot(s.w, s.w) > 0 ? Wrench<double>{s.w * out_.length, {}} : Wrench<double>{{}, s.v};
      add_row(line, m_.parent[i], i, F, now_.body[i].o);
    }
  }

  void add_constraint(const Closure& c) {
    for (int r = c.row0; r < c.row0 + c.rows; ++r) {
      const ClosureRow& row = m_.closure_rows[r];
      const PlacedRow<double>& placed = placed_[r];
      ConstraintLine line;
      line.element = c.element;
      line.is_joint = false;
      line.holonomic = is_holonomic(row.kind);
      line.carries = row.kind == RowKind::point ? static_cast<Carried>(row.i) : Carried::mixed;
      const double lambda = now_.multiplier[r];
      if (row.kind == RowKind::coupling) {
        add_coupling(c, line, lambda);
        continue;
      }
      const double unit = row.kind == RowKind::direction ? out_.length : 1;
      line.multiplier = lambda / unit;
      add_row(line, c.a, c.b, placed.on_b * unit, now_.body[c.b].o);
    }
  }

  void add_coupling(const Closure& c, ConstraintLine line, double lambda) {
    std::vector<double> row(out_.columns(), 0.0);
    for (const CoupledCoordinate& k : c.of) {
      const Twist<double> s = now_.column[k.u];
      const Wrench<double> F =
          dot(s.w, s.w) > 0 ? Wrench<double>{s.w * out_.length, {}} : Wrench<double>{{}, s.v};
      put(row, m_.parent[k.body], F, now_.body[k.body].o, -k.coefficient);
      put(row, k.body, F, now_.body[k.body].o, k.coefficient);
    }
    line.multiplier = lambda / out_.length;
    out_.G.insert(out_.G.end(), row.begin(), row.end());
    out_.rows.push_back(std::move(line));
  }
};

}  // namespace

ConstraintMatrix constraint_matrix(const Snapshot& now) { return Builder(now).run(); }

const char* to_text(Carried carried) {
  switch (carried) {
    case Carried::force_x: return "force along x";
    case Carried::force_y: return "force along y";
    case Carried::force_z: return "force along z";
    case Carried::moment_x: return "moment about x";
    case Carried::moment_y: return "moment about y";
    case Carried::moment_z: return "moment about z";
    case Carried::mixed: return "a force with a moment";
    case Carried::drive: return "the drive";
  }
  return "";
}

}  // namespace sarrus
