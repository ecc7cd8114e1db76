// Writes random affine tile programs: loops in both directions and with steps, conditions, several matrices of all
// kinds, workspaces of both forms (the algorithm's own and the caller's, also as the matrix of another algorithm),
// tiles of int, regions, panels, several outputs, scalar parameters, constants that convert, calls of another
// algorithm. Every program is right by construction: indices stay inside and workspaces are written first, so hetc must
// accept it.
#pragma once

#include <cstdint>
#include <random>
#include <string>
#include <vector>

namespace fuzz {

class ProgramWriter {
public:
  explicit ProgramWriter(std::uint64_t seed) : random_(seed) {}

  /// The text of a .tla file with one algorithm of this name.
  std::string write(const std::string &name);

private:
  /// A size symbol: loops run over its tiles and indices of its dimensions come from such loops.
  struct Matrix {
    std::string name, kind;
    char rows, cols; // 'm', 'n' or 'k'
    bool regions;
    std::string sizes; // of a shape clause or constructor
    bool own = false;  // declared in the algorithm
    bool isGeneral() const { return kind == "Matrix" || kind == "Workspace"; }
  };
  struct Variable {
    std::string name;
    char size;
  };

  unsigned below(unsigned bound) { return static_cast<unsigned>(random_() % bound); }
  bool chance(unsigned percent) { return below(100) < percent; }
  template <typename Container> const auto &pick(const Container &from) {
    return from[below(static_cast<unsigned>(from.size()))];
  }

  void declareMatrices();
  std::string workspaceSizes(char rows, char cols);
  void writeWorkspaces();
  std::string callee() const;
  std::string parameters() const;
  std::string shapes() const;
  std::string tiles(char size) const;
  void writeBlock(int depth);
  void writeLoop(int depth);
  void writeIf(int depth);
  void writeLocals(int depth, const std::string &variable);
  void writeTask(int depth);
  std::string taskCall();
  std::string condition();
  std::string index(char size);
  std::string tile(bool mayRegion);
  std::string tileOf(const Matrix &matrix, bool mayRegion);
  std::string view(const std::string &member, const std::string &each, const std::string &all,
                   const std::string &index);
  std::string panel();
  std::string counter();
  std::string alpha();
  bool canIndex(const Matrix &matrix) const;
  std::vector<const Matrix *> indexable(bool generalOnly) const;
  void line(int depth, const std::string &text);

  std::mt19937_64 random_;
  std::vector<Matrix> matrices_;
  std::vector<Variable> variables_;
  std::vector<std::string> reals_, flags_; ///< expressions over local constants, innermost last
  std::string inner_;                      ///< the algorithm that is called
  std::string out_;
  int nextVariable_ = 0, budget_ = 0;
};

} // namespace fuzz
