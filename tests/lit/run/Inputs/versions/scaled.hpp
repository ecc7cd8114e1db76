// A kernel with all that C++ may share between translation units, and that must not be shared between processors.
#pragma once
#include <tla/tla.hpp>
#include <tla/vec.hpp>

#include <atomic>
#include <memory>
#include <string>
#include <vector>

struct Shape {
  virtual ~Shape() = default;
  virtual double area(double x) const { return x * x + 1; }
};
struct Round : Shape {
  double area(double x) const override { return 3 * x * x - 1; }
};

inline const std::unique_ptr<Shape> shape = std::make_unique<Round>(); // set when the program is loaded
static const std::vector<double> weights = {1, 2, 3};                    // too, and one for each translation unit
template <typename T> std::string named = "a template's variable";
std::vector<int> global = {4, 5};          // neither inline nor static
int counted = 7;                           // no code sets it
inline std::atomic<long> calls = 0;        // one for all
inline double square(double x) { return x * x; }
inline double (*chosen)(double) = square;  // leads to a function
template <typename T> T cube(T x) { return x * x * x; }
inline double &last() {
  static double value = square(2);
  return value;
}

#pragma tla kernel flops(2 * A.m() * A.n())
template <typename T> void scaled(int k, tla::Tile<T> A) {
  ++calls;
  for (int j = 0; j < A.n(); ++j)
    for (int i = 0; i < A.m(); ++i)
      A(i, j) = A(i, j) * cube(T(k + 1)) + T(chosen(weights[1]) + shape->area(last()) + counted + global[1] +
                                             static_cast<double>(named<T>.size()));
  for (int i = 0; i < A.m() && A.n() > 1; ++i)
    A(i, 0) = tla::Vec<double, 4>(double(i)).sum() - A(i, 1);
}
