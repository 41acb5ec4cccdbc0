// The parser of expressions: recursive descent that writes the program as it reads.
//
//   or ‹ and ‹ not ‹ comparison ‹ + − ‹ * / ‹ sign ‹ ^          loosest to tightest
//
// Operators of one level group from the left, ^ from the right, comparisons not at all. Whatever
// has only constants is computed on the spot, so that a part that can never be finite is refused
// here.
#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <numbers>
#include <unordered_map>

#include "sarrus/core/ascii.hpp"
#include "sarrus/core/expression.hpp"
#include "sarrus/core/expression_program.hpp"
#include "sarrus/core/near_match.hpp"

namespace sarrus {
namespace program {

std::span<const Function> functions() {
  static constexpr Function list[] = {
      {"sin", Code::sin, 1, 1},     {"cos", Code::cos, 1, 1},     {"tan", Code::tan, 1, 1},
      {"asin", Code::asin, 1, 1},   {"acos", Code::acos, 1, 1},   {"atan", Code::atan, 1, 1},
      {"atan2", Code::atan2, 2, 2}, {"sinh", Code::sinh, 1, 1},   {"cosh", Code::cosh, 1, 1},
      {"tanh", Code::tanh, 1, 1},   {"exp", Code::exp, 1, 1},     {"log", Code::log, 1, 1},
      {"log10", Code::log10, 1, 1}, {"sqrt", Code::sqrt, 1, 1},   {"abs", Code::abs, 1, 1},
      {"sign", Code::sign, 1, 1},   {"floor", Code::floor, 1, 1}, {"min", Code::min, 2, 16},
      {"max", Code::max, 2, 16},    {"mod", Code::mod, 2, 2},     {"pow", Code::pow, 2, 2},
      {"hypot", Code::hypot, 2, 2}, {"if", Code::choose, 3, 3},   {"clamp", Code::clamp, 3, 3},
      {"pulse", Code::pulse, 3, 3}, {"step", Code::step, 5, 5},   {"ramp", Code::ramp, 5, 5},
  };
  return list;
}

}  // namespace program

namespace {

using program::Code;
using program::Function;

constexpr size_t longest_text = 10000;
constexpr int deepest_nesting = 200;
constexpr int comparison_level = 3, tightest_level = 5;

/// Ends the parsing; caught in Expression::parse.
struct Refusal {
  std::string problem;
  size_t at;
  std::string hint;
};

bool starts_name(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' ||
         static_cast<unsigned char>(c) >= 0x80;
}
bool continues_name(char c) { return starts_name(c) || is_digit(c); }

const Function* find_function(std::string_view name) {
  for (const Function& f : program::functions())
    if (f.name == name) return &f;
  return nullptr;
}

struct Operator {
  std::string_view sign;
  int level;
  Code code;
  bool opposite = false;  // a > b is not (a <= b)
};

constexpr Operator operators[] = {
    {"or", 1, Code::logical_or}, {"and", 2, Code::logical_and},    {"<=", 3, Code::less_equal},
    {">=", 3, Code::less, true}, {"==", 3, Code::equal},           {"!=", 3, Code::unequal},
    {"<", 3, Code::less},        {">", 3, Code::less_equal, true}, {"+", 4, Code::add},
    {"-", 4, Code::subtract},    {"*", 5, Code::multiply},         {"/", 5, Code::divide},
};

/// Signs from other languages, and what is written here instead.
constexpr std::pair<std::string_view, std::string_view> foreign[] = {
    {"**", "a power is written x^2"},
    {"&", "write 'and'"},
    {"|", "write 'or', and abs(x) for the absolute value"},
    {"!", "write 'not'"},
    {"%", "the remainder is mod(x, y)"},
    {"=", "equality is written =="},
    {",", "decimals have a point; commas separate the arguments of functions"},
    {"[", "only round brackets are used"},
    {"{", "only round brackets are used"},
    {"·", "a product is written with *"},
    {"×", "a product is written with *"},
    {"−", "use the plain minus sign, -"},
    {"÷", "a quotient is written with /"},
};

}  // namespace

class ExpressionParser {
 public:
  explicit ExpressionParser(std::string_view text) : text_(text) { result_.text_ = text; }

