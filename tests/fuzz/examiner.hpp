// One compiled algorithm in one configuration: whether it does what it should. In this process: what may crash or never
// end.
#pragma once

#include "tests/fuzz/call.hpp"

#include "runtime/interfaces/cost.hpp"

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>

namespace fuzz {

/// A failure. Two failures of one kind are taken for the same defect.
struct Failure {
  std::string kind;   ///< "differs from one thread"
  std::string detail; ///< "A on rank 1"
};

/// How often something was done.
using Counts = std::map<std::string, std::uint64_t>;

/// Called before each part of the work, with a word for it.
using Step = std::function<void(const std::string &part)>;

/// The known result of a case of the program on whole tiles.
struct Expected {
  std::uint64_t tasks = 0;
  bool misfits = false;   ///< some task's arguments do not fit together, so that every run has to refuse it
  bool unwritten = false; ///< some task reads what nobody wrote: so, too
  /// Some integer does not fit 64 bits: every run refuses it, or computes what it stands for exactly, by another way.
  bool overflows = false;
  int iterations = -1; ///< iterations of the loop that an element may end; -1: there is none
  bool endedEarly = false;

  /// The iteration in which an element ends the loop; 0: it ends by itself.
  int lastIteration() const { return endedEarly ? iterations : 0; }
  bool isRefused() const { return misfits || unwritten; }
};

class Examiner {
public:
  /// `checked`: the result of one thread is judged by the algorithm's own check, too. `elision`: whose serial elision
  /// is the one to compare with.
  Examiner(const tla::runtime::Algorithm &algorithm, Step step, Counts &counts, bool checked = false,
           const tla::runtime::Algorithm *elision = nullptr)
      : algorithm_(algorithm), elision_(elision ? *elision : algorithm), step_(std::move(step)), counts_(counts),
        checked_(checked) {}

  std::optional<Failure> examine(const Case &one, const std::optional<Expected> &expected);

private:
  bool isRefused() const { return told_ && told_->isRefused(); }
  bool isSaidToOverflow(const std::string &message) const;
  int lastIteration() const { return told_ ? told_->lastIteration() : 0; }
  std::optional<Failure> makeExpected();
  std::optional<Failure> compareWithElision(const Call &serial, const tla::runtime::Statistics &done);
  std::string strayBeyondRounding(const Call &serial);
  std::optional<Failure> sameInstances();
  std::optional<Failure> sameInstances(const tla::runtime::Arguments &arguments);
  std::optional<Failure> runOnRanks();
  std::optional<Failure> runTogether(const tla::runtime::Algorithm &algorithm, const tla::runtime::Cost &cost,
                                     class Network *network);
  std::optional<Failure> leftMessages(Network &network) const;

  const tla::runtime::Algorithm &algorithm_, &elision_;
  Step step_;
  Counts &counts_;
  bool checked_;

  // Of the case at hand.
  const Case *case_ = nullptr;
  std::optional<Expected> told_;
  tla::host::Settings settings_;
  tla::Distribution distribution_;
  std::optional<Call> expected_;
};

} // namespace fuzz
