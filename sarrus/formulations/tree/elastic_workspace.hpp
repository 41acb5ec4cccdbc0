// Room for the elastic bodies of a mechanism in one evaluation.
#pragma once

#include <vector>

#include "sarrus/formulations/tree/tree_view.hpp"

namespace sarrus {

template <class T>
class ElasticWorkspace {
 public:
  explicit ElasticWorkspace(const Mechanism& m) {
    size_t n = 0, square = 0, columns = 0;
    for (const ElasticInfo& e : m.elastic) {
      const auto k = static_cast<size_t>(e.n);
      n += k, square += k * k;
    }
    for (const SeatInfo& s : m.seats)
      columns += static_cast<size_t>(m.elastic[static_cast<size_t>(s.elastic)].n);
    coupling_.resize(2 * n), elastic_.resize(2 * square), force_.resize(n), scratch_.resize(n);
    columns_.resize(2 * columns);
    n = square = columns = 0;
    for (const ElasticInfo& e : m.elastic) {
      const auto k = static_cast<size_t>(e.n);
      Wrench<T>* coupling = coupling_.data() + 2 * n;
      T* elastic = elastic_.data() + 2 * square;
      flex_.push_back({e.numbers.get(),
                       e.last,
                       e.q0,
                       e.u0,
                       e.n,
                       {},
                       coupling,
                       coupling + k,
                       elastic,
                       elastic + k * k,
                       force_.data() + n,
                       scratch_.data() + n});
      n += k, square += k * k;
    }
    for (const SeatInfo& s : m.seats) {
      const auto k = static_cast<size_t>(m.elastic[static_cast<size_t>(s.elastic)].n);
      Twist<T>* own = columns_.data() + 2 * columns;
      seat_.push_back({&s.place, s.elastic, own, own + k});
      columns += k;
    }
  }
  ElasticWorkspace(const ElasticWorkspace&) = delete;  // it points into itself
  ElasticWorkspace(ElasticWorkspace&&) = default;
  ElasticWorkspace& operator=(ElasticWorkspace&&) = default;

  std::vector<Flex<T>>& flex() { return flex_; }
  const std::vector<Flex<T>>& flex() const { return flex_; }
  const std::vector<Seat<T>>& seat() const { return seat_; }

 private:
  std::vector<Wrench<T>> coupling_;
  std::vector<T> elastic_, force_;
  std::vector<Vector3<T>> scratch_;
  std::vector<Twist<T>> columns_;
  std::vector<Flex<T>> flex_;
  std::vector<Seat<T>> seat_;
};

}  // namespace sarrus
