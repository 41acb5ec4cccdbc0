// sarrus reduce: histories under loads that are formulas, and on supports that move.
#include <cmath>

#include "program.hpp"

using namespace sarrus::testing;

namespace {

std::string diagonal(int n, double x) {
  std::string text = "%%MatrixMarket matrix coordinate real general\n" + std::to_string(n) + " " +
                     std::to_string(n) + " " + std::to_string(n) + "\n";
  for (int i = 1; i <= n; ++i)
    text += std::to_string(i) + " " + std::to_string(i) + " " + std::to_string(x) + "\n";
  return text;
}

/// Rows of numbers below the header.
std::vector<std::vector<double>> rows_of(const std::string& text) {
  std::vector<std::vector<double>> rows;
  std::istringstream in(text);
  std::string line;
  std::getline(in, line);
  while (std::getline(in, line)) {
    rows.emplace_back();
    std::istringstream cells(line);
    for (std::string cell; std::getline(cells, cell, ',');) rows.back().push_back(std::stod(cell));
  }
  return rows;
}

}  // namespace

TEST_CASE("reduce: a load by formula is followed between rows, however far they are apart") {
  const Folder folder;
  folder.write("M.mtx", diagonal(1, 1));
  folder.write("K.mtx", diagonal(1, 4));
  for (const std::string step : {"0.05", "0.5", "2.5"}) {
    CAPTURE(step);
    const Ended ended =
        folder.sarrus({"reduce", "--mass", "M.mtx", "--stiffness", "K.mtx", "--load", "z1=sin(3*t)",
                       "--until", "5", "--step", step, "--replace"});
    CAPTURE(ended.error);
    REQUIRE(ended.code == 0);
    for (const auto& row : rows_of(read_text(folder / "reduced/time_history.csv"))) {
      const double t = row[0], due = (std::sin(3 * t) - 1.5 * std::sin(2 * t)) / (4 - 9);
      // straight lines may miss 1e-8 of the load in the mean, over 5 s
      CHECK(std::fabs(row[1] - due) < 1e-7);
    }
  }
}

TEST_CASE("reduce: on a support that moves the start has its speed") {
  // z₁ + z₂ = 1 + t: the sum is driven, the difference swings freely with 2 rad/s
  const Folder folder;
  folder.write("M.mtx", diagonal(3, 1));
  folder.write("K.mtx", diagonal(3, 4));
  folder.write("C.mtx", "%%MatrixMarket matrix coordinate real general\n1 3 2\n1 1 1\n1 2 1\n");
  folder.write("d.csv", "time,c1\n0,1\n0.5,1.5\n1,2\n1.5,2.5\n2,3\n");
  const auto run = [&](const std::string& start) {
    folder.write("i.csv", "z1,z2,z3\n" + start);
    return folder.sarrus({"reduce", "--mass", "M.mtx", "--stiffness", "K.mtx", "--constraints",
                          "C.mtx", "--right-side", "d.csv", "--initial", "i.csv", "--until", "1",
                          "--step", "0.1", "--replace"});
  };
  for (const double v : {1.0, 0.5, -0.5}) {  // of z₁; that of z₂ is 1 − v
    CAPTURE(v);
    const Ended ended = run("1,0,0\n" + std::to_string(v) + "," + std::to_string(1 - v) + ",0\n");
    CAPTURE(ended.error);
    REQUIRE(ended.code == 0);
    for (const auto& row : rows_of(read_text(folder / "reduced/time_history.csv"))) {
      const double t = row[0], difference = std::cos(2 * t) + (2 * v - 1) / 2 * std::sin(2 * t);
      // the right side is a spline through a line
      CHECK(std::fabs(row[1] - (1 + t + difference) / 2) < 1e-12);
    }
  }
  const Ended still = run("1,0,0\n0.25,-0.25,0\n");
  CHECK(still.code == 4);
  CHECK(contains(still.error, "the velocities violate c1 by 1;"));
  // without a row of velocities, those of the support
  CHECK(run("1,0,0\n").code == 0);
}
