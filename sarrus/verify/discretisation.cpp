#include "sarrus/verify/discretisation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "sarrus/elastic/solid.hpp"
#include "sarrus/mechanism/compile.hpp"

namespace sarrus {
namespace {

constexpr double resolution_margin =
    10;  // between a difference and the error of integration beside it

// ── the finer model ─────────────────────────────────────────────────────────────────────────────

/// Whether a body is one of the segments that a beam was cut into (model/segments.hpp): it is fixed
/// to the one before it by a joint of its own name, or the next one is so to it.
bool is_segment(const Model& model, const BodySpec& body) {
  const auto elastic = [&](const std::string& name) {
    return std::any_of(model.bodies.begin(), model.bodies.end(), [&](const BodySpec& b) {
      return b.name == name && b.elastic && !b.elastic->solid;
    });
  };
  return std::any_of(model.joints.begin(), model.joints.end(), [&](const JointSpec& j) {
    return j.type == JointType::fixed && j.name == j.child && elastic(j.child) &&
           elastic(j.parent) && (j.child == body.name || j.parent == body.name);
  });
}

std::string doubled(const char* what, int& n) {
  n *= 2;
  return fmt::format("{} {} → {}", n / 2, what, n);
}

/// Start coordinates of more functions: those of each deflection as before, the further ones 0.
void pad_start(std::vector<double>& start, size_t deflections) {
  if (start.empty() || deflections == 0 || start.size() % deflections != 0) return;
  const size_t each = start.size() / deflections;
  std::vector<double> padded(2 * start.size(), 0);
  for (size_t d = 0; d < deflections; ++d)
    std::copy_n(start.begin() + static_cast<std::ptrdiff_t>(d * each), each,
                padded.begin() + static_cast<std::ptrdiff_t>(2 * d * each));
  start = std::move(padded);
}

std::string refine_beam(ElasticSpec& elastic) {
  BeamSpec& beam = elastic.beam;
  if (beam.basis != BeamBasis::fe) {
    pad_start(elastic.start, beam.deforms.size());
    return doubled("functions", beam.modes);
  }
  std::string text = doubled("elements", beam.elements);
  if (beam.modes == 0) return text;
  pad_start(elastic.start, beam.deforms.size());
  return text + ", " + doubled("modes", beam.modes);
}

/// Empty where every node is kept: there is nothing to double but the mesh.
std::string refine_solid(ElasticSpec& elastic) {
  SolidSpec solid = *elastic.solid;
  const int before = coordinate_count(solid);
  std::string text = doubled("modes of its mesh", solid.modes);
  if (coordinate_count(solid) == before) return "";
  elastic.solid = std::make_shared<const SolidSpec>(std::move(solid));
  return text;
}

}  // namespace

Model resolved_twice(const Model& model, std::vector<std::string>& changes) {
  Model finer = model;
  for (BodySpec& body : finer.bodies) {
    if (!body.elastic || is_segment(model, body)) continue;
    const std::string text =
        body.elastic->solid ? refine_solid(*body.elastic) : refine_beam(*body.elastic);
    if (!text.empty()) changes.push_back(body.name + ": " + text);
  }
  return finer;
}

// ── two runs ────────────────────────────────────────────────────────────────────────────────────

namespace {

bool is_own_coordinate(const Column& c) {
  return c.kind == ColumnKind::elastic_coordinate || c.kind == ColumnKind::elastic_velocity ||
         c.kind == ColumnKind::elastic_momentum;
}

/// What both runs show, with the columns of `coarse`; `fine` gets those columns.
struct Common {
  std::vector<ComparedQuantity> quantities;
  std::vector<size_t> in_fine;  // of each: its place among the quantities of the finer run
  Trajectory fine;