  Expression run() {
    if (text_.size() > longest_text)
      throw Refusal{fmt::format("the expression has {} characters; the limit is {}", text_.size(),
                                longest_text),
                    longest_text, "put parts of it into parameters or a table"};
    skip_blanks();
    if (at_end()) throw Refusal{"the expression is empty", 0, "write a number or a formula"};
    sequence(1);
    if (!at_end()) refuse_rest();
    return std::move(result_);
  }

 private:
  using Operation = Expression::Operation;

  // ── reading ───────────────────────────────────────────────────────────────────────────────────

  bool at_end() const { return at_ >= text_.size(); }
  char peek() const { return at_end() ? '\0' : text_[at_]; }
  std::string_view rest() const { return text_.substr(at_); }
  void skip_blanks() {
    while (!at_end() && is_blank_or_end(text_[at_])) ++at_;
  }
  void advance(size_t n) {
    at_ += n;
    skip_blanks();
  }
  bool take(char c) {
    if (peek() != c) return false;
    advance(1);
    return true;
  }

  /// The name at this place, without moving on: parts of letters, digits and _, joined by points.
  std::string_view name_here() const {
    if (at_end() || !starts_name(text_[at_]) || foreign_at(at_)) return {};
    size_t end = at_ + 1;
    while (end < text_.size() &&
           (continues_name(text_[end]) ||
            (text_[end] == '.' && end + 1 < text_.size() && continues_name(text_[end + 1]))) &&
           !foreign_at(end))
      ++end;
    return text_.substr(at_, end - at_);
  }

  const std::pair<std::string_view, std::string_view>* foreign_at(size_t at) const {
    for (const auto& entry : foreign)
      if (text_.substr(at).starts_with(entry.first)) return &entry;
    return nullptr;
  }

  const Operator* operator_here() const {
    for (const Operator& o : operators) {
      if (!rest().starts_with(o.sign)) continue;
      if (starts_name(o.sign[0]) && name_here() != o.sign) continue;
      if (rest().starts_with("**")) return nullptr;
      return &o;
    }
    return nullptr;
  }

  /// What stands at this place, short enough for a message.
  std::string shown() const {
    if (const std::string_view name = name_here(); !name.empty())
      return std::string(name.substr(0, 40));
    size_t n = 1;
    while (at_ + n < text_.size() && (static_cast<unsigned char>(text_[at_ + n]) & 0xC0) == 0x80)
      ++n;
    return std::string(text_.substr(at_, n));
  }

  [[noreturn]] void refuse_rest() const {
    if (const Operator* o = operator_here(); o && o->level == comparison_level)
      throw Refusal{"comparisons cannot be chained", at_, "write a < b and b < c"};
    if (const auto* entry = foreign_at(at_))
      throw Refusal{fmt::format("'{}' is not understood here", entry->first), at_,
                    std::string(entry->second)};
    if (peek() == ')') throw Refusal{"')' without '(' before it", at_, ""};
    if (!name_here().empty() || is_digit(peek()) || peek() == '(' || peek() == '.')
      throw Refusal{fmt::format("an operator is missing before '{}'", shown()), at_,
                    "a product is written with *"};
    throw Refusal{fmt::format("'{}' is not understood here", shown()), at_, ""};
  }

  [[noreturn]] void refuse_operand() const {
    if (at_end()) throw Refusal{"the expression ends where a value is expected", at_, ""};
    const auto* entry = foreign_at(at_);
    throw Refusal{fmt::format("expected a value, found '{}'", shown()), at_,
                  entry ? std::string(entry->second) : ""};
  }

  // ── writing ───────────────────────────────────────────────────────────────────────────────────

  void push(Operation op) {
    if (++height_ > program::stack_limit)
      throw Refusal{fmt::format("more than {} values are needed at once", program::stack_limit),
                    at_, "put parts of it into parameters"};
    result_.program_.push_back(op);
  }
  void push_number(double x) { push({static_cast<int>(Code::number), 0, x}); }

  /// Whether the last n operations are numbers, and so the last n values constants.
  bool constants(int n) const {
    const auto& ops = result_.program_;
    if (ops.size() < static_cast<size_t>(n)) return false;
    for (size_t i = ops.size() - n; i < ops.size(); ++i)
      if (ops[i].code != static_cast<int>(Code::number)) return false;
    return true;
  }
  double constant(int from_end) const { return result_.program_.end()[-from_end].number; }

