#include <tla/matrix.hpp>

#include <gtest/gtest.h>

#include <climits>
#include <complex>
#include <exception>
#include <string>
#include <vector>

namespace tla {
namespace {

/// The columns of every slice of every tile column, tile by tile.
std::vector<std::vector<int>> columnsOf(const Storage &storage) {
  std::vector<std::vector<int>> columns(storage.nt());
  for (int J = 0; J < storage.ns(); ++J)
    columns[storage.tileColumn(J)].push_back(storage.sliceCols(J));
  return columns;
}

/// Slices lie side by side in their tiles, wherever those are.
template <typename T> void expectSlicesInTiles(const Storage &storage) {
  for (int i = 0; i < storage.mt(); ++i)
    for (int J = 0; J < storage.ns(); ++J) {
      const int j = storage.tileColumn(J);
      if (!storage.stores(i, j))
        EXPECT_EQ(storage.slice(i, J), nullptr) << i << " " << J;
      else
        EXPECT_EQ(storage.slice(i, J),
                  static_cast<T *>(storage.tile(i, j)) + static_cast<long>(storage.sliceOffset(J)) * storage.ld(i))
            << i << " " << J;
    }
}

TEST(Storage, WholeTilesAreTheirOnlySlices) {
  Storage A(11, 7, 4, 3, sizeof(double), Shape::General);
  A.allocate();
  EXPECT_EQ(A.slices(), 1);
  EXPECT_EQ(A.ns(), A.nt());
  for (int j = 0; j < A.nt(); ++j) {
    EXPECT_EQ(A.slices(j), 1);
    EXPECT_EQ(A.tileColumn(j), j);
    EXPECT_EQ(A.sliceOffset(j), 0);
    EXPECT_EQ(A.sliceCols(j), A.tileCols(j));
    for (int i = 0; i < A.mt(); ++i) {
      EXPECT_EQ(A.slice(i, j), A.tile(i, j));
      EXPECT_EQ(A.sliceBytes(i, j), A.tileBytes(i, j));
    }
  }
}

TEST(Storage, SlicesEndWhereColumnsEnd) {
  using Columns = std::vector<std::vector<int>>;
  const auto columns = [](int n, Cut cut) {
    return columnsOf(Storage(5, n, 8, 8, sizeof(float), Shape::General, cut));
  };
  EXPECT_EQ(columns(16, {3, 2}), (Columns{{2, 2, 4}, {2, 2, 4}}));
  EXPECT_EQ(columns(13, {3, 2}), (Columns{{2, 2, 4}, {2, 2, 1}}));
  EXPECT_EQ(columns(12, {3, 2}), (Columns{{2, 2, 4}, {2, 2}})) << "nothing is left for the last slice";
  EXPECT_EQ(columns(11, {3, 2}), (Columns{{2, 2, 4}, {2, 1}}));
  EXPECT_EQ(columns(9, {3, 2}), (Columns{{2, 2, 4}, {1}})) << "narrower than a slice";
  EXPECT_EQ(columns(3, {2, 7}), (Columns{{3}}));
  EXPECT_EQ(columns(8, {2, 7}), (Columns{{7, 1}}));
  EXPECT_EQ(columns(0, {3, 2}), Columns{});
  EXPECT_EQ(columns(8, {1, 0}), (Columns{{8}})) << "not cut: the width says nothing";
}

TEST(Storage, SliceColumnsOfATileColumn) {
  const Storage A(5, 19, 8, 8, sizeof(float), Shape::General, {3, 2});
  EXPECT_EQ(A.ns(), 3 + 3 + 2);
  EXPECT_EQ(A.slices(), 3);
  EXPECT_EQ(A.slices(1), 3);
  EXPECT_EQ(A.slices(2), 2);
  EXPECT_EQ(A.tileColumn(5), 1);
  EXPECT_EQ(A.sliceOffset(5), 4);
  EXPECT_EQ(A.sliceOffset(6), 0);
}

TEST(Storage, SlicesLieSideBySideInTheirTiles) {
  for (const Shape shape : {Shape::General, Shape::Lower, Shape::Upper}) {
    Storage A(19, 19, 8, 8, sizeof(double), shape, {3, 3});
    A.allocate();
    expectSlicesInTiles<double>(A);
  }
  std::vector<double> array(21 * 13);
  Storage windows(19, 13, 8, 8, sizeof(double), Shape::General, {2, 3});
  windows.wrap(array.data(), 21);
  expectSlicesInTiles<double>(windows);
  EXPECT_EQ(windows.slice(0, 1), array.data() + 3 * 21);
}

TEST(Storage, MemoryOfCutTilesIsThatOfWholeOnes) {
  const Storage cut(19, 13, 8, 8, sizeof(double), Shape::General, {3, 2});
  const Storage whole(19, 13, 8, 8, sizeof(double), Shape::General);
  EXPECT_EQ(cut.bytes(), whole.bytes());
  EXPECT_EQ(cut.sliceBytes(0, 0), 128u); // 8 x 2
  EXPECT_EQ(cut.sliceBytes(2, 4), 64u) << "3 x 2 elements, to a cache line";
}

TEST(Storage, TilesOfOthersHaveNoSlices) {
  Storage A(8, 16, 8, 8, sizeof(double), Shape::General, {2, 3});
  A.allocate([](int, int j) { return j == 1; });
  for (const int J : {0, 1})
    EXPECT_EQ(A.slice(0, J), nullptr);
  for (const int J : {2, 3})
    EXPECT_NE(A.slice(0, J), nullptr);
  A.setTile(0, 1, nullptr);
  EXPECT_EQ(A.slice(0, 3), nullptr);
}

TEST(Tile, AViewOutsideSaysWhere) {
  const auto message = [](int first, int count) -> std::string {
    double element = 0;
    try {
      Tile<double>(&element, 1, 7, 1).cols(first, count);
    } catch (const std::exception &error) {
      return error.what();
    }
    return "";
  };
  EXPECT_EQ(message(0, 7), "");
  EXPECT_EQ(message(7, 0), "");
  EXPECT_EQ(message(5, 3), "3 columns from 5 on are outside the 7 of the tile");
  EXPECT_EQ(message(INT_MAX, INT_MAX), "2147483647 columns from 2147483647 on are outside the 7 of the tile");
  EXPECT_EQ(message(INT_MIN, INT_MIN), "-2147483648 columns from -2147483648 on are outside the 7 of the tile");
}

TEST(Storage, WorkspacesInBothForms) {
  const StorageRef tiles(Storage::makeWorkspace(3, 2, 4, 8, sizeof(double), {3, 2}));
  EXPECT_EQ(columnsOf(*tiles), (std::vector<std::vector<int>>{{2, 2, 4}, {2, 2, 4}}));
  const StorageRef elements(Storage::makeWorkspace(20, 10, 8, sizeof(double), {3, 2}));
  EXPECT_EQ(columnsOf(*elements), (std::vector<std::vector<int>>{{2, 2, 4}, {2}}));
  const StorageRef none(Storage::makeWorkspace(3, 0, 4, 8, sizeof(double), {3, 2}));
  EXPECT_EQ(none->ns(), 0);
}

TEST(Storage, ACutThatLeavesNothingHasNoTiles) {
  for (const Cut cut : {Cut{3, 4}, Cut{2, 0}, Cut{2, -1}, Cut{0, 1}, Cut{2, 8}}) {
    EXPECT_FALSE(cut.fits(8));
    const Storage A(16, 16, 8, 8, sizeof(double), Shape::General, cut);
    EXPECT_EQ(A.nt(), 0);
    EXPECT_EQ(A.ns(), 0);
  }
  EXPECT_TRUE((Cut{3, 3}.fits(8)));
  EXPECT_FALSE((Cut{1 << 20, 1 << 20}.fits(1 << 20))) << "without overflow";
}

TEST(Matrix, SlicesOfTheCallersArray) {
  std::vector<double> array(20 * 19);
  const Matrix<double> A(array.data(), 17, 19, 20, 8, {3, 2});
  expectSlicesInTiles<double>(A.storage());
  const Tile<double> slice = A.slice(1, 4); // columns 10 and 11
  EXPECT_EQ(slice.data(), array.data() + 8 + 10 * 20);
  EXPECT_EQ(slice.m(), 8);
  EXPECT_EQ(slice.n(), 2);
  EXPECT_EQ(slice.ld(), 20);
  EXPECT_EQ(A.ns(), 8);
  EXPECT_EQ(A.slices(2), 2);
  EXPECT_EQ(A.sliceBegin(2), 4);
  EXPECT_EQ(A.sliceCols(7), 1);
  EXPECT_EQ(A(1, 1).data(), array.data() + 8 + 8 * 20) << "the author's tiles are whole";
  EXPECT_EQ(A(1, 1).n(), 8);
}

TEST(Matrix, TrianglesOfCutTiles) {
  const LowerMatrix<float> L(10, 4, {2, 1});
  EXPECT_EQ(L.ns(), 6);
  EXPECT_EQ(L.slice(0, 3).data(), nullptr);
  EXPECT_EQ(L.slice(2, 3).data(), L(2, 1).data() + 2);
  const UpperMatrix<float> U(10, 4, {2, 1});
  EXPECT_EQ(U.slice(0, 5).n(), 1);
}

using Complex = std::complex<double>;

/// Writes what it is given, transposed, and beside it what it reads from the second view of the same tile.
void exchange(Tile<Complex> A, ConstTile<Complex> B) {
  A(1, 0) = {7, 8};
  A(2, 0) = B(1, 0);
}

TEST(Matrix, ATransposeIsSeenAsACopyThatGoesBack) {
  const Matrix<Complex> A(10, 7, 4);
  const Matrix<Complex> B = conjTrans(A);
  EXPECT_EQ((std::vector{B.m(), B.n(), B.mt(), B.nt(), B.mb(), B.nb()}), (std::vector{7, 10, 2, 3, 4, 4}));
  A(2, 0)(0, 1) = {1, 2};
  {
    const ArgumentTile<Complex> tile = B(0, 2);
    EXPECT_EQ(tile.m(), 4);
    EXPECT_EQ(tile.n(), 2);
    EXPECT_EQ(tile(1, 0), Complex(1, -2));
    EXPECT_EQ(tile.stored().data(), A(2, 0).data());
  }
  exchange(B(0, 2), B(0, 2).upper());
  EXPECT_EQ(A(2, 0)(0, 1), Complex(7, -8));
  EXPECT_EQ(A(2, 0)(0, 2), Complex(7, -8)) << "both arguments have one copy";
}

TEST(Matrix, OnlyWhatAKernelWritesGoesBack) {
  const Matrix<double> A(3, 3, 3);
  A(0, 0)(0, 1) = 5;
  ArgumentTile<double>(A(0, 0), true, false)(1, 0) = 6;
  EXPECT_EQ(A(0, 0)(0, 1), 5);
  ArgumentTile<double>(A(0, 0), true, true)(1, 0) = 6;
  EXPECT_EQ(A(0, 0)(0, 1), 6);
}

TEST(Matrix, WindowsOfOneArrayAreTransposedApart) {
  std::vector<double> array = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12};
  const Matrix<double> A(array.data(), 4, 3, 4, 4), top(array.data(), 2, 3, 4, 4);
  const ArgumentTile<double> whole(A(0, 0), true, false), rows(top(0, 0), true, false);
  EXPECT_EQ(whole(2, 3), 12);
  EXPECT_EQ(rows.n(), 2);
  EXPECT_EQ(rows(2, 1), 10);
}

TEST(Matrix, TilesAreCopiedAsHandles) {
  const Matrix<double> A(8, 8, 4);
  auto tile = A(0, 0);
  tile = A(1, 0);
  EXPECT_EQ(tile.data(), A(1, 0).data());
  const std::vector tiles = {A(0, 0), A(0, 1)};
  EXPECT_EQ(tiles[1].data(), A(0, 1).data());
  A(0, 1)(2, 1) = 4;
  const ArgumentTile<double> transpose = conjTrans(A(0, 1));
  const auto view = transpose;
  EXPECT_EQ(view.data(), transpose.data());
  EXPECT_EQ(view(1, 2), 4);
}

TEST(Matrix, TilesThatThereAre) {
  const LowerMatrix<double> L(10, 4);
  const UpperMatrix<double> U = conjTrans(L);
  EXPECT_TRUE(L.has(2, 0) && L.has(1, 1) && U.has(0, 2));
  EXPECT_FALSE(L.has(0, 2) || U.has(2, 0) || L.has(3, 0) || L.has(0, -1) || L.has(2, 3));
  const Matrix<double> A(10, 7, 4);
  EXPECT_TRUE(A.has(0, 1) && A.has(2, 0) && conjTrans(A).has(0, 2));
  EXPECT_FALSE(A.has(0, 2) || conjTrans(A).has(2, 0));
  EXPECT_FALSE(LowerMatrix<double>(Matrix<double>(8, 8, 4)).has(0, 1)) << "of what the handle sees";
}

TEST(Storage, OfAPatternOnlyItsTilesHaveMemory) {
  Storage A(10, 10, 4, 4, sizeof(double), Shape::Lower, {2, 3});
  EXPECT_FALSE(A.hasPattern());
  A.setPattern([](int i, int j) { return i != 2 || j != 1; });
  EXPECT_TRUE(A.hasPattern());
  A.allocate();
  for (int j = 0; j < 3; ++j)
    for (int i = 0; i < 3; ++i) {
      const bool there = i >= j && (i != 2 || j != 1);
      EXPECT_EQ(A.has(i, j), there);
      EXPECT_EQ(A.tile(i, j) != nullptr, there);
    }
  EXPECT_FALSE(A.has(2, 1) || A.has(3, 0) || A.has(0, -1));
  EXPECT_EQ(A.bytes(), 3 * 128u + 2 * 64u) << "A(0, 0), A(1, 0), A(1, 1); A(2, 0) and A(2, 2)";
  expectSlicesInTiles<double>(A);
  A.setPattern([](int, int) { return true; });
  EXPECT_TRUE(A.has(2, 1)) << "the last one counts";
}

TEST(Matrix, TransposesOfTrianglesAndOfTransposes) {
  const LowerMatrix<double> L(10, 4);
  const UpperMatrix<double> U = conjTrans(L);
  L(2, 0)(1, 3) = 3;
  EXPECT_EQ(U(0, 2)(3, 1), 3);
  EXPECT_EQ(conjTrans(U)(2, 0).data(), L(2, 0).data());
  EXPECT_EQ(&conjTrans(U).storage(), &L.storage());
  EXPECT_THROW(U.storage(), NoStorage);
  const PeriodScope scope({2, 3});
  const Workspace<double> W(2, 5, 3, 4);
  EXPECT_EQ(conjTrans(W).p(), 3);
  EXPECT_EQ(conjTrans(W).q(), 2);
  EXPECT_EQ(conjTrans(W)(4, 1).m(), 4);
  EXPECT_EQ(conjTrans(W).panel(0, 5, 1)(2).n(), 3);
}

TEST(Matrix, SomeOfTheTiles) {
  const Matrix<double> A(10, 7, 4); // 3 x 2 tiles
  const Matrix<double> B = A.tiles(1, 3, 0, 1);
  EXPECT_EQ(B.mt(), 2);
  EXPECT_EQ(B.nt(), 1);
  EXPECT_EQ(B.m(), 6) << "of a last tile of two rows";
  EXPECT_EQ(B.n(), 4);
  EXPECT_EQ(B(1, 0).data(), A(2, 0).data());
  EXPECT_EQ(B(1, 0).m(), 2);
  EXPECT_EQ(B.panel(0, 2, 0)(1).data(), A(2, 0).data());
  EXPECT_TRUE(B.has(1, 0));
  EXPECT_FALSE(B.has(2, 0) || B.has(0, 1) || B.has(-1, 0)) << "the matrix has two of them";
  EXPECT_EQ(B.tiles(1, 2, 0, 1)(0, 0).data(), A(2, 0).data());
  EXPECT_EQ(A.tiles(1, 2)(0, 0).data(), A(1, 1).data());
  const Matrix<double> C = conjTrans(A).tiles(1, 2, 0, 3), D = conjTrans(A.tiles(0, 3, 1, 2));
  for (const Matrix<double> &part : {C, D}) {
    EXPECT_EQ(part.m(), 3);
    EXPECT_EQ(part.n(), 10);
    EXPECT_EQ(conjTrans(part)(2, 0).data(), A(2, 1).data());
  }
  EXPECT_THROW(B.storage(), NoStorage);
  EXPECT_EQ(&A.tiles(0, 3, 0, 2).storage(), &A.storage()) << "all of them";
}

TEST(Matrix, TilesBeyondTheEndAreNone) {
  const Matrix<double> A(10, 7, 4);
  const Matrix<double> behind = A.tiles(3, 3, 0, 2), backwards = A.tiles(2, 1, 2, 0);
  EXPECT_EQ(behind.mt(), 0);
  EXPECT_EQ(behind.m(), 0) << "not what is missing of the last tile";
  EXPECT_EQ(behind.n(), 7);
  EXPECT_EQ(backwards.mt(), 0);
  EXPECT_EQ(backwards.nt(), 0);
  EXPECT_FALSE(behind.has(0, 0) || backwards.has(0, 0));
}

TEST(Matrix, SomeOfTheTilesOfATriangleAndOfAWorkspace) {
  const LowerMatrix<double> L(10, 4);
  const LowerMatrix<double> last = L.tiles(1, 3);
  EXPECT_EQ(last.n(), 6);
  EXPECT_EQ(last(1, 0).data(), L(2, 1).data());
  EXPECT_FALSE(last.has(0, 1));
  const Matrix<double> block = L.tiles(1, 3, 0, 2);
  EXPECT_EQ(block(1, 1).data(), L(2, 1).data());
  EXPECT_TRUE(block.has(1, 1));
  EXPECT_TRUE(block.has(0, 1)) << "on the diagonal";
  EXPECT_FALSE(L.tiles(0, 2, 1, 3).has(0, 0)) << "above it";
  const UpperMatrix<double> U = conjTrans(L);
  EXPECT_EQ(U.tiles(0, 2)(0, 1)(3, 1), L(1, 0)(1, 3));
  EXPECT_EQ(conjTrans(U.tiles(0, 1, 1, 3)).mt(), 2);
  const Workspace<double> W(2, 5, 3, 4), part = W.tiles(0, 1, 2, 5);
  EXPECT_EQ(part.nt(), 3);
  EXPECT_EQ(part.n(), 12);
  EXPECT_EQ(part(0, 2).data(), W(0, 4).data());
}

} // namespace
} // namespace tla
