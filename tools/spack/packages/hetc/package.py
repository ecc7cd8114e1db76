# hetc for Spack:  spack repo add tools/spack && spack dev-build hetc@main    (from the root of the source)
#
# Written after the packages of tools/packages.txt and checked by reading: no Spack has built it yet.
from spack.package import *


class Hetc(CMakePackage):
    """An embedded language and a compiler for tile algorithms in C++, with a dataflow runtime for cores, accelerators and the nodes
    of a cluster."""

    license("BSD-3-Clause")
    version("main")

    variant("mpi", default=True, description="Runs on many nodes")
    variant("cuda", default=False, description="NVIDIA devices")
    variant("simgrid", default=False, description="Networks of SimGrid for hetc sim")

    depends_on("c", type="build")
    depends_on("cxx", type="build")
    depends_on("cmake@3.25:", type="build")
    depends_on("ninja", type="build")
    depends_on("pkgconfig", type="build")
    depends_on("python@3.9:", type="build")
    depends_on("googletest", type="build")
    depends_on("cli11", type="build")
    depends_on("nlohmann-json", type="build")
    depends_on("boost@1.74:", type="build")
    # Clang compiles programs when they are run, with the isl of Polly and the C++ interface of isl's own package.
    depends_on("llvm@19.1:19 +clang +polly +llvm_dylib +link_llvm_dylib", type=("build", "link", "run"))
    depends_on("isl@0.25:", type="build")
    depends_on("gcc@12:", type="run")  # links what hetc compiles
    depends_on("openblas threads=pthreads", type=("build", "link", "run"))
    depends_on("hwloc@2:")
    depends_on("mpi", when="+mpi")
    depends_on("cuda@13:", when="+cuda")
    depends_on("simgrid", when="+simgrid")

    requires("target=x86_64:", "target=aarch64:", policy="one_of", msg="kernels are written for these")
    conflicts("%gcc@:11", msg="C++20")

    generator("ninja")

    def cmake_args(self):
        args = [
            self.define_from_variant("TLA_CUDA", "cuda"),
            # Modules are built where their library is found.
            self.define("CMAKE_DISABLE_FIND_PACKAGE_MPI", not self.spec.satisfies("+mpi")),
            self.define("TLA_OPENBLAS_LIBRARY", self.spec["openblas"].libs[0]),
            self.define("TLA_OPENBLAS_INCLUDE", self.spec["openblas"].prefix.include),
            self.define("ISL_CPP_INCLUDE_DIR", self.spec["isl"].prefix.include),
        ]
        if not self.spec.satisfies("+simgrid"):
            args.append(self.define("SIMGRID_LIBRARY", "SIMGRID_LIBRARY-NOTFOUND"))
        return args

    @property
    def build_targets(self):
        return ["hetc_run", "hetc_lapack", "hetc_c"]

    @run_after("install")
    @on_package_attributes(run_tests=True)
    def check_installed(self):
        Executable(self.prefix.bin.hetc)("run", "cholesky", "-n", "1000")
