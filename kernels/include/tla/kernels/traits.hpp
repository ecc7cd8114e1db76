// What standard kernels are like, for those who place their tasks and predict their times: kernels.def says it beside
// each kernel's name, and it is asked for by that name.
#pragma once

#include <algorithm>
#include <array>
#include <string_view>

namespace tla::kernels {

/// A property of kernels. A kernel may have several of these, joined by |.
enum class Trait : unsigned char {
  None = 0,
  /// The kernel factors or inverts a tile or a panel, or chooses its pivots: many small steps, one after the other.
  Panel = 1,
  /// Idle threads of the host help with it, if it is long (kernels/crew.hpp).
  Crew = 2,
  /// The kernel is one product of tiles and nothing else.
  Product = 4,
  /// A device does it in several steps, each of which fills a part of it only: behind the blocks of products that fill
  /// all of it, each of them would wait.
  Chain = 8,
  /// The kernel interchanges rows, as many as there are pivots, however tall the panel is. Bound by memory, it runs on
  /// devices all the same: elsewhere each step of LU would bring the whole matrix there.
  Interchange = 16,
  /// The kernel applies the reflectors of a panel: its work grows with the panel's tiles.
  Reflectors = 32
};
constexpr Trait operator|(Trait a, Trait b) { return Trait(unsigned(a) | unsigned(b)); }

/// The kernel by whose rate those of others are estimated, and processors compared.
inline constexpr const char *productKernel = "gemm";

namespace detail {
struct NamedTraits {
  std::string_view name;
  Trait traits;
};

inline constexpr auto traitsByName = [] {
  using enum Trait;
  auto all = std::to_array<NamedTraits>({
#define TLA_KERNEL(result, name, traits, parameters, arguments) {#name, traits},
#include <tla/kernels/kernels.def>
  });
  std::ranges::sort(all, {}, &NamedTraits::name);
  return all;
}();
} // namespace detail

/// Whether a standard kernel of this name ("getrf") has the trait; false where there is no such kernel.
constexpr bool hasTrait(std::string_view kernel, Trait trait) {
  const auto found = std::ranges::lower_bound(detail::traitsByName, kernel, {}, &detail::NamedTraits::name);
  return found != detail::traitsByName.end() && found->name == kernel &&
         (unsigned(found->traits) & unsigned(trait)) != 0;
}
static_assert(hasTrait(productKernel, Trait::Product));

} // namespace tla::kernels
