#include "sarrus/mechanism/contacts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "sarrus/core/near_match.hpp"

namespace sarrus {
namespace {

class ContactList {
 public:
  ContactList(const Model& model, Mechanism& m, Diagnostics& faults)
      : model_(model), m_(m), faults_(faults) {}

  void add(const ContactSpec& c) {
    const int law = static_cast<int>(m_.contact_laws.size());
    m_.contact_laws.push_back({c.name, c.where, c.stiffness, c.dissipation, c.friction});
    check_numbers(c);
    std::vector<std::vector<int>> solids;
    for (const std::string& body : c.bodies) solids.push_back(solids_of(c, body, c.where));
    if (c.bodies.empty()) fault(c, "bodies", "missing-key", "no body is named");
    if (!c.with) {
      for (size_t i = 0; i < solids.size(); ++i)
        for (size_t j = i + 1; j < solids.size(); ++j) pair_up(solids[i], solids[j], law);
      if (c.bodies.size() == 1)
        fault(c, "bodies", "one-body", "one body alone touches nothing",
              "name `with`, or more bodies");
      return;
    }
    const std::vector<int> other =
        c.plane ? std::vector<int>{plane_of(c)} : solids_of(c, *c.with, c.with_where);
    for (size_t i = 0; i < solids.size(); ++i)
      if (c.bodies[i] == *c.with)
        fault(c, "with", "same-body", fmt::format("body '{}' does not touch itself", *c.with));
      else
        pair_up(solids[i], other, law);
  }

 private:
  void fault(const ContactSpec& c, const char* key, const char* code, const std::string& message,
             const std::string& hint = "") {
    faults_.error(code, c.where, fmt::format("contact/{}/{}", c.name, key), message, hint);
  }

  void check_numbers(const ContactSpec& c) {
    if (!(c.stiffness > 0 && std::isfinite(c.stiffness)))
      fault(c, "stiffness", "bad-value",
            fmt::format("{} N/m is not a stiffness above 0", c.stiffness));
    if (!(c.dissipation >= 0 && std::isfinite(c.dissipation)))
      fault(c, "dissipation", "bad-value", fmt::format("{} s/m is below 0", c.dissipation));
    if (!(c.friction >= 0 && std::isfinite(c.friction)))
      fault(c, "friction", "bad-value", fmt::format("{} is below 0", c.friction));
    if (c.plane && !(norm(c.normal) > 0.5))
      fault(c, "plane/normal", "zero-axis", "the normal of a plane has no direction");
  }

  int body_index(const std::string& name) const {
    for (size_t i = 0; i < model_.bodies.size(); ++i)
      if (model_.bodies[i].name == name) return static_cast<int>(i);
    return -1;
  }

  std::vector<int> solids_of(const ContactSpec& c, const std::string& name, const Place& where) {
    const int index = body_index(name);
    if (index < 0) {
      std::vector<std::string> names;
      for (const BodySpec& b : model_.bodies) names.push_back(b.name);
      faults_.error("unknown-body", where, fmt::format("contact/{}", c.name),
                    name == "world" ? std::string("the world has no shapes")
                                    : fmt::format("no body is called '{}'", name),
                    name == "world" ? "give a plane" : did_you_mean(name, names));
      return {};
    }
    std::vector<int> found;
    for (const Shape& shape : model_.bodies[index].shapes) {
      Solid s;
      s.body = m_.bodies[index].body;
      s.X_BS = m_.bodies[index].X_BC * shape.X_BS;
      s.radius = shape.radius;
      s.half = shape.length / 2;
      s.halves = shape.size * 0.5;
      if (shape.kind == ShapeKind::sphere)
        s.kind = SolidKind::sphere;
      else if (shape.kind == ShapeKind::capsule)
        s.kind = SolidKind::capsule;
      else if (shape.kind == ShapeKind::box)
        s.kind = SolidKind::box;
      else
        continue;
      found.push_back(static_cast<int>(m_.solids.size()));
      m_.solids.push_back(s);
    }
    if (found.empty())
      faults_.error("no-shape", where, fmt::format("contact/{}", c.name),
                    fmt::format("body '{}' has no sphere, capsule or box", name),
                    "give it one of these shapes; without a density it has no mass");
    return found;
  }

  int plane_of(const ContactSpec& c) {
    Solid s;
    s.kind = SolidKind::plane;
    const int index = *c.with == "world" ? -1 : body_index(*c.with);
    if (index < 0 && *c.with != "world")
      fault(c, "with", "unknown-body", fmt::format("no body is called '{}'", *c.with));
    const Pose<double> X_BC = index < 0 ? Pose<double>{} : m_.bodies[index].X_BC;
    s.body = index < 0 ? 0 : m_.bodies[index].body;
    const double n = norm(c.normal);
    s.X_BS = X_BC * Pose<double>{rotation_from_z(n > 0 ? c.normal * (1 / n) : Vec3{0, 0, 1}), c.at};
    m_.solids.push_back(s);
    return static_cast<int>(m_.solids.size()) - 1;
  }

  void pair_up(const std::vector<int>& first, const std::vector<int>& second, int law) {
    for (const int i : first)
      for (const int j : second) {
        const Solid &a = m_.solids[i], &b = m_.solids[j];
        // a sphere stands first: it is met by its one point
        const bool turn = b.kind == SolidKind::sphere && a.kind != SolidKind::sphere;
        m_.contact_pairs.push_back(
            {turn ? j : i, turn ? i : j, law, turn ? contact_points(b, a) : contact_points(a, b)});
      }
  }

  const Model& model_;
  Mechanism& m_;
  Diagnostics& faults_;
};

}  // namespace

void add_contacts(const Model& model, Mechanism& m, Diagnostics& faults) {
  ContactList list(model, m, faults);
  for (const ContactSpec& c : model.contacts) list.add(c);
}

}  // namespace sarrus
