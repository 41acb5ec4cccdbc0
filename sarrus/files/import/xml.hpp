// An XML file as a tree of elements, each with its place, read by tinyxml2.
//
// tinyxml2 knows no entities but the five of XML, so that nothing expands; a document type is refused
// all the same, because what it defines would be missing. What a reader has used of an element is
// marked, so that the rest can be named afterwards.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "sarrus/core/diagnostic.hpp"

namespace sarrus {

struct XmlLimits {
  static constexpr size_t file_bytes = 64u << 20;
  static constexpr size_t elements = 1'000'000;
  static constexpr int depth = 100;  // of elements in elements; tinyxml2's own limit
};

struct XmlAttribute {
  std::string name, value;
  mutable bool used = false;
};

struct XmlElement {
  std::string name;
  std::string file;
  int line = 0, column = 0;
  std::vector<XmlAttribute> attributes;
  std::vector<XmlElement> children;
  std::string text;           // between its tags, without blanks around it
  mutable bool used = false;  // its name was understood

  Place place() const { return {file, line, column}; }
  /// The value of an attribute, which counts as used from then on; nullptr where it is absent.
  const std::string* attribute(std::string_view key) const;
  /// The first child of a name, which counts as used; nullptr where there is none.
  const XmlElement* child(std::string_view key) const;
  /// All children of a name, which count as used.
  std::vector<const XmlElement*> all(std::string_view key) const;
  /// Counts as used, with everything in it.
  void use_all() const;
  /// "link 'arm'", "origin": for messages.
  std::string title() const;
};

/// Throws Error(Fault::model) with the place of the first fault.
XmlElement read_xml(std::string_view text, const std::string& file);

}  // namespace sarrus
