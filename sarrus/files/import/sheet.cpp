#include "sarrus/files/import/sheet.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <utility>

#include "sarrus/files/text/write_toml.hpp"
#include "sarrus/numerics/dense/eigenvalues.hpp"

namespace sarrus {

// ── nodes ───────────────────────────────────────────────────────────────────────────────────────

Node number_node(double x) {
  Node n;
  n.kind = NodeKind::number;
  n.text = fmt::format("{}", x == 0 ? 0.0 : x);  // never -0
  return n;
}

Node text_node(std::string text) {
  Node n;
  n.kind = NodeKind::text;
  n.text = std::move(text);
  return n;
}

Node flag_node(bool value) {
  Node n;
  n.kind = NodeKind::boolean;
  n.text = value ? "true" : "false";
  return n;
}

Node list_node(const std::vector<double>& numbers) {
  Node n;
  n.kind = NodeKind::list;
  for (const double x : numbers) n.children.push_back(number_node(x));
  return n;
}

Node list_node(std::initializer_list<double> numbers) {
  return list_node(std::vector<double>(numbers));
}

Node list_node(const Vec3& v) { return list_node(std::vector<double>{v.x, v.y, v.z}); }

Node texts_node(const std::vector<std::string>& texts) {
  Node n;
  n.kind = NodeKind::list;
  for (const std::string& t : texts) n.children.push_back(text_node(t));
  return n;
}

Node table_node() {
  Node n;
  n.kind = NodeKind::table;
  return n;
}

namespace {

bool is_identity(const Mat3& R) {
  const Mat3 D = R - Mat3::identity();
  return dot(D.x, D.x) + dot(D.y, D.y) + dot(D.z, D.z) == 0;
}

/// As validation judges it: the smaller two principal values do not reach the largest.
bool is_unphysical(const Mat3& I) {
  constexpr double rounding = 1e-9;
  Eigen::Matrix3d M;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) M(i, j) = I(i, j);
  const Eigen::Vector3d p = symmetric_eigenvalues(M);
  return p[0] + p[1] < p[2] * (1 - rounding);
}

void set_places(Node& node, const Node& from) {
  if (node.line == 0) node.line = from.line, node.column = from.column, node.file = from.file;
  if (node.key_line == 0) node.key_line = from.line, node.key_column = from.column;
  for (Node& child : node.children) set_places(child, node);
}

}  // namespace

std::optional<Node> rotation_node(const Mat3& R) {
  if (is_identity(R)) return std::nullopt;
  Node n = table_node();
  const Quat q = quaternion(R);
  put(n, "quaternion", list_node({q.w, q.x, q.y, q.z}));
  return n;
}

std::optional<Node> frame_node(const Pose<double>& X) {
  const std::optional<Node> turn = rotation_node(X.R);
  if (!turn && dot(X.p, X.p) == 0) return std::nullopt;
  Node n = table_node();
  if (dot(X.p, X.p) != 0) put(n, "at", list_node(X.p));
  if (turn) put(n, "rotation", *turn);
  return n;
}

Node axis_node(const Vec3& axis) {
  for (int i = 0; i < 3; ++i) {
    Vec3 unit{};
    unit[i] = 1;
    const char letter = static_cast<char>('x' + i);
    if (dot(axis - unit, axis - unit) == 0) return text_node(std::string(1, letter));
    if (dot(axis + unit, axis + unit) == 0) return text_node({'-', letter});
  }
  return list_node(axis);
}

Node& put(Node& table, std::string_view key, Node value) {
  value.key = key;
  set_places(value, table);
  return table.children.emplace_back(std::move(value));
}

Mat3 rotation_rpy(const Vec3& rpy) {
  return rotation(Vec3{0, 0, 1}, rpy.z) * rotation(Vec3{0, 1, 0}, rpy.y) *
         rotation(Vec3{1, 0, 0}, rpy.x);
}

// ── the sheet ───────────────────────────────────────────────────────────────────────────────────

Node& Sheet::add(std::string_view kind, const XmlElement& from) {
  Node node = table_node();
  node.line = node.key_line = from.line;
  node.column = node.key_column = from.column;
  const auto known = std::find(files_.begin(), files_.end(), from.file);
  node.file = static_cast<int>(known - files_.begin()) + (from.file == file_ ? 0 : 1);
  if (from.file == file_)
    node.file = 0;
  else if (known == files_.end())
    files_.push_back(from.file);
  return elements_.emplace_back(Element{std::string(kind), std::move(node), from.place()}).node;
}

