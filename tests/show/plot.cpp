// Pictures of columns: what is drawn stands where the numbers say.
#include "sarrus/show/plot.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <numbers>
#include <sstream>

#include "near.hpp"
#include "sarrus/show/canvas.hpp"
#include "sarrus/show/plot_axis.hpp"

using namespace sarrus;
using sarrus::testing::near;
using sarrus::testing::rounding;

namespace {

Trajectory rows_of(std::vector<Column> columns, std::vector<double> values) {
  return {std::move(columns), std::move(values)};
}

/// The points of all lines of a colour, line after line.
std::vector<std::vector<SheetPoint>> lines(const std::string& svg, const std::string& color) {
  std::vector<std::vector<SheetPoint>> found;
  for (size_t at = 0; (at = svg.find("stroke=\"" + color, at)) != std::string::npos; ++at) {
    const size_t begin = svg.find("points=\"", at) + 8;
    std::istringstream in(svg.substr(begin, svg.find('"', begin) - begin));
    std::vector<SheetPoint> points;
    char comma;
    for (SheetPoint p; in >> p.x >> comma >> p.y;) points.push_back(p);
    found.push_back(points);
  }
  return found;
}

constexpr const char* first_color = "#0072b2";

int count(const std::string& text, const std::string& part) {
  int n = 0;
  for (size_t at = 0; (at = text.find(part, at)) != std::string::npos; at += part.size()) ++n;
  return n;
}

}  // namespace

TEST_CASE("plot: ticks are round numbers that cover the data") {
  for (const auto& [low, high] : {std::pair{0.0, 10.0}, {-1.7, 1.7}, {1e-9, 7e-9}, {-3e8, 2e8}}) {
    const PlotAxis axis = make_axis(low, high, 5, 0.05);
    CAPTURE(low);
    CHECK(axis.low < low);
    CHECK(axis.high > high);
    CHECK(axis.ticks.size() >= 3);
    CHECK(axis.ticks.size() <= 12);
    const double step = axis.ticks[1].value - axis.ticks[0].value;
    const double mantissa = step / std::pow(10.0, std::floor(std::log10(step) + 1e-9));
    const double round = mantissa < 1.5 ? 1 : mantissa < 3.5 ? 2 : 5;
    CHECK(near(mantissa, round, rounding(8)));
    for (const Tick& t : axis.ticks)
      CHECK(std::fabs(t.value / step - std::round(t.value / step)) < 1e-6);  // as printed
  }
}

TEST_CASE("plot: what all labels have in common is taken out of them and said once") {
  const PlotAxis small = make_axis(0, 4e-6, 4, 0);
  CHECK(small.caption == "10⁻⁶");
  CHECK(small.ticks.back().label == "4");
  const PlotAxis late = make_axis(-19.7474415, -19.7474405, 4, 0);  // differ in the seventh digit
  CHECK(late.caption.starts_with("−19.747441 + "));
  for (const Tick& t : late.ticks) CHECK(t.label.size() < 8);
}

TEST_CASE("plot: a straight line is drawn straight, from corner to corner") {
  const std::string svg =
      plot_picture("line", rows_of({{"time", "s"}, {"a.q", "rad"}}, {0, 0, 1, 10, 2, 20}), {});
  const auto curve = lines(svg, first_color);
  REQUIRE(curve.size() == 1);
  REQUIRE(curve[0].size() == 3);
  const SheetPoint a = curve[0][0], m = curve[0][1], b = curve[0][2];
  CHECK(near(m.x, (a.x + b.x) / 2, 1e-4));  // two decimals in the file
  CHECK(near(m.y, (a.y + b.y) / 2, 1e-4));
  CHECK(a.y > b.y);                         // more is higher on the sheet
  CHECK(near(a.y - b.y, 240 / 1.1, 1e-3));  // 5 % free above and below
}

