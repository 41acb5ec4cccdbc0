// sarrus schema: the JSON Schema of model files, for editors that complete and check while typing.
#include "sarrus/files/schema.hpp"
#include "commands/commands.hpp"
#include "options.hpp"

namespace sarrus::app {

void add_schema(Program& program) {
  Command command = program.parser.add_command("schema", "Prints the JSON Schema of model files");
  command.footer("Example:\n  sarrus schema > sarrus.schema.json");
  command.action([] {
    write_out(schema_json() + "\n");
    return 0;
  });
}

}  // namespace sarrus::app