  /// The operation `code` on the last n values; `at` is where it stands.
  void emit(Code code, int n, size_t at) {
    auto& ops = result_.program_;
    if (code == Code::divide && constants(1) && constant(1) == 0)
      throw Refusal{"division by zero", at, ""};
    if ((code == Code::step || code == Code::ramp) && constants(4) && constant(4) == constant(2))
      throw Refusal{fmt::format("both ends are at {}", constant(2)), at,
                    "the second and the fourth argument must differ"};
    const bool foldable = constants(n);
    if (code == Code::pow && !foldable && constants(1) && is_small_whole(constant(1))) {
      const int exponent = static_cast<int>(constant(1));
      ops.back() = {static_cast<int>(Code::power), exponent, 0};
    } else {
      ops.push_back({static_cast<int>(code), n, 0});
    }
    height_ -= n - 1;
    if (foldable) fold(n, at);
  }

  static bool is_small_whole(double x) { return x == std::floor(x) && std::fabs(x) <= 1000; }

  /// Replaces the last operation and its n constant arguments by their value.
  void fold(int n, size_t at) {
    auto& ops = result_.program_;
    Expression part;
    part.program_.assign(ops.end() - (n + 1), ops.end());
    const double x = part.evaluate(std::span<const double>{});
    if (!std::isfinite(x)) {
      at_ = at;
      throw Refusal{
          fmt::format("'{}' gives no {} value here", shown(), std::isnan(x) ? "real" : "finite"),
          at, ""};
    }
    ops.resize(ops.size() - static_cast<size_t>(n));
    ops.back() = {static_cast<int>(Code::number), 0, x};
  }

  int index_of(std::unordered_map<std::string_view, int>& known, std::vector<std::string>& list,
               std::string_view name) {
    const auto [entry, is_new] = known.try_emplace(name, static_cast<int>(list.size()));
    if (is_new) list.emplace_back(name);
    return entry->second;
  }

  // ── grammar ───────────────────────────────────────────────────────────────────────────────────

  /// Counts how deep the grammar calls itself, so that no text can exhaust the machine's stack.
  struct Nesting {
    ExpressionParser& parser;
    explicit Nesting(ExpressionParser& p) : parser(p) {
      if (++parser.nesting_ > deepest_nesting)
        throw Refusal{fmt::format("nested deeper than {} levels", deepest_nesting), parser.at_,
                      "put parts of it into parameters"};
    }
    ~Nesting() { --parser.nesting_; }
  };

  /// Operands joined by the binary operators of this level and of tighter ones.
  void sequence(int level) {
    operand(level);
    while (const Operator* o = operator_here()) {
      if (o->level < level) return;
      const size_t at = at_;
      advance(o->sign.size());
      right_side(*o, at);
      if (o->level == comparison_level && operator_here() &&
          operator_here()->level == comparison_level)
        refuse_rest();
    }
  }

  void right_side(const Operator& o, size_t at) {
    if (o.level == tightest_level)
      operand(tightest_level + 1);
    else
      sequence(o.level + 1);
    emit(o.code, 2, at);
    if (o.opposite) emit(Code::logical_not, 1, at);
  }

  void operand(int level) {
    if (name_here() != "not") return signed_power();
    if (level > comparison_level) throw Refusal{"'not' needs brackets here", at_, "write (not a)"};
    const Nesting deeper(*this);
    const size_t at = at_;
    advance(3);
    sequence(comparison_level);
    emit(Code::logical_not, 1, at);
  }

  /// −x^y is −(x^y).
  void signed_power() {
    const size_t at = at_;
    const bool minus = peek() == '-';
    if (minus || peek() == '+') {
      advance(1);
      if (peek() == '-' || peek() == '+')
        throw Refusal{"two signs in a row", at_, "use brackets, like -(-x)"};
    }
    power();
    if (minus) emit(Code::negate, 1, at);
  }

  void power() {
    primary();
    if (peek() != '^') return;
    const Nesting deeper(*this);
    const size_t at = at_;
    advance(1);
    signed_power();
    emit(Code::pow, 2, at);
  }

