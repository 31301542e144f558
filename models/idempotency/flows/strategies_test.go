package flows_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"fencepost/models/idempotency/flow"
)

// The strategies in the order of the columns of the table.
var strategies = []string{"strategy-1", "strategy-2-repaired", "strategy-2-on-conflict", "strategy-3-as-written", "strategy-3-no-unique", "reference"}

// situations are the rows: what happens to a world, and the orders that each strategy
// creates. Source: S1 comparison.
var situations = []struct {
	name   string
	play   func(w *world) string // what the second request hears
	orders [6]int
	second [6]string
}{
	{"double click, a key per call", func(w *world) string {
		w.order(0, 1, ms(20))
		r := w.order(ms(5), 2, ms(20))
		w.play()
		return r.said
	}, [6]int{2, 2, 2, 2, 2, 2}, [6]string{"201 2", "201 2", "201 2", "201 2", "201 2", "201 2"}},
	{"double click, a key per intent", func(w *world) string {
		w.order(0, 1, ms(20))
		r := w.order(ms(5), 1, ms(20))
		w.play()
		return r.said
	}, [6]int{2, 1, 1, 1, 1, 1}, [6]string{"201 2", "500", "200 1", "200 1", "200 1", "409 9995000000"}},
	{"a retry after a lost reply", func(w *world) string {
		w.do(1)
		return w.do(1)
	}, [6]int{2, 1, 1, 1, 1, 1}, [6]string{"201 2", "200 1", "200 1", "200 1", "200 1", "201 1"}},
	{"a crash after the effect, a retry after 11 s", func(w *world) string {
		r := w.request(1)
		for r.next.Do != flow.CacheSet && !r.done || w.count("orders") == 0 && !r.done {
			r.step()
		}
		r.crash()
		w.now = at(11 * time.Second)
		return w.do(1)
	}, [6]int{2, 1, 1, 1, 2, 1}, [6]string{"201 2", "200 1", "200 1", "200 1", "201 2", "201 1"}},
	{"processing for longer than the lock holds", func(w *world) string {
		w.order(0, 1, 15*time.Second)
		r := w.order(11*time.Second, 1, ms(20))
		w.play()
		return r.said
	}, [6]int{2, 1, 1, 1, 2, 1}, [6]string{"201 1", "201 1", "201 1", "201 1", "201 1", "201 1"}},
	{"another order under the key", func(w *world) string {
		w.do(1)
		return w.start(flow.Request, flow.Input{Tenant: 1, Key: 1, Fingerprint: 11, Amount: 5, Intent: 2}).end()
	}, [6]int{2, 1, 1, 1, 1, 1}, [6]string{"201 2", "200 1", "200 1", "200 1", "200 1", "422"}},
	{"another user's key", func(w *world) string {
		w.do(1)
		return w.start(flow.Request, flow.Input{Tenant: 2, Key: 1, Fingerprint: 10, Amount: 300, Intent: 2}).end()
	}, [6]int{2, 1, 1, 1, 1, 2}, [6]string{"201 2", "200 1", "200 1", "200 1", "200 1", "201 2"}},
	{"a retry after the TTL", func(w *world) string {
		w.do(1)
		w.now = at(25 * time.Hour)
		return w.do(1)
	}, [6]int{2, 1, 1, 1, 2, 1}, [6]string{"201 2", "200 1", "200 1", "200 1", "201 2", "201 1"}},
}

func TestTheStrategiesCompared(t *testing.T) { // ID-20
	for _, s := range situations {
		for i, name := range strategies {
			w := newWorld(t, name)
			assert.Equal(t, s.second[i], s.play(w), "%s: %s", s.name, name)
			assert.Equal(t, s.orders[i], w.count("orders"), "%s: %s", s.name, name)
		}
	}
}
