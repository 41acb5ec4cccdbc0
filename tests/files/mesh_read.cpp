// A mesh is the same mesh in every file format.
#include <doctest/doctest.h>

#include <clocale>
#include <locale>

#include "files/mesh_files.hpp"
#include "model/meshes.hpp"
#include "near.hpp"
#include "sarrus/files/mesh/read_mesh.hpp"

using namespace sarrus;
using sarrus::testing::near;
using sarrus::testing::rounding;

TEST_CASE("mesh file: a box is the same box as binary STL, ASCII STL and OBJ") {
  const TemporaryFolder folder;
  const Mesh box = box_mesh({1, 2, 3});  // halves and wholes: exact in float32 too
  for (const std::string& path :
       {folder.file("binary.stl", stl_binary(box)), folder.file("ascii.stl", stl_ascii(box)),
        folder.file("box.obj", obj(box)), folder.file("SHOUTED.STL", stl_binary(box)),
        folder.file("solid.stl", stl_binary(box, "solid says the header"))}) {
    CAPTURE(path);
    const Mesh read = read_mesh(path, {});
    CHECK(read.vertices.size() == 8);
    CHECK(read.triangles.size() == 12);
    CHECK(is_closed(read));
    CHECK(volume(read) == 6);
  }
}

TEST_CASE("mesh file: a shifted and rotated globe keeps its volume") {
  const TemporaryFolder folder;
  const Pose<double> X = {rotation(Vec3{0, 0.6, 0.8}, 2.0), {10, -20, 5}};
  const Mesh globe = moved(X, sphere_mesh(0.75, 24));
  const auto expected = mass_properties(mesh_shape(globe), 1);

  const auto check = [&](const std::string& path, double tolerance) {
    CAPTURE(path);
    const Mesh read = read_mesh(path, {});
    CHECK(read.vertices.size() == globe.vertices.size());
    CHECK(is_closed(read));
    const auto p = mass_properties(mesh_shape(read), 1);
    CHECK(near(p.mass, expected.mass, tolerance));
    CHECK(near(p.com.y, -20, tolerance));
    CHECK(near(p.inertia.z.z, expected.inertia.z.z, tolerance));
  };
  check(folder.file("globe.obj", obj(globe)), 1e-14);  // written with 17 digits
  // fmt's {:e} of z keeps six digits behind the point: 5e-7 of 5 m, on a radius of 0.75 m
  check(folder.file("ascii.stl", stl_ascii(globe)), 1e-5);
  check(folder.file("binary.stl", stl_binary(globe)), 1e-5);  // float32: 1e-6 of 20 m
}

TEST_CASE("mesh file: an inverted file has a negative volume") {
  const TemporaryFolder folder;
  const auto path = folder.file("inverted.stl", stl_binary(inside_out(box_mesh({1, 2, 3}))));
  CHECK(volume(read_mesh(path, {})) == -6);
}

TEST_CASE("mesh file: OBJ faces may be polygons, count backwards, carry textures and normals") {
  const TemporaryFolder folder;
  const std::string corners =
      "mtllib a.mtl\r\n"
      "v 0 0 0\r\nv +1 0 0 1.0\r\nv 1 1e0 0\r\nv 0 1 0\r\n"
      "v 0 0 1 0.2 0.3 0.4\r\nv 1 0 1\r\nv 1 1 1\r\nv 0 1 1\r\nvt 0 0\r\nvn 0 0 1\r\n";
  const std::string faces =
      "f 4 3 2 1\n"
      "f 5/1 6/1 7/1 8/1   # the top\n"
      "f 1//1 2//1 \\\n 6//1 5//1\n"
      "f 2/1/1 3/1/1 7/1/1 6/1/1\n"
      "f -6 -5 -1 -2\n"
      "usemtl steel\n"
      "f -8 -4 -1 -5";
  const Mesh cube = read_mesh(folder.file("cube.obj", corners + faces), {});
  CHECK(cube.vertices.size() == 8);
  CHECK(cube.triangles.size() == 12);
  CHECK(is_closed(cube));
  CHECK(near(volume(cube), 1, rounding(12)));  // a sum over twelve triangles
}

TEST_CASE("mesh file: several solids in one ASCII file are one mesh, and −0 is 0") {
  const TemporaryFolder folder;
  const Mesh a = box_mesh({1, 1, 1}), b = moved({Mat3::identity(), {3, 0, 0}}, a);
  const Mesh both = read_mesh(folder.file("two.stl", stl_ascii(a) + "\n" + stl_ascii(b)), {});
  CHECK(near(volume(both), 2, rounding(24)));
  CHECK(is_closed(both));

  const auto path =
      folder.file("zero.obj", "v 0 0 0\nv -0 0 -0\nv 1 0 0\nv 0 1 0\nf 1 3 4\nf 2 4 3\n");
  CHECK(read_mesh(path, {}).vertices.size() == 3);
}

TEST_CASE("mesh file: a comma locale changes no number") {
  struct Comma : std::numpunct<char> {
    char do_decimal_point() const override { return ','; }
  };
  const TemporaryFolder folder;
  const auto path = folder.file("box.obj", obj(box_mesh({0.5, 1.5, 2.5})));
  const std::string c_before = std::setlocale(LC_ALL, nullptr);
  const std::locale before = std::locale::global(std::locale(std::locale(), new Comma));
  for (const char* name : {"de_DE.UTF-8", "de_AT.UTF-8", "fr_FR.UTF-8"})  // where there is one
    if (std::setlocale(LC_ALL, name)) break;
  const double found = volume(read_mesh(path, {}));
  std::locale::global(before);
  std::setlocale(LC_ALL, c_before.c_str());
  CHECK(near(found, 0.5 * 1.5 * 2.5, rounding(12)));
}
