// The program and the libraries of this process, as the dynamic linker has them.
#pragma once

#include <string>
#include <vector>

namespace tla::lapack {

/// The object in which an address lies; null: none. Takes no lock and little time.
const void *objectAt(const void *address);

/// The file of the object at an address; empty for the main program and for addresses in none.
std::string fileOf(const void *address);

/// The files of all libraries, in the order they were loaded.
std::vector<std::string> loadedFiles();

/// The libraries to which the object at this address is linked: names as a linker finds them ("libopenblas.so.0").
std::vector<std::string> librariesNeededBy(const void *address);

struct LoadedSymbol {
  std::string name;
  bool defined; ///< false where it is taken from another object
};

struct LoadedObject {
  std::string file; ///< empty: the main program
  bool ours;        ///< this library
  std::vector<LoadedSymbol> symbols;
};

/// All objects with their dynamic symbols, of those for which wanted(name) holds.
std::vector<LoadedObject> loadedObjects(bool (*wanted)(const char *name));

} // namespace tla::lapack
