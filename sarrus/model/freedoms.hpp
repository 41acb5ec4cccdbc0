// What a joint of a model has: its freedoms, coordinates, chart and axes.
#pragma once

#include <vector>

#include "sarrus/model/model.hpp"

namespace sarrus {

/// One entry for each velocity.
std::vector<Freedom> freedoms_of(const JointSpec& joint);

/// Number of positions q.
int position_count(const JointSpec& joint);

ChartKind chart_of(JointType type);
JointAxes axes_of(JointType type);

}  // namespace sarrus
