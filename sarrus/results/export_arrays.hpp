// Results as arrays: .npz for NumPy, .mat for MATLAB, Octave and SciPy.
//
//   .npz   a zip archive, nothing compressed: NAME.npy for each column, one array of doubles; and the
//          arrays of text `columns` and `units`, in the order of the columns
//   .mat   level 5, nothing compressed: `columns` and `units` as cell arrays of text, `data` with all
//          columns side by side, and each column by its name, in which whatever MATLAB does not take
//          for a name becomes _: tip.q1 is tip_q1
//
// Both formats are a few records around the numbers, so they are written here and need no library.
// Level 5 and not 7.3, which is HDF5: SciPy reads no 7.3, and who wants HDF5 has it. Sizes in these
// formats are 32 bits: results beyond 2 GiB are refused.
// [NumPy, numpy.lib.format], [PKWARE, APPNOTE 6.3], [MathWorks, MAT-File Format]
#pragma once

#include <string>

#include "sarrus/results/export_selection.hpp"

namespace sarrus {

/// Exports a result file, or the one in a run folder. The file appears complete or not at all.
/// Throws Error(Fault::io) where writing fails or the rows are too many for the format.
ExportReport export_npz(const std::string& result, const std::string& path,
                        const ExportSelection& selection = {}, bool replace = false);
ExportReport export_mat(const std::string& result, const std::string& path,
                        const ExportSelection& selection = {}, bool replace = false);

}  // namespace sarrus