TEST_CASE("plot: columns of one unit share a panel, others get their own") {
  const std::string svg =
      plot_picture("two",
                   rows_of({{"time", "s"}, {"a.q", "rad"}, {"b.q", "rad"}, {"a.u", "rad/s"}},
                           {0, 1, 2, 3, 1, 2, 3, 4}),
                   {});
  CHECK(count(svg, "<clipPath") == 2);
  CHECK(svg.find(">a.u  [rad/s]<") != std::string::npos);
  CHECK(lines(svg, first_color).size() == 3);  // a.q, its mark in the legend, a.u
}

TEST_CASE("plot: a value that is no number leaves a gap") {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const std::string svg = plot_picture(
      "gap", rows_of({{"time", "s"}, {"x", "m"}}, {0, 1, 1, 2, 2, nan, 3, 3, 4, 5}), {});
  CHECK(lines(svg, first_color).size() == 2);
}

TEST_CASE("plot: of many points few are kept, but every peak") {
  Trajectory rows = rows_of({{"time", "s"}, {"x", "m"}}, {});
  constexpr int n = 600000, peak = 123456;
  for (int i = 0; i < n; ++i) {
    rows.values.push_back(i * 1e-3);
    rows.values.push_back(i == peak ? 50 : std::sin(i * 1e-2));
  }
  const std::string svg = plot_picture("many", rows, {});
  CHECK(svg.size() < 200000);
  const auto curve = lines(svg, first_color);
  REQUIRE(curve.size() == 1);
  double highest = 1e9, at = 0;
  for (const SheetPoint& p : curve[0])
    if (p.y < highest) highest = p.y, at = p.x;
  const double left = curve[0].front().x, right = curve[0].back().x;
  CHECK(near(at, left + (right - left) * peak / (n - 1), 1e-3));  // a pixel of the thousand across
}

TEST_CASE("plot: a name with marks of XML is shown as it is, not obeyed") {
  const std::string svg = plot_picture(
      "<script>alert(1)</script>", rows_of({{"time", "s"}, {"a<b&\"c\"", "m"}}, {0, 1, 1, 2}), {});
  CHECK(svg.find("<script") == std::string::npos);
  CHECK(svg.find("a&lt;b&amp;&quot;c&quot;") != std::string::npos);
}

TEST_CASE("plot: nothing to draw is refused") {
  CHECK_THROWS_AS(plot_picture("none", rows_of({{"time", "s"}, {"x", "m"}}, {}), {}), Error);
  CHECK_THROWS_AS(plot_picture("none", rows_of({{"time", "s"}}, {0, 1}), {}), Error);
}

TEST_CASE("plot: a PNG picture has twice the points of the sheet") {
  if (!has_png()) return;
  const std::string png =
      plot_picture("png", rows_of({{"time", "s"}, {"x", "m"}}, {0, 1, 1, 2}),
                   {.width = 400, .panel_height = 100, .format = PictureFormat::png});
  REQUIRE(png.substr(1, 3) == "PNG");
  const auto size = [&](size_t at) {
    return static_cast<unsigned char>(png[at + 2]) * 256 + static_cast<unsigned char>(png[at + 3]);
  };
  CHECK(size(16) == 800);  // IHDR: width, height
  CHECK(size(20) == 2 * (44 + 100 + 46));
}

TEST_CASE("plot: a quarter turn is 90 degrees, and a turn per second 60 rpm") {
  Trajectory rows = rows_of({{"time", "s"}, {"a.q", "rad"}, {"a.u", "rad/s"}, {"b.q", "m"}},
                            {0, std::numbers::pi / 2, 2 * std::numbers::pi, 0.25});
  convert_units(rows, {"deg", "rpm"});
  CHECK(near(rows.values[1], 90, rounding(4)));
  CHECK(near(rows.values[2], 60, rounding(4)));
  CHECK(rows.values[3] == 0.25);
  CHECK(rows.columns[1].unit == "deg");
  CHECK(rows.columns[3].unit == "m");
  CHECK_THROWS_AS(convert_units(rows, {"kg"}), Error);
}
