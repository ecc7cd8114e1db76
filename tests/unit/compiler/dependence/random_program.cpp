#include "tests/unit/compiler/dependence/random_program.hpp"

#include <random>
#include <vector>

namespace hetc::test {

namespace {
class Generator {
public:
  Generator(std::uint32_t seed, bool guarded, bool called) : random_(seed), guarded_(guarded), called_(called) {}

  std::string run() {
    useHalves_ = chance(40);
    std::string body;
    if (called_)
      variables_.push_back("c");
    for (int nest = chance(70) ? 1 : 2; nest > 0; --nest)
      body += loop(0);
    if (called_)
      body = "for (int c = 0; c < 3; ++c) {\n" + body + "}\n";
    return "program random(A, L, p) type d source \"random.tla\" {\n  size m\n  size n\n  Matrix<d> A(m, n)\n"
           "  LowerMatrix<d> L(n, n)\n  Workspace<d> W(A.nt(), A.mt(), A.nb(), A.nb())" +
           std::string(called_ ? " in(c)" : "") + "\n  int p\n" + kernels_ + body + "}\n";
  }

private:
  struct Tile {
    std::string matrix, row, rowEnd, column; // rowEnd: empty for a single tile
  };

  int pick(int low, int high) { return std::uniform_int_distribution<int>(low, high)(random_); }
  bool chance(int percent) { return pick(1, 100) <= percent; }
  std::string pick(const std::vector<std::string> &choices) {
    return choices[static_cast<std::size_t>(pick(0, static_cast<int>(choices.size()) - 1))];
  }

  std::string extent() { return pick({"A.mt()", "A.nt()", "L.nt()", "W.mt()"}); }

  std::string expr() {
    const std::string number = std::to_string(pick(0, 2));
    if (variables_.empty() || chance(10))
      return pick({number, extent() + " - 1", "p"});
    const std::string v = pick(variables_), w = pick(variables_);
    switch (pick(0, 24)) {
    case 0:
      return v + " + " + number;
    case 1:
      return v + " - " + number;
    case 2:
      return extent() + " - 1 - " + v;
    case 3:
      return v + " / 2";
    case 4:
      return "(" + v + " - 2) % 3";
    case 5:
      return "min(" + v + ", " + w + ")";
    case 6:
      return "max(" + v + ", " + w + " - 1)";
    case 7:
      return "(" + v + " < " + w + " ? " + w + " : " + v + " / -2)";
    case 8:
      return number;
    case 9:
    case 10:
      return v + " + " + number;
    case 11:
    case 12:
      return v + " - " + number;
    default:
      return v;
    }
  }

  std::string condition() {
    const std::string comparison = expr() + pick({" < ", " <= ", " > ", " >= ", " == ", " != "}) + expr();
    return chance(25) ? comparison + pick({" && ", " || "}) + "!(" + expr() + " % 2 == 1)" : comparison;
  }

  std::string loop(int depth) {
    const std::string v = std::string("i").append(std::to_string(loops_++)), low = chance(60) ? "0" : expr(),
                      high = extent();
    std::string head;
    switch (pick(0, 9)) {
    case 0:
      head = v + " = " + high + " - 1; " + v + " >= " + low + "; --" + v;
      break;
    case 1:
      head = v + " = " + high + "; " + v + " > 0; " + v + " = " + v + " - 2";
      break;
    case 2:
      head = v + " = " + low + "; " + v + " <= " + high + " - 1; " + v + " = " + v + " + 2";
      break;
    case 3:
      head = v + " = 0; " + v + " != " + high + "; ++" + v;
      break;
    case 4:
      head = v + " = " + low + "; " + v + " < " + high + " && " + v + " != " + expr() + "; ++" + v;
      break;
    default:
      head = v + " = " + low + "; " + v + " < " + high + "; ++" + v;
    }
    variables_.push_back(v);
    std::string body;
    for (int statement = pick(1, 2); statement > 0; --statement)
      body += depth < 2 && chance(depth ? 25 : 50) ? loop(depth + 1) : chance(25) ? branch() : task();
    variables_.pop_back();
    return "for (int " + head + ") {\n" + body + "}\n";
  }

  std::string branch() {
    std::string text = "if (" + condition() + ") {\n" + task() + "}";
    return chance(50) ? text + " else {\n" + task() + "}\n" : text + "\n";
  }

  std::string task() {
    std::string parameters, arguments, guard;
    for (int argument = 0, count = chance(70) ? 2 : pick(1, 3); argument < count; ++argument) {
      const bool isPanel = chance(15);
      const std::string access = argument == 0 ? pick({"rw", "write"}) : pick({"read", "rw", "write", "read"});
      const Tile tile = makeTile(isPanel);
      if (argument)
        parameters += ", ", arguments += ", ";
      parameters += access + (isPanel ? " panel a" : " a") + std::to_string(argument);
      arguments += access + " " + tile.matrix;
      if (isPanel)
        arguments += ".panel(" + tile.row + ", " + tile.rowEnd + ", " + tile.column + ")";
      else
        arguments += "(" + tile.row + ", " + tile.column + ")" + half(isPanel);
      guard += (guard.empty() ? "" : " && ") + insideOf(tile);
      if (called_ && tile.matrix == "W" && access == "write" && chance(50))
        guard += " && c == 0"; // so that later calls find it written by the first
    }
    const std::string id = std::to_string(tasks_++);
    kernels_ += "  kernel k" + id + "<T>(" + parameters + ")\n";
    const std::string call = "task " + id + " k" + id + "(" + arguments + ")\n";
    return guarded_ || chance(70) ? "if (" + guard + ") {\n" + call + "}\n" : call;
  }

  std::string half(bool isPanel) { return useHalves_ && !isPanel && chance(50) ? pick({".lower()", ".upper()"}) : ""; }

  Tile makeTile(bool isPanel) {
    Tile tile{called_ ? pick({"A", "L", "W", "W"}) : pick({"A", "A", "L", "L", "W"}), expr(), "", expr()};
    if (isPanel) {
      tile.row = "max(" + tile.row + ", " + (tile.matrix == "L" ? "max(0, " + tile.column + ")" : "0") + ")";
      tile.rowEnd = "min(" + expr() + ", " + tile.matrix + ".mt())";
    }
    return tile;
  }

  static std::string insideOf(const Tile &tile) {
    std::string text = tile.column + " >= 0 && " + tile.column + " < " + tile.matrix + ".nt()";
    if (tile.rowEnd.empty())
      text += " && " + tile.row + " >= 0 && " + tile.row + " < " + tile.matrix + ".mt()" +
              (tile.matrix == "L" ? " && " + tile.row + " >= " + tile.column : "");
    return text;
  }

  std::mt19937 random_;
  bool guarded_, called_, useHalves_ = false;
  int loops_ = 0, tasks_ = 0;
  std::vector<std::string> variables_;
  std::string kernels_;
};
} // namespace

std::string randomProgram(std::uint32_t seed, bool guarded, bool called) {
  return Generator(seed, guarded, called).run();
}

} // namespace hetc::test
