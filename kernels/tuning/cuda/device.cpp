#include "kernels/tuning/cuda/device.hpp"

#include "kernels/tuning/cuda/driver.hpp"

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

#define HETC_CALL(member, ...) Driver::instance().call(Driver::instance().member, #member, __VA_ARGS__)

/// A copy of the declaration in kernels/cuda/gemm/product.cuh.
struct Product {
  CUdeviceptr A, B, C;
  int m, n, k, lda, ldb, ldc;
  CUtexObject textureA, textureB;
};

class Memory {
public:
  explicit Memory(std::size_t bytes) { HETC_CALL(allocate, &address_, std::max<std::size_t>(bytes, 16)); }
  Memory(const Memory &) = delete;
  ~Memory() { Driver::instance().free(address_); }

  CUdeviceptr address() const { return address_; }
  template <typename T> void put(const std::vector<T> &data, std::size_t offset = 0) {
    if (!data.empty())
      HETC_CALL(copyToDevice, address_ + offset, static_cast<const void *>(data.data()), data.size() * sizeof(T));
  }
  /// Fills `bytes` of it with the data, over and over.
  template <typename T> void repeat(const std::vector<T> &data, std::size_t bytes) {
    std::size_t done = std::min(data.size() * sizeof(T), bytes);
    HETC_CALL(copyToDevice, address_, static_cast<const void *>(data.data()), done);
    for (std::size_t next = 0; done < bytes; done += next) {
      next = std::min(done, bytes - done);
      HETC_CALL(copyWithinDevice, address_ + done, address_, next);
    }
  }
  template <typename T> std::vector<T> get(std::size_t count) const {
    std::vector<T> data(count);
    HETC_CALL(copyToHost, static_cast<void *>(data.data()), address_, count * sizeof(T));
    return data;
  }

private:
  CUdeviceptr address_ = 0;
};

/// Stands for `bytes` of memory, in elements of the type.
class TextureObject {
public:
  TextureObject(CUdeviceptr memory, std::size_t bytes, char type) {
    CUDA_RESOURCE_DESC resource{};
    resource.resType = CU_RESOURCE_TYPE_LINEAR;
    resource.res.linear.devPtr = memory;
    resource.res.linear.format = type == 's' || type == 'c' ? CU_AD_FORMAT_FLOAT : CU_AD_FORMAT_SIGNED_INT32;
    resource.res.linear.numChannels = static_cast<unsigned>(elementBytes(type)) / 4;
    resource.res.linear.sizeInBytes = bytes;
    const CUDA_TEXTURE_DESC texture{};
    HETC_CALL(textureCreate, &object_, static_cast<const CUDA_RESOURCE_DESC *>(&resource), &texture,
              static_cast<const CUDA_RESOURCE_VIEW_DESC *>(nullptr));
  }
  TextureObject(const TextureObject &) = delete;
  ~TextureObject() { Driver::instance().textureDestroy(object_); }
  CUtexObject object() const { return object_; }

private:
  CUtexObject object_ = 0;
};

class Event {
public:
  Event() { HETC_CALL(eventCreate, &event_, unsigned(CU_EVENT_DEFAULT)); }
  Event(const Event &) = delete;
  ~Event() { Driver::instance().eventDestroy(event_); }
  void record() { HETC_CALL(eventRecord, event_, static_cast<CUstream>(nullptr)); }
  double secondsSince(const Event &start) const {
    HETC_CALL(eventSynchronize, event_);
    float milliseconds = 0;
    HETC_CALL(eventElapsed, &milliseconds, start.event_, event_);
    return milliseconds * 1e-3;
  }

private:
  CUevent event_ = nullptr;
};

/// Several in turn. They wait for what the default stream was given before, and it for what they were: so events there
/// time what happens here.
class Streams {
public:
  Streams() {
    for (CUstream &each : streams_)
      HETC_CALL(streamCreate, &each, unsigned(CU_STREAM_DEFAULT));
  }
  Streams(const Streams &) = delete;
  ~Streams() {
    for (const CUstream each : streams_)
      Driver::instance().streamDestroy(each);
  }
  CUstream next() { return streams_[turn_++ % count]; }

private:
  static constexpr unsigned count = 16; // kernels that hetc has in flight
  CUstream streams_[count] = {};
  unsigned turn_ = 0;
};

/// The device's primary context, current for the thread.
class Context {
public:
  explicit Context(int device) {
    HETC_CALL(deviceGet, &device_, device);
    CUcontext context = nullptr;
    HETC_CALL(primaryRetain, &context, device_);
    HETC_CALL(setCurrent, context);
  }
  Context(const Context &) = delete;
  ~Context() { Driver::instance().primaryRelease(device_); }

private:
  CUdevice device_ = 0;
};

