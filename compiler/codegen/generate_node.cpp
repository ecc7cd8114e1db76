#include "compiler/codegen/append.hpp"
#include "runtime/distribution/distribution.hpp"

#include <algorithm>

namespace hetc::codegen {

namespace {

using specialize::Block;

constexpr IntegerRange coordinates{0, tla::Distribution::maxPeriod}; ///< range of coordinates of nodes

constexpr std::size_t mostOptimized = 400; // which takes about two seconds

/// How long the text is: ranges of loops and statements.
std::size_t sizeOf(const Block &block) {
  std::size_t size = 0;
  for (const specialize::Statement &statement : block)
    if (const auto *loop = std::get_if<std::unique_ptr<specialize::Loop>>(&statement))
      size += (*loop)->ranges.size() + sizeOf((*loop)->body);
    else if (const auto *branch = std::get_if<std::unique_ptr<specialize::If>>(&statement))
      size += 1 + sizeOf((*branch)->then);
    else
      ++size;
  return size;
}

class NodeEmitter {
public:
  NodeEmitter(CxxWriter &out, const ir::Program &program, const std::vector<TaskPlan> &plans)
      : out_(out), program_(program), appender_(out, program, plans) {}

  void emit(const NodeGenerator &generator) {
    hasParts_ = generator.program->parts > 1;
    integers().bind(specialize::nodeX, coordinates);
    integers().bind(specialize::nodeY, coordinates);
    emitTable("nodeNumbers__", generator.nodes);
    if (hasParts_) {
      emitTable("ownNumbers__", generator.own);
      emitTable("parts__", generator.parts);
    }
    out_ << "\n// For " << generator.distribution << ": what one node does.\n";
    // Optimizers take more than proportional time for long functions.
    if (sizeOf(generator.program->body) > mostOptimized)
      out_ << "[[clang::optnone]] ";
    out_ << "void generateNode(rt::Generator &tasks, [[maybe_unused]] const rt::Arguments &arguments,\n"
         << "                  [[maybe_unused]] int " << specialize::nodeX << ", [[maybe_unused]] int "
         << specialize::nodeY << ") {\n";
    if (checksArguments(program_))
      out_ << "  requireArguments(arguments);\n";
    appender_.declareArguments();
    emitPeriodCheck(generator.p, generator.q);
    if (hasParts_)
      declareParts(*generator.program);
    emitBlock(generator.program->body, 1);
    out_ << "}\n";
  }

private:
  /// The loops are made for one period, and wrong for any other.
  void emitPeriodCheck(int p, int q) {
    if (p == 0)
      return;
    out_ << "  rt::requirePeriod({" << p << ", " << q << "}, {";
    for (const ir::Matrix &matrix : program_.matrices)
      if (program_.isParameter(matrix))
        out_ << (&matrix == &program_.matrices.front() ? "{\"" : ", {\"") << matrix.name << "\", " << matrix.name
             << ".p(), " << matrix.name << ".q()}";
    out_ << "});\n";
  }

  /// Rows that end early go on with -1.
  void emitTable(const std::string &name, const std::vector<std::vector<int>> &table) {
    std::size_t columns = 0;
    for (const std::vector<int> &row : table)
      columns = std::max(columns, row.size());
    out_ << "\nconst int " << name << "[" << table.size() << "][" << columns << "] = {\n";
    for (const std::vector<int> &row : table) {
      out_ << "    {";
      for (std::size_t y = 0; y < columns; ++y)
        out_ << (y ? ", " : "") << (y < row.size() ? row[y] : -1);
      out_ << "},\n";
    }
    out_ << "};\n";
  }

  void declareParts(const specialize::NodeProgram &program) {
    out_ << "  const int node__ = ownNumbers__[" << specialize::nodeX << "][" << specialize::nodeY << "];\n"
         << "  [[maybe_unused]] rt::PartTransfers<" << program.versionLength << "> transfers__(tasks, node__);\n";
    for (int part = 0; part < program.parts; ++part) {
      const specialize::PartNames names = specialize::partNames(part);
      integers().bind(names.x, coordinates);
      integers().bind(names.y, coordinates);
      const std::string at = "parts__[node__][" + std::to_string(2 * part);
      out_ << "  [[maybe_unused]] const bool " << names.exists << " = " << at << "] >= 0;\n"
           << "  [[maybe_unused]] const int " << names.x << " = max(0, " << at << "]), " << names.y << " = max(0, "
           << at << " + 1]);\n";
    }
  }

  void emitBlock(const Block &block, int depth) {
    for (const specialize::Statement &statement : block)
      std::visit([&](const auto &child) { emitStatement(child, depth); }, statement);
  }

