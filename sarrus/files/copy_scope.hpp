// What texts mean in one copy of an element: parameters, entries of lists and indices as numbers.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "sarrus/files/fields.hpp"

namespace sarrus {

/// One value of an index: a number, or a word.
using IndexValue = std::variant<double, std::string>;
std::string in_text(const IndexValue& value);

class CopyScope {
 public:
  CopyScope(Scope& outer, std::string path);

  void set_index(const std::string& name, const IndexValue& value);
  void forget_index(const std::string& name);
  /// The word that an index stands for; null if it is a number or no index.
  const std::string* word(const std::string& name) const;

  /// An expression of parameters, entries of lists and indices.
  std::optional<double> value(const Node& at, const std::string& text, const char* key);
  std::optional<double> number(const Node& node, const char* key);
  /// Whether a text is nothing but {an entry of a list} or {a whole list}, which then replaces it.
  bool take_entry(Node& node);

  void fault(std::string code, const Node& at, const char* key, std::string message,
             std::string hint = "");
  bool has_errors() const { return faults_.has_errors(); }
  /// Hands faults and the names that were read, except indices, to the scope outside.
  void hand_over(const Node* indices);
  bool is_parameter_outside(const std::string& name) const {
    return outer_.parameters.count(name) > 0;
  }

 private:
  /// "lengths[i + 1]" in a text: the list, and the expressions in its brackets.
  struct Entry {
    size_t begin = 0, end = 0;
    std::string list;
    std::vector<std::string> indices;
  };

  std::optional<Entry> first_entry(const std::string& text) const;
  const Node* look_up(const Node& at, const Entry& entry, const char* key);
  std::optional<double> entry_value(const Node& entry, const char* key);
  std::string indices() const;

  Scope& outer_;
  Scope scope_;  // with the indices among the parameters
  std::string path_;
  std::map<std::string, IndexValue> at_;
  Diagnostics faults_;
  std::vector<MentionedName> mentioned_;
};

}  // namespace sarrus
