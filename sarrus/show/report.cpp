#include "sarrus/show/report.hpp"

#include <stdexcept>

#include "sarrus/results/export_selection.hpp"
#include "sarrus/results/run_folder.hpp"
#include "sarrus/show/scene_modes.hpp"

// The page lies in the program as it lies in the source tree.
asm(R"(
  .section .rodata
  .balign 16
sarrus_viewer_begin:
  .incbin ")" SARRUS_VIEWER_PAGE R"("
sarrus_viewer_end:
  .byte 0
  .previous
  .global sarrus_viewer_begin
  .global sarrus_viewer_end
  .hidden sarrus_viewer_begin
  .hidden sarrus_viewer_end
)");
extern "C" const char sarrus_viewer_begin[], sarrus_viewer_end[];

namespace sarrus {
namespace {

constexpr std::string_view data_mark = "<!-- scene -->", title_mark = "<title>Sarrus</title>";
constexpr std::string_view alone = "connect-src 'none'", with_server = "connect-src 'self'";

void replace_once(std::string& text, std::string_view part, std::string_view by) {
  const size_t at = text.find(part);
  if (at == std::string::npos)
    throw std::logic_error("the viewer's page has lost " + std::string(part));
  text.replace(at, part.size(), by);
}

/// JSON inside a script element: nothing in it can end that element or begin a comment.
std::string without_tags(const std::string& json) {
  std::string out;
  out.reserve(json.size());
  for (const char c : json) {
    if (c == '<')
      out += "\\u003c";
    else
      out += c;
  }
  return out;
}

std::string as_html(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (c == '<')
      out += "&lt;";
    else if (c == '&')
      out += "&amp;";
    else
      out += c;
  }
  return out;
}

}  // namespace

std::string_view viewer_page() {
  return {sarrus_viewer_begin, static_cast<size_t>(sarrus_viewer_end - sarrus_viewer_begin)};
}

std::string page_with(const std::string& title, const std::string& scene_json, bool served) {
  std::string page(viewer_page());
  replace_once(page, title_mark, "<title>" + as_html(title) + " – Sarrus</title>");
  if (served) replace_once(page, alone, with_server);
  replace_once(
      page, data_mark,
      "<script type=\"application/json\" id=\"scene\">" + without_tags(scene_json) + "</script>");
  return page;
}

PageReport write_report(const std::string& result, const std::string& path,
                        const SceneOptions& options, bool replace) {
  const std::vector<std::string> modes = mode_folders(result);
  std::vector<std::string> sources;
  for (const std::string& one : modes.empty() ? std::vector{result} : modes)
    for (std::string& file : files_of_run(one)) sources.push_back(std::move(file));
  is_stream_target(path, replace, sources);  // refuses before the work
  if (!modes.empty()) {
    const ModesScene all = read_modes(modes, options);
    const std::string page = page_with(all.first.header().model_name, all.first.json(all.modes));
    write_export(path, page, replace, sources);
    return {all.rows, all.shown, page.size(), all.first.problem()};
  }
  const Scene scene = read_scene(result, options);
  const std::string page = page_with(scene.header().model_name, scene.json());
  write_export(path, page, replace, sources);
  return {scene.rows_seen(), scene.rows(), page.size(), scene.problem()};
}

}  // namespace sarrus
