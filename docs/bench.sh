#!/bin/sh
# Compares the engine with a floor: the same schedule and draw without an engine.
#
#   docs/bench.sh 'floor heap' 'floor other-heap'
#
# Each argument is a command that is given a number of pending events and a number
# of steps, and prints "ns":T, its processor time per step. The runs are interleaved on
# one processor; what counts is the ratio of the medians, to the faster floor, of processor
# time on both sides: what others do on the machine is not counted. Set REPEATS, CPU,
# SIZES and STEPS for other than 9 repeats on processor 0.
set -eu
[ $# -gt 0 ] || { sed -n '2,10s/^# \{0,1\}//p' "$0" >&2; exit 2; }
cd "$(dirname "$0")/.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
go test -c -o "$work/sim.test" ./sim
steps=${STEPS:-5000000}
pinned() { GOMAXPROCS=1 taskset -c "${CPU:-0}" "$@"; }
median() { sort -n "$1" | awk '{ v[NR] = $1 } END { print (v[int((NR + 1) / 2)] + v[int((NR + 2) / 2)]) / 2 }'; }

for n in ${SIZES:-10 1000 100000 1000000}; do
	rm -f "$work"/floor.* "$work"/ours
	for _ in $(seq "${REPEATS:-9}"); do
		i=0
		for floor in "$@"; do
			i=$((i + 1))
			# shellcheck disable=SC2086 # a command and its first arguments
			pinned $floor "$n" "$steps" | sed -n 's/.*"ns": *\([0-9.]*\).*/\1/p' >>"$work/floor.$i"
		done
		pinned "$work/sim.test" -test.run '^$' -test.bench "^BenchmarkPHOLD\$/^$n\$" -test.benchtime "${steps}x" |
			awk '/^Benchmark/ { for (i = 2; i <= NF; i++) if ($i == "cpu-ns/step") print $(i - 1) }' >>"$work/ours"
	done
	for f in "$work"/floor.*; do median "$f"; done | sort -n | head -n 1 >"$work/best"
	awk -v n="$n" -v floor="$(cat "$work/best")" -v ours="$(median "$work/ours")" \
		'BEGIN { printf "%8d pending: floor %6.1f ns/step, fencepost %6.1f, ratio %.2f\n", n, floor, ours, ours / floor }'
done
