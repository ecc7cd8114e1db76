// A header that every program parses, and one too many.
#include <new>
#include <string>
