// What a force element says of itself beside its force. Step limits, failures, conserved
// quantities, linearisation and audits ask here and know no element by name.
#pragma once

#include <concepts>

#include "sarrus/core/random.hpp"
#include "sarrus/forces/context.hpp"

namespace sarrus {

struct ForceFacts {
  const char* word;                // in messages: "spring of joint 'hip'", "spring 'coil'"
  const char* damping = "";        // the part that depends on velocities: "the damper"
  const char* drive = "";          // the part that puts energy in from outside: "the motor"
  bool follows_positions = false;  // it has a share of the potential energy of a mode
  bool is_given = false;           // by formulas alone, so that it need not have a potential
};

/// What an element shows of itself: as a column NAME.quantity of results, and under the same name
/// in formulas. An element with quantities answers read(context, i) for each.
struct ElementQuantity {
  enum class Of { positions, velocities, forces };  // what it depends on, the last of these
  const char *name, *unit;
  Of of = Of::forces;  // these may need formulas, and are not known to the formulas of forces then
};

/// Stiffness and damping along one direction: of a velocity, between two points, or of one body's
/// turn against another.
struct Resistance {
  enum class Along { velocity, points, turn };
  Along along = Along::velocity;
  double k = 0, damping = 0;
  int u = -1;           // velocity
  int a = 0, b = 0;     // points, turn
  Vec3 at_a{}, at_b{};  // points
};

/// A formula that an element reads, which is an input of the linearised mechanism.
struct FormulaInput {
  int formula = 0;
  const char* name = "";       // OWNER.name
  const char* rate = nullptr;  // name of its rate as an input, where the element reads that too
  bool rate_acts = true;
};

/// Replaces a number that is not zero by one of order one: with elements varied in this way, what
/// is conserved can be told from what merely cancels for the numbers of the model.
inline void randomise(Random& r, double& x) {
  if (x != 0) x = r.uniform(0.5, 1.5);
}
inline void randomise(Random& r, Vec3& v) {
  randomise(r, v.x), randomise(r, v.y), randomise(r, v.z);
}

/// What puts energy in from outside, "" where nothing does: an element may have it or not.
template <class E>
const char* drive_of(const E& e) {
  if constexpr (requires { e.is_driven(); })
    if (!e.is_driven()) return "";
  return E::facts.drive;
}

inline double largest(const Vec3& v) {
  const double x = v.x > v.y ? v.x : v.y;
  return x > v.z ? x : v.z;
}

// ── where an element acts ───────────────────────────────────────────────────────────────────────

template <class E>
concept OnVelocity = requires(const E& e) {
  e.u;
};
template <class E>
concept OnBody = requires(const E& e) {
  e.body;
}
&&!OnVelocity<E>;
template <class E>
concept BetweenBodies = requires(const E& e) {
  e.a;
  e.b;
};

/// What every element answers, over double; apply(), as() and each_number() over every scalar.
template <class E>
concept ForceElement = (OnVelocity<E> || OnBody<E> ||
                        BetweenBodies<E>)&&requires(const E& e, E& own, ForceContext<double>& c,
                                                    Random& random, void (*number)(double&),
                                                    void (*resistance)(const Resistance&),
                                                    void (*input)(const FormulaInput&)) {
  { E::facts.word } -> std::convertible_to<const char*>;
  { e.dissipates() } -> std::same_as<bool>;  // whether its force depends on velocities
  e.apply(c);                                // adds its force, and keeps the account of its energy
  e.template as<double>();                   // itself over another scalar
  own.each_number(number);                   // every scalar in it
  own.vary(random);                          // to numbers of size one, acting always
  e.resistances(resistance);                 // stiffness and damping, for steps and failures
  e.inputs(input);                           // formulas that it reads
};

/// An element that a model names: it has a table of its own, and is made of that table.
template <class E>
concept NamedElement = ForceElement<E> && requires {
  { E::Spec::table.table } -> std::convertible_to<const char*>;
  E::Spec::keys();
};

}  // namespace sarrus
