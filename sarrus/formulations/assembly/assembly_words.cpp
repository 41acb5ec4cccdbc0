// Messages of an assembly: which loops stay open and why, what moved, which speeds are impossible.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "sarrus/formulations/assembly/assembler.hpp"
#include "sarrus/formulations/assembly/closing.hpp"
#include "sarrus/formulations/assembly/contradiction.hpp"
#include "sarrus/formulations/assembly/relaxation.hpp"

namespace sarrus {
namespace {

constexpr double said = 1e-6;                   // changes above it are noted
constexpr Tolerance said_of_given{1e-3, 1e-3};  // changes of speeds that the file gives: warned of
constexpr double least_motion = 1e-9;           // of speeds of 1 rad/s, or 1 m/s: beyond rounding

template <class Name>
std::string changes(const std::vector<double>& from, const std::vector<double>& to, Name name) {
  std::string text;
  int count = 0;
  for (size_t i = 0; i < to.size(); ++i) {
    if (std::fabs(to[i] - from[i]) <= said) continue;
    if (++count <= 6)
      text += fmt::format("{}{} from {:.6g} to {:.6g}", text.empty() ? "" : ", ",
                          name(static_cast<int>(i)), from[i], to[i]);
  }
  if (count > 6) text += fmt::format(", and {} more", count - 6);
  return text;
}

}  // namespace

Error Assembler::refused(const std::string& code, const std::string& message,
                         const std::string& hint) {
  const Closure& worst =
      m_.closures[static_cast<size_t>(by_residual(m_, *loops_.rows).front().closure)];
  return Error(Fault::physics, Diagnostic{.code = code,
                                          .where = worst.where,
                                          .element = worst.element,
                                          .message = message,
                                          .hint = hint,
                                          .value = fmt::format("{:.3g}", residual_),
                                          .limit = fmt::format("{:.0e}", nearly_closed)});
}

std::string Assembler::configuration() const {
  std::string text;
  for (const JointInfo& j : m_.joints) {
    if (j.cut || j.nq == 0) continue;
    text += (text.empty() ? "" : ", ") + j.name + " = ";
    if (j.nq > 1) text += "[";
    for (int i = 0; i < j.nq; ++i) text += fmt::format("{}{:.6g}", i ? ", " : "", q_[j.q0 + i]);
    if (j.nq > 1) text += "]";
    if (text.size() > 400) return text + ", …";
  }
  return text;
}

void Assembler::refuse_positions() {
  const Opponents against = opponents(*k_, *loops_.rows, worst_row(false));
  const std::string where = fmt::format("open at best: {}; found at q: {}",
                                        open_closures(m_, *loops_.rows), configuration());
  if (against.empty())
    throw refused("open-loop", "the loops cannot be closed; " + where,
                  "check lengths and positions of the joints named first, or give starting "
                  "positions nearer to a closed mechanism");
  throw refused(
      "open-loop",
      fmt::format("the loops cannot be closed: it contradicts {}; {}", against.words(), where),
      against.motions.size() > 1
          ? "two motions drive the same degree of freedom: leave one of them free"
          : "change or remove one of these");
}

int Assembler::worst_row(bool rates) const {
  int worst = 0;
  double largest = -1;
  for (int r = 0; r < loops_.rows->size(); ++r) {
    const double unit = is_length(m_.closure_rows[r].kind) ? loops_.rows->length() : 1;
    const double size =
        std::fabs(rates ? (*loops_.rows)[r].rate : (*loops_.rows)[r].residual) / unit;
    if (size > largest) largest = size, worst = r;
  }
  return worst;
}

const Closure* Assembler::upside_down() const {
  for (const Closure& c : m_.closures) {
    const ClosureFrames<double> F = closure_frames(c, k_->body[c.a], k_->body[c.b]);
    int parallel = 0, cross = 0;
    for (int r = c.row0; r < c.row0 + c.rows; ++r) {
      const ClosureRow& row = m_.closure_rows[r];
      if (row.kind != RowKind::direction) continue;
      parallel += row.j == 2 && row.i != 2;
      cross += (row.i == 0 && row.j == 1) || (row.i == 2 && row.j == 0);
    }
    const bool z_flipped = parallel == 2 && dot(F.A.z, F.B.z) < 0;
    const bool x_flipped =
        (parallel == 2 && cross > 0 && dot(F.A.x, F.B.x) < 0) ||
        (parallel == 1 && cross == 2 && (dot(F.A.x, F.B.x) < 0 || dot(F.A.z, F.B.z) < 0));
    if (z_flipped || x_flipped) return &c;
  }
  return nullptr;
}

void Assembler::refuse_flip(const Closure& c) const {
  throw Error(
      Fault::physics,
      Diagnostic{.code = "flipped",
                 .where = c.where,
                 .element = c.element,
                 .message = fmt::format("the loop closes with this joint upside down; at q: {}",
                                        configuration()),
                 .hint = "give starting positions nearer to the intended assembly"});
}

void Assembler::note_positions(const std::vector<double>& wanted) {
  const std::string text = changes(wanted, q_, [&](int i) { return m_.coordinate_name(i); });
  if (text.empty()) return;
  notes_.push_back({.severity = Severity::note,
                    .code = "assembled",
                    .element = "start",
                    .message = "the loops were closed by moving " + text});
}

void Assembler::note_deformations() {
  for (const ElasticInfo& e : m_.elastic) {
    const double bent = largest_deflection(*e.numbers, q_.data() + e.q0);
    if (bent > said * e.numbers->span)
      notes_.push_back(
          {.severity = Severity::warning,
           .code = "deformed-start",
           .element = "body/" + e.name + "/elastic",
           .message = fmt::format("the joints alone cannot close the loops: at the start it is "
                                  "deformed by {:.3g} m, with {:.3g} J",
                                  bent, strain_energy(e, q_)),
           .hint = "if no prestress is intended, give lengths and positions that fit",
           .value = fmt::format("{:.3g}", bent)});
  }
}

bool Assembler::speeds_given_changed(const std::vector<double>& wanted) const {
  for (size_t j = 0; j < m_.joints.size(); ++j) {
    const JointInfo& joint = m_.joints[j];
    if (joint.cut || !m_.u_given[j]) continue;
    for (auto i = static_cast<size_t>(joint.u0); i < static_cast<size_t>(joint.u0 + joint.nu); ++i)
      if (std::fabs(u_[i] - wanted[i]) > said_of_given.of(wanted[i])) return true;
  }
  return false;
}

void Assembler::note_velocities(const std::vector<double>& wanted) {
  const std::string text = changes(wanted, u_, [&](int i) { return m_.velocity_name(i); });
  if (text.empty()) return;
  notes_.push_back({.severity = speeds_given_changed(wanted) ? Severity::warning : Severity::note,
                    .code = "projected",
                    .element = "start",
                    .message = "the speeds were adjusted to the loops: " + text});
}

void Assembler::refuse_impossible_speeds(const std::vector<double>& wanted) {
  const double length = loops_.rows->length();
  const std::vector<AskedSpeed> all = asked_speeds(m_, wanted, length);
  std::vector<AskedSpeed> missed;
  for (const AskedSpeed& asked : all)
    if (std::fabs(speed_of(asked, *k_) - asked.wanted) >
        said_of_given.relative * std::fabs(asked.wanted))
      missed.push_back(asked);
  if (missed.empty()) return;
  const std::vector<double> found = u_;
  std::vector<double> share(missed.size(), 0);
  int instead = -1;
  for (const std::vector<double>& v : allowed_motions()) {
    const double largest = fastest(m_, v, length);
    if (!(largest > least_motion)) continue;
    for (size_t k = 0; k < missed.size(); ++k)
      share[k] = std::max(share[k], rate_along(all, missed[k].joint, v) / largest);  // (1)
    instead = moves_most(v);
  }
  u_ = found;
  set();
  std::vector<Diagnostic> impossible;
  for (size_t k = 0; k < missed.size(); ++k)
    if (share[k] * most_amplified < 1)
      impossible.push_back(impossible_speed(missed[k], share[k], instead, *k_, *loops_.rows));
  if (!impossible.empty()) throw Error(Fault::physics, std::move(impossible));
}

double Assembler::rate_along(const std::vector<AskedSpeed>& all, int joint,
                             const std::vector<double>& v) {
  double along = 0, size = 0;
  const auto add = [&](const std::vector<double>& u, double sign) {
    u_ = u;
    set();
    for (const AskedSpeed& a : all)
      if (a.joint == joint) along += sign * a.wanted * speed_of(a, *k_) / (a.unit * a.unit);
  };
  add(v, 1), add(std::vector<double>(v.size(), 0), -1);
  for (const AskedSpeed& a : all)
    if (a.joint == joint) size += a.wanted * a.wanted / (a.unit * a.unit);
  return std::fabs(along) / std::sqrt(size);
}

int Assembler::moves_most(const std::vector<double>& v) const {
  int most = -1;
  for (size_t j = 0; j < m_.joints.size(); ++j)
    for (int u = m_.joints[j].u0; !m_.joints[j].cut && u < m_.joints[j].u0 + m_.joints[j].nu; ++u)
      if (most < 0 || std::fabs(v[u]) > std::fabs(v[most])) most = u;
  return most;
}

void Assembler::check_contradiction() {
  const double rate = loops_.rows->largest_rate();
  if (rate <= contradiction.of(speed())) return;
  const int row = worst_row(true);
  const Closure& c = m_.closures[m_.closure_rows[row].closure];
  const Opponents against = opponents(*k_, *loops_.rows, row);
  const bool driven = against.closures.empty() && !against.motions.empty();
  throw Error(
      Fault::physics,
      Diagnostic{
          .code = "contradiction",
          .where = c.where,
          .element = c.element,
          .message = fmt::format("its rate is {:.3g}, and no speed of the mechanism can make it "
                                 "zero: it contradicts {}",
                                 rate, against.empty() ? "other constraints" : against.words()),
          .hint = driven && against.motions.size() > 1
                      ? "two motions drive the same degree of freedom: leave one of them free"
                      : "change or remove one of these",
          .value = fmt::format("{:.3g}", rate),
          .limit = "0"});
}

}  // namespace sarrus
