// What programs and configurations have, so that a summary shows what was tried.
#include "tests/fuzz/campaign.hpp"

#include <algorithm>
#include <set>

namespace fuzz {

namespace {

void noteExpression(const Expression &whole, std::set<std::string> &features) {
  forEach(whole, [&](const Expression &expression) {
    switch (expression.kind) {
    case Operator::Divide:
      features.insert("with divisions");
      break;
    case Operator::Remainder:
      features.insert("with remainders");
      break;
    case Operator::Minimum:
    case Operator::Maximum:
      features.insert("with min or max");
      break;
    case Operator::Choose:
      features.insert("with ?:");
      break;
    case Operator::Extent:
      if (expression.member == "has")
        features.insert("that ask which tiles there are");
      break;
    default:
      break;
    }
  });
}

void noteLoop(const Statement &loop, std::set<std::string> &features) {
  if (loop.stepSign == "-=")
    features.insert("with loops that count down");
  if (loop.stepSign == "*=")
    features.insert("with trees");
  else if (!(loop.step == number(1)))
    features.insert("with steps above 1");
  for (const Expression *bound : {&loop.first, &loop.condition})
    forEach(*bound, [&](const Expression &expression) {
      if (expression.kind == Operator::Choose)
        features.insert("with ?: in bounds");
      if (expression.kind == Operator::Divide)
        features.insert("with divisions in bounds");
    });
}

void noteTask(const Statement &task, std::set<std::string> &features) {
  static const std::set<std::string> own = {"stir",   "renew",  "place",    "fill",        "swapParts", "cascade",
                                            "gather", "pour",   "tally",    "weigh",       "exchange",  "narrow",
                                            "widen",  "fold",   "increase", "raise",       "dominate",  "stamp",
                                            "clear",  "census", "advance",  "advanceAfter"};
  features.insert(own.count(task.callee) ? "with kernels without split rules" : "with standard kernels");
  if (!own.count(task.callee))
    features.insert("with " + task.callee);
  if (task.callee == "stamp" || task.callee == "census")
    features.insert("with values of tasks");
  if (!task.priority.empty())
    features.insert("with priorities");
  if (!task.device.empty())
    features.insert("with device clauses");
  if (task.at >= 0)
    features.insert("with at clauses");
  if (task.release >= 0)
    features.insert("with releases");
  int written = 0;
  for (const Argument &argument : task.arguments) {
    written += argument.kind != Argument::Kind::Value && argument.access != Access::Read;
    if (!argument.half.empty())
      features.insert("with halves of tiles");
    if (argument.transposed)
      features.insert("with transposes");
    if (!argument.view.empty())
      features.insert("with views");
    if (argument.kind == Argument::Kind::Panel)
      features.insert("with panels");
  }
  if (written > 1)
    features.insert("with several outputs");
}

void noteMatrix(const Matrix &matrix, std::set<std::string> &features) {
  if (matrix.kind == MatrixKind::Lower || matrix.kind == MatrixKind::Upper)
    features.insert("with triangular matrices");
  if (matrix.element != "T")
    features.insert("with tiles of " + matrix.element);
  if (matrix.kind == MatrixKind::Workspace)
    features.insert(std::string("with workspaces ") + (matrix.own ? "of their own" : "of the caller") +
                    (matrix.whole ? ", cut as a matrix" : ""));
  if (!matrix.owner.empty())
    features.insert("with workspaces of algorithms that others call");
  if (matrix.rows == 'h')
    features.insert("with divisions in sizes of workspaces");
}

void countFault(const Fault &fault, Counts &counts) {
  if (fault.ends())
    ++counts["cases with a rank that is silent for ever"];
  else if (fault.frozenMilliseconds > 0)
    ++counts[std::string("cases with a rank that stands still") +
             (fault.frozenMilliseconds > 1000 * fault.watchdogSeconds ? " for longer than the watchdog" : "")];
  if (fault.slowMicroseconds > 0)
    ++counts["cases with a slow rank"];
  if (fault.holdBack > 0)
    ++counts["cases with messages that are held back"];
}

} // namespace

void countFeatures(const Program &program, Counts &counts) {
  std::set<std::string> features;
  for (const Matrix &matrix : program.matrices)
    noteMatrix(matrix, features);
  forEachStatement(program.body, [&](const Statement &statement) {
    if (statement.kind == Statement::Kind::Loop)
      noteLoop(statement, features);
    if (statement.kind == Statement::Kind::If)
      features.insert("with conditions");
    if (statement.kind == Statement::Kind::Call)
      features.insert("with calls of algorithms");
    if (std::ranges::any_of(statement.arguments, [](const Argument &argument) { return !argument.tiles.empty(); }))
      features.insert("with parts of matrices");
    if (statement.kind == Statement::Kind::Until)
      features.insert("with loops that an element ends");
    if (statement.kind == Statement::Kind::Swap)
      features.insert("with swaps");
    if (statement.kind == Statement::Kind::Task)
      noteTask(statement, features);
    forEachExpression(statement, [&](const Expression &expression) { noteExpression(expression, features); });
  });
  if (isWide(program))
    features.insert("with integers that no int holds");
  if (callsItself(program))
    features.insert("with an algorithm that calls itself");
  for (const std::string &feature : features)
    ++counts["programs " + feature];
}

void countFeatures(const TrialPlan &plan, Counts &counts) {
  ++counts[std::string("programs of type ") + plan.type];
  if (!plan.march.empty())
    ++counts["programs with kernels compiled for " + plan.march];
  for (const Case &one : plan.cases) {
    const Variant &variant = plan.variants[one.variant];
    ++counts["cases with " + std::to_string(one.ranks) + " ranks"];
    ++counts["cases with " + std::to_string(variant.slices) + " slices"];
    if (one.ranks > 1) {
      const std::string &name = one.distribution;
      ++counts["cases with distribution " + name.substr(0, name.find(':')) +
               (name.find("reflected") == std::string::npos ? "" : " reflected") +
               (name.find("v=") == std::string::npos ? "" : " v=")];
      ++counts[one.byNodes ? "cases by loops of nodes, where there are" : "cases by replay"];
    }
    counts["cases with devices in a grid"] += one.deviceRows > 1;
    counts["cases with resident matrices"] += one.resident;
    counts["cases with tasks in blocks"] += !one.order.isProgramOrder();
    if (one.devices != "none")
      ++counts["cases with devices" +
               std::string(one.devices.find("mem=") == std::string::npos ? "" : " of little memory")];
    if (one.sizes.sparse)
      ++counts["cases in which not all tiles are there"];
    if (one.window < 100)
      ++counts["cases with small windows"];
    if (one.delayMicroseconds > 0)
      ++counts["cases with messages that overtake one another"];
    countFault(one.fault, counts);
  }
}

} // namespace fuzz
