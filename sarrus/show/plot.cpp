#include "sarrus/show/plot.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <optional>
#include <stdexcept>

#include "sarrus/core/units.hpp"
#include "sarrus/results/run_folder.hpp"
#include "sarrus/show/canvas.hpp"
#include "sarrus/show/plot_axis.hpp"

namespace sarrus {
namespace {

constexpr double left = 84, right = 24, top = 44, bottom = 46, gap = 34, text_size = 12;
constexpr const char *ink = "#24292f", *faint = "#6e7781", *grid = "#e4e7eb", *frame = "#afb8c1";
// distinct also for colour-blind readers [Okabe, Ito 2008]
constexpr const char* colors[] = {"#0072b2", "#d55e00", "#009e73", "#cc79a7",
                                  "#e69f00", "#56b4e9", "#5b5b5b"};
constexpr size_t color_count = std::size(colors);

struct Curve {
  std::string name;
  size_t column;
};
struct Panel {
  std::string unit;
  std::vector<Curve> curves;
};
struct Extent {
  double low = std::numeric_limits<double>::infinity(), high = -low;
  void include(double x) {
    if (std::isfinite(x)) low = std::min(low, x), high = std::max(high, x);
  }
};

Error usage(const std::string& code, const std::string& message, const std::string& hint) {
  return {Fault::usage,
          Diagnostic{.code = code, .element = "plot", .message = message, .hint = hint}};
}

std::string unit_text(const std::string& unit) {
  std::string text = unit == "1" ? "" : unit;
  if (const size_t at = text.find("s2"); at != std::string::npos) text.replace(at, 2, "s²");
  for (size_t at; (at = text.find('.')) != std::string::npos;) text.replace(at, 1, "·");
  return text;
}

std::string axis_title(const std::string& name, const std::string& unit,
                       const std::string& taken_out) {
  const std::string in = unit_text(unit);
  std::string text = name;
  if (!in.empty() || !taken_out.empty())
    text += fmt::format("{}[{}{}{}]", name.empty() ? "" : "  ", taken_out,
                        taken_out.empty() || in.empty() ? "" : " ", in);
  return text;
}

/// Draws one plot; the members are what the parts of it share.
class Plotter {
 public:
  Plotter(const Trajectory& rows, const PlotOptions& options) : rows_(rows), options_(options) {
    const int x = rows.column(options.against);
    if (x < 0)
      throw usage("unknown-column", fmt::format("no column is called '{}'", options.against), "");
    x_ = static_cast<size_t>(x);
    for (size_t i = 0; i < rows.columns.size(); ++i)
      if (i != x_ && (i != 0 || options.against == "time")) add(i);
    if (panels_.empty())
      throw usage("nothing-to-plot", "no column is chosen", "name one, for example energy.total");
    Extent x_range;
    for (int i = 0; i < rows.rows(); ++i) x_range.include(rows.row(i)[x_]);
    if (!(x_range.low <= x_range.high))
      throw usage("nothing-to-plot", "the result has no rows to draw", "");
    width_ = options.width - left - right;
    x_axis_ = make_axis(x_range.low, x_range.high, static_cast<int>(width_ / 90),
                        options.against == "time" ? 0 : 0.03);
  }

  double height() const {
    const auto n = static_cast<double>(panels_.size());
    return top + n * options_.panel_height + (n - 1) * gap + bottom;
  }

  void draw(Canvas& canvas, const std::string& title) const {
    canvas.rectangle({0, 0}, options_.width, height(), "#ffffff");
    canvas.text({left, 22}, title, {15, ink, TextAnchor::start, false, true});
    for (size_t i = 0; i < panels_.size(); ++i)
      draw_panel(canvas, panels_[i], top + static_cast<double>(i) * (options_.panel_height + gap),
                 i + 1 == panels_.size());
    const Column& x = rows_.columns[x_];
    canvas.text({left + width_ / 2, height() - 10}, axis_title(x.name, x.unit, x_axis_.caption),
                {text_size, ink, TextAnchor::middle});
  }

