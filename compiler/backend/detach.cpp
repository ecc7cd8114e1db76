#include "compiler/backend/detach.hpp"

#include <llvm/IR/Constants.h>
#include <llvm/IR/DiagnosticInfo.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/PassManager.h>
#include <llvm/Linker/Linker.h>
#include <llvm/Passes/PassBuilder.h>

#include <algorithm>
#include <cassert>
#include <set>
#include <utility>

namespace hetc::backend {

namespace {

using Globals = std::set<const llvm::GlobalValue *>;

/// The functions and variables that a constant names.
void collect(const llvm::Constant &constant, Globals &found) {
  if (const auto *global = llvm::dyn_cast<llvm::GlobalValue>(&constant)) {
    found.insert(global);
    return;
  }
  for (const llvm::Use &operand : constant.operands())
    if (const auto *part = llvm::dyn_cast<llvm::Constant>(operand))
      collect(*part, found);
}

/// Clang's functions that initialize one variable ("__cxx_global_var_init.3"), and those that call them.
bool isInitializer(const llvm::Function &function) {
  return function.getName().starts_with("__cxx_global_var_init") || function.getName().starts_with("_GLOBAL__");
}

Globals initializedAtStart(const llvm::Module &module) {
  Globals found;
  for (const llvm::Function &function : module)
    if (isInitializer(function))
      for (const llvm::Instruction &instruction : llvm::instructions(function))
        for (const llvm::Use &operand : instruction.operands())
          if (const auto *constant = llvm::dyn_cast<llvm::Constant>(operand))
            collect(*constant, found);
  return found;
}

/// Whether the variable's value leads to a function.
bool namesFunctions(const llvm::GlobalVariable &variable, Globals &seen) {
  if (!variable.hasInitializer() || !seen.insert(&variable).second)
    return false;
  Globals named;
  collect(*variable.getInitializer(), named);
  return std::ranges::any_of(named, [&](const llvm::GlobalValue *each) {
    const auto *other = llvm::dyn_cast<llvm::GlobalVariable>(each);
    return other ? namesFunctions(*other, seen) : true;
  });
}

void makeInternal(llvm::GlobalValue &value) {
  if (value.hasAvailableExternallyLinkage())
    return;
  value.setVisibility(llvm::GlobalValue::DefaultVisibility);
  value.setLinkage(llvm::GlobalValue::InternalLinkage);
  if (auto *object = llvm::dyn_cast<llvm::GlobalObject>(&value))
    object->setComdat(nullptr);
}

/// The definition is left to the object's own code, which has it.
void makeDeclaration(llvm::GlobalVariable &variable) {
  variable.setInitializer(nullptr);
  variable.setComdat(nullptr);
  variable.setLinkage(llvm::GlobalValue::ExternalLinkage);
}

void detachVariables(llvm::Module &module, llvm::StringRef entry) {
  const Globals atStart = initializedAtStart(module);
  for (llvm::GlobalVariable &variable : module.globals()) {
    if (variable.isDeclaration() || variable.hasLocalLinkage() || variable.getName().starts_with("llvm.") ||
        variable.getName() == entry)
      continue;
    Globals seen;
    if (variable.isConstant() || atStart.contains(&variable) || namesFunctions(variable, seen))
      makeInternal(variable);
    else if (variable.hasExternalLinkage())
      makeDeclaration(variable);
  }
}

/// Compiled for any processor: it runs when the program is loaded.
void makePortable(llvm::Function &function) {
  for (const char *attribute : {"target-cpu", "target-features", "tune-cpu"})
    function.removeFnAttr(attribute);
}

void detachFunctions(llvm::Module &module) {
  for (llvm::Function &function : module)
    if (!function.isDeclaration())
      makeInternal(function);
  for (llvm::GlobalAlias &alias : module.aliases())
    makeInternal(alias);
  for (llvm::GlobalIFunc &chosen : module.ifuncs()) {
    makeInternal(chosen);
    if (llvm::Function *resolver = chosen.getResolverFunction())
      makePortable(*resolver);
  }
}

/// Takes the functions that would run when the program is loaded, in their order. Those that the author wrote
/// (constructor, destructor) are functions of the object's own code, which runs them.
std::vector<llvm::Function *> takeInitializers(llvm::Module &module) {
  std::vector<std::pair<std::uint64_t, llvm::Function *>> found;
  llvm::GlobalVariable *const list = module.getNamedGlobal("llvm.global_ctors");
  const auto *entries = list ? llvm::dyn_cast<llvm::ConstantArray>(list->getInitializer()) : nullptr;
  for (unsigned i = 0; entries && i < entries->getNumOperands(); ++i) {
    const auto *each = llvm::cast<llvm::ConstantStruct>(entries->getOperand(i));
    auto *function = llvm::dyn_cast<llvm::Function>(each->getOperand(1)->stripPointerCasts());
    if (function && isInitializer(*function))
      found.emplace_back(llvm::cast<llvm::ConstantInt>(each->getOperand(0))->getZExtValue(), function);
  }
  for (const char *name : {"llvm.global_ctors", "llvm.global_dtors"})
    if (llvm::GlobalVariable *const run = module.getNamedGlobal(name))
      run->eraseFromParent();
  std::ranges::stable_sort(found, {}, [](const auto &each) { return each.first; });
  std::vector<llvm::Function *> functions;
  for (const auto &[priority, function] : found)
    functions.push_back(function);
  return functions;
}

void defineStart(llvm::Module &module, const std::string &name) {
  const std::vector<llvm::Function *> initializers = takeInitializers(module);
  const auto type = llvm::FunctionType::get(llvm::Type::getVoidTy(module.getContext()), false);
  auto *const start = llvm::cast<llvm::Function>(module.getOrInsertFunction(name, type).getCallee());
  llvm::IRBuilder<> builder(llvm::BasicBlock::Create(module.getContext(), "", start));
  for (llvm::Function *const initializer : initializers)
    builder.CreateCall(initializer);
  builder.CreateRetVoid();
}

class Attach : public llvm::PassInfoMixin<Attach> {
public:
  explicit Attach(std::vector<std::unique_ptr<llvm::Module>> &modules) : modules_(&modules) {}
  llvm::PreservedAnalyses run(llvm::Module &module, llvm::ModuleAnalysisManager &) {
    for (std::unique_ptr<llvm::Module> &each : *modules_) {
      std::vector<std::string> entries;
      for (const llvm::GlobalVariable &variable : each->globals())
        if (variable.hasExternalLinkage() && variable.isConstant() && !variable.isDeclaration())
          entries.push_back(variable.getName().str());
      [[maybe_unused]] const bool isJoined = join(module, std::move(each));
      assert(isJoined && "versions define nothing that others see, but for their entries");
      for (const std::string &entry : entries) // it has met its declaration
        makeInternal(*module.getNamedGlobal(entry));
    }
    modules_->clear();
    return llvm::PreservedAnalyses::none();
  }
  static bool isRequired() { return true; }

private:
  std::vector<std::unique_ptr<llvm::Module>> *modules_;
};

} // namespace

void detach(llvm::Module &module, llvm::StringRef entry) {
  detachVariables(module, entry);
  defineStart(module, entry.str() + "_start");
  detachFunctions(module);
}

bool join(llvm::Module &module, std::unique_ptr<llvm::Module> other) {
  const auto isOnlyDefinition = [](const llvm::GlobalValue *value) {
    return value && !value->isDeclaration() && value->hasExternalLinkage();
  };
  for (llvm::GlobalValue &value : other->global_values())
    if (isOnlyDefinition(&value) && isOnlyDefinition(module.getNamedValue(value.getName())))
      makeInternal(value);
  return !llvm::Linker::linkModules(module, std::move(other));
}

void attachFirst(std::vector<std::function<void(llvm::PassBuilder &)>> &callbacks,
                 std::vector<std::unique_ptr<llvm::Module>> &modules) {
  callbacks.emplace_back([&modules](llvm::PassBuilder &builder) {
    builder.registerPipelineStartEPCallback(
        [&modules](llvm::ModulePassManager &passes, llvm::OptimizationLevel) { passes.addPass(Attach(modules)); });
  });
}

} // namespace hetc::backend
