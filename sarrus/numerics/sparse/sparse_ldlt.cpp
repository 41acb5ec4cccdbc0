#include "sarrus/numerics/sparse/sparse_ldlt.hpp"

#include <Eigen/OrderingMethods>
#include <algorithm>
#include <cmath>

#include "sarrus/numerics/eigen_maps.hpp"
#include "sarrus/numerics/sparse/front_kernels.hpp"
#include "sarrus/numerics/sparse/nested_dissection.hpp"

namespace sarrus {
namespace {

constexpr int few_columns = 12;         // supernodes this narrow join their parent …
constexpr double zeros_allowed = 0.15;  // … and others where so much of the panel is zero
constexpr int front_step = 64;          // of the kernels' workspace

using Ints = std::vector<int>;

/// Column by column, the rows above the diagonal, in a given order of the coordinates.
struct UpperPattern {
  Ints start, row;
};

UpperPattern upper_pattern(const SparseMatrix& A, const Ints& place) {
  const auto n = static_cast<size_t>(A.cols);
  UpperPattern P;
  P.start.assign(n + 1, 0);
  const auto each = [&](auto&& f) {
    for (int j = 0; j < A.cols; ++j)
      for (int k = A.start[j]; k < A.start[j + 1]; ++k) {
        const int a = place[j], b = place[A.index[k]];
        if (b < a) f(b, a);
      }
  };
  each([&](int, int col) { ++P.start[col + 1]; });
  for (size_t j = 0; j < n; ++j) P.start[j + 1] += P.start[j];
  P.row.resize(P.start[n]);
  Ints next(P.start.begin(), P.start.end() - 1);
  each([&](int row, int col) { P.row[next[col]++] = row; });
  return P;
}

/// parent[j]: the first row below the diagonal in column j of L. [Liu 1990]
Ints elimination_tree(const UpperPattern& P) {
  const size_t n = P.start.size() - 1;
  Ints parent(n, -1), ancestor(n, -1);
  for (size_t j = 0; j < n; ++j)
    for (int k = P.start[j]; k < P.start[j + 1]; ++k)
      for (int i = P.row[k]; i != -1 && i < static_cast<int>(j);) {
        const int next = ancestor[i];
        ancestor[i] = static_cast<int>(j);
        if (next == -1) parent[i] = static_cast<int>(j);
        i = next;
      }
  return parent;
}

/// order[k]: the k-th node when every node follows its descendants.
Ints postorder(const Ints& parent) {
  const size_t n = parent.size();
  Ints first(n, -1), next(n, -1), order, stack;
  for (size_t j = n; j-- > 0;)
    if (parent[j] >= 0) next[j] = first[parent[j]], first[parent[j]] = static_cast<int>(j);
  for (size_t root = 0; root < n; ++root) {
    if (parent[root] >= 0) continue;
    stack.push_back(static_cast<int>(root));
    while (!stack.empty()) {
      const auto j = static_cast<size_t>(stack.back());
      if (first[j] >= 0) {
        stack.push_back(first[j]);
        first[j] = next[first[j]];
      } else {
        order.push_back(static_cast<int>(j));
        stack.pop_back();
      }
    }
  }
  return order;
}

/// Entries of each column of L, the diagonal included.
Ints column_counts(const UpperPattern& P, const Ints& parent) {
  const size_t n = parent.size();
  Ints count(n, 1), mark(n, -1);
  for (size_t i = 0; i < n; ++i) {
    mark[i] = static_cast<int>(i);
    for (int k = P.start[i]; k < P.start[i + 1]; ++k)
      for (int j = P.row[k]; mark[j] != static_cast<int>(i); j = parent[j]) {
        ++count[j];
        mark[j] = static_cast<int>(i);
      }
  }
  return count;
}

struct Supernode {
  int first = 0, pivots = 0, rows = 0;  // of its front
  int parent = -1;
  double zeros = 0;   // entries of the panel that were added by joining
  size_t row0 = 0;    // place of its row numbers
  size_t panel0 = 0;  // place of its panel
};

/// Columns of the same pattern, then those that may join their parent at little cost.
std::vector<Supernode> supernodes(const Ints& parent, const Ints& count) {
  const size_t n = parent.size();
  std::vector<Supernode> plain;
  for (size_t j = 0; j < n; ++j) {
    const bool joins =
        j > 0 && parent[j - 1] == static_cast<int>(j) && count[j - 1] == count[j] + 1;
    if (joins)
      ++plain.back().pivots;
    else
      plain.push_back({static_cast<int>(j), 1, count[j], -1, 0, 0, 0});
  }
  std::vector<Supernode> joined;
  for (Supernode s : plain) {
    while (!joined.empty()) {
      const Supernode& child = joined.back();
      const int up = parent[child.first + child.pivots - 1];
      if (up < s.first || up >= s.first + s.pivots) break;
      const double added = static_cast<double>(child.pivots) * (child.pivots + s.rows - child.rows);
      const double zeros = child.zeros + s.zeros + added;
      const double panel = static_cast<double>(child.pivots + s.pivots) * (child.pivots + s.rows);
      const bool narrow = child.pivots <= few_columns && zeros < 0.5 * panel;
      if (!narrow && zeros > zeros_allowed * panel) break;
      s = {child.first, child.pivots + s.pivots, child.pivots + s.rows, -1, zeros, 0, 0};
      joined.pop_back();
    }
    joined.push_back(s);
  }
  return joined;
}

/// What a front leaves to its parent.
size_t update_size(const Supernode& x) {
  const auto rest = static_cast<size_t>(x.rows - x.pivots);
  return rest * rest;
}

struct Cost {
  double entries = 0, operations = 0;
};

Cost cost(const Ints& count) {
  Cost c;
  for (const int k : count) c.entries += k, c.operations += static_cast<double>(k) * k;
  return c;
}

}  // namespace

struct SparseLdlt::Parts {
  int n = 0;
  const char* ordering = "";
  Ints order, place;  // order[k] is the coordinate eliminated k-th, place its inverse
  std::vector<Supernode> node;
  std::vector<Ints> children;
  Ints row;  // row numbers of the fronts, one after the other
  std::vector<double> L, D;
  size_t stack_peak = 0;  // numbers waiting in updates at the same time
  double operations = 0;
  int negative = 0;
  double smallest = 0;
  bool ok = false;

