// A family of kernel bodies that a space describes: how a candidate is made, checked and timed on one kind of device.
//
// To add one: a class here, and a row in the table of families.cpp. Everything but identity() and flops() runs in
// processes of its own (isolate.hpp), so that the tuner's never touches a device.
#pragma once

#include "tools/tuner/database.hpp"

#include <memory>

namespace hetc::tuning {

/// The constants of a candidate: its iterators, and the parameters and derived values of the space.
using Constants = std::vector<std::pair<std::string, std::int64_t>>;

/// The effect of a search on this machine's programs.
struct Installed {
  std::string problem; ///< empty, or why nothing has changed
  /// The result for a pair of ops on a CUDA device: the size from which on the candidate is used (0: never), and rates
  /// of the largest products that were timed; or why the library is used.
  struct Product {
    std::string ops;
    int from;
    double gflops, libraryGflops;
    std::string problem;
  };
  std::vector<Product> products;
};

struct TuneOutcome;

/// A kernel's body that is loaded, or something that bodies are compared with.
class Body {
public:
  virtual ~Body() = default;
  /// Compares it with the reference kernel. Empty, or what is wrong.
  virtual std::string verify() = 0;
  /// Does the family's problem once; seconds.
  virtual double run() = 0;
};

struct Peer {
  std::string name; ///< "openblas", "fma"
  Kind kind = Kind::Library;
  std::unique_ptr<Body> body;
  double flops = 0; ///< flops of one run()
};

class Family {
public:
  virtual ~Family() = default;

  /// All but sources and iterators.
  virtual Identity identity() const = 0;
  /// The floating-point operations of one Body::run().
  virtual double flops() const = 0;
  /// Bytes of address space that evaluating a candidate may take, beyond what this process has.
  virtual long memory() const { return 4L << 30; }
  /// The values of the space's parameters of these names on this device.
  virtual Constants deviceParameters() const = 0;
  /// Makes the file `output` of a candidate. Returns the files that it was made of; empty after an error went to
  /// standard error.
  virtual std::vector<std::string> compile(const Constants &constants, const std::string &output) const = 0;
  /// Throws std::runtime_error.
  virtual std::unique_ptr<Body> load(const std::string &file) const = 0;
  /// The bodies to compare with; at most one is Kind::Shipped. `folder` is for temporary files.
  virtual std::vector<Peer> peers(const std::string &folder) const = 0;
  /// Whether programs can use a candidate, or it can only be measured.
  virtual bool isUsable(const Constants &) const { return true; }
  /// Makes what the final comparison has found what programs use on this device from then on. `best` are the constants
  /// of the fastest candidate that is usable, which need not have been faster than what is used without tuning.
  virtual Installed install(const TuneOutcome &outcome, const Constants &best, const std::string &folder) const = 0;
  /// Whether that has been done with this comparison.
  virtual bool isInstalled(const Final &) const { return true; }
};

struct FamilyRequest {
  std::string kernel, target, type; ///< "gemm", "cpu" or "cuda:0", one of s, d, c, z
  std::string space;                ///< file; what candidates are made of may be beside it
  std::vector<int> sizes;           ///< sizes of the problem; empty: the usual ones
  int threads = 1;                  ///< threads that compile
};

/// Empty, or that the target or the type is unknown, with the nearest known one.
std::string checkNames(const FamilyRequest &request);

/// The file of the target's space for a kernel and type, in hetc's folder of spaces; empty: there is none.
std::string usualSpace(const FamilyRequest &request);

/// The family, or why there is none: no candidates of this kernel, no such device, or their sources are missing.
std::variant<std::unique_ptr<Family>, std::string> makeFamily(FamilyRequest request);

} // namespace hetc::tuning
