package eventlog

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"fencepost/models/clock"
)

// A log of a run has the order of its history, and a chain from one event to another
// exactly if the one happened before the other; each link of it is on one host or a message.
func TestChain(t *testing.T) {
	for seed := range uint64(40) {
		r := rand.New(rand.NewPCG(seed, 3))
		hosts := []string{"A", "B", "C", "D"}[:1+r.IntN(4)]
		h, err := clock.NewHistory(len(hosts))
		require.NoError(t, err)
		var events []Happened
		for i := range 30 {
			e := Happened{Host: r.IntN(len(hosts)), From: -1, Name: string(rune('a' + i))}
			if i > 0 && r.IntN(2) == 0 {
				if from := r.IntN(i); events[from].Host != e.Host {
					e.From = from
				}
			}
			if e.From >= 0 {
				_, err = h.Receive(e.Host, clock.Event(e.From))
			} else {
				_, err = h.Local(e.Host)
			}
			require.NoError(t, err)
			events = append(events, e)
		}
		l, err := FromRun(hosts, events)
		require.NoError(t, err)
		o := l.Order(10)
		require.True(t, o.Consistent(), o.String())
		for a := range events {
			for b := range events {
				require.Equal(t, h.Relation(clock.Event(a), clock.Event(b)), l.Relation(a, b))
				chain := o.Chain(l, a, b)
				require.Equal(t, l.Relation(a, b) == clock.Before, chain != nil)
				for i := 1; i < len(chain); i++ {
					x, y := chain[i-1], chain[i]
					if l.Events[x].Host != l.Events[y].Host {
						require.Contains(t, o.Messages, Message{x, y})
					} else {
						require.Equal(t, l.Events[x].Count+1, l.Events[y].Count)
					}
				}
				if chain != nil {
					require.Equal(t, []int32{int32(a), int32(b)}, []int32{chain[0], chain[len(chain)-1]})
				}
			}
		}
	}
	_, err := FromRun([]string{"A"}, nil)
	require.EqualError(t, err, "there is no event in it")
	_, err = FromRun([]string{"A", "B"}, []Happened{{Host: 0, From: 1, Name: "a"}, {Host: 1, From: -1, Name: "b"}})
	require.EqualError(t, err, "event 0 receives event 1, which comes behind it")
}
