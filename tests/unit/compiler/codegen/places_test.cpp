// Of which statement of the author's a line of generated C++ is made.
#include "compiler/codegen/cxx.hpp"
#include "tests/ir_text/parse.hpp"

#include <gtest/gtest.h>

#include <sstream>

namespace hetc::test {
namespace {

constexpr const char *text = R"(program twice(A) type d source "twice.tla" {
  size n
  Matrix<d> A(n, n) @13:49
  kernel tla::scal<T>(alpha, rw A) @"blas.hpp":51:28

  for (int i = 0; i < A.mt(); ++i) @14:3 {
    task 0 tla::scal(T(2), rw A(i, i)) @18:9
    task 1 tla::scal(T(3), rw A(i, 0)) @21:9
  }
}
)";

TEST(Places, AreThoseOfTaskClassesAndOfTheirAppends) {
  auto parsed = ir::parse(text);
  ASSERT_TRUE(std::holds_alternative<ir::Program>(parsed)) << std::get<ir::ParseError>(parsed).message;
  const codegen::Cxx cxx = codegen::emitCxx(std::get<ir::Program>(parsed), {.sourcePath = "twice.tla"});
  std::istringstream lines(cxx.text);
  int appends = 0, classes = 0;
  std::string line;
  for (unsigned number = 1; std::getline(lines, line); ++number) {
    const std::string place = cxx.placeOf(number);
    for (const auto &[name, expected] : {std::pair("scal__0", "twice.tla:18"), std::pair("scal__1", "twice.tla:21")}) {
      const bool isAppend = line.find(std::string("rt::append(tasks, ") + name) != line.npos;
      const bool isClass = line.find(std::string("constexpr rt::TaskClass ") + name) != line.npos;
      appends += isAppend;
      classes += isClass;
      if (isAppend || isClass) {
        EXPECT_EQ(place, expected) << line;
      }
    }
    if (line.starts_with("#include") || line.find("for (int i") != line.npos) {
      EXPECT_EQ(place, "") << line;
    }
  }
  EXPECT_EQ(appends, 2) << cxx.text;
  EXPECT_EQ(classes, 2) << cxx.text;
  EXPECT_EQ(cxx.placeOf(1), "");
  EXPECT_EQ(cxx.placeOf(100000), "");
}

} // namespace
} // namespace hetc::test
