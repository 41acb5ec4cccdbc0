// Texts that are no models: refused with a place, never with anything but an Error.
#include <doctest/doctest.h>
#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <random>

#include "files/models.hpp"
#include "files/refused.hpp"
#include "processor_time.hpp"

using namespace sarrus;
using namespace std::string_literals;
using sarrus::testing::processor_seconds;

namespace {

std::string refused_file(const std::string& path) {
  try {
    read_model(path);
  } catch (const Error& e) {
    CHECK(e.fault() == Fault::model);
    return e.what();
  }
  return "";
}

double seconds_to_refuse(const std::string& text, Format format = Format::toml) {
  return processor_seconds([&] { CHECK(refused(text, Fault::model, format) != ""); });
}

}  // namespace

TEST_CASE("M01: a missing file is named as typed, with the nearest name that exists") {
  const auto folder =
      std::filesystem::temp_directory_path() / ("sarrus_test_m01_" + std::to_string(::getpid()));
  std::filesystem::create_directories(folder);
  std::ofstream(folder / "pendulum.toml") << double_pendulum;
  const std::string typed = (folder / "pendulm.toml").string();
  CHECK(has(refused_file(typed), typed));
  CHECK(has(refused_file(typed), "pendulum.toml'?"));
  CHECK(has(refused_file(folder.string()), "folder"));
  CHECK(has(refused_file(""), "no file name"));
  CHECK(read_model((folder / "pendulum.toml").string()).bodies.size() == 2);
  std::filesystem::remove_all(folder);
}

TEST_CASE("M02: an empty file holds no model") {
  for (const char* text : {"", "  \n\t\n", "# only\n# comments\n", "\xef\xbb\xbf"})
    CHECK(has(refused(text), "the file contains no model"));
}

TEST_CASE("M03: every prefix of a model is a model or refused") {
  int accepted = 0;
  for (size_t n = 0; n <= double_pendulum.size(); ++n) {
    try {
      parse_model(double_pendulum.substr(0, n), "cut.toml");
      ++accepted;
    } catch (const Error& e) {
      CHECK((e.fault() == Fault::model || e.fault() == Fault::physics));
      CHECK(!e.diagnostics().empty());
    }
  }
  CHECK(accepted > 0);
}

TEST_CASE("M03: a model with bytes changed, lost or doubled is a model or refused") {
  std::mt19937 random(7);
  const auto below = [&](size_t n) { return static_cast<size_t>(random() % n); };
  const std::string_view bytes =
      "[]{}\"'=.,#\n\\ \x04\xef\xbb\xb7"
      "0e-_tx";
  for (int i = 0; i < 3000; ++i) {
    std::string text(double_pendulum);
    for (size_t k = below(4) + 1; k > 0; --k) {
      const size_t at = below(text.size());
      switch (below(3)) {
        case 0: text[at] = bytes[below(bytes.size())]; break;
        case 1: text.erase(at, below(20)); break;
        default: text.insert(at, text.substr(below(text.size()), below(40)));
      }
    }
    CAPTURE(text);
    try {
      parse_model(text, "changed.toml");
    } catch (const Error& e) {
      CHECK((e.fault() == Fault::model || e.fault() == Fault::physics));
    }
  }
}

TEST_CASE("M04: other kinds of files are recognised") {
  CHECK(has(refused("\x89PNG\r\n\x1a\n...."s), "looks like a PNG"));
  CHECK(has(refused("\x7f"s + "ELF\x02\x01"), "not a model"));
  CHECK(has(refused("PK\x03\x04"s), "looks like a ZIP"));
  CHECK(has(refused("\x89HDF\r\n\x1a\n"s), "looks like an HDF5"));
  CHECK(has(refused("SARRUSR1\x01\x02"s), "looks like a Sarrus result"));
  CHECK(has(refused("SARRUSC1\x01\x02"s), "looks like a Sarrus checkpoint"));
  CHECK(has(refused("<svg width=\"1\"/>"), "the first element is <svg>"));
}

