#include "compiler/codegen/append.hpp"

namespace hetc::codegen {

namespace {

using specialize::Block;

class NodeEmitter {
public:
  NodeEmitter(std::ostream &out, const ir::Program &program, const std::vector<TaskPlan> &plans)
      : out_(out), program_(program), appender_(out, program, plans) {}

  void emit(const NodeGenerator &generator) {
    emitNumbers(generator.nodes);
    out_ << "\n// For " << generator.distribution << ": what one node does.\n";
    out_ << "void generateNode(rt::Generator &tasks, [[maybe_unused]] const rt::Arguments &arguments,\n"
         << "                  [[maybe_unused]] int " << specialize::nodeX << ", [[maybe_unused]] int "
         << specialize::nodeY << ") {\n";
    if (checksArguments(program_))
      out_ << "  requireArguments(arguments);\n";
    appender_.declareArguments();
    emitPeriodCheck(generator.p, generator.q);
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

  /// The numbers of nodes by their coordinates.
  void emitNumbers(const std::vector<std::vector<int>> &nodes) {
    out_ << "\nconst int nodeNumbers__[" << nodes.size() << "][" << nodes.front().size() << "] = {\n";
    for (const std::vector<int> &row : nodes) {
      out_ << "    {";
      for (std::size_t y = 0; y < row.size(); ++y)
        out_ << (y ? ", " : "") << row[y];
      out_ << "},\n";
    }
    out_ << "};\n";
  }

  void emitBlock(const Block &block, int depth) {
    for (const specialize::Statement &statement : block)
      std::visit([&](const auto &child) { emitStatement(child, depth); }, statement);
  }

  void emitStatement(const std::unique_ptr<specialize::Loop> &loop, int depth) {
    loop->ranges.size() == 1 ? beginLoop(loop->variable, loop->ranges.front(), depth) : beginUnion(*loop, depth);
    if (loops_ == 0)
      appender_.endWhenStopped(depth + 1);
    ++loops_;
    emitBlock(loop->body, depth + 1);
    --loops_;
    appender_.indent(depth) << "}\n";
  }

  void beginLoop(const std::string &variable, const specialize::Range &range, int depth) {
    appender_.indent(depth) << "for (int " << variable << " = " << ir::print(*range.first) << "; "
                            << ir::print(*specialize::isWithin(variable, range)) << "; " << variable
                            << " += " << range.step << ") {\n";
  }

  void beginUnion(const specialize::Loop &loop, int depth) {
    const std::string all = loop.variable + "__all";
    appender_.indent(depth) << "for (rt::Ranges<" << loop.ranges.size() << "> " << all << "({\n";
    for (const specialize::Range &range : loop.ranges)
      appender_.indent(depth + 3) << "{" << ir::print(*range.first) << ", " << ir::print(*range.last) << ", "
                                  << range.step << (range.when ? ", " + ir::print(*range.when) : "") << "},\n";
    appender_.indent(depth + 1) << "}); " << all << ".next();) {\n";
    appender_.indent(depth + 1) << "[[maybe_unused]] const int " << loop.variable << " = " << all << ".value();\n";
    for (std::size_t r = 0; r < loop.ranges.size(); ++r)
      appender_.indent(depth + 1) << "[[maybe_unused]] const bool " << loop.ranges[r].member << " = " << all << ".in("
                                  << r << ");\n";
  }

  void emitStatement(const std::unique_ptr<specialize::If> &branch, int depth) {
    appender_.indent(depth) << "if (" << ir::print(*branch->condition) << ") {\n";
    emitBlock(branch->then, depth + 1);
    appender_.indent(depth) << "}\n";
  }

  void emitStatement(const specialize::Let &let, int depth) {
    appender_.indent(depth) << "const bool " << let.name << " = " << ir::print(*let.value) << ";\n";
  }

  void emitStatement(const specialize::OwnTask &own, int depth) { appender_.append(*own.task, own.indices, depth); }

  void emitStatement(const specialize::Transfer &transfer, int depth) {
    static const char *functions[] = {"send", "receive", "release"};
    static const char *regions[] = {"Full", "Lower", "Upper"};
    appender_.indent(depth) << "tasks." << functions[static_cast<int>(transfer.kind)] << "("
                            << TaskAppender::tiles(transfer.matrix) << ", " << ir::print(*transfer.row) << ", "
                            << ir::print(*transfer.column);
    if (transfer.peerX)
      out_ << ", tla::Region::" << regions[static_cast<int>(transfer.region)] << ", nodeNumbers__["
           << ir::print(*transfer.peerX) << "][" << ir::print(*transfer.peerY) << "]";
    out_ << ");\n";
  }

  std::ostream &out_;
  const ir::Program &program_;
  TaskAppender appender_;
  int loops_ = 0; ///< around the statement being emitted
};

} // namespace

void emitGenerateNode(std::ostream &out, const ir::Program &program, const std::vector<TaskPlan> &plans,
                      const NodeGenerator &generator) {
  NodeEmitter(out, program, plans).emit(generator);
}

} // namespace hetc::codegen
