// Typed access to the keys of one table, checked against the grammar.
//
// The constructor refuses unknown keys (with a near match), warns of deprecated ones and reports
// missing ones; each reader then returns a value in SI, or adds a diagnostic with the shape that
// was expected and the one that was found. Asking for a key that the grammar does not list, or as
// another kind of value, is a bug of ours: std::logic_error.
#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sarrus/files/grammar.hpp"
#include "sarrus/files/text/document.hpp"
#include "sarrus/model/model.hpp"

namespace sarrus {

/// A name that a formula mentions and that must exist once the whole model is read.
struct MentionedName {
  std::string name;
  Place where;
  std::string element;
  bool is_table = false;
  bool has_dot = false;  // in the text of the file: a signal, resolved when the model is compiled
  bool is_list = false;  // of [parameters], looked up when it was read
};

/// What the values of one file need to become numbers.
struct Scope {
  const Document* document = nullptr;
  Diagnostics* faults = nullptr;
  BaseUnits units;
  std::map<std::string, double> parameters;  // of this file, by the names it uses
  std::map<std::string, const Node*> lists;  // parameters that are lists: for braces (repeat.hpp)
  std::string prefix;                        // "" or "left."
  std::vector<MentionedName>* mentioned = nullptr;
};

/// A number in SI: plain in the file's units, "30 deg", or an expression of the parameters. Says
/// what is wrong otherwise.
std::optional<double> read_number(Scope& scope, const Node& node, const Dimension& dimension,
                                  const std::string& element);

/// A formula; names in it get the file's prefix.
std::optional<Formula> read_formula(Scope& scope, const Node& node, const Dimension& dimension,
                                    const std::string& element);

class Fields {
 public:
  Fields(Scope& scope, const Node& node, std::string_view table, std::string element);
  Fields(Scope& scope, const Node& node, const TableGrammar& table, std::string element);

  /// False where the node is no table; every reader then returns nothing.
  bool is_table() const { return node_.kind == NodeKind::table; }
  bool has(std::string_view key) const;
  Place place(std::string_view key) const;
  Place place() const { return scope_.document->place(node_); }
  const std::string& element() const { return element_; }
  std::string path(std::string_view key) const {
    return element_.empty() ? std::string(key) : element_ + "/" + std::string(key);
  }

  std::optional<double> number(std::string_view key);
  double number(std::string_view key, double fallback) { return number(key).value_or(fallback); }
  /// For a key whose dimension depends on the joint.
  std::optional<double> number_as(std::string_view key, const Dimension& dimension);
  std::optional<long long> integer(std::string_view key);
  std::optional<bool> boolean(std::string_view key);
  std::optional<std::string> text(std::string_view key);
  /// The position of the word in the grammar's list.
  std::optional<int> choice(std::string_view key);
  std::optional<std::string> name();
  /// A body's name with the file's prefix; "world" stays.
  std::optional<std::string> reference(std::string_view key);
  std::optional<Vec3> vector(std::string_view key);
  /// "x" or three numbers; not normalised.
  std::optional<Vec3> axis(std::string_view key);
  std::optional<Quat> quaternion(std::string_view key);
  std::optional<Mat3> matrix(std::string_view key);
  /// Rotation and position; the first is not checked to be a rotation.
  std::optional<Pose<double>> transform(std::string_view key);
  std::optional<Mat3> inertia(std::string_view key);
  /// One number for each dimension in the list.
  std::optional<std::vector<double>> pair_as(std::string_view key, const Dimension& dimension);
  std::optional<std::vector<double>> numbers_as(std::string_view key,
                                                std::span<const Dimension> each);
  /// A matrix of any size, by rows, of plain numbers.
  std::optional<std::vector<std::vector<double>>> rows(std::string_view key);
  /// One number, or a list of any length, all of one dimension.
  std::optional<std::vector<double>> numbers_of(std::string_view key, const Dimension& dimension);
  std::optional<Formula> formula(std::string_view key);
  std::optional<Formula> formula_as(std::string_view key, const Dimension& dimension);
  std::optional<std::vector<Formula>> formulas_as(std::string_view key,
                                                  std::span<const Dimension> each);
  std::optional<std::array<Formula, 3>> vector_formula(std::string_view key);
  std::vector<std::string> words(std::string_view key);
  /// The node of a table, list of tables, start or free table; nullptr where absent.
  const Node* node(std::string_view key) const;
  /// The entries of [[key]].
  std::vector<const Node*> tables(std::string_view key);

  void error(std::string_view key, std::string code, std::string message, std::string hint = "");
  void note(std::string_view key, std::string code, std::string message, std::string hint = "");
  Scope& scope() { return scope_; }

 private:
  const Key& listed(std::string_view key, std::initializer_list<Kind> kinds) const;
  const Node* value(std::string_view key) const;
  void wrong(const Node& found, std::string_view key, std::string expected, std::string hint = "");
  std::optional<std::vector<double>> exactly(const Node& found, std::string_view key, size_t count,
                                             const Dimension& dimension);
  std::optional<std::vector<double>> exactly_as(const Node& found, std::string_view key,
                                                const std::vector<Dimension>& dimensions);
  void check_keys();

  Scope& scope_;
  const Node& node_;
  const TableGrammar& grammar_;
  std::string element_;
};

/// Path of an element for messages: its name, or its number where it has none. "body/arm",
/// "body[2]"
std::string element_path(std::string_view kind, const Node& node, size_t index,
                         const std::string& prefix);

/// What is wrong with a name, or "".
std::string name_problem(std::string_view name);

}  // namespace sarrus
