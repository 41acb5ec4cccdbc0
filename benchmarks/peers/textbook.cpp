// The textbook recursion as a contestant. Its two recursions are checked against each other: the
// accelerations that forward dynamics finds must need no joint forces.
#include "benchmarks/measure.hpp"

using namespace bench;

namespace {

/// Joint forces that u̇ would need, relative to those that hold still what u moves.
double residual(Textbook& book, const Instant& x, const std::vector<double>& udot) {
  const std::vector<double> none(udot.size());
  std::vector<double> needed(udot.size()), held(udot.size());
  book.inverse_dynamics(x.q.data(), x.u.data(), udot.data(), needed.data());
  book.inverse_dynamics(x.q.data(), x.u.data(), none.data(), held.data());
  for (size_t i = 0; i < held.size(); ++i) needed[i] += held[i];
  return relative_difference(needed, held);
}

}  // namespace

int main(int argc, char** argv) {
  const Arguments arguments(argc, argv);
  const Tree tree = arguments.tree();
  const Instant x = random_instant(tree);
  const size_t n = x.q.size();
  Textbook book(tree);
  std::vector<double> tau(n), udot(n);

  if (arguments.task == "fd") {
    const std::vector<double> none(n);
    const auto work = [&] {
      book.forward_dynamics(x.q.data(), x.u.data(), none.data(), udot.data());
    };
    work();
    report(arguments, "textbook", tree, "articulated body",
           tree.floats() ? 0 : residual(book, x, udot), work);
  }
  if (arguments.task == "id")
    report(arguments, "textbook", tree, "Newton-Euler", 0,
           [&] { book.inverse_dynamics(x.q.data(), x.u.data(), x.udot.data(), tau.data()); });
}
