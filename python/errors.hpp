// Errors of the library as Python exceptions, with their diagnostics.
#pragma once

#include <pybind11/pybind11.h>

namespace sarrus::python {

/// sarrus.Error and its kinds; from here on an Error that leaves C++ becomes one of them.
void bind_errors(pybind11::module_& module);

}  // namespace sarrus::python
