// All force elements of a mechanism, one list per kind: a loop over each, no virtual call.
#pragma once

#include <cstdint>
#include <vector>

#include "sarrus/forces/force_kinds.hpp"

namespace sarrus {

#define SARRUS_WORD(list, ...) list,
enum class ForceKind : std::uint8_t {
  SARRUS_JOINT_FORCES(SARRUS_WORD) SARRUS_NAMED_FORCES(SARRUS_WORD) count
};
#undef SARRUS_WORD

#define SARRUS_KIND(list, Element, ...)            \
  template <class T>                               \
  constexpr ForceKind kind_of(const Element<T>&) { \
    return ForceKind::list;                        \
  }                                                \
  static_assert(ForceElement<Element<double>>);
SARRUS_JOINT_FORCES(SARRUS_KIND)
SARRUS_NAMED_FORCES(SARRUS_KIND)
#undef SARRUS_KIND

#define SARRUS_NAMED(list, Element, ...) static_assert(NamedElement<Element<double>>);
SARRUS_NAMED_FORCES(SARRUS_NAMED)
#undef SARRUS_NAMED

template <class T>
struct ForceSet {
#define SARRUS_LIST(list, Element, ...) std::vector<Element<T>> list;
  SARRUS_JOINT_FORCES(SARRUS_LIST)
  SARRUS_NAMED_FORCES(SARRUS_LIST)
#undef SARRUS_LIST

  /// Calls f with every list, in the order of the kinds.
  template <class Self, class F>
  static void each(Self& s, F&& f) {
#define SARRUS_CALL(list, ...) f(s.list);
    SARRUS_JOINT_FORCES(SARRUS_CALL) SARRUS_NAMED_FORCES(SARRUS_CALL)
#undef SARRUS_CALL
  }

  /// Whether an element acts on bodies, not along velocities of joints.
  bool has_spatial() const {
    bool found = false;
    each(*this, [&]<class E>(const std::vector<E>& list) {
      if constexpr (!OnVelocity<E>) found = found || !list.empty();
    });
    return found;
  }

  /// Quantity of element i among all named ones that show some, list after list.
  T read(const ForceContext<T>& context, int i, int quantity) const {
    T value{};
    each(*this, [&]<class E>(const std::vector<E>& list) {
      if constexpr (requires { E::quantities; } && !OnVelocity<E>) {
        const int size = static_cast<int>(list.size());
        if (i >= 0 && i < size) value = list[i].read(context, quantity);
        i -= size;
      }
    });
    return value;
  }

  template <class U>
  ForceSet<U> as() const {
    ForceSet<U> out;
    const auto convert = [](const auto& from, auto& to) {
      for (const auto& element : from) to.push_back(element.template as<U>());
    };
#define SARRUS_CONVERT(list, ...) convert(list, out.list);
    SARRUS_JOINT_FORCES(SARRUS_CONVERT)
    SARRUS_NAMED_FORCES(SARRUS_CONVERT)
#undef SARRUS_CONVERT
    return out;
  }

  void apply(ForceContext<T>& context) const {
    each(*this, [&](const auto& list) {
      for (const auto& element : list) element.apply(context);
    });
  }
};

}  // namespace sarrus
