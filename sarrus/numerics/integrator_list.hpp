// The list of integrators: settings, messages and the table that makes them (make_integrator.cpp)
// follow from it. A new one is its own file, with make_NAME(), and one line here.
#pragma once

/// Name; whether it chooses its steps; whether it solves equations in a step.
#define SARRUS_INTEGRATORS(method)                                                                 \
  method(rk4, fixed_step, direct) method(dopri5, adaptive, direct)                                 \
      method(dop853, adaptive, direct) method(semi_implicit_euler, fixed_step, direct)             \
          method(midpoint, fixed_step, implicit) method(gauss4, fixed_step, implicit)              \
              method(gauss6, fixed_step, implicit) method(stormer_verlet, fixed_step, implicit)    \
                  method(discrete_gradient, fixed_step, implicit) method(tao, fixed_step, direct)  \
                      method(lie_midpoint, fixed_step, implicit)                                   \
                          method(generalized_alpha, fixed_step, implicit)                          \
                              method(sdirk4, adaptive, implicit) method(radau, adaptive, implicit) \
                                  method(cvode, adaptive, direct) method(auto, adaptive, implicit)