  void analyse(const SparseMatrix& A);
  void factor(const SparseMatrix& A);
  void number_rows(const UpperPattern& P);
  /// Four right-hand sides side by side, in the order of elimination.
  void solve_four(double* Y, std::vector<double>& front) const;
};

void SparseLdlt::Parts::analyse(const SparseMatrix& A) {
  n = A.cols;
  const auto try_order = [&](Ints candidate, const char* name, double& best) {
    Ints where(candidate.size());
    for (size_t k = 0; k < candidate.size(); ++k) where[candidate[k]] = static_cast<int>(k);
    const UpperPattern P = upper_pattern(A, where);
    const double operations_needed = cost(column_counts(P, elimination_tree(P))).operations;
    if (best >= 0 && operations_needed >= best) return;
    best = operations_needed, order = std::move(candidate), place = std::move(where),
    ordering = name;
  };
  double best = -1;
  {
    Eigen::AMDOrdering<int> amd;
    Eigen::PermutationMatrix<Eigen::Dynamic, Eigen::Dynamic, int> p;
    const EigenSparse copy = map(A);
    amd(copy, p);
    try_order({p.indices().data(), p.indices().data() + p.size()}, "minimum degree", best);
  }
  if (n > 20'000) try_order(nested_dissection(A), "nested dissection", best);

  // children before parents, so that the columns of a supernode stand together
  UpperPattern P = upper_pattern(A, place);
  const Ints post = postorder(elimination_tree(P));
  Ints renumbered(order.size());
  for (size_t k = 0; k < post.size(); ++k) renumbered[k] = order[post[k]];
  order = std::move(renumbered);
  for (size_t k = 0; k < order.size(); ++k) place[order[k]] = static_cast<int>(k);
  P = upper_pattern(A, place);
  const Ints parent = elimination_tree(P), count = column_counts(P, parent);
  node = supernodes(parent, count);

  Ints owner(static_cast<size_t>(n));
  for (size_t s = 0; s < node.size(); ++s)
    for (int j = 0; j < node[s].pivots; ++j) owner[node[s].first + j] = static_cast<int>(s);
  children.assign(node.size(), {});
  size_t panel = 0, rows = 0;
  for (size_t s = 0; s < node.size(); ++s) {
    Supernode& x = node[s];
    const int up = parent[x.first + x.pivots - 1];
    x.parent = up < 0 ? -1 : owner[up];
    if (x.parent >= 0) children[x.parent].push_back(static_cast<int>(s));
    x.row0 = rows, x.panel0 = panel;
    rows += static_cast<size_t>(x.rows);
    panel += static_cast<size_t>(x.rows) * static_cast<size_t>(x.pivots);
    for (int j = 0; j < x.pivots; ++j) operations += static_cast<double>(x.rows - j) * (x.rows - j);
  }
  // updates wait on a stack, those of children on top when their parent comes
  size_t top = 0;
  for (size_t s = 0; s < node.size(); ++s) {
    stack_peak = std::max(stack_peak, top + update_size(node[s]));
    for (const int c : children[s]) top -= update_size(node[c]);
    top += update_size(node[s]);
  }
  row.resize(rows);
  L.resize(panel);
  D.resize(n);
  number_rows(P);
}

/// The rows of each front: its pivots, then what its columns of A and its children reach.
void SparseLdlt::Parts::number_rows(const UpperPattern& P) {
  // rows below the diagonal by column: the transpose of P
  Ints start(static_cast<size_t>(n) + 1, 0), below(P.row.size());
  for (const int i : P.row) ++start[i + 1];
  for (size_t j = 0; j < static_cast<size_t>(n); ++j) start[j + 1] += start[j];
  Ints next(start.begin(), start.end() - 1);
  for (int j = 0; j < n; ++j)
    for (int k = P.start[j]; k < P.start[j + 1]; ++k) below[next[(P.row[k])]++] = j;
  Ints mark(static_cast<size_t>(n), -1);
  for (size_t s = 0; s < node.size(); ++s) {
    const Supernode& x = node[s];
    const int last = x.first + x.pivots;
    size_t at = x.row0;
    for (int j = x.first; j < last; ++j) row[at++] = j, mark[j] = static_cast<int>(s);
    const auto take = [&](int i) {
      if (i < last || mark[i] == static_cast<int>(s)) return;
      mark[i] = static_cast<int>(s);
      row[at++] = i;
    };
    for (int j = x.first; j < last; ++j)
      for (int k = start[j]; k < start[j + 1]; ++k) take(below[k]);
    for (const int c : children[s]) {
      const Supernode& child = node[c];
      for (int k = child.pivots; k < child.rows; ++k) take(row[child.row0 + k]);
    }
    std::sort(row.begin() + static_cast<long>(x.row0) + x.pivots,
              row.begin() + static_cast<long>(at));
  }
}

void SparseLdlt::Parts::factor(const SparseMatrix& A) {
  const FrontKernels& kernels = front_kernels();
  std::fill(L.begin(), L.end(), 0.0);
  std::vector<double> stack(stack_peak);
  std::vector<size_t> update0(node.size(), 0);
  size_t top = 0;
  Ints local(static_cast<size_t>(n));
  std::vector<double> work;
  double largest = 0;
  smallest = INFINITY, negative = 0, ok = true;
  for (size_t s = 0; s < node.size(); ++s) {
    const Supernode& x = node[s];
    const int rest = x.rows - x.pivots;
    const auto lead = static_cast<size_t>(x.rows), side = static_cast<size_t>(rest);
    double* panel = L.data() + x.panel0;
    for (int k = 0; k < x.rows; ++k) local[row[x.row0 + k]] = k;
    // entries of A in the pivots' columns, from the diagonal down
    for (int j = 0; j < x.pivots; ++j) {
      const auto col = static_cast<size_t>(order[x.first + j]);
      for (int k = A.start[col]; k < A.start[col + 1]; ++k) {
        const int i = place[A.index[k]];
        if (i < x.first + j) continue;
        panel[static_cast<size_t>(j) * lead + static_cast<size_t>(local[i])] += A.value[k];
        if (i == x.first + j) largest = std::max(largest, std::fabs(A.value[k]));
      }
    }
    // what the children lost
    double* U = stack.data() + top;
    std::fill_n(U, side * side, 0.0);
    size_t base = top;
    for (const int c : children[s]) {
      const Supernode& child = node[c];
      const auto m = static_cast<size_t>(child.rows - child.pivots);
      base -= m * m;
      const int* rows = row.data() + child.row0 + child.pivots;
      const double* V = stack.data() + update0[c];
      for (size_t q = 0; q < m; ++q) {
        const int b = local[rows[q]];
        double* to = b < x.pivots ? panel + static_cast<size_t>(b) * lead
                                  : U + static_cast<size_t>(b - x.pivots) * side - x.pivots;
        for (size_t p = q; p < m; ++p) to[local[rows[p]]] += V[q * m + p];
      }
    }
    work.resize(std::max(work.size(), lead * front_step));
    double* d = D.data() + x.first;
    if (!kernels.factor(panel, x.rows, x.pivots, d, U, work.data())) {
      ok = false, smallest = 0;
      return;
    }
    // in the place of the children's
    std::copy(U, U + side * side, stack.data() + base);
    update0[s] = base, top = base + side * side;
    for (int j = 0; j < x.pivots; ++j)
      negative += d[j] < 0, smallest = std::min(smallest, std::fabs(d[j]));
  }
  smallest = largest > 0 ? smallest / largest : 0;
}

SparseLdlt::SparseLdlt(const SparseMatrix& A) : parts_(std::make_unique<Parts>()) {
  parts_->analyse(A);
  parts_->factor(A);
}
SparseLdlt::~SparseLdlt() = default;
SparseLdlt::SparseLdlt(SparseLdlt&&) noexcept = default;
SparseLdlt& SparseLdlt::operator=(SparseLdlt&&) noexcept = default;

void SparseLdlt::refactor(const SparseMatrix& A) { parts_->factor(A); }
bool SparseLdlt::ok() const { return parts_->ok; }
int SparseLdlt::negative() const { return parts_->negative; }
double SparseLdlt::smallest() const { return parts_->smallest; }
long long SparseLdlt::entries() const { return static_cast<long long>(parts_->L.size()); }
double SparseLdlt::operations() const { return parts_->operations; }
const char* SparseLdlt::ordering() const { return parts_->ordering; }

void SparseLdlt::Parts::solve_four(double* Y, std::vector<double>& front) const {
  const FrontKernels& kernels = front_kernels();
  constexpr size_t m = 4;
  const auto gather = [&](const Supernode& x) {
    front.resize(static_cast<size_t>(x.rows) * m);
    for (size_t k = 0; k < static_cast<size_t>(x.rows); ++k)
      std::copy_n(Y + static_cast<size_t>(row[x.row0 + k]) * m, m, front.data() + k * m);
  };
  const auto scatter = [&](const Supernode& x, size_t rows) {
    for (size_t k = 0; k < rows; ++k)
      std::copy_n(front.data() + k * m, m, Y + static_cast<size_t>(row[x.row0 + k]) * m);
  };
  for (const Supernode& x : node) {
    gather(x);
    kernels.forward(L.data() + x.panel0, x.rows, x.pivots, front.data());
    scatter(x, static_cast<size_t>(x.rows));
  }
  for (size_t k = 0; k < static_cast<size_t>(n); ++k)
    for (size_t c = 0; c < m; ++c) Y[k * m + c] /= D[k];
  for (size_t s = node.size(); s-- > 0;) {
    const Supernode& x = node[s];
    gather(x);
    kernels.backward(L.data() + x.panel0, x.rows, x.pivots, front.data());
    scatter(x, static_cast<size_t>(x.pivots));
  }
}

void SparseLdlt::solve(double* X, int columns) const {
  const Parts& p = *parts_;
  const auto n = static_cast<size_t>(p.n);
  std::vector<double> Y(n * 4), front;
  for (int first = 0; first < columns; first += 4) {
    const auto some = static_cast<size_t>(std::min(4, columns - first));
    double* x = X + static_cast<size_t>(first) * n;
    for (size_t k = 0; k < n; ++k)
      for (size_t c = 0; c < 4; ++c)
        Y[k * 4 + c] = c < some ? x[c * n + static_cast<size_t>(p.order[k])] : 0;
    p.solve_four(Y.data(), front);
    for (size_t c = 0; c < some; ++c)
      for (size_t k = 0; k < n; ++k) x[c * n + static_cast<size_t>(p.order[k])] = Y[k * 4 + c];
  }
}

}  // namespace sarrus
