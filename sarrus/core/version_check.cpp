#include "sarrus/core/version_check.hpp"

#include <fmt/format.h>

#include <string_view>

#include "sarrus/core/diagnostic.hpp"

namespace sarrus {

const char* library_version() { return SARRUS_VERSION; }

void check_version(const char* headers) {
  if (std::string_view(headers) == library_version()) return;
  throw Error(Fault::usage,
              {.code = "version-mismatch",
               .message = fmt::format(
                   "compiled with the headers of Sarrus {}, but linked with the library of "
                   "Sarrus {}",
                   headers, library_version()),
               .hint = "compile again with the headers that belong to the library",
               .value = headers,
               .limit = library_version()});
}

}  // namespace sarrus
