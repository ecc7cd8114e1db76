#include "kernels/tuning/cuda/nvrtc.hpp"

#include <chrono>
#include <cstring>
#include <elf.h>
#include <regex>

namespace hetc::tuning::cuda {

NvrtcCompiler::NvrtcCompiler()
    : library_(Library::Origin::Toolkit, {"libnvrtc.so.13", "libnvrtc.so.12", "libnvrtc.so"},
               "install the CUDA toolkit (13.0 or newer), or set CUDA_HOME to its folder") {
  library_.find(getErrorString_, "nvrtcGetErrorString");
  library_.find(version_, "nvrtcVersion");
  library_.find(createProgram_, "nvrtcCreateProgram");
  library_.find(destroyProgram_, "nvrtcDestroyProgram");
  library_.find(compileProgram_, "nvrtcCompileProgram");
  library_.find(getLogSize_, "nvrtcGetProgramLogSize");
  library_.find(getLog_, "nvrtcGetProgramLog");
  library_.find(getCubinSize_, "nvrtcGetCUBINSize");
  library_.find(getCubin_, "nvrtcGetCUBIN");
}

void NvrtcCompiler::check(int status, const char *call) const {
  if (status != 0)
    throw Error(std::string(call) + ": " + getErrorString_(status));
}

std::string NvrtcCompiler::version() const {
  int major = 0, minor = 0;
  check(version_(&major, &minor), "nvrtcVersion");
  return std::to_string(major) + "." + std::to_string(minor);
}

std::variant<Cubin, CompileError> NvrtcCompiler::compile(const std::string &source,
                                                         const std::vector<SourceFile> &headers,
                                                         const std::string &architecture) const {
  const auto begin = std::chrono::steady_clock::now();
  std::vector<const char *> names, texts;
  for (const SourceFile &header : headers) {
    names.push_back(header.name.c_str());
    texts.push_back(header.text.c_str());
  }
  Program program = nullptr;
  check(createProgram_(&program, source.c_str(), "candidate.cu", static_cast<int>(headers.size()), texts.data(),
                       names.data()),
        "nvrtcCreateProgram");
  struct Guard {
    const NvrtcCompiler &compiler;
    Program program;
    ~Guard() { compiler.destroyProgram_(&program); }
  } const guard{*this, program};

  const std::string target = "--gpu-architecture=" + architecture;
  const char *const options[] = {target.c_str(), "--std=c++20", "--ptxas-options=-v"};
  const int status = compileProgram_(program, static_cast<int>(std::size(options)), options);
  std::size_t size = 0;
  check(getLogSize_(program, &size), "nvrtcGetProgramLogSize");
  std::string log(size, '\0');
  check(getLog_(program, log.data()), "nvrtcGetProgramLog");
  log.resize(std::strlen(log.c_str()));
  if (status != 0)
    return CompileError{std::string(getErrorString_(status)) + "\n" + log};

  Cubin cubin;
  check(getCubinSize_(program, &size), "nvrtcGetCUBINSize");
  cubin.image.resize(size);
  check(getCubin_(program, cubin.image.data()), "nvrtcGetCUBIN");
  cubin.resources = readResources(log);
  cubin.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  return cubin;
}

Resources readResources(const std::string &log) {
  const auto number = [&](const char *pattern) {
    std::smatch found;
    return std::regex_search(log, found, std::regex(pattern)) ? std::stoi(found[1]) : -1;
  };
  const int registers = number(R"(Used (\d+) registers)"), stack = number(R"((\d+) bytes stack frame)"),
            stores = number(R"((\d+) bytes spill stores)"), loads = number(R"((\d+) bytes spill loads)");
  if (registers < 0 || stack < 0 || stores < 0 || loads < 0)
    throw Error("ptxas reports no registers in a form that hetc knows: " + log);
  return {registers, stack, std::max(stores, loads), std::max(0, number(R"((\d+) bytes smem)"))};
}

namespace {
/// Views into a file that may be cut short or no ELF file at all.
class Elf {
public:
  explicit Elf(const std::string &file) : file_(file), header_(at<Elf64_Ehdr>(0)) {
    if (std::memcmp(header_.e_ident, ELFMAG, SELFMAG) != 0 || header_.e_ident[EI_CLASS] != ELFCLASS64)
      throw Error("a cubin that is no 64-bit ELF file");
  }

  std::string variable(const std::string &name) const {
    for (int s = 0; s < header_.e_shnum; ++s) {
      const Elf64_Shdr table = section(s);
      if (table.sh_type != SHT_SYMTAB)
        continue;
      for (std::size_t offset = 0; offset + sizeof(Elf64_Sym) <= table.sh_size; offset += sizeof(Elf64_Sym)) {
        const auto symbol = at<Elf64_Sym>(table.sh_offset + offset);
        if (text(section(table.sh_link).sh_offset + symbol.st_name) != name)
          continue;
        const Elf64_Shdr home = section(symbol.st_shndx);
        if (home.sh_type == SHT_NOBITS)
          return std::string(symbol.st_size, '\0');
        return bytes(home.sh_offset + symbol.st_value, symbol.st_size);
      }
    }
    throw Error("the cubin has no variable '" + name + "'");
  }

private:
  std::string bytes(std::size_t offset, std::size_t size) const {
    if (offset > file_.size() || size > file_.size() - offset)
      throw Error("a cubin that is cut short");
    return file_.substr(offset, size);
  }
  template <typename T> T at(std::size_t offset) const {
    T value;
    std::memcpy(&value, bytes(offset, sizeof(T)).data(), sizeof(T));
    return value;
  }
  Elf64_Shdr section(int index) const {
    return at<Elf64_Shdr>(header_.e_shoff + std::size_t(index) * sizeof(Elf64_Shdr));
  }
  std::string text(std::size_t offset) const {
    if (offset > file_.size())
      throw Error("a cubin that is cut short");
    return file_.c_str() + offset;
  }

  const std::string &file_;
  const Elf64_Ehdr header_;
};
} // namespace

std::string variableOf(const std::string &cubin, const std::string &name) { return Elf(cubin).variable(name); }

} // namespace hetc::tuning::cuda
