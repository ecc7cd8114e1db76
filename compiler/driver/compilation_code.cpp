// The stages behind the IR: C++, machine code, trials, and what runs.
#include "compiler/codegen/link_program.hpp"
#include "compiler/driver/compilation.hpp"
#include "compiler/process/process.hpp"

#include <algorithm>
#include <utility>

namespace hetc::driver {

/// For all code that the request makes.
codegen::KernelPlaces Compilation::kernelPlaces() const {
  codegen::KernelPlaces places{.march = request_.march,
                               .isForHere = request_.isForHere,
                               .hasOwn = codegen::hasOwnKernels(program()) ||
                                         (checkedCall_ && codegen::hasOwnKernels(*checkedCall_)),
                               .hasBodies = session_.hasBodies(),
                               .files = {},
                               .read = session_.dependencies()};
  if (request_.emit == Emit::Executable || request_.emit == Emit::SharedLibrary)
    places.files = codegen::textsOf(kernelSources());
  return places;
}

std::vector<std::string> Compilation::kernelSources() const {
  std::vector<std::string> sources = session_.kernelSources();
  sources.insert(sources.end(), request_.kernelSources.begin(), request_.kernelSources.end());
  return sources;
}

Said Compilation::generate() {
  processors_ = codegen::chooseProcessors(kernelPlaces());
  codegen::NodeGenerator loops =
      specialized_ ? codegen::nodeGenerator(*specialized_, result_.loopsRefused) : codegen::NodeGenerator{};
  code_ = {codegen::generateCode(program(), checkedCall_,
                                 {.path = request_.file, .emitMain = request_.emitMain, .serial = !request_.runOnly},
                                 std::move(loops), processors_),
           {}};
  return Said::value_type();
}

backend::CompileOptions Compilation::compileOptions(const std::string &march) const {
  return {request_.compilerArguments, request_.optimize, march, !kernelPlaces().hasOwn};
}

Said Compilation::compileText() {
  std::optional<backend::Compiled> compiled =
      codegen::compileCode(program(), *code_, backend::OutputKind::LlvmText, compileOptions(processors_.march), files_);
  if (!compiled)
    return std::nullopt;
  text_ = std::move(compiled->bytes);
  return Said::value_type();
}

Said Compilation::compileObject() {
  code_->object =
      codegen::compileCode(program(), *code_, backend::OutputKind::Object, compileOptions(processors_.march), files_);
  return code_->object ? Said(std::in_place) : std::nullopt;
}

/// Stores the object, with the libraries that kernels link.
std::optional<codegen::Objects> Compilation::storeObject() const {
  std::optional<codegen::Objects> objects = codegen::storeObject(*code_->object);
  if (objects)
    objects->libraries = session_.libraries();
  return objects;
}

/// The loops are tried as machine code, so that nothing on the way there is left out.
Said Compilation::tryLoops() {
  const std::optional<codegen::Objects> objects = storeObject();
  const std::optional<Tried> tried =
      objects ? driver::tryProgram(program(), {objects->inputs(), &specialized_->distribution}, request_.validate)
              : std::nullopt;
  if (!tried)
    return std::nullopt;
  if (tried->difference)
    refuseLoops(*tried->difference);
  return Said::value_type();
}

/// There is a program without them then, which says so.
void Compilation::refuseLoops(const std::string &difference) {
  result_.nodeLoops = false;
  result_.loopsRefused = true;
  code_.reset();
  remark("hetc's own error, please report it with the source: the loops for the nodes of " +
         specialized_->distribution.name() + " do something else than '" + program().name +
         "', and each node runs all of it instead (" + difference + ")");
}

Said Compilation::addKernels() {
  objects_ = storeObject();
  if (!objects_)
    return std::nullopt;
  files_.add({}, codegen::findMissingBodies(session_.dependencies())); // one that appears is linked in from then on
  objects_ =
      codegen::addKernels(std::move(*objects_), kernelSources(), compileOptions(processors_.kernelMarch), files_);
  return objects_ ? Said(std::in_place) : std::nullopt;
}

/// An object alone has those bodies of kernels that hetc finds itself; where the linker wants others nobody can try it.
Said Compilation::tryProgram() {
  const bool isComplete = request_.emit != Emit::Object;
  const std::optional<Tried> tried =
      driver::tryProgram(program(), {objects_->inputs(), nullptr, isComplete}, request_.validate);
  if (!tried)
    return std::nullopt;
  if (!tried->difference)
    return Said::value_type();
  refuse(*tried->difference);
  return std::nullopt;
}

/// There is a request for the author's program then, which was proved before it was split; nothing else was asked for
/// where updates are dealt.
void Compilation::refuse(const std::string &difference) {
  if (isDealt())
    return refuseMap(difference);
  result_.splitRefused = true;
  remark("hetc's own error, please report it with the source: on slices of tiles '" + program().name +
         "' does something else than the plain program, which is used instead (" + difference + ")");
}

void Compilation::refuseMap(const std::string &difference) {
  result_.mapRefused = true;
  const std::string what = std::string("with updates dealt to ") +
                           (isOctal() ? "the elements of a node '" : "copies of the nodes '") + program().name +
                           "' does something else than the plain program (" + difference + ")";
  const auto isAuthors = [](const ir::Kernel &kernel) {
    return !kernel.name.starts_with("tla::") &&
           std::ranges::any_of(kernel.parameters, [](const auto &each) { return each.addsIf != nullptr; });
  };
  const auto claim = std::ranges::find_if(program().kernels, isAuthors);
  if (claim == program().kernels.end())
    process::reportOwnError(what);
  else
    reporter_.show({ir::makeError(claim->location, what + ": the clause sum(...) of kernel '" + claim->name +
                                                       "' is not true, or this is hetc's own error")});
}

Said Compilation::link() {
  const auto kind =
      request_.emit == Emit::SharedLibrary ? backend::LinkKind::SharedLibrary : backend::LinkKind::Executable;
  const std::optional<codegen::Linked> linked =
      codegen::linkProgram(program(), objects_->inputs(), kind, request_.output);
  if (!linked)
    return std::nullopt;
  files_.add(linked->read);
  return Said::value_type();
}

} // namespace hetc::driver
