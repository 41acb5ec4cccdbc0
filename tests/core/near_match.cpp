// "Did you mean": distances counted by hand, and what is offered.
#include "sarrus/core/near_match.hpp"

#include <doctest/doctest.h>

#include <algorithm>

using namespace sarrus;

TEST_CASE("edit distance: it counts insertions, deletions, changes and swaps") {
  CHECK(edit_distance("", "") == 0);
  CHECK(edit_distance("abc", "") == 3);
  CHECK(edit_distance("mass", "mass") == 0);
  CHECK(edit_distance("mas", "mass") == 1);
  CHECK(edit_distance("masss", "mass") == 1);
  CHECK(edit_distance("mess", "mass") == 1);
  CHECK(edit_distance("amss", "mass") == 1);
  CHECK(edit_distance("kitten", "sitting") == 3);  // the textbook pair
}

TEST_CASE("edit distance: it is a symmetric distance") {
  const std::vector<std::string> words = {"",      "a",    "ab",       "ba",
                                          "crank", "rank", "carriage", "carrige"};
  for (const std::string& a : words)
    for (const std::string& b : words) {
      CHECK(edit_distance(a, b) == edit_distance(b, a));
      CHECK((edit_distance(a, b) == 0) == (a == b));
    }
}

TEST_CASE("near match: a typing error finds its word, another word finds nothing") {
  const std::vector<std::string> keys = {"mass", "inertia", "carriage", "com"};
  CHECK(near_match("mas", keys) == "mass");
  CHECK(near_match("carrige", keys) == "carriage");
  CHECK(near_match("ineritia", keys) == "inertia");
  CHECK(near_match("velocity", keys) == "");
  CHECK(near_match("x", {}) == "");
  CHECK(near_match(std::string(1000000, 'm'), keys) == "");  // and in no time
}

TEST_CASE("did you mean: the nearest word, or the list of what there is, shortened") {
  CHECK(did_you_mean("mas", {"mass", "com"}) == "did you mean 'mass'?");
  CHECK(did_you_mean("velocity", {"mass", "com"}) == "one of: mass, com");
  CHECK(did_you_mean("velocity", {}) == "");
  const std::string many = did_you_mean("zzzz", std::vector<std::string>(21, "a1"));
  CHECK(many.starts_with("one of: a1, a1, "));
  CHECK(many.ends_with(", a1, …"));
  CHECK(std::count(many.begin(), many.end(), ',') == 20);
}