 private:
  void add(size_t column) {
    const Column& c = rows_.columns[column];
    auto panel = std::find_if(panels_.begin(), panels_.end(),
                              [&](const Panel& p) { return p.unit == c.unit; });
    if (panel == panels_.end()) panel = panels_.insert(panels_.end(), Panel{c.unit, {}});
    panel->curves.push_back({c.name, column});
  }

  double sheet_x(double x) const {
    return left + width_ * (x - x_axis_.low) / (x_axis_.high - x_axis_.low);
  }
  double sheet_y(const PlotAxis& axis, double above, double y) const {
    return above + options_.panel_height * (axis.high - y) / (axis.high - axis.low);
  }

  void draw_panel(Canvas& canvas, const Panel& panel, double above, bool last) const {
    const double height = options_.panel_height, below = above + height;
    Extent range;
    for (const Curve& c : panel.curves)
      for (int i = 0; i < rows_.rows(); ++i) range.include(rows_.row(i)[c.column]);
    if (!(range.low <= range.high)) range = {0, 0};
    const PlotAxis y_axis = make_axis(range.low, range.high, static_cast<int>(height / 45), 0.05);

    for (const Tick& t : x_axis_.ticks) {
      const double x = sheet_x(t.value);
      if (x < left - 0.5 || x > left + width_ + 0.5) continue;
      canvas.line(std::vector<SheetPoint>{{x, above}, {x, below}}, {grid, 1, 0});
      if (last) canvas.text({x, below + 17}, t.label, {text_size, ink, TextAnchor::middle});
    }
    for (const Tick& t : y_axis.ticks) {
      const double y = sheet_y(y_axis, above, t.value);
      canvas.line(std::vector<SheetPoint>{{left, y}, {left + width_, y}}, {grid, 1, 0});
      canvas.text({left - 8, y + 4}, t.label, {text_size, ink, TextAnchor::end});
    }
    canvas.text({20, above + height / 2},
                axis_title(panel.curves.size() == 1 ? panel.curves[0].name : "", panel.unit,
                           y_axis.caption),
                {text_size, ink, TextAnchor::middle, true});
    canvas.clip({left, above - 1}, width_, height + 2);
    for (size_t i = 0; i < panel.curves.size(); ++i)
      draw_curve(canvas, panel.curves[i], y_axis, above,
                 {colors[i % color_count], 1.6, i < color_count ? 0.0 : 4.0});
    canvas.unclip();
    canvas.line(std::vector<SheetPoint>{{left, above},
                                        {left, below},
                                        {left + width_, below},
                                        {left + width_, above},
                                        {left, above}},
                {frame, 1, 0});
    if (panel.curves.size() > 1) draw_legend(canvas, panel, above);
  }

  /// Names over the panel, those that still fit in.
  void draw_legend(Canvas& canvas, const Panel& panel, double above) const {
    double x = left + width_;
    std::vector<double> widths;
    for (const Curve& c : panel.curves) widths.push_back(30 + text_width(c.name, text_size));
    size_t fitting = 0;
    double taken = 0;
    while (fitting < widths.size() && taken + widths[fitting] < width_ - 60)
      taken += widths[fitting++];
    x -= taken + (fitting < widths.size() ? 40 : 0) - 10;
    for (size_t i = 0; i < fitting; ++i) {
      const double y = above - 8;
      canvas.line(std::vector<SheetPoint>{{x, y - 4}, {x + 16, y - 4}},
                  {colors[i % color_count], 2.5, i < color_count ? 0.0 : 4.0});
      canvas.text({x + 20, y}, panel.curves[i].name, {text_size, ink});
      x += widths[i];
    }
    if (fitting < widths.size())
      canvas.text({x, above - 8}, fmt::format("+ {}", widths.size() - fitting), {text_size, faint});
  }

