#include "runtime/program/crash_place.hpp"

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

#include <link.h>
#include <poll.h>
#include <sys/wait.h>
#include <ucontext.h>
#include <unistd.h>

namespace tla::host {
namespace {

constexpr int patienceMilliseconds = 3000;

// Written before the handlers are installed, and only read by them.
char tool[512], program[512]; // empty: not there
std::uintptr_t base, codeBegin, codeEnd;

/// The first module is the program itself.
int noteProgram(dl_phdr_info *module, std::size_t, void *) {
  base = module->dlpi_addr;
  for (int i = 0; i < module->dlpi_phnum; ++i)
    if (const ElfW(Phdr) &part = module->dlpi_phdr[i]; part.p_type == PT_LOAD && (part.p_flags & PF_X)) {
      codeBegin = base + part.p_vaddr;
      codeEnd = codeBegin + part.p_memsz;
    }
  return 1;
}

void noteTool() {
  const char *const path = std::getenv("PATH");
  for (std::string rest = path ? path : ""; !rest.empty() && !*tool;) {
    const std::string file = rest.substr(0, rest.find(':')) + "/addr2line";
    rest.erase(0, rest.find(':') == rest.npos ? rest.npos : rest.find(':') + 1);
    if (file.size() < sizeof tool && ::access(file.c_str(), X_OK) == 0)
      std::strcpy(tool, file.c_str());
  }
}

bool isCode(std::uintptr_t address) { return address >= codeBegin && address < codeEnd; }

/// The address in the program where it crashed; or, where that was in a library, the one that looks like where the
/// library was called. 0: neither.
std::uintptr_t placeOf([[maybe_unused]] const void *context) {
#if defined(__x86_64__) || defined(__aarch64__)
  const auto &registers = static_cast<const ucontext_t *>(context)->uc_mcontext;
#if defined(__x86_64__)
  const auto code = static_cast<std::uintptr_t>(registers.gregs[REG_RIP]);
  const auto stack = static_cast<std::uintptr_t>(registers.gregs[REG_RSP]);
#else
  const std::uintptr_t code = registers.pc, stack = registers.sp;
#endif
  if (isCode(code))
    return code;
  // A function that was called through a null pointer has no frame; nor has memcpy(). Their caller's address is near.
  constexpr int words = 256;
  for (int i = 0; i < words; ++i)
    if (const std::uintptr_t word = reinterpret_cast<const std::uintptr_t *>(stack)[i]; isCode(word))
      return word - 1;
#endif
  return 0;
}

/// "1a2b" in hexadecimal digits.
void writeHexadecimal(std::uintptr_t number, char (&text)[20]) {
  char digits[20];
  int count = 0;
  do
    digits[count++] = "0123456789abcdef"[number % 16];
  while (number /= 16);
  for (int i = 0; i < count; ++i)
    text[i] = digits[count - 1 - i];
  text[count] = 0;
}

/// Reads what the process writes to `output`, until it ends or the time is over.
void readSome(int output, char *text, std::size_t size) {
  std::size_t length = 0;
  for (pollfd events{output, POLLIN, 0}; length + 1 < size && ::poll(&events, 1, patienceMilliseconds) > 0;) {
    const ssize_t count = ::read(output, text + length, size - 1 - length);
    if (count <= 0)
      break;
    length += static_cast<std::size_t>(count);
  }
  text[length] = 0;
}

/// The lines "/home/me/scale.hpp:6" of an address, the innermost first.
void askTool(const char *address, char *text, std::size_t size) {
  int ends[2];
  if (::pipe(ends) != 0)
    return;
  const char *const words[] = {tool, "-i", "-e", program, address, nullptr};
  char *const environment[] = {nullptr};
  const pid_t process = ::vfork(); // calls nothing that a signal handler may not
  if (process == 0) {
    ::dup2(ends[1], STDOUT_FILENO);
    ::execve(tool, const_cast<char *const *>(words), environment);
    ::_exit(127);
  }
  ::close(ends[1]);
  if (process > 0) {
    readSome(ends[0], text, size);
    ::kill(process, SIGKILL);
    ::waitpid(process, nullptr, 0);
  }
  ::close(ends[0]);
}

void writeLine(const char *begin, std::size_t length) {
  for (const auto &[part, size] : {std::pair<const char *, std::size_t>{"hetc: at ", 9}, {begin, length}, {"\n", 1}})
    [[maybe_unused]] const auto written = ::write(STDERR_FILENO, part, size);
}

} // namespace

void prepareCrashPlace() {
  ::dl_iterate_phdr(noteProgram, nullptr);
  const ssize_t length = ::readlink("/proc/self/exe", program, sizeof program - 1);
  program[length > 0 ? length : 0] = 0;
  noteTool();
}

void writeCrashPlace(const void *context) {
  const std::uintptr_t place = *tool && *program ? placeOf(context) : 0;
  if (!place)
    return;
  char address[20], text[2048] = "";
  writeHexadecimal(place - base, address);
  askTool(address, text, sizeof text);
  // The innermost line is one of hetc's own where a tile's element was named.
  for (const char *line = text; *line;) {
    const std::size_t length = std::strcspn(line, "\n");
    const char *const own = std::strstr(line, "/tla/tile.hpp:");
    if (*line != '?' && (!own || own > line + length))
      return writeLine(line, length);
    line += length + (line[length] == '\n');
  }
}

} // namespace tla::host
