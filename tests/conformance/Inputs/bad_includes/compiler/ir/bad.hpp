#include <isl/ctx.h>
