// Files of linear analyses: names, loads and initial states as input, tables as output.
// The layouts are those of docs/reference/linear.md.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "sarrus/core/table.hpp"
#include "sarrus/linear/linear_response.hpp"

namespace sarrus {

/// One name per line; blanks around it, blank lines and # comments are left out. Throws
/// Error(model) for names that are repeated or that a CSV header could not hold.
std::vector<std::string> read_names(const std::string& path);

/// A CSV file whose headers name coordinates (or constraints): which ones, and their columns.
struct NamedColumns {
  std::string file;
  std::vector<double> time;  // where the first column is called time
  std::vector<int> where;
  std::vector<std::vector<double>> column;
};
/// `names` are what headers may say; `with_time` asks for a rising first column. Throws
/// Error(model), for an unknown header with a near match.
NamedColumns read_named_columns(const std::string& path, const std::vector<std::string>& names,
                                bool with_time);

/// The columns at the times of the grid: linear between rows for loads; for right-hand sides, whose
/// first and second derivatives are needed, a cubic spline. Beyond the rows, the end values hold.
Loads sampled(const NamedColumns& columns, const TimeGrid& grid, Interpolation interpolation);

/// One file of numbers: a header and rows.
std::string to_csv(const std::vector<std::string>& headers, const Matrix& rows);

/// A folder that an analysis fills. Throws Error(io) where it holds files and may not replace them;
/// the files that were read are never replaced.
class OutputFolder {
 public:
  OutputFolder(std::string path, bool replace, std::vector<std::string> sources);
  void write(const std::string& name, std::string_view text);
  const std::string& path() const { return path_; }
  const std::vector<std::string>& files() const { return files_; }

 private:
  std::string path_;
  bool replace_ = false;
  std::vector<std::string> sources_, files_;
};

/// T, the reduced matrices, the rank decision, modes in the coordinates as given.
void write_reduction(OutputFolder& out, const LinearSystem& system, const Reduction& reduction,
                     const LinearModes& modes);
void write_history(OutputFolder& out, const LinearSystem& system, const Reduction& reduction,
                   const TimeHistory& history);
void write_response(OutputFolder& out, const std::string& file, const LinearSystem& system,
                    const FrequencyResponse& response);

}  // namespace sarrus
