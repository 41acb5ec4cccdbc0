#include "sarrus/files/schema.hpp"

#include <fmt/format.h>

#include "sarrus/core/json.hpp"
#include "sarrus/files/grammar.hpp"

namespace sarrus {

std::string unit_text(const Key& key) {
  const auto named = [](const Dimension& d) { return d == dimensions::none ? "" : si_name(d); };
  switch (key.quantified) {
    case Quantified::by_key: return named(key.dimension);
    case Quantified::position: return "rad or m";
    case Quantified::speed: return "rad/s or m/s";
    case Quantified::stiffness: return "N.m/rad or N/m";
    case Quantified::damping: return "N.m.s/rad or N.s/m";
    case Quantified::force: return "N.m or N";
    case Quantified::inertia: return "kg.m² or kg";
    case Quantified::integral: return "N.m/(rad.s) or N/(m.s)";
    case Quantified::own: return "as `unit`";
    case Quantified::own_rate: return "`unit` per s";
  }
  return "";
}

std::string kind_text(const Key& key) {
  switch (key.kind) {
    case Kind::integer: return "whole number";
    case Kind::number: return "number";
    case Kind::boolean: return "true or false";
    case Kind::text: return "text";
    case Kind::name: return "name";
    case Kind::reference: return "name of a body";
    case Kind::choice: {
      std::string words;
      for (const std::string_view w : key.words)
        words += fmt::format("{}`\"{}\"`", words.empty() ? "" : ", ", w);
      return words;
    }
    case Kind::file: return "path";
    case Kind::column: return "text or whole number";
    case Kind::axis: return "`\"x\"`, `\"y\"`, `\"z\"`, `\"-x\"`, … or 3 numbers";
    case Kind::vector: return "3 numbers";
    case Kind::numbers: return "number or list";
    case Kind::pair: return "2 numbers";
    case Kind::quaternion: return "4 numbers";
    case Kind::matrix: return "3 × 3 numbers";
    case Kind::transform: return "4 × 4 numbers";
    case Kind::inertia: return "3, 6 or 3 × 3 numbers";
    case Kind::points: return "list of pairs";
    case Kind::rows: return "list of rows";
    case Kind::words: return "list of texts";
    case Kind::formula: return "formula";
    case Kind::formulas: return "formula or list";
    case Kind::vector_formula: return "3 formulas";
    case Kind::start: return "number, list or table *start*";
    case Kind::table: return fmt::format("table *{}*", key.table);
    case Kind::tables: return fmt::format("list of *{}*", key.table);
    case Kind::numbers_by_name: return "names and numbers";
    case Kind::formulas_by_name: return "names and formulas";
    case Kind::indices: return "names, each with a count, a range or a list";
  }
  return "";
}

namespace {

Json number() { return {{"type", {"number", "string"}}}; }
Json list_of(Json items, size_t least, size_t most) {
  return {{"type", "array"}, {"items", std::move(items)}, {"minItems", least}, {"maxItems", most}};
}
Json any_number_of(Json items) {
  return {{"type", "array"}, {"items", std::move(items)}, {"minItems", 1}};
}
Json reference(std::string_view table) { return {{"$ref", "#/$defs/" + std::string(table)}}; }
Json either(std::initializer_list<Json> ways) { return {{"anyOf", Json::array_t(ways)}}; }

Json value_schema(const Key& key) {
  switch (key.kind) {
    case Kind::integer: return {{"type", "integer"}};
    case Kind::number:
    case Kind::formula: return number();
    case Kind::boolean: return {{"type", "boolean"}};
    case Kind::text:
    case Kind::reference:
    case Kind::file: return {{"type", "string"}};
    case Kind::name:
      return {{"type", "string"},
              {"pattern", "^([^\\u0000-,./:-@\\[-^`{-\\u007f]|\\{[^{}]*\\})+$"},
              {"maxLength", 100}};
    case Kind::choice: return {{"enum", key.words}};
    case Kind::column: return {{"type", {"string", "integer"}}};
    case Kind::axis:
      return either({{{"enum", {"x", "y", "z", "-x", "-y", "-z"}}}, list_of(number(), 3, 3)});
    case Kind::vector:
    case Kind::vector_formula: return list_of(number(), 3, 3);
    case Kind::numbers:
    case Kind::formulas: return either({number(), any_number_of(number())});
    case Kind::pair: return list_of(number(), 2, 2);
    case Kind::quaternion: return list_of(number(), 4, 4);
    case Kind::matrix: return list_of(list_of(number(), 3, 3), 3, 3);
    case Kind::transform: return list_of(list_of(number(), 4, 4), 4, 4);
    case Kind::inertia:
      return either({list_of(number(), 3, 3), list_of(number(), 6, 6),
                     list_of(list_of(number(), 3, 3), 3, 3)});
    case Kind::points: return any_number_of(list_of(number(), 2, 2));
    case Kind::rows: return any_number_of(any_number_of(number()));
    case Kind::words: return any_number_of({{"type", "string"}});
    case Kind::start: return either({number(), any_number_of(number()), reference(key.table)});
    case Kind::table: return reference(key.table);
    case Kind::tables: return {{"type", "array"}, {"items", reference(key.table)}};
    case Kind::numbers_by_name:
      return {{"type", "object"},
              {"additionalProperties", {{"type", {"number", "string", "array"}}}}};
    case Kind::formulas_by_name: return {{"type", "object"}, {"additionalProperties", number()}};
    case Kind::indices:
      return {{"type", "object"},
              {"additionalProperties", either({number(), any_number_of(number())})}};
  }
  return {};
}

std::string description(const Key& key) {
  std::string text(key.help);
  if (const std::string unit = unit_text(key); !unit.empty()) text += " Unit: " + unit + ".";
  if (!key.fallback.empty()) text += fmt::format(" Default: {}.", key.fallback);
  return text;
}

Json table_schema(const TableGrammar& table) {
  Json properties = Json::object(), required = Json::array();
  for (const Key& key : table.keys) {
    Json schema = value_schema(key);
    schema["description"] = description(key);
    properties[std::string(key.name)] = schema;
    if (!key.earlier.empty()) {
      schema["deprecated"] = true;
      properties[std::string(key.earlier)] = std::move(schema);
    }
    if (key.required && key.earlier.empty()) required.push_back(key.name);
  }
  if (table.is_repeatable)
    for (const Key& key : grammar("repeat").keys) {
      properties[std::string(key.name)] = value_schema(key);
      properties[std::string(key.name)]["description"] = description(key);
    }
  Json schema = {
      {"type", "object"}, {"description", table.help}, {"properties", std::move(properties)}};
  if (!required.empty()) schema["required"] = std::move(required);
  schema["additionalProperties"] = false;
  return schema;
}

}  // namespace

std::string schema_json() {
  Json schema = {{"$schema", "https://json-schema.org/draft/2020-12/schema"},
                 {"title", "Sarrus model"}};
  const Json top = table_schema(grammar("model"));
  for (const auto& [key, value] : top.items()) schema[key] = value;
  Json definitions = Json::object();
  for (const TableGrammar& table : grammar())
    if (table.name != "model") definitions[std::string(table.name)] = table_schema(table);
  schema["$defs"] = std::move(definitions);
  return schema.dump(2) + "\n";
}

std::string reference_table(std::string_view table) {
  std::string text =
      "| key | value | unit | default | meaning | example |\n|---|---|---|---|---|---|\n";
  for (const Key& key : grammar(table).keys)
    text += fmt::format("| `{}` | {} | {} | {} | {} | {} |\n", key.name, kind_text(key),
                        unit_text(key), key.required ? "**required**" : std::string(key.fallback),
                        key.help, key.example.empty() ? "" : fmt::format("`{}`", key.example));
  return text;
}

std::string with_reference_tables(std::string_view page) {
  constexpr std::string_view open = "<!-- keys: ", close = " -->\n", end = "<!-- end -->";
  std::string out;
  for (;;) {
    const size_t start = page.find(open);
    const size_t named = start == page.npos ? page.npos : page.find(close, start);
    const size_t stop = named == page.npos ? page.npos : page.find(end, named);
    if (stop == page.npos) return out + std::string(page);
    const std::string_view name = page.substr(start + open.size(), named - start - open.size());
    out += page.substr(0, named + close.size());
    out += "\n" + reference_table(name) + "\n";
    page.remove_prefix(stop);
    out += page.substr(0, end.size());
    page.remove_prefix(end.size());
  }
}

}  // namespace sarrus
