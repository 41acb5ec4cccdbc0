// Model files for who compiles them as they are: `read_model` gives a plain Model to change first.
#pragma once

#include "sarrus/files/read_model.hpp"
#include "sarrus/model/valid_model.hpp"

namespace sarrus {

/// As `read_model`, with the proof that the model was validated.
ValidModel read_valid_model(const std::string& path, const ReadOptions& options = {},
                            const char* headers = SARRUS_VERSION);

}  // namespace sarrus
