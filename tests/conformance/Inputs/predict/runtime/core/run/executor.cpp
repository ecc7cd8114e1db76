#include "runtime/predict/plan/plan.hpp"
