// compile: elastic bodies, and frames that sit on them.
#include <fmt/format.h>

#include <algorithm>

#include "sarrus/elastic/beam.hpp"
#include "sarrus/elastic/solid.hpp"
#include "sarrus/mechanism/compiler.hpp"

namespace sarrus {
namespace {

std::unique_ptr<ElasticShape> make_shape(const ElasticSpec& spec, const Vec3& inboard) {
  if (spec.solid) return std::make_unique<ElasticSolid>(*spec.solid, inboard);
  return std::make_unique<Beam>(spec.beam, std::clamp(inboard.x, 0.0, spec.beam.length));
}

}  // namespace

Compiler::Mount Compiler::mount(int body, const Pose<double>& X, const Place& where,
                                const std::string& element) {
  const auto found = elastic_.find(body);
  if (found == elastic_.end()) return {inside(body), user_frame(body) * X};
  ElasticPart& part = found->second;
  const Vec3 at = carrier_of(body, part, X.p, where, element);
  if (norm(at - part.shape->clamp()) <= part.near) return {inside(body), user_frame(body) * X};
  const Pose<double> X_BC = user_frame(body);
  return {seat_at(body, at), {X_BC.R * X.R, X_BC.R * (X.p - at)}};
}

Vec3 Compiler::carrier_of(int body, const ElasticPart& part, const Vec3& point, const Place& where,
                          const std::string& element) {
  const std::optional<Vec3> at = part.shape->carrier(point);
  if (!at)
    physics_.error(
        "beyond-body", where, element,
        fmt::format("({:.6g}, {:.6g}, {:.6g}) m is not on the elastic body '{}': {}", point.x,
                    point.y, point.z, model_.bodies[body].name, part.shape->carriers()));
  return at.value_or(part.shape->clamp());
}

int Compiler::seat_at(int body, const Vec3& at) {
  ElasticPart& part = elastic_.at(body);
  for (size_t i = 0; i < part.seat.size(); ++i)
    if (norm(part.at[i] - at) <= part.near) return m_.seats[part.seat[i]].body;
  const ElasticInfo& info = m_.elastic[part.entry];
  add_body(info.last, {}, JointKind::seat, {}, {});
  m_.joint_at.back() = -1;
  m_.part.back() = static_cast<int>(m_.seats.size());
  part.seat.push_back(m_.part.back());
  part.at.push_back(at);
  m_.seats.push_back(
      {m_.nb - 1, part.entry, seen_from(part.shape->place(at), clamped_frame(body, part))});
  return m_.nb - 1;
}

void Compiler::add_elastic(int body, const Vec3& inboard, const Place& where,
                           const std::string& element) {
  const BodySpec& spec = model_.bodies[body];
  ElasticPart part;
  try {
    part.shape = make_shape(*spec.elastic, inboard);
  } catch (const ElasticFault& fault) {
    physics_.error(fault.code, spec.elastic->where, "body/" + spec.name + "/elastic", fault.what(),
                   fault.hint);
    physics_.throw_if_errors(Fault::physics);
  }
  carrier_of(body, part, inboard, where, element);
  part.entry = static_cast<int>(m_.elastic.size());
  ElasticInfo info;
  info.name = spec.name;
  info.frame = inside(body);
  info.q0 = m_.nq, info.u0 = m_.nu;
  info.first = m_.nb;
  info.numbers =
      std::make_shared<const ElasticBody>(seen_from(part.shape->body(), clamped_frame(body, part)));
  info.n = info.numbers->n;
  part.near = same_place * info.numbers->span;
  for (int k = 0; k < info.n; ++k) {
    add_body(k == 0 ? info.frame : m_.nb - 1, {}, JointKind::elastic, {}, {});
    m_.joint_at.back() = -1;
  }
  info.last = m_.nb - 1;
  m_.part.back() = part.entry;
  start_elastic(spec, info);
  const auto shared = [&](const std::vector<double>& of) {
    return std::shared_ptr<const std::vector<double>>(info.numbers, &of);
  };
  m_.numbers.forces.elastic.push_back(
      {info.q0, info.u0, info.n, shared(info.numbers->K), shared(info.numbers->D)});
  note_doubtful(spec, m_.bodies[body].mass, *info.numbers);
  add_elastic_mass(m_.bodies[body], *info.numbers);
  m_.elastic.push_back(std::move(info));
  elastic_.emplace(body, std::move(part));
}

/// What is counted twice, or has a wider effect than its key suggests.
void Compiler::note_doubtful(const BodySpec& spec, double rigid, const ElasticBody& elastic) {
  const std::string path = "body/" + spec.name;
  double own = 0;
  for (const MassSample& s : elastic.samples) own += s.mass * s.c * s.c;
  if (std::any_of(spec.shapes.begin(), spec.shapes.end(),
                  [](const Shape& shape) { return shape.density > 0; }))
    physics_.warning(
        "mass-twice", spec.where, path,
        fmt::format("its shapes weigh {:.6g} kg in addition to the {:.6g} kg of its elastic part",
                    rigid, own),
        "leave out the density of shapes that only show the elastic body");
  const std::vector<double>& ratios =
      spec.elastic->solid ? spec.elastic->solid->damping.ratios : spec.elastic->beam.damping.ratios;
  if (ratios.size() > 1 && ratios.size() < static_cast<size_t>(elastic.n))
    physics_.note(
        "damping-repeated", spec.elastic->where, path + "/elastic/damping/ratio",
        fmt::format(
            "{} ratios are given for {} modes: the last, {:.6g}, is used for the remaining ones",
            ratios.size(), elastic.n, ratios.back()));
}

void Compiler::add_elastic_mass(BodyInfo& known, const ElasticBody& elastic) {
  Vec3 moment = known.com * known.mass;
  for (const MassSample& s : elastic.samples) {
    known.mass += s.mass * s.c * s.c;
    // a part that does not follow the frame has no place
    moment += transposed_times(known.X_BC.R, s.x * s.c - known.X_BC.p * (s.c * s.c)) * s.mass;
  }
  if (known.mass > 0) known.com = moment * (1 / known.mass);
}

void Compiler::start_elastic(const BodySpec& spec, const ElasticInfo& info) {
  const std::vector<double>& given = spec.elastic->start;
  if (!given.empty() && static_cast<int>(given.size()) != info.n)
    faults_.error("wrong-length", spec.elastic->where, "body/" + spec.name + "/elastic/q",
                  fmt::format("{} numbers are given for {} elastic coordinates ({})", given.size(),
                              info.n, fmt::join(info.numbers->says, ", ")));
  for (int k = 0; k < info.n; ++k) {
    const auto i = static_cast<size_t>(k);
    m_.start.q.push_back(i < given.size() ? given[i] : 0);
    m_.start.u.push_back(0);
  }
}

}  // namespace sarrus
