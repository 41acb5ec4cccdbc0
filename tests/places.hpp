// Where the sources and the program under test lie. Known to main.cpp alone, so that all other tests
// compile to the same object in every checkout.
#pragma once

namespace sarrus::testing {

extern const char* const source_folder;
extern const char* const sarrus_program;  // empty where it is not built

}  // namespace sarrus::testing
