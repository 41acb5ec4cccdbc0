// A mesh file that cannot be used is refused with its name, the spot, and who asked for it.
#include <doctest/doctest.h>

#include <limits>

#include "files/mesh_files.hpp"
#include "model/meshes.hpp"
#include "sarrus/files/mesh/read_mesh.hpp"

using namespace sarrus;

namespace {

const Place asked_by = {"crane.toml", 41, 9};

/// The message for a file that must be refused as part of the model.
std::string mesh_refusal(const std::string& path) {
  try {
    read_mesh(path, asked_by);
  } catch (const Error& e) {
    CHECK(e.exit_code() == 3);
    REQUIRE(e.diagnostics().size() == 1);
    CHECK(e.diagnostics()[0].where.file == "crane.toml");
    CHECK(e.diagnostics()[0].where.line == 41);
    CHECK_FALSE(e.diagnostics()[0].hint.empty());
    const std::string text = e.what();
    CHECK(text.find(path) != std::string::npos);
    return text;
  }
  FAIL("read without complaint: " << path);
  return "";
}

void check_says(const std::string& path, const std::string& words) {
  const std::string text = mesh_refusal(path);
  CAPTURE(text);
  CAPTURE(words);
  CHECK(text.find(words) != std::string::npos);
}

}  // namespace

TEST_CASE("M20: mesh file: missing, a folder, empty or of another kind is refused") {
  const TemporaryFolder folder;
  check_says(folder.path("none.stl"), "there is no such file");
  std::filesystem::create_directory(folder.path("folder.obj"));
  check_says(folder.path("folder.obj"), "is not a file");
  check_says(folder.file("empty.stl", ""), "is empty");
  check_says(folder.file("empty.obj", ""), "is empty");
  check_says(folder.file("part.step", "ISO-10303-21;"), "'.step' is not a supported mesh format");
  check_says(folder.file("part", "solid"), "'' is not a supported mesh format");
  check_says(folder.file("blank.obj", "# only a comment\n\n"), "holds no triangles");
  check_says(folder.file("none.stl", "solid\nendsolid\n"), "holds no triangles");
  check_says(folder.file("zero.stl", stl_binary({})), "holds no triangles");
}

TEST_CASE(
    "M20: mesh file: a binary STL whose header promises more than there is, or less, is refused") {
  const TemporaryFolder folder;
  const std::string whole = stl_binary(box_mesh({1, 2, 3}));
  check_says(folder.file("cut.stl", whole.substr(0, whole.size() - 1)),
             "byte 80: the header promises 12 triangles, 684 bytes in all, but the file has 683");
  check_says(folder.file("more.stl", whole + "x"), "the file has 685");
  check_says(folder.file("short.stl", whole.substr(0, 83)), "byte 83: ends within");

  std::string huge = whole;
  for (int i = 80; i < 84; ++i) huge[i] = '\xff';
  check_says(folder.file("huge.stl", huge), "promises 4294967295 triangles");
}

TEST_CASE("M20: mesh file: every prefix of a file is the file or is refused") {
  const TemporaryFolder folder;
  const Mesh box = box_mesh({1, 2, 3});
  const std::string binary = stl_binary(box);
  for (std::size_t n = 0; n < binary.size(); ++n)
    mesh_refusal(folder.file("binary.stl", binary.substr(0, n)));

  const std::string ascii = stl_ascii(box);
  const std::size_t done = ascii.rfind("endsolid") + 8;
  for (std::size_t n = 0; n < done; n += 7)
    mesh_refusal(folder.file("ascii.stl", ascii.substr(0, n)));
  CHECK(read_mesh(folder.file("ascii.stl", ascii.substr(0, done)), {}).triangles.size() == 12);
}

TEST_CASE("M20: mesh file: an OBJ face that names no vertex is refused with its line") {
  const TemporaryFolder folder;
  const std::string three = "v 0 0 0\nv 1 0 0\nv 0 1 0\n";
  const auto face = [&](const std::string& line) { return folder.file("face.obj", three + line); };
  check_says(face("f 0 1 2\n"), "line 4: a face names vertex 0");
  check_says(face("\nf 1 2 4\n"), "line 5: a face names vertex 4, but 3 stand before it");
  check_says(face("f 1 2 -4\n"), "line 4: a face names vertex -4");
  check_says(face("f 1 2\n"), "line 4: a face with 2 corners");
  check_says(face("f 1 2 3/\n"), "'3/' is not a corner");
  check_says(face("f 1 2 3/1/1/1\n"), "'3/1/1/1' is not a corner");
  check_says(face("f 1 2 x\n"), "'x' is not a corner");
  check_says(face("f 1 2 99999999999\n"), "'99999999999' is not a corner");
  check_says(face("f 1 2 3.0\n"), "'3.0' is not a corner");
  check_says(face("curv 0 1 1 2 3\n"), "line 4: 'curv' begins no line");
  check_says(folder.file("png.obj", std::string("\x89PNG\r\n\x1a\n\0\0", 10)), "line 1: '?PNG'");
}

TEST_CASE(
    "M20: mesh file: a coordinate that is no finite number is refused with its line or byte") {
  const TemporaryFolder folder;
  check_says(folder.file("nan.obj", "v 0 0 0\nv nan 0 0\n"), "line 2: the coordinate 'nan' is not");
  check_says(folder.file("inf.obj", "v 0 inf 0\n"), "'inf' is not finite");
  check_says(folder.file("big.obj", "v 0 0 1e400\n"), "'1e400' is not finite");
  check_says(folder.file("comma.obj", "v 0 0 1,5\n"), "'1,5' is not a number");
  check_says(folder.file("few.obj", "v 0 0\n"), "line 1: a number is missing");

  Mesh box = box_mesh({1, 2, 3});
  box.vertices[0].y = std::numeric_limits<double>::quiet_NaN();
  // the first triangle's first corner: 84 + 12 for the normal + 4 for x
  check_says(folder.file("nan.stl", stl_binary(box)), "byte 100: a coordinate of triangle 1");
  check_says(folder.file("nan_ascii.stl", stl_ascii(box)), "line 4: the coordinate 'nan' is not");
}

TEST_CASE("M20: mesh file: a file above the limit is refused before it is read") {
  const TemporaryFolder folder;
  const auto path = folder.file("large.stl", "solid");
  std::filesystem::resize_file(path, mesh_bytes_limit + 1);  // sparse: takes no disk
  check_says(path, "200000001 bytes, the limit is 200000000");
}
