#include "tests/unit/kernels/tuning/random_space.hpp"

#include <vector>

namespace hetc::tuning {

namespace {

class Generator {
public:
  explicit Generator(std::mt19937 &random) : random_(random) {}

  std::string run() {
    std::string text = "kernel gemm\nparam p = " + std::to_string(below(8)) + "\n";
    names_ = {"p"};
    const int iterators = 2 + below(3);
    for (int each = 0; each < iterators; ++each) {
      const std::string name(1, "ijkl"[each]);
      text += "iter " + name + " " + domain(each) + "\n";
      names_.push_back(name);
      if (below(2)) {
        const std::string derived = "d" + std::to_string(each);
        text += "let " + derived + " = " + expression(2) + "\n";
        names_.push_back(derived);
      }
    }
    const int constraints = 1 + below(4);
    for (int each = 0; each < constraints; ++each)
      text += "hard c" + std::to_string(each) + ": " + condition() + "\n";
    return text;
  }

private:
  int below(int bound) { return static_cast<int>(random_() % static_cast<unsigned>(bound)); }
  std::string number() { return std::to_string(below(7) - 1); }
  std::string name() { return names_[below(static_cast<int>(names_.size()))]; }

  std::string domain(int level) {
    switch (below(6)) {
    case 0:
      return "in -1, 0, 2, 5";
    case 1:
      return level > 0 ? "from " + name() + " step max(1, " + name() + ")" : "from 1";
    case 2:
      return "from " + name() + " to " + name() + " + " + std::to_string(below(6));
    default:
      return "from " + std::to_string(below(3)) + " to " + std::to_string(2 + below(6)) + (below(3) ? "" : " step 2");
    }
  }

  std::string expression(int depth) {
    if (depth == 0)
      return below(3) ? name() : number();
    const std::string a = expression(depth - 1), b = expression(depth - 1);
    switch (below(12)) {
    case 0:
      return "(" + a + " - " + b + ")";
    case 1:
      return "(" + a + " / " + b + ")";
    case 2:
      return "(" + a + " % max(1, " + b + "))";
    case 3:
      return "gcd(" + a + ", " + b + ")";
    case 4:
      return "max(" + a + ", " + b + ", 1)";
    case 5:
      return "min(" + a + ", " + b + ")";
    case 6:
      return "(" + condition() + " ? " + a + " : " + b + ")";
    case 7:
      return "(-(" + a + "))";
    case 8:
      return "(" + a + " / max(1, " + b + "))";
    case 9:
      return "(" + a + " * " + b + ")";
    default:
      return "(" + a + " + " + b + ")";
    }
  }

  std::string condition() {
    static const char *comparisons[] = {" < ", " <= ", " <= ", " > ", " >= ", " == ", " != "};
    const std::string simple = expression(1) + comparisons[below(7)] + expression(1);
    switch (below(6)) {
    case 0:
      return "(" + simple + " || " + name() + " > 3)";
    case 1:
      return "(" + simple + " && " + name() + " < 9)";
    case 2:
      return "!(" + simple + ")";
    case 3:
      return name() + " + " + name() + " * " + std::to_string(1 + below(3)) + " <= " + std::to_string(below(20));
    default:
      return simple;
    }
  }

  std::mt19937 &random_;
  std::vector<std::string> names_;
};

} // namespace

std::string randomSpace(std::mt19937 &random) { return Generator(random).run(); }

} // namespace hetc::tuning
