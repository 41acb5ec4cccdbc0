// The closed set of force elements, once: the lists of a Model and of a ForceSet, tables of model
// files, their checks and their construction are made from these.
#pragma once

#include "sarrus/forces/applied_force.hpp"
#include "sarrus/forces/bushing.hpp"
#include "sarrus/forces/elastic_stiffness.hpp"
#include "sarrus/forces/joint_damper.hpp"
#include "sarrus/forces/joint_drive.hpp"
#include "sarrus/forces/joint_limit.hpp"
#include "sarrus/forces/joint_spring.hpp"
#include "sarrus/forces/point_spring.hpp"
#include "sarrus/forces/torsion_spring.hpp"

/// Elements on joints and elastic bodies: their list, struct.
#define SARRUS_JOINT_FORCES(force)                                                                 \
  force(joint_springs, JointSpring) force(spherical_springs, SphericalSpring)                      \
      force(elastic, ElasticStiffness) force(dampers, JointDamper) force(frictions, JointFriction) \
          force(limits, JointLimit) force(sources, JointSource) force(servos, Servo)               \
              force(motors, Motor)

/// Elements with a table of their own: their list, struct; list in the Model, struct there.
#define SARRUS_NAMED_FORCES(force)                        \
  force(point_springs, PointSpring, springs, SpringSpec)  \
      force(bushings, Bushing, bushings, BushingSpec)     \
          force(applied, AppliedForce, forces, ForceSpec) \
              force(torsion_springs, TorsionSpring, torsion_springs, TorsionSpringSpec)