  void primary() {
    if (is_digit(peek()) || (peek() == '.' && rest().size() > 1 && is_digit(rest()[1])))
      return literal();
    if (peek() == '(') {
      const Nesting deeper(*this);
      const size_t at = at_;
      advance(1);
      sequence(1);
      close(at);
      return;
    }
    const std::string_view name = name_here();
    if (name.empty() || name == "and" || name == "or" || name == "not") refuse_operand();
    word(name);
  }

  void close(size_t opened_at) {
    if (take(')')) return;
    if (at_end()) throw Refusal{"this '(' is never closed", opened_at, "add the ')'"};
    refuse_rest();
  }

  void literal() {
    double x = 0;
    const char* const start = text_.data() + at_;
    const auto [end, status] = std::from_chars(start, text_.data() + text_.size(), x);
    size_t n = static_cast<size_t>(end - start);
    if (at_ + n < text_.size() && (continues_name(text_[at_ + n]) || text_[at_ + n] == '.') &&
        !foreign_at(at_ + n)) {
      while (at_ + n < text_.size() && (continues_name(text_[at_ + n]) || text_[at_ + n] == '.'))
        ++n;
      throw Refusal{fmt::format("'{}' is not a number", text_.substr(at_, std::min<size_t>(n, 40))),
                    at_, "numbers are written like 1.5 or -2e-3, products with *"};
    }
    if (status != std::errc())
      throw Refusal{fmt::format("{} is beyond what a double can hold",
                                text_.substr(at_, std::min<size_t>(n, 40))),
                    at_, ""};
    push_number(x);
    advance(n);
  }

  /// A constant, a function with its arguments, or a name.
  void word(std::string_view name) {
    const size_t at = at_;
    const Function* f = find_function(name);
    advance(name.size());
    if (peek() == '(') return call(name, f, at);
    if (f)
      throw Refusal{fmt::format("'{}' is a function and needs arguments", name), at,
                    fmt::format("write {}(...)", name)};
    if (name == "pi") return push_number(std::numbers::pi);
    if (name == "e") return push_number(std::numbers::e);
    push({static_cast<int>(Code::name), index_of(known_names_, result_.names_, name), 0});
  }

  void call(std::string_view name, const Function* f, size_t at) {
    if (name == "pi" || name == "e")
      throw Refusal{fmt::format("'{}' is a number, not a function", name), at,
                    "a product is written with *"};
    const int n = arguments();
    if (f && (n < f->least || n > f->most)) {
      const std::string due = f->least == f->most ? fmt::format("{}", f->least)
                                                  : fmt::format("{} to {}", f->least, f->most);
      throw Refusal{
          fmt::format("'{}' takes {} argument{}, not {}", name, due, f->most == 1 ? "" : "s", n),
          at, ""};
    }
    if (f) return emit(f->code, n, at);
    if (n != 1)
      throw Refusal{fmt::format("no function is called '{}'", name.substr(0, 40)), at,
                    did_you_mean(name, Expression::function_names())};
    const int table = index_of(known_tables_, result_.table_names_, name);
    result_.program_.push_back({static_cast<int>(Code::table), table, 0});
  }

  /// "(a, b, c)": how many there are.
  int arguments() {
    const Nesting deeper(*this);
    const size_t at = at_;
    advance(1);
    int n = 0;
    if (take(')')) return n;
    do {
      sequence(1);
      ++n;
    } while (take(','));
    close(at);
    return n;
  }

  std::string_view text_;
  size_t at_ = 0;
  int height_ = 0;   // values on the stack at this place
  int nesting_ = 0;  // levels open at this place
  Expression result_;
  std::unordered_map<std::string_view, int> known_names_, known_tables_;
};

Expression::Parsed Expression::parse(std::string_view text) {
  try {
    return {ExpressionParser(text).run(), "", 0, ""};
  } catch (const Refusal& r) {
    // columns count characters, not bytes
    int column = 1;
    for (const char c : text.substr(0, std::min(r.at, text.size())))
      column += (static_cast<unsigned char>(c) & 0xC0) != 0x80;
    Parsed refused;
    refused.problem = r.problem;
    refused.column = column;
    refused.hint = r.hint;
    return refused;
  }
}

const std::vector<std::string>& Expression::function_names() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> list;
    for (const Function& f : program::functions()) list.emplace_back(f.name);
    return list;
  }();
  return names;
}

}  // namespace sarrus
