// Ranks as launchers announce them, without MPI.
#include "runtime/transport/transport.hpp"

#include "runtime/interfaces/launch.hpp"

#include <tla/runtime/error.hpp>

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <map>

namespace tla::runtime {

namespace {
/// An environment with these variables of launchers and no others.
class LaunchTest : public testing::Test {
protected:
  void SetUp() override { set({}); }
  void TearDown() override { set({}); }
  static void set(const std::map<std::string, const char *> &variables) {
    for (const char *name :
         {"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE", "MV2_COMM_WORLD_RANK", "MV2_COMM_WORLD_SIZE", "PMI_RANK",
          "PMI_SIZE", "PMIX_RANK", "SLURM_PROCID", "SLURM_NTASKS", "SLURM_STEP_NUM_TASKS", "HETC_LIB_DIR",
          "OMPI_COMM_WORLD_LOCAL_RANK", "OMPI_COMM_WORLD_LOCAL_SIZE", "MPI_LOCALRANKID", "MPI_LOCALNRANKS",
          "SLURM_LOCALID", "SLURM_STEP_TASKS_PER_NODE"})
      unsetenv(name);
    for (const auto &[name, value] : variables)
      setenv(name.c_str(), value, 1);
  }
  static void expectLaunch(int rank, int size, const std::string &launcher) {
    const ProcessLaunch launch = detectLaunch();
    EXPECT_EQ(launch.rank, rank);
    EXPECT_EQ(launch.size, size);
    EXPECT_EQ(launch.launcher, launcher);
  }
  static bool mpiIsLoaded() {
    std::ifstream maps("/proc/self/maps");
    const std::string text{std::istreambuf_iterator<char>(maps), {}};
    return text.find("libmpi.so") != text.npos;
  }
};

TEST_F(LaunchTest, AloneWithoutALauncher) {
  expectLaunch(0, 1, "");
  EXPECT_EQ(connect(detectLaunch()), nullptr);
  EXPECT_FALSE(mpiIsLoaded());
}

TEST_F(LaunchTest, OneRankNeedsNoTransport) {
  set({{"OMPI_COMM_WORLD_RANK", "0"}, {"OMPI_COMM_WORLD_SIZE", "1"}});
  expectLaunch(0, 1, "mpirun (Open MPI)");
  EXPECT_EQ(connect(detectLaunch()), nullptr);
  EXPECT_FALSE(mpiIsLoaded());
}

TEST_F(LaunchTest, KnowsTheLaunchers) {
  set({{"OMPI_COMM_WORLD_RANK", "2"}, {"OMPI_COMM_WORLD_SIZE", "4"}});
  expectLaunch(2, 4, "mpirun (Open MPI)");
  set({{"PMI_RANK", "1"}, {"PMI_SIZE", "3"}});
  expectLaunch(1, 3, "mpiexec (PMI)");
  set({{"MV2_COMM_WORLD_RANK", "1"}, {"MV2_COMM_WORLD_SIZE", "2"}, {"PMI_RANK", "1"}, {"PMI_SIZE", "2"}});
  expectLaunch(1, 2, "mpirun (MVAPICH)");
  set({{"PMIX_RANK", "1"}, {"SLURM_PROCID", "1"}, {"SLURM_STEP_NUM_TASKS", "8"}});
  expectLaunch(1, 8, "srun (PMIx)");
  set({{"SLURM_PROCID", "5"}, {"SLURM_STEP_NUM_TASKS", "6"}});
  expectLaunch(5, 6, "srun");
}

TEST_F(LaunchTest, MpirunUnderSlurmCounts) {
  set({{"OMPI_COMM_WORLD_RANK", "3"},
       {"OMPI_COMM_WORLD_SIZE", "4"},
       {"PMIX_RANK", "3"},
       {"SLURM_PROCID", "0"},
       {"SLURM_STEP_NUM_TASKS", "2"}});
  expectLaunch(3, 4, "mpirun (Open MPI)");
}

/// The script itself runs once, whatever the job has asked for.
TEST_F(LaunchTest, BatchScriptIsNoRank) {
  set({{"SLURM_PROCID", "0"}, {"SLURM_NTASKS", "16"}});
  expectLaunch(0, 1, "");
}

TEST_F(LaunchTest, KnowsTheRanksOfTheMachine) {
  const auto expectLocal = [](int rank, int size) {
    const ProcessLaunch launch = detectLaunch();
    EXPECT_EQ(launch.localRank, rank);
    EXPECT_EQ(launch.localSize, size);
  };
  expectLocal(0, 1);
  set({{"OMPI_COMM_WORLD_RANK", "5"}, {"OMPI_COMM_WORLD_SIZE", "8"}});
  expectLocal(0, 1);
  set({{"OMPI_COMM_WORLD_RANK", "5"},
       {"OMPI_COMM_WORLD_SIZE", "8"},
       {"OMPI_COMM_WORLD_LOCAL_RANK", "1"},
       {"OMPI_COMM_WORLD_LOCAL_SIZE", "4"}});
  expectLocal(1, 4);
  set({{"PMI_RANK", "1"}, {"PMI_SIZE", "3"}, {"MPI_LOCALRANKID", "0"}, {"MPI_LOCALNRANKS", "2"}});
  expectLocal(0, 2);
  const auto slurm = [](const char *perNode) {
    set({{"SLURM_PROCID", "5"},
         {"SLURM_STEP_NUM_TASKS", "8"},
         {"SLURM_LOCALID", "1"},
         {"SLURM_STEP_TASKS_PER_NODE", perNode}});
  };
  slurm("4(x2)");
  expectLocal(1, 4);
  slurm("8");
  expectLocal(1, 8);
  slurm("2(x3),2");
  expectLocal(0, 1);
}

void expectMessage(const std::string &message) {
  try {
    detectLaunch();
    FAIL() << "no exception";
  } catch (const UsageError &error) {
    EXPECT_EQ(error.what(), message);
  }
}

TEST_F(LaunchTest, ContradictionsAreErrors) {
  set({{"PMI_RANK", "4"}, {"PMI_SIZE", "4"}});
  expectMessage("the environment says PMI_RANK=4 and PMI_SIZE=4, which is no rank of a run");
  set({{"PMI_RANK", "-1"}, {"PMI_SIZE", "4"}});
  expectMessage("the environment says PMI_RANK=-1 and PMI_SIZE=4, which is no rank of a run");
  set({{"PMI_RANK", "0"}, {"PMI_SIZE", "all"}});
  expectMessage("the environment says PMI_RANK=0 and PMI_SIZE=all, which is no rank of a run");
}

TEST_F(LaunchTest, SaysWhatIsMissing) {
  const std::string folder = testing::TempDir() + "broken_transport";
  ASSERT_EQ(std::system(("mkdir -p " + folder + " && echo text > " + folder + "/libtla_mpi.so").c_str()), 0);
  set({{"HETC_LIB_DIR", folder.c_str()}});
  try {
    connect({0, 4, "mpirun (Open MPI)"});
    FAIL() << "no exception";
  } catch (const Error &error) {
    const std::string text = error.what();
    EXPECT_EQ(text.find("mpirun (Open MPI) started 4 ranks, but the transport over MPI cannot be loaded: " + folder),
              0u)
        << text;
  }
}
} // namespace

} // namespace tla::runtime
