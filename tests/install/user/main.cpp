// A program of a user's own, built against the installed library: a pendulum released at 90°.
#include <cstdio>

#include "sarrus/files/read_model.hpp"
#include "sarrus/run/simulate.hpp"

int main(int, char** argv) {
  try {
    const sarrus::Model model = sarrus::read_model(argv[1]);
    const sarrus::Mechanism mechanism = sarrus::compile(model);
    const sarrus::Run run = sarrus::simulate(mechanism, model.simulate);
    std::printf("hinge.q = %.6f rad\n", run.trajectory.at(run.trajectory.rows() - 1, "hinge.q"));
  } catch (const sarrus::Error& e) {
    std::fprintf(stderr, "%s\n", e.what());
    return e.exit_code();
  }
}
