// PID controller of its input, the error e.
//
//   v = kp e + I + D,   y = v within its limits
//   continuous   İ = ki e,   D = kd (e − f)/T,   T ḟ = e − f                               (1)
//   sampled      I_k+1 = I_k + ki h e_k                                                    (2)
//                D_k = T/(T + h) D_k−1 + kd/(T + h) (e_k − e_k−1)                          (3)
//
// While v is beyond a limit the integral does not grow further beyond it (conditional
// integration). [Åström, Murray, Feedback Systems, 2nd ed., sec. 11.5]
#pragma once

#include "sarrus/control/block_spec.hpp"

namespace sarrus {

struct Pid {
  static constexpr BlockFacts facts{
      .word = "pid",
      .help =
          "kp e + ki ∫ e dt + kd de/dt of its input e, within limits; while the output is at a "
          "limit the integral does not grow beyond it."};
  double kp = 0, ki = 0, kd = 0;
  double filter = 0;  // T [s]
  ValueLimits limits;
  double start = 0;  // I

  // clang-format off
  static std::vector<BlockKey<Pid>> keys() {
    return {
        {.name = "kp", .member = &Pid::kp, .fallback = "0", .help = "Output per error.", .example = "20"},
        {.name = "ki", .member = &Pid::ki, .fallback = "0", .help = "Output per error and second.", .example = "5"},
        {.name = "kd", .member = &Pid::kd, .fallback = "0", .help = "Output per rate of the error.", .example = "0.4"},
        {.name = "filter", .member = &Pid::filter, .dimension = dimensions::time, .range = BlockRange::not_negative, .fallback = "0", .help = "Time constant of the filter on the derivative; above 0 where a continuous block has kd.", .example = "\"2 ms\""},
        {.name = "limits", .member = &Pid::limits, .fallback = "none", .help = "Lowest and highest value of the output.", .example = "[-10, 10]"},
        {.name = "start", .member = &Pid::start, .fallback = "0", .help = "The integral's part of the output at the start.", .example = "0.5"},
    };
  }
  // clang-format on
  void check(BlockFaults& faults) const {
    if (kd != 0 && filter == 0 && !faults.is_sampled())
      faults.refuse("filter", "improper-function",
                    "kd without a filter: the derivative of a signal in continuous time needs one",
                    "set filter to a tenth of the shortest time that matters, or every to sample");
  }
  void expand(BlockMaker& make) const {
    const std::string &e = make.in(), v = make.part("sum"), I = make.part("integral");
    const double h = make.every(), T = filter;
    std::string sum = text_of(kp, "*", e);
    if (ki != 0 || start != 0) sum += " + " + I;
    if (kd != 0) sum += " + " + make.part("rate");
    make.signal("sum", sum);
    if (ki != 0 || start != 0) {
      const std::string grows = text_of(ki, "*", e);
      const std::string rate = guarded(v, grows);
      make.state("integral", start,
                 make.is_sampled() ? text_of(I, " + ", h, "*(", rate, ")")  // (2)
                                   : rate);                                 // (1)
    }
    if (kd != 0 && make.is_sampled()) {
      const std::string rate = make.part("rate");
      make.state("last", 0, e), make.state("last_rate", 0, rate);
      make.signal("rate", text_of(T / (T + h), "*", make.part("last_rate"), " + ", kd / (T + h),
                                  "*(", e, " - ", make.part("last"), ")"));  // (3)
    } else if (kd != 0) {
      make.state("filtered", 0, text_of("(", e, " - ", make.part("filtered"), ")/", T));
      make.signal("rate", text_of(kd / T, "*(", e, " - ", make.part("filtered"), ")"));  // (1)
    }
    make.output(limits.exist() ? text_of("clamp(", v, ", ", limits.low, ", ", limits.high, ")")
                               : v);
  }

 private:
  /// `grows`, but not beyond a limit that v has passed.
  std::string guarded(const std::string& v, const std::string& grows) const {
    if (!limits.exist()) return grows;
    return text_of("if(", v, " >= ", limits.high, ", min(", grows, ", 0), if(", v,
                   " <= ", limits.low, ", max(", grows, ", 0), ", grows, "))");
  }
};

}  // namespace sarrus
