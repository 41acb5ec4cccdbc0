// Robots in URDF, MJCF or SDF: imported; what is written of them is a model or refused as one.
#include "fuzz/target.hpp"
#include "sarrus/files/import/import_robot.hpp"
#include "sarrus/files/read_model.hpp"

void sarrus::fuzz::take(std::string_view bytes) {
  may_refuse([&] {
    const Imported made = import_robot(bytes, "/nowhere/fuzz.xml", {});
    may_refuse([&] { parse_model(made.toml, "/nowhere/fuzz.toml"); });
  });
}
