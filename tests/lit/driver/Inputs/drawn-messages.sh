#!/bin/sh
# The messages of `hetc graph --svg` and of `hetc cost` are as many. usage: drawn-messages.sh HETC ALGORITHMS
for distribution in 2dbc:2x3,reflected sbc:6; do
  for algorithm in cholesky getrf geqrf qr trsm; do
    size="$2/$algorithm.tla -n 40 --nb 10 --dist $distribution"
    drawn=$("$1" graph $size --svg | sed -n 's/.*steps, \([0-9]*\) messages.*/\1/p')
    counted=$("$1" cost $size 2> /dev/null | sed -n 's/^ *messages sent .* \([0-9]*\)$/\1/p')
    test -n "$drawn" && test "$drawn" = "$counted" || { echo "$size: '$drawn' drawn, '$counted' counted"; exit 1; }
  done
done