TEST_CASE(
    "M05: escapes put no commands to a terminal and nothing that reorders text into a model") {
  struct Case {
    const char *escape, *code;
  };
  const Case cases[] = {
      {"\\u001b[2J", "control-character"},   {"\\u009b31m", "deceptive-character"},
      {"\\u202eabc", "deceptive-character"}, {"\\u2066", "deceptive-character"},
      {"\\u0007", "control-character"},      {"\\u007f", "control-character"},
      {"\\u0000", "control-character"}};
  for (const Case& c : cases) {
    CAPTURE(c.escape);
    const std::string text = c.escape;
    const std::string toml[] = {"sarrus = 1\nname = \"x" + text + "\"\n",
                                "sarrus = 1\n[[sensor]]\nname = \"s\"\nunit = \"" + text + "\"\n",
                                "sarrus = 1\n[parameters]\n\"" + text + "\" = 1\n"};
    for (const std::string& model : toml) {
      const std::string said = refused(model);
      CAPTURE(said);
      CHECK(has(said, c.code));
      CHECK(has(said, "m.toml:"));
      CHECK(has(said, "U+"));
      CHECK(said.find_first_of("\x1b\x07\x7f") == said.npos);
      CHECK_FALSE(has(said, "\u202e"));
    }
    CHECK(has(refused("{\"sarrus\": 1, \"name\": \"x" + text + "\"}", Fault::model, Format::json),
              c.code));
  }
  CHECK(refused("sarrus = 1\nname = \"two\\nlines, \\t and \\u00fc\"\n") == "");
}

TEST_CASE("M08: names that look alike are refused, whatever they are made of") {
  const auto body = [](const std::string& name) {
    return "sarrus = 1\n[[body]]\nname = \"" + name + "\"\nmass = 1\ninertia = [1, 1, 1]\n";
  };
  struct Case {
    const char *name, *what;
  };
  for (const Case& c :
       {Case{"ar\u200bm", "not seen"}, Case{"ar\u2060m", "not seen"}, Case{"ar\u00adm", "not seen"},
        Case{"cafe\u0301", "U+0301"}, Case{"a\u00a0b", "a blank"}, Case{"a\u3000b", "a blank"}}) {
    CAPTURE(c.name);
    CHECK(has(refused(body(c.name)), c.what));
    CHECK(has(refused(body(c.name)), "bad-name"));
  }
  for (const char* name : {"caf\u00e9", "\u03c9_1", "\u8f74", "\u0447\u0430\u0441\u0442\u044c"})
    CHECK(refused(body(name)) == "");
}

TEST_CASE("M05: byte order mark and CRLF are read, other encodings refused with the byte") {
  CHECK(parse_model("\xef\xbb\xbf" + std::string(double_pendulum), "m.toml").bodies.size() == 2);
  std::string crlf;
  for (const char c : double_pendulum) crlf += c == '\n' ? "\r\n"s : std::string(1, c);
  CHECK(parse_model(crlf, "m.toml").joints.size() == 2);
  CHECK(has(refused("\xff\xfes\0a\0"s), "UTF-16"));
  CHECK(has(refused("sarrus = 1\nname = \"\xc3\x28\"\n"), "at byte 19"));
  CHECK(has(refused("sarrus = 1\nname = \"a\0b\"\n"s), "zero byte"));
  CHECK(has(refused("sarrus = 1\nname = \"a\0b\"\n"s), "m.toml:2:10"));
  CHECK(has(refused("sarrus = 1\nname = \"\xe2\x80\xae"
                    "abc\"\n"),
            "U+202E"));
  CHECK(has(refused("sarrus = 1\n\x04 = 2\n"), "0x04"));
  CHECK(has(refused("sarrus = 1\n[\xef\xbb\xb7]\n"), "outside of strings"));
  CHECK(refused("sarrus = 1 # café\nname = 'naïve'\n") == "");
  CHECK(refused("sarrus = 1\nname = \"\"\"\nä\"\"ö\"\"\"\n# ü \"\n") == "");
}

