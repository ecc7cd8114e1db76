// The products of kernels/cuda/gemm as candidates: from a point of a space to device code.
#pragma once

#include "kernels/tuning/cuda/nvrtc.hpp"
#include "kernels/tuning/space.hpp"

#include <cstdint>
#include <span>

namespace hetc::tuning::cuda {

/// Names of constants and their values.
using Constants = std::vector<std::pair<std::string, std::int64_t>>;

/// The properties of a product, besides the constants that only change its speed.
struct Variant {
  char type = 'd';           ///< s, d, c, z
  char opA = 'n', opB = 'n'; ///< n, t, c
  /// The kernel takes an array of products in the device's memory and computes blockIdx.y of them; else one, by value.
  bool isBatched = false;
};

int elementBytes(char type);
bool isComplex(char type);

/// A kernel template of kernels/cuda/gemm.
struct Template {
  std::string name;                   ///< "SimtGemm"
  std::string header;                 ///< header that defines it
  std::string types;                  ///< element types that it is for: "sdcz"
  std::vector<std::string> constants; ///< constants of its Config; the iterators of its space, one to one
};
std::span<const Template> templates();

/// The template whose constants are the iterators of a space. Throws Error that names what is missing or unknown.
const Template &templateFor(const Space &space);
/// The template all of whose constants are among these. Throws Error if there is none.
const Template &templateFor(const Constants &constants);

/// Sets those parameters of a space that a variant and an architecture ("sm_90") decide, if it has them:
/// element_bytes, is_complex, trans_a, trans_b, compute_capability. Throws Error for an architecture that is none.
void setParameters(Space &space, const Variant &variant, const std::string &architecture);

/// The text of a candidate: the kernel `kernelName` with C linkage, and the variable that LaunchShape is read from.
/// Constants besides those of the template are left out. Throws Error if one is missing, or for a type that the
/// template is not for.
std::string sourceOf(const Template &kernel, const Constants &constants, const Variant &variant);
inline constexpr const char *kernelName = "gemm";

/// The headers that candidates include.
const std::vector<SourceFile> &headers();

/// How a compiled candidate is launched: the cubin says it itself.
struct LaunchShape {
  int threads = 0;
  int sharedBytes = 0; ///< dynamic
  int blk_m = 0, blk_n = 0;
  int texture = 0;                               ///< whether A and B are read by texture
  int type = 0, opA = 0, opB = 0, isBatched = 0; ///< members of its Variant
};
LaunchShape launchOf(const std::string &cubin);

} // namespace hetc::tuning::cuda
