#include "sarrus/numerics/sparse/nested_dissection.hpp"

#include <Eigen/OrderingMethods>
#include <algorithm>
#include <cstdint>
#include <numeric>

#include "sarrus/numerics/eigen_maps.hpp"

namespace sarrus {
namespace {

constexpr size_t small_part = 120;  // points: below, minimum degree does well

using Ints = std::vector<int>;

struct Graph {
  Ints start, next;
  size_t size() const { return start.size() - 1; }
};

/// Coordinates with the same pattern (their own place included) are one point.
struct Compressed {
  Graph graph;
  std::vector<Ints> members;
};

Compressed compress(const SparseMatrix& A) {
  const auto n = static_cast<size_t>(A.cols);
  std::vector<std::pair<std::uint64_t, int>> key(n);
  for (size_t j = 0; j < n; ++j) {
    std::uint64_t hash = 0;
    bool self = false;
    for (int k = A.start[j]; k < A.start[j + 1]; ++k) {
      const int i = A.index[k];
      self = self || i == static_cast<int>(j);
      hash += (static_cast<std::uint64_t>(i) + 1) * 0x9E3779B97F4A7C15ull ^
              (static_cast<std::uint64_t>(i) << 29);
    }
    if (!self) hash += (j + 1) * 0x9E3779B97F4A7C15ull ^ (static_cast<std::uint64_t>(j) << 29);
    key[j] = {hash, static_cast<int>(j)};
  }
  const auto same = [&](int a, int b) {
    const auto sa = static_cast<size_t>(a), sb = static_cast<size_t>(b);
    return A.start[sa + 1] - A.start[sa] == A.start[sb + 1] - A.start[sb] &&
           std::equal(A.index.begin() + A.start[sa], A.index.begin() + A.start[sa + 1],
                      A.index.begin() + A.start[sb]);
  };
  std::sort(key.begin(), key.end());
  Compressed c;
  Ints point(n, -1);
  for (size_t k = 0; k < n; ++k) {
    const bool again =
        k > 0 && key[k].first == key[k - 1].first && same(key[k].second, key[k - 1].second);
    if (!again) c.members.emplace_back();
    c.members.back().push_back(key[k].second);
    point[key[k].second] = static_cast<int>(c.members.size()) - 1;
  }
  Ints mark(c.members.size(), -1);
  c.graph.start.push_back(0);
  for (size_t p = 0; p < c.members.size(); ++p) {
    const auto j = static_cast<size_t>(c.members[p].front());
    mark[p] = static_cast<int>(p);
    for (int k = A.start[j]; k < A.start[j + 1]; ++k) {
      const int q = point[A.index[k]];
      if (mark[q] == static_cast<int>(p)) continue;
      mark[q] = static_cast<int>(p);
      c.graph.next.push_back(q);
    }
    c.graph.start.push_back(static_cast<int>(c.graph.next.size()));
  }
  return c;
}

class Dissection {
 public:
  explicit Dissection(const Graph& g)
      : g_(g), part_(g.size(), 0), level_(g.size(), -1), order_(g.size()), end_(g.size()) {}

  Ints run() {
    Ints all(g_.size());
    std::iota(all.begin(), all.end(), 0);
    std::vector<Ints> waiting{std::move(all)};
    while (!waiting.empty()) {
      Ints nodes = std::move(waiting.back());
      waiting.pop_back();
      divide(std::move(nodes), waiting);
    }
    return order_;
  }

 private:
  /// Layers of equal distance from a node within the part; returns the nodes reached, in order.
  Ints layers(int from, int part) {
    Ints reached{from};
    level_[from] = 0;
    for (size_t k = 0; k < reached.size(); ++k) {
      const auto i = static_cast<size_t>(reached[k]);
      for (int e = g_.start[i]; e < g_.start[i + 1]; ++e) {
        const auto j = static_cast<size_t>(g_.next[e]);
        if (part_[j] != part || level_[j] >= 0) continue;
        level_[j] = level_[i] + 1;
        reached.push_back(static_cast<int>(j));
      }
    }
    return reached;
  }
  void forget(const Ints& nodes) {
    for (const int i : nodes) level_[i] = -1;
  }

  /// Puts nodes at the end of what is still open.
  void last(const Ints& nodes) {
    end_ -= nodes.size();
    std::copy(nodes.begin(), nodes.end(), order_.begin() + static_cast<long>(end_));
    for (const int i : nodes) part_[i] = -1;
  }

