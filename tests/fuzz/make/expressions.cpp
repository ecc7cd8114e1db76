#include "tests/fuzz/make/program_maker.hpp"

namespace fuzz {

/// The size of tile rows or columns of a matrix, as a member of it: A.mt().
Expression ProgramMaker::extentOf(const Matrix &matrix, bool rows) const {
  return extent(matrix.name, rows ? "mt" : "nt");
}

/// The number of tiles of a size, by some matrix that has it. 'h' is half of m's, rounded up.
Expression ProgramMaker::tiles(char size) {
  if (size == '1' || size == '2')
    return number(size - '0');
  if (size == 'h')
    return binary(Operator::Divide, binary(Operator::Add, tiles('m'), number(1)), number(2));
  std::vector<Expression> candidates;
  for (const Matrix &matrix : program_.matrices) {
    if (!matrix.whole || matrix.element != "T")
      continue;
    if (matrix.rows == size)
      candidates.push_back(extentOf(matrix, true));
    if (matrix.cols == size)
      candidates.push_back(extentOf(matrix, false));
  }
  return candidates.empty() ? extent("A", "mt") : random_.pick(candidates);
}

std::vector<Expression> ProgramMaker::indicesOf(char size) const {
  std::vector<Expression> found;
  for (const Index &index : indices_) {
    if (index.size == size)
      found.push_back(index.expression);
    if (size == 'h' && index.size == 'm')
      found.push_back(binary(Operator::Divide, index.expression, number(2)));
  }
  return found;
}

bool ProgramMaker::hasIndex(char size) const { return size == '1' || size == '2' || !indicesOf(size).empty(); }

/// The number of rows, or columns, of tiles after which the distribution repeats.
Expression ProgramMaker::period() {
  return extent(random_.pick(program_.matrices).name, random_.chance(70) ? "p" : "q");
}

/// Any integer, negative ones, too: small beside sizes.
Expression ProgramMaker::wild(int depth) {
  const unsigned kind = depth > 0 ? random_.below(12) : random_.below(4);
  switch (kind) {
  case 0:
    return periods_ && random_.chance(50) ? period() : number(random_.between(-2, 4));
  case 1:
    return random_.chance(70) ? tiles(random_.one({'m', 'n'})) : name("shift");
  case 2:
  case 3:
    return integers_.empty() ? extent("A", random_.chance(50) ? "mt" : "nt") : name(random_.pick(integers_));
  case 4:
    return binary(Operator::Add, wild(depth - 1), wild(depth - 1));
  case 5:
  case 6:
    return binary(Operator::Subtract, wild(depth - 1), wild(depth - 1));
  case 7:
    return binary(Operator::Divide, wild(depth - 1), number(random_.between(2, 3)));
  case 8:
    return binary(Operator::Remainder, wild(depth - 1), number(random_.between(2, 3)));
  case 9:
    return binary(random_.chance(50) ? Operator::Minimum : Operator::Maximum, wild(depth - 1), wild(depth - 1));
  case 10:
    return choose(comparison(), wild(depth - 1), wild(depth - 1));
  default:
    return random_.chance(60) ? binary(Operator::Multiply, number(random_.between(2, 3)), wild(depth - 1))
                              : unary(Operator::Negate, wild(depth - 1));
  }
}

Expression ProgramMaker::comparison() {
  static const std::vector<Operator> kinds = {Operator::Less,         Operator::LessEqual, Operator::Greater,
                                              Operator::GreaterEqual, Operator::Equal,     Operator::Unequal};
  if (sparse_ && random_.chance(30))
    if (const Matrix &matrix = random_.pick(program_.matrices); !matrix.own)
      return has(matrix.name, wild(1), wild(1));
  Expression left = wild(1), right = wild(1);
  while (left == right) // compilers warn of that
    right = number(random_.between(0, 99));
  return binary(random_.pick(kinds), left, right);
}

Expression ProgramMaker::condition(int depth) {
  if (!flags_.empty() && random_.chance(20))
    return random_.pick(flags_);
  switch (depth > 0 ? random_.below(6) : 0) {
  case 4:
    return binary(random_.chance(50) ? Operator::And : Operator::Or, condition(depth - 1), condition(depth - 1));
  case 5:
    return unary(Operator::Not, condition(depth - 1));
  default:
    return comparison();
  }
}

/// A bound of at least 0.
Expression ProgramMaker::lowBound(char size, int depth) {
  const std::vector<Expression> outer = indicesOf(size);
  switch (random_.below(8)) {
  case 0:
    return binary(Operator::Maximum, number(0), wild(1));
  case 1:
    return depth > 0 ? choose(comparison(), lowBound(size, depth - 1), lowBound(size, depth - 1)) : number(0);
  case 2:
    return binary(Operator::Divide, tiles(size), number(random_.between(2, 3)));
  case 3:
  case 4:
    if (!outer.empty())
      return random_.chance(50) ? random_.pick(outer) : binary(Operator::Add, random_.pick(outer), number(1));
    [[fallthrough]];
  default:
    return number(0);
  }
}

/// A bound of at most the number of tiles of that size.
Expression ProgramMaker::highBound(char size, int depth) {
  const std::vector<Expression> outer = indicesOf(size);
  switch (random_.below(11)) {
  case 0:
    return binary(Operator::Minimum, tiles(size), wild(1));
  case 1:
    return depth > 0 ? choose(comparison(), highBound(size, depth - 1), highBound(size, depth - 1)) : tiles(size);
  case 2:
    return binary(Operator::Divide, binary(Operator::Add, tiles(size), number(1)), number(2));
  case 3:
    return binary(Operator::Subtract, tiles(size), number(random_.between(1, 3)));
  case 4:
  case 5:
    if (!outer.empty())
      return random_.chance(50) ? random_.pick(outer) : binary(Operator::Add, random_.pick(outer), number(1));
    [[fallthrough]];
  case 6:
    return binary(Operator::Minimum, tiles(size), tiles(random_.one({'m', 'n'})));
  default:
    return tiles(size);
  }
}

/// From an index of the size: straight, mirrored, a neighbour where there is one, or clamped into the matrix.
Expression ProgramMaker::index(char size) {
  if (size == '1' || size == '2')
    return number(size == '1' ? 0 : random_.between(0, 1));
  const Expression v = random_.pick(indicesOf(size));
  switch (random_.below(13)) {
  case 0:
    return binary(Operator::Subtract, binary(Operator::Subtract, tiles(size), number(1)), v);
  case 1:
    return choose(binary(Operator::Greater, v, number(0)), binary(Operator::Subtract, v, number(1)), number(0));
  case 2:
    return choose(binary(Operator::Less, binary(Operator::Add, v, number(1)), tiles(size)),
                  binary(Operator::Add, v, number(1)), v);
  case 3:
    return number(0);
  case 4:
    return binary(Operator::Divide, v, number(2));
  case 5:
    return binary(Operator::Subtract, v, binary(Operator::Remainder, v, number(2)));
  case 6:
    return wildIndex(size);
  default:
    return v;
  }
}

/// Inside, as there is a tile of that size where one is in scope.
Expression ProgramMaker::wildIndex(char size) {
  const Expression last = binary(Operator::Subtract, tiles(size), number(1));
  return binary(Operator::Maximum, number(0), binary(Operator::Minimum, wild(wildness_), last));
}

Expression ProgramMaker::alpha(const std::string &element) {
  const Expression plain = convert(element, real(random_.one({"0.25", "0.0625", "0.5"})));
  if (element != "T")
    return plain;
  if (!reals_.empty() && random_.chance(40))
    return convert("T", random_.pick(reals_));
  switch (random_.below(6)) {
  case 0:
    return name("factor");
  case 1:
    return binary(Operator::Multiply, convert("T", unary(Operator::Negate, real("0.5"))), name("factor"));
  case 2: // not too large
    if (!integers_.empty())
      return convert("T", binary(Operator::Multiply,
                                 binary(Operator::Remainder, name(random_.pick(integers_)), number(5)), real("0.125")));
    [[fallthrough]];
  case 3:
    return integers_.empty()
               ? plain
               : choose(binary(Operator::Equal, name(random_.pick(integers_)), number(0)), name("factor"), plain);
  default:
    return plain;
  }
}

/// Makes the matrix of a call a part of it, which has a tile, and the call's indices those of one of its tiles.
void ProgramMaker::addPart(const Matrix &target, Argument &matrix, Statement &call) {
  std::vector<Expression> first, last; // row and column of tiles
  for (const char size : {target.rows, target.cols}) {
    first.push_back(number(0));
    // One that ends with the tiles of another size, wherever that is in this one: only its first tile is there for
    // sure.
    if (const char other = random_.one({'m', 'n', 'k'}); hasIndex(other) && random_.chance(25)) {
      matrix.tiles.insert(matrix.tiles.end(), {number(0), tiles(other)});
      last.push_back(number(0));
      continue;
    }
    const Expression begin = index(size);
    const bool isOne = random_.chance(30);
    const Expression end = isOne ? binary(Operator::Add, begin, number(1)) : tiles(size);
    matrix.tiles.insert(matrix.tiles.end(), {begin, end});
    last.push_back(binary(Operator::Subtract, binary(Operator::Subtract, end, number(1)), begin));
  }
  if (matrix.transposed) {
    std::swap(first[0], first[1]);
    std::swap(last[0], last[1]);
  }
  const auto one = [&](std::size_t of) { return valueArgument(random_.chance(50) ? first[of] : last[of]); };
  const Argument row = one(0), column = one(1);
  call.arguments = {matrix, row, column};
}

} // namespace fuzz