TEST_CASE("M07: a key that is given twice is refused with both lines") {
  const auto lines = [](const std::string& text, int first, int second) {
    const std::string said = refused(text);
    CHECK(has(said, "on line " + std::to_string(first)));
    CHECK(has(said, "again on line " + std::to_string(second)));
  };
  lines(with_body("mass = 1\ncom = [0, 0, 0]\nmass = 2"), 4, 6);
  lines("sarrus = 1\n[simulate]\nuntil = 1\n\n[simulate]\nrtol = 1e-6\n", 2, 5);
  lines("sarrus = 1\nname = \"a\"\n# between\nname = \"b\"\n", 2, 4);
  CHECK(
      has(refused(with_body("shape = { type = \"sphere\", radius = 1, radius = 2 }")), "'radius'"));
  const std::string json =
      refused("{\"sarrus\": 1,\n\"name\": \"a\",\n \"name\": \"b\"}", Fault::model, Format::json);
  CHECK(has(json, "m.toml:3:2"));
  CHECK(has(json, "on line 2"));
}

TEST_CASE("M10: what is not one whole number is refused with the text found") {
  for (const char* bad : {"1.5kg", "1/2", "1_000", "1d3", "0x10", "--1", "1.5 2.5", "0b11", "1e",
                          ".5", "1.", "+-1"}) {
    CAPTURE(bad);
    const std::string said = refused(with_body("mass = "s + bad));
    CHECK(has(said, bad));
    CHECK(has(said, "m.toml:4:"));
  }
  CHECK(has(refused(with_body("mass = 1,5")), "1,5"));
  for (const char* bad : {"1.5kg", "1,5 kg", "1_000 kg", "1 2 kg", "1.5 m", "kg", "1.5 kgg", ""}) {
    CAPTURE(bad);
    CHECK(refused(with_body("mass = \""s + bad + "\"")) != "");
  }
}

TEST_CASE("M11: numbers that are not finite are refused") {
  for (const char* bad : {"nan", "inf", "-inf", "+nan", "1e400", "-1e400"}) {
    CAPTURE(bad);
    CHECK(has(refused(with_body("mass = "s + bad)), bad));
  }
  CHECK(has(refused(with_body("mass = \"1/0\"")), "1/0"));
  CHECK(refused("{\"sarrus\": 1, \"body\": [{\"name\": \"a\", \"mass\": 1e400}]}", Fault::model,
                Format::json) != "");
}

TEST_CASE("M18: nesting is bounded, balanced or not") {
  for (const size_t n : {1000u, 100000u, 1000000u}) {
    CAPTURE(n);
    CHECK(has(refused("a = " + std::string(n, '[')), "nesting deeper than"));
    CHECK(has(refused("a = " + std::string(n, '[') + std::string(n, ']')), "at line 1"));
    std::string tables = "a = ";
    for (size_t i = 0; i < n; ++i) tables += "{a=";
    CHECK(has(refused(tables), "nesting deeper than"));
    CHECK(has(refused("{\"a\": " + std::string(n, '['), Fault::model, Format::json),
              "nesting deeper than"));
    std::string dots = "a";
    for (size_t i = 0; i < n; ++i) dots += ".a";
    CHECK(has(refused(dots + " = 1"), "deeper than"));
    CHECK(has(refused("[" + dots + "]"), "deeper than"));
  }
}

TEST_CASE("M19: what is too large is refused quickly, naming the limit") {
  CHECK(seconds_to_refuse(std::string(70u << 20, ' ')) < 2);
  CHECK(seconds_to_refuse("name = \"" + std::string(10u << 20, 'a') + "\"") < 2);
  CHECK(has(refused(with_body("mass = 1") + "[[body]]\nname = \"" + std::string(200000, 'x') +
                    "\"\nmass = 1"),
            "limit is 100"));
}

TEST_CASE("places: every fault has file, line and column") {
  for (const std::string& text :
       {with_body("mas = 1"), with_body("mass = [1]"), with_body("mass = \"q\""),
        with_body("mass = -1"), with_body("mass = 1\ncom = [1]")}) {
    try {
      parse_model(text, "m.toml");
      FAIL("accepted");
    } catch (const Error& e) {
      CHECK(e.diagnostics()[0].where.file == "m.toml");
      CHECK(e.diagnostics()[0].where.line > 0);
      CHECK(e.diagnostics()[0].where.column > 0);
    }
  }
  CHECK(has(refused(with_body("mass = -1"), Fault::physics),
            "m.toml:4:8: error[bad-mass]: body/a/mass"));
}
