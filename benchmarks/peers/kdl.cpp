// Orocos KDL, serial chains only: forward dynamics by columns of the mass matrix and a dense solve,
// inverse dynamics, mass matrix.
#include <kdl/chain.hpp>
#include <kdl/chaindynparam.hpp>
#include <kdl/chainfdsolver_recursive_newton_euler.hpp>
#include <kdl/chainidsolver_recursive_newton_euler.hpp>

#include "benchmarks/measure.hpp"

using namespace bench;

namespace {

/// A segment's frame is at its tip here.
KDL::Chain build(const Tree& tree) {
  KDL::Chain result;
  const KDL::Vector tip(0, 0, -link_length);
  for (const Link& link : tree.links) {
    const KDL::RotationalInertia inertia(link.inertia[0], link.inertia[1], link.inertia[2]);
    const KDL::Vector com(link.com[0], link.com[1], link.com[2]);
    const auto joint = link.axis == 0   ? KDL::Joint::RotX
                       : link.axis == 1 ? KDL::Joint::RotY
                                        : KDL::Joint::RotZ;
    result.addSegment(KDL::Segment(KDL::Joint(joint), KDL::Frame(tip),
                                   KDL::RigidBodyInertia(link.mass, com - tip, inertia)));
  }
  return result;
}

KDL::JntArray joint_array(const std::vector<double>& x) {
  KDL::JntArray result(static_cast<unsigned>(x.size()));
  for (unsigned i = 0; i < x.size(); ++i) result(i) = x[i];
  return result;
}
std::vector<double> values(const KDL::JntArray& x) {
  std::vector<double> result;
  for (unsigned i = 0; i < x.rows(); ++i) result.push_back(x(i));
  return result;
}

}  // namespace

int main(int argc, char** argv) {
  const Arguments arguments(argc, argv);
  const Tree tree = arguments.tree();
  if (tree.floats()) return 0;
  const Instant x = random_instant(tree);
  const auto n = static_cast<unsigned>(tree.hinges());
  const KDL::Chain chain = build(tree);
  const KDL::Vector g(0, 0, -gravity);
  const KDL::JntArray q = joint_array(x.q), u = joint_array(x.u), given = joint_array(x.udot),
                      none(n);
  const KDL::Wrenches wrenches(n);
  KDL::JntArray out(n);

  if (arguments.task == "fd") {
    KDL::ChainFdSolver_RNE solver(chain, g);
    const auto work = [&] { solver.CartToJnt(q, u, none, wrenches, out); };
    work();
    report(arguments, "KDL", tree, "ChainFdSolver_RNE",
           relative_difference(values(out), expected_udot(tree, x)), work);
  }
  if (arguments.task == "id") {
    KDL::ChainIdSolver_RNE solver(chain, g);
    const auto work = [&] { solver.CartToJnt(q, u, given, wrenches, out); };
    work();
    report(arguments, "KDL", tree, "ChainIdSolver_RNE",
           relative_difference(values(out), expected_tau(tree, x)), work);
  }
  if (arguments.task == "mass") {
    KDL::ChainDynParam solver(chain, g);
    KDL::JntSpaceInertiaMatrix M(n);
    const auto work = [&] { solver.JntToMass(q, M); };
    work();
    const auto entry = [&](int i, int j) {
      return M(static_cast<unsigned>(i), static_cast<unsigned>(j));
    };
    report(arguments, "KDL", tree, "ChainDynParam", mass_difference(tree, x, entry), work);
  }
}
