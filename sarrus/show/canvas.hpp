// A sheet to draw on: lines, rectangles and words, in points from the upper left corner.
//
// The same drawing becomes a scalable picture (SVG, written here), pixels or a page for print (PNG
// and PDF, through cairo where it was found at build time).
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace sarrus {

struct SheetPoint {
  double x = 0, y = 0;
};

struct Stroke {
  std::string color = "#000000";  // #rrggbb
  double width = 1;
  double dash = 0;  // length of dashes and gaps; 0: a whole line
};

enum class TextAnchor { start, middle, end };

struct TextStyle {
  double size = 11;
  std::string color = "#000000";
  TextAnchor anchor = TextAnchor::start;
  bool upright = false;  // turned by a quarter, to be read from below
  bool bold = false;
};

class Canvas {
 public:
  virtual ~Canvas() = default;
  virtual void rectangle(SheetPoint corner, double width, double height,
                         const std::string& color) = 0;
  virtual void line(std::span<const SheetPoint> points, const Stroke& stroke) = 0;
  virtual void text(SheetPoint at, std::string_view words, const TextStyle& style) = 0;
  /// What is drawn later stays inside this rectangle, until unclip().
  virtual void clip(SheetPoint corner, double width, double height) = 0;
  virtual void unclip() = 0;
  /// The bytes of the picture.
  virtual std::string finish() = 0;
};

/// `title` is what screen readers say.
std::unique_ptr<Canvas> make_svg_canvas(double width, double height, const std::string& title);
/// Throws Error(Fault::usage) in a build without cairo. `scale` is pixels per point.
std::unique_ptr<Canvas> make_png_canvas(double width, double height, double scale);
/// The same for one page of PDF, whose bytes do not depend on the day.
std::unique_ptr<Canvas> make_pdf_canvas(double width, double height);
bool has_png();

/// About how wide the words are, from the widths of a common sans-serif face.
double text_width(std::string_view words, double size);

}  // namespace sarrus
