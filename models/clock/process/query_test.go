package process

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"fencepost/sim/model"
)

// A query for what happened from 10 s on and before 20 s, of six events of A and B of which
// a2, b2 and a3 did. B's wall clock is 4 s ahead. Row 15 of the coverage.
func TestQuery(t *testing.T) {
	const script = "A: a1@1s a2@10s a3@19s a4@21s\nB: b1@7s b2@18s\na2 -> b2\n"
	for kind, want := range map[string]answer{
		"wall":    {events: 3, found: 3, wrong: 1, missed: 1}, // b1 shows 11 s, b2 22 s
		"hlc":     {events: 3, found: 3, wrong: 1, missed: 1},
		"lamport": {events: 3, found: 3},                      // from a2, 2, below a4, 4: b2 and a3 are 3
		"vector":  {events: 3, found: 2, wrong: 0, missed: 1}, // b2 is concurrent to a4
	} {
		p := scripted(kind, script, "")
		_, l := playAll(t, p, offset("B", 4*time.Second))
		q := &query{int64(10 * time.Second), int64(20 * time.Second)}
		require.Equal(t, want, q.answer(l), kind)
	}
	_, l := playAll(t, scripted("vector", script, ""))
	require.Equal(t, answer{events: 1, found: 1}, (&query{int64(21 * time.Second), int64(22 * time.Second)}).answer(l), "to the end")
	require.Equal(t, answer{}, (&query{int64(30 * time.Second), int64(40 * time.Second)}).answer(l))
}

// The messages of Problems name the key.
func TestQueryProblems(t *testing.T) {
	second := time.Second
	for want, p := range map[string]Params{
		"is missing: a query has both ends, query-from and query-to": with(func(p *Params) { p.QueryFrom = &second }),
		"want it after query-from, which is 1s, got 1s":              with(func(p *Params) { p.QueryFrom, p.QueryTo = &second, &second }),
	} {
		require.Equal(t, []model.ValidationError{{Path: "query-to", Message: want}}, p.Problems())
	}
}
