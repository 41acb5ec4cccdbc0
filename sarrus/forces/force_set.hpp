// All force elements of a mechanism, one list per kind: a loop over each, no virtual call.
#pragma once

#include <vector>

#include "sarrus/forces/applied_force.hpp"
#include "sarrus/forces/bushing.hpp"
#include "sarrus/forces/elastic_stiffness.hpp"
#include "sarrus/forces/joint_damper.hpp"
#include "sarrus/forces/joint_drive.hpp"
#include "sarrus/forces/joint_limit.hpp"
#include "sarrus/forces/joint_spring.hpp"
#include "sarrus/forces/point_spring.hpp"

namespace sarrus {

template <class T>
struct ForceSet {
  std::vector<JointSpring<T>> joint_springs;
  std::vector<SphericalSpring<T>> spherical_springs;
  std::vector<ElasticStiffness<T>> elastic;
  std::vector<JointDamper<T>> dampers;
  std::vector<JointFriction<T>> frictions;
  std::vector<JointLimit<T>> limits;
  std::vector<JointSource<T>> sources;
  std::vector<Servo<T>> servos;
  std::vector<Motor<T>> motors;
  std::vector<PointSpring<T>> point_springs;
  std::vector<Bushing<T>> bushings;
  std::vector<AppliedForce<T>> applied;

  /// Calls f with every list; the lists above, in order. A new kind of force is one line here.
  template <class Self, class F>
  static void each(Self& s, F&& f) {
    f(s.joint_springs), f(s.spherical_springs), f(s.elastic), f(s.dampers), f(s.frictions),
        f(s.limits);
    f(s.sources), f(s.servos), f(s.motors);
    f(s.point_springs), f(s.bushings), f(s.applied);
  }

  bool has_spatial() const {
    return !(point_springs.empty() && bushings.empty() && applied.empty());
  }

  /// Quantity of element i among all that show some, list after list.
  T read(const ForceContext<T>& context, int i, int quantity) const {
    T value{};
    each(*this, [&]<class E>(const std::vector<E>& list) {
      if constexpr (requires { E::quantities; }) {
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
    convert(joint_springs, out.joint_springs), convert(spherical_springs, out.spherical_springs);
    convert(elastic, out.elastic), convert(dampers, out.dampers), convert(frictions, out.frictions),
        convert(limits, out.limits);
    convert(sources, out.sources), convert(servos, out.servos), convert(motors, out.motors);
    convert(point_springs, out.point_springs), convert(bushings, out.bushings);
    convert(applied, out.applied);
    return out;
  }

  void apply(ForceContext<T>& context) const {
    each(*this, [&](const auto& list) {
      for (const auto& element : list) element.apply(context);
    });
  }
};

}  // namespace sarrus
