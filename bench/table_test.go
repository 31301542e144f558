package bench

import (
	"cmp"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"fencepost/models/ratelimit/traffic"
)

var (
	printTable = flag.Bool("table", false, "measure, and print the table instead of running tests")
	rounds     = flag.Int("rounds", 9, "how often each limiter is measured, in turn; the table has the medians")
	keys       = flag.Int("keys", 1_000_000, "how many keys there are")
	one        = flag.Int("subject", -1, "measure only that limiter, and print JSON (for the processes of -table)")
)

func TestMain(m *testing.M) {
	flag.Parse()
	switch {
	case *one >= 0:
		must(0, json.NewEncoder(os.Stdout).Encode(measure(subjects[*one])))
	case *printTable:
		show(os.Stdout, measureAll())
	default:
		os.Exit(m.Run())
	}
}

// result is one measurement of a limiter.
type result struct {
	OneKey, ManyKeys float64 // ns per decision
	Allocs           float64 // per decision, with many keys
	Bytes            float64 // per key
	Admitted         float64 // share of the decisions with many keys
}

const decisions = 1 << 20 // that are measured, and as many before them

// measure is what one process does.
func measure(s subject) (r result) {
	stream, names := zipf(decisions)
	same := slices.Repeat([]request{{1, names[1]}}, decisions)
	one := s.one
	if one == nil {
		one = s.many
	}
	admits := one()
	run(admits, same, 0)
	r.OneKey, _, _ = run(admits, same, decisions)

	before := heap()
	admits = s.many()
	for id, name := range names {
		admits(&request{uint64(id), name}, 0)
	}
	r.Bytes = float64(heap()-before) / float64(len(names))
	run(admits, stream, 0)
	r.ManyKeys, r.Allocs, r.Admitted = run(admits, stream, decisions)
	runtime.KeepAlive(names) // they were there before: nobody pays for the text of a key
	return r
}

// zipf is that many requests of clients who come by a Zipf law, and the names of all
// clients. Those of requests stand in memory in the order of the requests, as if they came
// from a socket.
func zipf(n int) (stream []request, names []string) {
	names = make([]string, *keys)
	for id := range names {
		names[id] = "client-" + strconv.Itoa(id)
	}
	s := traffic.New(traffic.Params{For: time.Hour, Requests: int64(n), Class: traffic.Class{
		Arrivals: "constant", Rate: &traffic.Rate{Requests: 1_000_000, Per: time.Second}, Clients: int64(*keys), Zipf: 1000}}, 1)
	stream = make([]request, n)
	for i := range stream {
		r, _ := s.Next()
		stream[i] = request{r.Key, strings.Clone(names[r.Key])}
	}
	return stream, names
}

// run decides all requests, the first-th and following, a microsecond apart for those
// who are told.
func run(admits decide, stream []request, first int) (ns, allocs, admitted float64) {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	began, yes := time.Now(), 0
	for i := range stream {
		if admits(&stream[i], int64(first+i)*1000) {
			yes++
		}
	}
	took := time.Since(began)
	runtime.ReadMemStats(&after)
	of := func(x float64) float64 { return x / float64(len(stream)) }
	return of(float64(took)), of(float64(after.Mallocs - before.Mallocs)), of(float64(yes))
}

func heap() int64 {
	var m runtime.MemStats
	runtime.GC()
	runtime.GC()
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

// measureAll measures everybody in turn, each time in a new process.
func measureAll() [][]result {
	all := make([][]result, len(subjects))
	self := must(os.Executable())
	for round := range *rounds {
		for i := range subjects {
			i := (i + round) % len(subjects)
			cmd := exec.Command(self, "-subject", strconv.Itoa(i), "-keys", strconv.Itoa(*keys))
			cmd.Stderr = os.Stderr
			var r result
			must(0, json.Unmarshal(must(cmd.Output()), &r))
			all[i] = append(all[i], r)
		}
		fmt.Fprintf(os.Stderr, "round %d of %d\n", round+1, *rounds)
	}
	return all
}

// median of one number of all rounds.
func median(all []result, of func(result) float64) float64 {
	slices.SortFunc(all, func(a, b result) int { return cmp.Compare(of(a), of(b)) })
	return (of(all[(len(all)-1)/2]) + of(all[len(all)/2])) / 2
}

// show prints the table. Ratios are to the first limiter that is used the same way.
func show(w io.Writer, all [][]result) {
	fmt.Fprintf(w, "%s %s/%s, %d CPUs, %d keys, medians of %d rounds, one goroutine\n\n", runtime.Version(), runtime.GOOS, runtime.GOARCH, runtime.NumCPU(), *keys, *rounds)
	fmt.Fprintln(w, "| limiter | key and time | one key | | many keys | | allocs | bytes per key | | admitted |")
	fmt.Fprintln(w, "|---|---|--:|--:|--:|--:|--:|--:|--:|--:|")
	first := map[string][3]float64{}
	for i, s := range subjects {
		got := [3]float64{
			median(all[i], func(r result) float64 { return r.OneKey }),
			median(all[i], func(r result) float64 { return r.ManyKeys }),
			median(all[i], func(r result) float64 { return r.Bytes }),
		}
		if _, ok := first[s.note]; !ok {
			first[s.note] = got
		}
		base := first[s.note]
		fmt.Fprintf(w, "| %s | %s | %.1f ns | %.1fx | %.1f ns | %.1fx | %.1f | %.0f B | %.1fx | %.1f%% |\n", s.name, s.note,
			got[0], got[0]/base[0], got[1], got[1]/base[1], median(all[i], func(r result) float64 { return r.Allocs }),
			got[2], got[2]/base[2], 100*median(all[i], func(r result) float64 { return r.Admitted }))
	}
}
