// What tuning has found, kept in a file: a line of JSON each. Appended to as results come, so that what is known
// survives whatever ends the tuner.
//
//   {"hetc_tuning": 1, "kernel": ..., "device": ..., ...}                  first: what the results are of
//   {"point": [24, 8], "status": "measured", "gflops": 131.2, ...}         a candidate
//   {"final": [{"name": ..., "gflops": ...}, ...], "winner": ..., ...}     the last comparison
#pragma once

#include "kernels/tuning/enumerate.hpp"

#include <functional>
#include <memory>
#include <string>

namespace hetc::tuning {

/// The conditions of results: under others they mean nothing.
struct Identity {
  std::string kernel, target, type; ///< "gemm", "cpu", "d"
  std::string device, driver;       ///< as the system names them; no driver for processors
  std::string compiler;
  std::string sources;                ///< hash of everything that candidates are made of
  std::string problem;                ///< the problem that is timed: "n = 256, 1024"
  std::vector<std::string> iterators; ///< the values of points
};

enum class Status { Measured, Slow, Wrong, Uncompiled, Crashed, TimedOut, OutOfMemory };
const std::string &name(Status status); ///< "measured", "slow", "wrong", ...
/// Whether the result has a rate: slow candidates were abandoned early, but the rate is about right.
inline bool isRated(Status status) { return status == Status::Measured || status == Status::Slow; }

struct Result {
  Point point;
  Status status = Status::Measured;
  double gflops = 0, spread = 0; ///< isRated(): the median of the rounds; see Timing
  int rounds = 0;
  std::string message; ///< error message
};

/// The programs that are measured against each other at the end: candidates, the body that is used without tuning,
/// others for comparison, and the most that the device can do, which is no body.
enum class Kind { Candidate, Shipped, Library, Limit };

const std::string &name(Kind kind); ///< "candidate", "shipped", "library", "limit"

struct Finalist {
  std::string name; ///< "mr=24 nr=8", "tuned", "openblas", "fma"
  Kind kind = Kind::Candidate;
  double gflops = 0, spread = 0;
};

struct Final {
  std::vector<Finalist> finalists; ///< fastest first
  std::string
      winner; ///< the fastest candidate, or what is used without tuning if that is as fast; empty: neither is there
  std::string date; ///< "2026-11-20"

  /// The fastest of a kind; null: there is none.
  const Finalist *find(Kind kind) const;
  /// Null: there is none.
  const Finalist *findWinner() const;
};

class Database {
public:
  using Remark = std::function<void(const std::string &)>;

  /// Opens or creates the file of results of `identity` and holds its lock. With `resume` what is in there is read,
  /// else it starts anew, and what was there is kept as FILE.old. Lines that are no results are skipped with a remark.
  /// An error, as text, where the file is of another identity or version, or somebody else holds it. A file that cannot
  /// be written is a remark: results are kept in memory only.
  static std::variant<std::unique_ptr<Database>, std::string> open(const std::string &file, const Identity &identity,
                                                                   bool resume, Remark remark);
  ~Database();
  Database(const Database &) = delete;
  Database &operator=(const Database &) = delete;

  const std::vector<Result> &results() const { return results_; } ///< the oldest first
  const std::optional<Final> & final() const { return final_; }
  bool isWritten() const { return descriptor_ >= 0; }

  /// Keeps it, and writes it at once. A failure to write is a remark, once, and nothing more is written.
  void add(const Result &result);
  void add(const Final &final);

private:
  class Lock;
  Database(std::string file, Remark remark);
  std::string read(const Identity &identity);
  void readLine(const std::string &line, int number);
  void startWriting(const Identity &identity, bool anew);
  void append(const std::string &line);

  std::string file_;
  Remark remark_;
  std::unique_ptr<Lock> lock_;
  int descriptor_ = -1;
  std::size_t iterators_ = 0;
  std::vector<Result> results_;
  std::optional<Final> final_;
};

} // namespace hetc::tuning
