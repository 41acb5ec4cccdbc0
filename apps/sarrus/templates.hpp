// Models to start from: each runs as it is and says in comments what may be changed.
#pragma once

#include <string>
#include <vector>

namespace sarrus::app {

struct Template {
  const char* name;
  const char* help;
  const char* text;  // {name} stands for the model's name
};

const std::vector<Template>& templates();

}  // namespace sarrus::app
