#include "output.hpp"

#include <poll.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>

#include <fmt/format.h>

#include "sarrus/core/json.hpp"
#include "sarrus/files/text/file.hpp"
#include "sarrus/files/text/utf8.hpp"

namespace sarrus::app {
namespace {

constexpr int alike_said = 3;   // notes of one code and element that are printed
constexpr int patience = 1000;  // [ms] for a standard error that does not take more

bool wants_colour(int descriptor) {
  const char* no_colour = std::getenv("NO_COLOR");
  const char* terminal = std::getenv("TERM");
  return ::isatty(descriptor) == 1 && !(no_colour && *no_colour) &&
         !(terminal && std::strcmp(terminal, "dumb") == 0);
}

const char* escape(Style style) {
  switch (style) {
    case Style::plain: return "";
    case Style::strong: return "\x1b[1m";
    case Style::faint: return "\x1b[2m";
    case Style::good: return "\x1b[32m";
    case Style::warning: return "\x1b[33m";
    case Style::bad: return "\x1b[31m";
  }
  return "";
}

std::string coloured(std::string_view text, Style style, bool colour) {
  if (!colour || style == Style::plain) return std::string(text);
  return std::string(escape(style)) + std::string(text) + "\x1b[0m";
}

/// The line with its word (error, warning, note) in colour.
std::string coloured_line(const Diagnostic& d, bool colour) {
  std::string text = visible(to_text(d));  // nothing in it controls the terminal
  const std::string word = d.severity == Severity::error     ? "error["
                           : d.severity == Severity::warning ? "warning["
                                                             : "note[";
  const Style style = d.severity == Severity::error     ? Style::bad
                      : d.severity == Severity::warning ? Style::warning
                                                        : Style::faint;
  const size_t at = text.find(word + d.code + "]");
  if (!colour || at == std::string::npos) return text;
  const size_t length = word.size() + d.code.size() + 1;
  return text.substr(0, at) + coloured(text.substr(at, length), style, true) +
         text.substr(at + length);
}

}  // namespace

Output::Output()
    : facts_(std::make_unique<Json>(Json::object())),
      colour_out_(wants_colour(STDOUT_FILENO)),
      colour_error_(wants_colour(STDERR_FILENO)) {}
Output::~Output() = default;

void Output::line(std::string_view text) {
  if (!json && !quiet) write_out(std::string(text) + "\n");
}

std::string Output::styled(std::string_view text, Style style) const {
  return coloured(text, style, colour_out_);
}

void Output::note(const Diagnostic& d) {
  const int before = alike_[{d.code, d.element}]++;
  if (before >= alike_said) return;
  said_.push_back(d);
  if (!json && !quiet) write_error(coloured_line(d, colour_error_) + "\n");
}

void Output::notes(const std::vector<Diagnostic>& all) {
  for (const Diagnostic& d : all) note(d);
}

void Output::finish_notes() {
  for (auto& [what, count] : alike_) {
    if (count > alike_said && !json && !quiet)
      write_error(fmt::format("note[repeated]: {}: {} more of [{}] were only counted\n",
                              visible(what.second), count - alike_said, what.first));
    count = 0;
  }
}

void Output::errors(const std::vector<Diagnostic>& all) {
  errors_.insert(errors_.end(), all.begin(), all.end());
  std::string text;
  for (const Diagnostic& d : all) text += coloured_line(d, colour_error_) + "\n";
  write_error(text);
}

void Output::finish(int exit_code, std::string_view status) {
  finish_notes();
  if (!json) return;
  Json object = {{"status", status}, {"exit_code", exit_code}};
  object.update(*facts_);
  Json list = Json::array();
  for (const auto* group : {&errors_, &said_})
    for (const Diagnostic& d : *group) list.push_back(Json::parse(to_json(d)));
  object["diagnostics"] = list;
  write_out(object.dump(2, ' ', false, Json::error_handler_t::replace) + "\n");
}

bool write_out(std::string_view text) {
  while (!text.empty()) {
    const ssize_t n = ::write(STDOUT_FILENO, text.data(), text.size());
    if (n >= 0) {
      text.remove_prefix(static_cast<size_t>(n));
    } else if (errno == EPIPE) {
      return false;
    } else if (errno == EAGAIN) {
      pollfd ready{STDOUT_FILENO, POLLOUT, 0};
      ::poll(&ready, 1, -1);
    } else if (errno != EINTR) {
      throw system_error("standard output", "write-failed", "write", errno);
    }
  }
  return true;
}

void write_error(std::string_view text) {
  while (!text.empty()) {
    const ssize_t n = ::write(STDERR_FILENO, text.data(), text.size());
    if (n >= 0) {
      text.remove_prefix(static_cast<size_t>(n));
    } else if (errno == EAGAIN) {
      pollfd ready{STDERR_FILENO, POLLOUT, 0};
      if (::poll(&ready, 1, patience) <= 0) return;
    } else if (errno != EINTR) {
      return;  // there is nobody left to tell
    }
  }
}

std::streamsize StandardOutput::xsputn(const char* text, std::streamsize count) {
  if (gone_) return 0;
  gone_ = !write_out({text, static_cast<size_t>(count)});
  return gone_ ? 0 : count;
}

StandardOutput::int_type StandardOutput::overflow(int_type c) {
  if (traits_type::eq_int_type(c, traits_type::eof())) return traits_type::not_eof(c);
  const char letter = traits_type::to_char_type(c);
  return xsputn(&letter, 1) == 1 ? c : traits_type::eof();
}

bool error_is_terminal() { return ::isatty(STDERR_FILENO) == 1; }

}  // namespace sarrus::app