std::string Sheet::unique_name(const std::string& set, const std::string& wanted,
                               const XmlElement& from) {
  constexpr size_t longest = 100;
  std::string name;
  for (const char c : wanted.substr(0, longest)) {
    const bool fits = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                      c == '_' || c == '-';
    name += fits ? c : '_';
  }
  if (name.empty()) name = "unnamed";
  if (name == "world") name = "world_";
  std::set<std::string>& taken = taken_[set];
  std::string free = name;
  for (int i = 2; taken.count(free); ++i)
    free = fmt::format("{}_{}", name.substr(0, longest - 8), i);
  taken.insert(free);
  if (free != wanted && !wanted.empty())
    report.approximate("a name that does not fit",
                       fmt::format("'{}' is now '{}'", shown(wanted), free), from.place(),
                       Effect::none);
  return free;
}

Document Sheet::document() const {
  Document d;
  d.file = file_;
  d.more_files = files_;
  d.root = table_node();
  d.root.line = d.root.column = 1;
  Node version = number_node(1);
  put(d.root, "sarrus", std::move(version));
  for (const Node& n : top.children) put(d.root, n.key, n);
  if (!parameters.empty()) {
    Node values = table_node();
    for (const auto& [name, value] : parameters) put(values, name, number_node(value));
    put(d.root, "parameters", std::move(values));
  }
  for (const Element& e : elements_) {
    Node* list = nullptr;
    for (Node& n : d.root.children)
      if (n.key == e.kind) list = &n;
    if (!list) {
      Node made;
      made.kind = NodeKind::list;
      made.line = e.node.line, made.column = e.node.column, made.file = e.node.file;
      list = &put(d.root, e.kind, std::move(made));
    }
    list->children.push_back(e.node);
  }
  if (!simulate.children.empty()) put(d.root, "simulate", simulate);
  return d;
}

std::string Sheet::toml() const {
  const std::string name = std::filesystem::path(file_).filename().string();
  std::string text = fmt::format("# Imported from {}, {}.\n#\n", shown(name, 200), report.format);
  for (const std::string& line : report.lines()) text += "# " + line + "\n";
  text += "\nsarrus = 1\n";
  for (const Node& n : top.children) text += toml_line(n);
  if (!parameters.empty()) {
    text += "\n[parameters]\n";
    for (const auto& [key, value] : parameters) {
      Node n = number_node(value);
      n.key = key;
      text += toml_line(n);
    }
  }
  for (const Element& e : elements_) {
    const std::string from = std::filesystem::path(e.from.file).filename().string();
    text += fmt::format("\n[[{}]]  # {}:{}\n", e.kind, shown(from, 200), e.from.line);
    for (const Node& n : e.node.children) text += toml_line(n);
  }
  if (!simulate.children.empty()) {
    text += "\n[simulate]\n";
    for (const Node& n : simulate.children) text += toml_line(n);
  }
  return text;
}

void put_mass(Sheet& sheet, Node& body, const ImportedMass& m, const XmlElement& from) {
  put(body, "mass", number_node(m.mass));
  if (dot(m.com, m.com) != 0) put(body, "com", list_node(m.com));
  // below 1e-20 kg m² stands what a program meant as 0
  Mat3 I = m.inertia;
  for (int i = 0; i < 3; ++i)
    for (int k = 0; k < 3; ++k)
      if (std::fabs(I(i, k)) < 1e-20) I(i, k) = 0;
  const double xy = I.y.x, xz = I.z.x, yz = I.z.y;
  const bool is_zero = I.x.x == 0 && I.y.y == 0 && I.z.z == 0 && xy == 0 && xz == 0 && yz == 0;
  if (is_zero) return;
  if (xy == 0 && xz == 0 && yz == 0)
    put(body, "inertia", list_node(Vec3{I.x.x, I.y.y, I.z.z}));
  else
    put(body, "inertia", list_node({I.x.x, I.y.y, I.z.z, xy, xz, yz}));
  if (is_unphysical(I)) {
    put(body, "unphysical", flag_node(true));
    sheet.report.approximate(
        "an inertia that no body has",
        "its principal values break the triangle inequality; it is used as it is", from.place(),
        Effect::none);
  }
}

