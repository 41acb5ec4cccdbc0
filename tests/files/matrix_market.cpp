// Matrix Market files: what is read, and what is refused with its place.
#include "sarrus/files/mesh/matrix_market.hpp"

#include <doctest/doctest.h>

#include "sarrus/core/random.hpp"

using namespace sarrus;

namespace {

struct Refusal {
  int line = 0, column = 0;
  std::string code, message;
};

Refusal refusal_of(const std::string& text) {
  try {
    parse_matrix_market(text, "a.mtx");
  } catch (const Error& e) {
    CHECK(e.fault() == Fault::model);
    const Diagnostic& d = e.diagnostics().front();
    CHECK(d.where.file == "a.mtx");
    return {d.where.line, d.where.column, d.code, d.message};
  }
  return {};
}

const std::string head = "%%MatrixMarket matrix coordinate real general\n";

}  // namespace

TEST_CASE("Matrix Market: one matrix in every form that is read") {
  const char* forms[] = {
      "%%MatrixMarket matrix coordinate real symmetric\n% a comment\n\n2 2 3\n1 1 2\n2 1 -1.5\n2 2 "
      "3e0\n",
      "%%MatrixMarket matrix coordinate real general\r\n2 2 4\r\n1 1 2\r\n1 2 -1.5\r\n2 1 "
      "-1.5\r\n2 2 3\r\n",
      "%%MatrixMarket matrix array real general\n2 2\n2\n-1.5\n-1.5\n3\n",
      "%%matrixmarket MATRIX Array Real Symmetric\n2 2\n2\n-1.5\n+3\n"};
  for (const char* form : forms) {
    CAPTURE(form);
    const Matrix A = to_dense(parse_matrix_market(form, "a.mtx"));
    REQUIRE(A.rows == 2);
    CHECK(A(0, 0) == 2);
    CHECK(A(0, 1) == -1.5);
    CHECK(A(1, 0) == -1.5);
    CHECK(A(1, 1) == 3);
  }
  const Matrix skew = to_dense(parse_matrix_market(
      "%%MatrixMarket matrix coordinate integer skew-symmetric\n2 2 1\n2 1 4\n", ""));
  CHECK(skew(1, 0) == 4);
  CHECK(skew(0, 1) == -4);
}

TEST_CASE("Matrix Market: entries at one place are added, with a note") {
  std::vector<Diagnostic> notes;
  const SparseMatrix A = parse_matrix_market(head + "2 2 2\n1 1 2\n1 1 3\n", "a.mtx", &notes);
  CHECK(A.value.at(0) == 5);
  REQUIRE(notes.size() == 1);
  CHECK(notes[0].code == "added-entries");
}

TEST_CASE("Matrix Market: faults are told with line and column") {
  struct Case {
    std::string text;
    int line, column;
    const char* code;
  };
  const Case cases[] = {
      {"", 0, 0, "empty-file"},
      {"1 2 3\n", 1, 1, "not-a-matrix"},
      {"\x89PNG\r\n\x1a\n", 1, 1, "not-a-matrix"},
      {"%%MatrixMarket matrix coordinate complex general\n", 1, 34, "bad-head"},
      {"%%MatrixMarket matrix coordinate real\n", 1, 1, "bad-head"},
      {head, 1, 1, "cut-short"},
      {head + "2 2\n", 2, 1, "bad-sizes"},
      {head + "2 x 1\n", 2, 3, "bad-number"},
      {head + "-2 2 1\n", 2, 1, "out-of-range"},
      {head + "2 2 2\n1 1 1\n", 3, 1, "cut-short"},
      {head + "2 2 1\n3 1 1\n", 3, 1, "out-of-range"},
      {head + "2 2 1\n1 0 1\n", 3, 3, "out-of-range"},
      {head + "2 2 1\n1 1 nan\n", 3, 5, "not-finite"},
      {head + "2 2 1\n1 1 1e400\n", 3, 5, "not-finite"},
      {head + "2 2 1\n1 1 1,5\n", 3, 5, "bad-number"},
      {head + "2 2 1\n1 1\n", 3, 1, "bad-entry"},
      {head + "2 2 1\n1 1 1\n2 2 1\n", 4, 1, "too-much"},
      {"%%MatrixMarket matrix coordinate real symmetric\n2 2 1\n1 2 1\n", 3, 1, "upper-half"},
      {"%%MatrixMarket matrix coordinate real symmetric\n2 3 1\n1 1 1\n", 2, 1, "bad-sizes"},
      {"%%MatrixMarket matrix array real general\n2 2\n1\n2\n3\n", 5, 1, "cut-short"},
  };
  for (const Case& c : cases) {
    CAPTURE(c.text);
    const Refusal r = refusal_of(c.text);
    CHECK(r.code == c.code);
    CHECK(r.line == c.line);
    CHECK(r.column == c.column);
  }
}

TEST_CASE("Matrix Market: every prefix of a file is refused, or is a whole file itself") {
  const std::string text = head + "3 2 3\n1 1 1.25\n3 1 -2e-3\n2 2 7\n";
  for (size_t length = 0; length < text.size(); ++length) {
    CAPTURE(length);
    const bool whole = length + 1 >= text.size();  // up to the last digit
    CHECK(refusal_of(text.substr(0, length)).code.empty() == whole);
  }
}

TEST_CASE("Matrix Market: a promise of many entries in a small file costs nothing") {
  CHECK(refusal_of(head + "1000000 1000000 200000000\n1 1 1\n").code == "cut-short");
  CHECK(refusal_of(head + "1000000 1000000 999999999999\n").code == "out-of-range");
  CHECK(refusal_of("%%MatrixMarket matrix array real general\n50000000 50000000\n").code ==
        "bad-sizes");
}

TEST_CASE("M20: a matrix that is nearly empty but claims much memory is refused") {
  const Refusal r = refusal_of(head + "3 50000000 1\n1 1 1\n");
  CHECK(r.code == "bad-sizes");
  CHECK(r.line == 2);
  CHECK(r.column == 3);
  CHECK(r.message.find("49999999 columns are empty, more than 100000") != std::string::npos);
  CHECK(refusal_of(head + "50000000 50000000 1\n1 1 1\n").code == "bad-sizes");
  for (const char* sides : {"50000000 0\n", "0 50000000\n"})
    CHECK(refusal_of("%%MatrixMarket matrix array real general\n" + std::string(sides)).code ==
          "bad-sizes");
  // a sparse matrix may have empty columns
  CHECK(parse_matrix_market(head + "2 100000 1\n1 1 1\n", "a.mtx").cols == 100000);
}

TEST_CASE("Matrix Market: what is written is read again, bit for bit") {
  Random random(9);
  std::vector<Entry> entries;
  for (int k = 0; k < 40; ++k)
    entries.push_back({random.below(9), random.below(7), random.uniform(-1e-3, 1e9)});
  const SparseMatrix A = to_sparse(9, 7, entries);
  const SparseMatrix B = parse_matrix_market(to_matrix_market(A, "x"), "");
  CHECK(B.start == A.start);
  CHECK(B.index == A.index);
  CHECK(B.value == A.value);
  CHECK(to_sparse(to_dense(A)).value ==
        parse_matrix_market(to_matrix_market(to_dense(A)), "").value);
}