  void emitStatement(const std::unique_ptr<specialize::Loop> &loop, int depth) {
    const IntegerRange values = valuesOf(*loop);
    loop->ranges.size() == 1 ? beginLoop(loop->variable, loop->ranges.front(), depth) : beginUnion(*loop, depth);
    integers().bind(loop->variable, values);
    if (loops_ == 0)
      appender_.endWhenStopped(depth + 1);
    ++loops_;
    emitBlock(loop->body, depth + 1);
    --loops_;
    appender_.indent(depth) << "}\n";
  }

  /// The range from the least first to the greatest last value.
  IntegerRange valuesOf(const specialize::Loop &loop) {
    IntegerRange values{INT32_MAX, INT32_MIN};
    for (const specialize::Range &range : loop.ranges) {
      values.least = std::min(values.least, integers().rangeOf(range.first).least);
      values.greatest = std::max(values.greatest, integers().rangeOf(range.last).greatest);
    }
    values = {std::max(values.least, intRange.least), std::min(values.greatest, intRange.greatest)};
    return values.least <= values.greatest ? values : intRange;
  }

  void beginLoop(const std::string &variable, const specialize::Range &range, int depth) {
    integers().bind(variable, intRange);
    appender_.indent(depth) << "for (int " << variable << " = " << integers().asInt(range.first) << "; "
                            << integers().value(specialize::isWithin(variable, range)) << "; " << variable
                            << " += " << range.step << ") {\n";
  }

  void beginUnion(const specialize::Loop &loop, int depth) {
    const std::string all = loop.variable + "__all";
    appender_.indent(depth) << "for (rt::Ranges<" << loop.ranges.size() << "> " << all << "({\n";
    for (const specialize::Range &range : loop.ranges)
      appender_.indent(depth + 3) << "{" << integers().asInt(range.first) << ", " << integers().asInt(range.last)
                                  << ", " << range.step << (range.when ? ", " + integers().value(range.when) : "")
                                  << "},\n";
    appender_.indent(depth + 1) << "}); " << all << ".next();) {\n";
    appender_.indent(depth + 1) << "[[maybe_unused]] const int " << loop.variable << " = " << all << ".value();\n";
    for (std::size_t r = 0; r < loop.ranges.size(); ++r)
      appender_.indent(depth + 1) << "[[maybe_unused]] const bool " << loop.ranges[r].member << " = " << all << ".in("
                                  << r << ");\n";
  }

  void emitStatement(const std::unique_ptr<specialize::If> &branch, int depth) {
    appender_.indent(depth) << "if (" << integers().value(branch->condition) << ") {\n";
    emitBlock(branch->then, depth + 1);
    appender_.indent(depth) << "}\n";
  }

  void emitStatement(const specialize::Let &let, int depth) {
    appender_.indent(depth) << "const bool " << let.name << " = " << integers().value(let.value) << ";\n";
  }

  void emitStatement(const specialize::OwnTask &own, int depth) { appender_.append(*own.task, own.indices, depth); }

  void emitStatement(const specialize::Transfer &transfer, int depth) {
    static const char *functions[] = {"send", "receive", "release"};
    static const char *regions[] = {"Full", "Lower", "Upper"};
    const bool isMessage = transfer.peerX != nullptr;
    appender_.indent(depth) << (isMessage && hasParts_ ? "transfers__." : "tasks.")
                            << functions[static_cast<int>(transfer.kind)] << "(" << TaskAppender::tiles(transfer.matrix)
                            << ", " << integers().asInt(transfer.row) << ", " << integers().asInt(transfer.column);
    if (isMessage)
      out_ << ", tla::Region::" << regions[static_cast<int>(transfer.region)] << ", nodeNumbers__["
           << integers().asInt(transfer.peerX) << "][" << integers().asInt(transfer.peerY) << "], "
           << (transfer.priority ? integers().nearestInt(transfer.priority) : "0");
    if (isMessage && hasParts_) {
      out_ << ", {";
      for (std::size_t i = 0; i < transfer.version.size(); ++i)
        out_ << (i ? ", " : "") << integers().asInt(transfer.version[i]);
      out_ << "}";
    }
    out_ << ");\n";
  }

  Integers &integers() { return appender_.integers(); }

  std::ostream &out_;
  const ir::Program &program_;
  TaskAppender appender_;
  bool hasParts_ = false;
  int loops_ = 0; ///< around the statement being emitted
};

} // namespace

void emitGenerateNode(CxxWriter &out, const ir::Program &program, const std::vector<TaskPlan> &plans,
                      const NodeGenerator &generator) {
  NodeEmitter(out, program, plans).emit(generator);
}

} // namespace hetc::codegen
