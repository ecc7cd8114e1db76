#include "runtime/host/files/output_file.hpp"
#include "tests/unit/runtime/host/test_algorithms.hpp"

#include <fcntl.h>
#include <filesystem>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/un.h>
#include <unistd.h>

namespace tla::host {
namespace {
using test::readFile;
using test::TemporaryFolder;
using test::usageError;

void put(const std::string &path, std::string_view text) {
  requireWritable(path, "--json", 1);
  OutputFile file(path);
  file.write(text);
  file.commit();
}

TEST(OutputFile, NothingAppearsWithoutCommit) {
  TemporaryFolder folder;
  { OutputFile(folder.path("a")).write("half"); }
  EXPECT_TRUE(folder.files().empty());
  folder.write("b", "before");
  { OutputFile(folder.path("b")).write("half"); }
  EXPECT_EQ(readFile(folder.path("b")), "before");
}

TEST(OutputFile, KeepsPermissions) {
  TemporaryFolder folder;
  ::chmod(folder.write("a", "secret").c_str(), 0600);
  put(folder.path("a"), "new");
  struct stat status {};
  ::stat(folder.path("a").c_str(), &status);
  EXPECT_EQ(status.st_mode & 07777, 0600u);
  EXPECT_EQ(readFile(folder.path("a")), "new");
}

TEST(OutputFile, FollowsLinks) {
  TemporaryFolder folder;
  std::filesystem::create_directory(folder.path("sub"));
  folder.write("sub/there", "old");
  std::filesystem::create_symlink("sub/there", folder.path("link"));
  std::filesystem::create_symlink("sub/new", folder.path("dangling"));
  std::filesystem::create_symlink("dangling", folder.path("twice"));
  put(folder.path("link"), "one");
  put(folder.path("twice"), "two");
  EXPECT_EQ(readFile(folder.path("sub/there")), "one");
  EXPECT_EQ(readFile(folder.path("sub/new")), "two");
  for (const char *name : {"link", "dangling", "twice"})
    EXPECT_TRUE(std::filesystem::is_symlink(folder.path(name))) << name;
}

TEST(OutputFile, WritesIntoAPipeByName) {
  TemporaryFolder folder;
  ASSERT_EQ(::mkfifo(folder.path("pipe").c_str(), 0600), 0);
  const int reader = ::open(folder.path("pipe").c_str(), O_RDONLY | O_NONBLOCK);
  put(folder.path("pipe"), "through");
  char buffer[16];
  EXPECT_EQ(::read(reader, buffer, sizeof buffer), 7);
  ::close(reader);
  EXPECT_TRUE(std::filesystem::is_fifo(folder.path("pipe")));
  EXPECT_EQ(folder.files().size(), 1u);
}

TEST(OutputFile, WritesIntoACharacterDevice) {
  TemporaryFolder folder;
  if (::mknod(folder.path("null").c_str(), S_IFCHR | 0600, ::makedev(1, 3)) != 0)
    GTEST_SKIP() << "only root makes devices";
  const int probe = ::open(folder.path("null").c_str(), O_WRONLY);
  if (probe < 0)
    GTEST_SKIP() << "devices do not work in the folder of temporary files";
  ::close(probe);
  put(folder.path("null"), "gone");
  EXPECT_TRUE(std::filesystem::is_character_file(folder.path("null")));
}

TEST(RequireWritable, FindsOutBeforeTheRun) {
  TemporaryFolder folder;
  const auto error = [&](const std::string &name, double bytes) {
    return usageError([&] { requireWritable(folder.path(name), "--output", bytes); });
  };
  EXPECT_EQ(error("no/x.npy", 1), "--output: cannot write " + folder.path("no/x.npy") + ": no such file or directory");
  EXPECT_EQ(error("", 1), "--output: " + folder.path("") + " is a directory");
  EXPECT_NE(error("x.npy", 1e30).find("available on its file system"), std::string::npos);
  std::filesystem::create_symlink("round", folder.path("round"));
  EXPECT_NE(error("round", 1).find("too many levels of symbolic links"), std::string::npos);
  std::filesystem::remove(folder.path("round"));
  requireWritable(folder.path("x.npy"), "--output", 1);
  EXPECT_TRUE(folder.files().empty());
}

TEST(RequireWritable, RefusesSockets) {
  TemporaryFolder folder;
  const int socket = ::socket(AF_UNIX, SOCK_STREAM, 0);
  sockaddr_un address{AF_UNIX, {}};
  folder.path("s").copy(address.sun_path, sizeof address.sun_path - 1);
  ASSERT_EQ(::bind(socket, reinterpret_cast<const sockaddr *>(&address), sizeof address), 0);
  EXPECT_EQ(usageError([&] { requireWritable(folder.path("s"), "--json", 1); }),
            "--json: " + folder.path("s") + " is neither a regular file nor a pipe nor a character device");
  ::close(socket);
}

TEST(SameFile, SeesThroughLinks) {
  TemporaryFolder folder;
  const std::string a = folder.write("a", "x"), b = folder.write("b", "x");
  std::filesystem::create_symlink("a", folder.path("soft"));
  std::filesystem::create_hard_link(a, folder.path("hard"));
  EXPECT_TRUE(sameFile(a, folder.path("soft")));
  EXPECT_TRUE(sameFile(a, folder.path("hard")));
  EXPECT_TRUE(sameFile(a, folder.path("./a")));
  EXPECT_FALSE(sameFile(a, b));
  std::filesystem::create_symlink("new", folder.path("dangling"));
  EXPECT_TRUE(sameFile(folder.path("dangling"), folder.path("./new"))) << "neither exists";
  EXPECT_FALSE(sameFile(folder.path("new"), folder.path("other")));
  EXPECT_FALSE(sameFile("/dev/null", "/dev/null")) << "takes any number of outputs";
}
} // namespace
} // namespace tla::host
