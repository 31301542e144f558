package clock

import (
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The tables of the peers' own tests, rewritten as inputs and expected outputs.
// testdata/vectors is ours and always tested; the same files in shared/data beside the
// repository are tested too where they are.

type intSet = DVVSet[string, int]

// peerCase is one case of any table. Which fields it has depends on its kind.
type peerCase struct {
	ID, Kind, Note string
	Config         struct {
		Initial     json.RawMessage
		MaxOffsetNS int64 `json:"max_offset_ns"`
	}
	Input  json.RawMessage
	Expect json.RawMessage
	Steps  []json.RawMessage
}

// decode reads a field of a case, or a whole step.
func decode[T any](t *testing.T, text json.RawMessage) (x T) {
	require.NoError(t, json.Unmarshal(text, &x), "%s", text)
	return x
}

func TestPeers(t *testing.T) {
	dirs := []string{filepath.Join("testdata", "vectors")}
	shared := filepath.Join("..", "..", "..", "shared", "data", "vectors")
	if _, err := os.Stat(shared); err == nil {
		dirs = append(dirs, shared)
	}
	for _, table := range []struct {
		file, name string
		cases      int
		run        func(t *testing.T, c peerCase)
	}{
		{"lamport_serf.json", "serf", 1, runSerf},
		{"vector_clock_riak.json", "riak", 21, runRiak},
		{"vector_clock_voldemort.json", "voldemort", 33, runVoldemort},
		{"dvvset_riak.json", "dvvset", 33, runDVVSet},
		{"hlc_cockroach.json", "cockroach", 15, runCockroach},
	} {
		for _, dir := range dirs {
			text, err := os.ReadFile(filepath.Join(dir, table.file))
			require.NoError(t, err)
			f := decode[struct {
				Source struct{ Licence string }
				Cases  []peerCase
			}](t, text)
			assert.NotEmpty(t, f.Source.Licence)
			assert.GreaterOrEqual(t, len(f.Cases), table.cases, "%s in %s", table.file, dir)
			for _, c := range f.Cases {
				t.Run(table.name+"/"+c.ID, func(t *testing.T) { table.run(t, c) })
			}
		}
	}
}

func runSerf(t *testing.T, c peerCase) {
	require.Equal(t, "lamport", c.Kind)
	clock := Lamport(decode[uint64](t, c.Config.Initial))
	for _, raw := range c.Steps {
		s := decode[struct {
			Op     string
			Value  uint64
			Expect struct{ Time uint64 }
		}](t, raw)
		switch s.Op {
		case "increment":
			clock.Tick()
		case "witness":
			require.NoError(t, clock.Witness(s.Value))
		default:
			require.Equal(t, "time", s.Op)
		}
		assert.Equal(t, s.Expect.Time, uint64(clock), "%s", raw)
	}
}

// timed reads {"1": [counter, timestamp in s]}.
func timed(t *testing.T, pairs map[string][2]int64) (v TimedVector[string]) {
	for id, p := range pairs {
		v = append(v, TimedEntry[string]{id, uint64(p[0]), Reading(p[1]) * Reading(time.Second)})
	}
	slices.SortFunc(v, func(a, b TimedEntry[string]) int { return Stamp[string]{0, a.ID}.Compare(Stamp[string]{0, b.ID}) })
	return v
}

func runRiak(t *testing.T, c peerCase) {
	type pairs = map[string][2]int64
	switch c.Kind {
	case "descends", "dominates":
		in := decode[struct{ A, B VersionVector[string] }](t, c.Input)
		want := decode[struct{ Result bool }](t, c.Expect).Result
		if c.Kind == "descends" {
			assert.Equal(t, want, in.A.Covers(in.B))
		} else {
			assert.Equal(t, want, in.A.Compare(in.B) == After)
		}
	case "vclock_merge":
		in := decode[struct{ A, B pairs }](t, c.Input)
		want := timed(t, decode[struct{ Merged pairs }](t, c.Expect).Merged)
		for _, pair := range [][2]pairs{{in.A, in.B}, {in.B, in.A}} {
			got := timed(t, pair[0])
			got.Merge(timed(t, pair[1]))
			assert.Equal(t, want, got)
		}
	case "vclock_get":
		in := decode[struct {
			Clock pairs
			Node  string
		}](t, c.Input)
		want := decode[struct{ Counter, Timestamp uint64 }](t, c.Expect)
		got := timed(t, in.Clock).Get(in.Node)
		assert.Equal(t, want.Counter, got.N)
		assert.Equal(t, Reading(want.Timestamp)*Reading(time.Second), got.At)
	default:
		require.Equal(t, "vclock_prune", c.Kind)
		runRiakPrune(t, c)
	}
}

func runRiakPrune(t *testing.T, c peerCase) {
	in := decode[struct {
		Now    Reading
		Clock  map[string][2]int64
		Limits struct {
			Small, Big *int
			Young, Old *Reading
		}
	}](t, c.Input)
	limits := PruneLimits{Small: math.MaxInt, Big: math.MaxInt, Young: math.MinInt64, Old: math.MaxInt64}
	if in.Limits.Small != nil {
		limits.Small = *in.Limits.Small
	}
	if in.Limits.Big != nil {
		limits.Big = *in.Limits.Big
	}
	if in.Limits.Young != nil {
		limits.Young = *in.Limits.Young * Reading(time.Second)
	}
	if in.Limits.Old != nil {
		limits.Old = *in.Limits.Old * Reading(time.Second)
	}
	got := timed(t, in.Clock)
	got.Prune(in.Now*Reading(time.Second), limits)
	want := decode[struct {
		Kept  []string
		Count *int `json:"kept_count"`
	}](t, c.Expect)
	if want.Count != nil {
		assert.Len(t, got, *want.Count)
		return
	}
	var kept []string
	for _, e := range got {
		kept = append(kept, e.ID)
	}
	assert.Equal(t, want.Kept, kept)
}

var relationWords = map[string]Relation{"equal": Equal, "before": Before, "after": After, "concurrent": Concurrent}

func runVoldemort(t *testing.T, c peerCase) {
	type clock = VersionVector[string]
	switch c.Kind {
	case "vc_compare":
		in := decode[struct{ A, B clock }](t, c.Input)
		want, ok := relationWords[decode[struct{ Relation string }](t, c.Expect).Relation]
		require.True(t, ok)
		assert.Equal(t, want, in.A.Compare(in.B))
		assert.Equal(t, want.Reverse(), in.B.Compare(in.A))
	case "vc_merge":
		in := decode[struct{ A, B clock }](t, c.Input)
		want := decode[struct{ Merged clock }](t, c.Expect).Merged
		got := in.A.Clone()
		got.Merge(in.B)
		assert.Equal(t, want.String(), got.String())
		assert.NoError(t, got.Check())
	case "vc_increment":
		in := decode[struct {
			Start clock
			Node  string
			Times int
		}](t, c.Input)
		for range in.Times {
			in.Start.Tick(in.Node)
		}
		assert.Equal(t, decode[struct{ Version uint64 }](t, c.Expect).Version, in.Start.Get(in.Node))
	case "vc_property": // the order of increments does not matter
		var one, other clock
		ids := []string{"3", "1", "2", "1", "3", "3"}
		for i := range ids {
			one.Tick(ids[i])
			other.Tick(ids[len(ids)-1-i])
		}
		assert.Equal(t, Equal, one.Compare(other))
	case "vc_resolve":
		runVoldemortResolve(t, c)
	default:
		require.Equal(t, "versioned_equal", c.Kind)
		type version struct {
			Value *int
			Clock clock
		}
		in := decode[struct{ A, B version }](t, c.Input)
		equal := in.A.Clock.Compare(in.B.Clock) == Equal && assert.ObjectsAreEqual(in.A.Value, in.B.Value)
		assert.Equal(t, decode[struct{ Equal bool }](t, c.Expect).Equal, equal)
	}
}

func runVoldemortResolve(t *testing.T, c peerCase) {
	in := decode[struct{ Versions []VersionVector[string] }](t, c.Input)
	want := decode[struct {
		Survivors int
		Contains  []VersionVector[string]
	}](t, c.Expect)
	var versions []Versioned[string, int]
	for i, v := range in.Versions {
		versions = append(versions, Versioned[string, int]{v, i})
	}
	kept := Resolve(versions)
	assert.Len(t, kept, want.Survivors)
	for _, w := range want.Contains {
		assert.True(t, slices.ContainsFunc(kept, func(k Versioned[string, int]) bool { return k.Clock.Compare(w) == Equal }), "%v", w)
	}
}

func runDVVSet(t *testing.T, c peerCase) {
	switch c.Kind {
	case "dvv_join":
		in := decode[struct{ Clock set }](t, c.Input)
		assert.Equal(t, decode[struct{ VV VersionVector[string] }](t, c.Expect).VV.String(), in.Clock.Join().String())
	case "dvv_script":
		runDVVScript(t, c)
	case "dvv_sync":
		in := decode[struct{ A, B set }](t, c.Input)
		want := decode[struct {
			Result   set
			Commutes bool
		}](t, c.Expect)
		assert.Equal(t, want.Result.String(), in.A.Sync(in.B).String())
		if want.Commutes {
			assert.Equal(t, want.Result.String(), in.B.Sync(in.A).String())
		}
	case "dvv_event":
		in := decode[struct {
			Clock     set
			ID, Value string
		}](t, c.Input)
		before := in.Clock.String()
		assert.Equal(t, decode[set](t, c.Expect).String(), in.Clock.Event(in.ID, in.Value).String())
		assert.Equal(t, before, in.Clock.String(), "sets are values")
	case "vv_less":
		in := decode[struct{ A, B VersionVector[string] }](t, c.Input)
		want := decode[struct{ Less bool }](t, c.Expect).Less
		assert.Equal(t, want, in.A.Compare(in.B) == Before)
		assert.Equal(t, want, NewDVVSet[string, int](in.A).Less(NewDVVSet[string, int](in.B)))
	case "dvv_size":
		in := decode[struct{ Clock set }](t, c.Input)
		assert.Equal(t, decode[struct{ Size int }](t, c.Expect).Size, in.Clock.Size())
		assert.Len(t, in.Clock.Values(), in.Clock.Size())
	default:
		runDVVChoice(t, c)
	}
}

func runDVVChoice(t *testing.T, c peerCase) {
	in := decode[struct {
		Clock    intSet
		Function string
	}](t, c.Input)
	want := decode[struct {
		Result intSet
		Last   int
	}](t, c.Expect)
	if c.Kind == "dvv_lww" {
		got := in.Clock.LastWriter(func(a, b int) bool { return a > b })
		assert.Equal(t, want.Result.String(), got.String())
		assert.Equal(t, []int{want.Last}, got.Values())
		return
	}
	require.Equal(t, "dvv_reconcile", c.Kind)
	f := map[string]func([]int) int{"min": slices.Min[[]int], "sum": func(all []int) (n int) {
		for _, v := range all {
			n += v
		}
		return n
	}}[in.Function]
	require.NotNil(t, f)
	assert.Equal(t, want.Result.String(), in.Clock.Reconcile(f).String())
}

// update is "update(new(join(A0),[v2]), A0, a)", with the context and the replica's
// set left out where there are none.
var update = regexp.MustCompile(`^update\(new\((?:join\((A\d)\),)?\[(v\d)\]\), (?:(A\d), )?(\w)\)`)

func runDVVScript(t *testing.T, c peerCase) {
	sets := map[string]set{}
	for _, raw := range c.Steps {
		s := decode[struct {
			As     string `json:"as_"`
			Expr   string
			Expect set
		}](t, raw)
		m := update.FindStringSubmatch(s.Expr)
		require.NotNil(t, m, s.Expr)
		sets[s.As] = sets[m[3]].Update(NewDVVSet(sets[m[1]].Join(), m[2]), m[4])
		assert.Equal(t, s.Expect.String(), sets[s.As].String(), s.Expr)
	}
	assert.NotEmpty(t, sets)
}

func runCockroach(t *testing.T, c peerCase) {
	in := struct {
		JumpMS      int64   `json:"jump_ms"`
		AheadMS     int64   `json:"ahead_ms"`
		MaxOffsetMS int64   `json:"max_offset_ms"`
		Bound       Reading `json:"upper_bound"`
		Physical    Reading
	}{}
	if c.Input != nil {
		require.NoError(t, json.Unmarshal(c.Input, &in))
	}
	var want struct{ Fatal, Rejected bool }
	if c.Expect != nil {
		want = decode[struct{ Fatal, Rejected bool }](t, c.Expect)
	}
	params := HLCParamsFor(time.Duration(in.MaxOffsetMS) * time.Millisecond)
	start := 10_000 * ms
	switch c.Kind {
	case "hlc":
		runCockroachSteps(t, c)
	case "hlc_backward_jump":
		runCockroachBackward(t, c)
	case "forward_jump_check":
		g := must(NewGuardedHLC(params))
		must(g.Tick(start))
		_, err := g.Tick(start + Reading(in.JumpMS)*ms)
		assert.Equal(t, want.Fatal, err != nil, "%v", err)
	case "wall_upper_bound":
		g := must(NewGuardedHLC(HLCParams{MaxCounter: 1, Durable: true}))
		g.Persisted(in.Bound)
		_, err := g.Tick(in.Physical)
		assert.Equal(t, want.Fatal, err != nil, "%v", err)
	default:
		require.Equal(t, "remote_too_far", c.Kind)
		g := must(NewGuardedHLC(params))
		_, err := g.Receive(Timestamp{L: start + Reading(in.AheadMS)*ms}, start)
		assert.Equal(t, want.Rejected, err != nil, "%v", err)
	}
}

type cockroachEvent struct {
	Physical Reading
	Op       string
	Remote   []int64
	Expect   *struct {
		Wall     Reading
		Logical  uint32
		Reported *uint64 `json:"backward_jumps_reported"`
	}
}

func runCockroachSteps(t *testing.T, c peerCase) {
	initial := decode[[2]int64](t, c.Config.Initial)
	clock := HLC{Timestamp{Reading(initial[0]), uint32(initial[1])}}
	for _, raw := range c.Steps {
		s := decode[cockroachEvent](t, raw)
		var m *Timestamp
		if s.Op == "recv" {
			m = &Timestamp{Reading(s.Remote[0]), uint32(s.Remote[1])}
		}
		assert.Equal(t, Timestamp{s.Expect.Wall, s.Expect.Logical}, cockroachStep(&clock, s.Physical, m), "%s", raw)
	}
}

func runCockroachBackward(t *testing.T, c peerCase) {
	g := must(NewGuardedHLC(HLCParamsFor(time.Duration(c.Config.MaxOffsetNS))))
	checked := 0
	for _, raw := range c.Steps {
		s := decode[cockroachEvent](t, raw)
		must(g.Tick(s.Physical))
		if s.Expect != nil && s.Expect.Reported != nil {
			checked++
			assert.Equal(t, *s.Expect.Reported, g.Backward(), "%s", raw)
		}
	}
	assert.Positive(t, checked)
}
