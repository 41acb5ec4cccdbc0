// MJCF as Sarrus says it. A body with joints j₁ … jₙ moves by
//
//   X_PB = X_body Π Jᵢ,   Jᵢ = T(pᵢ) exp(axisᵢ (qᵢ − refᵢ)) T(−pᵢ)
//
// so that n joints are n − 1 massless bodies between parent and body, and each keeps its name and its
// coordinate: ref turns the joint's frame on the parent. Equality constraints become joints that close loops, and
// gears and couplings among coordinates: hard, where MuJoCo's are soft.
#include "sarrus/files/import/mjcf.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "sarrus/core/near_match.hpp"
#include "sarrus/files/import/mjcf_reader.hpp"
#include "sarrus/files/mesh/read_mesh.hpp"

namespace sarrus {

std::string name_for_formulas(std::string name) {
  for (char& c : name)
    if (c == '-') c = '_';
  if (!name.empty() && name[0] >= '0' && name[0] <= '9') name = "n" + name;
  return name;
}

std::string term(double x) {
  return x < 0 ? fmt::format("({})", x) : fmt::format("{}", x == 0 ? 0.0 : x);
}

Imported MjcfReader::read() {
  ImportReport& report = sheet_.report;
  report.format = "MJCF";
  const std::string* name = source_.root().attribute("model");
  report.model = name ? *name : "";
  if (name && !name->empty()) put(sheet_.top, "name", text_node(shown(*name, 200)));
  const Vec3 g = source_.settings().gravity;
  if (g.x != 0 || g.y != 0 || g.z != -9.81) put(sheet_.top, "gravity", list_node(g));
  read_assets();
  Body& world = bodies_["world"];
  world.name = "world";
  for (const XmlElement* w : source_.sections("worldbody")) world_body(*w);
  scale_total_mass();
  for (const XmlElement* e : source_.sections("equality")) equalities(*e);
  for (const XmlElement* e : source_.sections("tendon")) tendons(*e);
  for (const XmlElement* e : source_.sections("equality")) tendon_equalities(*e);
  for (const XmlElement* e : source_.sections("actuator")) actuators(*e);
  write_forces();
  for (const XmlElement* e : source_.sections("keyframe")) keys(*e);
  faults_.throw_if_any();
  if (geoms_ > 0)
    report.leave_out("contact",
                     "geoms do not touch here; [[contact]] of a model sets it up. The motion "
                     "differs once they would",
                     Effect::unknown, source_.root().place());
  for (const XmlElement* section : source_.sections("asset"))
    for (const XmlElement& a : section->children)
      if (a.name == "mesh" || a.name == "material") a.use_all();
  source_.use_defaults();
  report_unused(source_.root(), mjcf_gaps(), report);
  Imported made{sheet_.document(), sheet_.toml(), report, {}, source_.files(), paths_.copies()};
  if (!paths_.package_folder().empty()) made.roots.push_back(paths_.package_folder());
  return made;
}

Imported import_mjcf(XmlElement mujoco, const std::string& file, const ImportOptions& options) {
  return MjcfReader(std::move(mujoco), file, options).read();
}

}  // namespace sarrus
