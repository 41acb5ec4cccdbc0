// Checkpoints on disk: everything needed to continue, in one checked file, two generations of it.
//
//   checkpoint            the newest
//   checkpoint.previous   the one before
//   checkpoint.partial    being written; means nothing
//
// The new one is complete on the medium before the older ones move, so a kill at any moment leaves
// one that is whole. The bytes are frames as in result files (sarrus/results/result_format.hpp):
// HEAD with the names and counts, DATA with t and the four vectors, END.
#pragma once

#include <string>
#include <vector>

#include "sarrus/core/diagnostic.hpp"
#include "sarrus/results/result_format.hpp"
#include "sarrus/run/trajectory.hpp"

namespace sarrus {

struct StoredCheckpoint {
  Checkpoint state;
  ResultMark result;              // where the result file stood
  std::vector<Diagnostic> notes;  // of reading
};

/// Makes this the newest checkpoint of a run folder. Throws Error(Fault::io) if it cannot; the
/// earlier ones are then untouched.
void write_checkpoint(const std::string& folder, const Checkpoint& state, const ResultMark& result);

/// The newest whole checkpoint of a run folder; where that is not the last one written, a note says
/// so. Throws Error(Fault::io) where there is none, or where it belongs to another model or a newer
/// Sarrus.
StoredCheckpoint read_checkpoint(const std::string& folder, const std::string& model_hash);

/// One checkpoint file by its path; `model_hash` "" accepts any model.
StoredCheckpoint read_checkpoint_file(const std::string& path, const std::string& model_hash);

}  // namespace sarrus
