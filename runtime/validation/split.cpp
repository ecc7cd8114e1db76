#include "runtime/interfaces/validation.hpp"
#include "runtime/validation/random.hpp"
#include "runtime/validation/rounding.hpp"
#include "runtime/validation/samples.hpp"
#include "runtime/validation/survey.hpp"

#include <tla/runtime/error.hpp>
#include <tla/runtime/executor.hpp>
#include <tla/runtime/task_map.hpp>
#include <tla/value.hpp>

#include <algorithm>
#include <cstring>
#include <vector>

namespace tla::runtime {

using namespace validation;

namespace {

/// The limits of all cases together: tasks of the split program, and elements. A tenth of a second or two.
constexpr std::size_t mostTasks = 200'000, mostElements = 600'000;
constexpr int mostCases = 240;

/// The limits within which an effect of rounding (rounding.hpp) is excused: a difference no larger than so many times
/// the effect of rounding on the plain program, and so many cases of a matrix for each one that agrees.
constexpr double mostOfStray = 4;
constexpr int mostExcused = 4;

class SplitValidator {
public:
  explicit SplitValidator(const Algorithm &algorithm)
      : algorithm_(algorithm), executor_({.threads = 1, .window = 1024, .pin = false}), agreed_(algorithm.matrixCount),
        excused_(algorithm.matrixCount), excuses_(algorithm.matrixCount) {}

  std::optional<SplitDifference> run() {
    for (int number = 0; number < mostCases && tasks_ < mostTasks && elements_ < mostElements; ++number) {
      const SmallCall call = randomCall(algorithm_, number);
      try {
        if (const std::string difference = compare(call); !difference.empty())
          return SplitDifference{describe(algorithm_, call) + dealtText(call) + ": " + difference};
      } catch (const UsageError &) { // the program is not for these arguments
      }
    }
    return unproved();
  }

private:
  /// A task map of up to four elements.
  static TaskMap randomMap(std::uint64_t seed) {
    Random random(seed);
    std::vector<TaskMap::Element> elements;
    for (long count = random.between(0, 3); count > 0; --count)
      elements.push_back({static_cast<double>(random.between(0, 4)), static_cast<double>(random.between(1, 50))});
    elements.push_back({1, 1});
    return TaskMap(std::move(elements));
  }
  /// ", updates dealt 3:0:1"
  std::string dealtText(const SmallCall &call) const {
    std::string text;
    const TaskMap map = randomMap(call.seed);
    for (const TaskMap::Element &element : map.elements())
      text += (text.empty() ? ", updates dealt " : ":") + std::to_string(static_cast<int>(element.share));
    return algorithm_.isDealt() ? text : "";
  }

  /// Compares the two programs; empty where there is no difference, and for a case to pass over.
  std::string compare(const SmallCall &call) {
    const Sample split(algorithm_, call, /*cut=*/true), plain(algorithm_, call, /*cut=*/false);
    if (!split.exists() || !plain.exists())
      return "";
    const TaskMap map = randomMap(call.seed);
    Arguments arguments = split.arguments();
    arguments.taskMap = algorithm_.isDealt() ? &map : nullptr;
    // The serial elision does not look, and would take what is not there.
    if (call.sparse && !Survey(Distribution()).runs(algorithm_, arguments))
      return "";
    elements_ += plain.elements();
    double scale = 0;
    for (std::size_t i = 0; i < plain.count(); ++i)
      scale = std::max(scale, largest(plain.storage(i), algorithm_.matrices[i].type));
    // First the one that checks its indices.
    const EndlessValues endless; // what rounding decides is not compared
    const Outcome outcome = algorithm_.stages ? counted(executor_.run(algorithm_, arguments))
                                              : run([&](Generator &tasks) { algorithm_.generate(tasks, arguments); });
    if ((outcome.kind != Outcome::Kind::Finished && !isFaultOfSlice(outcome)) || !runsSerially(plain))
      return "";
    for (std::size_t i = 0; i < plain.count(); ++i)
      if (!algorithm_.matrices[i].workspace && !isFinite(plain.storage(i), algorithm_.matrices[i].type))
        return "";
    if (outcome.kind != Outcome::Kind::Finished)
      return "a task that splitting made fails (" + outcome.location + ", " + outcome.kernel + ": " + outcome.message +
             ")";
    const std::string difference = compareMatrices(call, split, plain, scale);
    return difference.empty() ? compareOrthogonal(call, split, scale) : difference;
  }

  Outcome run(const std::function<void(Generator &)> &program) { return counted(executor_.run(program)); }
  Outcome counted(Outcome outcome) {
    tasks_ += outcome.statistics.tasks;
    return outcome;
  }

  /// Arguments of a task on slices that do not fit together: of calls that fit, as all that are split. Calls of which
  /// that is not known stay on whole tiles, and the serial elision does not check them. Nor does it check indices,
  /// and what was written: where a tile is none, or has no content, the author's program is wrong, or what splitting
  /// made of it, which every run will say.
  static bool isFaultOfSlice(const Outcome &outcome) {
    return outcome.kind == Outcome::Kind::Fault && outcome.slice >= 0 && !outcome.outside;
  }

