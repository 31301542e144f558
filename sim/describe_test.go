package sim

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// TestDescribe: what describes a run is told that it is over, after everything else, and
// may say then what was at an earlier instant. No observer hears of it.
func TestDescribe(t *testing.T) {
	noter := &actor{do: onStart(func(out *Out[tm]) { out.Note(tm{kind: mark}) })}
	r := &rig{sys: System[tm]{Kinds: kindNames, Notes: []Kind{mark}}}
	r.add("a", *noter)
	r.sys.Meters = []Observer[tm]{r}
	r.sys.Describe = func() func(*View[tm], *Observation[tm]) string {
		return func(v *View[tm], o *Observation[tm]) string {
			if o.Event == Ended {
				v.Describe(at(4), "half of it is over")
				return "the end"
			}
			return "a mark"
		}
	}
	w, err := NewWorld(r.sys, Config{Until: at(10)})
	require.NoError(t, err)
	var log []string
	w.Watch(Watch{Moments: func(m Moment) { log = append(log, m.At.String()+" "+m.Text) }})
	r.w = w
	r.run(t, 1)
	require.Equal(t, []string{"0.000s a mark", "0.004s half of it is over", "0.010s the end"}, log)
	require.Len(t, r.seen, 1)
}
