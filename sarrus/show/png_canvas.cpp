#include "sarrus/core/diagnostic.hpp"
#include "sarrus/core/memory.hpp"
#include "sarrus/show/canvas.hpp"

#ifdef SARRUS_HAVE_CAIRO
#include <cairo-pdf.h>
#include <cairo.h>

#include <cmath>
#include <cstdlib>
#endif

namespace sarrus {

#ifdef SARRUS_HAVE_CAIRO

namespace {

constexpr size_t for_fonts = 32u << 20;  // [bytes], which fontconfig looks for

/// Cairo calls it with pieces of the file, and lets nothing be thrown.
cairo_status_t append(void* into, const unsigned char* data, unsigned count) {
  try {
    static_cast<std::string*>(into)->append(reinterpret_cast<const char*>(data), count);
    return CAIRO_STATUS_SUCCESS;
  } catch (const std::bad_alloc&) {
    return CAIRO_STATUS_NO_MEMORY;
  }
}

/// What pixels and pages have in common.
class CairoCanvas : public Canvas {
 public:
  ~CairoCanvas() override { release(); }
  CairoCanvas(const CairoCanvas&) = delete;
  CairoCanvas& operator=(const CairoCanvas&) = delete;

  void rectangle(SheetPoint corner, double width, double height,
                 const std::string& color) override {
    paint(color);
    cairo_rectangle(cairo_, corner.x, corner.y, width, height);
    cairo_fill(cairo_);
  }

  void line(std::span<const SheetPoint> points, const Stroke& stroke) override {
    if (points.size() < 2) return;
    paint(stroke.color);
    cairo_set_line_width(cairo_, stroke.width);
    cairo_set_dash(cairo_, &stroke.dash, stroke.dash > 0 ? 1 : 0, 0);
    cairo_move_to(cairo_, points[0].x, points[0].y);
    for (const SheetPoint& p : points.subspan(1)) cairo_line_to(cairo_, p.x, p.y);
    cairo_stroke(cairo_);
  }

  void text(SheetPoint at, std::string_view words, const TextStyle& style) override {
    const std::string ended(words);
    paint(style.color);
    cairo_select_font_face(cairo_, "sans-serif", CAIRO_FONT_SLANT_NORMAL,
                           style.bold ? CAIRO_FONT_WEIGHT_BOLD : CAIRO_FONT_WEIGHT_NORMAL);
    cairo_set_font_size(cairo_, 0.93 * style.size);  // the usual face runs wider than Helvetica
    cairo_text_extents_t box;
    cairo_text_extents(cairo_, ended.c_str(), &box);
    const double before = style.anchor == TextAnchor::start    ? 0
                          : style.anchor == TextAnchor::middle ? box.x_advance / 2
                                                               : box.x_advance;
    cairo_save(cairo_);
    cairo_translate(cairo_, at.x, at.y);
    if (style.upright) cairo_rotate(cairo_, -std::acos(0.0));
    cairo_move_to(cairo_, -before, 0);
    cairo_show_text(cairo_, ended.c_str());
    cairo_restore(cairo_);
  }

  void clip(SheetPoint corner, double width, double height) override {
    cairo_save(cairo_);
    cairo_rectangle(cairo_, corner.x, corner.y, width, height);
    cairo_clip(cairo_);
  }
  void unclip() override { cairo_restore(cairo_); }

 protected:
  CairoCanvas() = default;
  /// Takes the surface, and draws on it in points.
  void draw_on(cairo_surface_t* surface, double scale) {
    surface_ = surface;
    cairo_ = cairo_create(surface);
    if (cairo_status(cairo_) != CAIRO_STATUS_SUCCESS) {
      release();
      throw std::bad_alloc();
    }
    cairo_scale(cairo_, scale, scale);
    cairo_set_source_rgb(cairo_, 1, 1, 1);
    cairo_paint(cairo_);
    cairo_set_line_join(cairo_, CAIRO_LINE_JOIN_ROUND);
  }
  bool all_was_drawn() const { return cairo_status(cairo_) == CAIRO_STATUS_SUCCESS; }
  cairo_surface_t* surface() const { return surface_; }
  void release() {
    cairo_destroy(cairo_);
    cairo_surface_destroy(surface_);
    cairo_ = nullptr;
    surface_ = nullptr;
  }

 private:
  void paint(const std::string& color) {
    const auto rgb = std::strtol(color.c_str() + 1, nullptr, 16);
    cairo_set_source_rgb(cairo_, static_cast<double>(rgb >> 16 & 255) / 255,
                         static_cast<double>(rgb >> 8 & 255) / 255,
                         static_cast<double>(rgb & 255) / 255);
  }

  cairo_surface_t* surface_ = nullptr;
  cairo_t* cairo_ = nullptr;
};

class PngCanvas : public CairoCanvas {
 public:
  PngCanvas(double width, double height, double scale) {
    draw_on(
        cairo_image_surface_create(CAIRO_FORMAT_RGB24, static_cast<int>(std::ceil(width * scale)),
                                   static_cast<int>(std::ceil(height * scale))),
        scale);
  }

  std::string finish() override {
    std::string bytes;
    if (!all_was_drawn() ||
        cairo_surface_write_to_png_stream(surface(), append, &bytes) != CAIRO_STATUS_SUCCESS)
      throw std::bad_alloc();
    return bytes;
  }
};

class PdfCanvas : public CairoCanvas {
 public:
  PdfCanvas(double width, double height) {
    cairo_surface_t* page = cairo_pdf_surface_create_for_stream(append, &bytes_, width, height);
    cairo_pdf_surface_set_metadata(page, CAIRO_PDF_METADATA_CREATE_DATE, "1970-01-01T00:00:00Z");
    draw_on(page, 1);
  }
  ~PdfCanvas() override { release(); }  // its last bytes go to bytes_, which is still there
  PdfCanvas(const PdfCanvas&) = delete;
  PdfCanvas& operator=(const PdfCanvas&) = delete;

  std::string finish() override {
    const bool drawn = all_was_drawn();
    cairo_surface_finish(surface());
    if (!drawn || cairo_surface_status(surface()) != CAIRO_STATUS_SUCCESS) throw std::bad_alloc();
    return bytes_;
  }

 private:
  std::string bytes_;
};

}  // namespace

bool has_png() { return true; }

std::unique_ptr<Canvas> make_png_canvas(double width, double height, double scale) {
  ask_for_memory(for_fonts);
  return std::make_unique<PngCanvas>(width, height, scale);
}

std::unique_ptr<Canvas> make_pdf_canvas(double width, double height) {
  ask_for_memory(for_fonts);
  return std::make_unique<PdfCanvas>(width, height);
}

#else

bool has_png() { return false; }

std::unique_ptr<Canvas> make_png_canvas(double, double, double) {
  throw Error(
      Fault::usage,
      Diagnostic{.code = "not-built-in",
                 .element = "png",
                 .message = "this Sarrus was built without cairo, which PNG and PDF pictures need",
                 .hint = "write an .svg file, or build with libcairo2-dev installed"});
}

std::unique_ptr<Canvas> make_pdf_canvas(double width, double height) {
  return make_png_canvas(width, height, 1);
}

#endif

}  // namespace sarrus
