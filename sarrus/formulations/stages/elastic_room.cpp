#include "sarrus/formulations/stages/kinematics.hpp"

namespace sarrus {

template <class T>
ElasticRoom<T>::ElasticRoom(const Mechanism& m) {
  int n = 0, square = 0, columns = 0;
  for (const ElasticInfo& e : m.elastic) n += e.n, square += e.n * e.n;
  for (const SeatInfo& s : m.seats) columns += m.elastic[s.elastic].n;
  coupling_.resize(n), elastic_.resize(square), scratch_.resize(n);
  columns_.resize(2 * columns);
  n = square = columns = 0;
  for (const ElasticInfo& e : m.elastic) {
    flex_.push_back({e.numbers.get(),
                     e.last,
                     e.q0,
                     e.u0,
                     e.n,
                     {},
                     coupling_.data() + n,
                     elastic_.data() + square,
                     scratch_.data() + n});
    n += e.n, square += e.n * e.n;
  }
  for (const SeatInfo& s : m.seats) {
    const int count = m.elastic[s.elastic].n;
    Twist<T>* own = columns_.data() + 2 * columns;
    seat_.push_back({&s.place, s.elastic, own, own + count});
    columns += count;
  }
}

template class ElasticRoom<double>;
template class ElasticRoom<Pack<4>>;
template class ElasticRoom<Dual<double>>;
template class ElasticRoom<std::complex<double>>;

}  // namespace sarrus
