// Fourier transforms of complex128 in one dimension: radix 4, self-sorting (Stockham), one radix-2 step where the
// length asks for it.

#include <cmath>
#include <complex>

#include "runtime-kernels/bench/cpu.h"

namespace cpnlint::kernels {
namespace {

using Complex = std::complex<double>;
using Vector = std::vector<Complex>;

// Products written out: std::complex's own check for infinities.
Complex Times(Complex a, Complex b) {
  return {a.real() * b.real() - a.imag() * b.imag(), a.real() * b.imag() + a.imag() * b.real()};
}

// One step of `radix`: n points in `stride` interleaved transforms, from x into y.
void Step4(std::size_t n, std::size_t stride, const Vector& roots, const Complex* x, Complex* y) {
  const std::size_t quarter = n / 4;
  const std::size_t turn = roots.size() / n;
  for (std::size_t p = 0; p < quarter; ++p) {
    const Complex w1 = roots[p * turn], w2 = roots[2 * p * turn], w3 = roots[3 * p * turn];
    for (std::size_t q = 0; q < stride; ++q) {
      const Complex a = x[q + stride * p], b = x[q + stride * (p + quarter)];
      const Complex c = x[q + stride * (p + 2 * quarter)], d = x[q + stride * (p + 3 * quarter)];
      const Complex sum = a + c, difference = a - c, others = b + d;
      const Complex turned{(b - d).imag(), -(b - d).real()};  // -i (b - d)
      y[q + stride * (4 * p)] = sum + others;
      y[q + stride * (4 * p + 1)] = Times(w1, difference + turned);
      y[q + stride * (4 * p + 2)] = Times(w2, sum - others);
      y[q + stride * (4 * p + 3)] = Times(w3, difference - turned);
    }
  }
}

void Step2(std::size_t stride, const Complex* x, Complex* y) {
  for (std::size_t q = 0; q < stride; ++q) {
    y[q] = x[q] + x[q + stride];
    y[q + stride] = x[q] - x[q + stride];
  }
}

// The result ends up in the vector that is given back.
const Vector& Transform(const Vector& roots, const Vector& input, Vector& a, Vector& b) {
  std::size_t n = input.size();
  const Complex* from = input.data();
  Vector* to = &a;
  for (std::size_t stride = 1; n > 1;) {
    if (n >= 4) {
      Step4(n, stride, roots, from, to->data());
      n /= 4;
      stride *= 4;
    } else {
      Step2(stride, from, to->data());
      n /= 2;
      stride *= 2;
    }
    from = to->data();
    to = to == &a ? &b : &a;
  }
  return to == &a ? b : a;
}

struct Data {
  Vector roots, input, a, b;
  const Vector* result = nullptr;
};

constexpr double kTau = 6.283185307179586;

// Sweeps over the data as the cost model counts them: 4096 points stay in fast memory.
double SweepsOf(std::size_t n) { return std::ceil(std::log2(static_cast<double>(n)) / 12); }

Case MakeTransform(std::size_t n) {
  const auto data = std::make_shared<Data>();
  for (std::size_t i = 0; i < n; ++i) {
    const double angle = -kTau * static_cast<double>(i) / static_cast<double>(n);
    data->roots.emplace_back(std::cos(angle), std::sin(angle));
    data->input.emplace_back(std::sin(0.1 * static_cast<double>(i)), 0.5);
  }
  data->a.resize(n);
  data->b.resize(n);
  Case one = TimedCase(SweepsOf(n) * 32 * static_cast<double>(n),
                       [=] { data->result = &Transform(data->roots, data->input, data->a, data->b); });
  one.correct = [=] {
    for (const std::size_t k : {std::size_t{0}, std::size_t{3}, n / 2}) {
      Complex sum = 0;
      for (std::size_t i = 0; i < n; ++i) sum += Times(data->input[i], data->roots[i * k % n]);
      if (std::abs(sum - (*data->result)[k]) > 1e-7 * static_cast<double>(n)) return false;
    }
    return true;
  };
  return one;
}

}  // namespace

void BenchCpuFft(Session& session) {
  const int last = session.effort() == Effort::kQuick ? 20 : 22;
  const auto points = session.Sweep("fft", PowersOfTwo(14, last), &MakeTransform, session.seconds());
  session.Draw(RateCurve("Fourier transform, complex128", "points", "B/s per sweep", points));
  session.ReportRate(cost::Parameter::kFftRate, points,
                     "own radix-4 transform of complex128, 2^14 to 2^" + std::to_string(last) +
                         " points, one sweep per 12 powers of two, one thread");
}

}  // namespace cpnlint::kernels
