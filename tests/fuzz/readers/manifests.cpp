// What cached programs were made of.
#include "compiler/cache/manifest.hpp"
#include "tests/fuzz/readers/reader.hpp"

namespace fuzz::readers {

static std::string readManifestFile(const std::string &bytes) {
  const std::string program = writeScratch("program", "bytes"), manifest = writeScratch("manifest", bytes);
  return hetc::cache::readManifest(manifest, program) ? "" : "does not hold";
}

Reader manifests() {
  const std::string hash(32, 'A');
  return {.name = "manifest",
          .seeds = {"program none\n", "program none\nremark a text\nabsent /no/such/file\n",
                    "program 5 " + hash + "\nfile " + hash + " /etc/hostname\n", "program none\nremark \n\nremark"},
          .tokens = {"program ", "none", "file ", "absent ", "remark ", "\n", " ", "/dev", "/", "5"},
          .read = readManifestFile};
}

} // namespace fuzz::readers
