#include "tests/fuzz/configuration.hpp"

#include "dsl/base/processor.hpp"
#include "runtime/distribution/distribution.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>

namespace fuzz {

namespace {

#if defined(__x86_64__)
constexpr bool knowsLevels = true;
#else
constexpr bool knowsLevels = false;
#endif

class Drawer {
public:
  Drawer(const Program &program, const Bounds &bounds, const std::string &directory, Random &random)
      : program_(program), bounds_(bounds), directory_(directory), random_(random) {}

  TrialPlan draw() {
    TrialPlan plan;
    plan.type = "sdczdz"[random_.below(6)];
    plan.suit(program_);
    plan.variants.push_back({.distribution = random_.chance(85) ? loopsOfNodes() : ""});
    if (bounds_.mostSlices > 1 && random_.chance(random_.chance(3) || !aliases() ? 70 : 0) && !callsItself(program_))
      plan.variants.push_back(
          {.slices = random_.between(2, bounds_.mostSlices), .distribution = random_.chance(60) ? loopsOfNodes() : ""});
    if (const int most = std::min(4, bounds_.mostRanks);
        most > 1 && random_.chance(addsUp(program_) ? 85 : 15) && !callsItself(program_))
      plan.variants.push_back(forCopies(random_.between(2, most)));
    for (std::size_t variant = 0; variant < plan.variants.size(); ++variant)
      for (int i = 0; i < bounds_.cases / static_cast<int>(plan.variants.size()); ++i)
        if (const auto one = drawCase(static_cast<int>(variant), plan.variants[variant], i))
          plan.cases.push_back(*one);
    if (random_.chance(15))
      plan.march = drawMarch();
    return plan;
  }

private:
  /// One tile as two arguments of a kernel is one memory where tiles are whole.
  bool aliases() const {
    try {
      return interpret(program_, {9, 8, 7, 2, 1, 1}).aliases;
    } catch (const Invalid &) {
      return true;
    }
  }

  /// Several versions of each kernel, or one that this processor can run.
  std::string drawMarch() {
    std::vector<std::string> marches = {"all", "native"};
    for (const char *level : {"x86-64-v2", "x86-64-v3", "x86-64-v4"})
      if (knowsLevels && tla::hasFeatures(level))
        marches.push_back(level);
    return random_.pick(marches);
  }

  Variant forCopies(int copies) {
    const int nodes = random_.between(1, bounds_.mostRanks / copies);
    const std::string one = random_.chance(25) ? reflected(nodes) : grid(nodes);
    return {.copies = copies, .distribution = canonical(one + ",copies=" + std::to_string(copies))};
  }

  /// A grid for whose nodes the compiler may find loops.
  std::string loopsOfNodes() {
    const int ranks = random_.chance(60) ? std::min(bounds_.mostRanks, random_.one({2, 3, 4})) : manyRanks();
    if (ranks > 2 && random_.chance(10))
      return canonical("g2dbc:" + std::to_string(ranks));
    return random_.chance(35) ? reflected(ranks) : grid(ranks);
  }
  int manyRanks() { return random_.between(std::min(2, bounds_.mostRanks), bounds_.mostRanks); }

  std::pair<int, int> shape(int ranks) {
    std::vector<int> rows;
    for (int P = 1; P <= ranks; ++P)
      if (ranks % P == 0)
        rows.push_back(P);
    const int P = random_.pick(rows);
    return {P, ranks / P};
  }
  std::string grid(int ranks) {
    const auto [P, Q] = shape(ranks);
    const std::string text = "2dbc:" + std::to_string(P) + "x" + std::to_string(Q);
    return canonical(random_.chance(20) ? text + ",v=" + std::to_string(random_.between(2, 3)) : text);
  }
  std::string reflected(int ranks) {
    const auto [P, Q] = shape(ranks);
    std::string text = "2dbc:" + std::to_string(P) + "x" + std::to_string(Q);
    if (random_.chance(15))
      text += ",v=2";
    text += ",reflected";
    if (random_.chance(75))
      text += "=" + std::to_string(random_.between(0, 2 * P - 1)) + ":" + std::to_string(random_.between(0, 2 * Q - 1));
    return canonical(text);
  }
  std::string table(int ranks) {
    const int rows = random_.between(1, 4), columns = (ranks + rows - 1) / rows + random_.between(0, 2);
    std::vector<int> nodes;
    for (int i = 0; i < rows * columns; ++i)
      nodes.push_back(i < ranks ? i : random_.between(0, ranks - 1));
    for (std::size_t i = nodes.size(); i > 1; --i)
      std::swap(nodes[i - 1], nodes[random_.below(static_cast<unsigned>(i))]);
    const std::string path =
        (std::filesystem::path(directory_) / (program_.name + "-" + std::to_string(tables_++) + ".table")).string();
    std::ofstream file(path);
    for (int i = 0; i < rows * columns; ++i)
      file << nodes[i] << ((i + 1) % columns ? " " : "\n");
    return "file:" + path;
  }
  std::string weighted(int ranks) {
    std::string text = "weighted";
    for (int node = 0; node < ranks; ++node)
      text += ":" + std::to_string(1 + random_.below(4));
    return canonical(text);
  }
  std::string generalized(int ranks) {
    std::string text = "g2dbc:" + std::to_string(ranks);
    if (random_.chance(50))
      text += ",reflected=" + std::to_string(random_.below(20)) + ":" + std::to_string(random_.below(20));
    return canonical(text);
  }
  std::string anyDistribution(int ranks) {
    switch (random_.below(12)) {
    case 0:
    case 1:
      return table(ranks);
    case 2:
      return "row:" + std::to_string(ranks);
    case 3:
      return "col:" + std::to_string(ranks);
    case 4:
    case 5:
      return tla::Distribution::symmetricBlockCyclic(ranks) ? "sbc:" + std::to_string(ranks) : grid(ranks);
    case 6:
    case 7:
      return reflected(ranks);
    case 8:
      return weighted(ranks);
    case 9:
      return generalized(ranks);
    default:
      return grid(ranks);
    }
  }
  static std::string canonical(const std::string &text) { return tla::parseDistribution(text).name(); }
  static int nodes(const std::string &distribution) { return tla::parseDistribution(distribution).nodes(); }

