// Reads one MJCF file: bodies with their joints first, then what refers to them by name.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "sarrus/files/import/import_robot.hpp"
#include "sarrus/files/import/mesh_paths.hpp"
#include "sarrus/files/import/mjcf_mass.hpp"
#include "sarrus/files/import/mjcf_source.hpp"
#include "sarrus/files/import/sheet.hpp"

namespace sarrus {

const std::vector<KnownGap>& mjcf_gaps();
/// A name that a formula can use.
std::string name_for_formulas(std::string name);
/// A number in a formula: negative ones in brackets.
std::string term(double x);

class MjcfReader {
 public:
  MjcfReader(XmlElement root, const std::string& file, const ImportOptions& options)
      : options_(options),
        sheet_(file),
        source_(std::move(root), file, options.roots, faults_, sheet_.report),
        paths_(file, options.roots, options.destination),
        folder_(std::filesystem::path(file).parent_path().string()) {}
  Imported read();

 private:
  struct Body {
    std::string name;
    Pose<double> X_W;  // at the start, all joints at their reference
    Node* node = nullptr;
    MassProperties mass;
    const XmlElement* from = nullptr;
    const Body* parent = nullptr;
  };
  struct Joint {
    std::string name, type;
    double ref = 0;
    Node* node = nullptr;
    int nq = 1;
    std::vector<std::string> forces;                  // of tendons: terms of a formula
    std::vector<std::string> drives;                  // of actuators: terms of a formula
    std::optional<Node> servo;                        // instead of one drive
    std::string servo_formula;                        // the same as a term
    std::optional<std::pair<double, double>> bounds;  // of all drives together
    std::optional<std::pair<double, double>> range;
    int position = 0;  // in qpos
    const Body* body = nullptr;
    Vec3 axis_W{}, at_W{};  // at the start
    double armature = 0;
  };
  struct Site {
    std::string body;
    Pose<double> X;
  };
  struct Placed {  // an element of a body, with the frames around it
    const XmlElement* e;
    Pose<double> X;
    std::string inherited;
  };

  // assets
  void read_assets();
  struct Asset {
    const XmlElement* from;
    std::string file;
    std::optional<MjcfMesh> mesh;
    bool tried;
  };
  std::string mesh_path(const std::string& file) const;
  const MjcfMesh* mesh_of(const std::string& name);
  Mat3 reference_turn(const XmlElement& mesh);

  // bodies
  void world_body(const XmlElement& e);
  void gather(const XmlElement& e, const Pose<double>& X, const std::string& inherited,
              std::vector<Placed>& into);
  std::string new_name(const std::string& set, const XmlElement& e, std::string fallback);
  void body(const Placed& placed, const Body* above, const std::string& parent,
            const Pose<double>& X_WP);
  MassProperties mass_of(const std::vector<Placed>& inside, bool stands);
  void scale_total_mass();
  void gravity_compensation(const XmlElement& e, const Body& b);
  void site(const Placed& p, const std::string& body);

  // shapes
  void shapes(const std::vector<Placed>& inside, Node& body);
  std::string color_of(const XmlElement& e, const std::string& inherited);
  std::optional<Node> drawn(const MjcfGeom& g);
  static void put_pose(Node& n, const Pose<double>& X);

  // joints
  static void put_frame(Node& joint, std::string_view key, const Pose<double>& X);
  void connect(const std::vector<const Placed*>& joints, Body& b, const std::string& parent,
               const Pose<double>& X_PB, const XmlElement& e);
  void joint(const Placed& placed, const std::string& name, const std::string& parent,
             const std::string& child, const Pose<double>& X, const Body& b);
  void limits(const XmlElement& e, const std::string& inherited, Node& node, Joint& j);
  void dampers(const XmlElement& e, const std::string& inherited, Node& node, Joint& j);

  // equality constraints
  const Body* known_body(const XmlElement& e, const std::string& name);
  Joint* known_joint(const XmlElement& e, const std::string& name);
  void equalities(const XmlElement& section);
  void body_equality(const XmlElement& e);
  void soft(const XmlElement& e);
  void joint_equality(const XmlElement& e);
  struct Tendon {
    std::vector<std::pair<Joint*, double>> joints;  // of a fixed one
    double length = 0;                              // at the start
  };

  // tendons
  void tendons(const XmlElement& section);
  void refuse_of_tendon(const XmlElement& e);
  void fixed_tendon(const XmlElement& e);
  void spatial_tendon(const XmlElement& e);
  void tendon_equalities(const XmlElement& section);
  struct Law {  // force = gain · ctrl + bias, both affine in the length l and the speed v
    std::array<double, 3> gain{1, 0, 0}, bias{0, 0, 0};
  };
  struct Drive {
    Law law;
    std::vector<double> gear = {};
    std::optional<std::pair<double, double>> bounds = {};  // of its force
    double ctrl = 0;                                       // at the start
    std::string name = {};                                 // its own, or that of its joint
  };

  // drives
  void actuators(const XmlElement& section);
  double inertia_beyond(const Joint& j) const;
  std::optional<Law> law_of(const XmlElement& e);
  void actuator(const XmlElement& e);
  void leave_out_drive(const XmlElement& e, const std::string& which);
  Drive drive_of(const XmlElement& e, const Law& law, const std::string* joint);
  double control_at_start(const XmlElement& e, const std::string* joint);
  std::string control_of(const XmlElement& e, const Drive& d);
  static std::string force_of(const Drive& d, const std::string& control, const std::string& l,
                              const std::string& v);
  void drive_joint(const XmlElement& e, const Drive& d, const std::string& joint);
  void drive_tendon(const XmlElement& e, const Drive& d, const Tendon& t);
  void drive_site(const XmlElement& e, const Drive& d, const Site& s);
  static std::string sum_of(const std::vector<std::string>& terms);
  void write_forces();

  // keyframes
  void keys(const XmlElement& section);

  const ImportOptions& options_;
  XmlFaults faults_;
  Sheet sheet_;
  MjcfSource source_;
  MeshPaths paths_;
  std::string folder_;
  std::map<std::string, Body> bodies_;
  std::map<std::string, Joint> joints_;
  std::vector<Joint*> order_;
  std::map<std::string, Site> sites_;
  std::map<std::string, Tendon> tendons_;
  std::map<std::string, Asset> meshes_;
  std::map<std::string, std::string> colors_;
  int joint_count_ = 0, equality_count_ = 0, positions_ = 0, geoms_ = 0, drives_ = 0;
  bool key_found_ = false;
};

}  // namespace sarrus
