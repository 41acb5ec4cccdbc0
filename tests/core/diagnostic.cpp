// Diagnostics: the form of the line, the machine-readable form, collecting and throwing.
#include "sarrus/core/diagnostic.hpp"

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

using namespace sarrus;

namespace {

const Diagnostic unknown_body = {.code = "unknown-body",
                                 .where = {"crane.toml", 41, 9},
                                 .element = "joint/slider/child",
                                 .message = "no body is called 'carrige'",
                                 .hint = "did you mean 'carriage' (line 12)?",
                                 .value = "carrige"};

}  // namespace

TEST_CASE("diagnostic: the line has place, severity, code, element, cause and hint") {
  CHECK(to_text(unknown_body) ==
        "crane.toml:41:9: error[unknown-body]: joint/slider/child: no body is called 'carrige'; "
        "hint: did you mean 'carriage' (line 12)?");
}

TEST_CASE("diagnostic: what is unknown is left out of the line") {
  Diagnostic d{.severity = Severity::warning,
               .code = "unit",
               .where = {"a.toml", 3, 0},
               .message = "180 as an angle in rad"};
  CHECK(to_text(d) == "a.toml:3: warning[unit]: 180 as an angle in rad");
  d.where = {"a.toml", 0, 7};  // a column without a line means nothing
  CHECK(to_text(d) == "a.toml: warning[unit]: 180 as an angle in rad");
  d.where = {};
  d.severity = Severity::note;
  CHECK(to_text(d) == "note[unit]: 180 as an angle in rad");
}

TEST_CASE("diagnostic: JSON carries the same fields, whatever bytes they hold") {
  Diagnostic d = unknown_body;
  d.message = "a \"quote\", a line\nbreak and \xff no UTF-8";
  const auto object = nlohmann::json::parse(to_json(d));
  CHECK(object["severity"] == "error");
  CHECK(object["code"] == "unknown-body");
  CHECK(object["file"] == "crane.toml");
  CHECK(object["line"] == 41);
  CHECK(object["column"] == 9);
  CHECK(object["element"] == "joint/slider/child");
  CHECK(object["value"] == "carrige");
  CHECK(object["message"].get<std::string>().starts_with("a \"quote\", a line\nbreak and "));
}

TEST_CASE("diagnostics: the first 20 errors are kept, the rest are said to be left out") {
  Diagnostics found;
  for (int i = 0; i < 50; ++i) found.error("code", {}, "", std::to_string(i));
  CHECK(found.errors() == 50);
  CHECK(found.full());
  CHECK(found.all().size() == 21);
  CHECK(found.all()[19].message == "19");
  CHECK(found.all()[20].code == "too-many");
}

TEST_CASE("diagnostics: notes and warnings are bounded and take no room from errors") {
  Diagnostics found;
  for (int i = 0; i < 1000; ++i) found.note("n", {}, "", "note");
  for (int i = 0; i < 1000; ++i) found.warning("w", {}, "", "warning");
  CHECK(!found.has_errors());
  CHECK(found.all().size() <= 100);
  found.error("e", {}, "", "error");
  CHECK(found.all().back().code == "e");
  CHECK_NOTHROW(Diagnostics().throw_if_errors(Fault::model));
}

TEST_CASE("error: it is thrown with everything found, and its fault is the exit code") {
  Diagnostics found;
  found.warning("w", {}, "", "first");
  found.add(unknown_body);
  try {
    found.throw_if_errors(Fault::model);
    FAIL("nothing was thrown");
  } catch (const Error& e) {
    CHECK(e.exit_code() == 3);
    CHECK(e.fault() == Fault::model);
    CHECK(e.diagnostics().size() == 2);
    CHECK(std::string(e.what()) == "warning[w]: first\n" + to_text(unknown_body));
  }
  CHECK(found.take().size() == 2);
  CHECK(found.all().empty());
}

TEST_CASE("error: exit codes are those of the contract") {
  CHECK(Error(Fault::usage, unknown_body).exit_code() == 2);
  CHECK(Error(Fault::physics, unknown_body).exit_code() == 4);
  CHECK(Error(Fault::numerics, unknown_body).exit_code() == 5);
  CHECK(Error(Fault::io, unknown_body).exit_code() == 6);
  CHECK(Error(Fault::budget, unknown_body).exit_code() == 7);
  CHECK(Error(Fault::undecided, unknown_body).exit_code() == 10);
}
