#include "sarrus/files/grammar.hpp"

#include <algorithm>
#include <deque>
#include <stdexcept>

#include "sarrus/model/model.hpp"

namespace sarrus {
namespace {

namespace d = dimensions;
using K = Kind;
using Q = Quantified;

Key name_key(std::string_view example) {
  return {.name = "name",
          .kind = K::name,
          .required = true,
          .help = "Letters, digits, `_` and `-`, at most 100 characters; unique.",
          .example = example};
}

std::vector<std::string_view> joint_words() {
  std::vector<std::string_view> words;
#define SARRUS_NAME(word, type) words.push_back(#word);
  SARRUS_JOINTS(SARRUS_NAME)
#undef SARRUS_NAME
  words.push_back("sequence");
  return words;
}

Kind kind_of(const Setting::Member& member) {
  if (std::holds_alternative<bool SimulateSpec::*>(member)) return K::boolean;
  if (std::holds_alternative<std::string SimulateSpec::*>(member)) return K::choice;
  if (std::holds_alternative<std::optional<long long> SimulateSpec::*>(member)) return K::integer;
  return K::number;
}

std::vector<Key> simulate_keys() {
  std::vector<Key> keys;
  for (const Setting& s : settings())
    keys.push_back({.name = s.name,
                    .kind = kind_of(s.member),
                    .dimension = s.dimension,
                    .fallback = s.fallback,
                    .words = s.words,
                    .help = s.help,
                    .example = s.example});
  return keys;
}

// ── force elements ──

Kind kind_of(double, const auto&) { return K::number; }
Kind kind_of(const Vec3&, const auto& key) {
  return key.judged == Judged::axis ? K::axis : K::vector;
}
Kind kind_of(const std::string&, const auto&) { return K::reference; }
Kind kind_of(const PointSpec&, const auto& key) {
  return key.part == PointPart::table  ? K::table
         : key.part == PointPart::body ? K::reference
                                       : K::vector;
}
Kind kind_of(const FrameSpec&, const auto&) { return K::table; }
Kind kind_of(bool, const auto&) { return K::choice; }
Kind kind_of(const Formula&, const auto&) { return K::formula; }
Kind kind_of(const std::array<Formula, 3>&, const auto&) { return K::vector_formula; }

template <class Spec>
Key key_of(const ElementKey<Spec>& key) {
  const Spec any;
  const Kind kind = std::visit([&](auto member) { return kind_of(any.*member, key); }, key.member);
  std::vector<std::string_view> words;
  if (kind == K::choice) words.assign(key.words.begin(), key.words.end());
  const bool is_frame = std::holds_alternative<FrameSpec Spec::*>(key.member);
  return {.name = key.name,
          .kind = kind,
          .dimension = key.dimension,
          .required = key.required,
          .fallback = key.fallback,
          .words = words,
          .table = kind != K::table ? ""
                   : is_frame       ? "frame"
                                    : "point",
          .help = key.help,
          .example = key.example};
}

/// Their tables, and what the top of the file says of them.
struct ForceTables {
  std::vector<TableGrammar> tables;
  std::vector<Key> top;
};
ForceTables force_tables() {
  ForceTables found;
  const Model none;
  Model::each_force_list(none, [&]<class Spec>(const std::vector<Spec>&) {
    const ElementTable& t = Spec::table;
    found.top.push_back({.name = t.table, .kind = K::tables, .table = t.table, .help = t.summary});
    found.tables.push_back({t.table, t.help, {name_key(t.example)}});
    for (const ElementKey<Spec>& key : Spec::keys())
      found.tables.back().keys.push_back(key_of(key));
  });
  return found;
}

// ── blocks ──

Kind kind_of(const std::vector<double>&) { return K::numbers; }
Kind kind_of(double) { return K::number; }
Kind kind_of(long long) { return K::integer; }
Kind kind_of(const std::vector<std::vector<double>>&) { return K::rows; }
Kind kind_of(const std::string&) { return K::text; }
Kind kind_of(const ValueLimits&) { return K::pair; }

std::vector<std::string_view> block_words() {
  std::vector<std::string_view> words;
  BlockKinds::each([&](const auto& block) { words.push_back(block.facts.word); });
  return words;
}

/// A text that stays.
std::string_view kept(std::string text) {
  static std::deque<std::string> all;
  return all.emplace_back(std::move(text));
}

/// The keys of all kinds; what several kinds have stands once, and says of whom it is.
void add_block_keys(std::vector<Key>& keys) {
  const size_t first = keys.size();
  BlockKinds::each([&]<class Block>(const Block& block) {
    for (const BlockKey<Block>& own : Block::keys()) {
      const std::string of = std::string(block.facts.word) + ": ";
      const std::string fallback(own.required ? "required by " + std::string(block.facts.word)
                                              : std::string(own.fallback));
      const auto same = std::find_if(keys.begin() + static_cast<std::ptrdiff_t>(first), keys.end(),
                                     [&](const Key& k) { return k.name == own.name; });
      if (same != keys.end()) {
        same->help = kept(std::string(same->help) + " " + of + std::string(own.help));
        continue;
      }
      const Kind kind = std::visit([&](auto member) { return kind_of(block.*member); }, own.member);
      keys.push_back({.name = own.name,
                      .kind = kind,
                      .dimension = own.dimension,
                      .fallback = kept(fallback),
                      .help = kept(of + std::string(own.help)),
                      .example = own.example});
    }
  });
}

// One line per key, so that a table reads like the page it makes.
// clang-format off

std::vector<TableGrammar> elements() {
  return {
      {"model",
       "The top of the file.",
       {
           {.name = "sarrus", .kind = K::integer, .required = true, .help = "Version of the format.", .example = "1"},
           {.name = "name", .kind = K::text, .fallback = "the file's name", .help = "Title of the model.", .example = "\"double pendulum\""},
           {.name = "gravity", .kind = K::vector, .dimension = d::acceleration, .fallback = "[0, 0, -9.81] m/s²", .help = "Acceleration due to gravity, in world axes.", .example = "[0, 0, -9.81]"},
           {.name = "units", .kind = K::table, .table = "units", .help = "Units of plain numbers in this file."},
           {.name = "parameters", .kind = K::numbers_by_name, .help = "Named numbers for expressions.", .example = "{ L = 0.5, half = \"L/2\" }"},
           {.name = "include", .kind = K::tables, .table = "include", .help = "Parts from other files."},
           {.name = "table", .kind = K::tables, .table = "table", .help = "Functions given by points."},
           {.name = "body", .kind = K::tables, .table = "body", .help = "Rigid and elastic bodies."},
           {.name = "joint", .kind = K::tables, .table = "joint", .help = "What connects bodies."},
           {.name = "constraint", .kind = K::tables, .table = "constraint", .help = "Constraints beyond joints: rods, gears, wheels."},
           {.name = "contact", .kind = K::tables, .table = "contact", .help = "Contact between bodies (discrete formulation)."},
           {.name = "sensor", .kind = K::tables, .table = "sensor", .help = "What is recorded besides the joints."},
           {.name = "event", .kind = K::tables, .table = "event", .help = "Moments to locate."},
           {.name = "input", .kind = K::tables, .table = "input", .help = "Values that are given from outside."},
           {.name = "output", .kind = K::tables, .table = "output", .help = "Values that the model gives to the outside."},
           {.name = "state", .kind = K::tables, .table = "state", .help = "Quantities with a rate of their own: integrals, controllers."},
           {.name = "block", .kind = K::tables, .table = "block", .help = "Controllers, filters and other signal blocks."},
           {.name = "simulate", .kind = K::table, .table = "simulate", .help = "How the model is run."},
       }},
      {"units",
       "Units of plain numbers in this file; strings with a unit and results of expressions do not change.",
       {
           {.name = "length", .kind = K::text, .fallback = "\"m\"", .help = "Unit of length.", .example = "\"mm\""},
           {.name = "mass", .kind = K::text, .fallback = "\"kg\"", .help = "Unit of mass.", .example = "\"g\""},
           {.name = "time", .kind = K::text, .fallback = "\"s\"", .help = "Unit of time.", .example = "\"ms\""},
           {.name = "angle", .kind = K::text, .fallback = "\"rad\"", .help = "Unit of angle.", .example = "\"deg\""},
       }},
      {"include",
       "Reads the elements of another model file; every name in it gets the prefix and a dot.",
       {
           {.name = "file", .kind = K::file, .required = true, .help = "Model file, inside this model's folder.", .example = "\"leg.toml\""},
           {.name = "prefix", .kind = K::text, .fallback = "none", .help = "Put before every name: `left` gives `left.knee`.", .example = "\"left\""},
           {.name = "parameters", .kind = K::numbers_by_name, .help = "Values for parameters of that file.", .example = "{ L = 0.4 }"},
       }},
      {"repeat",
       "Keys of every element in a list, `[[body]]`, `[[joint]]`, `[[spring]]`, `[[include]]` and all others: one text for several elements.",
       {
           {.name = "for", .kind = K::indices, .fallback = "one element", .help = "A copy for each value of an index: `3` counts 0, 1, 2, a text holds an expression of parameters or a range, a list the values themselves; of several indices each combination. `{i}` in the element's texts stands for the value.", .example = "{ i = \"1..n\", side = [\"left\", \"right\"] }"},
           {.name = "if", .kind = K::number, .fallback = "1", .help = "The element is there only where this is not 0.", .example = "\"i > 1 and damped\""},
       }},
      {"table",
       "A function of one variable through points, called by its name: `profile(t)`.",
       {
           name_key("\"profile\""),
           {.name = "points", .kind = K::points, .help = "Pairs of x and y, x increasing.", .example = "[[0, 0], [1, 2.5], [2, 3]]"},
           {.name = "file", .kind = K::file, .help = "CSV file, instead of points.", .example = "\"profile.csv\""},
           {.name = "x", .kind = K::column, .fallback = "1", .help = "Column of x: its header, or its number from 1.", .example = "\"time\""},
           {.name = "y", .kind = K::column, .fallback = "2", .help = "Column of y.", .example = "2"},
           {.name = "interpolation", .kind = K::choice, .fallback = "\"cubic\"", .words = {"cubic", "linear"}, .help = "Natural cubic spline, or straight lines.", .example = "\"linear\""},
           {.name = "outside", .kind = K::choice, .fallback = "\"hold\"", .words = {"hold", "extrapolate", "refuse"}, .help = "Before the first and after the last point.", .example = "\"refuse\""},
       }},
      {"body",
       "A body. Its mass comes from `mass`, from shapes that have a density, or from what it is made of where it is elastic.",
       {
           name_key("\"arm\""),
           {.name = "mass", .kind = K::number, .dimension = d::mass, .fallback = "from the shapes", .help = "Mass.", .example = "1.2"},
           {.name = "com", .kind = K::vector, .dimension = d::length, .fallback = "from the shapes, else [0, 0, 0]", .help = "Centre of mass in the body's frame.", .example = "[0.5, 0, 0]"},
           {.name = "inertia", .kind = K::inertia, .dimension = d::inertia, .fallback = "from the shapes, else 0", .help = "About the centre of mass, in the body's axes: 3 principal values, 6 in the order xx yy zz xy xz yz, or 3 × 3.", .example = "[1e-3, 0.1, 0.1]"},
           {.name = "second_moment", .kind = K::matrix, .dimension = d::inertia, .help = "Instead of `inertia`: the matrix ∫ x xᵀ dm about the centre of mass.", .example = "[[0.1, 0, 0], [0, 1e-3, 0], [0, 0, 1e-3]]"},
           {.name = "unphysical", .kind = K::boolean, .fallback = "false", .help = "Accepts, with a warning, an inertia whose principal values violate the triangle inequality, which no real body has; imported models may contain such.", .example = "true"},
           {.name = "shape", .kind = K::table, .table = "shape", .help = "What it looks like.", .example = "{ type = \"sphere\", radius = 0.1 }"},
           {.name = "shapes", .kind = K::tables, .table = "shape", .help = "Several shapes.", .example = "[{ type = \"sphere\", radius = 0.1 }]"},
           {.name = "elastic", .kind = K::table, .fallback = "rigid", .table = "elastic", .help = "How it deforms; `mass` and shapes then describe a rigid part at its frame.", .example = "{ length = 1, section = { radius = 0.01 }, material = { E = 2.1e11, density = 7850 } }"},
       }},
      {"elastic",
       "How a body deforms. A beam is straight along the x axis of its body, from 0 to its length; joints, forces and sensors sit anywhere on it. A solid comes from a mesh; its inboard joint sits on an interface, everything else on another one or anywhere in the mesh.",
       {
           {.name = "type", .kind = K::choice, .fallback = "\"beam\"", .words = {"beam", "solid"}, .help = "Which elastic body.", .example = "\"beam\""},
           {.name = "length", .kind = K::number, .dimension = d::length, .help = "Beam: length along x.", .example = "1.0"},
           {.name = "section", .kind = K::table, .table = "section", .help = "Beam: cross-section.", .example = "{ radius = 0.01 }"},
           {.name = "material", .kind = K::table, .required = true, .table = "material", .help = "What it is made of.", .example = "{ E = 2.1e11, density = 7850 }"},
           {.name = "deforms", .kind = K::words, .fallback = "[\"y\", \"z\"]", .help = "Beam: bending in y, in z, `torsion`, `axial`.", .example = "[\"y\", \"torsion\"]"},
           {.name = "basis", .kind = K::choice, .fallback = "\"polynomial\"", .words = {"polynomial", "cantilever", "fe"}, .help = "Beam: functions of the deflection: polynomials, eigenfunctions of the cantilever, or finite elements.", .example = "\"fe\""},
           {.name = "modes", .kind = K::integer, .fallback = "beam: 4, with basis fe all nodes are kept; solid: 6, not with reduction nodes", .help = "Beam: functions per deflection, on each side where its inboard joint sits between its ends. Solid: modes with its interfaces held (craig_bampton), or clamped at one (modes).", .example = "6"},
           {.name = "elements", .kind = K::integer, .fallback = "10", .help = "Beam: finite elements of equal length (basis fe).", .example = "25"},
           {.name = "segments", .kind = K::integer, .fallback = "1", .help = "Beam: cut into so many bodies, each fixed to the one before, for large deflections; joints, forces and sensors are placed as on the whole. `modes` and `elements` are those of a segment, 2 functions unless given.", .example = "16"},
           {.name = "tip_mass", .kind = K::number, .dimension = d::mass, .fallback = "0", .help = "Beam: point mass at x = length.", .example = "0.5"},
           {.name = "file", .kind = K::file, .help = "Solid: gmsh mesh (.msh 4.1 or 2.2, as text) of tet4, tet10 or hex8, inside the model's folder.", .example = "\"bracket.msh\""},
           {.name = "scale", .kind = K::number, .fallback = "1", .help = "Solid: factor that converts the mesh's coordinates to metres.", .example = "0.001"},
           {.name = "interfaces", .kind = K::tables, .table = "interface", .help = "Solid: rigid patches that carry joints, forces and sensors; the one with the inboard joint is clamped to the frame.", .example = "[{ name = \"root\", group = \"clamp\" }]"},
           {.name = "reduction", .kind = K::choice, .fallback = "\"craig_bampton\"", .words = {"craig_bampton", "modes", "nodes"}, .help = "Solid: six motions of each further interface and modes with all of them held; modes of the body clamped at one; or all nodes kept, up to 150 coordinates.", .example = "\"modes\""},
           {.name = "damping", .kind = K::table, .fallback = "none", .table = "elastic_damping", .help = "Damping of the deformation.", .example = "{ ratio = 0.01 }"},
           {.name = "stiffening", .kind = K::boolean, .fallback = "true", .help = "Whether forces in the body stiffen it. Without it a spinning beam bends the wrong way.", .example = "false"},
           {.name = "form", .kind = K::choice, .fallback = "\"Q\"; solid: \"X\", with all nodes kept \"I\" above 24 coordinates", .words = {"Q", "X", "I"}, .help = "Mass by samples (Q, beams), by integrals (X), or by integrals truncated after second order (I, small deflections).", .example = "\"I\""},
           {.name = "q", .kind = K::numbers, .fallback = "0", .help = "Elastic coordinates at the start.", .example = "[0.01, 0, 0, 0]"},
       }},
      {"interface",
       "A patch of a solid whose nodes move together. It carries what sits on it, at its centre, or in the hole or space around which it lies.",
       {
           {.name = "group", .kind = K::text, .required = true, .help = "Physical group of the mesh; at least three nodes that are not in line.", .example = "\"clamp\""},
           {.name = "name", .kind = K::text, .fallback = "the group's", .help = "For messages.", .example = "\"root\""},
       }},
      {"section",
       "A cross-section: a rectangle, a circle or a tube, or its numbers.",
       {
           {.name = "width", .kind = K::number, .dimension = d::length, .help = "Rectangle: size along y; with `height`.", .example = "0.02"},
           {.name = "height", .kind = K::number, .dimension = d::length, .help = "Rectangle: size along z.", .example = "0.01"},
           {.name = "radius", .kind = K::number, .dimension = d::length, .help = "Circle.", .example = "0.01"},
           {.name = "inner_radius", .kind = K::number, .dimension = d::length, .fallback = "0", .help = "Circle: radius of its hole.", .example = "0.008"},
           {.name = "area", .kind = K::number, .dimension = d::area, .help = "Instead of sizes: area.", .example = "1e-4"},
           {.name = "Iy", .kind = K::number, .dimension = d::area_moment, .help = "∫ z² dA: bending in z.", .example = "8e-10"},
           {.name = "Iz", .kind = K::number, .dimension = d::area_moment, .help = "∫ y² dA: bending in y.", .example = "8e-10"},
           {.name = "J", .kind = K::number, .dimension = d::area_moment, .fallback = "Iy + Iz", .help = "Torsion constant.", .example = "1.4e-9"},
       }},
      {"material",
       "A linear isotropic material.",
       {
           {.name = "E", .kind = K::number, .dimension = d::pressure, .required = true, .help = "Young's modulus.", .example = "2.1e11"},
           {.name = "nu", .kind = K::number, .fallback = "0.3", .help = "Poisson's ratio, above −1 and at most 0.5.", .example = "0.33"},
           {.name = "G", .kind = K::number, .dimension = d::pressure, .fallback = "E/(2 (1 + nu))", .help = "Shear modulus, instead of nu.", .example = "8e10"},
           {.name = "density", .kind = K::number, .dimension = d::density, .required = true, .help = "Mass per volume.", .example = "7850"},
       }},
      {"elastic_damping",
       "Damping of an elastic body, on its deformation only. The parts add up.",
       {
           {.name = "stiffness", .kind = K::number, .dimension = d::time, .fallback = "0", .help = "D = stiffness · K.", .example = "1e-4"},
           {.name = "ratio", .kind = K::numbers, .fallback = "0", .help = "Damping ratio of its modes with its frame held, one for all or one each, the last for the remaining ones. On a hinge the modes and their ratios differ.", .example = "0.01"},
           {.name = "mass", .kind = K::number, .fallback = "0", .help = "D = mass · M of the elastic coordinates, in 1/s.", .example = "0.1"},
       }},
      {"shape",
       "A solid on a body; with a density it has mass. Cylinder, capsule and cone stand along their z axis.",
       {
           {.name = "type", .kind = K::choice, .required = true, .words = {"box", "cylinder", "capsule", "sphere", "cone", "mesh"}, .help = "Which solid.", .example = "\"box\""},
           {.name = "size", .kind = K::vector, .dimension = d::length, .help = "Box: side lengths.", .example = "[1.0, 0.05, 0.05]"},
           {.name = "radius", .kind = K::number, .dimension = d::length, .help = "Cylinder, capsule, sphere, cone (at its base).", .example = "0.02"},
           {.name = "length", .kind = K::number, .dimension = d::length, .help = "Cylinder, cone; capsule: between the centres of its caps.", .example = "0.4"},
           {.name = "file", .kind = K::file, .help = "Mesh: STL or OBJ file, inside the model's folder.", .example = "\"part.stl\""},
           {.name = "scale", .kind = K::number, .fallback = "1", .help = "Mesh: factor that converts its coordinates to metres.", .example = "0.001"},
           {.name = "density", .kind = K::number, .dimension = d::density, .fallback = "none: only drawn", .help = "Gives mass, centre of mass and inertia.", .example = "2700"},
           {.name = "at", .kind = K::vector, .dimension = d::length, .fallback = "[0, 0, 0]", .help = "Position of the shape on the body.", .example = "[0.5, 0, 0]"},
           {.name = "rotation", .kind = K::table, .fallback = "none", .table = "rotation", .help = "Its orientation on the body.", .example = "{ axis = \"y\", angle = \"90 deg\" }"},
           {.name = "color", .kind = K::text, .fallback = "chosen by the viewer", .help = "As #rrggbb.", .example = "\"#8899aa\""},
       }},
      {"rotation",
       "A rotation, given in one of five ways.",
       {
           {.name = "axis", .kind = K::axis, .help = "Axis to turn about; with `angle`.", .example = "\"z\""},
           {.name = "angle", .kind = K::number, .dimension = d::angle, .help = "How far, right-handed.", .example = "\"90 deg\""},
           {.name = "quaternion", .kind = K::quaternion, .help = "w, x, y, z of norm 1.", .example = "[1, 0, 0, 0]"},
           {.name = "rpy", .kind = K::vector, .dimension = d::angle, .help = "Roll, pitch, yaw: Rz(yaw) Ry(pitch) Rx(roll).", .example = "[0, 0, \"90 deg\"]"},
           {.name = "axes", .kind = K::text, .help = "Successive rotations, each about an axis of the frame rotated so far: `xyz` is Rx(a₁) Ry(a₂) Rz(a₃); any letters, up to nine; with `angles`.", .example = "\"zxz\""},
           {.name = "angles", .kind = K::numbers, .dimension = d::angle, .help = "One for each letter of `axes`.", .example = "[\"30 deg\", 0.1, \"-90 deg\"]"},
           {.name = "matrix", .kind = K::matrix, .help = "Rotation matrix, by rows.", .example = "[[0, -1, 0], [1, 0, 0], [0, 0, 1]]"},
       }},
      {"frame",
       "A frame on a body.",
       {
           {.name = "at", .kind = K::vector, .dimension = d::length, .fallback = "[0, 0, 0]", .help = "Its origin in the body's frame.", .example = "[0, 0, 2]"},
           {.name = "rotation", .kind = K::table, .fallback = "none", .table = "rotation", .help = "Its orientation relative to the body's frame.", .example = "{ rpy = [0, 0, \"90 deg\"] }"},
           {.name = "transform", .kind = K::transform, .dimension = d::length, .help = "Instead of both: the transformation matrix from this frame to the body's, by rows, rotation and place.", .example = "[[0, -1, 0, 0.5], [1, 0, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1]]"},
       }},
      {"point",
       "A point of a body.",
       {
           {.name = "body", .kind = K::reference, .required = true, .help = "Which body, or \"world\".", .example = "\"arm\""},
           {.name = "at", .kind = K::vector, .dimension = d::length, .fallback = "[0, 0, 0]", .help = "The point in the body's frame.", .example = "[1, 0, 0]"},
       }},
  };
}

std::vector<TableGrammar> joints() {
  return {
      {"joint",
       "Connects two bodies. A joint that closes a loop is written like any other.",
       {
           name_key("\"shoulder\""),
           {.name = "type", .kind = K::choice, .required = true, .words = joint_words(), .help = "Which motions it allows.", .example = "\"revolute\""},
           {.name = "parent", .kind = K::reference, .fallback = "\"world\"", .help = "Body that it is attached to.", .example = "\"world\""},
           {.name = "child", .kind = K::reference, .required = true, .help = "Body it carries.", .example = "\"arm\""},
           {.name = "on_parent", .kind = K::table, .fallback = "the parent's frame", .table = "frame", .help = "The joint's frame on the parent.", .example = "{ at = [0, 0, 2] }"},
           {.name = "on_child", .kind = K::table, .fallback = "the child's frame", .table = "frame", .help = "The joint's frame on the child.", .example = "{ at = [-0.5, 0, 0] }"},
           {.name = "axis", .kind = K::axis, .fallback = "\"z\"", .help = "In the joint's frame, the same on both sides. Planar and knife edge: normal of the plane; rolling disk: axis of the disk.", .example = "\"y\""},
           {.name = "axis2", .kind = K::axis, .help = "Universal: second axis, fixed on the child. Planar, knife edge: first direction in the plane.", .example = "\"x\""},
           {.name = "pitch", .kind = K::number, .dimension = d::length, .help = "Screw: length per turn.", .example = "\"2 mm\""},
           {.name = "radius", .kind = K::number, .dimension = d::length, .help = "Rolling disk: its radius.", .example = "0.3"},
           {.name = "sequence", .kind = K::words, .help = "Sequence: steps of one degree of freedom, `r` or `t` and an axis.", .example = "[\"rz\", \"ry\", \"tx\"]"},
           {.name = "q", .kind = K::start, .quantified = Q::position, .fallback = "0", .table = "start", .help = "Start position; on a joint that closes a loop, an initial guess.", .example = "\"30 deg\""},
           {.name = "u", .kind = K::numbers, .quantified = Q::speed, .fallback = "0", .help = "Start speed.", .example = "0.5"},
           {.name = "spring", .kind = K::table, .table = "joint_spring", .help = "Spring along the degrees of freedom.", .example = "{ k = 12, rest = \"10 deg\" }"},
           {.name = "damper", .kind = K::numbers, .quantified = Q::damping, .fallback = "0", .help = "Force per speed, one for each degree of freedom or one for all.", .example = "0.02"},
           {.name = "limits", .kind = K::pair, .quantified = Q::position, .fallback = "none", .help = "Lowest and highest position.", .example = "[\"-90 deg\", \"90 deg\"]"},
           {.name = "limit_stiffness", .kind = K::number, .quantified = Q::stiffness, .fallback = "chosen", .help = "Of the stop behind a limit.", .example = "1e4"},
           {.name = "limit_damping", .kind = K::number, .quantified = Q::damping, .fallback = "0", .help = "Of the stop behind a limit.", .example = "10"},
           {.name = "friction", .kind = K::table, .table = "friction", .help = "Dry friction.", .example = "{ force = 0.1 }"},
           {.name = "stiffness", .kind = K::number, .dimension = d::stiffness, .fallback = "all alike", .help = "Of the joint itself; used only to share the load among redundant joints.", .example = "1e6"},
           {.name = "armature", .kind = K::number, .quantified = Q::inertia, .fallback = "0", .help = "Inertia added to the joint's own motion.", .example = "1e-4"},
           {.name = "small", .kind = K::boolean, .fallback = "false", .help = "Its coordinates stay near 0: they enter the energies to second order. Formulation `hamiltonian` only.", .example = "true"},
           {.name = "force", .kind = K::formulas, .quantified = Q::force, .fallback = "0", .help = "Driving force or torque, one for each degree of freedom.", .example = "\"2*sin(3*t)\""},
           {.name = "motion", .kind = K::formulas, .quantified = Q::position, .fallback = "free to move", .help = "Prescribed position, one for each degree of freedom.", .example = "\"0.1 + 0.5*sin(3*t)\""},
           {.name = "speed", .kind = K::formulas, .quantified = Q::speed, .fallback = "free to move", .help = "Prescribed speed, one for each degree of freedom, instead of `motion`; the position starts at `q` and follows from it.", .example = "\"2*t\""},
           {.name = "active", .kind = K::formula, .fallback = "always", .help = "The joint holds while this is above 0 (discrete formulation). Such a joint is not part of the tree: its child has a joint of its own, or is free.", .example = "\"1 - t\""},
           {.name = "engage", .kind = K::choice, .fallback = "\"capture\"", .words = {"capture", "close"}, .help = "What an `active` joint does when it begins to hold: holds the position it finds, or closes at 0.1 m/s and 1 rad/s.", .example = "\"close\""},
           {.name = "servo", .kind = K::table, .table = "servo", .help = "Controller towards a reference.", .example = "{ reference = \"sin(t)\", kp = 20, kd = 2 }"},
           {.name = "motor", .kind = K::table, .table = "motor", .help = "DC motor with gear.", .example = "{ voltage = 12, resistance = 1.5, torque_constant = 0.05 }"},
       }},
      {"start",
       "Start position of a spherical or free joint, in words instead of numbers.",
       {
           {.name = "axis", .kind = K::axis, .help = "Axis to turn about; with `angle`.", .example = "\"z\""},
           {.name = "angle", .kind = K::number, .dimension = d::angle, .help = "How far, right-handed.", .example = "\"90 deg\""},
           {.name = "quaternion", .kind = K::quaternion, .help = "w, x, y, z of norm 1.", .example = "[1, 0, 0, 0]"},
           {.name = "rpy", .kind = K::vector, .dimension = d::angle, .help = "Roll, pitch, yaw.", .example = "[0, 0, \"90 deg\"]"},
           {.name = "axes", .kind = K::text, .help = "Successive rotations: `xyz` is Rx(a₁) Ry(a₂) Rz(a₃); with `angles`.", .example = "\"zxz\""},
           {.name = "angles", .kind = K::numbers, .dimension = d::angle, .help = "One for each letter of `axes`.", .example = "[\"30 deg\", 0.1, \"-90 deg\"]"},
           {.name = "matrix", .kind = K::matrix, .help = "Rotation matrix, by rows.", .example = "[[0, -1, 0], [1, 0, 0], [0, 0, 1]]"},
           {.name = "at", .kind = K::vector, .dimension = d::length, .fallback = "[0, 0, 0]", .help = "Free, rolling disk: position of the child's joint frame.", .example = "[0, 0, 1]"},
       }},
      {"joint_spring",
       "τ = −k (q − rest) + preload, along each degree of freedom.",
       {
           {.name = "k", .kind = K::numbers, .quantified = Q::stiffness, .required = true, .help = "Stiffness, one for each degree of freedom or one for all.", .example = "12"},
           {.name = "rest", .kind = K::numbers, .quantified = Q::position, .fallback = "0", .help = "Position at which the spring has no force.", .example = "\"10 deg\""},
           {.name = "preload", .kind = K::numbers, .quantified = Q::force, .fallback = "0", .help = "Force at rest.", .example = "0.5"},
       }},
      {"friction",
       "Regularised Coulomb friction −T tanh(u/speed).",
       {
           {.name = "force", .kind = K::number, .quantified = Q::force, .fallback = "0", .help = "Constant friction force or torque.", .example = "0.1"},
           {.name = "coefficient", .kind = K::number, .fallback = "0", .help = "Friction coefficient on the joint's reaction.", .example = "0.2"},
           {.name = "radius", .kind = K::number, .dimension = d::length, .fallback = "0", .help = "Radius at which friction acts (rotational joints).", .example = "0.01"},
           {.name = "speed", .kind = K::number, .quantified = Q::speed, .fallback = "1e-3", .help = "Speed at which friction is nearly fully developed.", .example = "1e-3"},
       }},
      {"servo",
       "τ = kp (reference − q) + kd (d reference/dt − u) + ki ∫ (reference − q) dt, clamped.",
       {
           {.name = "reference", .kind = K::formula, .quantified = Q::position, .required = true, .help = "Desired position of the joint.", .example = "\"sin(t)\""},
           {.name = "kp", .kind = K::number, .quantified = Q::stiffness, .required = true, .help = "Force per position error.", .example = "20"},
           {.name = "kd", .kind = K::number, .quantified = Q::damping, .fallback = "0", .help = "Force per speed error.", .example = "2"},
           {.name = "ki", .kind = K::number, .quantified = Q::integral, .fallback = "0", .help = "Force per integral of the position error; at `max_force` the integral is held back.", .example = "30"},
           {.name = "max_force", .kind = K::number, .quantified = Q::force, .fallback = "no limit", .help = "Largest force or torque.", .example = "50"},
       }},
      {"motor",
       "DC motor through a gear; electrical units are always SI.",
       {
           {.name = "voltage", .kind = K::formula, .dimension = d::voltage, .required = true, .help = "At the terminals [V].", .example = "12"},
           {.name = "resistance", .kind = K::number, .dimension = d::resistance, .required = true, .help = "Of the winding [Ω].", .example = "1.5"},
           {.name = "inductance", .kind = K::number, .dimension = d::inductance, .fallback = "0", .help = "Of the winding [H]; 0: the current follows at once.", .example = "1e-3"},
           {.name = "torque_constant", .kind = K::number, .dimension = d::torque_per_current, .required = true, .help = "Torque per current [N.m/A].", .example = "0.05"},
           {.name = "back_emf", .kind = K::number, .dimension = d::torque_per_current, .fallback = "torque_constant", .help = "Voltage per speed of the motor [V.s/rad].", .example = "0.05"},
           {.name = "gear", .kind = K::number, .fallback = "1", .help = "Turns of the motor per turn of the joint.", .example = "50"},
           {.name = "efficiency", .kind = K::number, .fallback = "1", .help = "Of the gear, above 0 and at most 1.", .example = "0.8"},
           {.name = "rotor_inertia", .kind = K::number, .dimension = d::inertia, .fallback = "0", .help = "On the motor's side.", .example = "1e-5"},
       }},
  };
}

TableGrammar block_table() {
  TableGrammar table{
      "block",
      "A signal block: its output is a signal with its name. Without `every` it is continuous; with it, it is sampled: steps end at the samples, and its output holds its value between them.",
      {
          name_key("\"controller\""),
          {.name = "type", .kind = K::choice, .required = true, .words = block_words(), .help = "What it does.", .example = "\"pid\""},
          {.name = "input", .kind = K::formula, .help = "Its input, a formula of signals; required but for `noise`.", .example = "\"target - shoulder.q\""},
          {.name = "every", .kind = K::number, .dimension = d::time, .fallback = "continuous", .help = "Sampled: time between two samples.", .example = "\"1 ms\""},
          {.name = "offset", .kind = K::number, .dimension = d::time, .fallback = "0", .help = "Sampled: time of the first sample.", .example = "\"0.5 ms\""},
          {.name = "unit", .kind = K::text, .fallback = "1", .help = "SI unit of its output, for the column's header.", .example = "\"N.m\""},
      }};
  add_block_keys(table.keys);
  return table;
}

std::vector<TableGrammar> rest() {
  return {
      {"constraint",
       "A constraint between two bodies, or among coordinates of joints. The line, the plane or the ground belongs to `from`.",
       {
           name_key("\"rod\""),
           {.name = "type", .kind = K::choice, .required = true, .words = {"distance", "point_on_line", "point_on_plane", "gear", "coupling", "knife_edge", "rolling_sphere", "rolling_disk", "wheel"}, .help = "What it holds.", .example = "\"distance\""},
           {.name = "from", .kind = K::table, .fallback = "the world's origin", .table = "point", .help = "Point on the first body: an end of the rod, a point of the line or plane.", .example = "{ body = \"arm\", at = [1, 0, 0] }"},
           {.name = "to", .kind = K::table, .table = "point", .help = "Point on the second body: the other end, the point that is guided, the centre of the wheel. Not for gear and coupling.", .example = "{ body = \"slider\" }"},
           {.name = "axis", .kind = K::axis, .fallback = "\"z\"", .help = "In the axes of `from`: along the line, normal of the plane.", .example = "\"x\""},
           {.name = "direction", .kind = K::axis, .fallback = "\"y\"", .help = "In the axes of `to`. Knife edge: across the edge; rolling disk and wheel: their axis.", .example = "\"y\""},
           {.name = "length", .kind = K::number, .dimension = d::length, .help = "Distance: how far apart the points are.", .example = "0.5"},
           {.name = "radius", .kind = K::number, .dimension = d::length, .help = "Rolling sphere, rolling disk, wheel.", .example = "0.3"},
           {.name = "joints", .kind = K::words, .help = "Gear: two joints; coupling: any number. `arm`, or `arm.q2` where a joint has several degrees of freedom.", .example = "[\"crank\", \"cam\"]"},
           {.name = "ratio", .kind = K::number, .help = "Gear: first = ratio × second + offset, in SI.", .example = "-2"},
           {.name = "coefficients", .kind = K::numbers, .help = "Coupling: c₁ q₁ + c₂ q₂ + … = offset, in SI.", .example = "[1, -2, 0.5]"},
           {.name = "offset", .kind = K::number, .fallback = "what the start positions give", .help = "Gear, coupling.", .example = "0"},
       }},
      {"contact",
       "Bodies that touch by their shapes: spheres, capsules and boxes, with a plane, another body, or each other. Discrete formulation only.",
       {
           name_key("\"floor\""),
           {.name = "bodies", .kind = K::words, .required = true, .help = "Bodies that touch.", .example = "[\"ball\", \"crate\"]"},
           {.name = "with", .kind = K::reference, .fallback = "each other", .help = "What they touch: a body or \"world\".", .example = "\"world\""},
           {.name = "plane", .kind = K::table, .fallback = "the shapes of `with`", .table = "plane", .help = "A plane on `with`.", .example = "{ normal = \"z\" }"},
           {.name = "stiffness", .kind = K::number, .dimension = d::stiffness, .required = true, .help = "Force per depth, at every point that touches.", .example = "1e5"},
           {.name = "dissipation", .kind = K::number, .fallback = "0", .help = "Factor a [s/m] of Hunt and Crossley: force k δ (1 + a dδ/dt).", .example = "0.5"},
           {.name = "friction", .kind = K::number, .fallback = "0", .help = "Friction coefficient.", .example = "0.4"},
       }},
      {"plane",
       "A plane; the side its normal points to is free.",
       {
           {.name = "normal", .kind = K::axis, .fallback = "\"z\"", .help = "Its normal, in the axes of the body.", .example = "\"z\""},
           {.name = "at", .kind = K::vector, .dimension = d::length, .fallback = "[0, 0, 0]", .help = "One of its points.", .example = "[0, 0, 0]"},
       }},
      {"sensor",
       "Records position, velocity, acceleration and orientation at a point, or the value of a formula.",
       {
           name_key("\"tip\""),
           {.name = "body", .kind = K::reference, .help = "Body it sits on.", .example = "\"arm\""},
           {.name = "at", .kind = K::vector, .dimension = d::length, .fallback = "[0, 0, 0]", .help = "Where, in the body's frame.", .example = "[1, 0, 0]"},
           {.name = "rotation", .kind = K::table, .fallback = "none", .table = "rotation", .help = "Orientation of its axes on the body.", .example = "{ axis = \"z\", angle = \"45 deg\" }"},
           {.name = "section", .kind = K::boolean, .fallback = "false", .help = "On an elastic body: forces N, Qy, Qz and moments Mx, My, Mz in the section at `at`, instead of motion.", .example = "true"},
           {.name = "stress", .kind = K::boolean, .fallback = "false", .help = "On an elastic solid: stresses xx, yy, zz, xy, yz, xz and von Mises' `mises` at `at`, in the body's axes, instead of motion.", .example = "true"},
           {.name = "value", .kind = K::formula, .help = "Instead of a point: a formula of signals.", .example = "\"shoulder.q^2\""},
           {.name = "unit", .kind = K::text, .fallback = "1", .help = "Unit of `value`, for the column's header.", .example = "\"rad2\""},
       }},
      {"event",
       "A moment at which a formula passes through zero; it is located and recorded.",
       {
           name_key("\"top\""),
           {.name = "when", .kind = K::formula, .required = true, .help = "Passes through zero at the event.", .example = "\"shoulder.q\""},
           {.name = "direction", .kind = K::choice, .fallback = "\"both\"", .words = {"rising", "falling", "both"}, .help = "Which passages count.", .example = "\"rising\""},
           {.name = "stop", .kind = K::boolean, .fallback = "false", .help = "Ends the run.", .example = "true"},
           {.name = "set", .kind = K::formulas_by_name, .fallback = "nothing", .help = "What changes at the event: states, inputs and parameters that formulas read, by name, each with its new value, all from the values before.", .example = "{ integral = 0, target = \"target + 1\" }"},
       }},
      {"input",
       "A value that is given from outside: by a program that steps the simulation, by `--input`, or here. Formulas use it by its name.",
       {
           name_key("\"throttle\""),
           {.name = "value", .kind = K::formula, .quantified = Q::own, .fallback = "0", .help = "Its value where nobody gives another; a formula of `t`, such as a table, gives its course, and then nobody else sets it.", .example = "0.5"},
           {.name = "limits", .kind = K::pair, .quantified = Q::own, .fallback = "none", .help = "Lowest and highest value that may be given.", .example = "[0, 1]"},
           {.name = "unit", .kind = K::text, .fallback = "1", .help = "SI unit, for the column's header and for values given with a unit.", .example = "\"N\""},
       }},
      {"output",
       "A value that the model gives to the outside: a formula of signals, and a column of the results.",
       {
           name_key("\"speed\""),
           {.name = "value", .kind = K::formula, .quantified = Q::own, .required = true, .help = "A formula of signals.", .example = "\"crank.u\""},
           {.name = "unit", .kind = K::text, .fallback = "1", .help = "SI unit, for the column's header.", .example = "\"rad/s\""},
       }},
      {"state",
       "A quantity x with a rate of its own, dx/dt = rate, integrated with the motion; or, with `every`, x(k+1) = next. Formulas use it by its name.",
       {
           name_key("\"integral\""),
           {.name = "rate", .kind = K::formula, .quantified = Q::own_rate, .help = "Its rate: a formula of `t`, parameters, inputs, signals and states.", .example = "\"target - shoulder.q\""},
           {.name = "next", .kind = K::formula, .quantified = Q::own, .help = "Sampled: its value after the next sample.", .example = "\"0.9*integral + shoulder.q\""},
           {.name = "start", .kind = K::number, .quantified = Q::own, .fallback = "0", .help = "Its value at the start.", .example = "0"},
           {.name = "limits", .kind = K::pair, .quantified = Q::own, .fallback = "none", .help = "Lowest and highest value: at a limit it stays until its rate leads back (anti-windup).", .example = "[-10, 10]"},
           {.name = "unit", .kind = K::text, .fallback = "1", .help = "SI unit, for the column's header.", .example = "\"rad.s\""},
           {.name = "every", .kind = K::number, .dimension = d::time, .fallback = "continuous", .help = "Sampled: time between two samples.", .example = "\"1 ms\""},
           {.name = "offset", .kind = K::number, .dimension = d::time, .fallback = "0", .help = "Sampled: time of the first sample.", .example = "\"0.5 ms\""},
       }},
      block_table(),
      {"simulate", "How the model is run; every key is also a flag of `sarrus run`, which overrides it.", simulate_keys()},
  };
}
// clang-format on

std::vector<TableGrammar> all_tables() {
  std::vector<TableGrammar> all = elements();
  const ForceTables forces = force_tables();
  std::vector<Key>& top = all.front().keys;
  const auto constraint =
      std::find_if(top.begin(), top.end(), [](const Key& key) { return key.name == "constraint"; });
  top.insert(constraint, forces.top.begin(), forces.top.end());
  for (auto part : {joints(), forces.tables, rest()})
    for (TableGrammar& table : part) all.push_back(std::move(table));
  for (const Key& key : all.front().keys)
    for (TableGrammar& table : all)
      if (key.kind == K::tables && key.table == table.name) table.is_repeatable = true;
  return all;
}

}  // namespace

const Key* TableGrammar::find(std::string_view key) const {
  for (const Key& k : keys)
    if (k.name == key) return &k;
  return nullptr;
}

const Key* TableGrammar::find_earlier(std::string_view key) const {
  for (const Key& k : keys)
    if (!k.earlier.empty() && k.earlier == key) return &k;
  return nullptr;
}

const std::vector<TableGrammar>& grammar() {
  static const std::vector<TableGrammar> all = all_tables();
  return all;
}

const TableGrammar& grammar(std::string_view table) {
  for (const TableGrammar& t : grammar())
    if (t.name == table) return t;
  throw std::logic_error("the grammar has no table '" + std::string(table) + "'");
}

}  // namespace sarrus
