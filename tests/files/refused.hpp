// How tests ask for a refusal: the text of the error and its kind.
#pragma once

#include <doctest/doctest.h>

#include <string>
#include <string_view>

#include "sarrus/files/read_model.hpp"

inline bool has(const std::string& text, std::string_view part) {
  return text.find(part) != text.npos;
}

/// What reading says; "" where the model is accepted. Fails where the fault is of another kind.
inline std::string refused(std::string_view text, sarrus::Fault expected = sarrus::Fault::model,
                           sarrus::Format format = sarrus::Format::toml) {
  try {
    sarrus::parse_model(text, "m.toml", format);
  } catch (const sarrus::Error& e) {
    CHECK_MESSAGE(e.fault() == expected, std::string(e.what()));
    return e.what();
  }
  return "";
}

/// A model of one body with these lines in it.
inline std::string with_body(std::string_view lines) {
  return "sarrus = 1\n[[body]]\nname = \"a\"\n" + std::string(lines) + "\n";
}

/// A body "a" on a joint to the world with these lines in the joint.
inline std::string with_joint(std::string_view lines) {
  return "sarrus = 1\n[[body]]\nname = \"a\"\nmass = 1\ninertia = [1, 1, 1]\n[[joint]]\nname = "
         "\"j\"\nchild = \"a\"\n" +
         std::string(lines) + "\n";
}

/// The text of all warnings and notes of an accepted model.
inline std::string notes(std::string_view text) {
  return to_text(sarrus::parse_model(text, "m.toml").notes);
}
