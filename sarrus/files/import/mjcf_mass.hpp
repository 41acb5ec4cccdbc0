// Mass, centre and inertia of bodies in MJCF: as written, or from their geoms as MuJoCo computes them.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "sarrus/files/import/mjcf_source.hpp"
#include "sarrus/model/shape.hpp"

namespace sarrus {

/// A geom as a solid on its body.
struct MjcfGeom {
  const XmlElement* from = nullptr;
  std::string type;  // "box", "mesh", "plane" …
  Pose<double> X;    // on its body
  std::vector<double> size;
  std::string mesh;  // name of the asset
  int group = 0;
};

MjcfGeom read_geom(const MjcfSource& source, const XmlElement& e, const std::string& inherited);

/// A mesh asset, scaled; nothing where it cannot be read.
struct MjcfMesh {
  Mesh mesh;
  std::string inertia = "legacy";  // how MuJoCo integrates it
};
using MeshOf = std::function<const MjcfMesh*(const std::string& name)>;

/// Of one geom in its body's frame; nothing where it has no mass. Says where it cannot be computed.
std::optional<MassProperties> geom_mass(const MjcfSource& source, const MjcfGeom& geom,
                                        const std::string& inherited, const MeshOf& mesh_of,
                                        ImportReport& report);

/// <inertial>
MassProperties written_mass(const MjcfSource& source, const XmlElement& inertial);

/// boundmass, boundinertia, balanceinertia.
MassProperties bounded(const MjcfSettings& settings, MassProperties p);

}  // namespace sarrus