/// A cubin's kernel, ready to be launched.
class Kernel {
public:
  explicit Kernel(const std::string &cubin) : launch_(launchOf(cubin)) {
    HETC_CALL(moduleLoad, &module_, static_cast<const void *>(cubin.data()));
    HETC_CALL(getFunction, &function_, module_, kernelName);
    HETC_CALL(setAttribute, function_, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, launch_.sharedBytes);
  }
  Kernel(const Kernel &) = delete;
  ~Kernel() { Driver::instance().moduleUnload(module_); }

  const LaunchShape &launch() const { return launch_; }
  char type() const { return static_cast<char>(launch_.type); }

  /// `many` holds the same products in the device's memory. Scalars are of the kernel's type.
  void enqueue(std::vector<Product> &products, const Memory &many, void *alpha, void *beta, Streams &streams) const {
    if (!launch_.isBatched) {
      for (Product &product : products)
        enqueueGrid(blocksOf(product), 1, &product, alpha, beta, streams.next());
      return;
    }
    unsigned blocks = 0;
    for (const Product &product : products)
      blocks = std::max(blocks, blocksOf(product));
    CUdeviceptr address = many.address();
    enqueueGrid(blocks, static_cast<unsigned>(products.size()), &address, alpha, beta, nullptr);
  }

private:
  unsigned blocksOf(const Product &product) const {
    const auto parts = [](int size, int part) { return static_cast<unsigned>((size + part - 1) / part); };
    return parts(product.m, launch_.blk_m) * parts(product.n, launch_.blk_n);
  }
  void enqueueGrid(unsigned blocks, unsigned products, void *what, void *alpha, void *beta, CUstream stream) const {
    void *arguments[] = {what, alpha, beta};
    if (blocks > 0)
      HETC_CALL(launch, function_, blocks, products, 1u, static_cast<unsigned>(launch_.threads), 1u, 1u,
                static_cast<unsigned>(launch_.sharedBytes), stream, static_cast<void **>(arguments),
                static_cast<void **>(nullptr));
  }

  LaunchShape launch_;
  CUmodule module_ = nullptr;
  CUfunction function_ = nullptr;
};

template <typename T> struct RealOf { using type = T; };
template <typename R> struct RealOf<std::complex<R>> { using type = R; };
template <typename T> constexpr T nan() { return T(std::numeric_limits<typename RealOf<T>::type>::quiet_NaN()); }

/// Numbers in [-1, 1), one after the other from a multiplication (Knuth, The Art of Computer Programming 2, 3.3.4, for
/// the multiplier): matrices are made anew for each candidate.
class Uniform {
public:
  explicit Uniform(std::mt19937 &random) : state_(random()) {}
  template <typename R> R next() {
    state_ = state_ * 6364136223846793005u + 1442695040888963407u;
    return static_cast<R>(static_cast<std::int32_t>(state_ >> 32)) * R(0x1p-31);
  }

private:
  std::uint64_t state_;
};

/// A column-major matrix of random numbers, with NaN between its rows and ld.
template <typename T> struct Matrix {
  Matrix(int rows, int columns, int ld, std::mt19937 &random) : rows(rows), ld(std::max(ld, 1)) {
    using R = typename RealOf<T>::type;
    data.assign(std::size_t(this->ld) * columns, nan<T>());
    Uniform uniform(random);
    for (int j = 0; j < columns; ++j)
      for (int i = 0; i < rows; ++i)
        if constexpr (std::is_same_v<R, T>) {
          at(i, j) = uniform.next<R>();
        } else {
          const R re = uniform.next<R>();
          at(i, j) = T(re, uniform.next<R>());
        }
  }
  T &at(int i, int j) { return data[i + std::size_t(j) * ld]; }
  /// op of it.
  T at(char op, int i, int j) {
    const T x = op == 'n' ? at(i, j) : at(j, i);
    if constexpr (!std::is_same_v<typename RealOf<T>::type, T>)
      return op == 'c' ? std::conj(x) : x;
    else
      return x;
  }
  std::size_t bytes() const { return data.size() * sizeof(T); }

  int rows, ld;
  std::vector<T> data;
};

template <typename T> Matrix<T> operand(char op, int m, int n, int extra, std::mt19937 &random) {
  return op == 'n' ? Matrix<T>(m, n, m + extra, random) : Matrix<T>(n, m, n + extra, random);
}

/// Empty, or the first element that is further away than rounding explains.
template <typename T> std::string compare(const std::vector<T> &expected, const std::vector<T> &actual, int ld, int k) {
  const double tolerance = 32 * (k + 4.0) * std::numeric_limits<typename RealOf<T>::type>::epsilon();
  for (std::size_t i = 0; i < expected.size(); ++i)
    if (const bool bothNan = expected[i] != expected[i] && actual[i] != actual[i];
        !bothNan && !(std::abs(expected[i] - actual[i]) <= tolerance)) {
      std::ostringstream message;
      message << "element (" << i % ld << ", " << i / ld << ") is " << actual[i] << ", expected " << expected[i];
      return message.str();
    }
  return "";
}

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
