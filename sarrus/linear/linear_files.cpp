#include "sarrus/linear/linear_files.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>

#include "sarrus/core/ascii.hpp"
#include "sarrus/core/near_match.hpp"
#include "sarrus/files/mesh/matrix_market.hpp"
#include "sarrus/files/reading.hpp"
#include "sarrus/files/text/document.hpp"
#include "sarrus/files/text/file.hpp"
#include "sarrus/files/text/paths.hpp"

namespace sarrus {
namespace {

constexpr size_t most_bytes = size_t{1} << 30;
constexpr int most_written = 5'000'000;  // entries of one matrix

[[noreturn]] void refuse(const std::string& file, int line, const char* code,
                         const std::string& message, const std::string& hint = "") {
  throw Error(
      Fault::model,
      Diagnostic{
          .code = code, .where = {file, line, line > 0 ? 1 : 0}, .message = message, .hint = hint});
}

/// "line: what" of the CSV reader as a place and a message.
[[noreturn]] void refuse_csv(const std::string& file, const std::string& problem) {
  const size_t colon = problem.find(": ");
  refuse(file, std::atoi(problem.c_str()), "bad-csv",
         colon == std::string::npos ? problem : problem.substr(colon + 2));
}

void check_rising(const NamedColumns& c) {
  for (size_t i = 1; i < c.time.size(); ++i)
    if (!(c.time[i] > c.time[i - 1]))
      refuse(c.file, 0, "not-rising", fmt::format("time {} follows {}", c.time[i], c.time[i - 1]),
             "times must rise from row to row");
}

std::vector<std::string> names_of_columns(const LinearSystem& s, const std::vector<int>& which,
                                          const char* suffix) {
  std::vector<std::string> names;
  for (const int i : which) names.push_back(s.coordinate(i) + suffix);
  return names;
}

void write_matrix(OutputFolder& out, const std::string& name, const SparseMatrix& A,
                  const std::string& comment, bool symmetric) {
  if (A.nonzeros() <= most_written) out.write(name, to_matrix_market(A, comment, symmetric));
}

void write_spectrum(OutputFolder& out, const RankDecision& d) {
  std::string text = "index,sigma,sigma_squared,relative,counts\n";
  for (size_t i = 0; i < d.sigma.size(); ++i)
    text += fmt::format("{},{},{},{},{}\n", i + 1, d.sigma[i], d.sigma[i] * d.sigma[i],
                        d.sigma[0] > 0 ? d.sigma[i] / d.sigma[0] : 0.0,
                        static_cast<int>(i) < d.rank ? 1 : 0);
  out.write("spectrum.csv", text);
}

void write_redundancy(OutputFolder& out, const LinearSystem& s, const Redundancy& rows) {
  if (s.C.rows == 0) return;
  std::map<int, std::string> says;
  for (const Dependency& d : rows.redundant) says[d.row] = in_words(s, d);
  for (const int i : rows.empty) says[i] = s.constraint(i) + " has no entry";
  std::string text = "constraint,kept,multiplier_unique,dependency\n";
  for (int i = 0; i < s.C.rows; ++i) {
    const auto found = says.find(i);
    text += fmt::format("{},{},{},{}\n", s.constraint(i), found == says.end() ? 1 : 0,
                        rows.takes_part[i] ? 0 : 1, found == says.end() ? "" : found->second);
  }
  out.write("constraints.csv", text);
}

void write_frequencies(OutputFolder& out, const LinearModes& m) {
  std::string text = "mode,omega_squared[rad2/s2],omega[rad/s],frequency[Hz],kind\n";
  for (int i = 0; i < m.size(); ++i) {
    const double x = m.lambda[i];
    text += fmt::format("{},{},{},{},{}\n", i + 1, x, m.omega(i), m.omega(i) / (2 * M_PI),
                        x == 0  ? "rigid"
                        : x < 0 ? "unstable"
                                : "elastic");
  }
  out.write("frequencies.csv", text);
  if (m.damped.empty()) return;
  text = "mode,real[1/s],imaginary[rad/s],omega[rad/s],frequency[Hz],damping_ratio\n";
  for (size_t i = 0; i < m.damped.size(); ++i) {
    const ComplexMode& c = m.damped[i];
    text +=
        fmt::format("{},{},{},{},{},{}\n", i + 1, c.re, c.im, c.omega, c.im / (2 * M_PI), c.ratio);
  }
  out.write("damped.csv", text);
}

void write_shapes(OutputFolder& out, const LinearSystem& s, const std::string& name,
                  const std::vector<const Matrix*>& parts, const std::vector<std::string>& heads) {
  fmt::memory_buffer text;
  const auto to = std::back_inserter(text);
  fmt::format_to(to, "coordinate");
  for (int j = 0; j < parts[0]->cols; ++j)
    for (const std::string& head : heads) fmt::format_to(to, ",mode{}{}", j + 1, head);
  fmt::format_to(to, "\n");
  for (int i = 0; i < parts[0]->rows; ++i) {
    fmt::format_to(to, "{}", s.coordinate(i));
    for (int j = 0; j < parts[0]->cols; ++j)
      for (const Matrix* part : parts) fmt::format_to(to, ",{}", (*part)(i, j));
    fmt::format_to(to, "\n");
  }
  out.write(name, fmt::to_string(text));
}

}  // namespace

std::vector<std::string> read_names(const std::string& path) {
  const std::string text = read_input_text(path, most_bytes);
  std::vector<std::string> names;
  std::map<std::string, int> seen;
  int line = 0;
  for (size_t at = 0; at < text.size();) {
    const size_t end = std::min(text.find('\n', at), text.size());
    const std::string_view word = trimmed(std::string_view(text).substr(at, end - at));
    at = end + 1, ++line;
    if (word.empty() || word.front() == '#') continue;
    for (const char c : word)
      if (c == ',' || c == '"' || static_cast<unsigned char>(c) < 0x20)
        refuse(
            path, line, "bad-name",
            fmt::format("the name '{}' has a comma, a quote or a control character", shown(word)));
    if (parse_number(word))
      refuse(path, line, "bad-name", fmt::format("the name '{}' is a number", shown(word)));
    const auto [place, is_new] = seen.emplace(std::string(word), line);
    if (!is_new)
      refuse(path, line, "doubled-name",
             fmt::format("the name '{}' stands on line {} already", shown(word), place->second));
    names.emplace_back(word);
  }
  return names;
}

NamedColumns read_named_columns(const std::string& path, const std::vector<std::string>& names,
                                bool with_time) {
  const Csv csv = parse_csv(read_input_text(path, most_bytes));
  if (!csv.problem.empty()) refuse_csv(path, csv.problem);
  NamedColumns found;
  found.file = path;
  if (csv.headers.empty())
    refuse(path, 1, "no-header", "the first row names no columns",
           with_time ? "time," + names.front() + ",…" : names.front() + ",…");
  size_t first = 0;
  if (with_time) {
    const std::string& head = csv.headers[0];
    if (head != "time" && head != "time[s]" && head != "t")
      refuse(path, 1, "no-time",
             fmt::format("the first column is called '{}', not time", shown(head)));
    found.time = csv.columns[0];
    check_rising(found);
    first = 1;
  }
  for (size_t i = first; i < csv.headers.size(); ++i) {
    const auto at = std::find(names.begin(), names.end(), csv.headers[i]);
    if (at == names.end())
      refuse(path, 1, "unknown-name", fmt::format("nothing is called '{}'", shown(csv.headers[i])),
             did_you_mean(csv.headers[i], names));
    const int where = static_cast<int>(at - names.begin());
    if (std::find(found.where.begin(), found.where.end(), where) != found.where.end())
      refuse(path, 1, "doubled-name", fmt::format("'{}' heads two columns", shown(csv.headers[i])));
    found.where.push_back(where);
    found.column.push_back(csv.columns[i]);
  }
  return found;
}

Loads sampled(const NamedColumns& c, const TimeGrid& grid, Interpolation interpolation) {
  Loads loads;
  loads.where = c.where;
  const int rows = grid.steps + 1, cols = static_cast<int>(c.where.size());
  loads.value = loads.rate = loads.second = Matrix(rows, cols);
  for (int j = 0; j < cols; ++j) {
    if (c.time.size() == 1) {
      for (int i = 0; i < rows; ++i) loads.value(i, j) = c.column[j][0];
      continue;
    }
    Table table{"", c.time, c.column[j], interpolation, Outside::hold, {}};
    if (const std::string problem = table.prepare(); !problem.empty())
      refuse(c.file, 0, "bad-table", problem);
    for (int i = 0; i < rows; ++i) {
      const Table::Sample s = table.at(grid.at(i));
      loads.value(i, j) = s.value, loads.rate(i, j) = s.first, loads.second(i, j) = s.second;
    }
  }
  return loads;
}

std::string to_csv(const std::vector<std::string>& headers, const Matrix& rows) {
  fmt::memory_buffer text;
  const auto to = std::back_inserter(text);
  for (size_t i = 0; i < headers.size(); ++i)
    fmt::format_to(to, "{}{}", i == 0 ? "" : ",", headers[i]);
  fmt::format_to(to, "\n");
  for (int i = 0; i < rows.rows; ++i) {
    for (int j = 0; j < rows.cols; ++j) fmt::format_to(to, "{}{}", j == 0 ? "" : ",", rows(i, j));
    fmt::format_to(to, "\n");
  }
  return fmt::to_string(text);
}

OutputFolder::OutputFolder(std::string path, bool replace, std::vector<std::string> sources)
    : path_(std::move(path)), replace_(replace), sources_(std::move(sources)) {
  std::error_code problem;
  if (is_file(path_))
    throw io_error(path_, "not-a-folder", "is a file, not a folder", "name another with -o");
  if (is_folder(path_) && !replace_ && !std::filesystem::is_empty(path_, problem))
    throw io_error(path_, "folder-in-use", "the folder holds files already",
                   "--replace writes over those of the same names; -o names another folder");
}

void OutputFolder::write(const std::string& name, std::string_view text) {
  std::error_code problem;
  std::filesystem::create_directories(path_, problem);
  if (problem) throw io_error(path_, "cannot-create", "cannot be created: " + problem.message());
  const std::string path = join_path(path_, name);
  refuse_to_overwrite(path, sources_);
  write_file(path, path + ".partial", text);
  files_.push_back(name);
}

void write_reduction(OutputFolder& out, const LinearSystem& s, const Reduction& r,
                     const LinearModes& m) {
  write_matrix(out, "T.mtx", r.T, "z = T q", false);
  write_matrix(out, "M.mtx", r.M, "mass of the independent coordinates", true);
  write_matrix(out, "K.mtx", r.K, "stiffness of the independent coordinates", true);
  if (!r.D.empty())
    write_matrix(out, "D.mtx", r.D, "damping of the independent coordinates", false);
  if (r.basis.E.rows > 0) out.write("E.mtx", to_matrix_market(r.basis.E, "C'C"));
  if (r.basis.U.rows > 0)
    out.write("U.mtx", to_matrix_market(r.basis.U, r.basis.route == Route::jacobi
                                                       ? "eigenvectors of C'C"
                                                       : "right singular vectors of C"));
  write_spectrum(out, r.basis.decision);
  write_redundancy(out, s, r.basis.rows);
  if (m.size() == 0) return;
  write_frequencies(out, m);
  write_shapes(out, s, "modes.csv", {&m.shapes}, {""});
  if (!m.damped.empty())
    write_shapes(out, s, "damped_modes.csv", {&m.damped_re, &m.damped_im}, {".re", ".im"});
}

void write_history(OutputFolder& out, const LinearSystem& s, const Reduction& r,
                   const TimeHistory& h) {
  const int n = static_cast<int>(h.outputs.size()), rows = h.grid.steps + 1;
  Matrix table(rows, 1 + 3 * n);
  for (int i = 0; i < rows; ++i) {
    table(i, 0) = h.grid.at(i);
    for (int j = 0; j < n; ++j)
      table(i, 1 + j) = h.z(i, j), table(i, 1 + n + j) = h.zdot(i, j),
                   table(i, 1 + 2 * n + j) = h.zddot(i, j);
  }
  std::vector<std::string> heads{"time[s]"};
  for (const char* suffix : {"", ".rate", ".second"})
    for (const std::string& name : names_of_columns(s, h.outputs, suffix)) heads.push_back(name);
  out.write("time_history.csv", to_csv(heads, table));
  const auto with_time = [&](const Matrix& values, std::vector<std::string> names,
                             const char* file) {
    Matrix all(rows, values.cols + 1);
    for (int i = 0; i < rows; ++i) {
      all(i, 0) = h.grid.at(i);
      for (int j = 0; j < values.cols; ++j) all(i, j + 1) = values(i, j);
    }
    names.insert(names.begin(), "time[s]");
    out.write(file, to_csv(names, all));
  };
  if (h.Q.rows > 0) with_time(h.Q, r.coordinates, "Q.csv");
  if (h.lambda.rows > 0) {
    std::vector<std::string> names;
    for (int i = 0; i < s.C.rows; ++i)
      names.push_back(s.constraint(i) + (r.basis.rows.takes_part[i] ? ".not_unique" : ""));
    with_time(h.lambda, names, "reactions.csv");
  }
}

void write_response(OutputFolder& out, const std::string& file, const LinearSystem& s,
                    const FrequencyResponse& f) {
  const int n = static_cast<int>(f.outputs.size()), rows = static_cast<int>(f.omega.size());
  Matrix table(rows, 2 + 4 * n);
  std::vector<std::string> heads{"omega[rad/s]", "frequency[Hz]"};
  for (const int i : f.outputs)
    for (const char* part : {".re", ".im", ".amplitude", ".phase[rad]"})
      heads.push_back(s.coordinate(i) + part);
  for (int i = 0; i < rows; ++i) {
    table(i, 0) = f.omega[i];
    table(i, 1) = table(i, 0) / (2 * M_PI);
    for (int j = 0; j < n; ++j) {
      table(i, 2 + 4 * j) = f.re(i, j), table(i, 3 + 4 * j) = f.im(i, j);
      table(i, 4 + 4 * j) = std::hypot(f.re(i, j), f.im(i, j));
      table(i, 5 + 4 * j) = std::atan2(f.im(i, j), f.re(i, j));
    }
  }
  out.write(file, to_csv(heads, table));
}

}  // namespace sarrus
