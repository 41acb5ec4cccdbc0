// Result files: whatever was changed, the rows that are read are whole.
#include "fuzz/target.hpp"
#include "sarrus/results/result_reader.hpp"

void sarrus::fuzz::take(std::string_view bytes) {
  may_refuse([&] {
    const ResultFile file = read_result(as_file(bytes, "result.sarrus"));
    require(file.rows.columns.empty() || file.rows.values.size() % file.rows.columns.size() == 0,
            "a row that is not whole");
  });
}
