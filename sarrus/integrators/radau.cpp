#include "sarrus/integrators/radau.hpp"

#include <algorithm>
#include <cmath>

#include "sarrus/integrators/difference_jacobian.hpp"
#include "sarrus/integrators/methods.hpp"

namespace sarrus {

using Complex = std::complex<double>;
constexpr int most_stages = 5;

/// An eigenvalue of A⁻¹ with its vectors: columns of T, rows of T⁻¹.
struct RadauMode {
  Complex lambda;
  std::array<Complex, most_stages> t, inverse;
};

struct RadauTableau {
  int stages;
  std::array<double, most_stages> c;
  std::array<std::array<double, most_stages>, most_stages> a;
  std::array<double, most_stages> e;
  RadauMode real;
  int pairs;  // of conjugate modes
  std::array<RadauMode, 2> mode;
};

namespace {

// All numbers follow from the nodes, the zeros of P_s − P_{s−1} moved to [0, 1]; computed with 50
// digits.
const RadauTableau three = {
    .stages = 3,
    .c = {0.15505102572168219018, 0.64494897427831780982, 1},
    .a = {{{0.19681547722366042587, -0.065535425850198388109, 0.02377097434822015242},
           {0.394424314739087277, 0.29207341166522846302, -0.041548752125997930198},
           {0.37640306270046727505, 0.51248582618842161384, 1 / 9.}}},
    .e = {-2.7623054547485993983, 0.37993559825272887787, -0.091629609865225789249},
    .real = {3.6378342527444957322,
             {0.094438762488975241487, 0.25021312296533331138, 1},
             {4.1787185915519047273, 0.32768282076106238708, 0.52337644549944954804}},
    .pairs = 1,
    .mode = {{{{2.6810828736277521339, 3.0504301992474105694},
               {{{-0.14125529502095420843, 0.030029194105147424492},
                 {0.204129352293799932, -0.3829421127572619378},
                 {1, 0}}},
               {{{-2.0893592957759523637, -0.25143631747289343798},
                 {-0.16384141038053119354, 1.2859634749278027146},
                 {0.23831177725027522598, -0.29801960241411246248}}}},
              {}}}};

const RadauTableau five = {
    .stages = 5,
    .c = {0.057104196114517682193, 0.27684301363812382768, 0.58359043236891682006,
          0.86024013565621944785, 1},
    .a = {{{0.072998864317903324306, -0.026735331107945571878, 0.018676929763984354412,
            -0.012879106093306439854, 0.0050428392338820152067},
           {0.15377523147918246867, 0.14621486784749350665, -0.036444568905128089527,
            0.021233063119304719422, -0.0079355799027287775326},
           {0.14006304568480987151, 0.2989671294912834794, 0.16758507013524896344,
            -0.033969101686617746572, 0.010944288744192252274},
           {0.14489430810953475754, 0.27650006876015922756, 0.32579792291042102998,
            0.12875675325490976116, -0.015708917378805328388},
           {0.14371356079122594132, 0.28135601514946206019, 0.31182652297574125408,
            0.2231039010835707444, 0.04}}},
    .e = {-4.4189977167963817226, 0.57923485225667005447, -0.19923756095346800874,
          0.094167483691945488975, -0.031813168885493824096},
    .real = {6.2867047517292766452,
             {0.013576867344947943248, 0.0016179004017190874764, 0.079157853347447207645,
              0.41225608268046145198, 1},
             {27.697693775684088409, 12.783337911304406015, 3.2084893867134298598,
              -0.95149041224891622127, 0.74155049602598960335}},
    .pairs = 2,
    .mode = {{{{3.6556943254635722582, 6.543736899360077294},
               {{{-0.01024204781790882707, -0.047673877290295723863},
                 {0.050172864517371058163, 0.094331819181611436981},
                 {-0.23053953404341794672, -0.10270304538012589979},
                 {0.37789390224886124954, -0.46674413033249435929},
                 {1, 0}}},
               {{{2.6720932189174557994, 1.87402990371990243},
                 {2.2968077838795805022, -1.9924828681719423336},
                 {-1.5181801617297121493, -0.52220782080400939647},
                 {0.52533009511572943193, 0.59204928406897424362},
                 {-0.13638930593214813527, -0.22495888507839018445}}}},
              {{5.7009532986717894192, 3.2102656003085498884},
               {{{-0.011478515255229514708, 0.014019858892875410281},
                 {-0.0076688307491801628852, -0.024708578426518526813},
                 {0.019398463998828950911, -0.081800353703751170836},
                 {0.40760117128019906662, -0.19968242788680252594},
                 {1, 0}}},
               {{{-16.520940106759500004, -4.3057219899376459889},
                 {-8.6884767395317835097, 4.8499957047644041157},
                 {-0.086064531627002780576, 0.95736431984843714243},
                 {-0.049584888991271321294, 1.2093460030424700132},
                 {0.26561405791915333359, -0.52373174396766870935}}}}}}};

constexpr double few_digits = 1e-5;  // rtol from which three stages serve better than five

constexpr double safety = 0.9, fac_min = 0.125, fac_max = 8;
constexpr double keeps_factors = 1.2;  // a longer step by less than this is not worth new ones
constexpr double smallest_old_error = 1e-2;  // one lucky step must not blow up the next
// of the tolerance: the last change in (1). It is that small, and not only what it leaves, since
// quadratures see f before it, and the power of a stiff drive multiplies it by the stiffness
constexpr double solved = 0.02;
constexpr int max_iterations = 12;  // of (2)
constexpr int max_cuts = 40;        // of steps in which (2) finds nothing
constexpr double unusable = 0.25;   // of h, where (2) finds nothing
constexpr int few_iterations = 2;   // of a step whose J is good

// Factors in evaluations of f, which take a time of about n: measured on a chain of ten bodies. Where
// evaluations take longer, as those of elastic bodies do, factors cost less than this.
constexpr double factors_per_square = 0.008, solution_per_entry = 0.03;

}  // namespace

Radau::Radau(const IntegratorOptions& options)
    : tableau_(options.rtol > few_digits ? three : five), options_(options) {
  constexpr int samples = 1000;
  for (int k = 0; k <= samples; ++k) {
    const double theta = static_cast<double>(k) / samples;
    double product = theta;
    for (size_t i = 0; i < static_cast<size_t>(tableau_.stages); ++i)
      product *= theta - tableau_.c[i];
    widest_ = std::max(widest_, std::fabs(product));
  }
}

int Radau::order() const { return 2 * tableau_.stages - 1; }

void Radau::start(Ode& ode, double, std::span<const double>) {
  n_ = static_cast<size_t>(ode.size());
  active_ = n_ - static_cast<size_t>(ode.quadratures());
  split_ = static_cast<size_t>(ode.split());
  for (std::vector<double>* v : {&end_, &y0_, &y1_, &at_, &f_}) v->assign(n_, 0);
  const size_t s = static_cast<size_t>(tableau_.stages);
  for (std::vector<double>* v : {&past_, &Z_, &F_, &change_}) v->assign(s * n_, 0);
  const auto size = static_cast<Eigen::Index>(active_);
  J_.setZero(size, size), matrix_.resize(size, size), complex_matrix_.resize(size, size);
  right_.resize(size), solution_.resize(size);
  complex_right_.assign(2, Eigen::VectorXcd(size)), complex_solution_ = complex_right_;
  scale_.start(ode, options_.rtol, options_.atol, options_.units);
  has_end_ = has_J_ = false;
  factored_h_ = past_h_ = past_error_ = 0;
  h_ = options_.step;
}

void Radau::take_over(double h, std::span<const double> travel, std::span<const double> end) {
  h_ = h;
  std::copy(travel.begin(), travel.end(), scale_.memory().begin());
  std::copy(end.begin(), end.end(), end_.begin());
  has_end_ = true;
}

StepResult Radau::step(Ode& ode, double t, double t_end, std::span<double> y) {
  require_forward(t, t_end);
  StepResult result;
  linear_work_ = 0;
  std::copy(y.begin(), y.end(), y0_.begin());
  if (!has_end_ && !evaluate(ode, t, y0_, end_, result)) return failed(ode, result);
  has_end_ = true;
  if (h_ <= 0) h_ = first_step(t_end - t);

  fresh_J_ = false;
  const double rest = t_end - t;
  const double wanted = options_.max_step > 0 ? std::min(h_, options_.max_step) : h_;
  bool is_last = 1.01 * wanted >= rest;  // no sliver is left before t_end
  double h = is_last ? rest : wanted;
  for (int cuts = 0;;) {
    const bool found = prepare(ode, t, h, result) && solve(ode, t, h, result) == Solved::yes;
    if (!found && has_J_ && !fresh_J_) {
      has_J_ = false;  // an old one may be to blame
      continue;
    }
    const bool again = past_h_ == 0 || result.rejected > 0;
    const double error = found ? estimate(ode, t, h, again, result) : 0;
    if (found && error <= 1) {
      const double next = next_step(h, error, result.rejected > 0);
      h_ = is_last ? std::max(next, wanted) : next;
      break;
    }
    ++result.rejected;
    is_last = false;
    result.smallest_h = h;
    h *= found ? std::max(fac_min, safety * std::pow(error, -1.0 / (tableau_.stages + 1)))
               : unusable;
    if (!found && (++cuts > max_cuts || h < smallest_step(t))) return failed(ode, result);
    if (h < smallest_step(t)) {
      result.status = StepStatus::step_too_small;
      return result;
    }
  }
  if (!finish(ode, t, h, result)) return failed(ode, result);
  std::copy(y1_.begin(), y1_.end(), y.begin());
  result.worst = -1;
  result.smallest_h = 0;
  result.h = h;
  return result;
}

bool Radau::evaluate(Ode& ode, double t, std::span<const double> y, std::span<double> ydot,
                     StepResult& result) {
  ++result.evaluations;
  const bool done = ode.derivative(t, y, ydot);
  result.worst = done ? first_not_finite(ydot) : -1;
  return done && result.worst < 0;
}

StepResult Radau::failed(const Ode& ode, StepResult& result) const {
  result.status = diverged_ ? StepStatus::not_converged : StepStatus::not_finite;
  result.message = ode.failure();
  return result;
}

double Radau::norm(std::span<const double> v, std::span<const double> y, int* worst) const {
  double sum = 0, largest = -1;
  for (size_t i = 0; i < active_; ++i) {
    const double x = std::fabs(v[i]) / scale_(static_cast<int>(i), y0_[i], y[i]);
    sum += x * x;
    if (worst && x > largest) largest = x, *worst = static_cast<int>(i);
  }
  return std::sqrt(sum / static_cast<double>(std::max<size_t>(active_, 1)));
}

/// Explicit Euler would change y by a hundredth of its size.
double Radau::first_step(double limit) const {
  const double d0 = norm(y0_, y0_), d1 = norm(end_, y0_);
  const double h = d0 < 1e-5 || d1 < 1e-5 ? 1e-6 : 0.01 * d0 / d1;
  return std::min({h, limit, longest_first_step(options_)});
}

/// J and the factors of (2) for this step.
bool Radau::prepare(Ode& ode, double t, double h, StepResult& result) {
  if (!has_J_) {
    const auto at_t = [&](std::span<const double> y, std::span<double> ydot) {
      return evaluate(ode, t, y, ydot, result);
    };
    diverged_ = false;
    has_J_ = fresh_J_ = difference_jacobian(y0_, end_, split_, at_t, at_, f_, J_);
    factored_h_ = 0;
    if (!has_J_) return false;
  }
  if (h == factored_h_) return true;
  factor(h);
  const auto n = static_cast<double>(active_);
  linear_work_ += factors_per_square * n * n;
  return true;
}

void Radau::factor(double h) {
  matrix_ = -J_;
  matrix_.diagonal().array() += tableau_.real.lambda.real() / h;
  lu_.compute(matrix_);
  for (size_t k = 0; k < static_cast<size_t>(tableau_.pairs); ++k) {
    complex_matrix_ = -J_.cast<Complex>();
    complex_matrix_.diagonal().array() += tableau_.mode[k].lambda / h;
    complex_lu_[k].compute(complex_matrix_);
  }
  factored_h_ = h;
}

/// Where the last step's polynomial goes on; an old chart is near enough.
void Radau::guess(double h) {
  std::fill(Z_.begin(), Z_.end(), 0.0);
  if (past_h_ == 0) return;
  polynomial(1, f_);
  for (int i = 0; i < tableau_.stages; ++i) {
    const std::span<double> Z = stage(Z_, i);
    polynomial(1 + tableau_.c[static_cast<size_t>(i)] * h / past_h_, Z);
    for (size_t m = 0; m < active_; ++m) Z[m] -= f_[m];
  }
}

/// (1) by (2).
Radau::Solved Radau::solve(Ode& ode, double t, double h, StepResult& result) {
  const int s = tableau_.stages;
  guess(h);
  std::copy(y0_.begin(), y0_.end(), at_.begin());
  diverged_ = false;
  double before = 0;
  for (int k = 1;; ++k) {
    for (int i = 0; i < s; ++i) {
      const std::span<const double> Z = stage(Z_, i);
      for (size_t m = 0; m < active_; ++m) at_[m] = y0_[m] + Z[m];
      if (!evaluate(ode, t + tableau_.c[static_cast<size_t>(i)] * h, at_, stage(F_, i), result))
        return Solved::not_finite;
    }
    correct(h);
    ++result.iterations;
    iterations_ = k;
    double sum = 0, largest = 0;
    for (int i = 0; i < s; ++i) {
      const std::span<double> Z = stage(Z_, i);
      const std::span<const double> change = stage(change_, i);
      for (size_t m = 0; m < active_; ++m) {
        Z[m] += change[m];
        largest = std::max(largest, std::fabs(change[m]));
      }
      const double x = norm(change, y0_);
      sum += x * x;
    }
    const double size = std::sqrt(sum / s);
    const double contraction = k > 1 && before > 0 ? size / before : 0;
    diverged_ = !std::isfinite(size) || contraction >= 1;
    if (diverged_) return Solved::no;
    const bool is_small = options_.tolerance == 0 || largest <= options_.tolerance;
    if (size == 0 || (is_small && size <= solved)) return Solved::yes;
    diverged_ = k == max_iterations;
    if (diverged_) return Solved::no;
    before = size;
  }
}

/// (2): the change of Z from F and Z.
void Radau::correct(double h) {
  const auto s = static_cast<size_t>(tableau_.stages);
  const auto pairs = static_cast<size_t>(tableau_.pairs);
  const RadauMode& real = tableau_.real;
  for (size_t m = 0; m < active_; ++m) {
    const auto row = static_cast<Eigen::Index>(m);
    double r = 0;
    std::array<Complex, 2> rc = {};
    for (size_t i = 0; i < s; ++i) {
      const double F = F_[i * n_ + m], Z = Z_[i * n_ + m] / h;
      r += real.inverse[i].real() * (F - real.lambda.real() * Z);
      for (size_t k = 0; k < pairs; ++k)
        rc[k] += tableau_.mode[k].inverse[i] * (F - tableau_.mode[k].lambda * Z);
    }
    right_[row] = r;
    for (size_t k = 0; k < pairs; ++k) complex_right_[k][row] = rc[k];
  }
  lu_.solve(right_, solution_);
  for (size_t k = 0; k < pairs; ++k) complex_lu_[k].solve(complex_right_[k], complex_solution_[k]);
  linear_work_ += solution_per_entry * static_cast<double>(active_);
  for (size_t i = 0; i < s; ++i)
    for (size_t m = 0; m < active_; ++m) {
      const auto row = static_cast<Eigen::Index>(m);
      double x = real.t[i].real() * solution_[row];
      for (size_t k = 0; k < pairs; ++k)
        x += 2 * (tableau_.mode[k].t[i] * complex_solution_[k][row]).real();
      change_[i * n_ + m] = x;
    }
}

/// (3), and once more from y₀ + e where a first or repeated step would be refused: a fast decay that
/// has just begun makes e too large.
double Radau::estimate(Ode& ode, double t, double h, bool again, StepResult& result) {
  const double lambda = tableau_.real.lambda.real();
  for (size_t m = 0; m < active_; ++m) y1_[m] = y0_[m] + stage(Z_, tableau_.stages - 1)[m];
  const auto filtered = [&](std::span<const double> f0) {
    for (size_t m = 0; m < active_; ++m) {
      double x = 0;
      for (size_t i = 0; i < static_cast<size_t>(tableau_.stages); ++i)
        x += tableau_.e[i] * Z_[i * n_ + m];
      right_[static_cast<Eigen::Index>(m)] = f0[m] + lambda / h * x;
    }
    lu_.solve(right_, solution_);
    return norm({solution_.data(), active_}, y1_, &result.worst);
  };
  const double inside = interior_error(h);
  const double error = std::max(inside, filtered(end_));
  if (error <= 1 || inside > 1 || !again) return error;
  std::copy(y0_.begin(), y0_.end(), at_.begin());
  for (size_t m = 0; m < active_; ++m) at_[m] += solution_[static_cast<Eigen::Index>(m)];
  if (!evaluate(ode, t, at_, f_, result)) return error;
  return std::max(inside, filtered(f_));
}

/// (4): the divided difference that the polynomial lacks, from its last one and that of the step
/// before. Stiff parts are accurate at the end of a step however long it is, and (3) sees no more.
double Radau::interior_error(double h) {
  if (past_h_ == 0) return 0;
  divide_differences(active_);
  const int s = tableau_.stages;
  const std::span<const double> now = stage(change_, s - 1), before = stage(past_, s - 1);
  const double ratio = h / past_h_, distance = 0.5 * (1 + 1 / ratio);
  for (size_t m = 0; m < active_; ++m)
    f_[m] = widest_ * (now[m] - std::pow(ratio, s) * before[m]) / (distance * (s + 1));
  return norm(f_, y1_);
}

/// Of Z over 0, c₁ … c_s, where Z is 0 at 0, into change_.
void Radau::divide_differences(size_t entries) {
  const auto s = static_cast<size_t>(tableau_.stages);
  change_ = Z_;
  for (size_t level = 0; level < s; ++level)
    for (size_t i = s; i-- > level;) {
      const double width = tableau_.c[i] - (i > level ? tableau_.c[i - level - 1] : 0.0);
      for (size_t m = 0; m < entries; ++m)
        change_[i * n_ + m] =
            (change_[i * n_ + m] - (i > 0 ? change_[(i - 1) * n_ + m] : 0.0)) / width;
    }
}

/// From the error of this step, and from how it changed since the last one (Gustafsson).
double Radau::next_step(double h, double error, bool was_rejected) {
  const double q = 1.0 / (tableau_.stages + 1);
  const double work = (1.0 + 2 * max_iterations) / (iterations_ + 2 * max_iterations);
  double factor = error > 0 ? safety * work * std::pow(error, -q) : fac_max;
  if (past_h_ > 0 && past_error_ > 0 && error > 0)
    factor = std::min(factor, safety * h / past_h_ * std::pow(past_error_ / (error * error), q));
  factor = std::clamp(factor, fac_min, was_rejected ? 1.0 : fac_max);
  past_error_ = std::max(error, smallest_old_error);

  // what slow iterations cost, in this step and the next, against a new J
  const auto n = static_cast<double>(active_);
  const double slow = 2 * tableau_.stages * std::max(0, iterations_ - few_iterations);
  if (!fresh_J_ && slow > n + factors_per_square * n * n) has_J_ = false;
  return has_J_ && factor >= 1 && factor <= keeps_factors ? h : h * factor;
}

bool Radau::finish(Ode& ode, double t, double h, StepResult& result) {
  const auto s = static_cast<size_t>(tableau_.stages);
  for (size_t i = 0; i < s; ++i)
    for (size_t m = active_; m < n_; ++m) {
      double x = 0;
      for (size_t j = 0; j < s; ++j) x += tableau_.a[i][j] * F_[j * n_ + m];
      Z_[i * n_ + m] = h * x;
    }
  const std::span<const double> last = stage(Z_, tableau_.stages - 1);
  for (size_t m = 0; m < n_; ++m) y1_[m] = y0_[m] + last[m];
  if (!evaluate(ode, t + h, y1_, end_, result)) return has_end_ = false;

  divide_differences(n_);
  std::swap(past_, change_);
  past_h_ = h;
  scale_.accept(y0_, y1_);
  return true;
}

/// Z at theta by Newton's form: θ (d₁ + (θ − c₁) (d₂ + …)).
void Radau::polynomial(double theta, std::span<double> z) const {
  for (size_t m = 0; m < z.size(); ++m) z[m] = 0;
  for (int i = tableau_.stages - 1; i >= 0; --i) {
    const std::span<const double> d = stage(past_, i);
    const double x = theta - (i > 0 ? tableau_.c[static_cast<size_t>(i - 1)] : 0.0);
    for (size_t m = 0; m < z.size(); ++m) z[m] = x * (d[m] + z[m]);
  }
}

void Radau::interpolate(double theta, std::span<double> y) const {
  if (theta >= 1) {  // the end itself, to the last bit
    std::copy(y1_.begin(), y1_.end(), y.begin());
    return;
  }
  polynomial(theta, y);
  for (size_t m = 0; m < n_; ++m) y[m] += y0_[m];
}

Radau::Fastest Radau::fastest() const {
  if (active_ == 0) return {};
  // |J^2k v| / |J^k v|: the mean over steps tames vibrations, whose pairs turn in v
  constexpr int warm = 8, counted = 16;
  Eigen::VectorXd v = Eigen::VectorXd::Ones(static_cast<Eigen::Index>(active_));
  for (Eigen::Index i = 0; i < v.size(); ++i) v[i] += 0.5 * std::sin(static_cast<double>(3 * i));
  double sum = 0;
  for (int k = 0; k < warm + counted; ++k) {
    v = (J_ * v).eval();
    const double size = v.norm();
    if (!(size > 0) || !std::isfinite(size)) return {};
    if (k >= warm) sum += std::log(size);
    v /= size;
  }
  Eigen::Index entry = 0;
  v.cwiseAbs().maxCoeff(&entry);
  return {std::exp(sum / counted), static_cast<int>(entry)};
}

std::vector<double> Radau::memory() const {
  std::vector<double> memory = {has_end_ ? 1.0 : 0.0, has_J_ ? 1.0 : 0.0, h_, past_h_,
                                past_error_,          factored_h_};
  for (const std::span<const double> part :
       {scale_.memory(), std::span<const double>(end_), std::span<const double>(past_),
        std::span<const double>(J_.data(), static_cast<size_t>(J_.size()))})
    memory.insert(memory.end(), part.begin(), part.end());
  return memory;
}

void Radau::set_memory(std::span<const double> memory) {
  constexpr size_t scalars = 6;
  const std::array<std::span<double>, 4> parts = {
      scale_.memory(), end_, past_, {J_.data(), static_cast<size_t>(J_.size())}};
  size_t expected = scalars;
  for (const std::span<double> part : parts) expected += part.size();
  require_memory(name(), expected, memory.size());
  has_end_ = memory[0] != 0, has_J_ = memory[1] != 0, h_ = memory[2];
  past_h_ = memory[3], past_error_ = memory[4];
  auto from = memory.begin() + scalars;
  for (const std::span<double> part : parts) {
    std::copy_n(from, part.size(), part.begin());
    from += static_cast<std::ptrdiff_t>(part.size());
  }
  factored_h_ = 0;
  if (memory[5] > 0) factor(memory[5]);
}

std::unique_ptr<Integrator> make_radau(const IntegratorOptions& options) {
  return std::make_unique<Radau>(options);
}

}  // namespace sarrus
