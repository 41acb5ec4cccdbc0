// What went wrong, said once, in one form, from the reader to the solver to the command line.
//
//   file:line:col: error[code]: element/path: cause with the value found and the limit; hint: what
//   to do
//
// A part that finds faults collects them in a Diagnostics and throws one Error at its boundary.
#pragma once

#include <stdexcept>
#include <string>
#include <vector>

namespace sarrus {

/// Where in a file something was written. Line and column count from 1; 0 means unknown.
struct Place {
  std::string file;
  int line = 0;
  int column = 0;
};

enum class Severity { note, warning, error };

/// What kind of failure ends a command; the number is the exit code of the program.
enum class Fault {
  internal = 1,      // a bug of ours, never expected
  usage = 2,         // a call or command line that cannot be understood
  model = 3,         // the model cannot be read or is invalid
  physics = 4,       // the model is valid but physically or kinematically inconsistent
  numerics = 5,      // the run failed
  io = 6,            // files could not be read or written
  budget = 7,        // wall time or steps used up, state saved
  sweep = 8,         // a sweep finished with failed points
  disagreement = 9,  // verify disagrees
  undecided = 10,    // verify cannot decide
};

struct Diagnostic {
  Severity severity = Severity::error;
  std::string code = {};     // short and stable, for machines: "unknown-key"
  Place where = {};          // may be empty
  std::string element = {};  // path in the model: "joint/slider/child"
  std::string message = {};  // the cause, with the value found and the limit
  std::string hint = {};     // what to do; may be empty
  std::string value = {};    // the offending value as text, where there is one
  std::string limit = {};    // the limit it breaks, where there is one
};

/// The line a person reads.
std::string to_text(const Diagnostic& d);
std::string to_text(const std::vector<Diagnostic>& all);
/// The same fields as a JSON object.
std::string to_json(const Diagnostic& d);

/// Thrown at the boundary of a part, with everything that part found.
class Error : public std::runtime_error {
 public:
  Error(Fault fault, std::vector<Diagnostic> found);
  Error(Fault fault, Diagnostic single);

  Fault fault() const { return fault_; }
  int exit_code() const { return static_cast<int>(fault_); }
  const std::vector<Diagnostic>& diagnostics() const { return found_; }

 private:
  Fault fault_;
  std::vector<Diagnostic> found_;
};

/// Collects what a part finds: the first 20 errors are kept, further ones counted.
class Diagnostics {
 public:
  static constexpr int limit = 20;

  void add(Diagnostic d);
  void error(std::string code, Place where, std::string element, std::string message,
             std::string hint = "");
  void warning(std::string code, Place where, std::string element, std::string message,
               std::string hint = "");
  void note(std::string code, Place where, std::string element, std::string message,
            std::string hint = "");

  bool has_errors() const { return errors_ > 0; }
  int errors() const { return errors_; }
  bool full() const { return errors_ >= limit; }
  const std::vector<Diagnostic>& all() const { return found_; }
  std::vector<Diagnostic> take();

  /// Throws Error if there are errors, with all that was found; does nothing otherwise.
  void throw_if_errors(Fault fault) const;

 private:
  std::vector<Diagnostic> found_;
  int errors_ = 0;
  int notes_ = 0;
};

}  // namespace sarrus