  /// The curve in pieces between gaps. Of points closer than half a point of the sheet only the
  /// first, the lowest, the highest and the last remain: the picture is the same.
  void draw_curve(Canvas& canvas, const Curve& curve, const PlotAxis& y_axis, double above,
                  const Stroke& stroke) const {
    std::vector<SheetPoint> line, close;
    const auto settle = [&] {
      if (close.empty()) return;
      const auto by_height = [](const SheetPoint& a, const SheetPoint& b) { return a.y < b.y; };
      const auto [low, high] = std::minmax_element(close.begin(), close.end(), by_height);
      auto first = low, second = high;
      if (first > second) std::swap(first, second);
      line.push_back(close.front());
      if (first != close.begin()) line.push_back(*first);
      if (second != first && second != close.begin()) line.push_back(*second);
      if (close.size() > 1 && second != close.end() - 1) line.push_back(close.back());
      close.clear();
    };
    const bool over_time = x_ == 0;
    for (int i = 0; i < rows_.rows(); ++i) {
      const double x = rows_.row(i)[x_], y = rows_.row(i)[curve.column];
      if (!std::isfinite(x) || !std::isfinite(y)) {
        settle();
        canvas.line(line, stroke);
        line.clear();
        continue;
      }
      const SheetPoint p{sheet_x(x), sheet_y(y_axis, above, y)};
      if (!close.empty() && !(over_time && p.x - close.front().x < 0.5)) settle();
      close.push_back(p);
    }
    settle();
    canvas.line(line, stroke);
  }

