// Model files to be compiled as they are; `read_model` returns a plain Model that may be changed.
#pragma once

#include "sarrus/files/read_model.hpp"
#include "sarrus/model/valid_model.hpp"

namespace sarrus {

/// As `read_model`, with the proof that the model was validated.
ValidModel read_valid_model(const std::string& path, const ReadOptions& options = {},
                            const char* headers = SARRUS_VERSION);

}  // namespace sarrus