  void divide(Ints nodes, std::vector<Ints>& waiting) {
    const int part = ++parts_;
    for (const int i : nodes) part_[i] = part;
    if (nodes.size() <= small_part) return last(by_degree(nodes, part));
    Ints reached = layers(nodes.front(), part);
    if (reached.size() < nodes.size()) {  // several pieces
      forget(reached);
      const int own = ++parts_;
      for (const int i : reached) part_[i] = own;
      Ints others;
      for (const int i : nodes)
        if (part_[i] == part) others.push_back(i);
      waiting.push_back(std::move(others));
      waiting.push_back(std::move(reached));
      return;
    }
    // from the rim: the farthest node, twice
    for (int k = 0; k < 2; ++k) {
      const int far = reached.back();
      forget(reached);
      reached = layers(far, part);
    }
    const int depth = level_[reached.back()];
    if (depth < 2) {
      forget(reached);
      return last(by_degree(nodes, part));
    }
    const int cut = thinnest(reached, depth);
    Ints low, high, middle;
    for (const int i : reached) {
      const int l = level_[i];
      (l < cut ? low : l > cut ? high : middle).push_back(i);
    }
    // of the layer, only nodes with a neighbour beyond it separate
    Ints separator;
    for (const int i : middle) {
      bool needed = false;
      for (int e = g_.start[i]; e < g_.start[i + 1]; ++e) {
        const auto j = static_cast<size_t>(g_.next[e]);
        needed = needed || (part_[j] == part && level_[j] > cut);
      }
      (needed ? separator : low).push_back(i);
    }
    forget(reached);
    last(separator);
    waiting.push_back(std::move(low));
    waiting.push_back(std::move(high));
  }

  /// The layer whose size against the evenness of the halves costs least.
  static int thinnest_of(const std::vector<double>& size, double total) {
    int best = 1;
    double least = -1, before = size[0];
    for (size_t l = 1; l + 1 < size.size(); ++l) {
      const double after = total - before - size[l];
      const double smaller = std::min(before, after);
      const double price = size[l] * (1 + total / (4 * smaller + 1));
      if (smaller > 0.2 * total && (least < 0 || price < least))
        least = price, best = static_cast<int>(l);
      before += size[l];
    }
    if (least >= 0) return best;
    before = 0;  // no even cut: the middle
    for (size_t l = 0; l < size.size(); ++l)
      if ((before += size[l]) >= total / 2)
        return std::clamp(static_cast<int>(l), 1, static_cast<int>(size.size()) - 2);
    return 1;
  }
  int thinnest(const Ints& reached, int depth) const {
    std::vector<double> size(static_cast<size_t>(depth) + 1, 0.0);
    for (const int i : reached) ++size[level_[i]];
    return thinnest_of(size, static_cast<double>(reached.size()));
  }

  Ints by_degree(const Ints& nodes, int part) {
    std::vector<Eigen::Triplet<double>> entries;
    std::vector<int> place(nodes.size());
    for (size_t k = 0; k < nodes.size(); ++k) level_[nodes[k]] = static_cast<int>(k);
    for (size_t k = 0; k < nodes.size(); ++k) {
      entries.emplace_back(static_cast<int>(k), static_cast<int>(k), 1.0);
      const auto i = static_cast<size_t>(nodes[k]);
      for (int e = g_.start[i]; e < g_.start[i + 1]; ++e) {
        const auto j = static_cast<size_t>(g_.next[e]);
        if (part_[j] == part) entries.emplace_back(level_[j], static_cast<int>(k), 1.0);
      }
    }
    for (const int i : nodes) level_[i] = -1;
    EigenSparse B(static_cast<int>(nodes.size()), static_cast<int>(nodes.size()));
    B.setFromTriplets(entries.begin(), entries.end());
    Eigen::AMDOrdering<int> amd;
    Eigen::PermutationMatrix<Eigen::Dynamic, Eigen::Dynamic, int> p;
    amd(B, p);
    Ints ordered(nodes.size());
    for (size_t k = 0; k < nodes.size(); ++k)
      ordered[k] = nodes[static_cast<size_t>(p.indices()[static_cast<int>(k)])];
    return ordered;
  }

  const Graph& g_;
  Ints part_, level_, order_;
  size_t end_;
  int parts_ = 0;
};

}  // namespace

std::vector<int> nested_dissection(const SparseMatrix& A) {
  const Compressed c = compress(A);
  Ints order;
  order.reserve(A.cols);
  for (const int p : Dissection(c.graph).run())
    for (const int j : c.members[p]) order.push_back(j);
  return order;
}

}  // namespace sarrus
