#include "dsl/base/cache_folder.hpp"
#include "dsl/base/file_lock.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <sstream>

#include <sys/stat.h>
#include <unistd.h>

namespace tla {
namespace {

namespace fs = std::filesystem;

class CacheFolder : public ::testing::Test {
protected:
  CacheFolder() : folder_(fs::temp_directory_path() / ("tla-cache-folder-" + std::to_string(::getpid()))) {
    fs::create_directories(folder_);
  }
  ~CacheFolder() override { fs::remove_all(folder_); }

  static unsigned modeOf(const fs::path &path) {
    struct stat status {};
    ::stat(path.c_str(), &status);
    return status.st_mode & 0777;
  }
  static void write(const fs::path &file, mode_t mode) {
    std::ofstream(file) << "code";
    ::chmod(file.c_str(), mode);
  }

  const fs::path folder_;
};

TEST_F(CacheFolder, IsWhereTheEnvironmentSays) {
  ::setenv("HETC_CACHE_DIR", "/somewhere/else", 1);
  EXPECT_EQ(cacheFolder(), "/somewhere/else");
  ::unsetenv("HETC_CACHE_DIR");
  ::setenv("XDG_CACHE_HOME", "/x", 1);
  EXPECT_EQ(cacheFolder(), "/x/hetc");
  ::unsetenv("XDG_CACHE_HOME");
  ::setenv("HOME", "/home/me", 1);
  EXPECT_EQ(cacheFolder(), "/home/me/.cache/hetc");
  ::unsetenv("HOME"); // nobody else's
  EXPECT_EQ(cacheFolder().filename(), "hetc-" + std::to_string(::geteuid()));
}

TEST_F(CacheFolder, IsMadeForItsUserAlone) {
  const ::mode_t mask = ::umask(0);
  EXPECT_EQ(makePrivateFolder(folder_ / "a" / "b"), "");
  ::umask(mask);
  EXPECT_EQ(modeOf(folder_ / "a"), 0700u);
  EXPECT_EQ(modeOf(folder_ / "a" / "b"), 0700u);
  EXPECT_EQ(makePrivateFolder(folder_ / "a" / "b"), "") << "there already";
}

TEST_F(CacheFolder, SaysWhyThereIsNone) {
  write(folder_ / "file", 0644);
  EXPECT_EQ(makePrivateFolder(folder_ / "file" / "below"),
            "cannot make '" + (folder_ / "file" / "below").string() + "': Not a directory");
}

TEST_F(CacheFolder, RefusesWhatOthersMayHaveWritten) {
  const fs::path open = folder_ / "open";
  fs::create_directory(open);
  for (const mode_t mode : {0777, 0775, 01777, 0702}) {
    ::chmod(open.c_str(), mode);
    EXPECT_NE(makePrivateFolder(open).find("others may write to '" + open.string() + "'"), std::string::npos) << mode;
  }
  ::chmod(open.c_str(), 0755);
  EXPECT_EQ(makePrivateFolder(open), "");
  write(open / "module.so", 0666);
  EXPECT_EQ(whyNotPrivate(open / "module.so"),
            "others may write to '" + (open / "module.so").string() + "' (mode 666; chmod go-w makes it yours alone)");
  ::chmod(open.c_str(), 0700); // nobody gets there
  EXPECT_EQ(whyNotPrivate(open / "module.so"), "");
}

TEST_F(CacheFolder, RefusesWhatBelongsToAnother) {
  if (::geteuid() != 0)
    GTEST_SKIP() << "only root can give a file away";
  write(folder_ / "module.so", 0644);
  ASSERT_EQ(::chown((folder_ / "module.so").c_str(), 12345, 12345), 0);
  EXPECT_EQ(whyNotPrivate(folder_ / "module.so"), "'" + (folder_ / "module.so").string() + "' belongs to another user");
}

TEST_F(CacheFolder, ReplacesFilesWhole) {
  const fs::path file = folder_ / "tiles.json";
  EXPECT_FALSE(replaceFile(file, "one"));
  EXPECT_FALSE(replaceFile(file, "two"));
  std::ostringstream content;
  content << std::ifstream(file).rdbuf();
  EXPECT_EQ(content.str(), "two");
  EXPECT_TRUE(replaceFile(folder_ / "nowhere" / "tiles.json", "three"));
  EXPECT_EQ(std::distance(fs::directory_iterator(folder_), {}), 1) << "nothing half-written is left";
}

TEST_F(CacheFolder, LocksAreForOneAtATime) {
  const std::string name = (folder_ / "new" / "lock").string();
  const FileLock lock(name);
  EXPECT_TRUE(lock.held());
  EXPECT_EQ(modeOf(folder_ / "new"), 0700u);
  EXPECT_FALSE(FileLock(name, FileLock::Wait::No).held());
}

TEST_F(CacheFolder, NothingIsKeptWhereOthersMayWrite) {
  const fs::path open = folder_ / "open";
  fs::create_directory(open);
  ::chmod(open.c_str(), 0777);
  EXPECT_FALSE(FileLock((open / "lock").string()).held());
  EXPECT_TRUE(fs::is_empty(open));
}

} // namespace
} // namespace tla
