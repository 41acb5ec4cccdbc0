#include "sarrus/run/run_start.hpp"

#include "sarrus/formulations/assembly/assembly.hpp"

namespace sarrus {

StartState run_start(const Mechanism& mechanism, double t) {
  const Assembly assembly = assemble_to_run(mechanism, t);
  return {t, assembly.start.q, assembly.start.u, mechanism.start_state, assembly.notes};
}

}  // namespace sarrus
