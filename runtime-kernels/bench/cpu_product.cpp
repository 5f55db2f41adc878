// Matrix products, square.

#include <cmath>

#include "runtime-kernels/bench/cpu.h"

#if defined(CPNLINT_BLAS)
extern "C" void dgemm_(const char*, const char*, const int*, const int*, const int*, const double*, const double*,
                       const int*, const double*, const int*, const double*, double*, const int*);
extern "C" void sgemm_(const char*, const char*, const int*, const int*, const int*, const float*, const float*,
                       const int*, const float*, const int*, const float*, float*, const int*);
#endif

namespace cpnlint::kernels {
namespace {

template <class T>
using Product = void (*)(std::size_t n, const T* a, const T* b, T* c);

template <class T>
void Own(std::size_t n, const T* a, const T* b, T* c) {
  std::fill(c, c + n * n, T(0));
  MultiplyAdd<T>(n, n, n, T(1), a, n, b, n, false, c, n);
}

#if defined(CPNLINT_BLAS)
// BLAS counts by columns, so B A of it is A B of ours.
template <class T>
void Library(std::size_t n, const T* a, const T* b, T* c) {
  const int order = static_cast<int>(n);
  const T one = 1, zero = 0;
  if constexpr (sizeof(T) == sizeof(double)) {
    dgemm_("N", "N", &order, &order, &order, &one, b, &order, a, &order, &zero, c, &order);
  } else {
    sgemm_("N", "N", &order, &order, &order, &one, b, &order, a, &order, &zero, c, &order);
  }
}
#endif

template <class T>
Case MakeProduct(std::size_t n, Product<T> product) {
  const auto a = RandomArray<T>(n * n, 1);
  const auto b = RandomArray<T>(n * n, 2);
  const auto c = std::make_shared<Array<T>>(n * n);
  const double order = static_cast<double>(n);
  Case one = TimedCase(2 * order * order * order, [=] { product(n, a->data(), b->data(), c->data()); });
  one.correct = [=] {
    for (const std::size_t at : {std::size_t{0}, n * n / 2, n * n - 1}) {
      double sum = 0;
      for (std::size_t p = 0; p < n; ++p) {
        sum += static_cast<double>((*a)[at / n * n + p]) * static_cast<double>((*b)[p * n + at % n]);
      }
      if (std::abs(static_cast<double>((*c)[at]) - sum) > (sizeof(T) == 8 ? 1e-10 : 1e-4) * sum) return false;
    }
    return true;
  };
  return one;
}

struct Fitted {
  TwoTerms terms;
  std::vector<SweepPoint> points;
  std::string method;
};

// t = 2 n^3 / rate + 2 n^2 half / rate: at n = half a product runs at half its rate.
template <class T>
Fitted Fit(Session& session, const char* name, Product<T> product, std::string method, double seconds) {
  std::vector<std::size_t> sizes = {48, 64, 96, 128, 192, 256, 384, 512};
  if (session.effort() != Effort::kQuick) sizes.insert(sizes.end(), {768, 1024});
  if (session.effort() == Effort::kFull) sizes.insert(sizes.end(), {1536, 2048});
  Fitted fitted;
  fitted.points = session.Sweep(
      name, sizes, [&](std::size_t n) { return MakeProduct<T>(n, product); }, seconds);
  std::vector<TwoTermPoint> rows;
  for (const SweepPoint& point : fitted.points) {
    const double n = static_cast<double>(point.size);
    rows.push_back({2 * n * n, point.amount, point.timing.median, (point.timing.high - point.timing.low) / 4});
  }
  fitted.terms = FitTwoTerms(rows);
  fitted.method = "square products of order 48 to " + std::to_string(sizes.back()) + ", " + method + ", one thread";
  return fitted;
}

template <class T>
Fitted Best(Session& session, const char* name, double seconds) {
  Fitted own = Fit<T>(session, name, &Own<T>, "own blocked kernel", seconds);
#if defined(CPNLINT_BLAS)
  Fitted library = Fit<T>(session, name, &Library<T>, "BLAS", seconds);
  if (library.terms.good && library.terms.rate.value > own.terms.rate.value) return library;
#endif
  return own;
}

}  // namespace

void BenchCpuProduct(Session& session) {
  const Fitted twice = Best<double>(session, "product float64", session.seconds() / 2);
  session.Draw(RateCurve("matrix product, float64", "order", "flop/s", twice.points));
  if (twice.terms.good) {
    session.Report(cost::Parameter::kProductRate64, twice.terms.rate, SamplesOf(twice.points), twice.method);
    const double rate = twice.terms.rate.value;
    session.Report(
        cost::Parameter::kProductHalf,
        {twice.terms.per_first.value * rate, twice.terms.per_first.low * rate, twice.terms.per_first.high * rate},
        SamplesOf(twice.points), twice.method);
  } else {
    session.ReportRate(cost::Parameter::kProductRate64, LastOf(twice.points, 2), twice.method);
  }
  const Fitted single = Best<float>(session, "product float32", session.seconds() / 2);
  session.Draw(RateCurve("matrix product, float32", "order", "flop/s", single.points));
  if (single.terms.good) {
    session.Report(cost::Parameter::kProductRate32, single.terms.rate, SamplesOf(single.points), single.method);
  } else {
    session.ReportRate(cost::Parameter::kProductRate32, LastOf(single.points, 2), single.method);
  }
}

}  // namespace cpnlint::kernels
