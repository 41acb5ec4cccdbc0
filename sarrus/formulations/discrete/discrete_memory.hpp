// What the next step depends on, as numbers in a fixed order.
//
// Each part of the discrete formulation names once what it keeps, and the one list is both written
// and read back:
//
//   template <class Self, class Memory>  // Self: const or not
//   static void keep(Self& self, Memory& memory) { memory(self.x_, self.v_); }
#pragma once

#include <ranges>
#include <type_traits>
#include <vector>

namespace sarrus {

/// Calls Number with every number of what it is called with.
template <class Number>
class DiscreteMemory {
 public:
  explicit DiscreteMemory(Number number) : number_(number) {}

  template <class... X>
  void operator()(X&... x) {
    (visit(x), ...);
  }
  template <class Lanes>
  void lane(Lanes& x, int i) {
    double one = x[i];
    number_(one);
    if constexpr (!std::is_const_v<Lanes>) x.set(i, one);
  }

 private:
  template <class X>
  void visit(X& x) {
    using T = std::remove_const_t<X>;
    if constexpr (std::is_arithmetic_v<T>)
      number_(x);
    else if constexpr (requires { T::keep(x, *this); })
      T::keep(x, *this);
    else if constexpr (std::ranges::range<X>)
      for (auto& one : x) visit(one);
    else if constexpr (requires { x.R, x.P; })  // MotionRecord
      (*this)(x.R, x.P, x.V, x.w);
    else if constexpr (requires { x.R, x.p; })  // Pose
      (*this)(x.R, x.p);
    else if constexpr (requires { x.n, x.f; })  // Wrench, WrenchRecord
      (*this)(x.n, x.f);
    else  // Vec3, Mat3 by columns
      (*this)(x.x, x.y, x.z);
  }

  Number number_;
};

/// Adds the numbers of all parts to `out`.
template <class... Parts>
void write_memory(std::vector<double>& out, const Parts&... parts) {
  DiscreteMemory([&](const auto& x) { out.push_back(static_cast<double>(x)); })(parts...);
}

/// Takes them back; returns where the next ones start.
template <class... Parts>
const double* read_memory(const double* in, Parts&... parts) {
  DiscreteMemory([&](auto& x) { x = static_cast<std::remove_reference_t<decltype(x)>>(*in++); })(
      parts...);
  return in;
}

}  // namespace sarrus
