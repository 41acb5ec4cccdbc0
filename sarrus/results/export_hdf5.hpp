// Results as an HDF5 file, for MATLAB, Julia, h5py and the like.
//
//   /shoulder.q     one dataset of doubles per column, attributes name, unit and index (its place)
//   /table          all columns side by side, rows × columns; only on request
//   attributes of the file: header (JSON), model, model_hash, sarrus, settings (JSON), status,
//   summary (JSON)
//
// In dataset names / becomes %2F and % becomes %25, because HDF5 takes a slash for a group.
#pragma once

#include <string>

#include "sarrus/results/export_selection.hpp"

namespace sarrus {

/// True where this Sarrus was built with HDF5.
bool has_hdf5();

struct Hdf5Options {
  bool table = false;    // also one dataset with everything
  bool replace = false;  // an existing file
};

/// Exports a result file, or the one in a run folder. The file appears complete or not at all.
/// Throws Error(Fault::io) where writing fails, Error(Fault::usage) in a build without HDF5.
ExportReport export_hdf5(const std::string& result, const std::string& path,
                         const ExportSelection& selection = {}, const Hdf5Options& options = {});

}  // namespace sarrus
