// Errors of the library as Python exceptions, with their diagnostics.
#pragma once

#include <pybind11/pybind11.h>

#include "sarrus/core/diagnostic.hpp"

namespace sarrus::python {

/// sarrus.Error and its kinds; from here on an Error that leaves C++ becomes one of them.
void bind_errors(pybind11::module_& module);
/// Raises it in Python, as PyErr_SetObject does.
void raise_error(const Error& error);

}  // namespace sarrus::python
