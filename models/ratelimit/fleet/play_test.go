package fleet

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"fencepost/models/ratelimit/fleet/message"
	"fencepost/sim"
	"fencepost/sim/simtest"
)

const ms = time.Millisecond

func ptr[T any](v T) *T { return &v }

// at is an instant in milliseconds.
func at(ms int64) sim.Time { return sim.Time(ms * 1e6) }

// played is what came out of one run.
type played struct{ *simtest.Played }

// play runs a fleet for five minutes, or until the given instant, on a network that
// takes no time.
func play(t *testing.T, p Params, change ...simtest.Change) *played {
	t.Helper()
	require.Empty(t, p.Problems())
	return playSystem(t, p.System, change...)
}

// playSystem is play with a system of one's own.
func playSystem(t *testing.T, build func() sim.System[message.Msg], change ...simtest.Change) *played {
	t.Helper()
	return &played{simtest.Play(t, build, sim.Config{Until: at(300_000)}, change...)}
}

// verdicts are what a client was answered, in order: A for an admission, R for a
// rejection.
func (r *played) verdicts(client string) string {
	var b strings.Builder
	for line := range strings.SplitSeq(r.Trace(), "\n") {
		words := strings.Fields(line)
		for i, word := range words {
			if words[1] != client || word != "answered" || words[i-1] != "notes" {
				continue
			}
			b.WriteByte(map[string]byte{"admitted": 'A', "rejected": 'R'}[strings.TrimSuffix(words[i+2], ";")])
		}
	}
	return b.String()
}

// measureNamed is the number of a measure.
func measureNamed(p *sim.Program, name string) int {
	return slices.IndexFunc(p.Measures, func(m sim.Measure) bool { return m.Name == name })
}
