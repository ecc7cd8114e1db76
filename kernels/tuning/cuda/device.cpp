#include "kernels/tuning/cuda/device.hpp"

#include "kernels/tuning/cuda/driver.hpp"
#include "kernels/tuning/cuda/operands.hpp"
#include "kernels/tuning/cuda/resources.hpp"

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstdint>
#include <cstring>
#include <limits>
#include <random>
#include <sstream>

namespace hetc::tuning::cuda {

namespace {

struct Case {
  int m, n, k, extra; ///< sizes; what leading dimensions are more than rows
  int alpha, beta;
};

/// One small product against the host's. A batched kernel gets it as the second of two, the first of which is empty.
template <typename T> std::string verifyCase(const Kernel &kernel, const Case &c) {
  std::mt19937 random(1);
  const char opA = static_cast<char>(kernel.launch().opA), opB = static_cast<char>(kernel.launch().opB);
  auto A = operand<T>(opA, c.m, c.k, c.extra, random), B = operand<T>(opB, c.k, c.n, c.extra, random);
  Matrix<T> C(c.m, c.n, c.m + c.extra, random);
  if (c.beta == 0) // what is not to be read
    std::ranges::fill(C.data, nan<T>());
  if (c.alpha == 0)
    std::ranges::fill(A.data, nan<T>());
  Memory a(A.bytes()), b(B.bytes()), there(C.bytes());
  a.put(A.data);
  b.put(B.data);
  there.put(C.data);
  const TextureObject textureA(a.address(), std::max<std::size_t>(A.bytes(), 16), kernel.type()),
      textureB(b.address(), std::max<std::size_t>(B.bytes(), 16), kernel.type());
  const Product product{a.address(), b.address(),       there.address(),  c.m, c.n, c.k, A.ld, B.ld,
                        C.ld,        textureA.object(), textureB.object()};
  std::vector<Product> products = {product};
  if (kernel.launch().isBatched)
    products.insert(products.begin(), Product{0, 0, 0, 0, 0, 0, 1, 1, 1, 0, 0});
  Memory many(products.size() * sizeof(Product));
  many.put(products);
  T alpha(c.alpha), beta(c.beta);
  Streams streams;
  kernel.enqueue(products, many, &alpha, &beta, streams);
  for (int j = 0; j < c.n; ++j)
    for (int i = 0; i < c.m; ++i) {
      T sum(0);
      for (int l = 0; c.alpha != 0 && l < c.k; ++l)
        sum += A.at(opA, i, l) * B.at(opB, l, j);
      C.at(i, j) = alpha * sum + (c.beta == 0 ? T(0) : beta * C.at(i, j));
    }
  const std::string wrong = compare(C.data, there.get<T>(C.data.size()), C.ld, c.k);
  if (wrong.empty())
    return "";
  std::ostringstream message;
  message << c.m << " x " << c.n << " x " << c.k << ", leading dimensions + " << c.extra << ", alpha " << c.alpha
          << ", beta " << c.beta << ": " << wrong;
  return message.str();
}

template <typename T> std::string verifyCases(const Kernel &kernel) {
  const int m = kernel.launch().blk_m, n = kernel.launch().blk_n;
  const Case cases[] = {{m, n, 64, 0, 1, 0},
                        {m + 3, n - 1, 129, 1, 2, -1},
                        {m + 1, n + 1, 97, 3, -1, 2},
                        {2 * m + 2, n + 1, 62, 2, -1, 1},
                        {m, 2 * n + 4, 200, 4, 1, 1},
                        {1, 1, 1, 0, 2, 1},
                        {5, 7, 0, 1, 2, -1},
                        {9, 4, 3, 1, 0, 3},
                        {0, 4, 3, 1, 1, 1}};
  for (const Case &each : cases)
    if (std::string wrong = verifyCase<T>(kernel, each); !wrong.empty())
      return wrong;
  return "";
}

/// act(T{}) for the type of a letter.
template <typename Act> auto forType(char type, const Act &act) {
  switch (type) {
  case 's':
    return act(float());
  case 'd':
    return act(double());
  case 'c':
    return act(std::complex<float>());
  default:
    return act(std::complex<double>());
  }
}

std::string versionOf(int number) { return std::to_string(number / 1000) + "." + std::to_string(number % 1000 / 10); }

} // namespace

DeviceFacts factsOf(int device) {
  CUdevice handle = 0;
  HETC_CALL(deviceGet, &handle, device);
  const auto attribute = [&](CUdevice_attribute which) {
    int value = 0;
    HETC_CALL(deviceGetAttribute, &value, which, handle);
    return value;
  };
  char name[256] = "";
  HETC_CALL(deviceGetName, static_cast<char *>(name), int(sizeof(name)), handle);
  int driver = 0;
  HETC_CALL(driverGetVersion, &driver);
  const int capability = 10 * attribute(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR) +
                         attribute(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR);
  return {name,
          "sm_" + std::to_string(capability),
          versionOf(driver),
          {{"compute_capability", capability},
           {"max_threads_per_block", attribute(CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK)},
           {"threads_per_multiprocessor", attribute(CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR)},
           {"registers_per_multiprocessor", attribute(CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_MULTIPROCESSOR)},
           {"shared_memory_per_multiprocessor", attribute(CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_MULTIPROCESSOR)},
           {"max_shared_memory_per_block", attribute(CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN)}}};
}

class GemmOnDevice::State {
public:
  State(int device, const std::string &cubin, const Problem &problem)
      : context_(device), kernel_(cubin), problem_(problem), bytesOfA_(bytes(problem.m, problem.k)),
        bytesOfB_(bytes(problem.k, problem.n)), bytesOfC_(bytes(problem.m, problem.n)), A_(bytesOfA_ * problem.count),
        B_(bytesOfB_ * problem.count), C_(bytesOfC_ * problem.count), many_(sizeof(Product) * problem.count) {
    if (problem.count > 65535)
      throw Error("more than 65535 products at once");
    forType(kernel_.type(), [&](auto t) { fill<decltype(t)>(); });
    for (int i = 0; i < problem.count; ++i)
      products_.push_back(productAt(i));
    many_.put(products_);
  }

