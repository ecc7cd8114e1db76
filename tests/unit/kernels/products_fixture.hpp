// What the tests of the recursive bodies have in common: they run over the products of one back-end, OpenBLAS's or,
// with TLA_TUNED_PRODUCTS, ours. The bodies are those of the back-end's module, as it was compiled, and what they are
// compared with is compiled in tla_reference.
#pragma once

#include "kernels/recursive/table.hpp"
#ifdef TLA_TUNED_PRODUCTS
#include "kernels/tuned/products.hpp"
#else
#include "kernels/openblas/products.hpp"
#endif
#include "tests/unit/kernels/samples.hpp"

namespace tla::test {

/// The entries that the back-end sets; null where it has no body.
template <typename T> const kernels::KernelTable<T> &bodies() {
  static const kernels::KernelTable<T> table = [] {
    kernels::KernelTable<T> table{};
    kernels::recursive::setBodies(table, "tested");
    return table;
  }();
  return table;
}

/// Runs a check with every kind of products that the back-end has and this CPU can run; only some types may differ.
template <typename T> class ProductsTest : public ::testing::Test {
public:
  static double tolerance(int k) { return 32 * (k + 2) * epsilon<T>(); }
  /// Calls a body on the samples' tiles.
  template <typename Call, typename... Samples> static auto runOn(Call call, Samples &...samples) {
    return call(samples.tile()...);
  }

protected:
#ifdef TLA_TUNED_PRODUCTS
  void SetUp() override { kernels::tuned::isaInUse = kernels::tuned::bestIsa(); }
  template <typename Check> void withEveryProduct(Check check) {
    using kernels::tuned::Isa;
    for (Isa isa : {Isa::Portable, Isa::Avx2, Isa::Avx512})
      if (kernels::tuned::supports(isa)) {
        SCOPED_TRACE(testing::Message() << "instruction set " << int(isa));
        kernels::tuned::isaInUse = isa;
        check();
      }
  }
#else
  /// One thread per call; products are cut into blocks, which is correct on every CPU.
  void SetUp() override {
    openblas_set_num_threads(1);
    kernels::openblas::hasSmallGemm = true;
  }
  /// Checks without and with the cut into blocks; only double heeds the switch.
  template <typename Check> void withEveryProduct(Check check) {
    for (bool blocks : {false, true}) {
      if (blocks && !std::is_same_v<T, double>)
        continue;
      SCOPED_TRACE(blocks ? "with blocks" : "without blocks");
      kernels::openblas::hasSmallGemm = blocks;
      check();
    }
  }
#endif
};

} // namespace tla::test
