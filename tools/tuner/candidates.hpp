// The candidates of a space as a set that strategies move in: by number, with distances and neighbours.
#pragma once

#include "kernels/tuning/enumerate.hpp"

#include <string>

namespace hetc::tuning {

class Candidates {
public:
  /// `names` are the iterators', from the outermost loop inwards; `points` ascend, and there is at least one.
  Candidates(std::vector<std::string> names, std::vector<Point> points);

  int size() const { return static_cast<int>(points_.size()); }
  const std::vector<std::string> &names() const { return names_; }
  const Point &operator[](int candidate) const { return points_[candidate]; }
  /// A point's number, or -1.
  int find(const Point &point) const;
  /// "mr=24 nr=8": what users read and the database keeps.
  std::string text(int candidate) const;

  /// Between 0 and the number of iterators: by how much of its range each iterator differs, in steps of values that
  /// some candidate has.
  double distance(int a, int b) const;

  /// One iterator changed to the next admissible value, up and down: the candidate that differs in nothing else where
  /// there is one, else the nearest of those with the next value. Without repetitions.
  std::vector<int> neighbours(int candidate) const;

private:
  int rank(int candidate, std::size_t iterator) const { return ranks_[candidate * names_.size() + iterator]; }

  std::vector<std::string> names_;
  std::vector<Point> points_;
  std::vector<int> ranks_;    ///< by candidate and iterator: its value's place among all that candidates have
  std::vector<double> steps_; ///< one over the number of steps from the first value of each iterator to its last
};

/// "mr=24 nr=8" of names and values.
std::string textOf(const std::vector<std::string> &names, const Point &point);

/// The space's default configuration; none where an iterator has no default, or it cannot be computed.
std::optional<Point> defaultPoint(const EnumerationPlan &plan);

} // namespace hetc::tuning