  /// False where a view is outside its tile.
  bool runsSerially(const Sample &plain) const {
    try {
      algorithm_.serial(plain.arguments());
      return true;
    } catch (const std::exception &) {
      return false;
    }
  }

  std::string compareMatrices(const SmallCall &call, const Sample &split, const Sample &plain, double scale) {
    std::vector<double> strays; // of the plain program from itself
    for (std::size_t i = 0; i < plain.count(); ++i) {
      const auto found = compareMatrix(i, split, plain, scale);
      if (!found) {
        agreed_[i] += plain.storage(i).m() > 0 && plain.storage(i).n() > 0;
        continue;
      }
      const std::string difference = std::string(algorithm_.matrices[i].name) + text(*found, "in the plain program");
      if (strays.empty())
        strays = straysOf(call, plain, scale);
      if (!(distance(split.storage(i), plain.storage(i), algorithm_.matrices[i].type) <= mostOfStray * strays[i]))
        return difference;
      if (excused_[i]++ == 0)
        excuses_[i] = describe(algorithm_, call) + ": " + difference;
    }
    return "";
  }

  std::optional<Deviation> compareMatrix(std::size_t i, const Sample &one, const Sample &plain, double scale) const {
    const MatrixParameter &parameter = algorithm_.matrices[i];
    if (parameter.workspace && algorithm_.slices() > 1) // what is in it may depend on the cut
      return std::nullopt;
    const double values = std::max(scale, largest(plain.storage(i), parameter.type));
    return deviation(one.storage(i), plain.storage(i), parameter.type, values);
  }

  /// By matrix, how far the plain program gets from itself when it rounds otherwise; 0: no further than by rounding.
  std::vector<double> straysOf(const SmallCall &call, const Sample &plain, double scale) const {
    std::vector<double> strays(plain.count());
    for (const int mode : otherRoundings) {
      const Sample rounded(algorithm_, call, /*cut=*/false);
      const Rounding rounding(mode);
      if (!runsSerially(rounded))
        continue;
      for (std::size_t i = 0; i < plain.count(); ++i)
        if (compareMatrix(i, rounded, plain, scale))
          strays[i] = std::max(strays[i], distance(rounded.storage(i), plain.storage(i), algorithm_.matrices[i].type));
    }
    return strays;
  }

  /// A matrix that rounding decides nearly always has not been compared.
  std::optional<SplitDifference> unproved() const {
    for (std::size_t i = 0; i < excused_.size(); ++i)
      if (mostExcused * agreed_[i] < excused_[i])
        return SplitDifference{excuses_[i]};
    return std::nullopt;
  }

  static std::string text(const Deviation &found, const char *where) {
    return "(" + std::to_string(found.row) + ", " + std::to_string(found.column) + ") is " + found.value + ", and " +
           found.expected + " " + where;
  }

  /// Compares Q where A = Q R, whose R was compared: Q^H A has R on and above the diagonal, zeros below.
  std::string compareOrthogonal(const SmallCall &call, const Sample &split, double scale) {
    const CheckCall &apply = algorithm_.checkCall;
    if (!apply.generate || std::strcmp(algorithm_.check, "qr") != 0)
      return "";
    const Sample original(algorithm_, call, /*cut=*/true);
    Storage &B = original.storage(0), &A = split.storage(0);
    std::vector<Storage *> matrices;
    for (int i = 0; i < apply.matrixCount; ++i)
      matrices.push_back(apply.matrices[i] < 0 ? &B : &split.storage(apply.matrices[i]));
    std::vector<ScalarValue> scalars;
    for (int i = 0; i < apply.scalarCount; ++i)
      scalars.push_back(apply.scalars[i] < 0 ? ScalarValue{static_cast<long>(Op::ConjTrans)}
                                             : call.scalars[apply.scalars[i]]);
    const Arguments arguments{matrices.data(), scalars.data()};
    if (run([&](Generator &tasks) { apply.generate(tasks, arguments); }).kind != Outcome::Kind::Finished)
      return "";
    const ElementType type = algorithm_.matrices[0].type;
    withType(type, [&](auto zero) {
      for (long j = 0; j < A.n(); ++j)
        for (long i = j + 1; i < A.m(); ++i)
          element<decltype(zero)>(A, i, j) = zero;
    });
    const auto found = deviation(B, A, type, std::max(scale, largest(A, type)));
    return found ? std::string("of Q^H ") + algorithm_.matrices[0].name + ", (" + text(*found, "in R").substr(1) : "";
  }

  const Algorithm &algorithm_;
  Executor executor_;
  std::size_t tasks_ = 0, elements_ = 0;
  std::vector<int> agreed_, excused_; // cases, by matrix
  std::vector<std::string> excuses_;  // the first of each
};

} // namespace

std::optional<SplitDifference> validateSplit(const Algorithm &algorithm) {
  if (algorithm.mapping == Mapping() || !algorithm.serial)
    return std::nullopt;
  return SplitValidator(algorithm).run();
}

} // namespace tla::runtime
