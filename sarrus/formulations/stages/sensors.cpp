// What sensors and formulas read of an instant.
#include "sarrus/formulations/stages/rooms.hpp"

namespace sarrus {
namespace {

/// Classical acceleration of a point: a + ω × v_o + α × x + ω × (ω × x).
template <class T>
Vector3<T> point_acceleration(const Rooms<T>& r, const BodyAccelerations<T>& acc, int sensor) {
  const PointSensor& s = r.m.point_sensors[sensor];
  const BodyMotion<T>& B = r.k.body[s.body];
  const Twist<T> a{acc.A[s.body].w, acc.A[s.body].v + r.numbers.gravity};
  const Vector3<T> x = B.R * cast<T>(s.at);
  return a.v + cross(B.V.w, B.V.v) + cross(a.w, x) + cross(B.V.w, cross(B.V.w, x));
}

template <class T>
Vector3<T> accelerometer(const Rooms<T>& r, const BodyAccelerations<T>& a, int sensor) {
  const PointSensor& s = r.m.point_sensors[sensor];
  const Matrix3<T> R_WS = r.k.body[s.body].R * cast<T>(s.R_BS);
  return transposed_times(R_WS, point_acceleration(r, a, sensor) - r.numbers.gravity);
}

}  // namespace

template <class T>
void set_signals(Rooms<T>& r, const BodyAccelerations<T>* a, int from, int to,
                 std::vector<T>& slots) {
  using Kind = Signal::Kind;
  for (int i = from; i < to; ++i) {
    const Signal& s = r.m.signals[i];
    T& slot = slots[r.m.slot_of_signal(i)];
    switch (s.kind) {
      case Kind::coordinate: slot = r.k.q[s.index]; break;
      case Kind::velocity: slot = r.k.u[s.index]; break;
      case Kind::position: slot = sensor_motion<T>(r.k, s.index).position[s.axis]; break;
      case Kind::point_velocity: slot = sensor_motion<T>(r.k, s.index).velocity[s.axis]; break;
      case Kind::angular_velocity:
        slot = r.k.body[r.m.point_sensors[s.index].body].V.w[s.axis];
        break;
      case Kind::acceleration: slot = a->udot[s.index]; break;
      case Kind::angular_acceleration:
        slot = a->A[r.m.point_sensors[s.index].body].w[s.axis];
        break;
      case Kind::point_acceleration: slot = point_acceleration(r, *a, s.index)[s.axis]; break;
      case Kind::accelerometer: slot = accelerometer(r, *a, s.index)[s.axis]; break;
      case Kind::element: {
        ForceContext<T> c;
        c.body = r.k.body.data(), c.q = r.k.q.data(), c.u = r.k.u.data();
        c.formula = r.f.formula.data();
        slot = r.numbers.forces.read(c, s.index, s.axis);
        break;
      }
      case Kind::state: {
        const ValueLimits& limits = r.m.states[s.index].limits;
        slot = clamped(r.k.state[s.index], T(limits.low), T(limits.high));
        break;
      }
      case Kind::formula:
        slot = r.m.formulas[s.index].template evaluate<T>({slots.data(), slots.size()});
        break;
    }
  }
}

template <class T>
PointMotion<T> sensor_motion(const Bodies<T>& k, int sensor) {
  const PointSensor& s = k.mechanism->point_sensors[sensor];
  return point_motion(k.body[s.body], cast<T>(s.at));
}

template <class T>
Vector3<T> sensor_acceleration(Workspace<T>& w, const Places<T>& k, const BodyAccelerations<T>& a,
                               int sensor) {
  assert(&k == &rooms_of(w).k), (void)k;
  return point_acceleration(rooms_of(w), a, sensor);
}

template <class T>
Vector3<T> sensor_accelerometer(Workspace<T>& w, const Places<T>& k, const BodyAccelerations<T>& a,
                                int sensor) {
  assert(&k == &rooms_of(w).k), (void)k;
  return accelerometer(rooms_of(w), a, sensor);
}

template <class T>
const Signals<T>& sense(Workspace<T>& w, const Places<T>& k, const Forces<T>& f,
                        const BodyAccelerations<T>& a) {
  Rooms<T>& r = rooms_of(w);
  assert(&k == &r.k), (void)k;
  std::copy(f.slots.begin(), f.slots.end(), r.signals.slots.begin());
  set_signals(r, &a, r.m.early_signals, static_cast<int>(r.m.signals.size()), r.signals.slots);
  return r.signals;
}

template <class T>
T formula_value(const Mechanism& m, const Signals<T>& s, int formula) {
  return m.formulas[formula].template evaluate<T>({s.slots.data(), s.slots.size()});
}

#define SARRUS_SENSORS(T)                                                                       \
  template void set_signals(Rooms<T>&, const BodyAccelerations<T>*, int, int, std::vector<T>&); \
  template PointMotion<T> sensor_motion(const Bodies<T>&, int);                                 \
  template Vector3<T> sensor_acceleration(Workspace<T>&, const Places<T>&,                      \
                                          const BodyAccelerations<T>&, int);                    \
  template Vector3<T> sensor_accelerometer(Workspace<T>&, const Places<T>&,                     \
                                           const BodyAccelerations<T>&, int);                   \
  template const Signals<T>& sense(Workspace<T>&, const Places<T>&, const Forces<T>&,           \
                                   const BodyAccelerations<T>&);                                \
  template T formula_value(const Mechanism&, const Signals<T>&, int);
SARRUS_EACH_SCALAR(SARRUS_SENSORS)

}  // namespace sarrus
