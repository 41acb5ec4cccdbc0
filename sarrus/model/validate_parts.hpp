// What the files of validate() share.
#pragma once

#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "sarrus/model/model.hpp"

namespace sarrus {

/// Bodies by name, and both lists of findings.
struct Validation {
  const Model& model;
  Diagnostics& model_faults;
  Diagnostics& physics;
  std::unordered_map<std::string, int> body = {};  // index in model.bodies
};

/// "body/arm", or "body[3]" where it has no name.
std::string path_of(std::string_view kind, const std::string& name, size_t index);

void validate_body(Validation& v, const BodySpec& body, const std::string& path);
void validate_mass_ratio(Validation& v);
/// Notes inertias, densities and places that look like a mistake in units.
void validate_plausibility(Validation& v);
void validate_joint(Validation& v, const JointSpec& joint, const std::string& path);
/// Notes the groups of bodies that no chain of joints connects to the world.
void validate_islands(Validation& v);

/// Norm of 1 within 1e-6.
void check_quaternion(Validation& v, const Quat& q, const Place& where, const std::string& path);
void check_frame(Validation& v, const FrameSpec& frame, const Place& where,
                 const std::string& path);
/// A length of a kilometre or more is more likely a number in millimetres.
void check_length(Validation& v, const Vec3& at, const Place& where, const std::string& path);

/// Negative or not finite: an error of physics that names the value.
void refuse_negative(Validation& v, double value, std::string_view unit, const Place& where,
                     const std::string& path);
/// Negative: a warning, since some models mean it.
void warn_negative_stiffness(Validation& v, double value, const Place& where,
                             const std::string& path);
/// Not above zero: an error of the model.
void require_positive(Validation& v, double value, std::string_view unit, const Place& where,
                      const std::string& path);

bool is_finite(const Vec3& v);

}  // namespace sarrus
