#include "sarrus/formulations/choice/formulation_options.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "sarrus/core/near_match.hpp"

namespace sarrus {
namespace {

constexpr int most_dense = 400;     // freedoms of a null space that is found in every evaluation
constexpr int most_literal = 2000;  // freedoms; the rows of a chain of these take 200 MB

/// An option that does not fit, with the line where it was said.
Error misfit(const FormulationOptions& options, const std::string& key, std::string message,
             std::string hint) {
  const auto place = options.where.find(key);
  const bool in_file = place != options.where.end();
  return {in_file ? Fault::model : Fault::usage,
          Diagnostic{.code = "bad-option",
                     .where = in_file ? place->second : Place{},
                     .element = "simulate/" + key,
                     .message = std::move(message),
                     .hint = std::move(hint)}};
}

void check_word(const FormulationOptions& options, const std::string& key, const std::string& word,
                const std::vector<std::string>& known) {
  if (word.empty() || std::find(known.begin(), known.end(), word) != known.end()) return;
  throw misfit(options, key, fmt::format("'{}' is not one of its values", word),
               did_you_mean(word, known));
}

const JointInfo* first_small(const Mechanism& m) {
  for (int b = 1; b < m.nb; ++b)
    if (m.small[b]) return m.joint_of_body(b);
  return nullptr;
}

/// Knife edges and disks: their momenta alone do not determine their rates.
const JointInfo* first_nonholonomic(const Mechanism& m) {
  for (int b = 1; b < m.nb; ++b) {
    if (is_nonholonomic(m.kind[b])) return m.joint_of_body(b);
  }
  return nullptr;
}

Error small_not_honoured(const JointInfo& joint, const std::string& who, std::string hint) {
  return {Fault::model,
          Diagnostic{
              .code = "small-not-honoured",
              .where = joint.where,
              .element = "joint/" + joint.name + "/small",
              .message = fmt::format("its coordinates are marked small, and {} would treat them in "
                                     "full",
                                     who),
              .hint = std::move(hint)}};
}

void check_small(const JointInfo& joint, const FormulationOptions& o) {
  for (const auto& [key, word] : {std::pair{"energy_matrix", o.energy_matrix},
                                  std::pair{"energy_gradient", o.energy_gradient}})
    if (word == "recursive")
      throw small_not_honoured(joint, fmt::format("{} = \"recursive\"", key),
                               fmt::format("{} = \"literal\", or leave out small = true", key));
}

}  // namespace

void refuse_small(const Mechanism& m, const std::string& who) {
  if (const JointInfo* joint = first_small(m))
    throw small_not_honoured(*joint, who,
                             "formulation = \"hamiltonian\", or leave out small = true");
}

namespace {

void check_loops(const std::string& formulation, const Mechanism& m, const FormulationOptions& o) {
  check_word(o, "loops", o.loops, {"multipliers", "nullspace"});
  if (o.loops != "nullspace" || !m.has_loops()) return;
  if (formulation != "recursive")
    throw misfit(
        o, "loops",
        fmt::format(
            "the null space of loops is for the formulation recursive; {} closes them by impulses",
            formulation),
        "formulation = \"recursive\", or leave it out");
  if (m.nu > most_dense)
    throw misfit(
        o, "loops",
        fmt::format(
            "the mechanism has {} degrees of freedom in its tree; the time for a null space "
            "grows with their cube, and {} is the limit",
            m.nu, most_dense),
        "leave it out: multipliers have no limit");
}

}  // namespace

FormulationOptions resolved(const std::string& formulation, const Mechanism& m,
                            const FormulationOptions& options) {
  FormulationOptions o = options;
  check_loops(formulation, m, o);
  if (formulation != "hamiltonian") {
    for (const auto& [key, word] : {std::pair{"energy_matrix", o.energy_matrix},
                                    std::pair{"energy_gradient", o.energy_gradient}})
      if (!word.empty())
        throw misfit(o, key,
                     fmt::format("'{}' says how the formulation hamiltonian works; {} has no "
                                 "energy matrix",
                                 word, formulation),
                     "formulation = \"hamiltonian\", or leave it out");
    refuse_small(m, "the formulation " + formulation);
    return o;
  }
  check_word(o, "energy_matrix", o.energy_matrix, {"recursive", "literal"});
  check_word(o, "energy_gradient", o.energy_gradient, {"recursive", "complex", "literal"});
  const JointInfo* small = first_small(m);
  if (small) check_small(*small, o);
  if (o.energy_matrix.empty()) o.energy_matrix = small ? "literal" : "recursive";
  if (o.energy_gradient.empty()) o.energy_gradient = o.energy_matrix;

  const bool by_rows = o.energy_matrix != "recursive" || o.energy_gradient != "recursive";
  const char* asked = o.energy_gradient != "recursive" ? "energy_gradient" : "energy_matrix";
  if (by_rows && m.nu > most_literal)
    throw misfit(
        o, asked,
        fmt::format("the mechanism has {} degrees of freedom; memory for the energy matrix grows "
                    "with their square, and {} is the limit",
                    m.nu, most_literal),
        "leave it out: the recursion has no limit");
  if (o.energy_gradient != "recursive")
    if (const JointInfo* joint = first_nonholonomic(m))
      throw misfit(o, "energy_gradient",
                   fmt::format("the kinetic energy alone does not give the rates of momenta of "
                               "joint '{}': a {} joint forbids velocities, not positions",
                               joint->name, to_text(joint->type)),
                   "energy_gradient = \"recursive\"");
  if (by_rows && m.has_loops())
    throw misfit(o, asked,
                 "the energy matrix is that of a tree, and the mechanism has closed loops",
                 "leave it out");
  return o;
}

}  // namespace sarrus
