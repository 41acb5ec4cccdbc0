// What the program says: text for people on standard output, faults and notes on standard error, or
// one JSON object for machines.
//
// A reader that closes the pipe (sarrus export … | head -1) is no error: further output is
// dropped. Standard output on a full disk is one: Error(Fault::io).
#pragma once

#include <map>
#include <memory>
#include <streambuf>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sarrus/core/diagnostic.hpp"
#include "sarrus/core/json_fwd.hpp"

namespace sarrus::app {

/// Colours of a terminal; plain text elsewhere.
enum class Style { plain, strong, faint, good, warning, bad };

class Output {
 public:
  bool json = false;   // one object on standard output instead of text
  bool quiet = false;  // nothing but errors

  Output();
  ~Output();

  /// What --json prints when the command ends.
  Json& facts() { return *facts_; }
  /// A line for people on standard output.
  void line(std::string_view text = "");
  /// The text in a style, where standard output is a terminal.
  std::string styled(std::string_view text, Style style) const;

  /// Notes and warnings on standard error. Similar ones are printed three times, then counted.
  void note(const Diagnostic& d);
  void notes(const std::vector<Diagnostic>& all);
  /// Says how many notes were only counted.
  void finish_notes();

  /// The errors on standard error; with --json they stand in the object.
  void errors(const std::vector<Diagnostic>& all);
  /// Prints the object of --json with the status and the exit code.
  void finish(int exit_code, std::string_view status);

  const std::vector<Diagnostic>& said() const { return said_; }

 private:
  std::unique_ptr<Json> facts_;
  bool colour_out_ = false, colour_error_ = false;
  std::map<std::pair<std::string, std::string>, int> alike_;  // notes by code and element
  std::vector<Diagnostic> said_, errors_;
};

/// All bytes to standard output. False where its reader has gone; throws where writing fails.
bool write_out(std::string_view text);
/// To standard error, as far as it takes them.
void write_error(std::string_view text);

/// Standard output behind a stream; remembers whether its reader has gone.
class StandardOutput : public std::streambuf {
 public:
  bool reader_gone() const { return gone_; }

 private:
  std::streamsize xsputn(const char* text, std::streamsize count) override;
  int_type overflow(int_type c) override;
  bool gone_ = false;
};

/// Whether messages may be animated: standard error is a terminal.
bool error_is_terminal();

}  // namespace sarrus::app
