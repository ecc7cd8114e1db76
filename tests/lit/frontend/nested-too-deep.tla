// Nothing that a program says takes all of the stack, or forever.
// RUN: python3 %S/Inputs/nested.py negated 40000 > %t.tla && not %hetc check %t.tla 2>&1 | FileCheck --check-prefix=LONG %s
// RUN: python3 %S/Inputs/nested.py casts 20000 > %t.tla && not %hetc check %t.tla 2>&1 | FileCheck --check-prefix=LONG %s
// RUN: python3 %S/Inputs/nested.py conditions 20000 > %t.tla && not %hetc check %t.tla 2>&1 | FileCheck --check-prefix=LONG %s
// RUN: python3 %S/Inputs/nested.py elses 20000 > %t.tla && not %hetc check %t.tla 2>&1 | FileCheck --check-prefix=LONG %s
// RUN: python3 %S/Inputs/nested.py conditions 2000 > %t.tla && not %hetc check %t.tla 2>&1 | FileCheck --check-prefix=DEEP %s
// RUN: python3 %S/Inputs/nested.py elses 2000 > %t.tla && not %hetc check %t.tla 2>&1 | FileCheck --check-prefix=DEEP %s
// RUN: python3 %S/Inputs/nested.py sum 5000 > %t.tla && not %hetc check %t.tla 2>&1 | FileCheck --check-prefix=MANY %s
// RUN: python3 %S/Inputs/nested.py doubled 60 > %t.tla && not %hetc check %t.tla 2>&1 | FileCheck --check-prefix=MANY %s
// RUN: python3 %S/Inputs/nested.py casts 2000 > %t.tla && %hetc check %t.tla
// RUN: python3 %S/Inputs/nested.py table 40000 > %t.tla && %hetc check %t.tla
// LONG: error: this statement has more than 16384 tokens
// DEEP: error: statements are nested more than 250 deep
// MANY: error: this value, with those of the names in it, has more than 1000 operators