  const Trajectory& rows_;
  const PlotOptions& options_;
  size_t x_ = 0;
  std::vector<Panel> panels_;
  PlotAxis x_axis_;
  double width_ = 0;
};

PictureFormat format_of(const std::string& path) {
  if (path.ends_with(".svg")) return PictureFormat::svg;
  if (path.ends_with(".png")) return PictureFormat::png;
  if (path.ends_with(".pdf")) return PictureFormat::pdf;
  throw usage("unknown-format",
              fmt::format("'{}' ends in none of .svg, .png, .pdf", printable(path)),
              "the extension of the file gives the format");
}

std::unique_ptr<Canvas> make_canvas(PictureFormat format, double width, double height,
                                    const std::string& title) {
  switch (format) {
    case PictureFormat::svg: return make_svg_canvas(width, height, title);
    case PictureFormat::png: return make_png_canvas(width, height, 2);
    case PictureFormat::pdf: return make_pdf_canvas(width, height);
  }
  throw std::logic_error("make_canvas: no such format");
}

/// The rows that one result gives to a plot.
struct Drawn {
  std::string run, model;
  Trajectory rows;
};

/// The rows of all runs, one after the other. The time, and the column they are drawn against, are
/// common to them; the others bear the name of their run, and are empty in the rows of the rest.
Trajectory side_by_side(const std::vector<Drawn>& runs, const std::string& against) {
  if (runs.size() == 1) return runs.front().rows;
  const auto is_common = [&](const Column& c) { return c.name == "time" || c.name == against; };
  Trajectory all;
  for (const Column& c : runs.front().rows.columns)
    if (is_common(c)) all.columns.push_back(c);
  std::vector<size_t> first;  // column of each run
  for (const Drawn& run : runs) {
    first.push_back(all.columns.size());
    for (Column c : run.rows.columns) {
      if (is_common(c)) continue;
      c.name += " " + run.run;
      all.columns.push_back(std::move(c));
    }
  }
  std::vector<double> row(all.columns.size());
  for (size_t k = 0; k < runs.size(); ++k)
    for (int i = 0; i < runs[k].rows.rows(); ++i) {
      std::fill(row.begin(), row.end(), std::numeric_limits<double>::quiet_NaN());
      size_t common = 0, own = first[k];
      for (size_t c = 0; c < runs[k].rows.columns.size(); ++c)
        row[is_common(runs[k].rows.columns[c]) ? common++ : own++] = runs[k].rows.row(i)[c];
      all.values.insert(all.values.end(), row.begin(), row.end());
    }
  return all;
}

}  // namespace

void convert_units(Trajectory& rows, const std::vector<std::string>& units) {
  std::vector<double> factor(rows.columns.size(), 1);
  for (const std::string& word : units) {
    const std::optional<Unit> unit = parse_unit(word);
    if (!unit)
      throw usage("unknown-unit", parse_quantity("1 " + word, dimensions::none).problem,
                  "for example deg, rpm, mm, N.mm");
    bool found = false;
    for (size_t c = 0; c < rows.columns.size(); ++c) {
      const std::optional<Unit> now = parse_unit(rows.columns[c].unit);
      if (!now || now->dimension != unit->dimension) continue;
      found = true;
      factor[c] *= now->factor / unit->factor;
      rows.columns[c].unit = word;
    }
    if (!found)
      throw usage("unknown-unit", fmt::format("nothing in this plot is measured in '{}'", word),
                  "name a unit of what is drawn, or leave it out");
  }
  for (size_t i = 0; i < rows.values.size(); ++i) rows.values[i] *= factor[i % factor.size()];
}

std::string plot_picture(const std::string& title, const Trajectory& rows,
                         const PlotOptions& options) {
  const Plotter plotter(rows, options);
  const auto canvas = make_canvas(options.format, options.width, plotter.height(), title);
  plotter.draw(*canvas, title);
  return canvas->finish();
}

ExportReport write_plot(const std::vector<std::string>& results, const std::string& path,
                        ExportSelection selection, PlotOptions options, bool replace) {
  options.format = format_of(path);
  std::vector<std::string> sources;
  for (const std::string& result : results)
    for (const std::string& file : files_of_run(result)) sources.push_back(file);
  check_picture(path, replace, sources);
  ExportReport report;
  std::vector<Drawn> runs;
  for (const std::string& result : results) {
    ResultReader reader(result);
    if (selection.columns.empty()) selection.columns = telling_columns(reader.header().columns);
    ExportSelection chosen = selection;
    if (options.against != "time") chosen.columns.push_back(options.against);
    RowPicker picker(reader.header().columns, chosen);
    Drawn& drawn = runs.emplace_back(Drawn{result, reader.header().model_name, {}});
    drawn.rows.columns = picker.columns();
    ExportReport read = visit_rows(reader, picker, [&](std::span<const double> row) {
      drawn.rows.values.insert(drawn.rows.values.end(), row.begin(), row.end());
    });
    report.rows += read.rows;
    report.notes.insert(report.notes.end(), read.notes.begin(), read.notes.end());
    // a name may have been given with its unit
    for (const Column& c : drawn.rows.columns)
      if (c.header() == options.against) options.against = c.name;
  }
  Trajectory rows = side_by_side(runs, options.against);
  convert_units(rows, options.units);
  write_export(path, plot_picture(runs.front().model, rows, options), replace, sources);
  return report;
}

void check_picture(const std::string& path, bool replace, const std::vector<std::string>& sources) {
  if (format_of(path) != PictureFormat::svg && !has_png()) make_png_canvas(1, 1, 1);
  is_stream_target(path, replace, sources);
}

std::vector<std::string> telling_columns(const std::vector<Column>& columns) {
  constexpr size_t most = 8;
  std::vector<std::string> coordinates, sensors, energies;
  for (const Column& c : columns) {
    const bool is_energy = c.kind == ColumnKind::energy || c.kind == ColumnKind::hamiltonian ||
                           c.kind == ColumnKind::ledger;
    if (is_energy)
      energies.push_back(c.name);
    else if (c.kind == ColumnKind::coordinate && c.unit != "1")
      coordinates.push_back(c.name);
    else if (c.kind == ColumnKind::position)
      sensors.push_back(c.name);
  }
  std::vector<std::string>& chosen = !coordinates.empty() ? coordinates
                                     : !sensors.empty()   ? sensors
                                                          : energies;
  if (chosen.empty())  // the file does not say what its columns are
    for (size_t i = 1; i < columns.size(); ++i) chosen.push_back(columns[i].name);
  if (chosen.size() > most) chosen.resize(most);
  return chosen;
}

}  // namespace sarrus
