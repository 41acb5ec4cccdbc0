// A model that has passed validation. Nothing else makes one and nothing changes it, so that who
// receives one need not validate again: a run validates once.
#pragma once

#include <utility>

#include "sarrus/core/diagnostic.hpp"
#include "sarrus/model/model.hpp"
#include "sarrus/model/validate.hpp"

namespace sarrus {

class ValidModel {
 public:
  /// Throws Error(Fault::model) or Error(Fault::physics) with every problem it can find. Warnings
  /// and notes are added to Model::notes, once.
  explicit ValidModel(Model model)
      : ValidModel(std::move(model), [](const Model&, Diagnostics&, Diagnostics&) {}) {}

  /// `review(model, model_faults, physics_faults)` sees what was found before it is judged: the
  /// reader of a file knows the lines, and has faults of its own to add.
  template <class Review>
  ValidModel(Model model, Review&& review) : model_(std::move(model)) {
    Diagnostics model_faults, physics_faults;
    validate(model_, model_faults, physics_faults);
    review(std::as_const(model_), model_faults, physics_faults);
    judge(model_faults, physics_faults);
  }

  const Model& operator*() const& { return model_; }
  Model operator*() && { return std::move(model_); }
  const Model* operator->() const { return &model_; }

  /// With other settings of the run, which alone are validated. Throws Error(Fault::model).
  void set(SimulateSpec settings);

 private:
  void judge(const Diagnostics& model_faults, const Diagnostics& physics_faults);

  Model model_;
};

}  // namespace sarrus
