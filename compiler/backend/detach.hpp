// The same C++ several times in one object, each time for another processor. The linker takes one definition of an
// inline function or a template for all: that of a newer processor would then run on an older one. So a version of the
// code keeps its functions to itself, and nothing of it runs when the program is loaded:
//
//   - functions are internal, and so are constants, which may name functions, and variables whose value does;
//   - what initializes variables is run when the version is chosen, by a function that the version's entry names. These
//     variables are the version's own;
//   - all other variables are one for the whole program: versions differ in how they compute, not in what they count;
//   - what chooses among versions of a single function (target_clones) is compiled for any processor.
#pragma once

#include <llvm/IR/Module.h>

#include <functional>
#include <memory>
#include <vector>

namespace llvm {
class PassBuilder;
}

namespace hetc::backend {

/// Makes `module`, whose only constant to be seen from outside is `entry`, a version as above. The function
/// "<entry>_start" is defined, which initializes the version's own variables.
void detach(llvm::Module &module, llvm::StringRef entry);

/// Adds what is in `other`; false after an error, which was shown. Where both define what there may be once, both
/// definitions stay: the linker finds them in the objects for any processor, and says it.
bool join(llvm::Module &module, std::unique_ptr<llvm::Module> other);

/// Modules become part of what is compiled, before anything is optimized; they must live until then.
void attachFirst(std::vector<std::function<void(llvm::PassBuilder &)>> &callbacks,
                 std::vector<std::unique_ptr<llvm::Module>> &modules);

} // namespace hetc::backend