  Common(const std::vector<ComparedQuantity>& all, const Trajectory& coarse,
         const std::vector<ComparedQuantity>& all_fine, const Trajectory& finer) {
    fine.columns = coarse.columns;
    std::vector<int> from(coarse.columns.size(), -1);
    from[0] = 0;
    for (const ComparedQuantity& q : all) {
      const auto twin = std::find_if(all_fine.begin(), all_fine.end(), [&](const auto& other) {
        return other.name == q.name && other.columns.size() == q.columns.size();
      });
      if (twin == all_fine.end() || is_own_coordinate(coarse.columns[q.columns[0]])) continue;
      for (size_t i = 0; i < q.columns.size(); ++i) from[q.columns[i]] = twin->columns[i];
      quantities.push_back(q);
      in_fine.push_back(static_cast<size_t>(twin - all_fine.begin()));
    }
    for (int r = 0; r < finer.rows(); ++r)
      for (const int column : from) fine.values.push_back(column < 0 ? 0 : finer.row(r)[column]);
  }
};

/// The run of a comparison that is known best; the discrete one has no elastic bodies.
const Attempt* most_accurate(const Comparison& c) {
  const Attempt* best = nullptr;
  for (const Attempt& a : c.attempts())
    if (!Comparison::is_discrete(a) && (!best || a.worst_error() < best->worst_error())) best = &a;
  return best;
}

/// The finer model's run, refined until its own error does not matter; and what it shows.
struct FinerRun {
  Attempt attempt;
  std::vector<ComparedQuantity> quantities;

  FinerRun(const Comparison& c, Contender contender) : attempt(c.mechanism(), contender, c.plan()) {
    const Scales scales = scales_of(*contender.own, c.plan().until - c.plan().start);
    while (!attempt.is_ready()) {
      if (!attempt.refine(quantities) && !attempt.change_method()) return;
      if (quantities.empty() && attempt.runs() > 0)
        quantities = quantities_of(attempt.rows(), scales);
    }
  }
};

}  // namespace

std::optional<Discretisation> discretisation_of(const ValidModel& model,
                                                const Comparison& comparison) {
  if (comparison.mechanism().elastic.empty()) return std::nullopt;
  Discretisation out;
  Model finer = resolved_twice(*model, out.changes);
  const Attempt* coarse = most_accurate(comparison);
  if (std::any_of(model->bodies.begin(), model->bodies.end(),
                  [&](const BodySpec& b) { return b.elastic && is_segment(*model, b); }))
    out.lacks = "a beam is cut into segments; compare with twice as many of them";
  else if (out.changes.empty())
    out.lacks = "its meshes keep all their nodes, and are as the model gives them";
  else if (!coarse)
    out.lacks = "no formulation runs this model";
  if (!out.lacks.empty()) return out;
  Contender contender = coarse->contender();
  try {
    contender.own = std::make_shared<const Mechanism>(compile(ValidModel(std::move(finer))));
  } catch (const Error& e) {
    out.lacks = e.diagnostics().front().message;
    return out;
  }
  FinerRun fine(comparison, std::move(contender));
  if (!fine.attempt.is_ready()) {
    out.lacks = fine.attempt.limit();
    return out;
  }
  const auto look = [&] {
    const Common common(comparison.quantities(), coarse->rows(), fine.quantities,
                        fine.attempt.rows());
    const Differences d(common.quantities, coarse->rows(), common.fine);
    out.quantities.clear();
    out.digits = 16, out.worst.clear(), out.relative = 0;
    bool settled = true;
    for (size_t q = 0; q < common.quantities.size(); ++q) {
      const ComparedQuantity& quantity = common.quantities[q];
      if (comparison.is_zero(quantity)) continue;
      const double own = fine.attempt.error().largest(common.in_fine[q]);
      const double left = std::max(d.largest(q), own);  // (1)
      if (own > d.largest(q) / resolution_margin && own > comparison.tolerance()) settled = false;
      out.quantities.push_back(
          {quantity.name, quantity.unit, left * quantity.size, digits_of(left)});
      if (!(left <= out.relative))
        out.relative = left, out.worst = quantity.name, out.digits = digits_of(left);
    }
    return settled;
  };
  while (!look() && fine.attempt.refine(fine.quantities)) {
  }
  out.formulation = fine.attempt.name(), out.method = fine.attempt.method();
  out.setting = fine.attempt.setting();
  return out;
}

}  // namespace sarrus