// ── attributes ──────────────────────────────────────────────────────────────────────────────────

void XmlFaults::error(const XmlElement& at, std::string code, std::string message,
                      std::string hint) {
  found_.error(std::move(code), at.place(), at.title(), std::move(message), std::move(hint));
}

std::optional<std::vector<double>> numbers_in(XmlFaults& faults, const XmlElement& at,
                                              std::string_view what, const std::string& text) {
  std::vector<double> numbers;
  const char *p = text.data(), *end = p + text.size();
  const auto blank = [](char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; };
  while (p < end) {
    if (blank(*p)) {
      ++p;
      continue;
    }
    const char* stop = std::find_if(p, end, blank);
    const char* begin = *p == '+' && stop - p > 1 ? p + 1 : p;
    double x = 0;
    const auto [used, problem] = std::from_chars(begin, stop, x);
    if (problem == std::errc::result_out_of_range || used != stop || std::isnan(x)) {
      faults.error(at, "wrong-shape",
                   fmt::format("{}: '{}' is not a number", what,
                               shown(std::string_view(p, static_cast<size_t>(stop - p)))),
                   "numbers are written like 1000, 1.5 or 2e-3, with blanks between them");
      return std::nullopt;
    }
    numbers.push_back(x);
    p = stop;
  }
  return numbers;
}

namespace {

std::optional<std::vector<double>> exactly(XmlFaults& faults, const XmlElement& at,
                                           std::string_view attribute, size_t count) {
  const std::string* text = at.attribute(attribute);
  if (!text) return std::nullopt;
  auto numbers = numbers_in(faults, at, attribute, *text);
  if (!numbers) return std::nullopt;
  if (numbers->size() != count) {
    faults.error(at, "wrong-length",
                 fmt::format("{}: {} numbers, not {}", attribute, numbers->size(), count));
    return std::nullopt;
  }
  return numbers;
}

}  // namespace

std::optional<double> number_of(XmlFaults& faults, const XmlElement& at,
                                std::string_view attribute) {
  const auto numbers = exactly(faults, at, attribute, 1);
  return numbers ? std::optional(numbers->front()) : std::nullopt;
}

std::optional<Vec3> vector_of(XmlFaults& faults, const XmlElement& at, std::string_view attribute) {
  const auto n = exactly(faults, at, attribute, 3);
  return n ? std::optional(Vec3{(*n)[0], (*n)[1], (*n)[2]}) : std::nullopt;
}

std::string required_text(XmlFaults& faults, const XmlElement& at, std::string_view attribute) {
  const std::string* text = at.attribute(attribute);
  if (text && !text->empty()) return *text;
  faults.error(at, "missing-key", fmt::format("it has no attribute '{}'", attribute),
               fmt::format("write {}=\"…\"", attribute));
  return "";
}

namespace {

const KnownGap* known_gap(const std::vector<KnownGap>& known, std::string_view name) {
  for (const KnownGap& g : known)
    if (g.name == name) return &g;
  return nullptr;
}

}  // namespace

void report_unused(const XmlElement& e, const std::vector<KnownGap>& known, ImportReport& report) {
  if (!e.used) {
    const KnownGap* gap = known_gap(known, e.name);
    report.leave_out(fmt::format("<{}>", shown(e.name)), gap ? gap->why : "not known here",
                     gap ? gap->effect : Effect::unknown, e.place());
    return;
  }
  for (const XmlAttribute& a : e.attributes) {
    if (a.used) continue;
    const KnownGap* gap = known_gap(known, fmt::format("{}@{}", e.name, a.name));
    if (!gap) gap = known_gap(known, "@" + a.name);
    if (!gap && (a.name == "name" || a.name.starts_with("xmlns"))) continue;
    report.leave_out(fmt::format("{} of <{}>", shown(a.name), shown(e.name)),
                     gap ? gap->why : "not known here", gap ? gap->effect : Effect::unknown,
                     e.place());
  }
  for (const XmlElement& c : e.children) report_unused(c, known, report);
}

}  // namespace sarrus
