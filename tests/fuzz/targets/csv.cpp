#include "fuzz/target.hpp"
#include "sarrus/files/reading.hpp"

void sarrus::fuzz::take(std::string_view bytes) {
  const Csv csv = parse_csv(bytes);
  if (!csv.problem.empty()) return;
  for (const auto& column : csv.columns)
    require(column.size() == csv.columns.front().size(), "columns of different lengths");
}
