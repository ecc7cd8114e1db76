// Comparison of isl values with literals in isl's notation.
#pragma once

#include "compiler/dependence/relations.hpp"

#include <gtest/gtest.h>

#include <sstream>

namespace hetc::test {

template <typename T>::testing::AssertionResult isEqual(const T &actual, const std::string &literal) {
  const T expected(actual.ctx(), literal);
  if (actual.is_equal(expected))
    return ::testing::AssertionSuccess();
  std::ostringstream text;
  text << "actual:   " << actual << "\nexpected: " << expected;
  return ::testing::AssertionFailure() << text.str();
}

/// The part of { S -> [S -> A] } between two tasks.
inline isl::union_map between(const dependence::Relations &relations, const isl::union_map &all, unsigned from,
                              unsigned to) {
  const isl::union_set source = relations.model.statement(from).domain, sink = relations.model.statement(to).domain;
  return all.intersect_domain(source).intersect_range_wrapped_domain(sink);
}

} // namespace hetc::test
