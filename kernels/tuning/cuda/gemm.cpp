#include "kernels/tuning/cuda/gemm.hpp"

#include <algorithm>
#include <cstring>
#include <sstream>

namespace hetc::tuning::cuda {

namespace {
const char *elementOf(char type) {
  switch (type) {
  case 's':
    return "float";
  case 'd':
    return "double";
  case 'c':
    return "Complex<float>";
  default:
    return "Complex<double>";
  }
}

const char *opOf(char op) { return op == 'n' ? "Op::NoTrans" : op == 't' ? "Op::Trans" : "Op::ConjTrans"; }

/// The name of the variable from which LaunchShape is read.
constexpr const char launchVariable[] = "gemm_launch";

std::int64_t constant(const Constants &constants, const std::string &name) {
  for (const auto &[known, value] : constants)
    if (known == name)
      return value;
  throw Error("the candidate has no '" + name + "'");
}

std::vector<std::string> iteratorsOf(const Space &space) {
  std::vector<std::string> names;
  for (const Symbol &symbol : space.symbols)
    if (symbol.kind == SymbolKind::Iterator)
      names.push_back(symbol.name);
  return names;
}

std::vector<std::string> difference(std::vector<std::string> a, std::vector<std::string> b) {
  std::ranges::sort(a);
  std::ranges::sort(b);
  std::vector<std::string> result;
  std::ranges::set_difference(a, b, std::back_inserter(result));
  return result;
}

std::string list(const std::vector<std::string> &names) {
  std::string text;
  for (const std::string &name : names)
    text += (text.empty() ? "'" : ", '") + name + "'";
  return text;
}
} // namespace

int elementBytes(char type) { return type == 's' ? 4 : type == 'z' ? 16 : 8; }
bool isComplex(char type) { return type == 'c' || type == 'z'; }

std::span<const Template> templates() {
  static const Template all[] = {
      {"SimtGemm",
       "kernels/cuda/gemm/simt.cuh",
       "sdcz",
       {"dim_m", "dim_n", "blk_m", "blk_n", "blk_k", "dim_m_a", "dim_m_b", "vec", "buffers", "texture"}},
      {"MmaGemm",
       "kernels/cuda/gemm/mma.cuh",
       "dz",
       {"mma_m", "mma_k", "warps_m", "warps_n", "blk_m", "blk_n", "blk_k", "stages", "swizzle", "ahead", "group",
        "blocks"}}};
  return all;
}

const Template &templateFor(const Space &space) {
  const std::vector<std::string> iterators = iteratorsOf(space);
  const auto distance = [&](const Template &kernel) {
    return difference(iterators, kernel.constants).size() + difference(kernel.constants, iterators).size();
  };
  const Template &nearest = *std::ranges::min_element(templates(), {}, distance);
  if (distance(nearest) == 0)
    return nearest;
  std::string message =
      "the iterators of the space are not the constants of " + nearest.name + " (" + nearest.header + ")";
  if (const auto missing = difference(nearest.constants, iterators); !missing.empty())
    message += "; add " + list(missing);
  if (const auto unknown = difference(iterators, nearest.constants); !unknown.empty())
    message += "; remove " + list(unknown);
  throw Error(message);
}

const Template &templateFor(const Constants &constants) {
  for (const Template &kernel : templates())
    if (std::ranges::all_of(kernel.constants, [&](const std::string &name) {
          return std::ranges::find(constants, name, &Constants::value_type::first) != constants.end();
        }))
      return kernel;
  throw Error("no kernel for CUDA devices has the constants of this space");
}

void setParameters(Space &space, const Variant &variant, const std::string &architecture) {
  int capability = 0, read = 0;
  if (std::sscanf(architecture.c_str(), "sm_%d%n", &capability, &read) != 1 || read != int(architecture.size()))
    throw Error("no architecture of CUDA devices: '" + architecture + "'; write it as sm_90");
  const auto set = [&](const char *name, std::int64_t value) {
    if (const int symbol = space.find(name); symbol >= 0 && space.symbols[symbol].kind == SymbolKind::Parameter) {
      space.symbols[symbol].value = Expr{};
      space.symbols[symbol].value.value = value;
    }
  };
  set("element_bytes", elementBytes(variant.type));
  set("is_complex", isComplex(variant.type));
  set("trans_a", variant.opA != 'n');
  set("trans_b", variant.opB != 'n');
  set("compute_capability", capability);
}

std::string sourceOf(const Template &kernel, const Constants &constants, const Variant &variant) {
  if (kernel.types.find(variant.type) == std::string::npos)
    throw Error(kernel.name + " is for the types " + kernel.types + ", not for " + variant.type);
  std::ostringstream text;
  text << "#include \"" << kernel.header << "\"\n"
       << "using namespace tla::cuda_gemm;\n"
       << "struct Config {\n"
       << "  using Element = " << elementOf(variant.type) << ";\n"
       << "  static constexpr Op opA = " << opOf(variant.opA) << ", opB = " << opOf(variant.opB) << ";\n";
  for (const std::string &name : kernel.constants)
    text << "  static constexpr int " << name << " = " << constant(constants, name) << ";\n";
  text << "};\n"
       << "using Kernel = " << kernel.name << "<Config>;\n"
       << "extern \"C\" __constant__ const int " << launchVariable << "[] = {Kernel::threads, Kernel::sharedBytes, "
       << "Config::blk_m, Config::blk_n, Kernel::texture, '" << variant.type << "', '" << variant.opA << "', '"
       << variant.opB << "', " << variant.isBatched << "};\n"
       << "extern \"C\" __global__ void __launch_bounds__(Kernel::threads, Kernel::blocks)\n"
       << kernelName << "("
       << (variant.isBatched ? "const Product<Config::Element> *products" : "Product<Config::Element> product")
       << ", Config::Element alpha, Config::Element beta) {\n"
       << "  Kernel::run(" << (variant.isBatched ? "products[blockIdx.y]" : "product") << ", alpha, beta);\n"
       << "}\n";
  return text.str();
}

LaunchShape launchOf(const std::string &cubin) {
  const std::string bytes = variableOf(cubin, launchVariable);
  LaunchShape launch;
  if (bytes.size() != sizeof(launch))
    throw Error("the cubin was made by another version of hetc");
  std::memcpy(&launch, bytes.data(), sizeof(launch));
  return launch;
}

} // namespace hetc::tuning::cuda
