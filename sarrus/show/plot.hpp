// Plots of columns as a picture, without a browser: one panel for each unit, one under the other
// over the same times.
#pragma once

#include <string>
#include <vector>

#include "sarrus/results/export_selection.hpp"
#include "sarrus/run/trajectory.hpp"

namespace sarrus {

enum class PictureFormat { svg, png, pdf };

struct PlotOptions {
  std::string against = "time";  // the column along the horizontal axis
  double width = 800;            // [points]
  double panel_height = 240;     // [points]
  PictureFormat format = PictureFormat::svg;
  /// "deg", "rpm", "mm": what each of them can measure is drawn in it, all else in SI.
  std::vector<std::string> units = {};
};

/// The picture of all columns of `rows` but the one they are drawn against. Values that are no
/// numbers leave gaps. Throws Error(Fault::usage) where there is nothing to draw.
std::string plot_picture(const std::string& title, const Trajectory& rows,
                         const PlotOptions& options);

/// The values in other units, where one of them measures what a column does. Throws
/// Error(Fault::usage) for a word that is no unit and for one that nothing here is measured in.
void convert_units(Trajectory& rows, const std::vector<std::string>& units);

/// Reads the selected columns of one result, or of several to be drawn over each other, and writes
/// their plot; the name's end tells the format, .svg, .png or .pdf. Throws Error: usage for names
/// that do not exist or another ending, io where writing fails or, unless `replace`, the file
/// exists.
ExportReport write_plot(const std::vector<std::string>& results, const std::string& path,
                        ExportSelection selection, PlotOptions options, bool replace = false);

/// Throws Error where a picture could not be written under this name: another ending, a format that
/// was not built in, a file that exists and may not be replaced, one of the sources.
void check_picture(const std::string& path, bool replace, const std::vector<std::string>& sources);

/// What to plot by default: coordinates of joints, else sensors, else the energies; eight at
/// most.
std::vector<std::string> telling_columns(const std::vector<Column>& columns);

}  // namespace sarrus
