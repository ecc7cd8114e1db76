// The matrices of one call, made as `hetc run` makes them.
#pragma once

#include "tests/fuzz/configuration.hpp"

#include "runtime/host/problem/problem.hpp"
#include "runtime/host/ranks/parallel.hpp"

#include <tla/runtime/executor.hpp>

#include <map>
#include <memory>
#include <string>
#include <vector>

namespace fuzz {

/// The settings of hetc run for the options of a case.
tla::host::Settings settingsOf(const tla::runtime::Algorithm &algorithm, const Case &one);

/// One rank's part of a call.
class Call {
public:
  /// Makes the whole call, or a rank's own tiles. Collective.
  Call(const tla::runtime::Algorithm &algorithm, const tla::host::Settings &settings,
       const tla::Distribution &distribution, tla::host::Ranks &ranks);

  tla::runtime::Arguments arguments() const { return {storages_.data(), problem_->scalars.data()}; }
  const tla::host::Problem &problem() const { return *problem_; }

  /// The first matrix of which a tile that this one has differs in a bit, empty: none.
  std::string differs(const Call &other) const;
  /// The matrices that are further from the other's than rounding explains, and how far at most. Numbers that are large
  /// or none at all are not compared.
  std::map<std::string, double> strays(const Call &other) const;

private:
  std::unique_ptr<tla::host::Problem> problem_;
  std::vector<tla::Storage *> storages_;
};

} // namespace fuzz
