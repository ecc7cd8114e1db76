# interrupt.sh HETC SPACE DATABASE: a search that hangs in a candidate, another one on the same database, then Ctrl-C.
hetc=$1 space=$2 database=$3
"$hetc" tune gemm --space "$space" --set with_faults=1 --size 16 --strategy exhaustive --candidate-limit 10m \
  --database "$database" &
search=$!
for wait in $(seq 600); do
  [ "$(grep -c '"point"' "$database" 2>/dev/null)" -ge 4 ] 2>/dev/null && break
  sleep 0.1
done
"$hetc" tune gemm --space "$space" --set with_faults=1 --size 16 --resume --database "$database"
echo "second: exit code $?"
kill -INT $search
wait $search
echo "first: exit code $?"
