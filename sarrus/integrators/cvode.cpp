// CVODE of SUNDIALS: backward differentiation formulas of order 1 to 5, for stiff equations.
//
//   Σ αⱼ y_{n−j} + h β f(t_n, y_n) = 0      variable step and order, Newton with a dense Jacobian
//
// The past of a multistep method lives in one chart. The chart therefore stays while every position
// in it is below 1.5, so that a rotation vector stays below π; when the driver has moved it y is no
// longer what the last step returned, and the method starts anew with order 1.
// [Hindmarsh et al. 2005], docs/theory/integrators.md
#include <fmt/format.h>

#include "sarrus/integrators/methods.hpp"

#ifdef SARRUS_HAVE_CVODE
#include <cvode/cvode.h>
#include <cvode/cvode_proj.h>
#include <nvector/nvector_serial.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunmatrix/sunmatrix_dense.h>

#include <algorithm>
#include <cmath>
#include <exception>
#include <limits>
#include <new>
#include <utility>

#include "sarrus/integrators/error_scale.hpp"
#endif

namespace sarrus {

#ifdef SARRUS_HAVE_CVODE
namespace {

constexpr double chart_limit = 1.5;  // [rad or m], √3 times this is below π

/// Owner of a SUNDIALS object.
template <class T, class Free>
class Handle {
 public:
  explicit Handle(Free free) : free_(free) {}
  Handle(const Handle&) = delete;
  Handle& operator=(const Handle&) = delete;
  ~Handle() { reset(nullptr); }
  void reset(T object) {
    if (object_) free_(object_);
    object_ = object;
  }
  T get() const { return object_; }

 private:
  T object_ = nullptr;
  Free free_;
};

void require(bool done, const char* what) {
  if (!done) throw std::runtime_error(std::string("cvode: ") + what + " failed");
}

class Cvode final : public Integrator {
 public:
  explicit Cvode(const IntegratorOptions& options) : options_(options) {}

  std::string_view name() const override { return "cvode"; }
  int order() const override { return 5; }
  bool is_adaptive() const override { return true; }
  bool resumes_exactly() const override { return false; }

  void start(Ode& ode, double t, std::span<const double> y) override;
  StepResult step(Ode& ode, double t, double t_end, std::span<double> y) override;
  void interpolate(double theta, std::span<double> y) const override;
  std::span<double> end_derivative() override { return end_; }
  bool wants_rebase(std::span<const double> y) const override {
    return std::any_of(y.begin(), y.begin() + split_,
                       [](double q) { return std::fabs(q) > chart_limit; });
  }
  std::vector<double> memory() const override {
    return {scale_.memory().begin(), scale_.memory().end()};
  }
  void set_memory(std::span<const double> memory) override {
    require_memory(name(), scale_.memory().size(), memory.size());
    std::copy(memory.begin(), memory.end(), scale_.memory().begin());
    is_fresh_ = true;
  }

 private:
  static int derivative(realtype t, N_Vector y, N_Vector ydot, void* self);
  static int project(realtype t, N_Vector y, N_Vector correction, realtype epsilon, N_Vector error,
                     void* self);
  static int weights(N_Vector y, N_Vector weight, void* self);
  static void keep_message(int code, const char* module, const char* function, char* message,
                           void* self);

  void create(double t);
  void restart_where_moved(double t, std::span<const double> y);
  StepResult failed(int code, double t) const;
  std::span<double> values(N_Vector v) const { return {N_VGetArrayPointer(v), end_.size()}; }

  IntegratorOptions options_;
  std::ptrdiff_t split_ = 0;
  ErrorScale scale_;
  std::vector<double> last_, end_;  // y and ẏ where the last step ended
  double t0_ = 0, t1_ = 0;          // [s] of the last step
  bool is_fresh_ = true;            // no step since start() or a restart

  // where the derivative failed last, and in which entry
  double failed_at_ = std::numeric_limits<double>::quiet_NaN();
  int bad_entry_ = -1;

  // of the call under way
  Ode* ode_ = nullptr;
  int evaluations_ = 0;
  std::string reason_;         // of the formulation, where the derivative failed last
  std::string message_;        // of cvode
  std::exception_ptr thrown_;  // by the derivative

