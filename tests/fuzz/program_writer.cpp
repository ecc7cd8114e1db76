#include "tests/fuzz/program_writer.hpp"

namespace fuzz {

std::string ProgramWriter::write(const std::string &name) {
  declareMatrices();
  inner_ = name + "_inner";
  budget_ = 4 + static_cast<int>(below(5));
  out_ = "#include \"kernels.hpp\"\n\n" + callee() + "#pragma tla algorithm shape(" + shapes() +
         ")\ntemplate <typename T> void " + name + "(" + parameters() + ") {\n";
  writeWorkspaces();
  while (budget_ > 0)
    writeLoop(1);
  return out_ + "}\n";
}

/// Workspaces are written as a whole before anything else.
void ProgramWriter::writeWorkspaces() {
  line(1, "tla::Workspace<T> W(A.mt(), 2, A.nb(), A.nb());");
  line(1, "tla::Workspace<int> N(A.mt(), 1, A.nb(), 1);");
  line(1, "for (int w = 0; w < A.mt(); ++w) {");
  for (const char *call : {"fill(T(0.5), W(w, 0))", "fill(T(0.5), W(w, 1))", "clear(N(w, 0))"}) {
    line(2, "#pragma tla task");
    line(2, std::string(call) + ";");
  }
  line(1, "}");
  for (const Matrix &matrix : matrices_) {
    if (!matrix.own)
      continue;
    const std::string &V = matrix.name, i = V + "_i", j = V + "_j";
    line(1, "tla::Workspace<T> " + V + "(" + matrix.sizes + ");");
    line(1, "for (int " + j + " = 0; " + j + " < " + V + ".nt(); ++" + j + ")");
    line(2, "for (int " + i + " = 0; " + i + " < " + tiles(matrix.rows) + "; ++" + i + ") {");
    line(3, "#pragma tla task");
    line(3, "fill(T(0.25), " + V + "(" + i + ", " + j + "));");
    line(2, "}");
  }
}

/// An algorithm to be inlined, whose parameters convert what they are given.
std::string ProgramWriter::callee() const {
  return "#pragma tla algorithm\n"
         "template <typename T> void " +
         inner_ +
         "(tla::Matrix<T> M, int i, int j, double w, int c, bool flag, T factor) {\n"
         "  const double half = c / 2.0;\n"
         "  #pragma tla task\n"
         "  stir(T(w / 2 + half), M(i, j));\n"
         "  if (flag == 1) {\n"
         "    #pragma tla task\n"
         "    stir(T(c / 2) * factor, M(i, j));\n"
         "  }\n"
         "}\n\n";
}

void ProgramWriter::declareMatrices() {
  matrices_ = {{"A", "Matrix", 'm', 'n', chance(30), "m, n"}};
  if (chance(70)) {
    const char cols = chance(50) ? 'k' : 'm';
    matrices_.push_back({"B", "Matrix", 'n', cols, chance(20), std::string("n, ") + cols});
  }
  if (chance(50))
    matrices_.push_back({"L", "LowerMatrix", 'n', 'n', chance(30), "n, n"});
  if (chance(30))
    matrices_.push_back({"U", "UpperMatrix", 'm', 'm', false, "m, m"});
  if (chance(40)) // the caller's
    matrices_.push_back({"S", "Workspace", 'm', 'n', chance(20), workspaceSizes('m', 'n')});
  if (chance(50))
    matrices_.push_back({"V", "Workspace", 'n', 'm', chance(20), workspaceSizes('n', 'm'), true});
}

/// Of a workspace with the tiles of a matrix of that shape: cut as A is, or all tiles of one size.
std::string ProgramWriter::workspaceSizes(char rows, char cols) {
  const auto ofA = [](char size, const char *tiles) {
    return std::string("A.") + (size == 'm' ? "m" : "n") + tiles + "()";
  };
  if (chance(60))
    return ofA(rows, "") + ", " + ofA(cols, "") + ", A.nb()";
  return ofA(rows, "t") + ", " + ofA(cols, "t") + (chance(50) ? ", 3, A.nb()" : ", A.mb(), shift + 1");
}

std::string ProgramWriter::parameters() const {
  std::string text;
  for (const Matrix &matrix : matrices_)
    if (!matrix.own)
      text += "tla::" + matrix.kind + "<T> " + matrix.name + ", ";
  return text + "int shift, T factor";
}

std::string ProgramWriter::shapes() const {
  std::string text;
  for (const Matrix &matrix : matrices_)
    if (!matrix.own)
      text += (text.empty() ? "" : ", ") + matrix.name + "(" + matrix.sizes + ")";
  return text;
}

/// The number of tiles of a size, as an expression of some matrix that has it.
std::string ProgramWriter::tiles(char size) const {
  for (const Matrix &matrix : matrices_) {
    if (matrix.rows == size)
      return matrix.name + ".mt()";
    if (matrix.cols == size)
      return matrix.name + ".nt()";
  }
  return "A.mt()";
}

void ProgramWriter::writeBlock(int depth) {
  const unsigned statements = 1 + below(3);
  for (unsigned i = 0; i < statements; ++i) {
    const unsigned kind = below(10);
    if (kind < 4 && depth < 4)
      writeLoop(depth);
    else if (kind < 6 && depth < 5)
      writeIf(depth);
    else
      writeTask(depth);
  }
}

void ProgramWriter::writeLoop(int depth) {
  static const std::string sizes = "mmnnk";
  char size = pick(sizes);
  if (tiles(size) == "A.mt()")
    size = 'm';
  const std::string variable = "v" + std::to_string(nextVariable_++), end = tiles(size);
  std::string from = "0", to = end;
  for (const Variable &outer : variables_)
    if (outer.size == size && chance(40))
      chance(50) ? from = outer.name + (chance(50) ? " + 1" : "") : to = outer.name + (chance(50) ? " + 1" : "");
  const std::string step = chance(20) ? " += 2" : " += 1";
  if (chance(25))
    line(depth, "for (int " + variable + " = " + to + " - 1; " + variable + " >= " + from + "; --" + variable + ") {");
  else
    line(depth, "for (int " + variable + " = " + from + "; " + variable + " < " + to + "; " + variable + step + ") {");
  variables_.push_back({variable, size});
  const std::size_t visible = reals_.size();
  if (chance(30))
    writeLocals(depth + 1, variable);
  writeBlock(depth + 1);
  reals_.resize(visible);
  flags_.resize(visible);
  variables_.pop_back();
  line(depth, "}");
  --budget_;
}

/// Constants whose declarations convert: int to double, double to int, int to bool.
void ProgramWriter::writeLocals(int depth, const std::string &variable) {
  const std::string number = std::to_string(nextVariable_++);
  line(depth, "const double d" + number + " = " + variable + ";");
  line(depth, "const int h" + number + " = 0.5 * " + variable + " + d" + number + " / 4;");
  line(depth, "const bool b" + number + " = h" + number + ";");
  reals_.push_back(chance(50) ? "d" + number + " / 4" : "h" + number + " / 2 * 0.25");
  flags_.push_back("b" + number + " == 1");
}

void ProgramWriter::writeIf(int depth) {
  line(depth, "if (" + condition() + ") {");
  writeBlock(depth + 1);
  if (chance(40)) {
    line(depth, "} else {");
    writeBlock(depth + 1);
  }
  line(depth, "}");
}

std::string ProgramWriter::condition() {
  if (!flags_.empty() && chance(30))
    return pick(flags_);
  const Variable &v = pick(variables_);
  Variable w = pick(variables_); // never compared with itself: compilers warn
  if (w.name == v.name)
    w.name = "shift";
  switch (below(6)) {
  case 0:
    return v.name + " % 2 == " + std::to_string(below(2));
  case 1:
    return v.name + " < " + w.name + " || " + v.name + " > shift";
  case 2:
    return v.name + " + " + w.name + " < " + tiles(v.size);
  case 3:
    return v.name + " != " + w.name + " && !(" + w.name + " == 1)";
  case 4:
    return v.name + " / 2 >= shift";
  default:
    return v.name + " <= shift + 1";
  }
}

/// An index inside the dimension: from a loop over it, straight, mirrored, or a neighbour where there is one.
std::string ProgramWriter::index(char size) {
  std::vector<std::string> loops;
  for (const Variable &variable : variables_)
    if (variable.size == size)
      loops.push_back(variable.name);
  const std::string v = pick(loops), end = tiles(size);
  switch (below(8)) {
  case 0:
    return end + " - 1 - " + v;
  case 1:
    return v + " > 0 ? " + v + " - 1 : 0";
  case 2:
    return v + " + 1 < " + end + " ? " + v + " + 1 : " + v;
  case 3:
    return "0";
  case 4:
    return v + " / 2";
  default:
    return v;
  }
}

bool ProgramWriter::canIndex(const Matrix &matrix) const {
  bool rows = false, cols = false;
  for (const Variable &variable : variables_) {
    rows |= variable.size == matrix.rows;
    cols |= variable.size == matrix.cols;
  }
  return rows && cols;
}

std::vector<const ProgramWriter::Matrix *> ProgramWriter::indexable(bool generalOnly) const {
  std::vector<const Matrix *> found;
  for (const Matrix &matrix : matrices_)
    if (canIndex(matrix) && (!generalOnly || matrix.isGeneral()))
      found.push_back(&matrix);
  return found;
}

std::string ProgramWriter::tileOf(const Matrix &matrix, bool mayRegion) {
  std::string text;
  if (matrix.isGeneral()) {
    const std::string i = index(matrix.rows), j = index(matrix.cols);
    text = matrix.name + "(" + i + ", " + j + ")";
    if (!mayRegion && chance(20))
      text += chance(50) ? view(".rows(", matrix.name + ".mb()", matrix.name + ".m()", i)
                         : view(".cols(", matrix.name + ".nb()", matrix.name + ".n()", j);
  } else {
    // Diagonal tiles, and first column or row: always inside a triangle.
    const std::string i = index(matrix.rows);
    text = chance(50)                     ? matrix.name + "(" + i + ", " + i + ")"
           : matrix.kind == "LowerMatrix" ? matrix.name + "(" + i + ", 0)"
                                          : matrix.name + "(0, " + i + ")";
  }
  if (matrix.regions && mayRegion && chance(60))
    text += chance(50) ? ".lower()" : ".upper()";
  return text;
}

/// Some rows or columns of the tile `index`, where the matrix has `all` in tiles of `each`.
std::string ProgramWriter::view(const std::string &member, const std::string &each, const std::string &all,
                                const std::string &index) {
  const std::string size = "min(" + each + ", " + all + " - (" + index + ") * " + each + ")";
  switch (below(4)) {
  case 0:
    return member + "0, " + size + " - 1)";
  case 1:
    return member + size + " / 3, 0)";
  case 2:
    return member + "0, 1)";
  default:
    return member + size + " / 2, " + size + " - " + size + " / 2)";
  }
}

std::string ProgramWriter::tile(bool mayRegion) {
  const auto candidates = indexable(false);
  bool rows = false;
  for (const Variable &variable : variables_)
    rows |= variable.size == 'm';
  if (candidates.empty() || (rows && chance(25)))
    return rows ? "W(" + index('m') + ", " + (chance(50) ? "0" : "1") + ")" : "";
  return tileOf(*pick(candidates), mayRegion);
}

std::string ProgramWriter::panel() {
  const auto candidates = indexable(true);
  if (candidates.empty())
    return "";
  const Matrix &matrix = *pick(candidates);
  std::vector<std::string> loops;
  for (const Variable &variable : variables_)
    if (variable.size == matrix.rows)
      loops.push_back(variable.name);
  const std::string v = pick(loops), end = tiles(matrix.rows);
  const std::string range = chance(50) ? v + ", " + end : chance(50) ? "0, " + v : v + " + 1, " + end;
  return matrix.name + ".panel(" + range + ", " + index(matrix.cols) + ")";
}

/// A tile of int.
std::string ProgramWriter::counter() {
  for (const Variable &variable : variables_)
    if (variable.size == 'm')
      return "N(" + index('m') + ", 0)";
  return "";
}

std::string ProgramWriter::alpha() {
  if (!reals_.empty() && chance(40))
    return "T(" + pick(reals_) + ")";
  static const std::vector<std::string> choices = {"T(0.25)", "factor", "T(-0.5) * factor", "T(0.0625)"};
  return chance(20) ? "(" + pick(variables_).name + " == 0 ? factor : T(0.5))" : pick(choices);
}

std::string ProgramWriter::taskCall() {
  const std::string c = tile(true), plainC = tile(false), a = tile(true), plainA = tile(false), plainB = tile(false);
  if (c.empty() || plainC.empty() || a.empty() || plainA.empty() || plainB.empty())
    return "";
  switch (below(12)) {
  case 9:
    if (const std::string n = counter(); !n.empty())
      return "tally(" + plainA + ", " + n + ")";
    [[fallthrough]];
  case 10:
    if (const std::string n = counter(); !n.empty())
      return "weigh(" + n + ", " + plainC + ")";
    [[fallthrough]];
  case 11:
    if (const std::string p = panel(), q = panel(); !p.empty() && p.front() != q.front())
      return "exchange(" + p + ", " + q + ")";
    [[fallthrough]];
  case 0:
    return "stir(" + alpha() + ", " + c + ")";
  case 1:
    return "place(" + alpha() + ", " + plainA + ", " + plainC + ")";
  case 2:
    return "fill(" + alpha() + ", " + plainC + ")";
  case 3:
    return "swapParts(" + plainA + ", " + plainC + ")";
  case 4:
    if (const std::string p = panel(); !p.empty())
      return "cascade(" + alpha() + ", " + p + ", " + plainA + ")";
    [[fallthrough]];
  case 5:
    if (const std::string p = panel(); !p.empty())
      return "gather(" + alpha() + ", " + p + ", " + plainC + ")";
    [[fallthrough]];
  case 6:
    return "pour(" + alpha() + ", " + a + ", " + c + ")";
  default:
    return "fold(" + alpha() + ", " + plainA + ", " + plainB + ", " + plainC + ")";
  }
}

void ProgramWriter::writeTask(int depth) {
  if (const auto general = indexable(true); !general.empty() && chance(10)) {
    const Matrix &matrix = *pick(general);
    const std::string v = pick(variables_).name;
    line(depth, inner_ + "(" + matrix.name + ", " + index(matrix.rows) + ", " + index(matrix.cols) + ", " + v + ", " +
                    v + " * 0.75, " + v + ", factor);");
    --budget_;
    return;
  }
  const std::string call = taskCall();
  if (call.empty())
    return;
  static const std::vector<std::string> clauses = {"", "", "", " priority(3)"};
  line(depth, "#pragma tla task" + (chance(10) ? " priority(-" + pick(variables_).name + ")" : pick(clauses)));
  line(depth, call + ";");
  --budget_;
}

void ProgramWriter::line(int depth, const std::string &text) { out_ += std::string(2 * depth, ' ') + text + "\n"; }

} // namespace fuzz
