// SDF, the format of Gazebo, 1.6 and later.
#pragma once

#include "sarrus/files/import/import_robot.hpp"
#include "sarrus/files/import/xml.hpp"

namespace sarrus {

Imported import_sdf(const XmlElement& sdf, const std::string& file, const ImportOptions& options);

}  // namespace sarrus