  std::optional<Case> drawCase(int number, const Variant &variant, int turn) {
    Case one;
    one.variant = number;
    one.seed = 1 + random_.below(1000);
    drawRanks(one, variant, turn);
    const auto sizes = drawSizes(variant.slices, periodOf(one));
    if (!sizes)
      return std::nullopt;
    one.sizes = *sizes;
    if (variant.slices > 1 && random_.chance(75))
      one.slice = random_.between(1, (one.sizes.nb - 1) / (variant.slices - 1));
    drawMachine(one);
    return one;
  }

  /// The distribution's own, or without loops of nodes another one.
  tla::Period periodOf(const Case &one) {
    if (!one.byNodes && random_.chance(one.ranks > 1 ? 10 : 50))
      return {random_.between(1, 4), random_.between(1, 4)};
    return tla::parseDistribution(one.distribution).period();
  }

  /// The first two by the loops of nodes, the third with one rank, the others as they come.
  void drawRanks(Case &one, const Variant &variant, int turn) {
    one.byNodes = !variant.distribution.empty() && (turn < 2 || random_.chance(20));
    if (one.byNodes) {
      one.distribution = variant.distribution;
      one.ranks = nodes(variant.distribution);
    } else if (turn != 2 && random_.chance(75)) {
      one.ranks = manyRanks();
      one.distribution = one.ranks > 1 ? anyDistribution(one.ranks) : "2dbc:1x1";
    }
  }

  void drawMachine(Case &one) {
    one.threads = one.ranks > 1 ? (random_.chance(25) ? 2 : 1) : random_.between(1, bounds_.mostThreads);
    one.window = random_.one({1, 2, 3, 17, 64, 8192, 8192});
    one.renameBytes = random_.one({std::size_t{0}, std::size_t{2000}, std::size_t{64} << 20});
    one.fanOut = random_.between(1, 4);
    // Of 200 and 2000 bytes some tiles fit and others do not, or one does beside no other: relays decline.
    one.forwardBytes = random_.one({std::size_t{0}, std::size_t{200}, std::size_t{2000}, std::size_t{256} << 20});
    if (one.ranks > 1 && random_.chance(35))
      one.delayMicroseconds = random_.one({5, 50, 400});
    if (random_.chance(35)) {
      one.deviceCount = random_.between(1, 4);
      one.devices = "emulated:" + std::to_string(one.deviceCount);
      if (const int rows = random_.between(1, one.deviceCount); one.deviceCount % rows == 0)
        one.deviceRows = rows;
      if (random_.chance(50))
        one.devices += random_.one({",mem=16K", ",mem=64K", ",mem=3M"});
      if (random_.chance(40))
        one.devices += random_.one({",together=2", ",together=5", ",together=3:20", ",together=8:300"});
      one.resident = random_.chance(40);
      if (!one.resident && !one.byNodes && random_.chance(50))
        one.order = {random_.between(1, 4), random_.between(1, 4), random_.chance(50)};
    }
  }

  /// Sizes at which the program is right, in at most 6 tiles each way.
  std::optional<Sizes> drawSizes(int slices, tla::Period period) {
    for (int attempt = 0; attempt < 8; ++attempt) {
      Sizes sizes;
      sizes.p = period.rows;
      sizes.q = period.columns;
      sizes.nb = slices > 1 ? random_.between(slices, 12) : random_.between(1, 7);
      const auto size = [&] {
        const int nb = sizes.nb;
        return random_.chance(15) ? random_.one({0, 1, nb - 1, nb, nb + 1}) : random_.between(1, 5 * nb + nb / 2);
      };
      sizes.m = size();
      sizes.n = size();
      sizes.k = size();
      sizes.shift = random_.between(0, 5);
      sizes.ib = random_.between(1, sizes.nb);
      if (asksTiles_ && random_.chance(70))
        sizes.sparse = random_.between(1, 1000);
      try {
        interpret(program_, sizes);
        return sizes;
      } catch (const Invalid &) {
      }
    }
    return std::nullopt;
  }

