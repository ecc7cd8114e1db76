// What 'hetc run' and 'hetc cost' tell the program that they start, and how that can ask them for more.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tla::host {

/// The hetc that started a program, with the options that it was compiled with.
struct Starter {
  std::string hetc;           ///< path of the executable
  std::string file;           ///< the .tla
  std::string type;           ///< "d"
  std::string algorithm = {}; ///< empty: the only one of the file, or that with its name
  std::vector<std::string> includes = {}, defines = {}, kernelSources = {};
  std::string march = {};        ///< processors of own kernels; empty: this one
  int split = 1;                 ///< slices of a tile
  int copies = 1;                ///< copies of the nodes
  std::string distribution = {}; ///< distribution whose nodes have loops in the program, where they can; empty: none
  bool fresh = false;            ///< whether the cache must not be used
  double compileSeconds = 0;     ///< time of compiling the program, or of finding it in the cache
  bool cached = false;           ///< whether it was in the cache

  /// The command that prints the path of a shared library with loops for the nodes of a distribution, or an empty line;
  /// without a distribution, the path of a library with the program.
  std::vector<std::string> moduleCommand(const std::string &distribution) const;
};

/// The environment variable HETC_STARTER, which carries a Starter as JSON.
inline constexpr char starterVariable[] = "HETC_STARTER";
std::string toText(const Starter &starter);
/// The value that a text of toText() holds; nullopt when it is no such text.
std::optional<Starter> starterFrom(std::string_view text);
/// The Starter that hetc gave to this program when it started it; nullopt when hetc did not start it.
std::optional<Starter> findStarter();

} // namespace tla::host
