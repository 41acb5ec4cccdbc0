// Models, in TOML or, where they begin with a brace, in JSON: read, validated, compiled.
#include "fuzz/target.hpp"
#include "sarrus/files/read_model.hpp"
#include "sarrus/mechanism/mechanism.hpp"

void sarrus::fuzz::take(std::string_view bytes) {
  may_refuse([&] {
    const Format format = bytes.starts_with('{') ? Format::json : Format::toml;
    const Model model = parse_model(bytes, "/nowhere/fuzz.toml", format);
    if (model.bodies.size() < 50) compile(model);
  });
}
