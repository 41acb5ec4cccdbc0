// An MJCF file with all that it includes, and what its defaults and its compiler settings make of an
// element: what stands in the file itself is not yet what MuJoCo means.
#pragma once

#include <array>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "sarrus/files/import/sheet.hpp"
#include "sarrus/files/import/xml.hpp"
#include "sarrus/files/text/paths.hpp"
#include "sarrus/spatial/spatial.hpp"

namespace sarrus {

/// <compiler>, and what of <option> the equations of motion depend on.
struct MjcfSettings {
  bool degrees = true;
  std::string euler = "xyz";
  enum class FromGeom { no, yes, where_missing } inertia_from_geom = FromGeom::where_missing;
  bool autolimits = true, balance_inertia = false;
  double bound_mass = 0, bound_inertia = 0, total_mass = -1;
  int group_low = 0, group_high = 5;  // of geoms that have mass
  std::string mesh_folder;
  bool strip_path = false;
  Vec3 gravity{0, 0, -9.81};
};

class MjcfSource {
 public:
  /// Expands includes in place. Throws Error(Fault::model) where they cannot be read.
  MjcfSource(XmlElement root, const std::string& file, const AllowedRoots& roots, XmlFaults& faults,
             ImportReport& report);

  const XmlElement& root() const { return root_; }
  const MjcfSettings& settings() const { return settings_; }
  const std::vector<std::string>& files() const { return files_; }
  /// All top-level sections of a name, in order.
  std::vector<const XmlElement*> sections(std::string_view name) const { return root_.all(name); }

  /// An attribute as written, or as the defaults of the element's class have it. `inherited` is the
  /// childclass of the bodies around it.
  const std::string* attribute(const XmlElement& e, std::string_view key,
                               const std::string& inherited) const;
  std::optional<double> number(const XmlElement& e, std::string_view key,
                               const std::string& inherited) const;
  /// Any count of numbers.
  std::vector<double> numbers(const XmlElement& e, std::string_view key,
                              const std::string& inherited) const;
  std::optional<Vec3> vector(const XmlElement& e, std::string_view key,
                             const std::string& inherited) const;
  /// quat, axisangle, euler, xyaxes or zaxis.
  Mat3 rotation(const XmlElement& e, const std::string& inherited) const;
  /// pos and one of those.
  Pose<double> pose(const XmlElement& e, const std::string& inherited) const;
  double angle(double written) const;

  /// Attributes of default classes that are understood but stand nowhere for one that was needed count as
  /// used.
  void use_defaults() const;

  XmlFaults& faults() const { return faults_; }

 private:
  void expand(XmlElement& in, const std::string& folder, std::vector<std::string>& chain,
              int depth);
  void read_settings(ImportReport& report);
  void read_defaults(const XmlElement& e, const std::string& parent, bool top);
  const std::string* from_class(const std::string& name, std::string_view element,
                                std::string_view key) const;

  XmlElement root_;
  XmlFaults& faults_;
  AllowedRoots roots_;
  MjcfSettings settings_;
  std::vector<std::string> files_;
  size_t bytes_ = 0, elements_ = 0;
  struct Class {
    std::string parent;
    std::vector<const XmlElement*> elements;
  };
  std::map<std::string, Class> classes_;
  mutable std::set<std::pair<std::string, std::string>> asked_;  // element, attribute
};

}  // namespace sarrus