  const Program &program_;
  const Bounds &bounds_;
  const std::string &directory_;
  Random &random_;
  int tables_ = 0;
  const bool asksTiles_ = asksTiles(program_);
};

} // namespace

void TrialPlan::suit(const Program &program) {
  asksPeriod = fuzz::asksPeriod(program);
  matrices.clear();
  for (const Matrix &matrix : program.matrices)
    if (matrix.kind != MatrixKind::Workspace)
      matrices.push_back(matrix.name);
  const auto hasSizeK = [](const Matrix &matrix) {
    return !matrix.own && matrix.sizes.size() == 2 && (matrix.rows == 'k' || matrix.cols == 'k');
  };
  sizes = std::ranges::any_of(program.matrices, hasSizeK) ? "mnk" : "mn";
}

TrialPlan drawPlan(const Program &program, const Bounds &bounds, const std::string &directory, Random &random) {
  return Drawer(program, bounds, directory, random).draw();
}

void writePatterns(const Program &program, const TrialPlan &plan, const std::string &file) {
  for (const Case &one : plan.cases)
    for (const Shape &shape : one.sizes.sparse ? shapesOf(program, one.sizes) : std::vector<Shape>()) {
      const MatrixKind kind = program.find(shape.matrix)->kind;
      const auto isStored = [kind](long i, long j) {
        return kind == MatrixKind::Lower ? i >= j : kind != MatrixKind::Upper || i <= j;
      };
      std::string entries;
      long count = 0;
      for (long j = 0; j < shape.n; j += one.sizes.nb)
        for (long i = 0; i < shape.m; i += one.sizes.nb)
          if (isStored(i, j) && isPresent(one.sizes.sparse, shape.matrix, i / one.sizes.nb, j / one.sizes.nb)) {
            entries += std::to_string(i + 1) + " " + std::to_string(j + 1) + "\n";
            ++count;
          }
      std::ofstream(patternFile(file, shape.matrix, one.sizes)) << "%%MatrixMarket matrix coordinate pattern general\n"
                                                                << shape.m << " " << shape.n << " " << count << "\n"
                                                                << entries;
    }
}

std::string commandLine(const std::string &file, const TrialPlan &plan, const Case &one) {
  const Variant &variant = plan.variants[one.variant];
  const auto number = [](const char *option, long value) {
    return std::string(" ") + option + " " + std::to_string(value);
  };
  std::string text = one.ranks > 1 ? "mpirun --oversubscribe --bind-to none -n " + std::to_string(one.ranks) + " " : "";
  text += "hetc run " + file + " --type " + plan.type + number("-m", one.sizes.m) + number("-n", one.sizes.n) +
          (plan.sizes == "mnk" ? number("-k", one.sizes.k) : "") + number("--nb", one.sizes.nb) +
          number("--set shift=", one.sizes.shift) + number("--set ib=", one.sizes.ib) +
          number("--seed", static_cast<long>(one.seed)) + number("--threads", one.threads) +
          number("--window", one.window) + " --devices " + one.devices;
  if (one.deviceRows > 1) {
    text += " --device-grid " + std::to_string(one.deviceRows) + "x" +
            std::to_string(one.deviceCount / one.deviceRows) + " --device-weights 1";
    for (int device = 1; device < one.deviceCount; ++device)
      text += ":1";
  }
  if (one.resident)
    text += " --resident";
  if (!one.order.isProgramOrder())
    text += " --order " + std::to_string(one.order.rows) + "x" + std::to_string(one.order.columns) +
            (one.order.bySteps ? ":steps" : "");
  if (!plan.march.empty())
    text += " --march " + plan.march;
  if (variant.slices > 1)
    text += number("--split", variant.slices);
  if (variant.copies > 1)
    text += number("--copies", variant.copies);
  if (one.slice)
    text += number("--slice", *one.slice);
  if (one.ranks > 1)
    text += " --dist " + one.distribution + " --generator " + (one.byNodes ? "auto" : "replay");
  if (plan.asksPeriod)
    text += " --period " + std::to_string(one.sizes.p) + "x" + std::to_string(one.sizes.q);
  for (const std::string &matrix : one.sizes.sparse ? plan.matrices : std::vector<std::string>())
    text += " --pattern " + matrix + "=" + patternFile(file, matrix, one.sizes);
  for (std::size_t at; (at = text.find("= ")) != std::string::npos;)
    text.erase(at + 1, 1);
  const std::string fault = faultText(one.fault);
  return fault.empty() ? text : text + " # " + fault;
}

} // namespace fuzz
