// What an import made of a file: what was read, what was approximated, what was left out.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "sarrus/core/diagnostic.hpp"

namespace sarrus {

/// Whether what is missing would move the mechanism otherwise; `decided`: the file leaves it open.
enum class Effect { none, decided, changes, unknown };

struct ImportRemark {
  std::string what;  // "element <gazebo>", "armature"
  std::string why;   // and what stands for it
  Effect effect = Effect::none;
  Place first;
  int count = 0;
};

struct ImportReport {
  std::string format;                             // "URDF", "MJCF", "SDF"
  std::string model;                              // its name
  std::vector<std::pair<std::string, int>> read;  // "bodies", how many
  std::vector<ImportRemark> approximated, left_out;

  void count(std::string_view what, int n = 1);
  void approximate(std::string_view what, std::string_view why, const Place& where,
                   Effect effect = Effect::changes);
  void leave_out(std::string_view what, std::string_view why, Effect effect, const Place& where);

  /// As warnings, what may change the motion; and one note that counts the rest.
  std::vector<Diagnostic> notes() const;
  /// Lines for people.
  std::vector<std::string> lines() const;
};

const char* to_text(Effect effect);

}  // namespace sarrus
