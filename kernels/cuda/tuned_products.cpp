#include "kernels/cuda/tuned_products.hpp"

#include "dsl/base/cache_folder.hpp"
#include "dsl/base/hash.hpp"
#include "dsl/base/streams.hpp"
#include "kernels/cuda/tuned_list.hpp"

#include <algorithm>
#include <complex>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <limits>
#include <map>
#include <mutex>
#include <set>
#include <utility>

namespace tla::kernels::cuda {
namespace {

constexpr char kernelName[] = "gemm"; // that candidates have

template <typename T> constexpr char letterOf = 0;
template <> constexpr char letterOf<float> = 's';
template <> constexpr char letterOf<double> = 'd';
template <> constexpr char letterOf<std::complex<float>> = 'c';
template <> constexpr char letterOf<std::complex<double>> = 'z';

/// The letter of an operation; for a real type ConjTrans is Trans.
char letterFor(char type, Op op) {
  const bool isReal = type == 's' || type == 'd';
  return op == Op::NoTrans ? 'n' : op == Op::Trans || isReal ? 't' : 'c';
}

/// Whether blocks are about all of C: cuBLAS has smaller ones for what is left.
bool fits(const ShippedProduct &product, int m, int n) {
  constexpr double most = 1.03;
  const auto padded = [](int size, int part) { return static_cast<double>((size + part - 1) / part) * part; };
  return padded(m, product.blockRows) * padded(n, product.blockColumns) <= most * m * n;
}

bool isFor(const ShippedProduct &product, int m, int n, int k) {
  const auto [least, most] = std::minmax({m, n, k});
  return product.from <= least && most <= product.to && fits(product, m, n);
}

/// Once in a process: devices are opened again for measuring.
void warn(const std::string &what, const std::string &why) {
  static std::mutex mutex;
  static std::set<std::string> said;
  const std::lock_guard guard(mutex); // of said
  if (!said.insert(what + why).second)
    return;
  std::fprintf(stderr, "hetc: warning: tuned products are not used%s: %s\n", what.c_str(), why.c_str());
}

/// The content of the file, or why it must not be loaded.
std::string read(const std::string &path, const std::string &hash, std::string &why) {
  why = whyNotPrivate(path);
  if (!why.empty())
    return "";
  TextWriter content;
  content << FileReader(path, std::ios::binary).rdbuf();
  if (hashOf(content.str()) != hash)
    why = "'" + path + "' is missing or damaged; tune again";
  return content.str();
}

/// Empty, or why it cannot be launched.
std::string load(const std::string &cubin, int sharedBytes, cudaLibrary_t &library, cudaKernel_t &function) {
  try {
    TLA_CUDA_CHECK(cudaLibraryLoadData(&library, cubin.data(), nullptr, nullptr, 0, nullptr, nullptr, 0));
    TLA_CUDA_CHECK(cudaLibraryGetKernel(&function, library, kernelName));
    TLA_CUDA_CHECK(cudaFuncSetAttribute(reinterpret_cast<const void *>(function),
                                        cudaFuncAttributeMaxDynamicSharedMemorySize, sharedBytes));
    return "";
  } catch (const CudaError &error) {
    cudaGetLastError(); // not to be found by the next check
    if (library)
      cudaLibraryUnload(library);
    return error.what();
  }
}

} // namespace

void HeldProducts::add(const ShippedProduct &kernel, unsigned blocks, const DeviceProduct &product, const void *alpha,
                       const void *beta, std::size_t scalarBytes) {
  const auto same = [scalarBytes](const char *mine, const void *its) {
    return std::memcmp(mine, its, scalarBytes) == 0;
  };
  if (kernel_ != &kernel || !same(alpha_, alpha) || !same(beta_, beta) || products_.size() == mostProductsTogether)
    flush();
  kernel_ = &kernel;
  std::memcpy(alpha_, alpha, scalarBytes);
  std::memcpy(beta_, beta, scalarBytes);
  blocks_ = products_.empty() ? blocks : std::max(blocks_, blocks);
  products_.push_back(product);
  ++count_;
}

void HeldProducts::flush() {
  if (products_.empty())
    return;
  const std::vector<DeviceProduct> products = std::exchange(products_, {});
  TLA_CUDA_CHECK(kernel_->launchMany(stream_, blocks_, products, alpha_, beta_));
}

TunedProducts::TunedProducts(const std::string &folder, const std::string &device, const std::string &architecture) {
  std::vector<TunedProduct> listed = readTunedProducts(folder);
  std::erase_if(listed, [&](const TunedProduct &each) {
    return each.from == 0 || each.device != device || each.architecture != architecture;
  });
  if (!listed.empty())
    addListed(folder, listed);
  for (const ShippedProduct &each : shippedProducts(architecture)) // behind those, which were measured here
    add(each);
}

void TunedProducts::addListed(const std::string &folder, std::vector<TunedProduct> listed) {
  const auto order = [](const TunedProduct &each) { return std::string{each.type, each.opA, each.opB}; };
  std::ranges::stable_sort(listed, {}, order); // not by when what was tuned, which text() would tell
  if (const std::string why = whyNotPrivate(folder); !why.empty()) {
    warn("", why);
    return;
  }
  for (const TunedProduct &each : listed)
    add(each, folder + "/" + each.file);
}

void TunedProducts::add(const TunedProduct &product, const std::string &file) {
  const std::string name = std::string("gemm ") + product.type + " " + product.ops();
  Kernel kernel{product.type,    product.opA,         product.opB,       product.from,
                product.threads, product.sharedBytes, product.blockRows, product.blockColumns};
  std::string why;
  const std::string cubin = read(file, product.hash, why);
  if (why.empty())
    why = load(cubin, kernel.sharedBytes, kernel.library, kernel.function);
  if (!why.empty())
    return warn(" for " + name, why);
  kernels_.push_back(kernel);
  text_ += (text_.empty() ? "hetc tune: " : ", ") + name + " from " + std::to_string(kernel.from) + " (" +
           product.hash + ")";
}

void TunedProducts::add(const ShippedProduct &product) {
  TLA_CUDA_CHECK(product.prepare());
  Kernel kernel{product.type,    product.opA,         product.opB,       product.from,
                product.threads, product.sharedBytes, product.blockRows, product.blockColumns};
  kernel.shipped = &product;
  kernels_.push_back(kernel);
  const bool isFirst = kernels_.size() == 1 || !kernels_[kernels_.size() - 2].shipped;
  text_ += (isFirst ? text_.empty() ? "hetc: gemm " : "; hetc: gemm " : ", ") +
           std::string{product.type, ' ', product.opA, product.opB} + " from " + std::to_string(product.from) + " to " +
           std::to_string(product.to) + " (" + product.text + ")";
}

TunedProducts::~TunedProducts() {
  for (const Kernel &each : kernels_)
    if (each.library)
      cudaLibraryUnload(each.library);
}

const TunedProducts::Kernel *TunedProducts::find(char type, Op opA, Op opB, int m, int n, int k) const {
  const auto isFaster = [&](const Kernel &each) {
    return std::min({m, n, k}) >= each.from && (!each.shipped || isFor(*each.shipped, m, n, k));
  };
  const auto found = std::ranges::find_if(kernels_, [&](const Kernel &each) {
    return each.type == type && each.opA == letterFor(type, opA) && each.opB == letterFor(type, opB) && isFaster(each);
  });
  return found == kernels_.end() ? nullptr : &*found;
}

std::function<bool(char, int, int, int)> TunedProducts::held() const {
  std::map<char, int> tuned; // by type the size from which on there may be one
  std::vector<const ShippedProduct *> shipped;
  for (const Kernel &each : kernels_)
    if (each.shipped)
      shipped.push_back(each.shipped);
    else if (const auto [found, added] = tuned.try_emplace(each.type, each.from); !added)
      found->second = std::min(found->second, each.from);
  if (shipped.empty())
    return nullptr;
  return [tuned, shipped](char type, int m, int n, int k) {
    const auto found = tuned.find(type);
    return (found == tuned.end() || std::min({m, n, k}) < found->second) &&
           std::ranges::any_of(shipped,
                               [&](const ShippedProduct *each) { return each->type == type && isFor(*each, m, n, k); });
  };
}

template <typename T>
bool TunedProducts::gemm(cudaStream_t stream, Op opA, Op opB, T alpha, ConstTile<T> A, ConstTile<T> B, T beta,
                         Tile<T> C, HeldProducts *held) const {
  const int k = opA == Op::NoTrans ? A.n() : A.m();
  const Kernel *const kernel = find(letterOf<T>, opA, opB, C.m(), C.n(), k);
  if (!kernel)
    return false;
  const auto parts = [](int size, int part) { return (static_cast<long>(size) + part - 1) / part; };
  const long blocks = parts(C.m(), kernel->blockRows) * parts(C.n(), kernel->blockColumns);
  if (blocks > std::numeric_limits<int>::max())
    return false;
  const DeviceProduct product{A.data(), B.data(), C.data(), C.m(), C.n(), k, A.ld(), B.ld(), C.ld()};
  if (held && kernel->shipped)
    held->add(*kernel->shipped, static_cast<unsigned>(blocks), product, &alpha, &beta, sizeof(T));
  else
    launch(*kernel, stream, static_cast<unsigned>(blocks), product, &alpha, &beta);
  return true;
}

void TunedProducts::launch(const Kernel &kernel, cudaStream_t stream, unsigned blocks, DeviceProduct product,
                           void *alpha, void *beta) {
  if (kernel.shipped) {
    TLA_CUDA_CHECK(kernel.shipped->launch(stream, blocks, product, alpha, beta));
    return;
  }
  void *arguments[] = {&product, alpha, beta};
  TLA_CUDA_CHECK(cudaLaunchKernel(reinterpret_cast<const void *>(kernel.function), dim3(blocks),
                                  dim3(static_cast<unsigned>(kernel.threads)), static_cast<void **>(arguments),
                                  static_cast<std::size_t>(kernel.sharedBytes), stream));
}

#define TLA_INSTANTIATE(T)                                                                                             \
  template bool TunedProducts::gemm(cudaStream_t, Op, Op, T, ConstTile<T>, ConstTile<T>, T, Tile<T>, HeldProducts *)   \
      const;
TLA_INSTANTIATE(float)
TLA_INSTANTIATE(double)
TLA_INSTANTIATE(std::complex<float>)
TLA_INSTANTIATE(std::complex<double>)
#undef TLA_INSTANTIATE

} // namespace tla::kernels::cuda
