// The commands: each adds itself to the parser, with what it takes and what it does.
#pragma once

#include "output.hpp"
#include "parser.hpp"

namespace sarrus::app {

struct Program {
  Parser parser;
  Output out;
};

void add_new(Program& program);
void add_check(Program& program);
void add_import(Program& program);
void add_run(Program& program);
void add_export(Program& program);
void add_plot(Program& program);
void add_report(Program& program);
void add_view(Program& program);
void add_schema(Program& program);
void add_reduce(Program& program);
void add_equilibrium(Program& program);
void add_modes(Program& program);
void add_markers(Program& program);
void add_verify(Program& program);
void add_examples(Program& program);
void add_doctor(Program& program);
void add_completion(Program& program);
void add_man(Program& program);
void add_demo(Program& program);

}  // namespace sarrus::app
