#include "kernels/blas_pin.hpp"

#include <gtest/gtest.h>

namespace tla::kernels {
namespace {
TEST(BlasPin, WarnsOnlyOfWeakerPins) {
  EXPECT_EQ(weakPinWarning("Haswell", VectorLevel::Avx512),
            "OPENBLAS_CORETYPE=Haswell pins AVX2 kernels, but this CPU has AVX-512; unset it for full speed");
  EXPECT_EQ(weakPinWarning("haswell", VectorLevel::Avx2), "");
  EXPECT_EQ(weakPinWarning("SkylakeX", VectorLevel::Avx512), "");
  EXPECT_EQ(weakPinWarning("Unheard", VectorLevel::Avx512), "");
  EXPECT_EQ(weakPinWarning(nullptr, VectorLevel::Avx512), "");
}
} // namespace

TEST(BlasPin, ACoreTypeIsOutdatedWhereItLacksWhatTheCpuHas) {
  EXPECT_TRUE(isOutdated("Prescott", VectorLevel::Avx512));
  EXPECT_TRUE(isOutdated("Sandybridge", VectorLevel::Avx2));
  EXPECT_FALSE(isOutdated("Zen", VectorLevel::Avx512)) << "it has half of the width, which is no reason";
  EXPECT_FALSE(isOutdated("Haswell", VectorLevel::Avx2));
  EXPECT_FALSE(isOutdated("Prescott", VectorLevel::Sse));
  EXPECT_FALSE(isOutdated("NewerThanThis", VectorLevel::Avx512));
  EXPECT_FALSE(isOutdated("", VectorLevel::Avx512));
}
} // namespace tla::kernels
