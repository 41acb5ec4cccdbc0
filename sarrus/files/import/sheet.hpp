// The model that an import makes, element by element in the order of the source: as nodes of a
// model file, so that one reader judges what was written by hand and what was imported, and as the
// text of that file.
#pragma once

#include <deque>
#include <initializer_list>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "sarrus/files/import/import_report.hpp"
#include "sarrus/files/import/xml.hpp"
#include "sarrus/files/text/document.hpp"
#include "sarrus/model/shape.hpp"
#include "sarrus/spatial/spatial.hpp"

namespace sarrus {

// ── nodes ───────────────────────────────────────────────────────────────────────────────────────

Node number_node(double x);
Node text_node(std::string text);
Node flag_node(bool value);
Node list_node(const std::vector<double>& numbers);
Node list_node(std::initializer_list<double> numbers);
Node list_node(const Vec3& v);
Node texts_node(const std::vector<std::string>& texts);
Node table_node();
/// The rotation as { rpy = … } or another table; nothing for none.
std::optional<Node> rotation_node(const Mat3& R);
/// { at = …, rotation = … }; nothing where the pose is the identity.
std::optional<Node> frame_node(const Pose<double>& X);
/// "x", "-y" or three numbers.
Node axis_node(const Vec3& axis);
/// Adds a key to a table, with the table's place where the value has none.
Node& put(Node& table, std::string_view key, Node value);

/// Roll, pitch, yaw as Rz(yaw) Ry(pitch) Rx(roll).
Mat3 rotation_rpy(const Vec3& rpy);

// ── the sheet ───────────────────────────────────────────────────────────────────────────────────

/// What a body weighs, in its own axes.
struct ImportedMass {
  double mass = 0;  // [kg]
  Vec3 com{};       // [m]
  Mat3 inertia{};   // [kg m²] about com
};

class Sheet {
 public:
  explicit Sheet(std::string file) : file_(std::move(file)) {}

  /// A new table [[kind]] that comes from an element of the source.
  Node& add(std::string_view kind, const XmlElement& from);
  /// Keys before all tables.
  Node top = table_node();
  Node simulate = table_node();
  std::map<std::string, double> parameters;
  ImportReport report;

  /// A name fit for model files and given to nothing else of its set ("body", or "column" for joints,
  /// sensors and constraints); says where it had to be changed.
  std::string unique_name(const std::string& set, const std::string& wanted,
                          const XmlElement& from);

  Document document() const;
  /// `file` stands in the comments, as the user would call it.
  std::string toml() const;

 private:
  struct Element {
    std::string kind;
    Node node;
    Place from;
  };
  std::string file_;
  std::deque<Element> elements_;
  std::map<std::string, std::set<std::string>> taken_;
  std::vector<std::string> files_;
};

/// Keys mass, com, inertia of a body; says where an inertia is one that no body has.
void put_mass(Sheet& sheet, Node& body, const ImportedMass& mass, const XmlElement& from);

// ── attributes ──────────────────────────────────────────────────────────────────────────────────

/// Faults of the source: collected, thrown at the end.
class XmlFaults {
 public:
  void error(const XmlElement& at, std::string code, std::string message, std::string hint = "");
  void add(const Diagnostic& d) { found_.add(d); }
  bool full() const { return found_.full(); }
  void throw_if_any() const { found_.throw_if_errors(Fault::model); }

 private:
  Diagnostics found_;
};

/// Numbers of a text with blanks between them; a fault where one is none or is not finite.
std::optional<std::vector<double>> numbers_in(XmlFaults& faults, const XmlElement& at,
                                              std::string_view what, const std::string& text);
std::optional<double> number_of(XmlFaults& faults, const XmlElement& at,
                                std::string_view attribute);
std::optional<Vec3> vector_of(XmlFaults& faults, const XmlElement& at, std::string_view attribute);
/// The text of an attribute that must be there.
std::string required_text(XmlFaults& faults, const XmlElement& at, std::string_view attribute);

/// What is known to be left out, by the name of an element ("gazebo") or of an attribute of one
/// ("limit@effort").
struct KnownGap {
  std::string_view name;
  Effect effect;
  std::string_view why;
};
/// Names every element and attribute that was not used, once each.
void report_unused(const XmlElement& root, const std::vector<KnownGap>& known,
                   ImportReport& report);

}  // namespace sarrus
