#include <fmt/format.h>

#include "sarrus/show/canvas.hpp"

namespace sarrus {
namespace {

/// As text of XML; characters that XML does not know are left out.
std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : text) switch (c) {
      case '&': out += "&amp;"; break;
      case '<': out += "&lt;"; break;
      case '>': out += "&gt;"; break;
      case '"': out += "&quot;"; break;
      default:
        if (static_cast<unsigned char>(c) >= ' ') out += c;
    }
  return out;
}

/// A length with two decimals at most.
std::string number(double x) {
  std::string text = fmt::format("{:.2f}", x);
  text.erase(text.find_last_not_of('0') + 1);
  if (text.back() == '.') text.pop_back();
  return text == "-0" ? "0" : text;
}

const char* anchor_name(TextAnchor a) {
  return a == TextAnchor::start ? "start" : a == TextAnchor::middle ? "middle" : "end";
}

class SvgCanvas : public Canvas {
 public:
  SvgCanvas(double width, double height, const std::string& title) {
    text_ = fmt::format(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{1}\" "
        "viewBox=\"0 0 {0} {1}\" role=\"img\" font-family=\"Helvetica, Arial, 'DejaVu Sans', "
        "sans-serif\">\n<title>{2}</title>\n",
        number(width), number(height), escaped(title));
  }

  void rectangle(SheetPoint corner, double width, double height,
                 const std::string& color) override {
    text_ += fmt::format("<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" fill=\"{}\"/>\n",
                         number(corner.x), number(corner.y), number(width), number(height), color);
  }

  void line(std::span<const SheetPoint> points, const Stroke& stroke) override {
    if (points.size() < 2) return;
    text_ += fmt::format(
        "<polyline fill=\"none\" stroke=\"{}\" stroke-width=\"{}\"{}{} points=\"", stroke.color,
        number(stroke.width), points.size() > 2 ? " stroke-linejoin=\"round\"" : "",
        stroke.dash > 0 ? fmt::format(" stroke-dasharray=\"{}\"", number(stroke.dash)) : "");
    for (const SheetPoint& p : points) text_ += number(p.x) + "," + number(p.y) + " ";
    text_.back() = '"';
    text_ += "/>\n";
  }

  void text(SheetPoint at, std::string_view words, const TextStyle& style) override {
    text_ += fmt::format(
        "<text x=\"{}\" y=\"{}\" font-size=\"{}\" fill=\"{}\" text-anchor=\"{}\"{}{}>{}</text>\n",
        number(at.x), number(at.y), number(style.size), style.color, anchor_name(style.anchor),
        style.bold ? " font-weight=\"bold\"" : "",
        style.upright ? fmt::format(" transform=\"rotate(-90 {} {})\"", number(at.x), number(at.y))
                      : "",
        escaped(words));
  }

  void clip(SheetPoint corner, double width, double height) override {
    ++clips_;
    text_ += fmt::format(
        "<clipPath id=\"area{0}\"><rect x=\"{1}\" y=\"{2}\" width=\"{3}\" height=\"{4}\"/>"
        "</clipPath>\n<g clip-path=\"url(#area{0})\">\n",
        clips_, number(corner.x), number(corner.y), number(width), number(height));
  }
  void unclip() override { text_ += "</g>\n"; }

  std::string finish() override { return text_ + "</svg>\n"; }

 private:
  std::string text_;
  int clips_ = 0;
};

}  // namespace

std::unique_ptr<Canvas> make_svg_canvas(double width, double height, const std::string& title) {
  return std::make_unique<SvgCanvas>(width, height, title);
}

double text_width(std::string_view words, double size) {
  double width = 0;
  for (const char c : words) {
    const auto byte = static_cast<unsigned char>(c);
    if ((byte & 0xc0) == 0x80) continue;  // goes on with the letter before
    if (std::string_view("il.,:;|'!()[]tfjI/ ").find(c) != std::string_view::npos)
      width += 0.3;
    else if (std::string_view("mwMW@%").find(c) != std::string_view::npos)
      width += 0.86;
    else
      width += byte >= 'A' && byte <= 'Z' ? 0.69 : 0.57;
  }
  return width * size;
}

}  // namespace sarrus
