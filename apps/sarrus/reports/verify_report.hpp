// What `sarrus verify` prints: the contenders, the table of quantities, the audits, the sentence.
#pragma once

#include "output.hpp"
#include "sarrus/verify/verify.hpp"

namespace sarrus::app {

void print_verification(const std::string& model, const Verification& v, Output& out);
Json to_json(const Verification& v);
int exit_code(Verdict verdict);

}  // namespace sarrus::app