  std::string verify() {
    const std::string wrong = forType(kernel_.type(), [&](auto t) { return verifyCases<decltype(t)>(kernel_); });
    return wrong.empty() ? forType(kernel_.type(), [&](auto t) { return verifyProblem<decltype(t)>(); }) : wrong;
  }

  double run() {
    return time([&](void *alpha, void *beta) { kernel_.enqueue(products_, many_, alpha, beta, streams_); });
  }
  double runCublas() {
    return time([&](void *alpha, void *beta) { enqueueCublas(alpha, beta); });
  }

private:
  std::size_t bytes(int m, int n) const { return std::size_t(m) * n * elementBytes(kernel_.type()); }
  char op(int code) const { return static_cast<char>(code); }

  Product productAt(int i) {
    Product product{A_.address() + i * bytesOfA_,
                    B_.address() + i * bytesOfB_,
                    C_.address() + i * bytesOfC_,
                    problem_.m,
                    problem_.n,
                    problem_.k,
                    kernel_.launch().opA == 'n' ? problem_.m : problem_.k,
                    kernel_.launch().opB == 'n' ? problem_.k : problem_.n,
                    problem_.m,
                    0,
                    0};
    if (kernel_.launch().texture) {
      textures_.push_back(std::make_unique<TextureObject>(product.A, bytesOfA_, kernel_.type()));
      product.textureA = textures_.back()->object();
      textures_.push_back(std::make_unique<TextureObject>(product.B, bytesOfB_, kernel_.type()));
      product.textureB = textures_.back()->object();
    }
    return product;
  }

  /// Fills with a prime number of random values that repeat, so that no two columns are equal: the host would take
  /// longer for as many values as elements than the device for the products.
  template <typename T> void fill() {
    constexpr int period = 1048573; // a prime
    std::mt19937 random(1);
    for (const auto &[memory, bytes] : {std::pair{&A_, bytesOfA_}, {&B_, bytesOfB_}, {&C_, bytesOfC_}})
      if (const std::size_t all = bytes * problem_.count; all > 0)
        memory->repeat(Matrix<T>(period, 1, period, random).data, all);
  }

  template <typename T> std::string verifyProblem() {
    const std::size_t elements = std::size_t(problem_.m) * problem_.n * problem_.count;
    const std::vector<T> before = C_.get<T>(elements);
    run();
    const std::vector<T> actual = C_.get<T>(elements);
    C_.put(before);
    runCublas();
    const std::string wrong = compare(C_.get<T>(elements), actual, problem_.m, problem_.k);
    return wrong.empty() ? "" : "other than cuBLAS: " + wrong;
  }

  void enqueueCublas(void *alpha, void *beta) {
    if (!cublas_)
      cublas_ = std::make_unique<Cublas>();
    for (const Product &p : products_) {
      cublas_->setStream(streams_.next());
      cublas_->gemm(kernel_.type(), op(kernel_.launch().opA), op(kernel_.launch().opB), p.m, p.n, p.k, alpha, p.A,
                    p.lda, p.B, p.ldb, beta, p.C, p.ldc);
    }
  }

  template <typename Enqueue> double time(const Enqueue &enqueue) {
    return forType(kernel_.type(), [&](auto t) {
      decltype(t) alpha(-1), beta(1);
      start_.record();
      enqueue(&alpha, &beta);
      end_.record();
      return end_.secondsSince(start_);
    });
  }

  Context context_;
  Kernel kernel_;
  const Problem problem_;
  const std::size_t bytesOfA_, bytesOfB_, bytesOfC_; // of one product
  Memory A_, B_, C_, many_;
  std::vector<std::unique_ptr<TextureObject>> textures_;
  std::vector<Product> products_;
  std::unique_ptr<Cublas> cublas_;
  Streams streams_;
  Event start_, end_;
};

GemmOnDevice::GemmOnDevice(int device, const std::string &cubin, const Problem &problem)
    : state_(std::make_unique<State>(device, cubin, problem)) {}
GemmOnDevice::~GemmOnDevice() = default;
std::string GemmOnDevice::verify() { return state_->verify(); }
double GemmOnDevice::run() { return state_->run(); }
double GemmOnDevice::runCublas() { return state_->runCublas(); }

} // namespace hetc::tuning::cuda
