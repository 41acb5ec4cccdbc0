#include "sarrus/run/trajectory.hpp"

#include <stdexcept>

namespace sarrus {

int Trajectory::column(const std::string& name) const {
  for (size_t i = 0; i < columns.size(); ++i)
    if (columns[i].name == name) return static_cast<int>(i);
  return -1;
}

double Trajectory::at(int row_index, const std::string& name) const {
  const int c = column(name);
  if (c < 0) throw std::out_of_range("no column is called '" + name + "'");
  if (row_index < 0 || row_index >= rows())
    throw std::out_of_range("row " + std::to_string(row_index) + " of " + std::to_string(rows()));
  return row(row_index)[c];
}

}  // namespace sarrus
