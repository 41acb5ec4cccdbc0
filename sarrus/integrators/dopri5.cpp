// The method of Dormand and Prince, order 5 with an estimate of order 4, and a dense output of
// order 4.
//
//   six evaluations per step: the seventh stage is the first one of the next step
//
// [Dormand, Prince 1980], coefficients and dense output as in [Hairer, Nørsett, Wanner 1993,
// II.5–II.6]
#include "sarrus/integrators/adaptive_runge_kutta.hpp"
#include "sarrus/integrators/methods.hpp"

namespace sarrus {
namespace {

constexpr double c[] = {0, 1 / 5., 3 / 10., 4 / 5., 8 / 9., 1, 1};

constexpr Weight a1[] = {{0, 1 / 5.}};
constexpr Weight a2[] = {{0, 3 / 40.}, {1, 9 / 40.}};
constexpr Weight a3[] = {{0, 44 / 45.}, {1, -56 / 15.}, {2, 32 / 9.}};
constexpr Weight a4[] = {
    {0, 19372 / 6561.}, {1, -25360 / 2187.}, {2, 64448 / 6561.}, {3, -212 / 729.}};
constexpr Weight a5[] = {
    {0, 9017 / 3168.}, {1, -355 / 33.}, {2, 46732 / 5247.}, {3, 49 / 176.}, {4, -5103 / 18656.}};
constexpr Weight b[] = {
    {0, 35 / 384.}, {2, 500 / 1113.}, {3, 125 / 192.}, {4, -2187 / 6784.}, {5, 11 / 84.}};
constexpr Weights a[] = {a1, a2, a3, a4, a5, b};

// b − b̂
constexpr Weight e[] = {{0, 71 / 57600.},      {2, -71 / 16695.}, {3, 71 / 1920.},
                        {4, -17253 / 339200.}, {5, 22 / 525.},    {6, -1 / 40.}};

constexpr Weight d3[] = {{0, -12715105075 / 11282082432.}, {2, 87487479700 / 32700410799.},
                         {3, -10690763975 / 1880347072.},  {4, 701980252875 / 199316789632.},
                         {5, -1453857185 / 822651844.},    {6, 69997945 / 29380423.}};
constexpr Weights d[] = {d3};

constexpr EmbeddedTableau tableau = {.name = "dopri5",
                                     .order = 5,
                                     .main = 7,
                                     .c = c,
                                     .a = a,
                                     .error = e,
                                     .error_low = {},
                                     .dense = d,
                                     .fac_min = 0.2,
                                     .fac_max = 10,
                                     .stable = 3.25};

}  // namespace

const EmbeddedTableau& dopri5_tableau() { return tableau; }

std::unique_ptr<Integrator> make_dopri5(const IntegratorOptions& options) {
  return std::make_unique<AdaptiveRungeKutta>(tableau, options);
}

}  // namespace sarrus
