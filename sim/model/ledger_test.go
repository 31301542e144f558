package model_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"fencepost/sim"
	"fencepost/sim/model"
	"fencepost/sim/model/modeltest"
)

// paid is how often a request was paid for, which two properties read.
type paid struct{ Times int }

type (
	tally  struct{ paid }
	reader struct {
		Paid *tally
		Seen []int
	}
)

// Print is nothing: the ledger takes it in.
func (*tally) Print(*sim.Print) {}

func (t *tally) Check(*model.Report[Msg]) { t.Times++ }

func (c *reader) Check(*model.Report[Msg]) { c.Seen = append(c.Seen, c.Paid.Times) }

// A ledger is told before the properties that read it, begins each run anew, and is in the
// fingerprint once.
func TestPropertiesReadALedger(t *testing.T) {
	for _, first := range []int{0, 7} {
		ledger := &tally{paid{first}}
		readers := []*reader{{Paid: ledger}, {Paid: ledger}}
		var system sim.System[Msg]
		p := sim.NewProgram(func() sim.System[Msg] {
			s := careless()
			s.Ledgers = []sim.Observer[Msg]{model.NewLedger(&ledger.paid, ledger, Paid)}
			s.Properties = nil
			for _, r := range readers {
				s.Properties = append(s.Properties, model.NewProperty("reader", r, Paid))
			}
			system = s
			return s
		})
		w, err := p.NewWorld(sim.Config{Until: modeltest.At(100)})
		require.NoError(t, err)
		for range 2 {
			require.Nil(t, w.Run(1).Panic)
			for _, r := range readers {
				require.Greater(t, len(r.Seen), 1)
				for i, n := range r.Seen {
					assert.Equal(t, first+i+1, n)
				}
			}
		}
		var before, after [2]sim.Print
		printer := func(o sim.Observer[Msg]) sim.Printer { return o.(sim.Printer) }
		printer(system.Ledgers[0]).Print(&before[0])
		printer(system.Properties[0]).Print(&before[1])
		ledger.Times++
		printer(system.Ledgers[0]).Print(&after[0])
		printer(system.Properties[0]).Print(&after[1])
		assert.NotEqual(t, before[0], after[0])
		assert.Equal(t, before[1], after[1])
	}
}
