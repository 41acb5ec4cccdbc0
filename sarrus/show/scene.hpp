// What a page or a picture needs to show a result: the things to draw, where they are at each row,
// and the rows themselves. viewer/src/data.ts reads the same.
//
// Rows may be many: beyond a budget every second one is dropped, again and again, and `every` says
// how many rows of the result one row here stands for. The last row is always there.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "sarrus/results/kept_model.hpp"
#include "sarrus/results/result_reader.hpp"
#include "sarrus/run/replay.hpp"
#include "sarrus/show/scene_frames.hpp"

namespace sarrus {

struct SceneOptions {
  std::int64_t every = 1;            // take at most every n-th row
  std::int64_t budget = 4'000'000;   // numbers in all rows together
  std::int64_t least_rows = 8;       // that are kept whatever the budget says
  std::int64_t triangles = 500'000;  // of all meshes together; beyond, boxes stand for them
  size_t skin_triangles = 100'000;   // of elastic solids; beyond, they are drawn as if rigid
  size_t frames = 200'000;           // that a browser can draw; beyond, there is no picture
};

/// A result, or a model that was not run yet, about to be shown.
class Scene {
 public:
  /// Of a result, without its rows. What keeps its model from being drawn is in problem().
  Scene(const ResultHeader& header, KeptModel kept, const SceneOptions& options = {});
  ~Scene();
  Scene(Scene&&) noexcept;

  const ResultHeader& header() const { return header_; }
  const std::string& text() const { return kept_.text; }  // of the model
  const Model* model() const { return kept_.model ? &**kept_.model : nullptr; }
  const Mechanism* mechanism() const { return mechanism_.get(); }
  const std::string& problem() const { return kept_.problem; }
  bool can_draw() const { return replay_ != nullptr; }  // else problem() says why not

  void add_row(std::span<const double> row);
  /// Takes the last row in, if it was dropped. No rows can be added afterwards.
  void finish(ResultStatus status, const std::string& summary_json,
              const std::vector<Diagnostic>& notes);

  /// Rows of the result that were looked at, and those that were kept.
  std::int64_t rows_seen() const { return seen_; }
  std::int64_t rows() const { return static_cast<std::int64_t>(source_.size()); }
  std::int64_t every() const { return every_; }
  double time(std::int64_t row) const { return values_[static_cast<size_t>(row) * columns()]; }
  std::span<const double> row(std::int64_t row) const {
    return {values_.data() + static_cast<size_t>(row) * columns(), columns()};
  }
  /// Position and quaternion (w, x, y, z) of each frame at a row, seven numbers each.
  std::span<const float> poses(std::int64_t row) const;
  const SceneFrames& frames() const { return frames_; }

  /// Everything, as JSON, and more parts that are JSON already by their names.
  using Parts = std::vector<std::pair<std::string, std::string>>;
  std::string json(const Parts& more = {}) const;
  /// What differs between two motions of one mechanism, as JSON: title, summary, rows.
  std::string motion_json() const;
  /// At most so many of the kept rows whose number in the result is `from` or larger, as JSON. Its
  /// `to` is the number to ask for next.
  struct RowsJson {
    std::int64_t to = 0;
    std::string text;
  };
  RowsJson rows_json(std::int64_t from, size_t most) const;

 private:
  size_t columns() const { return header_.columns.size(); }
  void place(std::span<const double> row);
  void keep(std::span<const double> row, std::int64_t source);
  void thin();
  Parts motion() const;

  ResultHeader header_;
  KeptModel kept_;
  SceneOptions options_;
  std::unique_ptr<Mechanism> mechanism_;
  std::unique_ptr<Replay> replay_;
  SceneFrames frames_;
  std::string mobility_json_;  // of mechanisms with loops
  size_t loads_ = 0;           // tensions of springs, forces and moments, stresses of segments

  std::int64_t seen_ = 0, every_ = 1, most_rows_ = 0;
  std::vector<std::int64_t> source_;  // number in the result of each kept row
  std::vector<double> values_, last_;
  std::vector<float> poses_, load_values_;
  ResultStatus status_ = ResultStatus::unfinished;
  std::string summary_json_ = "{}";
  std::vector<Diagnostic> notes_;
};

/// The summary of a run, and what `sarrus verify -o` has left beside its result file.
std::string with_verification(const std::string& summary_json, const std::string& result_path);

/// The scene of a result file or run folder, with its rows as they are now.
Scene read_scene(const std::string& result, const SceneOptions& options = {});

/// The scene of a model at its start: one row. Throws Error where it does not compile.
Scene scene_of_model(ValidModel model, const std::string& text);

}  // namespace sarrus
