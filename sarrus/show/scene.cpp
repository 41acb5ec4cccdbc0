#include "sarrus/show/scene.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "sarrus/files/text/file.hpp"
#include "sarrus/mechanism/compile.hpp"
#include "sarrus/results/result_json.hpp"
#include "sarrus/run/recorder.hpp"
#include "sarrus/run/simulate.hpp"
#include "sarrus/show/base64.hpp"
#include "sarrus/show/mobility_json.hpp"
#include "sarrus/show/scene_json.hpp"

namespace sarrus {
namespace {

constexpr size_t pose_numbers = 7, applied_numbers = 6;
constexpr size_t most_lines = 20'000;  // of the model's text

void append(std::vector<float>& out, const Vec3& v) {
  for (const double x : {v.x, v.y, v.z}) out.push_back(static_cast<float>(x));
}

/// The beginning of a text, so many lines of it.
std::string first_lines(const std::string& text, size_t most) {
  size_t end = 0;
  for (size_t n = 0; n < most && end < text.size(); ++n)
    end = std::min(text.find('\n', end), text.size() - 1) + 1;
  return text.substr(0, end);
}

/// A JSON object of parts that are JSON already.
std::string object_of(const Scene::Parts& parts) {
  std::string text = "{";
  for (const auto& [name, json] : parts) {
    if (text.size() > 1) text += ',';
    text += '"' + name + "\":" + json;
  }
  return text + '}';
}

/// What the loops leave free; "" where there are none, or too many bodies for it.
std::string mobility_of(const Mechanism& m, double t) {
  if (!m.has_loops() || m.nb - 1 > most_bodies_reported) return "";
  try {
    return to_json(mobility(m, start_state(m, t)));
  } catch (const Error&) {  // it does not close at its start, and the run has said so
    return "";
  }
}

}  // namespace

Scene::Scene(const ResultHeader& header, KeptModel kept, const SceneOptions& options)
    : header_(header), kept_(std::move(kept)), options_(options), every_(options.every) {
  if (kept_.model) try {
      mechanism_ = std::make_unique<Mechanism>(compile(*kept_.model));
      replay_ = std::make_unique<Replay>(*mechanism_, header_.columns);
    } catch (const Error& e) {
      kept_.problem = e.what();
      replay_.reset();
    }
  if (replay_) frames_ = SceneFrames(*model(), *mechanism_, options.skin_triangles);
  if (frames_.size() > options.frames) {
    kept_.problem = fmt::format("its {} bodies are more than a page can draw; the limit is {}",
                                frames_.size(), options.frames);
    frames_ = {};
    replay_.reset();
  }
  if (replay_) {
    loads_ =
        model()->springs.size() + applied_numbers * model()->forces.size() + frames_.segments();
    mobility_json_ = mobility_of(*mechanism_, model()->simulate.start);
  }
  const auto per_row =
      static_cast<std::int64_t>(columns() + pose_numbers * frames_.size() + loads_);
  most_rows_ = std::max(options.budget / per_row, options.least_rows);
}

Scene::~Scene() = default;
Scene::Scene(Scene&&) noexcept = default;

std::span<const float> Scene::poses(std::int64_t row) const {
  const size_t width = pose_numbers * frames_.size();
  return {poses_.data() + static_cast<size_t>(row) * width, width};
}

/// Appends where everything is at this row.
void Scene::place(std::span<const double> row) {
  if (!replay_) return;
  replay_->set(row);
  for (size_t i = 0; i < frames_.size(); ++i) {
    const Pose<double> X = frames_.pose(i, *replay_);
    const Quat q = quaternion(X.R);
    append(poses_, X.p);
    for (const double x : {q.w, q.x, q.y, q.z}) poses_.push_back(static_cast<float>(x));
  }
  for (size_t i = 0; i < model()->springs.size(); ++i)
    load_values_.push_back(static_cast<float>(replay_->tension(i)));
  for (size_t i = 0; i < model()->forces.size(); ++i) {
    const Load load = replay_->applied(i);
    append(load_values_, load.force), append(load_values_, load.moment);
  }
  for (size_t i = 0; i < frames_.size(); ++i)
    if (frames_[i].segment) load_values_.push_back(static_cast<float>(frames_.stress(i, *replay_)));
}

void Scene::keep(std::span<const double> row, std::int64_t source) {
  source_.push_back(source);
  values_.insert(values_.end(), row.begin(), row.end());
  place(row);
}

void Scene::add_row(std::span<const double> row) {
  last_.assign(row.begin(), row.end());
  if (seen_ % every_ == 0) {
    keep(row, seen_);
    if (rows() > most_rows_) thin();
  }
  ++seen_;
}

/// Drops every second row.
void Scene::thin() {
  const auto halve = [](auto& values, size_t width) {
    const size_t n = width == 0 ? 0 : values.size() / width;
    for (size_t i = 0; 2 * i < n; ++i)
      std::copy_n(values.begin() + static_cast<std::ptrdiff_t>(2 * i * width), width,
                  values.begin() + static_cast<std::ptrdiff_t>(i * width));
    values.resize((n + 1) / 2 * width);
  };
  halve(source_, 1);
  halve(values_, columns());
  halve(poses_, pose_numbers * frames_.size());
  halve(load_values_, loads_);
  every_ *= 2;
}

void Scene::finish(ResultStatus status, const std::string& summary_json,
                   const std::vector<Diagnostic>& notes) {
  if (seen_ > 0 && source_.back() != seen_ - 1) keep(last_, seen_ - 1);
  status_ = status;
  summary_json_ = summary_json;
  notes_ = notes;
}

Scene::Parts Scene::motion() const {
  Json summary = parse_json_if_any(summary_json_);
  if (!mobility_json_.empty() && summary.is_object())
    summary["mobility"] = parse_json(mobility_json_);
  std::vector<double> times(source_.size());
  for (size_t i = 0; i < times.size(); ++i) times[i] = values_[i * columns()];
  return {{"title", dump(header_.model_name)},
          {"summary", dump(summary)},
          {"rows", dump({{"seen", seen_}, {"kept", rows()}, {"every", every_}})},
          {"columns", columns_json(header_.columns, values_)},
          {"time", '"' + base64_numbers<double>(times) + '"'},
          {"poses", '"' + base64_numbers<float>(poses_) + '"'},
          {"loads", '"' + base64_numbers<float>(load_values_) + '"'}};
}

std::string Scene::motion_json() const { return object_of(motion()); }

std::string Scene::json(const Parts& more) const {
  Json notes = Json::array();
  for (const Diagnostic& d : notes_) notes.push_back(to_text(d));
  Parts parts = motion();
  const auto add = [&](const char* name, const Json& json) {
    parts.emplace_back(name, dump(json));
  };
  add("format", 1);
  add("sarrus", header_.sarrus_version);
  add("viewed_with", SARRUS_VERSION);
  add("status", to_text(status_));
  add("problem", kept_.problem);
  add("settings", parse_json_if_any(header_.settings_json));
  add("notes", notes);
  add("text", first_lines(kept_.text, most_lines));
  add("lines", std::count(kept_.text.begin(), kept_.text.end(), '\n'));
  parts.emplace_back(
      "things",
      replay_ ? things_json({*model(), *mechanism_, frames_, header_.columns}, options_.triangles)
              : "null");
  parts.insert(parts.end(), more.begin(), more.end());
  return object_of(parts);
}

Scene::RowsJson Scene::rows_json(std::int64_t from, size_t most) const {
  const auto first =
      static_cast<size_t>(std::lower_bound(source_.begin(), source_.end(), from) - source_.begin());
  const size_t count = std::min(most, source_.size() - first);
  const std::int64_t to = first + count < source_.size() ? source_[first + count] : seen_;
  const auto part = [&](const auto& values, size_t width) {
    return std::span(values).subspan(first * width, count * width);
  };
  return {to, dump({{"from", from},
                    {"to", to},
                    {"count", count},
                    {"every", every_},
                    {"values", base64_numbers<double>(part(values_, columns()))},
                    {"poses", base64_numbers<float>(part(poses_, pose_numbers * frames_.size()))},
                    {"loads", base64_numbers<float>(part(load_values_, loads_))}})};
}

namespace {

/// Whether it has the form that `sarrus verify` writes, as far as the page relies on it.
bool is_verification(const Json& v) {
  if (!v.is_object() || !v.contains("verdict") || !v["verdict"].is_string()) return false;
  for (const char* list : {"formulations", "quantities", "audits"}) {
    if (!v.contains(list)) continue;
    if (!v[list].is_array()) return false;
    for (const Json& row : v[list])
      if (!row.is_object()) return false;
  }
  return true;
}

}  // namespace

std::string with_verification(const std::string& summary, const std::string& result) {
  const std::filesystem::path path = std::filesystem::path(result).parent_path() / "verify.json";
  std::error_code none;
  if (!std::filesystem::is_regular_file(std::filesystem::symlink_status(path, none)))
    return summary;  // a link or a pipe shows what nobody named
  Json all = parse_json_if_any(summary);
  const Json verify = parse_json_if_any(read_file(path.string(), 1u << 26));
  if (!all.is_object() || !is_verification(verify)) return summary;
  all["verify"] = verify;
  return dump(all);
}

Scene read_scene(const std::string& result, const SceneOptions& options) {
  ResultReader reader(result);
  Scene scene(reader.header(), read_kept_model(reader.path(), reader.header()), options);
  const size_t width = reader.header().columns.size();
  for (auto block = reader.next_block(); !block.empty(); block = reader.next_block())
    for (size_t at = 0; at < block.size(); at += width) scene.add_row(block.subspan(at, width));
  scene.finish(reader.status(), with_verification(reader.summary_json(), reader.path()),
               reader.notes());
  return scene;
}

Scene scene_of_model(ValidModel valid, const std::string& text) {
  const Mechanism mechanism = compile(valid);
  const Model& model = *valid;
  Recorder recorder(mechanism, {.reactions = model.simulate.reactions,
                                .accelerations = model.simulate.accelerations});
  // loops are closed
  const Snapshot at_start = snapshot_at(mechanism, start_state(mechanism, model.simulate.start));
  std::vector<double> row(recorder.columns().size());
  recorder.row(at_start, at_start.energy(), row);

  ResultHeader header;
  header.sarrus_version = SARRUS_VERSION;
  header.model_name = mechanism.name;
  header.columns = recorder.columns();
  std::vector<Diagnostic> notes = model.notes;
  notes.insert(notes.end(), mechanism.notes.begin(), mechanism.notes.end());
  Scene scene(header, {std::move(valid), text, ""});
  scene.add_row(row);
  scene.finish(ResultStatus::unfinished, "{}", notes);
  return scene;
}

}  // namespace sarrus
