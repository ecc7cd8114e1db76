/// The remainder of a size, e.g. of 5 modulo 2. Never negative.
int remainder(int size, int a);

/// Of a / size, rounded down.
int quotient(int size, int a);

struct Tile {
  int size;   ///< elements per row
  int column; ///< of its first element, in the matrix
};
/// The same, for rows.
int rowQuotient(int size, int a);
/// For suggestions.
int names(int a);
/// What is left.
int rest(int a);
/// In a run on one node this is 1.
int nodes();
