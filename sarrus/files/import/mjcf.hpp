// MJCF, the format of MuJoCo.
#pragma once

#include "sarrus/files/import/import_robot.hpp"
#include "sarrus/files/import/xml.hpp"

namespace sarrus {

Imported import_mjcf(XmlElement mujoco, const std::string& file, const ImportOptions& options);

}  // namespace sarrus
