// URDF: links in a tree of joints, each link with its inertia in a frame of its own.
#pragma once

#include "sarrus/files/import/import_robot.hpp"
#include "sarrus/files/import/xml.hpp"

namespace sarrus {

Imported import_urdf(const XmlElement& robot, const std::string& file,
                     const ImportOptions& options);

}  // namespace sarrus