  // in this order: the context is freed last
  Handle<SUNContext, void (*)(SUNContext)> context_{[](SUNContext c) { SUNContext_Free(&c); }};
  Handle<N_Vector, void (*)(N_Vector)> y_{N_VDestroy};
  mutable Handle<N_Vector, void (*)(N_Vector)> work_{N_VDestroy};
  Handle<SUNMatrix, void (*)(SUNMatrix)> matrix_{SUNMatDestroy};
  Handle<SUNLinearSolver, void (*)(SUNLinearSolver)> solver_{
      [](SUNLinearSolver s) { SUNLinSolFree(s); }};
  Handle<void*, void (*)(void*)> cvode_{[](void* m) { CVodeFree(&m); }};
};

int Cvode::derivative(realtype t, N_Vector y, N_Vector ydot, void* self) {
  Cvode& c = *static_cast<Cvode*>(self);
  ++c.evaluations_;
  bool done = false;
  try {
    done = c.ode_->derivative(t, c.values(y), c.values(ydot));
  } catch (...) {  // must not pass through C
    c.thrown_ = std::current_exception();
    return -1;
  }
  const int bad = done ? first_not_finite(c.values(ydot)) : -1;
  if (done && bad < 0) return 0;
  c.failed_at_ = t;
  c.bad_entry_ = bad;
  c.reason_ = done ? "" : c.ode_->failure();
  return 1;  // positive: a smaller step may help
}

/// Constraints are kept inside the step, so that the past of the method stays on them too.
int Cvode::project(realtype t, N_Vector y, N_Vector correction, realtype, N_Vector, void* self) {
  Cvode& c = *static_cast<Cvode*>(self);
  const std::span<const double> now = c.values(y);
  const std::span<double> d = c.values(correction);
  std::copy(now.begin(), now.end(), d.begin());
  try {
    if (!c.ode_->project(t, d)) {
      c.reason_ = c.ode_->failure();
      return 1;  // positive: a smaller step may help
    }
  } catch (...) {
    c.thrown_ = std::current_exception();
    return -1;
  }
  for (size_t i = 0; i < d.size(); ++i) d[i] -= now[i];
  return 0;
}

int Cvode::weights(N_Vector y, N_Vector weight, void* self) {
  const Cvode& c = *static_cast<Cvode*>(self);
  const std::span<const double> now = c.values(y);
  const std::span<double> w = c.values(weight);
  for (size_t i = 0; i < w.size(); ++i) {
    const int k = static_cast<int>(i);
    // quadratures hardly count; zero is not allowed, since increments are divided by weights
    w[i] = k < c.scale_.controlled() ? 1 / c.scale_(k, c.last_[i], now[i]) : 1e-20;
  }
  return 0;
}

void Cvode::keep_message(int, const char*, const char*, char* message, void* self) {
  static_cast<Cvode*>(self)->message_ = message;
}

void Cvode::start(Ode& ode, double t, std::span<const double> y) {
  ode_ = &ode;
  split_ = ode.split();
  scale_.start(ode, options_.rtol, options_.atol, options_.units);
  last_.assign(y.begin(), y.end());
  end_.assign(y.size(), 0);
  create(t);
}

void Cvode::create(double t) {
  const sunindextype n = static_cast<sunindextype>(last_.size());
  cvode_.reset(nullptr);  // before what it refers to
  solver_.reset(nullptr);
  matrix_.reset(nullptr);
  y_.reset(nullptr);
  work_.reset(nullptr);
  SUNContext context = nullptr;
  require(SUNContext_Create(nullptr, &context) == 0, "SUNContext_Create");
  context_.reset(context);
  y_.reset(N_VNew_Serial(n, context));
  work_.reset(N_VNew_Serial(n, context));
  matrix_.reset(SUNDenseMatrix(n, n, context));
  if (!y_.get() || !work_.get() || !matrix_.get()) throw std::bad_alloc();
  std::copy(last_.begin(), last_.end(), values(y_.get()).begin());
  solver_.reset(SUNLinSol_Dense(y_.get(), matrix_.get(), context));
  cvode_.reset(CVodeCreate(CV_BDF, context));
  if (!solver_.get() || !cvode_.get()) throw std::bad_alloc();

  void* m = cvode_.get();
  require(CVodeSetErrHandlerFn(m, keep_message, this) == CV_SUCCESS, "CVodeSetErrHandlerFn");
  require(CVodeInit(m, derivative, t, y_.get()) == CV_SUCCESS, "CVodeInit");
  require(CVodeSetUserData(m, this) == CV_SUCCESS, "CVodeSetUserData");
  require(CVodeWFtolerances(m, weights) == CV_SUCCESS, "CVodeWFtolerances");
  require(CVodeSetLinearSolver(m, solver_.get(), matrix_.get()) == CVLS_SUCCESS,
          "CVodeSetLinearSolver");
  require(CVodeSetMaxNumSteps(m, 100000) == CV_SUCCESS, "CVodeSetMaxNumSteps");
  require(CVodeSetMaxHnilWarns(m, -1) == CV_SUCCESS, "CVodeSetMaxHnilWarns");
  if (ode_->is_constrained()) {
    require(CVodeSetProjFn(m, project) == CV_SUCCESS, "CVodeSetProjFn");
    require(CVodeSetProjErrEst(m, SUNFALSE) == CV_SUCCESS, "CVodeSetProjErrEst");
  }
  if (options_.max_step > 0 && std::isfinite(options_.max_step))
    require(CVodeSetMaxStep(m, options_.max_step) == CV_SUCCESS, "CVodeSetMaxStep");
  if (options_.step > 0)
    require(CVodeSetInitStep(m, options_.step) == CV_SUCCESS, "CVodeSetInitStep");
  t0_ = t1_ = t;
  is_fresh_ = true;
}

/// The past is good as long as time and state go on where the last step ended.
void Cvode::restart_where_moved(double t, std::span<const double> y) {
  const bool is_same_time = std::fabs(t - t1_) <= smallest_step(t);
  if (is_same_time && std::equal(y.begin(), y.end(), last_.begin())) return;
  std::copy(y.begin(), y.end(), last_.begin());
  std::copy(y.begin(), y.end(), values(y_.get()).begin());
  require(CVodeReInit(cvode_.get(), t, y_.get()) == CV_SUCCESS, "CVodeReInit");
  t1_ = t;
  is_fresh_ = true;
}

StepResult Cvode::step(Ode& ode, double t, double t_end, std::span<double> y) {
  require_forward(t, t_end);
  ode_ = &ode;
  evaluations_ = 0;
  message_.clear();
  restart_where_moved(t, y);

  long fails_before = 0, fails = 0, iterations_before = 0, iterations = 0;
  void* m = cvode_.get();
  CVodeGetNumErrTestFails(m, &fails_before);
  CVodeGetNumNonlinSolvIters(m, &iterations_before);
  if (is_fresh_) fails_before = iterations_before = 0;

  double reached = t1_;
  int code = CVodeSetStopTime(m, t_end);
  if (code == CV_SUCCESS) code = CVode(m, t_end, y_.get(), &reached, CV_ONE_STEP);
  if (code >= 0 && reached - t < smallest_step(t) && reached < t_end) code = CV_ERR_FAILURE;
  if (thrown_) std::rethrow_exception(std::exchange(thrown_, nullptr));
  if (code < 0) {
    t1_ = std::numeric_limits<double>::quiet_NaN();  // another try starts anew
    return failed(code, t);
  }

  CVodeGetNumErrTestFails(m, &fails);
  CVodeGetNumNonlinSolvIters(m, &iterations);
  CVodeGetDky(m, reached, 1, work_.get());
  const std::span<const double> now = values(y_.get()), rate = values(work_.get());
  scale_.accept(last_, now);
  std::copy(rate.begin(), rate.end(), end_.begin());
  std::copy(now.begin(), now.end(), last_.begin());
  std::copy(now.begin(), now.end(), y.begin());
  t0_ = t, t1_ = reached;
  is_fresh_ = false;
  StepResult result;
  result.h = reached >= t_end ? t_end - t : reached - t;
  result.evaluations = evaluations_;
  result.rejected = static_cast<int>(fails - fails_before);
  result.iterations = static_cast<int>(iterations - iterations_before);
  return result;
}

StepResult Cvode::failed(int code, double t) const {
  StepResult result;
  result.evaluations = evaluations_;
  CVodeGetCurrentStep(cvode_.get(), &result.smallest_h);
  const bool is_derivative = code == CV_FIRST_RHSFUNC_ERR || code == CV_REPTD_RHSFUNC_ERR ||
                             code == CV_UNREC_RHSFUNC_ERR || code == CV_RHSFUNC_FAIL;
  // steps that shrink towards a time where the derivative fails end for that reason
  if (is_derivative || std::fabs(failed_at_ - t) <= 1e4 * smallest_step(t)) {
    result.status = StepStatus::not_finite;
    result.worst = bad_entry_;
    result.message = reason_;
    return result;
  }
  result.status = code == CV_CONV_FAILURE || code == CV_LSETUP_FAIL || code == CV_LSOLVE_FAIL
                      ? StepStatus::not_converged
                      : StepStatus::step_too_small;
  result.message = message_.empty() ? fmt::format("cvode returns {} at t = {}", code, t) : message_;

  // the entry that the error estimate and its weight make the largest
  if (CVodeGetEstLocalErrors(cvode_.get(), work_.get()) != CV_SUCCESS) return result;
  const std::span<const double> e = values(work_.get());
  double largest = -1;
  for (int i = 0; i < scale_.controlled(); ++i) {
    const size_t k = static_cast<size_t>(i);
    const double size = std::fabs(e[k]) / scale_(i, last_[k], last_[k]);
    if (size > largest) largest = size, result.worst = i;
  }
  return result;
}

void Cvode::interpolate(double theta, std::span<double> y) const {
  const double t = theta >= 1 ? t1_ : std::clamp(t0_ + theta * (t1_ - t0_), t0_, t1_);
  std::span<const double> found = last_;
  if (theta < 1 && CVodeGetDky(cvode_.get(), t, 0, work_.get()) == CV_SUCCESS)
    found = values(work_.get());
  std::copy(found.begin(), found.end(), y.begin());
}

}  // namespace

bool has_cvode() { return true; }

std::unique_ptr<Integrator> make_cvode(const IntegratorOptions& options) {
  return std::make_unique<Cvode>(options);
}

#else

bool has_cvode() { return false; }

std::unique_ptr<Integrator> make_cvode(const IntegratorOptions&) {
  throw Error(Fault::usage,
              {.severity = Severity::error,
               .code = "not-built",
               .element = "integrator",
               .message = "the integrator cvode is not part of this build",
               .hint = "install SUNDIALS and configure with -DSARRUS_CVODE=ON, or use dop853",
               .value = "cvode"});
}

#endif

}  // namespace sarrus
